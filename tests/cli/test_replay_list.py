"""`fa replay list`: rows as they are read, --limit and --where."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from fa_cli.cli.app import run
from fa_cli.cli.replay.conditions import on_column
from fa_cli.cli.tables import stream
from fa_cli.game_result import Fault, FaultKind
from fa_cli.match.simulate import make_simulation
from fa_cli.replay.log_entry import LogEntry, entry_of
from fa_cli.replay.log_file import read_log
from fa_cli.replay.log_writer import LogWriter
from tests.damage import flip_bit

Out = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of 40 games of three kinds, whose players vary; one has a fault in its record."""
    path = tmp_path_factory.mktemp("list") / "games.log"
    kinds = (("fifth-avenue", {"side": "six", "turn_limit": 1}), ("fifth-avenue", {"turn_limit": 2}), ("new-york", {}))
    with LogWriter(path) as writer:
        for kind, (game, options) in enumerate(kinds):
            for number, (record, _) in enumerate(make_simulation(game, 2, options, 4, "list").play_all(0)):
                record.players = ["greedy#1", "greedy#2"] if number % 2 else ["greedy", f"a{'b' * 9 * kind}"]
                for _ in range(4 if kind < 2 else 2):
                    writer.append_entry(entry_of(record))
    return path


def seats_of(entry: LogEntry, bot: str) -> list[int]:
    return [seat for seat, name in enumerate(entry.players) if name.partition("#")[0] == bot]


def listed(capsys: Out, *args: object) -> list[int]:
    """The records that are listed."""
    assert run(["replay", "list", *map(str, args), "--format", "json"]) == 0
    return [row["record"] for row in json.loads(capsys.readouterr().out)]


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("game=new-york", lambda entry: entry.game == "new-york"),
        ("game!=new-york", lambda entry: entry.game != "new-york"),
        ("players=greedy", lambda entry: True),
        ("players=greedy#1", lambda entry: entry.players[0] == "greedy#1"),
        ("players!=greedy#1", lambda entry: entry.players[0] != "greedy#1"),
        ("players = a", lambda entry: entry.players[1] == "a"),
        ("players!=greedy", lambda entry: False),
        ("record<=3", lambda entry: entry.index < 3),
        ("record>38", lambda entry: entry.index >= 38),
        ("record=7", lambda entry: entry.index == 6),
        ("number=2", lambda entry: entry.number == 2),
        ("plies>20", lambda entry: entry.decisions > 20),
        ("plies<20", lambda entry: entry.decisions < 20),
        ("points>=10", lambda entry: max(entry.result.scores) >= 10),
        ("points<0", lambda entry: False),
        ("variant=turn_limit=2", lambda entry: entry.variant == "turn_limit=2"),
        ("winner=greedy", lambda entry: 1 in {entry.result.ranks[seat] for seat in seats_of(entry, "greedy")}),
        ("ranks!=2", lambda entry: 2 not in entry.result.ranks),
        ("faults=0", lambda entry: True),
        ("faults>0", lambda entry: False),
        ("reason=turn-limit", lambda entry: entry.result.reason == "turn-limit"),
        ("side=six", lambda entry: entry.options.get("side") == "six"),
        ("side!=six", lambda entry: entry.options.get("side") != "six"),
        ("turn_limit<2", lambda entry: entry.game == "fifth-avenue" and entry.options["turn_limit"] < 2),
        ("turn_limit=2", lambda entry: entry.options.get("turn_limit") == 2),
    ],
)
def test_conditions(log: Path, capsys: Out, condition: str, holds: Callable[[LogEntry], bool]) -> None:
    expected = [entry.index + 1 for entry in read_log(log) if holds(entry)]
    assert listed(capsys, log, "--where", condition) == expected


def test_nobody_wins_if_all_are_out(log: Path) -> None:
    entry = next(read_log(log))
    out = [Fault(seat, 5, FaultKind.TIMEOUT) for seat in (0, 1)]
    winner = entry.players[entry.result.ranks.index(1)]
    assert [on_column("winner", "=", winner)(replace(entry, faults=out[:count])) for count in (0, 1, 2)] == [
        True,
        True,
        False,
    ]


def test_all_conditions_must_hold(log: Path, capsys: Out) -> None:
    assert listed(capsys, log, "--where", "record>5", "--where", "record<9") == [6, 7, 8]


