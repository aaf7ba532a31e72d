"""Whether a game costs the same, in time and memory, however many games and bots there are.

Logs grow by the same thousand games again and again, which a log and a verifier treat like any other. The ratio is
that of a game's time to the one of the smallest size, or of the memory to that of the smallest.
"""

from __future__ import annotations

import tempfile
import tracemalloc
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

from fa_cli.match.simulate import plan
from fa_cli.protocol.bots import Bot
from fa_cli.protocol.messages import Clock
from fa_cli.replay.entries import Entry, entry_of
from fa_cli.replay.files import LogWriter
from fa_cli.tournament.config import Definition, Setting
from fa_cli.tournament.schedule import Course

from .figures import Figure, cpu_seconds, plain_python, run

GOAL = 1.5
READ = "import sys; from pathlib import Path; from fa_cli.replay.files import read_log; "
READ += "print(sum(entry.decisions for entry in read_log(Path(sys.argv[1]))))"


def write(path: Path, entries: list[Entry], count: int) -> None:
    """A log of so many games."""
    with LogWriter(path) as log:
        for entry in islice(cycle(entries), count):
            log.append_entry(entry)


def of_logs(folder: Path, short: bool) -> Iterator[Figure]:
    """Appending, verifying, and listing, of growing logs."""
    python = plain_python(folder / "python")
    simulation = plan("manhattan", 2, {}, 1000, "growth")
    entries = [entry_of(record, packed) for record, packed in simulation.play_all(0)]
    smallest: dict[str, float] = {}

    def figure(what: str, count: int, value: float, unit: str) -> Figure:
        first = smallest.setdefault(what, value)
        return Figure(f"{what}, {count:,} games", value, unit, value / first, "1,000 games", True, GOAL)

    for count in (1_000, 2_000) if short else (1_000, 10_000, 100_000):
        path = folder / f"{count}.log"
        taken = cpu_seconds(lambda path=path, count=count: write(path, entries, count))
        yield figure("appending", count, 1e6 * taken / count, "us/game")
        if count <= 10_000:
            seconds, memory = run([python, "-m", "fa_cli", "replay", "verify", str(path)], folder)
            yield figure("verifying, with the start", count, 1e6 * seconds / count, "us/game")
            yield figure("memory of verifying", count, memory, "MB")
        seconds, memory = run([python, "-c", READ, str(path)], folder)
        yield figure("reading, with the start", count, 1e6 * seconds / count, "us/game")
        yield figure("memory of reading", count, memory, "MB")


def definition(bots: int, games: int) -> Definition:
    """A round robin of four at a table."""
    named = [Bot(f"bot{number}", f"/bot{number}", ("true",), "/") for number in range(bots)]
    setting = Setting("fifth-avenue", {"side": "five"}, 4, list(range(bots)))
    return Definition(
        name="growth",
        seed="00" * 32,
        started="2026-01-01T00:00:00Z",
        bots=named,
        settings=[setting],
        games=games,
        clock=Clock(1000),
    )


def schedule(course: Course, games: int) -> None:
    """Take and settle so many jobs."""
    for _ in range(games):
        assert course.next()
        course.tell((1, 2, 3, 4), ())


def of_schedules(short: bool) -> Iterator[Figure]:
    """Time and memory of the schedule itself."""
    first_time = first_memory = 0.0
    for bots, games in (
        (10, 1_000),
        (10, 10_000),
        (100, 10_000),
        (1_000, 10_000),
        *([] if short else [(100, 100_000)]),
    ):
        taken = cpu_seconds(lambda bots=bots, games=games: schedule(Course(definition(bots, games)), games))
        course = Course(definition(bots, games))
        tracemalloc.start()
        schedule(course, min(games, 10_000))
        memory = tracemalloc.get_traced_memory()[0] / 1e6
        tracemalloc.stop()
        micros = 1e6 * taken / games
        first_time, first_memory = first_time or micros, first_memory or memory
        name = f"{bots:,} bots, {games:,} games"
        yield Figure(f"schedule, {name}", micros, "us/game", micros / first_time, "10 bots, 1,000 games", True)
        yield Figure(f"memory of the schedule, {name}", memory, "MB", memory / first_memory, "the same", True)


def figures(short: bool) -> Iterator[Figure]:
    """Both."""
    with tempfile.TemporaryDirectory() as folder:
        yield from of_logs(Path(folder), short)
    yield from of_schedules(short)
