"""Running tournaments with real processes: the same log whatever the workers, stopping, going on, and trouble."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from fa_cli.errors import BotError, Interrupted, LogError
from fa_cli.game_result import FaultKind
from fa_cli.games.seed import Seed
from fa_cli.leaderboard import index as index_file
from fa_cli.leaderboard import live_index
from fa_cli.leaderboard.index import NAME, Index
from fa_cli.leaderboard.leaderboards import Selection, leaderboard
from fa_cli.leaderboard.sealed_file import remove
from fa_cli.protocol.messages import Clock
from fa_cli.replay.log_entry import LogEntry
from fa_cli.replay.log_file import read_log
from fa_cli.replay.log_writer import LogWriter
from fa_cli.replay.record import Record
from fa_cli.replay.verify import check
from fa_cli.tournament.amend import unchanged_bots
from fa_cli.tournament.definition import Definition, TournamentPaths, create
from fa_cli.tournament.request import TournamentRequest
from fa_cli.tournament.running import dispatcher
from fa_cli.tournament.running.job_queue import JobQueue, WorkerLost
from fa_cli.tournament.running.progress import RunProgress
from fa_cli.tournament.running.run import Run, default_jobs
from fa_cli.tournament.running.workers import Worker, WorkerConfig
from fa_cli.tournament.schedule import KEPT_PROCESSES, Job
from fa_cli.tournament.setup import make_definition
from tests.damage import flip_bit
from tests.tournament.helpers import dice, play_out


class Watcher(RunProgress):
    """Notes what it is told; may send itself signals."""

    def __init__(self, interrupt_at: Sequence[int] = ()) -> None:
        super().__init__(0)
        self.began: int | None = None
        self.records: list[Record] = []
        self.stops = 0
        self.warnings: list[str] = []
        self._interrupt_at = list(interrupt_at)

    def begin(self, done: int) -> None:
        self.began = done

    def played(self, entry: LogEntry) -> None:
        self.records.append(entry.record())
        if len(self.records) in self._interrupt_at:
            os.kill(os.getpid(), signal.SIGINT)

    def stopping(self, running: int) -> None:
        self.stops += 1

    def warn(self, text: str) -> None:
        self.warnings.append(text)


def define(
    home: Path, bots: Sequence[Path], name: str = "test", **wishes: object
) -> tuple[Definition, TournamentPaths]:
    place = TournamentPaths(home / "tournaments" / f"{name}.json", home / "logs" / f"{name}.log")
    asked = {"bots": [str(bot) for bot in bots], "seed": "spring"} | wishes
    made = make_definition(name, msgspec.convert(asked, TournamentRequest), lambda note: None)
    made = msgspec.structs.replace(made, started="2026-01-01T00:00:00Z")
    create(place, made)
    return made, place


def define_short(
    home: Path, bots: Sequence[Path], name: str = "test", **wishes: object
) -> tuple[Definition, TournamentPaths]:
    """A tournament whose games take a tenth of the time of whole ones."""
    return define(home, bots, name, **{"options": {"turn_limit": "2"}, **wishes})


def play(definition: Definition, place: TournamentPaths, jobs: int = 1, watcher: Watcher | None = None) -> Watcher:
    watcher = watcher or Watcher()
    Run(definition, place, jobs=jobs, listener=watcher, resume="fa tournament resume test").play()
    return watcher


def entries(place: TournamentPaths) -> list[LogEntry]:
    return list(read_log(place.log))


def games(place: TournamentPaths) -> list[tuple[int | None, list[str], str]]:
    return [(entry.number, entry.players, entry.digest_start) for entry in entries(place)]


def test_the_log_does_not_depend_on_the_workers(tmp_path: Path) -> None:
    bots = dice(tmp_path, "a", "b", "c")
    logs = []
    for jobs in (1, 5):
        definition, place = define_short(tmp_path / str(jobs), bots, games=14)
        watcher = play(definition, place, jobs)
        assert [record.digest for record in watcher.records] == [entry.record().digest for entry in entries(place)]
        logs.append(games(place))
    assert logs[0] == logs[1]
    assert len(logs[0]) == 14
    names = [bot.name for bot in definition.bots]
    assert [(number, players) for number, players, _ in logs[0]] == [
        (job.number, [names[bot] for bot in job.seats]) for job in play_out(definition)
    ]
    assert all(not entry.faults for entry in entries(place))
    assert entries(place)[0].meta["tournament"] == definition.source()
    assert all(check(entry, entry.index) is None for entry in read_log(place.log))


def indexed(place: TournamentPaths) -> int:
    """The number of games in the index."""
    with Index(place.log.with_name(NAME)) as index:
        log = index.log_at(place.log)
        return log.games if log else 0


@pytest.mark.slow
def test_games_are_indexed_while_further_ones_are_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also after an interruption and a kill, and never more games than the log has."""
    for name, value in {"_CHUNK": 3, "_SHARE": 0}.items():
        monkeypatch.setattr(live_index, name, value)
    monkeypatch.setattr(dispatcher, "_MOST_JOBS", 1)
    definition, place = define_short(tmp_path, dice(tmp_path, "a", "b"), games=12)
    watcher = Watcher(interrupt_at=[7])
    seen: list[tuple[int, int]] = []
    watcher.tick = lambda: seen.append((indexed(place), len(watcher.records)))  # type: ignore[method-assign]
    with pytest.raises(Interrupted):
        play(definition, place, 1, watcher)
    assert {count for count, _ in seen} >= {0, 3, 6}
    assert all(count <= played for count, played in seen)
    assert indexed(place) == 6
    assert len(entries(place)) == 7
    remove(place.log.with_name(NAME))  # as after a kill before the first chunk
    play(definition, place)
    assert indexed(place) == 12
    warnings: list[str] = []
    selection = Selection(place.log.parent, warnings.append, [place.log])
    shown = leaderboard(selection)
    assert shown == leaderboard(selection._replace(folder=tmp_path / "elsewhere"))  # which has no index
    assert shown.games == 12
    assert not warnings


