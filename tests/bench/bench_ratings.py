"""What folding a log costs beside bare TrueSkill calls, and a leaderboard of a million games beside starting Python.

The million games are not played: what is measured is what would be there afterwards, the index of a thousand
tournaments, each with what it holds of every bot.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

from fa_cli import ratings
from fa_cli.games.fifth_avenue.options import Options
from fa_cli.replay.files import START, LogWriter, Mark, read_log
from fa_cli.replay.record import make_record
from fa_cli.results import GameResult
from fa_cli.tournament import leaderboards
from fa_cli.tournament.boards import Boards
from fa_cli.tournament.index import NAME, Index, Known, Progress, Step, place_of
from fa_cli.tournament.leaderboards import Request
from fa_cli.tournament.standings import stand

BOTS = [f"bot{number}" for number in range(12)]
SEATS = 4
OPTIONS = [Options(), Options(side="six")]
STARTED = "2026-01-01T00:00:00Z"
ROUNDS = 7


def result(rng: random.Random) -> tuple[list[str], GameResult, dict[str, list[int]]]:
    """Any result of four bots."""
    ranks = list(range(1, SEATS + 1))
    rng.shuffle(ranks)
    scores = [rng.randrange(60) for _ in ranks]
    return (
        rng.sample(BOTS, SEATS),
        GameResult(scores, ranks, "businesses"),
        {"asked": [40] * SEATS, "time_us": [900] * SEATS},
    )


def write_log(path: Path, games: int) -> None:
    """A log of results without any action: what folds read of a log is there."""
    rng = random.Random(1)
    source = {"name": path.stem, "seed": "00" * 32, "started": STARTED}
    with LogWriter(path) as log:
        for index in range(games):
            players, ended, meta = result(rng)
            about = {"tournament": source, "number": index // SEATS, **meta}
            log.append(make_record("fifth-avenue", OPTIONS[0], players, rng.randbytes(32), [], [], ended, about))


def bare(path: Path) -> None:
    """The log's games by the package alone, one ladder."""
    table = ratings._table(None)
    known = {bot: table.create_rating() for bot in BOTS}
    for players, ranks in [(entry.players, entry.result.ranks) for entry in read_log(path)]:
        rated = table.rate([(known[bot],) for bot in players], ranks=ranks)
        known.update({bot: one for bot, (one,) in zip(players, rated, strict=True)})


def seconds(what: Callable[[], object]) -> float:
    """Processor time, least of three."""
    taken = []
    for _ in range(3):
        ratings._answer.cache_clear()
        begin = time.process_time()
        what()
        taken.append(time.process_time() - begin)
    return min(taken)


def fold_of(path: Path) -> Callable[[], object]:
    """The fold of one log with all its boards into a new index."""

    def fold() -> object:
        (path.parent / NAME).unlink(missing_ok=True)
        return leaderboards.leaderboard(Request(path.parent, path), print)

    return fold


def bench_fold(folder: Path, games: int) -> None:
    """Folding beside TrueSkill alone."""
    path = folder / "games.log"
    write_log(path, games)
    alone = seconds(lambda: bare(path))
    for name, what in (
        ("trueskill alone, one ladder", lambda: bare(path)),
        ("reading", lambda: list(read_log(path))),
        ("one leaderboard from the log", lambda: stand([path])),
        ("all leaderboards into the index", fold_of(path)),
    ):
        taken = seconds(what)
        print(f"{name:<34} {1e6 * taken / games:7.0f} us a game  {taken / alone:5.2f} x")


def make_index(folder: Path, logs: int, games: int) -> None:
    """The index of so many tournaments of so many games, all with the same results; their logs are empty files."""
    rng, boards = random.Random(2), Boards()
    with stand_in():
        for game in range(2000):
            players, ended, meta = result(rng)
            side = {"side": "five"} if game // SEATS % 2 else {"side": "six"}
            about = {"number": game // SEATS, **meta}
            entry = SimpleNamespace(game="fifth-avenue", options=side, players=players, faults=[])
            entry.result, entry.meta = ended, about
            boards.add(entry, "t", game)
    changes = list(boards.take_changes())
    known: dict[str, Known] = {}
    reached = []
    for number in range(logs):
        path = folder / f"t{number:04}.log"
        path.touch()
        known[path.name] = Known(leaderboards._signature(path), STARTED)
        place = place_of(STARTED, path.name)
        reached.append(Progress(place, known[path.name].signature, Mark(games, 1, START.tag), START))
    with Index(folder / NAME) as index:
        index.save("", 0, Step(None, reached, changes))
        index.know_logs(known)


@contextlib.contextmanager
def stand_in() -> Iterator[None]:
    """Ratings that cost nothing."""
    real, ratings._answer = ratings._answer, lambda before, ranks: list(before)
    yield
    ratings._answer = real


def bench_show(home: Path, logs: int, games: int) -> None:
    """The commands beside Python's start, in turns."""
    (home / "logs").mkdir(parents=True)
    begin = time.perf_counter()
    make_index(home / "logs", logs, games)
    size = (home / "logs" / NAME).stat().st_size
    took = time.perf_counter() - begin
    print(f"index of {logs * games} games in {logs} logs: {size / 1e6:.1f} MB, made in {took:.0f} s")
    commands = {
        "python -c pass": ["-c", "pass"],
        "fa --help": ["-m", "fa_cli", "--help"],
        "fa leaderboard": ["-m", "fa_cli", "--home", str(home), "leaderboard"],
        "fa leaderboard --by side": ["-m", "fa_cli", "--home", str(home), "leaderboard", "--by", "side"],
    }
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, arguments in commands.items():
            begin = time.perf_counter()
            subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True, env=os.environ)
            taken[name].append(time.perf_counter() - begin)
    plain = statistics.median(taken["python -c pass"])
    for name, times in taken.items():
        print(f"{name:<34} {1000 * statistics.median(times):7.0f} ms         {statistics.median(times) / plain:5.1f} x")


def main() -> None:
    """Print both."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--logs", type=int, default=1000)
    parser.add_argument("--games", type=int, default=1000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench_fold(Path(folder), 500)
        bench_show(Path(folder) / "home", asked.logs, asked.games)


if __name__ == "__main__":
    main()
