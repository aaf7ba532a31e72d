"""Whether a game costs the same, in time and memory, however many games and bots there are.

Logs grow by the same thousand short games again and again, which a log and a verifier treat like any other; those that
leaderboards are made from have results alone, rated by a stand-in, so that what is seen is not TrueSkill's, and the
folding is timed in a process that has imported what it needs. The ratio is that of a game's time to the one of the
smallest size, or of the memory to that of the smallest.
"""

from __future__ import annotations

import tempfile
import tracemalloc
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import cycle, islice
from pathlib import Path

from fa_cli.games.seed import Seed
from fa_cli.isolation.discovery import Bot
from fa_cli.match.simulate import make_simulation
from fa_cli.protocol.messages import Clock
from fa_cli.replay.log_entry import LogEntry, entry_of
from fa_cli.replay.log_file import read_log
from fa_cli.replay.log_writer import LogWriter
from fa_cli.tournament.definition import Definition, Setting
from fa_cli.tournament.schedule import Schedule

from .bench_ratings import SEATS, bot_names, write_log
from .figures import Figure, cpu_seconds, plain_python, run_apart

GOAL = 1.5
TRACED = 1_000
"""Games of a schedule of which the memory is traced: that is slow, and there are no sizes with fewer."""
READ = "import sys; from pathlib import Path; from fa_cli.replay.log_file import read_log; "
READ += "print(sum(entry.decisions for entry in read_log(Path(sys.argv[1]))))"
FOLD = "import sys; from pathlib import Path; from tests.bench.bench_ratings import seconds_of_fold as seconds\n"
FOLD += "first, log, said = map(Path, sys.argv[1:4]); seconds(first, 1); "
FOLD += "said.write_text(str(seconds(log, int(sys.argv[4]))))"


class Growing:
    """Makes figures of which the first of its kind is what the others are compared with."""

    def __init__(self, first: str) -> None:
        self._first = first
        self._smallest: dict[str, float] = {}

    def figure(self, what: str, size: str, value: float, unit: str, goal: float | None = GOAL) -> Figure:
        """One measurement of that size."""
        smallest = self._smallest.setdefault(what, value)
        return Figure(f"{what}, {size}", value, unit, value / smallest, self._first, True, goal)


def write(path: Path, entries: list[LogEntry], count: int) -> Iterator[None]:
    """A log of so many games, one after the other."""
    path.unlink(missing_ok=True)
    with LogWriter(path) as log:
        for entry in islice(cycle(entries), count):
            yield log.append_entry(entry)


