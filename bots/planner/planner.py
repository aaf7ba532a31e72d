"""A bot that values each action by the points it should bring until the end of the game.

Each game has a module with a function `choose(decide, start)`.
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
