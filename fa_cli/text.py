"""Texts for people: those from elsewhere (bots, files, logs) made fit for a terminal, and counts in words."""

from __future__ import annotations


def printable(text: str) -> str:
    r"""The text on one line: what a terminal might obey, hide or refuse (`\x1b`, direction marks) as its escape."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def printable_lines(text: str) -> str:
    """The same for a text of several lines: its newlines stay, its tabs are spaces."""
    return "\n".join(printable(line) for line in text.expandtabs().splitlines())


def counted(number: int, what: str) -> str:
    """`1 point`, `2 points`, `1,000 points`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
