"""What a game costs the coordinator of a very large tournament: `python -m tests.bench.plan BOTS GAMES`.

These are the figures of docs/how-to/scaling.md. Games of the schedule and of the index have results alone; those on the
wire are random games.
"""

from __future__ import annotations

import resource
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from fa_cli.cluster.batch_messages import Answer, decode_answer, encode
from fa_cli.games import MODULES
from fa_cli.leaderboard.index import NAME
from fa_cli.match.simulate import make_simulation
from fa_cli.replay.log_entry import entry_of
from fa_cli.tournament.running.job_queue import JobResult
from fa_cli.tournament.schedule import Schedule

from .bench_growth import definition, schedule
from .bench_ratings import bot_names, fold, write_log
from .figures import cpu_seconds

PLAYED = 50
"""Games of each kind on the wire."""


def of_schedule(bots: int, games: int) -> Iterator[str]:
    """The schedule of a round robin of four at a table, which is balanced as a whole: of a hundred million games."""
    made = Schedule(definition(bots, 100_000_000))
    yield per_game("schedule", lambda: schedule(made, games), games)
    yield memory("schedule")


def of_index(bots: int, games: int) -> Iterator[str]:
    """A log of results, and the leaderboard made from it."""
    with tempfile.TemporaryDirectory() as name:
        log = Path(name) / "logs" / "plan.log"
        log.parent.mkdir()
        yield per_game("appending", lambda: write_log(log, games, bot_names(bots)), games)
        yield per_game("first leaderboard", lambda: fold(log), games)
        yield f"index: {(log.parent / NAME).stat().st_size / games:,.0f} bytes/game"
        yield memory("leaderboard")


def of_wire() -> Iterator[str]:
    """Random games of four as a worker's answer."""
    for name in MODULES:
        simulation = make_simulation(name, 4, {}, PLAYED, "plan")
        played = enumerate(simulation.play_all(1))
        results = [JobResult(number, entry_of(*game), seconds=0.1) for number, game in played]
        data = encode(Answer(results))
        yield f"answer, {name}: {len(data) / PLAYED:,.0f} bytes/game"
        yield per_game(f"decoding, {name}", partial(decode_answer, data), PLAYED)


def per_game(what: str, work: Callable[[], object], games: int) -> str:
    """The processor time that it takes."""
    return f"{what}: {1e6 * cpu_seconds(work) / games:,.0f} us/game"


def memory(what: str) -> str:
    """The most memory that this process has had so far."""
    return f"memory after the {what}: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MiB"


def main(bots: int, games: int) -> None:
    for part in (of_wire(), of_schedule(bots, games), of_index(bots, games)):
        for line in part:
            print(line, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
