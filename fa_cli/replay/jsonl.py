"""Records as JSON lines: `export` writes them; `import` and `verify` read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from ..errors import LogError
from .log_file import open_file
from .record import LONGEST_LINE, Record, decode_record, encode_record


def is_json_lines(path: Path) -> bool:
    """Whether the file seems to hold JSON lines rather than a log. Raises LogError if it can't be read."""
    with open_file(path) as file:
        return file.read(64).lstrip().startswith(b"{")


def read_lines(file: BinaryIO, name: str) -> Iterator[tuple[int, bytes]]:
    """The non-blank lines with their line numbers, from 1. Raises LogError if a line is too long."""
    number = 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise LogError(f"{name}: line {number}: a record is at most {LONGEST_LINE} bytes, this line is longer")
        if not line.isspace():
            yield number, line


def read_records(file: BinaryIO, name: str) -> Iterator[Record]:
    """The records of all lines. Raises LogError at the first line that is not a record, and for an empty file."""
    number = 0
    for number, line in read_lines(file, name):
        try:
            yield decode_record(line)
        except LogError as error:
            raise error.within(f"{name}: line {number}") from None
    if not number:
        raise LogError(f"{name}: no record in it")


def write_records(file: BinaryIO, records: Iterable[Record]) -> int:
    """Write the records as lines and return their number.

    Characters that a terminal might interpret are written as JSON escapes; the JSON values are the same.
    """
    count = 0
    for record in records:
        count += 1
        line = encode_record(record)
        if not line.isascii():
            line = "".join(map(_escaped, line.decode())).encode()
        file.write(line + b"\n")
    return count


def _escaped(char: str) -> str:
    import json  # rarely needed

    return char if char.isprintable() else json.dumps(char)[1:-1]
