"""Plays any legal action, each as likely as the others: the bot that every other one should beat.

(In a folder of its own because `bots/random.py` would take the place of Python's random for all bots beside it.)
"""

from fa_cli.bot import generator, run


def choose(decide, start):
    # `start` is the same object during a game: a good place for what a bot wants to remember until its end.
    if "dice" not in start:
        start["dice"] = generator(start)
    return start["dice"].choice(decide["legal"])


if __name__ == "__main__":
    run(choose, name="random", wants=["legal"])
