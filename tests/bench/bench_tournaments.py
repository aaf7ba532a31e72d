"""Decisions per second of tournaments: `fa tournament run` as a user types it, between bots that play at random.

Everything that a user waits for is part of it: starting, the sandbox where it works, games, log, ratings, leaderboard.
"In play" is from the first games in the log to the last; "end to end" is the whole command. Each is held against bare
lines to and fro through two pairs of processes, each pinned to a core, before and after it. The processor time of all
processes together depends less on other programs, but does not show what runs on one core alone. Needs a C compiler.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from fa_cli.errors import BotCannotRun
from fa_cli.isolation.bot_session import BotSession
from fa_cli.isolation.discovery import Bot, read_bot
from fa_cli.replay.log_file import read_log

from . import fastchess
from .end_to_end import ECHO, SECONDS, TWO_PAIRS, Played, compared, in_turns, rates, watch
from .figures import Figure, plain_python
from .ping_pong import rate_of_two_pairs

HERE = Path(__file__).parent
GAMES = {"fifth-avenue": 2784, "manhattan": 2784, "new-york": 512}
"""Games of four in which bots are asked 300,000 times."""
WARM = 48
"""Games that build a bot and leave bytecode for those that are measured."""


class Field(NamedTuple):
    """Four bots of a kind."""

    name: str
    bot: Path
    share: float
    """Of GAMES."""
    in_play: float | None
    """The goal in play, as a ratio."""
    end_to_end: float | None


IN_C = Field("bots in C that want legal", ECHO, 3, 0.25, 0.2)
IN_PYTHON = Field("bots in Python that receive everything", HERE / "random_all.py", 1.5, 0.07, 0.07)
READING = Field("bots in Python that read everything", HERE / "random_reader.py", 0.15, None, None)


def command(python: Path, game: str, field: Field, games: int) -> list[str | Path]:
    """A tournament of four equal bots, with the options' defaults, except that no load makes a bot late."""
    bots = [f"{name}={field.bot}" for name in "abcd"]
    fixed = ["--seed", "bench", "--name", "bench", "--jobs", "2", "--move-time", "10s"]
    return [python, "-m", "fa_cli", "tournament", "run", *bots, "--game", game, "--games", str(games), *fixed]


def play(python: Path, game: str, field: Field, games: int) -> Played:
    """Play a tournament in a folder of its own. Only decisions that a bot was asked for count; none may fail."""
    with tempfile.TemporaryDirectory() as name:
        log = Path(name, "logs/bench.log")
        ended = watch(command(python, game, field, games), Path(name), log)
        entries = list(read_log(log))
    assert not any(entry.faults for entry in entries)
    return rates(ended, sum(sum(entry.meta["asked"]) for entry in entries))


def start_ratio(bot: Bot, plain: Bot, rounds: int) -> tuple[float, float]:
    """Milliseconds until a bot has greeted, and their ratio to another's; the shortest of several each."""

    def seconds(one: Bot) -> float:
        session = BotSession(one)
        begin = time.perf_counter()
        assert session.greet() is None
        taken = time.perf_counter() - begin
        session.close()
        return taken

    seconds(bot)  # the supervisor server starts with the first
    taken = [(seconds(bot), seconds(plain)) for _ in range(rounds)]
    fastest = min(taken)[0]
    return 1000 * fastest, fastest / min(other for _, other in taken)


def of_fields(rounds: int, short: bool) -> Iterator[Figure]:
    """Each kind of bot in each game; those that read everything in one, in the short form those in Python too."""
    with tempfile.TemporaryDirectory() as folder:
        python = plain_python(Path(folder, "python"))
        fields = [(IN_C, 3), (IN_PYTHON, 1)] if short else [(IN_C, 3), (IN_PYTHON, 3), (READING, 1)]
        for field, games in fields:
            for game in list(GAMES)[:games]:
                play(python, game, field, WARM)
                count = int(GAMES[game] * field.share)
                taken = in_turns(partial(play, python, game, field, count), rounds)
                yield from compared(f"{game}, four {field.name}", taken, field.in_play, field.end_to_end)


def figures(short: bool) -> Iterator[Figure]:
    """Tournaments, each as long in both forms, then fastchess, then how long bots take to start."""
    try:
        in_c = read_bot(ECHO)
    except BotCannotRun as error:
        print(f"tournaments can't be measured here: {error}", file=sys.stderr)
        return
    rounds = 1 if short else 2
    yield from of_fields(rounds, short)
    yield from fastchess.figures(rounds)
    yield Figure(TWO_PAIRS, rate_of_two_pairs(ECHO, SECONDS).by_clock, "lines/s", 1.0, "itself")
    milliseconds, ratio = start_ratio(read_bot(IN_PYTHON.bot), in_c, 5 if short else 9)
    yield Figure("start of a bot in Python", milliseconds, "ms", ratio, "start of one in C", True)
