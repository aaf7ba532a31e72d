"""Pages and pictures that commands write: whole or not at all, and never over something else."""

from __future__ import annotations

import stat
from contextlib import suppress
from pathlib import Path

from ...errors import UsageError, writing

_KINDS = {
    ".html": ("an HTML page", b"<!doctype html>", (".html", ".htm")),
    ".svg": ("an SVG picture", b"<svg ", (".svg",)),
    ".md": ("a report in Markdown", b"### ", (".md", ".markdown")),
}
"""The kinds of file by their usual ending: in words, what every such file begins with, and all endings."""


def ends_like(path: Path, ending: str) -> bool:
    """Whether a path's ending names the kind of file of this ending, such as `.html`."""
    return path.suffix.lower() in _KINDS[ending][2]


def check_output(output: Path, example: str) -> None:
    """Raises UsageError if the name or the contents of `output` are of another kind of file than that of an example.

    The name may lack an ending.
    """
    ending, found = Path(example).suffix, b""
    kind, start, _ = _KINDS[ending]
    with writing(output), suppress(FileNotFoundError):
        mode = output.stat().st_mode
        if stat.S_ISDIR(mode):
            raise UsageError(f"{output} is a folder: name a file, for example {output / example}")
        if not stat.S_ISREG(mode):  # reading from a pipe or a terminal would wait
            raise UsageError(f"{output} is not a file: choose another name")
        with output.open("rb") as file:
            found = file.read(len(start))
    if found not in (start, b""):
        raise UsageError(f"{output} exists and is not {kind}: choose another name")
    if output.suffix[1:].isalpha() and not ends_like(output, ending):
        raise UsageError(f"{output} would be {kind}: choose a name that ends in {ending}")


def write_output(output: Path, content: bytes, log: Path) -> None:
    """Write the file, readable by those who may read the log that it shows. Raises UsageError."""
    from ...replay.log_writer import PRIVATE, is_private
    from ...system import write_atomically

    with writing(output):
        write_atomically(output, content, replace=True, mode=PRIVATE if is_private(log) else 0o666)
