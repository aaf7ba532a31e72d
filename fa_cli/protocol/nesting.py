"""How deep a bot may nest arrays and objects: the same on every machine.

The limits of the decoders themselves are those of Python and of the stack: some 990 levels in CPython 3.11, 260,000 in
CPython 3.14. A tournament must not depend on that.
"""

from __future__ import annotations

import re

MOST_LEVELS = 500
"""The deepest nesting of arrays and objects in a line of a bot."""
_BRACKETS = b"[]{}"
_OTHERS = bytes(byte for byte in range(256) if byte not in _BRACKETS)
# The closing quotation mark is optional, so that a line of nothing but `\"` takes no quadratic time.
_TEXT = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)


def check_nesting(line: bytes) -> None:
    """Raise RecursionError, as decoders do, if a line is nested too deep. The line need not be JSON."""
    if line.count(b"[") + line.count(b"{") <= MOST_LEVELS:
        return
    levels = 0
    for bracket in _TEXT.sub(b"", line).translate(None, _OTHERS):
        levels += 1 if bracket in b"[{" else -1
        if levels > MOST_LEVELS:
            raise RecursionError(f"nested more than {MOST_LEVELS} deep")
