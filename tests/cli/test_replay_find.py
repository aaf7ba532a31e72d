"""`fa replay find`: every condition against the games read one by one, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fa_cli.cli import app
from fa_cli.game_result import Fault, FaultKind
from fa_cli.leaderboard.labels import bots_of
from fa_cli.leaderboard.leaderboards import Selection, leaderboard
from fa_cli.match.simulate import make_simulation
from fa_cli.replay.log_entry import LogEntry, entry_of
from fa_cli.replay.log_file import read_log
from fa_cli.replay.log_writer import write_new_log
from fa_cli.replay.record import digest_of, seat_names

Out = pytest.CaptureFixture[str]
BOTS = ["ann", "bob", "cat", "ann"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs of two tournaments: 12 games of two players on both sides, and 6 of three or four with copies of a bot."""
    home = tmp_path_factory.mktemp("home")
    (home / "logs").mkdir()
    for name, players, sides in (("duels", 2, ("five", "six")), ("tables", 3, ("five",)), ("tables", 4, ("six",))):
        records = []
        for side in sides:
            for number, (record, _) in enumerate(
                make_simulation("fifth-avenue", players, {"side": side}, 6, side).play_all(1)
            ):
                record.players = seat_names([BOTS[(seat + number) % 4] for seat in range(players)])
                record.meta = {"tournament": {"name": name, "seed": "", "started": "2026"}, "number": len(records)}
                if players == 3 and number == 4:
                    record.faults = [Fault(2, len(record.actions) - 1, FaultKind.TIMEOUT)]
                record.digest = digest_of(record)
                records.append(entry_of(record))
        path = home / "logs" / f"{name}{'' if players != 4 else '-4'}.log"
        write_new_log(path, records)
    return home


def run(capsys: Out, home: Path, *args: str | Path) -> tuple[int, str, str]:
    code = app.run(["--home", str(home), "replay", "find", *map(str, args)])
    done = capsys.readouterr()
    return code, done.out, done.err


def found(capsys: Out, home: Path, *args: str | Path) -> list[dict[str, Any]]:
    code, out, _ = run(capsys, home, *args, "--limit", "0", "--format", "json")
    assert code == 0
    rows: list[dict[str, Any]] = json.loads(out)
    return rows


def games(home: Path) -> list[tuple[Path, LogEntry]]:
    return [(log, entry) for log in sorted((home / "logs").glob("*.log")) for entry in read_log(log)]


def places(rows: list[dict[str, Any]]) -> list[tuple[str, int]]:
    return [(row["log"], row["record"]) for row in rows]


def test_all_games_and_their_fields(home: Path, capsys: Out) -> None:
    rows = found(capsys, home)
    assert len(rows) == 24
    for row, (log, entry) in zip(rows, sorted(games(home), key=lambda game: str(game[0])), strict=True):
        assert (row["log"], row["record"], row["players"]) == (str(log), entry.index + 1, entry.players)
        assert (row["ranks"], row["points"]) == (entry.result.ranks, entry.result.scores)
        assert (row["plies"], row["upset"]) == (entry.decisions, None)
        code = app.run(["replay", "show", row["log"], "--game", str(row["record"]), "--boards", "end"])
        assert (code, capsys.readouterr().out.count("\nThe end:")) == (0, 1)


def test_who_beat_whom(home: Path, capsys: Out) -> None:
    for first, second in (("ann", "bob"), ("bob", "ann"), ("cat", "ann")):
        expected = []
        for log, entry in games(home):
            by_bot = list(zip(bots_of(entry.players), entry.result.ranks, strict=True))
            if any(a < b for bot, a in by_bot if bot == first for other, b in by_bot if other == second):
                expected.append((str(log), entry.index + 1))
        assert 0 < len(expected) < 24
        assert places(found(capsys, home, "--beat", first, second)) == expected


def test_conditions_hold_together(home: Path, capsys: Out) -> None:
    rows = found(capsys, home, "duels", "--with", "cat", "--with", "bob", "--option", "side=six")
    assert rows
    assert all({"bob", "cat"} <= set(row["players"]) and "side=six" in row["variant"] for row in rows)
    assert found(capsys, home, "--game", "manhattan") == []
    (row,) = found(capsys, home, "--faults")
    assert row["log"].endswith("tables.log")
    assert row["faults"] == [f"{row['players'][2]} timeout at ply {row['plies'] - 1}"]


def test_longest(home: Path, capsys: Out) -> None:
    lengths = [row["plies"] for row in found(capsys, home, "--longest")]
    assert lengths == sorted((entry.decisions for _, entry in games(home)), reverse=True)


def test_upsets(home: Path, capsys: Out) -> None:
    logs = sorted((home / "logs").glob("*.log"))
    rows = leaderboard(Selection(home / "logs", print, logs), rated=False).rows
    strengths = {row.bot: row.strength or 0.0 for row in rows}
    expected = {}
    for log, entry in games(home):
        bots = bots_of(entry.players)
        winners = [strengths[bot] for bot, rank in zip(bots, entry.result.ranks, strict=True) if rank == 1]
        gap = max(strengths[bot] for bot in bots) - max(winners)
        if gap > 0:
            expected[str(log), entry.index + 1] = gap
    shown = found(capsys, home, "--upsets")
    assert {(row["log"], row["record"]): row["upset"] for row in shown} == pytest.approx(expected)
    assert 0 < len(shown) < 24
    assert [row["upset"] for row in shown] == sorted(expected.values(), reverse=True)


def test_a_limit_and_the_command_to_watch(home: Path, capsys: Out) -> None:
    code, out, err = run(capsys, home, "--longest", "--limit", "2")
    (longest, *_) = found(capsys, home, "--longest")
    assert code == 0
    assert len(out.splitlines()) == 4
    assert "upset" not in out
    assert err == (
        "24 of 24 games found; 2 of them are shown (--limit 0 shows all)\n"
        f"watch the first: fa replay show {longest['log']} --game {longest['record']} --step\n"
    )
    assert run(capsys, home, "--game", "manhattan")[2] == "0 of 24 games found\n"


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (["--beat", "anne", "bob"], "anne has not played in "),
        (["--with", "anne"], "did you mean ann?"),
        (["--beat", "ann", "ann"], "ann is named twice; name two different bots"),
        (["--upsets", "--longest"], "--upsets and --longest are two orders; choose one"),
        (["--option", "side=seven"], "fifth-avenue: option side is five or six, not 'seven'"),
        (["--game", "chess"], "no game 'chess'"),
        (["duel"], "no tournament named duel"),
        (["missing.log"], "missing.log: No such file or directory"),
        (["--limit", "-1"], "invalid --limit -1"),
        (["--columns", "lengh"], "no column 'lengh'"),
    ],
)
def test_refused(home: Path, capsys: Out, args: list[str], error: str) -> None:
    code, out, err = run(capsys, home, *args)
    assert (code, out) == (2, "")
    assert error in err
    assert err.count("\n") == 1
