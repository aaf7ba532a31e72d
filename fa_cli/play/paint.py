"""Colours for a terminal that has them: the words of a picture that stand for one are written in it."""

from __future__ import annotations

import re
from collections.abc import Mapping

_PLAIN = {
    "red": "31",
    "blue": "34",
    "yellow": "33",
    "green": "32",
    "black": "7",
    "orange": "33;1",
    "gray": "2",
    "brown": "33;2",
    "violet": "35",
}
_MANY = _PLAIN | {
    "orange": "38;5;208",
    "gray": "38;5;245",
    "brown": "38;5;136",
    "violet": "38;5;135",
    "blue": "38;5;33",
}
_BOLD = "1"
_DIM = "2"


class Painter:
    """Paints lines; without colours it leaves them as they are. `many`: the terminal has 256 of them."""

    def __init__(self, palette: Mapping[str, str], me: str, colours: bool, many: bool = False) -> None:
        self._colours = colours
        codes = _MANY if many else _PLAIN
        self._codes = [codes[name] for name in palette.values()]
        own = rf"#{me}(?![0-9])"
        words = "|".join(rf"(\b{word}\b)" if word.isalpha() else f"({word})" for word in palette)
        self._words = re.compile(f"({own})|{words}" if words else f"({own})")

    def picture(self, line: str) -> str:
        """A line of the board or of a hand."""
        return self._words.sub(self._paint, line) if self._colours else line

    def strong(self, text: str) -> str:
        """What is to be read first."""
        return self._wrap(text, _BOLD)

    def faint(self, text: str) -> str:
        """What need not be read."""
        return self._wrap(text, _DIM)

    def _paint(self, found: re.Match[str]) -> str:
        number = found.lastindex or 1
        return self._wrap(found[0], _BOLD if number == 1 else self._codes[number - 2])

    def _wrap(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._colours and text else text
