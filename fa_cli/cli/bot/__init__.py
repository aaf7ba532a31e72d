"""`fa bot`: a new bot, and what its author runs before others do."""

from __future__ import annotations

import typer

from . import check, new, replay

app = typer.Typer(help="Write a bot, check it, or put it the decisions of a recorded game.")


@app.callback()
def group() -> None:
    """Write a bot, check it, or put it the decisions of a recorded game."""


app.command("new")(new.new)
app.command("check")(check.check)
app.command("replay")(replay.replay)
