"""Colours for boards and hands: words that name a colour are printed in it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rich.color import ColorSystem
from rich.style import Style

_SIXTEEN_COLOURS = {
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
_256_COLOURS = _SIXTEEN_COLOURS | {
    "orange": "color(208)",
    "gray": "color(245)",
    "brown": "color(136)",
    "violet": "color(135)",
    "blue": "color(33)",
}
_BOLD = Style(bold=True)
_DIM = Style(dim=True)


class Painter:
    """Colours lines, or returns them unchanged if `colours` is false. `many`: the terminal has 256 colours."""

    def __init__(self, palette: Mapping[str, str], seat: str, colours: bool, many: bool = False) -> None:
        self._system = (ColorSystem.EIGHT_BIT if many else ColorSystem.STANDARD) if colours else None
        styles = _256_COLOURS if many else _SIXTEEN_COLOURS
        self._styles = [Style.parse(styles[name]) for name in palette.values()]
        own_seat = rf"#{seat}(?![0-9])"
        words = "|".join(rf"(\b{word}\b)" if word.isalpha() else f"({word})" for word in palette)
        self._words = re.compile(f"({own_seat})|{words}" if words else f"({own_seat})")

    def picture(self, line: str) -> str:
        """Colour a line of the board or of a hand."""
        return self._words.sub(self._paint, line) if self._system else line

    def strong(self, text: str) -> str:
        """Print important text in bold."""
        return _BOLD.render(text, color_system=self._system)

    def faint(self, text: str) -> str:
        """Print unimportant text dimly."""
        return _DIM.render(text, color_system=self._system)

    def _paint(self, match: re.Match[str]) -> str:
        group = match.lastindex or 1
        style = _BOLD if group == 1 else self._styles[group - 2]
        return style.render(match[0], color_system=self._system)
