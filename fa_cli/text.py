"""Texts for people: those from elsewhere (bots, files, logs) made fit for a terminal, and counts in words."""

from __future__ import annotations

import os
from collections.abc import Sequence


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


def cut(text: str, most: int = 200) -> str:
    """The text, fit for a terminal, and not much longer than `most` characters."""
    shown = printable(text[: most + 1])
    return shown if len(shown) <= most else f"{shown[:most]}..."


def listed(names: Sequence[str], most: int = 10) -> str:
    """`a, b and c`; of more than `most` names the first, and how many more there are. Long names are cut."""
    shown = [cut(name, 40) for name in names[:most]]
    if len(names) > most:
        shown.append(f"{len(names) - most:,} more")
    return " and ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))


def either(values: Sequence[object]) -> str:
    """`2`, `2 or 3`, `2, 3 or 4`."""
    texts = [str(value) for value in values]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} or {texts[-1]}"
