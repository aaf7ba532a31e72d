"""As first.py, but it looks at all that it is told."""

from fa_cli.bot import run

run(lambda decide, start: (decide["observation"], decide["events"], decide["legal"][0])[-1])
