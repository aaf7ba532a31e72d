"""Rows in each format: headings may change, field names for scripts stay."""

from __future__ import annotations

import csv
import io
import json

import pytest

from fa_cli.cli.tables import Format, show
from fa_cli.columns import Column, number, percent

COLUMNS = (
    Column("bot", "Bot"),
    number("Mu", "", 2)._replace(field="mu"),
    percent("Won", "")._replace(field="wins"),
    Column("players", "Players", lambda players: " ".join(map(str, players))),
)
ROWS = [
    {"bot": "greedy", "mu": 27.12345, "wins": 0.625, "players": [2, 3]},
    {"bot": "a|b\x1b[31m\n", "mu": -3, "wins": None},
]


def printed(capsys: pytest.CaptureFixture[str], format: Format, rows: list[dict[str, object]]) -> str:
    show(rows, COLUMNS, format)
    return capsys.readouterr().out


def test_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, Format.TABLE, ROWS).splitlines() == [
        "Bot               Mu    Won  Players",
        "-------------  -----  -----  ---------",
        "greedy         27.12  62.5%  2 3",
        "a|b\\x1b[31m\\n  -3.00",
    ]


def test_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, Format.MARKDOWN, ROWS).splitlines()
    assert lines[1].startswith("|:---")
    assert "-:|" in lines[1]
    assert lines[3].startswith(r"| a\|b\\x1b\[31m\\n |")


def test_json_has_the_values_unrounded(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, Format.JSON, ROWS)
    assert "\x1b" not in text
    assert json.loads(text) == [ROWS[0], {**ROWS[1], "players": None}]


def test_csv_has_field_names(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, Format.CSV, ROWS)
    assert list(csv.reader(io.StringIO(text))) == [
        ["bot", "mu", "wins", "players"],
        ["greedy", "27.12345", "0.625", "2 3"],
        ["a|b\\x1b[31m\\n", "-3", "", ""],
    ]


@pytest.mark.parametrize(
    ("format", "expected"),
    [
        (Format.TABLE, "Bot    Mu    Won    Players\n-----  ----  -----  ---------\n"),
        (Format.MARKDOWN, "| Bot   | Mu   | Won   | Players   |\n|-------|------|-------|-----------|\n"),
        (Format.JSON, "[]\n"),
        (Format.CSV, "bot,mu,wins,players\n"),
    ],
)
def test_no_rows(capsys: pytest.CaptureFixture[str], format: Format, expected: str) -> None:
    assert printed(capsys, format, []) == expected
