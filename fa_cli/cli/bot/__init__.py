"""`fa bot`: commands for authors of bots."""

from __future__ import annotations

import typer

from . import check, new, replay

app = typer.Typer(help="Create a bot, check it, or replay a game with it.")


@app.callback()
def group() -> None:
    """Create a bot, check it, or replay a game with it."""


app.command("new")(new.new)
app.command("check")(check.check)
app.command("replay")(replay.replay)
