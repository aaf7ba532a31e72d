"""`fa tournament`: commands that run, list, show and verify tournaments."""

from __future__ import annotations

import typer

from . import proof, run, show, watch
from .collusion import collusion as find_collusion
from .file import FileCommand

app = typer.Typer(help="Run, resume, list, show and verify tournaments.")
app.command("run", cls=FileCommand)(run.run)
app.command("resume")(run.resume)
app.command("init")(run.init)
app.command("list")(show.list_all)
app.command("show")(show.show_one)
app.command("places")(show.places)
app.command("watch")(watch.watch)
app.command("verify")(proof.verify)
app.command("head")(proof.head)
app.command("sign")(proof.sign)
app.command("collusion")(find_collusion)