def test_the_leaderboard_after_a_run_reads_no_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even to check it: the run knows that it wrote the whole file. A change after the run is noticed."""
    definition, place = define_short(tmp_path, dice(tmp_path, "a", "b"), games=4)
    play(definition, place)
    selection = Selection(place.log.parent, pytest.fail, [place.log])
    with monkeypatch.context() as patched:
        patched.setattr(index_file, "holds_position", pytest.fail)
        patched.setattr(index_file, "read_after", pytest.fail)
        assert leaderboard(selection, rated=False).games == 4
    flip_bit(place.log, -20)
    with pytest.raises(LogError):
        leaderboard(selection, rated=False)


@pytest.mark.slow
def test_ctrl_c_takes_back_what_has_not_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that has eight games in hand plays only the one that it has begun, and perhaps the next."""
    monkeypatch.setattr(dispatcher, "_SUPPLY", 1e9)
    bots = dice(tmp_path, "a", "b", before="time.sleep(0.001)")
    whole, expected = define(tmp_path / "whole", bots, games=24)
    play(whole, expected, 2)
    definition, place = define(tmp_path, bots, games=24)
    revoked: list[Job] = []
    take_back = JobQueue.take_back
    monkeypatch.setattr(JobQueue, "take_back", lambda self, jobs: (take_back(self, jobs), revoked.extend(jobs)))
    running: list[int] = []
    watcher = Watcher(interrupt_at=[4])
    watcher.stopping = running.append  # type: ignore[method-assign]
    with pytest.raises(Interrupted):
        play(definition, place, 2, watcher)
    assert running[0] <= 2
    assert 4 <= len(entries(place)) <= max(job.index for job in revoked)
    play(definition, place, 2)
    assert games(place) == games(expected)


