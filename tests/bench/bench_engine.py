"""How fast the engines are: random play (legal list, choice, apply; dealing counted) and `copy`, for every game.

Many short rounds measure a game and a plain Python loop in turns, in processor time; the best round of each counts, as
others on the machine can only make it slower, and the shorter a round the likelier it is that nobody does. Every round
plays other games, so that no table is nearer at hand than it would be. The ratio is how many turns of the loop one
decision takes.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from itertools import count

from fa_cli.games import GAMES, is_compiled
from fa_cli.games.contract import State
from fa_cli.games.game import Game
from fa_cli.games.seed import Seed

from .figures import Figure, loop_rate

SECONDS = 0.025
WARMING = 0.3
COPIES = 1_000
GOALS = {"fifth-avenue": (150_000, 400_000), "manhattan": (120_000, 350_000), "new-york": (100_000, 300_000)}
"""Decisions per second, plain and compiled."""
COPY_GOAL = 2.0


def play_rate(game: Game, options: object, players: int, numbers: Iterator[int], seconds: float = SECONDS) -> float:
    """Decisions per second of random play, for about so many seconds, of the games of the next numbers."""
    choose = random.Random(1).random
    decisions = 0
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        state = game.start(options, players, Seed(bytes(32)).of_game(next(numbers)))
        while state.actor >= 0:
            legal = state.legal()
            state.apply(legal[int(choose() * len(legal))])
            decisions += 1
    return decisions / (time.process_time() - begin)


def middle_of_game(game: Game, options: object, players: int) -> State:
    """A state after half the decisions of a random game."""
    choose = random.Random(2)
    state = game.start(options, players, Seed(bytes(32)))
    states = [state.copy()]
    while state.actor >= 0:
        state.apply(choose.choice(state.legal()))
        states.append(state.copy())
    return states[len(states) // 2]


def copy_micros(state: State) -> float:
    """Microseconds of one copy."""
    begin = time.process_time()
    for _ in range(COPIES):
        state.copy()
    return (time.process_time() - begin) / COPIES * 1e6


def figures(short: bool) -> Iterator[Figure]:
    """Two figures per game, setting and number of players; the goals are those of each game's most players."""
    rounds = 10 if short else 30
    for game in GAMES:
        for setting in game.default_variants:
            options = game.make_options(setting)
            for players in game.players:
                state = middle_of_game(game, options, players)
                numbers = count()
                play_rate(game, options, players, numbers, WARMING)  # tables are filled as they are asked for
                taken = [
                    (loop_rate(), play_rate(game, options, players, numbers), copy_micros(state)) for _ in range(rounds)
                ]
                loops, plays, copies = zip(*taken, strict=True)
                name = f"{game.name} {game.variant(options)} {players} players"
                goal = GOALS[game.name][is_compiled()]
                per = max(loops) / max(plays)
                yield Figure(f"random play, {name}", max(plays), "decisions/s", per, "turns of a plain loop", True)
                loops_per_copy = min(copies) * max(loops) / 1e6
                yield Figure(f"copy, {name}", min(copies), "us", loops_per_copy, "turns of a plain loop", True)
                if players == 4 and setting == game.default_variants[0]:
                    share = max(plays) / goal
                    yield Figure(f"goal, {name}", max(plays), "decisions/s", share, f"{goal:,}", goal=1.0)
                    share = min(copies) / COPY_GOAL
                    yield Figure(f"goal of copy, {name}", min(copies), "us", share, f"{COPY_GOAL} us", True, 1.0)
