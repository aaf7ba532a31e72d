"""The same bot in Python, as an author would write it: everything is wanted, nothing is looked at."""

from fa_cli.protocol.bot_side import run

run(lambda decide, start: decide["legal"][0])