@pytest.mark.slow
@pytest.mark.parametrize(("seconds", "most"), [(1e-9, 1), (1e9, 8)])
def test_a_worker_has_more_games_the_shorter_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, most: int
) -> None:
    """Of long games it has one, so that Ctrl-C need not wait for more."""
    monkeypatch.setattr(dispatcher, "_SUPPLY", seconds)
    monkeypatch.setattr(dispatcher, "_LONGEST_PAUSE", 0.0)
    counts: list[int] = []
    assign = Worker.assign
    monkeypatch.setattr(Worker, "assign", lambda self, task: (assign(self, task), counts.append(len(self.jobs))))
    definition, place = define_short(tmp_path, dice(tmp_path, "a", "b"), games=30)
    play(definition, place, 2)
    assert max(counts) == most
    assert [entry.index for entry in entries(place)] == list(range(30))


def test_a_run_does_not_need_the_index(tmp_path: Path) -> None:
    definition, place = define_short(tmp_path, dice(tmp_path, "a", "b"), games=2)
    place.log.with_name(NAME).mkdir()
    assert not play(definition, place).warnings
    assert len(entries(place)) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("duplicate", "names", "count", "deals", "most_processes"),
    [("rotations", "ab", 12, 6, 2 * 2 * 2), ("permutations", "abcd", 30, 2, 4 * (2 * KEPT_PROCESSES + 18))],
)
def test_no_process_is_dealt_a_deal_twice(
    tmp_path: Path, duplicate: str, names: str, count: int, deals: int, most_processes: int
) -> None:
    """Each bot notes its process and the deal; games of a set share the deal, and hide its seed."""
    heard = tmp_path / "heard"
    bots = dice(tmp_path, *names, before=f"asked == 1 and note({str(heard)!r}, os.getpid(), deal)")
    for bot in bots:
        at_start, at_end = "seed, asked = ", 'elif kind == "end":\n        assert "seed" not in message\n    '
        text = bot.read_text().replace(at_start, f"deal = message['commitment']; {at_start}")
        bot.write_text(text.replace('elif kind == "decide"', f'{at_end}elif kind == "decide"'))
    options = {"side": "five", "turn_limit": "2"}
    definition, place = define_short(tmp_path, bots, games=count, duplicate=duplicate, options=options)
    play(definition, place, 2)
    lines = [line.split() for line in heard.read_text().splitlines()]
    assert len(lines) == len(set(map(tuple, lines))) == count * len(names)
    assert len({deal for _, deal in lines}) == deals
    assert len({pid for pid, _ in lines}) <= most_processes
    assert all(not entry.faults for entry in entries(place))


def test_games_are_safe_on_the_disk_while_further_ones_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, place = define_short(tmp_path, dice(tmp_path, "a", "b"), games=4)
    synced, fsync = list[int](), os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (synced.append(os.fstat(file).st_ino), fsync(file)))
    monkeypatch.setattr("fa_cli.tournament.running.run._REMEMBER_SECONDS", 0)
    play(made, place)
    assert synced.count(place.log.stat().st_ino) > 2, "not only when it is made and closed"


def test_without_duplicates_every_game_has_its_deal(tmp_path: Path) -> None:
    definition, place = define_short(tmp_path, dice(tmp_path, "a", "b"), games=6, duplicate="off")
    play(definition, place, 2)
    assert [entry.number for entry in entries(place)] == list(range(6))
    assert len({entry.seed for entry in entries(place)}) == 6


