"""What folding a log costs beside bare TrueSkill calls, and a leaderboard of a million games beside starting Python.

The million games are not played: what is measured is what would be there afterwards, the index of a thousand
tournaments, each with what it holds of every bot. All in processor time, the least of several.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
import trueskill

from fa_cli.game_result import GameResult
from fa_cli.games.fifth_avenue.options import Options
from fa_cli.leaderboard import leaderboards
from fa_cli.leaderboard.index import NAME, Index, signature_of
from fa_cli.leaderboard.leaderboards import Selection
from fa_cli.leaderboard.live_index import LiveIndex
from fa_cli.leaderboard.rating import ratings, trueskill_step
from fa_cli.leaderboard.rating.trueskill_step import DRAW_PROBABILITY, MU, SIGMA, TAU
from fa_cli.leaderboard.selected_results import SelectedResults
from fa_cli.replay.frames import FIRST_LINE
from fa_cli.replay.log_entry import DIGEST_START, LogEntry
from fa_cli.replay.log_file import START, read_after, read_log
from fa_cli.replay.log_writer import LogWriter
from fa_cli.stats.strength.scale import BETA

from .figures import Figure, cpu_seconds, plain_python, run

SEATS = 4
DECISIONS, ACTION_BYTES = 130, 90
"""As random games of four have them."""
STARTED = "2026-01-01T00:00:00Z"
ALONE = "trueskill alone, one ladder"
SUMS = "sums of bots"
"""What is kept of each log for leaderboards."""
SECOND = 1000.0  # milliseconds


def bot_names(count: int) -> list[str]:
    """So many bots."""
    return [f"bot{number}" for number in range(count)]


def result(rng: random.Random, bots: Sequence[str]) -> tuple[list[str], GameResult, dict[str, list[int]]]:
    """Any result of four bots."""
    ranks = list(range(1, SEATS + 1))
    rng.shuffle(ranks)
    scores = [rng.randrange(60) for _ in ranks]
    about = {"asked": [40] * SEATS, "time_us": [900] * SEATS}
    return rng.sample(bots, SEATS), GameResult(scores, ranks, "businesses"), about


def write_log(path: Path, games: int, bots: Sequence[str]) -> None:
    """A log of results: what folds read of a log is there, and in place of actions as many bytes as games have."""
    rng = random.Random(1)
    source = {"name": path.stem, "seed": "00" * 32, "started": STARTED}
    options = msgspec.to_builtins(Options())
    with LogWriter(path) as log:
        for index in range(games):
            players, ended, meta = result(rng, bots)
            about = {"tournament": source, "number": index // SEATS, **meta}
            seed, digest, actions = (rng.randbytes(size) for size in (32, DIGEST_START // 2, ACTION_BYTES))
            taken = seed.hex(), DECISIONS, [], ended, digest.hex(), about, actions
            log.append_entry(LogEntry(index, "fifth-avenue", options, players, *taken))


@contextmanager
def stand_in() -> Iterator[None]:
    """Ratings that cost nothing."""
    real, ratings.rate = ratings.rate, lambda before, ranks: list(before)
    yield
    ratings.rate = real


def bare(path: Path, bots: Sequence[str]) -> None:
    """The log's games by the package alone, one ladder."""
    table = trueskill.TrueSkill(MU, SIGMA, BETA, TAU, DRAW_PROBABILITY)
    known = {bot: table.create_rating() for bot in bots}
    for players, ranks in [(entry.players, entry.result.ranks) for entry in read_log(path)]:
        rated = table.rate([(known[bot],) for bot in players], ranks=ranks)
        known.update({bot: one for bot, (one,) in zip(players, rated, strict=True)})


def step(path: Path, bots: Sequence[str]) -> None:
    """The same by the step on plain floats, or compiled where it is."""
    known = dict.fromkeys(bots, (MU, SIGMA))
    for players, ranks in [(entry.players, entry.result.ranks) for entry in read_log(path)]:
        rated = trueskill_step.rate([known[bot] for bot in players], [float(rank) for rank in ranks])
        known.update(zip(players, rated, strict=True))


def fold_live(path: Path) -> None:
    """The log's games into a new index, rated, in the chunks of a run."""
    (path.parent / NAME).unlink(missing_ok=True)
    live = LiveIndex(path, START, rated=True)
    for entry, position in read_after(path, START):
        live.add(entry, position)
        if position.index % 100 == 0:
            live.update()
    live.close()


