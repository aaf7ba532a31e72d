"""What is read of the operating system's conventions."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fa_cli.system import read_regular, shebang


@pytest.mark.parametrize(
    ("line", "programs"),
    [
        (b"print('#!/bin/sh')", None),
        (b"", None),
        (b"#!", [""]),
        (b"#!/bin/sh\n", ["/bin/sh"]),
        (b"#!\t/bin/sh\t-e \n", ["/bin/sh"]),
        (b"#!/bin/sh\r\n", ["/bin/sh\r"]),
        (b"#!/usr/bin/env -S node\r\n", ["/usr/bin/env", "node"]),
        (b"#! /usr/bin/awk -f", ["/usr/bin/awk"]),
        (b"#!/usr/bin/env python3", ["/usr/bin/env", "python3"]),
        (b"#!/usr/bin/env -S A=1 node --jitless", ["/usr/bin/env", "node"]),
        (b"#!env", ["env", ""]),
        (b"#!/opt/\xff/run", ["/opt/\N{REPLACEMENT CHARACTER}/run"]),
    ],
)
def test_shebang(line: bytes, programs: list[str] | None) -> None:
    assert shebang(line) == programs


def test_only_a_regular_file_of_bounded_size_is_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_regular(path, 5) == b"12345"
    with pytest.raises(OSError, match="it has 5 bytes, and at most 4 are read"):
        read_regular(path, 4)
    os.truncate(path, 1 << 40)
    with pytest.raises(OSError, match="1,099,511,627,776"):
        read_regular(path, 1 << 30)
    os.mkfifo(tmp_path / "pipe")
    for odd in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(OSError, match="not a regular file"):
            read_regular(odd, 5)
