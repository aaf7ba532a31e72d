"""Text from elsewhere (bots, files, logs), made fit for a terminal."""

from __future__ import annotations

_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0))}
# what turns the direction of the text round or breaks a line in terminals, though it is no control character
_HIDDEN = {code: f"\\u{code:04x}" for code in (0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A))}
_ESCAPES = {**_CONTROLS, **_HIDDEN, **{code: f"\\u{code:04x}" for code in range(0xD800, 0xE000)}}


def printable(text: str) -> str:
    r"""The text on one line, with every control character, direction mark and lone surrogate as its escape (`\x1b`)."""
    return text.translate(_ESCAPES)
