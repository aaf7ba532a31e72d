"""Plays a random legal action, all with the same probability. Every other bot should beat it.

It has a folder of its own because a file `bots/random.py` would hide Python's random module from its neighbours.
"""

from fa_cli.bot import generator, run


def choose(decide, start):
    # `start` is the same object throughout a game, so a bot can keep in it what it wants to remember until the end.
    if "dice" not in start:
        start["dice"] = generator(start)
    return start["dice"].choice(decide["legal"])


if __name__ == "__main__":
    run(choose, name="random", wants=["legal"])
