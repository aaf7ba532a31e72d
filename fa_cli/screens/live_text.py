"""A text that changes, on the full screen."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Footer, Static

from .full_screen import FullScreen

Picture = Callable[[int], Text]
"""(columns) -> the text, drawn for this width."""
SHORTEST_WAIT = 1.0
"""Seconds between two looks."""
_SHARE = 0.05
"""The part of a processor core that looking may take; a long look is followed by a long wait."""


class LiveText(FullScreen):
    """Shows what `look` returns, again and again. `look` may take long: the next look waits accordingly."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "scroll(-1)", "scroll", key_display="↑↓"),
        Binding("down,j", "scroll(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown,space", "page(1)", show=False),
        Binding("home", "end(False)", show=False),
        Binding("end", "end(True)", show=False),
    ]
    CSS = """
    #pane { scrollbar-size: 1 1; }
    #text { width: auto; height: auto; }
    """

    def __init__(self, look: Callable[[], Picture]) -> None:
        super().__init__()
        self._look = look
        self._picture: Picture | None = None

    def compose(self) -> ComposeResult:
        """The text, and the keys below it."""
        with VerticalScroll(id="pane"):
            yield Static(id="text")
        yield Footer()

    def on_mount(self) -> None:
        """Look for the first time."""
        self._renew()

    def on_resize(self) -> None:
        """Draw again for the new width."""
        self._draw()

    def _renew(self) -> None:
        began = perf_counter()
        self._picture = self._look()
        self._draw()
        self.set_timer(max(SHORTEST_WAIT, (perf_counter() - began) / _SHARE), self._renew)

    def _draw(self) -> None:
        if self._picture:
            self.query_one("#text", Static).update(self._picture(self.size.width))

    def action_scroll(self, lines: int) -> None:
        """Scroll by lines."""
        self.query_one("#pane").scroll_relative(y=lines, animate=False)

    def action_page(self, pages: int) -> None:
        """Scroll by the height of the pane."""
        pane = self.query_one("#pane")
        pane.scroll_relative(y=pages * pane.size.height, animate=False)

    def action_end(self, last: bool) -> None:
        """Scroll to the start or the end."""
        pane = self.query_one("#pane")
        (pane.scroll_end if last else pane.scroll_home)(animate=False)
