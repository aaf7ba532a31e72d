"""Records as JSON lines: what `export` writes, `import` reads, and `verify` takes too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from ..errors import LogError
from .log_file import open_file
from .record import LONGEST_LINE, Record, decode_record, encode_record


def is_json_lines(path: Path) -> bool:
    """Whether the file seems to hold records as JSON rather than to be a log. Raises LogError."""
    with open_file(path) as file:
        return file.read(64).lstrip().startswith(b"{")


def read_lines(file: BinaryIO, name: str) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank with their numbers, from 1. Raises LogError for one that is too long."""
    number = 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise LogError(f"{name}: line {number}: a record is at most {LONGEST_LINE} bytes, this line is longer")
        if not line.isspace():
            yield number, line


def read_records(file: BinaryIO, name: str) -> Iterator[Record]:
    """The records of all lines. Raises LogError at the first line that is none, and if there is no line."""
    number = 0
    for number, line in read_lines(file, name):
        try:
            yield decode_record(line)
        except LogError as error:
            raise error.within(f"{name}: line {number}") from None
    if not number:
        raise LogError(f"{name}: there is no record in it")


def write_records(file: BinaryIO, records: Iterable[Record]) -> int:
    """Write the records as lines; how many there were. What a terminal might obey is written as JSON's escapes: the
    lines mean the same."""
    count = 0
    for record in records:
        count += 1
        line = encode_record(record)
        if not line.isascii():
            line = "".join(map(_escaped, line.decode())).encode()
        file.write(line + b"\n")
    return count


def _escaped(char: str) -> str:
    import json  # few records need it

    return char if char.isprintable() else json.dumps(char)[1:-1]
