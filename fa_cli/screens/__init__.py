"""Full-screen programs in the terminal. Their modules import Textual, this one does not."""

from __future__ import annotations

import os
import sys

from ..errors import UsageError


def check_terminal(instead: str) -> None:
    """Raises UsageError unless this process has a terminal that can show a full screen; it ends with `instead`."""
    streams = {"input": sys.stdin, "output": sys.stdout, "error": sys.stderr}  # Textual writes to standard error
    for name, stream in streams.items():
        if stream is None or not stream.isatty():
            raise UsageError(f"this needs a terminal, but standard {name} is not one; {instead}")
    kind = os.environ.get("TERM", "")
    if kind in ("", "dumb"):
        raise UsageError(f"this terminal cannot show a full screen (TERM={kind or 'not set'}); {instead}")
