"""Colours for a terminal that has them: the words of a picture that stand for one are written in it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rich.color import ColorSystem
from rich.style import Style

_PLAIN = {
    "red": "red",
    "blue": "blue",
    "yellow": "yellow",
    "green": "green",
    "black": "reverse",
    "orange": "bold yellow",
    "gray": "dim",
    "brown": "dim yellow",
    "violet": "magenta",
}
_MANY = _PLAIN | {
    "orange": "color(208)",
    "gray": "color(245)",
    "brown": "color(136)",
    "violet": "color(135)",
    "blue": "color(33)",
}
_BOLD = Style(bold=True)
_DIM = Style(dim=True)


class Painter:
    """Paints lines; without colours it leaves them as they are. `many`: the terminal has 256 of them."""

    def __init__(self, palette: Mapping[str, str], me: str, colours: bool, many: bool = False) -> None:
        self._system = (ColorSystem.EIGHT_BIT if many else ColorSystem.STANDARD) if colours else None
        names = _MANY if many else _PLAIN
        self._styles = [Style.parse(names[name]) for name in palette.values()]
        own = rf"#{me}(?![0-9])"
        words = "|".join(rf"(\b{word}\b)" if word.isalpha() else f"({word})" for word in palette)
        self._words = re.compile(f"({own})|{words}" if words else f"({own})")

    def picture(self, line: str) -> str:
        """A line of the board or of a hand."""
        return self._words.sub(self._paint, line) if self._system else line

    def strong(self, text: str) -> str:
        """What is to be read first."""
        return _BOLD.render(text, color_system=self._system)

    def faint(self, text: str) -> str:
        """What need not be read."""
        return _DIM.render(text, color_system=self._system)

    def _paint(self, found: re.Match[str]) -> str:
        number = found.lastindex or 1
        style = _BOLD if number == 1 else self._styles[number - 2]
        return style.render(found[0], color_system=self._system)