def fold(path: Path) -> None:
    """All boards of one log into a new index."""
    (path.parent / NAME).unlink(missing_ok=True)
    leaderboards.leaderboard(Selection(path.parent, print, [path]))


def stand(path: Path) -> None:
    """The leaderboard of a log elsewhere that is too small to keep an index of."""
    leaderboards.leaderboard(Selection(path.parent / "elsewhere", print, [path]))


def seconds_of_fold(path: Path, rounds: int) -> float:
    """Processor time of the same without TrueSkill, the least of so many."""
    with stand_in():
        return min(cpu_seconds(lambda: fold(path)) for _ in range(rounds))


def of_folds(folder: Path, short: bool) -> Iterator[Figure]:
    """Folding beside TrueSkill alone, in turns."""
    games, bots, path = 500, bot_names(12), folder / "games.log"
    write_log(path, games, bots)

    def without_trueskill() -> None:
        with stand_in():
            fold(path)

    kinds: dict[str, Callable[[], object]] = {
        ALONE: lambda: bare(path, bots),
        "the step alone, one ladder": lambda: step(path, bots),
        "reading": lambda: list(read_log(path)),
        "one leaderboard from the log": lambda: stand(path),
        "all leaderboards into the index": lambda: fold(path),
        "the same without trueskill": without_trueskill,
        "indexed and rated in the chunks of a run": lambda: fold_live(path),
    }
    taken = dict.fromkeys(kinds, 1e9)
    for _ in range(3 if short else 4):
        for name, what in kinds.items():
            taken[name] = min(taken[name], cpu_seconds(what))
    for name, seconds in taken.items():
        yield Figure(name, 1e6 * seconds / games, "us/game", seconds / taken[ALONE], ALONE, True)


def make_index(folder: Path, logs: int, games: int, bots: Sequence[str]) -> None:
    """The index of so many tournaments of so many games, all with the same results; their logs have no games.

    What a leaderboard does not look at is that of the first tournament alone.
    """
    (folder / "t0000.log").unlink(missing_ok=True)
    write_log(folder / "t0000.log", games, bots)
    with stand_in():
        leaderboards.leaderboard(Selection(folder, print), None)
    with Index(folder / NAME) as index:
        (first,) = index.logs().values()
        results = SelectedResults(index, [first], first.name)
        sums = results.kept(SUMS, results.digest)
        assert sums is not None
        for number in range(1, logs):
            path = folder / f"t{number:04}.log"
            path.write_bytes(FIRST_LINE)
            position = msgspec.structs.replace(first.state.end, tag=b"%08d" % number)
            about = {"id": position.tag, "started": f"{STARTED} {number:04}", "signature": signature_of(path)}
            state = msgspec.structs.replace(first.state, **about, end=position)
            log = index._save(path.name, state)
            copied = SelectedResults(index, [log], log.name)
            copied.keep(SUMS, copied.digest, sums)
    leaderboards.leaderboard(Selection(folder, print), None, rated=False)


def of_a_million(folder: Path, short: bool) -> Iterator[Figure]:
    """The commands beside Python's start, in turns."""
    python = plain_python(folder / "python")
    commands = {"python -c pass": ["-c", "pass"]}
    for count in (10,) if short else (10, 1_000):
        home = folder / f"home{count}"
        (home / "logs").mkdir(parents=True)
        make_index(home / "logs", 1000, 1000, bot_names(count))
        show = ["-m", "fa_cli", "--home", str(home), "leaderboard"]
        commands[f"leaderboard of a million games, {count:,} bots"] = show
        commands[f"leaderboard of a million games by side, {count:,} bots"] = [*show, "--by", "side"]
    taken = dict.fromkeys(commands, 1e9)
    for _ in range(3 if short else 4):
        for name, arguments in commands.items():
            taken[name] = min(taken[name], run([python, *arguments], folder)[0])
    plain = taken.pop("python -c pass")
    for name, seconds in taken.items():
        yield Figure(name, 1000 * seconds, "ms", seconds / plain, "python -c pass", True, SECOND, False)


def figures(short: bool) -> Iterator[Figure]:
    """Both."""
    with tempfile.TemporaryDirectory() as name:
        yield from of_folds(Path(name), short)
        yield from of_a_million(Path(name), short)
