"""The replay page: games to watch in a browser, all positions and views in one file."""

from __future__ import annotations

from collections.abc import Sequence

from ..printing.text import counted, listed
from .drawing import STYLE
from .page import asset, html_page
from .replay_data import PageWriter


def replay_page(log: str, writer: PageWriter, unreadable: Sequence[int] = ()) -> str:
    """The page of a writer's games; `log` is the name of the log that they are from, `unreadable` as in `data`."""
    first, *others = writer.games
    players = listed(first.players)
    title = f"{first.title}: {first.ending or players}"
    description = f"Watch game {first.record} of {log}, move by move. Players: {players}."
    if others:
        title, description = f"{counted(len(writer.games), 'game')} of {log}", "Watch the games, move by move."
    data, style = writer.data(unreadable), STYLE + asset("replay.css")
    return html_page(title, description, asset("replay.html"), style, asset("replay.js"), {"data": data})
