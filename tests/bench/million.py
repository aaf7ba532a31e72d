"""A log of very many games, and what commands take for it: processor time, and the most memory.

    python -m tests.bench.million write FOLDER BOTS GAMES
    python -m tests.bench.million measure FOLDER

All games verify: some thousand random games of four, on both sides of the board and a few with a fault, are played, and
each is taken again and again for other tables of bots. A table plays one deal four times, each bot once in each seat,
and of several games it gets the one whose ranks fit the bots' strengths best.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from fa_cli.game_result import Fault, FaultKind, GameResult, rank_seats
from fa_cli.games import find_game
from fa_cli.games.seed import Seed
from fa_cli.isolation.discovery import Bot
from fa_cli.replay.log_entry import DIGEST_START, LogEntry, entry_of
from fa_cli.replay.log_writer import LogWriter
from fa_cli.replay.packing.times import rounded
from fa_cli.replay.record import Record, digest_of, make_record
from fa_cli.tournament.definition import TournamentPaths, create

from .bench_growth import definition
from .bench_ratings import SEATS, STARTED, bot_names
from .figures import run_apart

SIDES = ("five", "six")
POOL = 2_000
"""Games that are played on each side of the board."""
CHOICES = 3
"""Games of which a table gets one."""
FAULTS = 0.02
"""The share of games with a fault."""
GAME = 999_990
BY = ("side", "seat", "variant", "players", "game", "version")


def play(side: str, number: int) -> Record:
    """A random game. A seat that fails gets the first legal action from then on, as from a referee."""
    game, seed, rng = find_game("fifth-avenue"), Seed.from_text(side), random.Random(f"{side} {number}")
    options = game.make_options({"side": side})
    state = game.start(options, SEATS, seed.of_game(number))
    fault = Fault(rng.randrange(SEATS), rng.randrange(100), FaultKind.TIMEOUT) if rng.random() < FAULTS else None
    actions: list[str] = []
    times: list[int] = []
    asked, spent = [0] * SEATS, [0] * SEATS
    while (seat := state.actor) >= 0:
        legal = state.legal()
        is_substituted = fault and seat == fault.seat and len(actions) >= fault.ply
        action = legal[0] if is_substituted else rng.choice(legal)
        times += rounded([0 if is_substituted else int(1000 * rng.expovariate(1))])
        asked[seat] += not is_substituted
        spent[seat] += times[-1]
        actions.append(game.actions[action])
        state.apply(action)
    faults = [fault] if fault and fault.ply < len(actions) else []
    details = [{"seat": each.seat, "ply": each.ply, "detail": "did not answer in time"} for each in faults]
    meta = {"asked": asked, "time_us": spent, "times_us": times, **({"fault_details": details} if faults else {})}
    result = GameResult(state.scores(), rank_seats(state.standing(), faults), state.reason())
    return make_record(game.name, options, bot_names(SEATS), seed.of_game(number), actions, faults, result, meta)


def entries(bots: Sequence[str], games: int) -> Iterator[LogEntry]:
    """The log's games."""
    rng, source = random.Random(1), {"name": "million", "started": STARTED}
    pool = [[play(side, number) for number in range(POOL)] for side in SIDES]
    packed = [[entry_of(record) for record in records] for records in pool]
    for block in range(-(-games // SEATS)):
        side, table = block % len(SIDES), rng.sample(range(len(bots)), SEATS)
        for turn in range(min(SEATS, games - SEATS * block)):
            seated = table[turn:] + table[:turn]
            number = min(rng.choices(range(POOL), k=CHOICES), key=lambda at: _misfit(seated, pool[side][at]))
            record, entry = pool[side][number], packed[side][number]
            record.players = [bots[bot] for bot in seated]
            yield msgspec.structs.replace(
                entry,
                players=record.players,
                digest_start=digest_of(record)[:DIGEST_START],
                meta={"tournament": source, "number": block, **entry.meta},
            )


def _misfit(seated: Sequence[int], record: Record) -> int:
    """How badly the ranks fit: bots with small numbers are the better ones."""
    order = sorted(seated)
    return sum(abs(order.index(bot) + 1 - rank) for bot, rank in zip(seated, record.result.ranks, strict=True))


def write(folder: Path, bots: int, games: int) -> None:
    """A log and its tournament file."""
    paths = TournamentPaths(folder / "tournaments" / "million.json", folder / "logs" / "million.log")
    paths.log.parent.mkdir(parents=True)
    made = definition(bots, games)
    versioned = [Bot(each.name, f"/{each.name}", digest=f"{place:064x}"[::-1]) for place, each in enumerate(made.bots)]
    create(paths, msgspec.structs.replace(made, name="million", bots=versioned))
    with LogWriter(paths.log) as log:
        for entry in entries(bot_names(bots), games):
            log.append_entry(entry)


def measure(home: Path) -> Iterator[str]:
    """What each command takes, a line each: the first makes the index, and of each view it is the first time."""
    for file in (home / "logs").glob("index.sqlite*"):
        file.unlink()
    options = [f"--by={by}" for by in BY] + ["--matrix", "--seats", "--faults", "--option=side=six", "--sort=wins"]
    commands = [f"leaderboard {option}".strip() for option in ("", "", *options)]
    commands += [f"replay show million --game {GAME}", "results", "report -o report"]
    with tempfile.TemporaryDirectory() as folder:
        for command in commands:
            words = [sys.executable, "-m", "fa_cli", "--home", home.resolve(), *command.split()]
            seconds, memory = run_apart(words, Path(folder))
            yield f"{seconds:6.2f} s {memory:5.0f} MB  fa {command}"


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
    else:
        for line in measure(Path(sys.argv[2])):
            print(line, flush=True)
