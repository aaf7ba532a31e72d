"""Logs of random games: how small they are, what appending costs, and how fast they are verified.

Sizes are bytes per decision with everything that a record holds, digests and seeds included, beside the same records as
JSON lines, plain and compressed, and beside the entropy of the choices, below which nothing can get that keeps them.
Speeds are ratios to random play by the same engine (legal list, choice, apply), measured in turns with it on one core.
"""

from __future__ import annotations

import lzma
import math
import random
import statistics
import tempfile
import time
import zlib
from collections.abc import Callable
from pathlib import Path

from fa_cli.games import GAMES, find_game
from fa_cli.games.core import Game
from fa_cli.match.simulate import plan
from fa_cli.replay.entries import Entry, entry_of
from fa_cli.replay.files import LogWriter, read_log
from fa_cli.replay.record import encode_record
from fa_cli.replay.verify import check

GAMES_PLAYED = 150
ROUNDS = 5


def seconds(work: Callable[[], object]) -> float:
    """Processor time of this process; what others do on the machine counts little."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def play_again(game: Game, entries: list[Entry]) -> None:
    """As many decisions of random play as the entries have, and as many deals."""
    options = game.make_options(entries[0].options)
    choose = random.Random(1).random
    for entry in entries:
        state = game.start(options, len(entry.players), bytes.fromhex(entry.seed))
        while state.actor >= 0:
            legal = state.legal()
            state.apply(legal[int(choose() * len(legal))])


def verify(entries: list[Entry]) -> None:
    """Every record is good."""
    assert not any(check(entry) for entry in entries)


def write(path: Path, entries: list[Entry]) -> None:
    """A log from packed entries, as a tournament writes it."""
    path.unlink(missing_ok=True)
    with LogWriter(path) as log:
        for entry in entries:
            log.append_entry(entry)


def entropy(entries: list[Entry]) -> float:
    """Bytes that the choices of uniformly random play hold at the least."""
    lists = (entry.record(legal=True).legal for entry in entries)
    return sum(math.log2(len(legal)) for record in lists for legal in record or ()) / 8


def measure(name: str, players: int, options: dict[str, str], path: Path) -> None:
    """Print one row."""
    game = find_game(name)
    simulation = plan(name, players, options, GAMES_PLAYED, "bench")
    entries = [entry_of(record, packed) for record, packed in simulation.play_all(1)]
    write(path, entries)
    decisions = sum(entry.decisions for entry in entries)
    lines = b"".join(encode_record(entry.record()) + b"\n" for entry in read_log(path))
    sizes = [path.stat().st_size, entropy(entries), len(lines), len(zlib.compress(lines, 9)), len(lzma.compress(lines))]
    rounds = [
        (
            seconds(lambda: play_again(game, entries)),
            seconds(lambda: verify(entries)),
            seconds(lambda: write(path, entries)),
        )
        for _ in range(ROUNDS)
    ]
    faster = statistics.median(play / checked for play, checked, _ in rounds)
    share = statistics.median(written / play for play, _, written in rounds)
    columns = "".join(f"{size / decisions:>9.3f}" for size in sizes)
    print(f"{name:<14}{players:>7}{decisions / len(entries):>11.0f}{columns}{faster:>11.2f}{100 * share:>10.1f}%")


def main() -> None:
    """A row per game and number of players."""
    print(f"{'':<32}{'bytes per decision':^45}{'verifying':>11}{'appending':>11}")
    print(f"{'game':<14}{'players':>7}{'decisions':>11}{'log':>9}{'entropy':>9}{'JSON':>9}{'zlib':>9}{'xz':>9}", end="")
    print(f"{'/ playing':>11}{'/ playing':>11}")
    with tempfile.TemporaryDirectory() as folder:
        for game in GAMES:
            for players in game.players:
                measure(game.name, players, {}, Path(folder, "bench.log"))


if __name__ == "__main__":
    main()