@pytest.mark.parametrize(("limit", "count"), [(0, 40), (1, 1), (39, 39), (100, 40)])
def test_limit(log: Path, capsys: Out, limit: int, count: int) -> None:
    assert listed(capsys, log, "--limit", limit) == list(range(1, count + 1))
    assert listed(capsys, log, "--limit", limit, "--where", "record>3") == list(range(4, min(41, 4 + (limit or 40))))
    assert run(["replay", "list", str(log), "--limit", str(1 << 64)]) == 2
    assert "use a number from 0 to 9,223,372,036,854,775,807" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("condition", "sentence"),
    [
        ("x", "invalid --where 'x': use NAME=VALUE, such as players=greedy or 'plies>300'"),
        ("", "invalid --where '': use NAME=VALUE"),
        ("faults=", "invalid --where 'faults=': use NAME=VALUE"),
        ("=3", "invalid --where '=3': use NAME=VALUE"),
        ("faults==3", "--where faults: '=3' is not a whole number"),
        ("faults=1e3", "--where faults: '1e3' is not a whole number"),
        ("faults=" + "9" * 5000, "is not a whole number"),
        ("game<x", "--where game<: game is a text, compare it with = or !="),
        ("fautls=1", "--where: no column or option 'fautls'; did you mean faults? (there are record, number,"),
        ("decisions>300", "no column or option 'decisions'; did you mean plies?"),
        ("side=sevn", "option side is five or six, not 'sevn'"),
        ("\x1b[31m=1", "invalid --where"),
    ],
)
def test_wrong_conditions(log: Path, capsys: Out, condition: str, sentence: str) -> None:
    assert run(["replay", "list", str(log), "--where", condition]) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert sentence in error
    assert "\x1b" not in error


def test_find_takes_conditions_too(log: Path, capsys: Out) -> None:
    assert run(["replay", "find", str(log), "--where", "record<4", "--with", "greedy", "--format", "json"]) == 0
    assert [row["record"] for row in json.loads(capsys.readouterr().out)] == [1, 2, 3]


@pytest.fixture
def short_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "_FIRST", 5)
    monkeypatch.setattr(stream, "_PIECE", 3)


@pytest.mark.parametrize("form", ["json", "csv", "markdown", "table"])
def test_what_is_streamed_has_the_rows_of_what_is_not(
    log: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    assert run(["replay", "list", str(log), "--format", form]) == 0
    whole = capsys.readouterr().out
    monkeypatch.setattr(stream, "_FIRST", 5)
    monkeypatch.setattr(stream, "_PIECE", 3)
    assert run(["replay", "list", str(log), "--format", form]) == 0
    streamed = capsys.readouterr().out
    if form in ("json", "csv"):
        assert streamed == whole
    assert [line.split() for line in streamed.splitlines()][2:] == [line.split() for line in whole.splitlines()][2:]
    assert len(streamed.splitlines()) == len(whole.splitlines())


@pytest.mark.usefixtures("short_pieces")
def test_a_table_keeps_its_columns_on_a_terminal(log: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fa_cli.cli.tables.width", lambda: 60)
    assert run(["replay", "list", str(log)]) == 0
    out, error = capsys.readouterr()
    lines = out.splitlines()
    assert max(map(len, lines)) <= 60
    starts = [match.start() for match in re.finditer(r"-+", lines[1])]
    assert len(starts) > 3
    assert all(line[start - 1] == " " for line in lines for start in starts[1:] if len(line) > start)
    assert sum(line.strip().split()[0].isdecimal() for line in lines[2:] if line[:6].strip()) == 40
    assert "hidden to fit" in error


@pytest.mark.usefixtures("short_pieces")
def test_a_narrow_terminal_gets_blocks(log: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fa_cli.cli.tables.width", lambda: 24)
    assert run(["replay", "list", str(log), "--columns", "record,players,points,plies,reason"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 24
    assert {line.split()[0] for line in lines if line[:6].strip().isdecimal()} == {
        str(number) for number in range(1, 41)
    }


@pytest.mark.parametrize("form", ["json", "csv", "markdown", "table"])
def test_no_rows(log: Path, capsys: Out, form: str) -> None:
    assert run(["replay", "list", str(log), "--where", "faults>0", "--format", form]) == 0
    out = capsys.readouterr().out
    assert {"json": out == "[]\n", "csv": len(list(csv.reader(io.StringIO(out)))) == 1}.get(form, "plies" in out)


@pytest.mark.parametrize("first", [5, 250])
def test_damage_ends_the_list(
    log: Path, tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    """After the rows before it, in every format."""
    monkeypatch.setattr(stream, "_FIRST", first)
    flip_bit(log, copy=tmp_path / "bad.log")
    rows = {}
    for form, headings in (("csv", 1), ("table", 2), ("markdown", 2)):
        assert run(["replay", "list", str(tmp_path / "bad.log"), "--format", form]) == 2
        out, error = capsys.readouterr()
        rows[form] = len(out.splitlines()) - headings
        assert "fa replay repair" in error
    assert rows["table"] == rows["markdown"] == rows["csv"] > 6
