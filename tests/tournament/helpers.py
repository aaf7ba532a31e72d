"""Small bots that start fast, tournaments whose games are not played, and results of games."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

import msgspec

from fa_cli.game_result import Fault, FaultKind, GameResult
from fa_cli.games.seed import Seed
from fa_cli.isolation.discovery import Bot
from fa_cli.protocol.messages import Clock
from fa_cli.tournament.definition import Definition, Setting
from fa_cli.tournament.formats.format import TournamentFormat
from fa_cli.tournament.formats.round_robin import RoundRobin
from fa_cli.tournament.request import Duplicate
from fa_cli.tournament.schedule import Job, Schedule

# Its choices follow from its seed and the number of decisions so far, so that it plays a game again in the same way. It
# imports nothing that Python has not loaded: `json` and `hashlib` would take as long as Python itself.
DICE = """import os, sys, time

def note(path, *words):
    with open(path, "a") as file:
        print(*words, file=file)

NAME = "{name}"
JSON = {{"true": True, "false": False, "null": None}}
for line in sys.stdin:
    message = eval(line, JSON)
    kind = message["type"]
    if kind == "hello":
        print('{{"type":"ready","wants":["legal"]}}', flush=True)
    elif kind == "start":
        seed, asked = NAME + message["bot_seed"], 0
        print('{{"type":"ready"}}', flush=True)
    elif kind == "decide":
        asked += 1
        {before}
        pick = pow(int.from_bytes(seed.encode(), "big"), asked + 2, 2**127 - 1) % len(message["legal"])
        print('{{"action":"%s"}}' % message["legal"][pick], flush=True)
"""


def dice(folder: Path, *names: str, before: str = "pass") -> list[Path]:
    """Write bots with these names into a folder; each runs the statement `before` before every answer."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.py" for name in names]
    for path in paths:
        path.write_text(DICE.format(name=path.stem, before=before))
    return paths


def setting(bots: int, players: int, **options: Any) -> Setting:
    """A setting in which the bots 0 to `bots` - 1 play."""
    return Setting("fifth-avenue", options, players, list(range(bots)))


def definition(
    settings: Sequence[Setting],
    games: int,
    duplicate: Duplicate = Duplicate.ROTATIONS,
    format_spec: TournamentFormat = RoundRobin(),  # noqa: B008 - it can't be changed
) -> Definition:
    """A tournament of bots that do not exist."""
    bots = max(max(setting.bots) for setting in settings) + 1
    return Definition(
        name="test",
        seed=Seed(bytes(32)),
        started="2026-01-01T00:00:00Z",
        bots=[Bot(f"bot{index}", f"bot{index}", ("true",), "/") for index in range(bots)],
        settings=list(settings),
        games=games,
        clock=Clock(),
        duplicate=duplicate,
        format_spec=format_spec,
    )


Ranks = Callable[[Job], Sequence[int]]


def ranked_by_place(job: Job) -> list[int]:
    """Ranks for a game: bots rank in the order of the definition."""
    return [1 + sum(other < bot for other in job.seats) for bot in job.seats]


def play_out(
    definition: Definition, ranks: Ranks = ranked_by_place, ahead: int = 1, faulted: Collection[int] = ()
) -> list[Job]:
    """All jobs of a tournament whose games end with `ranks`; up to `ahead` of them run at the same time."""
    schedule = Schedule(definition)
    jobs: list[Job] = []
    ended = 0
    while not schedule.is_over:
        while len(jobs) - ended < ahead and (job := schedule.next_job()):
            jobs.append(job)
        assert ended < len(jobs), "the schedule waits, though it has all results"
        schedule.report_result(ranks(jobs[ended]), faulted)
        ended += 1
    return jobs


class Game:
    """The result of a game, as leaderboards read it."""

    def __init__(
        self,
        players: Sequence[str],
        ranks: Sequence[int],
        *,
        scores: Sequence[int] = (),
        faulted: Sequence[int] = (),
        number: int | None = None,
        game: str = "fifth-avenue",
        meta: dict[str, Any] | None = None,
        **options: int | str,
    ) -> None:
        self.game = game
        self.options = options
        self.players = list(players)
        self.faults = [Fault(seat, 3, FaultKind.TIMEOUT) for seat in faulted]
        self.result = GameResult(list(scores or [10] * len(players)), list(ranks), "businesses")
        self.meta = {**(meta or {}), **({} if number is None else {"number": number})}


def as_kept(whole: Definition) -> Definition:
    """The definition as it is read from its file: without the bots' commands, and with absolute paths."""
    bots = [
        msgspec.structs.replace(bot, path=str(Path(bot.path).absolute()), command=(), folder="") for bot in whole.bots
    ]
    return msgspec.structs.replace(whole, bots=bots)
