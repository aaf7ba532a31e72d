"""Texts for people: those from elsewhere (bots, files, logs) made fit for a terminal, and counts in words."""

from __future__ import annotations

import os


def printable(text: str) -> str:
    r"""The text on one line: what a terminal might obey, hide or refuse (`\x1b`, direction marks) as its escape."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def printable_lines(text: str) -> str:
    """The same for a text of several lines: its newlines stay, its tabs are spaces."""
    return "\n".join(printable(line) for line in text.expandtabs().splitlines())


def quoted(path: object) -> str:
    r"""A path as one word of a command to be copied; what is not printable as in `$'\377'`, byte by byte."""
    import shlex

    text = f"./{path}" if str(path).startswith("-") else str(path)
    if text.isprintable():
        return shlex.quote(text)
    escaped = (
        char if char.isprintable() and char not in "\\'" else "".join(f"\\{byte:03o}" for byte in os.fsencode(char))
        for char in text
    )
    return f"$'{''.join(escaped)}'"


def counted(number: int, what: str) -> str:
    """`1 point`, `2 points`, `1,000 points`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
