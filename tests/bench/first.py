"""The same bot in Python, as an author would write it: it is told everything, and looks at the legal actions alone."""

from fa_cli.bot import run

run(lambda decide, start: decide["legal"][0])
