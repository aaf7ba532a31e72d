"""The base of full-screen programs: the terminal's own colours, keys that quit, and a screen restored at any end."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import sys
from threading import Thread
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

_INTERRUPTED = 3
"""The exit code of an interrupted command."""


class FullScreen(App[None]):
    """A program that has the whole terminal until it ends. Run it with `show`."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "quit", "quit"),
        Binding("ctrl+c", "interrupt", show=False, priority=True),
    ]
    CSS = """
    Screen { background: ansi_default; color: ansi_default; }
    """

    def __init__(self) -> None:
        super().__init__(ansi_color=True)  # the terminal's own colours, light or dark; none with NO_COLOR
        self.theme = "ansi-dark"
        self.animation_level = "none"
        self._is_interrupted = False
        self._error: Exception | None = None

    def show(self) -> None:
        """Run until the user quits.

        Raises KeyboardInterrupt after Ctrl-C or a signal that ends programs, and any error of the program, both when
        the screen is as it was before.
        """
        Thread(target=_end_with_the_terminal, daemon=True).start()
        self.run(mouse=False)  # the terminal itself selects text and scrolls
        if self._error:
            raise self._error
        if self._is_interrupted:
            raise KeyboardInterrupt

    def on_load(self) -> None:
        """Before the screen changes: signals end the program in good order."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            loop.add_signal_handler(number, self.action_interrupt)

    def action_interrupt(self) -> None:
        """Quit as interrupted."""
        self._is_interrupted = True
        self.exit()

    def _handle_exception(self, error: Exception) -> None:
        """Replaces Textual's own report, a page of source code: the command line reports errors in one sentence."""
        self._error = self._error or error
        super()._handle_exception(error)
        self._exit_renderables.clear()


def _end_with_the_terminal() -> None:
    """End the process when the terminal is gone: Textual would read from it and wait to write to it for ever."""
    poller = select.poll()
    poller.register(sys.stdin.fileno(), 0)  # a hang-up is always reported
    poller.poll()
    os._exit(_INTERRUPTED)
