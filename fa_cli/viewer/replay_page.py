"""The replay page: games to watch in a browser, all positions and views in one file."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from ..printing.text import counted, listed, printable
from .drawing import STYLE
from .page import asset, html_page
from .replay_data import PageWriter


class Neighbours(NamedTuple):
    """Where the page of one game of a report leads to; addresses, empty where there is none."""

    report: str
    before: str
    after: str
    reason: str
    """Why the game is worth watching."""


def replay_page(
    log: str, writer: PageWriter, unreadable: Sequence[int] = (), neighbours: Neighbours | None = None
) -> str:
    """The page of a writer's games; `log` is the name of the log that they are from, `unreadable` as in `data`."""
    first, *others = writer.games
    players = listed(first.players)
    title = f"{first.title}: {first.ending or players}"
    description = f"Watch game {first.record} of {log}, move by move. Players: {players}."
    if others:
        title, description = f"{counted(len(writer.games), 'game')} of {log}", "Watch the games, move by move."
    data, style = writer.data(unreadable), STYLE + asset("replay.css") + (asset("neighbours.css") if neighbours else "")
    body = (_links(neighbours) if neighbours else "") + asset("replay.html")
    return html_page(title, description, body, style, asset("replay.js"), {"data": data})


def _links(neighbours: Neighbours) -> str:
    """Links to the report, and to the games before and after."""
    places = ((neighbours.report, "Report"), (neighbours.before, "Previous game"), (neighbours.after, "Next game"))
    links = "".join(f'<a href="{escape(address)}">{text}</a>' for address, text in places if address)
    reason = escape(printable(neighbours.reason))
    return f'<nav class="neighbours" aria-label="Games of the report">{links}<span>{reason}</span></nav>\n'
