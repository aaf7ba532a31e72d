"""Rows in each format: headings may change, field names for scripts stay."""

from __future__ import annotations

import csv
import io
import json

import pytest

from fa_cli.cli.tables import Format, TableOptions, show
from fa_cli.errors import UsageError
from fa_cli.printing.columns import KEY, ON_REQUEST, Column, number, percent
from fa_cli.printing.formats import csv_line

COLUMNS = (
    Column("bot", "Bot", importance=KEY),
    number("Mu", "", 2)._replace(field="mu"),
    percent("Won", "")._replace(field="wins"),
    Column("players", "Players", lambda players: " ".join(map(str, players))),
    number("Sigma", "", 1, importance=ON_REQUEST)._replace(field="sigma"),
)
ROWS = [
    {"bot": "greedy", "mu": 27.12345, "wins": 0.625, "players": [2, 3], "sigma": 1.25},
    {"bot": "a|b\x1b[31m\n", "mu": -3, "wins": None},
]


def printed(
    capsys: pytest.CaptureFixture[str], format: Format, rows: list[dict[str, object]], columns: tuple[str, ...] = ()
) -> str:
    show(rows, COLUMNS, TableOptions(format, columns=list(columns)))
    return capsys.readouterr().out


def test_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, Format.TABLE, ROWS).splitlines() == [
        "Bot               Mu    Won  Players",
        "-------------  -----  -----  -------",
        "greedy         27.12  62.5%  2 3",
        "a|b\\x1b[31m\\n  -3.00",
    ]


def test_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, Format.MARKDOWN, ROWS).splitlines()
    assert lines[0].replace(" ", "") == "|Bot|Mu|Won|Players|"
    assert lines[1].startswith("|:---")
    assert "-:|" in lines[1]
    assert lines[3].startswith(r"| a\|b\\x1b\[31m\\n |")
    assert len({len(line) for line in lines}) == 1


def test_json_has_the_values_unrounded(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, Format.JSON, ROWS)
    assert "\x1b" not in text
    assert json.loads(text) == [ROWS[0], {**ROWS[1], "players": None, "sigma": None}]


def test_csv_has_field_names(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, Format.CSV, ROWS)
    assert list(csv.reader(io.StringIO(text))) == [
        ["bot", "mu", "wins", "players", "sigma"],
        ["greedy", "27.12345", "0.625", "2 3", "1.25"],
        ["a|b\\x1b[31m\\n", "-3", "", "", ""],
    ]


def test_csv_has_no_words_of_python() -> None:
    assert csv_line([True, False, None, [561.9, None], [None, 2]]) == ["true", "false", None, "561.9 ", " 2"]


@pytest.mark.parametrize(
    ("format", "expected"),
    [
        (Format.TABLE, "Bot  Mu  Won  Players\n---  --  ---  -------\n"),
        (Format.MARKDOWN, "| Bot | Mu | Won | Players |\n|-----|----|-----|---------|\n"),
        (Format.JSON, "[]\n"),
        (Format.CSV, "bot,mu,wins,players,sigma\n"),
    ],
)
def test_no_rows(capsys: pytest.CaptureFixture[str], format: Format, expected: str) -> None:
    assert printed(capsys, format, []) == expected


def test_chosen_columns_in_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    """By field or by heading, in the order of the option; also those that tables lack by default."""
    chosen = ("Sigma", "mu", "bot")
    assert printed(capsys, Format.TABLE, ROWS, chosen).splitlines()[2].split() == ["1.2", "27.12", "greedy"]
    assert printed(capsys, Format.MARKDOWN, ROWS, chosen).splitlines()[0].split("|")[1].strip() == "Sigma"
    assert list(json.loads(printed(capsys, Format.JSON, ROWS, chosen))[0]) == ["sigma", "mu", "bot"]
    assert printed(capsys, Format.CSV, ROWS, chosen).splitlines()[:2] == ["sigma,mu,bot", "1.25,27.12345,greedy"]


def test_a_column_named_twice() -> None:
    with pytest.raises(UsageError, match="column mu is named twice in --columns"):
        show(ROWS, COLUMNS, TableOptions(columns=["mu", "bot", "mu"]))


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("player", "no column 'player'; did you mean players? (columns: bot, mu, wins, players, sigma)"),
        ("", "no column '' (columns: bot, mu, wins, players, sigma)"),
        ("\x1b[31m", r"no column '\x1b[31m' (columns: bot, mu, wins, players, sigma)"),
    ],
)
def test_unknown_columns(name: str, sentence: str) -> None:
    for format in Format:
        with pytest.raises(UsageError) as caught:
            show(ROWS, COLUMNS, TableOptions(format, columns=["bot", name]))
        assert str(caught.value) == sentence
