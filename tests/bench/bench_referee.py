"""How fast the referee is: whole games between instant bots, against bare lines to and fro through a pair of pipes.

Everything sits on one core, as a worker and its bots do; each round measures both in turns, and the ratio counts.
Needs a C compiler.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from fa_cli.errors import BotCannotRun
from fa_cli.games import GAMES
from fa_cli.games.chance import game_seed
from fa_cli.games.core import Game
from fa_cli.match.referee import play
from fa_cli.protocol.bots import Bot, read_bot
from fa_cli.protocol.messages import Clock
from fa_cli.protocol.session import Session
from fa_cli.replay.files import read_log

from .figures import Figure

HERE = Path(__file__).parent
SECONDS = 0.5
PLAYERS = 4
LINE = b'{"type":"decide","id":17,"legal":["pass","bid brown 5"]}\n'


def pin() -> None:
    """Keep this process and what it starts on one core, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def ping_pong_rate(bot: Bot) -> float:
    """Lines to and fro per second, without any protocol."""
    with subprocess.Popen(
        [*bot.command, "echo"], cwd=bot.folder, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin and process.stdout
        there, back = process.stdin.fileno(), process.stdout.fileno()
        turns = 0
        begin = time.perf_counter()
        while (taken := time.perf_counter() - begin) < SECONDS:
            for _ in range(100):
                os.write(there, LINE)
                os.read(back, 65536)
            turns += 100
        process.stdin.close()
    return turns / taken


def play_rate(game: Game, sessions: list[Session]) -> float:
    """Decisions asked per second of whole games."""
    asked = number = 0
    begin = time.perf_counter()
    while (taken := time.perf_counter() - begin) < SECONDS:
        seed = game_seed(bytes(32), number)
        record, _ = play(game, game.options(), sessions, list("abcd"), seed, Clock(10_000))
        assert not record.faults, record.meta
        asked += sum(record.meta["asked"])
        number += 1
    return asked / taken


def measure(game: Game, bot: Bot, pong: Bot, rounds: int) -> tuple[float, float]:
    """Decisions per second, and the median over the rounds of their ratio to lines per second."""
    sessions = [Session(bot) for _ in range(PLAYERS)]
    try:
        play_rate(game, sessions)  # the first games start the processes
        taken = [(play_rate(game, sessions), ping_pong_rate(pong)) for _ in range(rounds)]
    finally:
        for session in sessions:
            session.close()
    return max(played for played, _ in taken), statistics.median(played / lines for played, lines in taken)


def start_ratio(bot: Bot, plain: Bot) -> tuple[float, float]:
    """Milliseconds until a bot has greeted, and their ratio to another's; the shortest of several each."""

    def seconds(one: Bot) -> float:
        session = Session(one)
        begin = time.perf_counter()
        assert session.greet() is None
        taken = time.perf_counter() - begin
        session.close()
        return taken

    seconds(bot)  # the keeper starts with the first
    taken = [(seconds(bot), seconds(plain)) for _ in range(7)]
    fastest = min(taken)[0]
    return 1000 * fastest, fastest / min(other for _, other in taken)


def tournament_rate(folder: Path, bot: Path, games: int) -> float:
    """Decisions asked per second of a whole tournament of four bots on two workers, from the command to its end."""
    command = [sys.executable, "-m", "fa_cli", "--home", str(folder), "-q", "tournament", "run"]
    bots = [f"{name}={bot}" for name in "abcd"]
    begin = time.perf_counter()
    subprocess.run(
        [*command, *bots, "--games", str(games), "--jobs", "2", "--seed", "bench", "--name", f"bench{games}"],
        check=True,
        capture_output=True,
    )
    taken = time.perf_counter() - begin
    asked = sum(sum(entry.meta["asked"]) for entry in read_log(folder / "logs" / f"bench{games}.log"))
    return asked / taken


def figures(short: bool) -> Iterator[Figure]:
    """A figure per game and bot, then a whole tournament."""
    try:
        instant = read_bot(HERE / "instant")
    except BotCannotRun as error:
        print(f"the referee can't be measured here: {error}", file=sys.stderr)
        return
    python = read_bot(HERE / "first.py")
    rounds = 3 if short else 5
    lines = "bare lines to and fro on one core"
    with tempfile.TemporaryDirectory() as folder:
        short_run, long_run = (20, 100) if short else (50, 250)
        rates = [tournament_rate(Path(folder), HERE / "instant", games) for games in (short_run, long_run)]
        bare = ping_pong_rate(instant)
        for games, rate in zip((short_run, long_run), rates, strict=True):
            name = f"tournament of {games} games, two workers, C bots"
            yield Figure(name, rate, "decisions/s", rate / bare, "bare lines to and fro, anywhere")
    pin()
    yield Figure("bare lines to and fro on one core", ping_pong_rate(instant), "lines/s", 1.0, "itself")
    for game in GAMES:
        for title, bot, goal in (("C, wants legal", instant, 0.2), ("Python, wants all", python, 12 / 178)):
            rate, ratio = measure(game, bot, instant, rounds)
            its = goal if game.name == "fifth-avenue" else None
            yield Figure(f"{game.name}, four bots in {title}", rate, "decisions/s", ratio, lines, goal=its)
    milliseconds, ratio = start_ratio(python, instant)
    yield Figure("start of a bot in Python", milliseconds, "ms", ratio, "start of one in C", True)
