"""Plays random legal actions as an author would write it: it receives everything, and looks at the legal actions."""

from fa_cli.bot import generator, run


def choose(decide, start):
    if "dice" not in start:
        start["dice"] = generator(start)
    return start["dice"].choice(decide["legal"])


run(choose)