def micros_of_last(run: Callable[[], Iterable[object]], count: int) -> float:
    """Microseconds of processor time that a game takes when so many are done: the best thousand of ten at the end."""
    taken: list[float] = []
    for _ in range(1 + 9_999 // count):
        games = iter(run())
        thousands = [cpu_seconds(lambda games=games: deque(islice(games, 1000), 0)) for _ in range(count // 1000)]
        taken += thousands[-10:]
        deque(games, 0)
    return 1000 * min(taken)


def of_logs(folder: Path, python: Path, counts: list[int]) -> Iterator[Figure]:
    """Appending, verifying, and reading, of growing logs; what starting takes is left out."""
    simulation = make_simulation("fifth-avenue", 2, {"turn_limit": 1}, 1000, "growth")
    entries = [entry_of(record, packed) for record, packed in simulation.play_all(0)]
    growing = Growing(f"{counts[0]:,} games")
    verify: list[str | Path] = [python, "-m", "fa_cli", "replay", "verify"]
    deque(write(folder / "one.log", entries, 1), 0)
    starting = min(run_apart([*verify, folder / "one.log"], folder)[0] for _ in range(5))
    for count in counts:
        path = folder / "growing.log"
        size = f"{count:,} games"
        writing, reading = partial(write, path, entries, count), partial(read_log, path)
        yield growing.figure("appending", size, micros_of_last(writing, count), "us/game")
        yield growing.figure("reading", size, micros_of_last(reading, count), "us/game")
        yield growing.figure("memory of reading", size, run_apart([python, "-c", READ, path], folder)[1], "MB")
        tries = [run_apart([*verify, path], folder) for _ in range(3 if count < 10_000 else 1)]
        yield growing.figure("verifying", size, 1e6 * (min(tries)[0] - starting) / count, "us/game")
        yield growing.figure("memory of verifying", size, tries[0][1], "MB")
        listing: list[str | Path] = [python, "-m", "fa_cli", "replay", "list", path, "--format", "csv"]
        yield growing.figure("memory of listing", size, run_apart(listing, folder)[1], "MB")
        show: list[str | Path] = [python, "-m", "fa_cli", "replay", "show", path, "--game", str(count)]
        taken = min(run_apart(show, folder)[0] for _ in range(3))
        yield growing.figure("showing the last game", size, 1e3 * taken, "ms")


def of_leaderboards(folder: Path, python: Path, sizes: list[tuple[int, int]]) -> Iterator[Figure]:
    """Folding results into the index, and showing a leaderboard from it; more bots are more rows."""
    growing = Growing("{:,} bots, {:,} games".format(*sizes[0]))
    first = folder / "first" / "few.log"
    first.parent.mkdir()
    write_log(first, 2 * SEATS, bot_names(SEATS))  # two blocks: then there are intervals, and all for them is imported

    def measure(size: tuple[int, int]) -> tuple[float, float, float]:
        """Seconds per game of folding, MB, seconds of showing."""
        bots, games = size
        home = folder / f"{bots}-{games}"
        log = home / "logs" / "growing.log"
        log.parent.mkdir(parents=True)
        write_log(log, games, bot_names(bots))
        rounds = str(max(1, 5_000 // games))
        _, memory = run_apart([python, "-c", FOLD, first, log, home / "seconds", rounds], folder)
        seconds = float((home / "seconds").read_text())
        show = [python, "-m", "fa_cli", "--home", home, "leaderboard", "growing"]
        return seconds / games, memory, min(run_apart(show, folder)[0] for _ in range(3))

    with ThreadPoolExecutor(2) as pool:  # what is measured is processor time of processes of their own
        measured = {size: pool.submit(measure, size) for size in sorted(sizes, key=lambda size: -size[1])}
        for bots, games in sizes:
            folding, memory, showing = measured[bots, games].result()
            size = f"{bots:,} bots, {games:,} games"
            goal = GOAL if bots == sizes[0][0] else None
            yield growing.figure("leaderboards without TrueSkill", size, 1e6 * folding, "us/game", goal)
            yield growing.figure("memory of leaderboards", size, memory, "MB", goal)
            yield growing.figure("showing a leaderboard", size, 1e3 * showing, "ms", goal)


def definition(bots: int, games: int) -> Definition:
    """A round robin of four at a table."""
    named = [Bot(name, f"/{name}", ("true",), "/") for name in bot_names(bots)]
    setting = Setting("fifth-avenue", {"side": "five"}, 4, list(range(bots)))
    return Definition(
        name="growth",
        seed=Seed(bytes(32)),
        started="2026-01-01T00:00:00Z",
        bots=named,
        settings=[setting],
        games=games,
        clock=Clock(1000),
    )


def schedule(course: Schedule, games: int) -> None:
    """Take and settle so many jobs."""
    for _ in range(games):
        assert course.next_job()
        course.report_result((1, 2, 3, 4), ())


def of_schedules(sizes: list[tuple[int, int]]) -> Iterator[Figure]:
    """Time and memory of the schedule itself."""
    growing = Growing("{:,} bots, {:,} games".format(*sizes[0]))
    for bots, games in sizes:
        taken = cpu_seconds(partial(schedule, Schedule(definition(bots, games)), games))
        course = Schedule(definition(bots, games))
        tracemalloc.start()
        schedule(course, TRACED)
        memory = tracemalloc.get_traced_memory()[0] / 1e6
        tracemalloc.stop()
        size = f"{bots:,} bots, {games:,} games"
        goal = GOAL if bots == sizes[0][0] else None
        yield growing.figure("schedule", size, 1e6 * taken / games, "us/game", goal)
        yield growing.figure("memory of the schedule", size, memory, "MB", None)


def figures(short: bool) -> Iterator[Figure]:
    """All of them."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        python = plain_python(folder / "python")
        if short:
            yield from of_logs(folder, python, [1_000, 10_000])
            yield from of_leaderboards(folder, python, [(10, 1_000), (10, 10_000)])
            yield from of_schedules([(10, 1_000), (10, 10_000), (100, 10_000)])
            return
        yield from of_logs(folder, python, [1_000, 10_000, 100_000])
        sizes = [(10, 1_000), (10, 10_000), (10, 100_000), (100, 10_000), (1_000, 10_000)]
        yield from of_leaderboards(folder, python, sizes)
        yield from of_schedules(sizes)
