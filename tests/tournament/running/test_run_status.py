"""The status that a run writes for those who watch it: what it has, when it goes, and that it never stops a run."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from fa_cli.errors import Interrupted
from fa_cli.tournament.running.run_status import SILENCE, GameInProgress, RunStatus, StatusFile, read_status
from tests.tournament.helpers import dice
from tests.tournament.running.test_run import Watcher, define, play

SLOW_MOVES = "time.sleep(0.01)"


@pytest.fixture
def every_tick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The status is written at every turn of the run's loop."""
    monkeypatch.setattr("fa_cli.tournament.running.run_status.HEARTBEAT", 0.0)


def test_a_run_reports_its_games_in_progress(tmp_path: Path, every_tick: None) -> None:
    definition, place = define(tmp_path, dice(tmp_path, "a", "b", "c", before=SLOW_MOVES), games=6, players=2)
    watcher, seen = Watcher(), list[RunStatus]()

    def look() -> None:
        status = read_status(place.status)
        assert status, "the file is there as long as the run plays"
        seen.append(status)

    watcher.tick = look  # type: ignore[method-assign]
    began = time.time()
    play(definition, place, 2, watcher)
    assert not place.status.exists(), "it is removed at the end"
    assert {status.games for status in seen} == {6}
    assert [status.done for status in seen] == sorted(status.done for status in seen)
    assert max(len(status.playing) for status in seen) == 2
    assert all(began <= status.started <= status.updated <= time.time() for status in seen)
    assert all(status.done_before == 0 and not status.stopping for status in seen)
    games = {game.index: game for status in seen for game in status.playing}
    assert set(games) == set(range(6))
    for game in games.values():
        assert began <= game.since <= time.time()
        assert [definition.bots[bot].name for bot in game.seats] == watcher.records[game.index].players
        assert game.setting in range(len(definition.settings))


def test_only_its_owner_may_read_it(tmp_path: Path, every_tick: None) -> None:
    definition, place = define(tmp_path, dice(tmp_path, "a", "b"), games=4, players=2)
    watcher, modes = Watcher(), set[int]()
    watcher.tick = lambda: modes.add(place.status.stat().st_mode & 0o777)  # type: ignore[method-assign]
    play(definition, place, 1, watcher)
    assert modes == {0o600}


@pytest.mark.slow
def test_a_stopping_run_says_so_and_removes_the_file(tmp_path: Path, every_tick: None) -> None:
    definition, place = define(tmp_path, dice(tmp_path, "a", "b", before=SLOW_MOVES), games=8, players=2)
    watcher, seen = Watcher(interrupt_at=[2]), list[RunStatus | None]()
    watcher.tick = lambda: seen.append(read_status(place.status))  # type: ignore[method-assign]
    with pytest.raises(Interrupted):
        play(definition, place, 2, watcher)
    assert [status.stopping for status in seen if status][-1]
    assert not place.status.exists()
    play(definition, place, 1, resumed := Watcher())
    assert resumed.began is not None
    assert resumed.began >= 2


def test_a_status_that_cannot_be_written_stops_no_run(tmp_path: Path, every_tick: None) -> None:
    definition, place = define(tmp_path, dice(tmp_path, "a", "b"), games=4, players=2)
    place.status.mkdir(parents=True)
    (place.status / "file").touch()
    watcher = play(definition, place, 1)
    assert len(watcher.records) == 4
    assert list(place.status.iterdir()) == [place.status / "file"]
    assert [path.name for path in place.log.parent.iterdir() if path.name.endswith(".part")] == []


def test_a_run_counts_as_gone_after_a_silence() -> None:
    status = RunStatus(100.0, 90.0, 5, 25, 40, False, [])
    assert status.rate(25, 100.0) == 2.0
    assert status.is_alive(100.0 + SILENCE - 0.1)
    assert not status.is_alive(100.0 + SILENCE)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it takes the silence")
def test_a_run_whose_process_is_gone_is_told_at_once(tmp_path: Path) -> None:
    names = "from pathlib import Path; from fa_cli.tournament.running.run_status import StatusFile"
    program = f"{names}; StatusFile(Path('x.status'), 0).write(1, 2, False, [])"
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True)
    status = read_status(tmp_path / "x.status")
    assert status and not status.is_alive(time.time())
    elsewhere = msgspec.structs.replace(status, machine="another")
    assert elsewhere.is_alive(time.time()), "its number says nothing here"


def test_a_status_is_written_once_a_second(tmp_path: Path) -> None:
    with StatusFile(tmp_path / "x.status", 3) as file:
        assert file.is_due
        game = GameInProgress(4, 7.0, 0, [1, 0], 2, [5, 300])
        file.write(4, 9, True, [game])
        assert not file.is_due
        status = read_status(tmp_path / "x.status")
        assert status == RunStatus(status.updated, status.started, 3, 4, 9, True, [game])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"{}", b"[" * 100_000, b'{"updated": "\xff"}', b"[1]", None])
def test_what_no_run_wrote_is_no_status(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "x.status"
    if content is not None:
        path.write_bytes(content)
    assert read_status(path) is None


def test_a_folder_is_no_status(tmp_path: Path) -> None:
    assert read_status(tmp_path) is None
