"""As random_all.py, but it looks at everything that it receives."""

from fa_cli.bot import generator, run


def choose(decide, start):
    if "dice" not in start:
        start["dice"] = generator(start)
    assert decide["observation"] is not None and decide["events"] is not None
    return start["dice"].choice(decide["legal"])


run(choose)
