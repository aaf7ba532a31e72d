"""What is read of the operating system's conventions."""

from __future__ import annotations

import pytest

from fa_cli.system import shebang


@pytest.mark.parametrize(
    ("line", "programs"),
    [
        (b"print('#!/bin/sh')", None),
        (b"", None),
        (b"#!", [""]),
        (b"#!/bin/sh\n", ["/bin/sh"]),
        (b"#! /usr/bin/awk -f", ["/usr/bin/awk"]),
        (b"#!/usr/bin/env python3", ["/usr/bin/env", "python3"]),
        (b"#!/usr/bin/env -S A=1 node --jitless", ["/usr/bin/env", "node"]),
        (b"#!env", ["env", ""]),
        (b"#!/opt/\xff/run", ["/opt/\N{REPLACEMENT CHARACTER}/run"]),
    ],
)
def test_shebang(line: bytes, programs: list[str] | None) -> None:
    assert shebang(line) == programs
