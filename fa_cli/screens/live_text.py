"""A text that changes, on the full screen."""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time
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
"""The part of a processor core that looking may take; after a look that took much the wait is long."""
_LONGEST_WAIT = 20.0


class _Pane(VerticalScroll):
    """The text's pane, with more keys than Textual gives it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "scroll_up", "scroll", key_display="↑↓"),
        Binding("j", "scroll_down", show=False),
        Binding("space", "page_down", show=False),
    ]


class LiveText(FullScreen):
    """Shows what `look` returns, again and again. The more processor time a look takes, the later the next one is."""

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
        with _Pane(id="pane"):
            yield Static(id="text")
        yield Footer()

    def on_mount(self) -> None:
        """Look for the first time."""
        self._renew()

    def on_resize(self) -> None:
        """Draw again for the new width."""
        self.call_later(self._draw)  # Textual sets its size after this

    def _renew(self) -> None:
        began = thread_time()
        self._picture = self._look()
        self._draw()
        self.set_timer(min(max(SHORTEST_WAIT, (thread_time() - began) / _SHARE), _LONGEST_WAIT), self._renew)

    def _draw(self) -> None:
        if self._picture:
            self.query_one("#text", Static).update(self._picture(self.size.width - 1))  # the scroll bar has one
