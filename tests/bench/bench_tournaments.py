"""Decisions per second of tournaments: `fa tournament run` as a user types it, between bots that play at random.

Everything that a user waits for is part of it: starting, the sandbox where it works, games, log, ratings, leaderboard.
"In play" is from the first games in the log to the last; "end to end" is the whole command. Each is held against bare
lines to and fro through two pairs of processes, each pinned to a core, before and after it. The processor time of all
processes together depends less on other programs, but does not show what runs on one core alone. Needs a C compiler.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from fa_cli.errors import BotCannotRun
from fa_cli.isolation.bot_session import BotSession
from fa_cli.isolation.discovery import Bot, read_bot
from fa_cli.replay.log_file import read_log

from .figures import Figure, environment, plain_python
from .ping_pong import Rate, rate_of_two_pairs

HERE = Path(__file__).parent
ECHO = HERE / "random_c"
TWO_PAIRS = "bare lines to and fro, two pairs, each on a core"
GAMES = {"fifth-avenue": 2784, "manhattan": 2784, "new-york": 512}
"""Games of four in which bots are asked 300,000 times."""
STARTED = 0.01
"""The share of the log that is written before games count as in play."""
POLL = 0.005
"""Seconds between two looks at the log."""
SECONDS = 1.0
"""Of each ping-pong."""


class Field(NamedTuple):
    """Four bots of a kind."""

    name: str
    bot: Path
    share: float
    """Of GAMES."""
    in_play: float | None
    """The goal in play, as a ratio."""
    end_to_end: float | None


IN_C = Field("bots in C that want legal", ECHO, 1, 0.25, 0.2)
IN_PYTHON = Field("bots in Python that receive everything", HERE / "random_all.py", 0.25, 0.07, 0.07)
READING = Field("bots in Python that read everything", HERE / "random_reader.py", 0.25, None, None)


class Played(NamedTuple):
    """A tournament that was played."""

    asked: int
    """Decisions that bots were asked for."""
    seconds: float
    cpu_seconds: float
    sizes: list[tuple[float, int]]
    """Of its log: when, and how many bytes."""

    @property
    def in_play(self) -> float:
        """Decisions per second from the first games in the log to the last; all its bytes hold about as many."""
        whole = self.sizes[-1][1]
        begin, before = next(sample for sample in self.sizes if sample[1] >= STARTED * whole)
        end, _ = next(sample for sample in self.sizes if sample[1] == whole)
        return self.asked * (1 - before / whole) / (end - begin)


def command(python: Path, game: str, field: Field, games: int) -> list[str]:
    """A tournament of four equal bots, with the options' defaults, except that no load makes a bot late."""
    bots = [f"{name}={field.bot}" for name in "abcd"]
    fixed = ["--seed", "bench", "--name", "bench", "--jobs", "2", "--move-time", "10s"]
    return [str(python), "-m", "fa_cli", "tournament", "run", *bots, "--game", game, "--games", str(games), *fixed]


def play(run: list[str]) -> Played:
    """Run the command in an empty folder and watch its log grow."""
    sizes: list[tuple[float, int]] = []
    with tempfile.TemporaryDirectory() as folder, Path(folder, "stderr").open("w+") as stderr:
        log = Path(folder, "logs/bench.log")
        begin = time.perf_counter()
        process = subprocess.Popen(run, cwd=folder, env=environment(), stdout=subprocess.DEVNULL, stderr=stderr)
        while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
            if log.exists():
                sizes.append((time.perf_counter(), log.stat().st_size))
            time.sleep(POLL)
        taken = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(ended[1])
        assert process.returncode == 0, Path(stderr.name).read_text()
        return Played(decisions_asked(log), taken, ended[2].ru_utime + ended[2].ru_stime, sizes)


def decisions_asked(log: Path) -> int:
    """How many decisions bots were asked for; no bot may have failed."""
    entries = list(read_log(log))
    assert not any(entry.faults for entry in entries)
    return sum(sum(entry.meta["asked"]) for entry in entries)


def measure(python: Path, game: str, field: Field, games: int, rounds: int, seconds: float) -> Iterator[Figure]:
    """Three figures of a field in a game: the medians of the ratios to the ping-pong before and after each run."""
    play(command(python, game, field, games=8))  # builds the bot, and leaves bytecode
    pairs = [rate_of_two_pairs(ECHO, seconds)]
    taken = []
    for _ in range(rounds):
        taken.append(play(command(python, game, field, games)))
        pairs.append(rate_of_two_pairs(ECHO, seconds))
    beside = [mean_rate(*two) for two in pairwise(pairs)]
    name = f"{game}, four {field.name}"
    clock, cpu = [pair.by_clock for pair in beside], [pair.by_cpu for pair in beside]
    yield compared(f"{name}, in play", [one.in_play for one in taken], clock, field.in_play)
    yield compared(f"{name}, end to end", [one.asked / one.seconds for one in taken], clock, field.end_to_end)
    by_cpu = [2 * one.asked / one.cpu_seconds for one in taken]  # as if both cores had been busy throughout
    yield compared(f"{name}, end to end by processor time", by_cpu, cpu, None)


def mean_rate(one: Rate, other: Rate) -> Rate:
    """The mean of two measurements."""
    return Rate((one.by_clock + other.by_clock) / 2, (one.by_cpu + other.by_cpu) / 2)


def compared(name: str, rates: list[float], pairs: list[float], goal: float | None) -> Figure:
    """The best rate, and the median of the ratios to the pairs measured beside each."""
    ratio = statistics.median(rate / pair for rate, pair in zip(rates, pairs, strict=True))
    return Figure(name, max(rates), "decisions/s", ratio, TWO_PAIRS, goal=goal)


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


def figures(short: bool) -> Iterator[Figure]:
    """Tournaments of each game and kind of bot, of the same length in both forms, then how long bots take to start."""
    try:
        in_c = read_bot(ECHO)
    except BotCannotRun as error:
        print(f"tournaments can't be measured here: {error}", file=sys.stderr)
        return
    fields = [(IN_C, list(GAMES)), (IN_PYTHON, list(GAMES)), (READING, [] if short else ["fifth-avenue"])]
    with tempfile.TemporaryDirectory() as folder:
        python = plain_python(Path(folder, "python"))
        for field, games in fields:
            for game in games:
                count = int(GAMES[game] * field.share)
                yield from measure(python, game, field, count, 1 if short else 2, SECONDS)
    bare = rate_of_two_pairs(ECHO, SECONDS)
    yield Figure(TWO_PAIRS, bare.by_clock, "lines/s", 1.0, "itself")
    milliseconds, ratio = start_ratio(read_bot(IN_PYTHON.bot), in_c, 5 if short else 9)
    yield Figure("start of a bot in Python", milliseconds, "ms", ratio, "start of one in C", True)
