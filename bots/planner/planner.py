"""A bot that plans: it weighs what a decision is worth until the end of the game.

One module per game; each has a function `choose(decide, start)`.
"""

from importlib import import_module

from fa_cli.bot import run

GAMES = ("fifth-avenue", "manhattan", "new-york")


def choose(decide, start):
    game = start["game"]
    if game not in GAMES:
        return decide["legal"][0]
    return import_module(game.replace("-", "_")).choose(decide, start)


if __name__ == "__main__":
    run(choose, name="planner", wants=["legal", "observation"])
