"""Debian's Firefox, driven by its own protocol, Marionette: Playwright drives only a Firefox of its own."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .browser import skip_without_browser


class Firefox:
    """A window without a screen; `profile` is an empty folder."""

    def __init__(self, program: str, profile: Path) -> None:
        (profile / "user.js").write_text('user_pref("marionette.port", 0);\n', encoding="utf-8")
        self.process = subprocess.Popen(
            [program, "-headless", "-marionette", "-no-remote", "-profile", profile],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        written, end = profile / "MarionetteActivePort", time.monotonic() + 120
        while not (written.exists() and written.read_text(encoding="ascii")):
            assert self.process.poll() is None and time.monotonic() < end, "Firefox did not start"
            time.sleep(0.1)
        self._socket = socket.create_connection(("127.0.0.1", int(written.read_text(encoding="ascii"))), 120)
        self._input = self._socket.makefile("rb")
        self._read()
        self.ask("WebDriver:NewSession")

    def ask(self, command: str, **parameters: object) -> Any:
        """The value that a command returns."""
        message = json.dumps([0, 1, command, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self._read()
        assert error is None, error
        return result and result.get("value")

    def _read(self) -> Any:
        length = int(b"".join(iter(lambda: self._input.read(1), b":")))
        return json.loads(self._input.read(length))

    def evaluate(self, script: str, *arguments: object) -> Any:
        """The value of an expression, or of a function called with the arguments, as Playwright's pages have it."""
        call = f"const value = ({script}); return typeof value === 'function' ? value(...arguments) : value;"
        return self.ask("WebDriver:ExecuteScript", script=call, args=arguments, sandbox=None)

    def open(self, file: Path, fragment: str, width: int, height: int) -> None:
        """Open a page in a window with this much room."""
        for _ in range(2):  # the first one finds how much the frame takes
            frame = self.evaluate("[outerWidth - innerWidth, outerHeight - innerHeight]")
            self.ask("WebDriver:SetWindowRect", width=width + frame[0], height=height + frame[1])
        self.ask("WebDriver:Navigate", url="about:blank")  # else only the fragment might change
        self.ask("WebDriver:Navigate", url=f"{file.as_uri()}#{fragment}")

    def close(self) -> None:
        """End the program."""
        self._input.close()
        self._socket.close()
        self.process.terminate()
        self.process.wait(30)


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """Firefox. Skips the test, with a warning, without it."""
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if not program:
        skip_without_browser("Firefox is not installed")
    browser = Firefox(program, tmp_path_factory.mktemp("firefox"))
    yield browser
    browser.close()
