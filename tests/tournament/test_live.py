"""A tournament by its files: every state that it can be in, numbers as in its leaderboard, and nothing disturbed."""

from __future__ import annotations

import fcntl
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from fa_cli.errors import LogError, UsageError
from fa_cli.leaderboard import queries
from fa_cli.leaderboard.leaderboards import Selection, leaderboard, read_selection
from fa_cli.replay.log_entry import LogEntry
from fa_cli.replay.log_file import read_log
from fa_cli.replay.log_writer import LogWriter
from fa_cli.tournament.definition import TournamentPaths
from fa_cli.tournament.live import LiveTournament, State
from fa_cli.tournament.running.run_status import SILENCE, GameInProgress, RunStatus
from tests.damage import flip_bit
from tests.tournament.helpers import dice
from tests.tournament.running.test_run import define, play

GAMES = 6
Played = tuple[TournamentPaths, list[LogEntry]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A tournament of three bots that is played to its end, and its games."""
    home = tmp_path_factory.mktemp("played")
    definition, place = define(home, dice(home, "a", "b", "c"), games=GAMES, players=2)
    play(definition, place, 2)
    return place, list(read_log(place.log))


@pytest.fixture
def place(tmp_path: Path, played: Played) -> TournamentPaths:
    """The same tournament, before its first game."""
    paths = TournamentPaths(tmp_path / "tournaments" / "test.json", tmp_path / "logs" / "test.log")
    for path in paths:
        path.parent.mkdir()
    paths.definition.write_bytes(played[0].definition.read_bytes())
    return paths


def running(place: TournamentPaths, done: int, *playing: GameInProgress, ago: float = 0.0, **fields: object) -> None:
    """Write the status of a run that began 10 seconds before, with one game in the log."""
    now = time.time() - ago
    status = RunStatus(now, now - 10, 1, done, GAMES, False, list(playing))
    place.status.write_bytes(msgspec.json.encode(msgspec.structs.replace(status, **fields)))


def test_a_tournament_without_a_game(place: TournamentPaths) -> None:
    live = LiveTournament(place)
    snapshot = live.look()
    assert (snapshot.state, snapshot.done, snapshot.games) == (State.NOT_BEGUN, 0, GAMES)
    assert (snapshot.standings.rows, snapshot.faults, snapshot.playing, snapshot.rate) == ([], [], [], None)
    assert list(place.log.parent.iterdir()) == [], "nothing is written"
    with pytest.raises(UsageError, match="no tournament named other"):
        LiveTournament(TournamentPaths(place.definition.with_name("other.json"), place.log)).look()


def test_it_follows_a_log_that_another_process_writes(
    place: TournamentPaths, played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = LiveTournament(place)
    with LogWriter(place.log) as log, monkeypatch.context() as patch:
        patch.setattr(fcntl, "flock", None)  # a lock would raise
        for done, entry in enumerate(played[1], start=1):
            log.append_entry(entry)
            running(place, done)
            snapshot = live.look()
            expected = Selection(place.definition.parent, print, [place.log])
            assert snapshot.standings == leaderboard(expected, rated=False)
            assert snapshot.faults == [row for row in read_selection(expected, queries.faults) if row.faults]
            assert (snapshot.state, snapshot.done, snapshot.games) == (State.RUNNING, done, GAMES)
            if done > 1:
                assert snapshot.rate == pytest.approx((done - 1) / 10, rel=0.5)
                assert snapshot.seconds_left == pytest.approx((GAMES - done) / snapshot.rate)
            else:
                assert (snapshot.rate, snapshot.seconds_left) == (None, None)
    assert sorted(path.name for path in place.log.parent.iterdir()) == ["test.log", "test.status"]


def test_threads_may_look_in_turn(place: TournamentPaths, played: Played) -> None:
    live = LiveTournament(place)
    with LogWriter(place.log) as log:
        for done, entry in enumerate(played[1], start=1):
            log.append_entry(entry)
            with ThreadPoolExecutor(1) as pool:
                assert pool.submit(live.look).result().done == done


def test_half_a_record_is_one_that_is_being_written(place: TournamentPaths, played: Played) -> None:
    live = LiveTournament(place)
    whole = played[0].log.read_bytes()
    place.log.write_bytes(whole[:-3])
    assert live.look().done == GAMES - 1
    with place.log.open("ab") as file:
        file.write(whole[-3:])
    assert live.look().done == GAMES


def test_states(place: TournamentPaths, played: Played) -> None:
    live = LiveTournament(place)
    with LogWriter(place.log) as log:
        for entry in played[1][:-1]:
            log.append_entry(entry)
    assert live.look().state is State.STOPPED
    running(place, 3, stopping=True)
    assert live.look().state is State.STOPPING
    running(place, 3, GameInProgress(5, time.time(), 0, [0, 1], 2), ago=SILENCE + 50)
    snapshot = live.look()
    assert snapshot.state is State.LOST
    assert snapshot.silence == pytest.approx(SILENCE + 50, abs=5)
    assert (snapshot.playing, snapshot.rate) == ([], None)
    place.status.unlink()
    with LogWriter(place.log) as log:
        log.append_entry(played[1][-1])
    snapshot = live.look()
    assert (snapshot.state, snapshot.done, snapshot.seconds_left) == (State.FINISHED, GAMES, None)


def test_games_in_progress(place: TournamentPaths, played: Played) -> None:
    with LogWriter(place.log) as log:
        log.append_entry(played[1][0])
    now = time.time()
    written, playing = GameInProgress(0, now - 9, 0, [0, 1], 0), GameInProgress(1, now - 7, 0, [2, 1], 0)
    running(place, 1, written, playing)
    (game,) = LiveTournament(place).look().playing
    assert (game.game, game.bots) == (2, ["c", "b"])
    assert game.variant == "fifth-avenue side=five players=2"
    assert game.seconds == pytest.approx(7, abs=5)


@pytest.mark.parametrize("game", [GameInProgress(1, 0.0, 9, [0, 1], 0), GameInProgress(1, 0.0, 0, [0, 3], 0)])
def test_a_status_of_another_tournament_of_this_name(place: TournamentPaths, game: GameInProgress) -> None:
    running(place, 1, game)
    assert LiveTournament(place).look().playing == []


def test_a_damaged_log_is_an_error(place: TournamentPaths, played: Played) -> None:
    flip_bit(played[0].log, copy=place.log)
    live = LiveTournament(place)
    with pytest.raises(LogError, match=r"test\.log: record"):
        live.look()
    place.log.write_bytes(played[0].log.read_bytes())
    assert live.look().done == GAMES, "a repaired log is read again"


@pytest.mark.slow
def test_a_knockout_is_finished_when_its_results_say_so(tmp_path: Path) -> None:
    definition, place = define(tmp_path, dice(tmp_path, "a", "b", "c", "d"), schedule="knockout", sets=1)
    play(definition, place, 2)
    live = LiveTournament(place)
    assert live.look().state is live.look().state is State.FINISHED
    entries = list(read_log(place.log))
    place.log.unlink()
    with LogWriter(place.log) as log:
        for entry in entries[:-1]:
            log.append_entry(entry)
    assert live.look().state is State.STOPPED
