"""`fa tournament watch --once`: its texts in every state, its rows, and what it refuses."""

from __future__ import annotations

import json
import time
from pathlib import Path

import msgspec
import pytest

from fa_cli.cli import app
from fa_cli.leaderboard.standings import Leaderboard
from fa_cli.stats.faults import fault_row
from fa_cli.tournament.live import LiveGame, LiveTournament, Snapshot, State
from fa_cli.tournament.running.run_status import RunStatus
from tests.tournament.helpers import dice
from tests.tournament.running.test_run import define, play

Out = pytest.CaptureFixture[str]
CLOCK = LiveGame(7, 62.4, "new-york players=2", ["ann", "bob"], True)


def run(capsys: Out, home: Path, *args: str) -> tuple[int, str, str]:
    code = app.run(["--home", str(home), "tournament", "watch", *args])
    done = capsys.readouterr()
    return code, done.out, done.err


def test_a_finished_tournament_and_its_leaderboard(tmp_path: Path, capsys: Out) -> None:
    definition, place = define(tmp_path, dice(tmp_path, "a", "b", "c"), games=6, players=2)
    resume = f"fa --home {tmp_path} tournament resume test"
    assert run(capsys, tmp_path, "test", "--once") == (
        0,
        f"test: not begun: 0 of 6 games (0%); begin with: {resume}\n",
        "",
    )
    play(definition, place, 2)
    code, out, err = run(capsys, tmp_path, "test", "--once")
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[:2] == ["test: finished: 6 games", "faults: none"]
    app.run(["--home", str(tmp_path), "leaderboard", "test", "--format", "json"])
    rows = json.loads(capsys.readouterr().out)
    shown = [line.split() for line in lines if line.split()[1:2] in ([row["bot"]] for row in rows)]
    assert [[row[1], float(row[3])] for row in shown] == [[row["bot"], round(row["strength"], 2)] for row in rows]
    code, out, _ = run(capsys, tmp_path, str(place.log), "--once", "--format", "json")
    (row,) = json.loads(out)
    assert row == {
        "name": "test", "state": "finished", "done": 6, "games": 6, "rate": None, "seconds_left": None,
        "playing": [], "faults": 0, "suspended": [], "evidence": "",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("snapshot", "lines"),
    [
        (
            Snapshot("x", State.RUNNING, 6, 24, 2.0, 0, [CLOCK], Leaderboard(6, [], {}), []),
            [
                "x: running: 6 of 24 games (25%), 2.0/s, 0:09 left",
                "game 7   1:02  ann bob  new-york players=2",
                "faults: none",
            ],
        ),
        (
            Snapshot("x", State.RUNNING, 0, 24, None, 0, [CLOCK], Leaderboard(0, [], {}), []),
            ["x: running: 0 of 24 games (0%), no game has ended yet", "game 7   1:02  ann bob  new-york players=2"],
        ),
        (
            Snapshot("x", State.STOPPING, 6, 24, 2.0, 0, [CLOCK], Leaderboard(6, [], {}), []),
            ["x: stopping: 6 of 24 games (25%), and 1 game in progress"],
        ),
        (
            Snapshot("x", State.STOPPED, 6, 24, None, 0, [], Leaderboard(6, [], {}), []),
            ["x: stopped: 6 of 24 games (25%); resume with: fa --home HOME tournament resume x", "faults: none"],
        ),
        (
            Snapshot("x", State.LOST, 6, 24, None, 65, [], Leaderboard(6, [], {}), []),
            [
                "x: no sign of the run for 1:05, killed or paused: 6 of 24 games (25%); "
                "resume with: fa --home HOME tournament resume x"
            ],
        ),
        (
            Snapshot("x", State.FINISHED, 1234, 5678, None, 0, [], Leaderboard(6, [], {}), []),
            ["x: finished: 1,234 of at most 5,678 games"],
        ),
        (Snapshot("x", State.FINISHED, 1, 1, None, 0, [], Leaderboard(1, [], {}), []), ["x: finished: 1 game"]),
        (
            Snapshot(
                *("x", State.FINISHED, 6, 6, None, 0, [], Leaderboard(6, [], {})),
                [fault_row("talker", 6, 2, 0, 2, 1, 0, 0, 0), fault_row("\x1b[31m", 6, 0, 1, 0, 0, 0, 0, 0)],
            ),
            [
                "x: finished: 6 games",
                r"faults: talker 3 (2 timeout, 1 crash, suspended for 2 games); \x1b[31m 1 (1 start)",
            ],
        ),
    ],
    ids=lambda value: value.state.value if isinstance(value, Snapshot) else "",
)
def test_states_in_words(
    tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch, snapshot: Snapshot, lines: list[str]
) -> None:
    monkeypatch.setattr(LiveTournament, "look", lambda self: snapshot)
    code, out, err = run(capsys, tmp_path, "x", "--once")
    assert (code, err) == (0, "")
    assert out.splitlines()[: len(lines)] == [line.replace("HOME", str(tmp_path)) for line in lines]


def test_how_near_a_test_is_to_a_decision(tmp_path: Path, capsys: Out) -> None:
    _, place = define(tmp_path, dice(tmp_path, "a", "b"), games=6, players=2)
    place.log.parent.mkdir(exist_ok=True)
    now = time.time()
    status = RunStatus(now, now - 9, 0, 2, 6, False, [], "a is better: 2.10 of 3.69")
    place.status.write_bytes(msgspec.json.encode(status))
    assert json.loads(run(capsys, tmp_path, "test", "--once", "--format", "json")[1])[0]["evidence"] == status.evidence


def test_a_run_that_was_killed(tmp_path: Path, capsys: Out) -> None:
    _, place = define(tmp_path, dice(tmp_path, "a", "b"), games=6, players=2)
    then = time.time() - 3600
    place.log.parent.mkdir(exist_ok=True)
    place.status.write_bytes(msgspec.json.encode(RunStatus(then, then - 9, 0, 2, 6, False, [])))
    code, out, _ = run(capsys, tmp_path, "test", "--once")
    assert code == 0
    assert out.startswith("test: no sign of the run for 1:00:00, killed or paused: 0 of 6 games (0%); resume with:")
    code, out, _ = run(capsys, tmp_path, "test", "--once", "--format", "csv")
    assert out.splitlines()[1].startswith("test,lost,0,6,")


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (["tset", "--once"], "no tournament named tset (HOME/tournaments/tset.json not found); did you mean test?"),
        (["../x", "--once"], "../x is not a tournament: its files are tournaments/NAME.json and logs/NAME.log"),
        (["test"], "this needs a terminal, but standard input is not one; --once prints the state once"),
        (["test", "--format", "json"], "--format json is for --once: fa tournament watch NAME --once --format json"),
    ],
)
def test_refused(tmp_path: Path, capsys: Out, args: list[str], error: str) -> None:
    define(tmp_path, dice(tmp_path, "a", "b"), games=6, players=2)
    assert run(capsys, tmp_path, *args) == (2, "", f"fa: {error.replace('HOME', str(tmp_path))}\n")


def test_a_log_that_is_not_one(tmp_path: Path, capsys: Out) -> None:
    _, place = define(tmp_path, dice(tmp_path, "a", "b"), games=6, players=2)
    place.log.parent.mkdir(exist_ok=True)
    place.log.write_text("no log")
    code, out, err = run(capsys, tmp_path, "test", "--once")
    assert (code, out) == (2, "")
    assert err.startswith(f"fa: {place.log}: ")
    assert err.count("\n") == 1
