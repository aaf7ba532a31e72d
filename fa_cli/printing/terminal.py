"""The terminal that a stream may be: its width and colours, and lines folded to it at words."""

from __future__ import annotations

import enum
import os
import re
import sys
from contextlib import suppress
from typing import TextIO

from .text import printable

_DEFAULT_WIDTH = 80
_LEAST_WIDTH = 20
"""Output is laid out for this width on narrower terminals."""
_ELLIPSIS = "..."


class Tone(enum.Enum):
    """A colour, as the parameter of its ANSI sequence. It never says anything that the text does not say."""

    GOOD = 32
    BAD = 31
    STRONG = 1


def width(stream: TextIO | None = None) -> int | None:
    """The columns of the terminal that the stream (default: stdout) is; None if it is not one.

    COLUMNS in the environment comes first; 80 if the terminal does not report a width.
    """
    stream = stream or sys.stdout
    if not stream.isatty():
        return None
    wished = os.environ.get("COLUMNS", "")
    columns = int(wished) if wished.isdecimal() and len(wished) < 10 else 0
    with suppress(OSError, ValueError):
        columns = columns or os.get_terminal_size(stream.fileno()).columns
    return max(columns or _DEFAULT_WIDTH, _LEAST_WIDTH)


def has_colours(stream: TextIO | None = None) -> bool:
    """Whether the stream (default: stdout) is a terminal with colours, and NO_COLOR is not set."""
    is_plain = os.environ.get("TERM", "") in ("", "dumb") or bool(os.environ.get("NO_COLOR"))
    return not is_plain and (stream or sys.stdout).isatty()


def painted(text: str, tone: Tone | None) -> str:
    """The text in a colour, for a stream that has colours."""
    return f"\x1b[{tone.value}m{text}\x1b[0m" if tone and text.strip() else text


def cells(text: str) -> int:
    """The columns that a printable text takes up: two for each East Asian wide character, none for combining marks."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def padded(text: str, columns: int, right: bool = False) -> str:
    """The text with blanks up to this width, after it or, if `right`, before it."""
    blanks = " " * (columns - cells(text))
    return blanks + text if right else text + blanks


def cut_middle(text: str, columns: int) -> str:
    """The text, cut in its middle to at most this width, so that its start and its end (a version) stay."""
    if cells(text) <= columns:
        return text
    room = max(0, columns - len(_ELLIPSIS))
    start, end = "", ""
    while start + end != text:
        longer = start + text[len(start)] if cells(start) <= cells(end) else start
        shorter = end if longer != start else text[len(text) - len(end) - 1] + end
        if cells(longer + shorter) > room:
            break
        start, end = longer, shorter
    return (start + _ELLIPSIS + end)[:columns]


def folded(text: str, columns: int, hanging: int = 2) -> list[str]:
    """The text as lines of at most this width, folded at words; all but the first are indented by `hanging` more.

    A line that begins with `|` continues with it. A word that is wider than a line, such as a path, stays whole:
    broken, it could not be copied.
    """
    indent = re.match(r"[ |]*", text)[0] + " " * hanging  # type: ignore[index] # it matches every text
    indent = indent if len(indent) < columns // 2 else ""
    lines, line = [], ""
    for word in re.findall(r"\s*\S+", text):
        if line.strip() and cells(line + word) > columns:
            lines.append(line)
            line = indent + word.lstrip()
        else:
            line += word
    return [*lines, line]


def as_encoded(text: str, stream: TextIO) -> str:
    r"""The text as it appears on the stream: characters that the stream's encoding lacks become `\u4e00`."""
    encoding = getattr(stream, "encoding", None) or "utf-8"  # captured streams may have none
    return text if text.isascii() else text.encode(encoding, "backslashreplace").decode(encoding)


def print_line(
    text: str, stream: TextIO | None = None, flush: bool = False, hanging: int = 2, is_command: bool = False
) -> None:
    """Print a line on the stream (default: stdout), made printable; on a terminal it is folded at words.

    A folded line that ends with a command for the shell has backslashes, so that it can be copied.
    """
    stream = stream or sys.stdout
    line, columns = as_encoded(printable(text), stream), width(stream)
    joint = " \\" if is_command and columns and cells(line) > columns else ""
    lines = folded(line, columns - len(joint), hanging) if columns else [line]
    print(f"{joint}\n".join(lines), file=stream, flush=flush)
