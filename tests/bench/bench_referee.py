"""How fast the referee is: whole games between instant bots, against bare lines to and fro through a pair of pipes.

Everything sits on one core, as a worker and its bots do; each round measures both in turns, and the ratio counts.
Needs a C compiler.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from fa_cli.errors import BotCannotRun
from fa_cli.games import GAMES
from fa_cli.games.chance import game_seed
from fa_cli.games.core import Game
from fa_cli.match.referee import play
from fa_cli.protocol.bots import Bot, read_bot
from fa_cli.protocol.messages import Clock
from fa_cli.protocol.session import Session

HERE = Path(__file__).parent
ROUNDS = 5
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


def measure(game: Game, bot: Bot, pong: Bot) -> tuple[float, float, float]:
    """Medians over the rounds: decisions per second, lines per second, their ratio."""
    sessions = [Session(bot) for _ in range(PLAYERS)]
    try:
        play_rate(game, sessions)  # the first games start the processes
        rounds = [(play_rate(game, sessions), ping_pong_rate(pong)) for _ in range(ROUNDS)]
    finally:
        for session in sessions:
            session.close()
    games, lines = (statistics.median(column) for column in zip(*rounds, strict=True))
    return games, lines, statistics.median(game / line for game, line in rounds)


def main() -> None:
    """A row per game and bot."""
    try:
        instant = read_bot(HERE / "instant")
    except BotCannotRun as error:
        sys.exit(f"the referee can't be measured here: {error}")
    pin()
    bots = (("C, wants legal", instant), ("Python, wants all", read_bot(HERE / "first.py")))
    print(f"{'game':<14}{'four bots in':<20}{'decisions/s':>13}{'bare lines/s':>14}{'ratio':>8}")
    for game in GAMES:
        for title, bot in bots:
            games, lines, ratio = measure(game, bot, instant)
            print(f"{game.name:<14}{title:<20}{games:>13,.0f}{lines:>14,.0f}{ratio:>8.2f}")


if __name__ == "__main__":
    main()
