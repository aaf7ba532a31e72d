"""Logs of random games: how small they are, what appending costs, and how fast they are verified.

The log of a tournament has times of decisions; that of random play, measured below it, has none. Sizes are bytes per
decision with everything that a record holds, digests and seeds included, beside the same records as JSON lines, plain
and compressed, and beside the entropy of the choices, below which nothing can get that keeps them. Speeds are ratios to
random play by the same engine (legal list, choice, apply), measured in turns with it on one core.
"""

from __future__ import annotations

import lzma
import math
import random
import statistics
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from fa_cli.games import GAMES, find_game
from fa_cli.games.game import Game
from fa_cli.match.simulate import make_simulation
from fa_cli.replay.log_entry import LogEntry, entry_of
from fa_cli.replay.log_file import read_log
from fa_cli.replay.log_writer import LogWriter
from fa_cli.replay.record import encode_record
from fa_cli.replay.verify import check

from .bench_tournaments import IN_C, IN_PYTHON, Field, command
from .figures import Figure, cpu_seconds, plain_python, run

GAMES_OF_TOURNAMENTS = 120
TIMES = ("asked", "time_us", "times_us")


def play_again(game: Game, entries: list[LogEntry]) -> None:
    """As many decisions of random play as the entries have, and as many deals."""
    options = game.make_options(entries[0].options)
    choose = random.Random(1).random
    for entry in entries:
        state = game.start(options, len(entry.players), bytes.fromhex(entry.seed))
        while state.actor >= 0:
            legal = state.legal()
            state.apply(legal[int(choose() * len(legal))])


def verify(entries: list[LogEntry]) -> None:
    """Every record is good."""
    assert not any(check(entry) for entry in entries)


def write(path: Path, entries: list[LogEntry]) -> None:
    """A log from packed entries, as a tournament writes it."""
    path.unlink(missing_ok=True)
    with LogWriter(path) as log:
        for entry in entries:
            log.append_entry(entry)


def entropy(entries: list[LogEntry]) -> float:
    """Bytes that the choices of uniformly random play hold at the least."""
    lists = (entry.record(legal=True).legal for entry in entries)
    return sum(math.log2(len(legal)) for record in lists for legal in record or ()) / 8


def zstd(data: bytes) -> int | None:
    """The size as zstd leaves it at its level 19, where it is installed."""
    try:
        import zstandard
    except ImportError:
        return None
    return len(zstandard.ZstdCompressor(level=19).compress(data))


def of_size(name: str, entries: list[LogEntry], path: Path) -> Iterator[Figure]:
    """Bytes per decision of the log, and of what it is compared with."""
    decisions = sum(entry.decisions for entry in entries)
    lines = b"".join(encode_record(entry.record()) + b"\n" for entry in read_log(path))
    least = entropy(entries)
    sizes = {
        "JSON lines": len(lines),
        "JSON lines, zlib": len(zlib.compress(lines, 9)),
        "JSON lines, xz": len(lzma.compress(lines)),
        "JSON lines, zstd": zstd(lines),
        "log": path.stat().st_size,
    }
    for what, size in sizes.items():
        if size is not None:
            goal = 1.0 if what == "log" and name.startswith("fifth-avenue") else None
            per = size / decisions
            yield Figure(
                f"{what}, {name}", per, "bytes/decision", size / least, "entropy of the choices", True, goal, False
            )


def measure(name: str, players: int, path: Path, short: bool) -> Iterator[Figure]:
    """Sizes and speeds for one game and number of players."""
    game = find_game(name)
    simulation = make_simulation(name, players, {}, 20 if short else 60, "bench")
    entries = [entry_of(record, packed) for record, packed in simulation.play_all(1)]
    write(path, entries)
    title = f"{name} {players} players"
    if not short:
        yield from of_size(title, entries, path)
    many = entries * (300 // len(entries))  # so that opening a log does not count
    taken = [
        (
            cpu_seconds(lambda: play_again(game, entries)),
            cpu_seconds(lambda: verify(entries)),
            min(cpu_seconds(lambda: write(path, many)) for _ in range(3)),
        )
        for _ in range(3 if short else 10)
    ]
    decisions = sum(entry.decisions for entry in entries)
    _, checked, written = map(min, zip(*taken, strict=True))
    playing = "random play by the same engine"
    # the machine is now faster, now slower: what was measured next to each other is compared
    speed = statistics.median(play / check for play, check, _ in taken)
    yield Figure(f"verifying, {title}", decisions / checked, "decisions/s", speed, playing, goal=0.9)
    share = statistics.median(write / play for play, _, write in taken) * len(entries) / len(many)
    yield Figure(f"appending, {title}", 1e6 * written / len(many), "us/game", share, playing, True, 0.05)


def of_tournament(python: Path, game: str, field: Field, home: Path) -> Iterator[Figure]:
    """The log of a tournament of four, with the times of all decisions, and what these take of it."""
    home.mkdir()
    run(command(python, game, field, GAMES_OF_TOURNAMENTS), home)
    log, without = home / "logs/bench.log", home / "without.log"
    entries = list(read_log(log))
    decisions = sum(entry.decisions for entry in entries)
    metas = [{name: value for name, value in entry.meta.items() if name not in TIMES} for entry in entries]
    bare = [msgspec.structs.replace(entry, times=None, meta=meta) for entry, meta in zip(entries, metas, strict=True)]
    write(without, bare)
    whole, rest = log.stat().st_size / decisions, without.stat().st_size / decisions
    what, to = f"{game}, four {field.name}", "the log without times"
    yield Figure(f"log of a tournament, {what}", whole, "bytes/decision", whole / rest, to, True, 1.2, False)
    yield Figure(f"times in it, {what}", whole - rest, "bytes/decision", (whole - rest) / rest, to, True, 0.5, False)


def figures(short: bool) -> Iterator[Figure]:
    """All games and numbers of players, then tournaments."""
    with tempfile.TemporaryDirectory() as folder:
        python = plain_python(Path(folder, "python"))
        for game in GAMES:
            for field in (IN_C,) if short else (IN_C, IN_PYTHON):
                yield from of_tournament(python, game.name, field, Path(folder, f"{game.name}-{field.bot.stem}"))
        for game in GAMES:
            for players in game.players:
                yield from measure(game.name, players, Path(folder, "bench.log"), short)
