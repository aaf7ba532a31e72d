"""How fast the engines are: random play (legal list, choice, apply; dealing counted) and `copy`, for every game.

Absolute figures depend on the machine and on what else it does; the last column compares with a plain Python loop
measured in turns with each game.
"""

from __future__ import annotations

import random
import statistics
import time

from fa_cli.games import GAMES
from fa_cli.games.chance import game_seed
from fa_cli.games.core import Game, State

ROUNDS = 5
SECONDS = 0.3
COPIES = 20_000


def loop_rate() -> float:
    """Turns per second of a loop that indexes a list and adds: the yardstick."""
    numbers = list(range(64))
    total = 0
    turns = 200_000
    begin = time.process_time()
    for turn in range(turns):
        total += numbers[turn & 63]
    return turns / (time.process_time() - begin)


def play_rate(game: Game, options: object, players: int) -> float:
    """Decisions per second of random play, for about SECONDS."""
    choose = random.Random(1).random
    decisions = number = 0
    begin = time.process_time()
    while time.process_time() - begin < SECONDS:
        state = game.start(options, players, game_seed(bytes(32), number))
        number += 1
        while state.actor >= 0:
            legal = state.legal()
            state.apply(legal[int(choose() * len(legal))])
            decisions += 1
    return decisions / (time.process_time() - begin)


def middle_of_game(game: Game, options: object, players: int) -> State:
    """A state after half the decisions of a random game."""
    choose = random.Random(2)
    state = game.start(options, players, bytes(32))
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


def main() -> None:
    """A row per game, setting and number of players: medians over the rounds."""
    print(f"{'game':<14}{'setting':<26}{'players':>7}{'decisions/s':>13}{'copy us':>9}{'plain loops per decision':>26}")
    for game in GAMES:
        for setting in game.tour:
            options = game.make_options(setting)
            for players in game.players:
                state = middle_of_game(game, options, players)
                rounds = [(loop_rate(), play_rate(game, options, players), copy_micros(state)) for _ in range(ROUNDS)]
                _, play, copy = (statistics.median(column) for column in zip(*rounds, strict=True))
                ratio = statistics.median(yardstick / rate for yardstick, rate, _ in rounds)
                name = game.variant(options)
                print(f"{game.name:<14}{name:<26}{players:>7}{play:>13,.0f}{copy:>9.2f}{ratio:>26.0f}")


if __name__ == "__main__":
    main()