def test_bots_live_over_many_games(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    (bot, *_) = bots = dice(tmp_path, "a", "b")
    bot.write_text(bot.read_text().replace("for line in", f"note({str(pids)!r}, os.getpid())\nfor line in", 1))
    definition, place = define_short(tmp_path, bots, games=20)
    pids.unlink()  # those who only said hello
    play(definition, place, 1)
    started = pids.read_text().split()
    assert len(started) == 2  # one for each turn of the table
    assert not any(Path(f"/proc/{pid}").exists() for pid in started)


@pytest.mark.slow
def test_the_same_bot_twice(tmp_path: Path) -> None:
    definition, place = define_short(tmp_path, dice(tmp_path, "a", "b"), games=6, players=3, repeats=True)
    play(definition, place, 2)
    assert {tuple(sorted(entry.players)) for entry in entries(place)} == {("a#1", "a#2", "b"), ("a", "b#1", "b#2")}


@pytest.mark.slow
def test_ctrl_c_finishes_what_runs_and_resume_goes_on(tmp_path: Path) -> None:
    bots = dice(tmp_path, "a", "b", "c")
    whole, expected = define_short(tmp_path / "whole", bots, games=40)
    play(whole, expected, 2)
    definition, place = define_short(tmp_path, bots, games=40)
    before = signal.getsignal(signal.SIGINT)  # in a job in the background it is ignored
    watcher = Watcher(interrupt_at=[5])
    with pytest.raises(Interrupted, match="of 40 games; resume with: fa tournament resume test"):
        play(definition, place, 2, watcher)
    assert watcher.stops == 1
    done = len(entries(place))
    assert 5 <= done <= 5 + 2 * 8
    assert all(check(entry, entry.index) is None for entry in read_log(place.log))
    assert signal.getsignal(signal.SIGINT) is before
    again = play(definition, place, 1)
    assert again.began == done
    assert games(place) == games(expected)


def test_ctrl_c_while_the_workers_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Signalled(Worker):
        def __init__(self, number: int, config: WorkerConfig) -> None:
            os.kill(os.getpid(), signal.SIGINT)
            super().__init__(number, config)

    monkeypatch.setattr(dispatcher, "Worker", Signalled)
    definition, place = define_short(tmp_path, dice(tmp_path, "a", "b"), games=40)
    with pytest.raises(Interrupted, match="stopped after 0 of 40 games"):
        play(definition, place, 2)


def modes(place: TournamentPaths) -> set[int]:
    return {path.stat().st_mode & 0o777 for path in place}


def test_only_the_owner_reads_an_unfinished_tournament(tmp_path: Path) -> None:
    """Its files have the seed; others may read them after the last game, as far as the umask allows."""
    before = os.umask(0o027)
    try:
        definition, place = define(tmp_path, dice(tmp_path, "a", "b"), games=8)
        watcher = Watcher(interrupt_at=[2])
        seen = []
        watcher.tick = lambda: seen.append(modes(place))  # type: ignore[method-assign]
        with pytest.raises(Interrupted):
            play(definition, place, 1, watcher)
        assert seen
        assert all(each == {0o600} for each in [*seen, modes(place)])
        kept = set(place.log.parent.glob("*.log")) | set(place.definition.parent.iterdir())
        assert kept == set(place)
        place.log.chmod(0o644)  # as an earlier version left it
        watcher = Watcher()
        watcher.tick = lambda: seen.append(modes(place))  # type: ignore[method-assign]
        play(definition, place, 1, watcher)
        assert all(each == {0o600} for each in seen)
        assert modes(place) == {0o640}
    finally:
        os.umask(before)


def test_a_second_ctrl_c_stops_at_once(tmp_path: Path) -> None:
    slow = dice(tmp_path, "a", "b", before="time.sleep(0.02)")
    definition, place = define_short(tmp_path, slow, games=50)
    watcher = Watcher(interrupt_at=[1])
    watcher.stopping = lambda running: os.kill(os.getpid(), signal.SIGINT)  # type: ignore[method-assign]
    with pytest.raises(Interrupted, match="stopped after"):
        play(definition, place, 2, watcher)
    assert 1 <= len(entries(place)) <= 4


def test_a_finished_tournament_stays_as_it_is(tmp_path: Path) -> None:
    definition, place = define_short(tmp_path, dice(tmp_path, "a", "b"), games=2)
    play(definition, place)
    before = place.log.read_bytes()
    assert play(definition, place).records == []
    assert place.log.read_bytes() == before


def test_faults_do_not_stop_it(tmp_path: Path) -> None:
    good = dice(tmp_path, "good")
    dies = dice(tmp_path, "dies", before="asked > 3 and sys.exit('no more')")
    definition, place = define_short(tmp_path, [*good, *dies], games=4)
    watcher = play(definition, place, 2)
    assert len(watcher.records) == 4
    for record in watcher.records:
        (fault,) = record.faults
        assert (record.players[fault.seat], fault.kind) == ("dies", FaultKind.CRASH)
        assert "no more" in record.meta["fault_details"][0]["stderr"]
        assert record.result.ranks[fault.seat] == 2


def test_a_slow_bot_faults(tmp_path: Path) -> None:
    slow = dice(tmp_path, "slow", before="time.sleep(0.5)")
    definition, place = define_short(tmp_path, [*dice(tmp_path, "quick"), *slow], games=1, clock=Clock(100))
    (record,) = play(definition, place).records
    assert [fault.kind for fault in record.faults] == [FaultKind.TIMEOUT]


def test_times_of_each_decision_if_asked_for(tmp_path: Path) -> None:
    definition, place = define_short(tmp_path, dice(tmp_path, "a", "b"), games=1, times=True)
    (record,) = play(definition, place).records
    assert len(record.meta["times_us"]) == len(record.actions)


def test_stderr_goes_to_files(tmp_path: Path) -> None:
    bots = dice(tmp_path, "a", "b", before="asked == 1 and print('hear me', file=sys.stderr, flush=True)")
    definition, place = define_short(tmp_path, bots, games=2)
    folder = tmp_path / "stderr"
    folder.mkdir()
    Run(definition, place, jobs=1, listener=Watcher(), resume="", stderr=folder).play()
    assert sorted(path.name for path in folder.iterdir()) == [
        "a.0.0.0.txt",
        "a.0.1.0.txt",
        "b.0.0.0.txt",
        "b.0.1.0.txt",
    ]
    assert {path.read_text() for path in folder.iterdir()} == {"hear me\n"}


def test_a_worker_that_dies_is_told(tmp_path: Path) -> None:
    """A bot that kills who plays with it, two above its supervisor: the games before are kept."""
    kill = """os.system(f"kill -9 $(cut -d' ' -f4 /proc/$(cut -d' ' -f4 /proc/{os.getppid()}/stat)/stat)")"""
    kills = dice(tmp_path, "kills", before=f"asked == 1 and {kill}")
    definition, place = define_short(tmp_path, [*dice(tmp_path, "a"), *kills], games=3)
    with pytest.raises(WorkerLost, match=r"a worker process ended \(exit code -9\) while it played game 1"):
        play(definition, place)
    assert entries(place) == []


def test_only_one_at_a_time(tmp_path: Path) -> None:
    definition, place = define_short(tmp_path, dice(tmp_path, "a", "b"), games=2)
    with LogWriter(place.log), pytest.raises(LogError, match="another process is writing it"):
        play(definition, place)


def test_a_log_that_lacks_a_game_says_how_to_go_on(tmp_path: Path) -> None:
    """As after `fa replay repair`."""
    definition, place = define_short(tmp_path, dice(tmp_path, "a", "b"), games=4)
    play(definition, place)
    rest = [entry.record() for entry in read_log(place.log) if entry.index != 2]
    for games in (rest, rest[:2]):
        place.log.unlink()
        with LogWriter(place.log, new=True) as writer:
            for record in games:
                writer.append(record)
        if len(games) == 3:
            with pytest.raises(
                LogError, match=r"record 3 is not game 3 .* --game 1-2 -o NEW keeps what can be resumed$"
            ):
                play(definition, place)
    play(definition, place)
    assert len(entries(place)) == 4


def test_a_log_of_something_else_is_refused(tmp_path: Path) -> None:
    bots = dice(tmp_path, "a", "b")
    definition, place = define_short(tmp_path, bots, games=4)
    play(definition, place)
    other = msgspec.structs.replace(definition, seed=Seed.from_hex("11" * 32))
    with pytest.raises(LogError, match="record 1 is not game 1 of the tournament test"):
        play(other, place)
    fewer = msgspec.structs.replace(definition, games=2)
    with pytest.raises(LogError, match="more than the 2 games"):
        play(fewer, place)


def test_a_damaged_log_is_refused(tmp_path: Path) -> None:
    definition, place = define_short(tmp_path, dice(tmp_path, "a", "b"), games=4)
    play(msgspec.structs.replace(definition, games=3), place)
    data = flip_bit(place.log)
    with pytest.raises(LogError, match="record 2"):
        play(definition, place)
    assert place.log.read_bytes() == data


def test_changed_bots_are_refused(tmp_path: Path) -> None:
    bots = dice(tmp_path, "a", "b")
    definition, _ = define_short(tmp_path, bots, games=4)
    assert [bot.digest for bot in unchanged_bots(definition).bots] == [bot.digest for bot in definition.bots]
    bots[1].write_text(bots[1].read_text() + "\n")
    with pytest.raises(BotError, match=r"b\.py has changed since test began"):
        unchanged_bots(definition)
    bots[1].unlink()
    with pytest.raises(BotError, match=r"test can't be resumed without b: .*b.py"):
        unchanged_bots(definition)


def test_jobs_when_nothing_is_said(tmp_path: Path) -> None:
    definition, _ = define_short(tmp_path, dice(tmp_path, "a", "b"), games=1)
    cores = default_jobs(definition.bots)
    assert cores == len(os.sched_getaffinity(0))
    greedy = [msgspec.structs.replace(bot, threads=2 * cores) for bot in definition.bots]
    assert default_jobs(greedy) == 1


def test_workers_leave_nothing_behind(tmp_path: Path) -> None:
    """After a run no process of a bot is there any more."""
    pids = tmp_path / "pids"
    bots = dice(tmp_path, "a", "b", before=f"asked == 1 and note({str(pids)!r}, os.getpid())")
    definition, place = define_short(tmp_path, bots, games=100)
    with pytest.raises(Interrupted):
        play(definition, place, 2, Watcher(interrupt_at=[2]))
    until = time.monotonic() + 5
    while any(Path(f"/proc/{pid}").exists() for pid in pids.read_text().split()):
        assert time.monotonic() < until
        time.sleep(0.05)


class Changer(Watcher):
    """Changes a file once some games were played."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path

    def played(self, entry: LogEntry) -> None:
        super().played(entry)
        if len(self.records) == 3:
            self._path.write_text(self._path.read_text() + "# changed\n")


def test_a_bot_that_is_changed_while_games_are_played(tmp_path: Path) -> None:
    """Its games before are kept, and no game is the new one's under the old one's name."""
    wanted, place = define(tmp_path, dice(tmp_path / "bots", "a", "b"), games=40, players=2)
    changer = Changer(Path(wanted.bots[1].path))
    Run(wanted, place, jobs=1, listener=changer, resume="fa tournament resume test").play()
    faults = [[(entry.players[fault.seat], fault.kind) for fault in entry.faults] for entry in entries(place)]
    begin = next(index for index, found in enumerate(faults) if found)
    assert 3 <= begin < 10
    assert faults == [[]] * begin + [[("b", FaultKind.START)]] * (40 - begin)
    detail = entries(place)[begin].meta["fault_details"][0]["detail"]
    assert detail == "was changed while games were played (b.py)"
    (warning,) = changer.warnings
    assert warning.startswith(f"{wanted.bots[1].path} was changed while games were played (b.py): it fails the rest")
    with pytest.raises(BotError, match="has changed since"):
        unchanged_bots(wanted)


def test_a_bot_that_is_changed_while_a_test_compares_it(tmp_path: Path) -> None:
    """Faults for a change decide nothing: the run stops, and goes on once the files are back."""
    bots = dice(tmp_path / "bots", "a", "b")
    wanted, place = define_short(tmp_path, bots, games=200, players=2, until="decided")
    before = bots[1].read_text()
    with pytest.raises(WorkerLost, match=r"b\.py was changed .* compared as it was: .* games before are kept; resume"):
        Run(wanted, place, jobs=1, listener=Changer(bots[1]), resume="fa tournament resume test").play()
    played = entries(place)
    assert len(played) >= 3
    assert not any(entry.faults for entry in played)
    with pytest.raises(BotError, match="it is compared as it was"):
        unchanged_bots(wanted)
    bots[1].write_text(before)
    play(unchanged_bots(wanted), place)
    assert entries(place)[: len(played)] == played
