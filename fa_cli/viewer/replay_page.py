"""The replay page: games to watch in a browser, all positions and views in one file."""

from __future__ import annotations

from collections.abc import Sequence

from ..printing.text import counted, listed
from .drawing import STYLE
from .page import asset, html_page, nav
from .replay_data import PageWriter


def replay_page(
    log: str,
    writer: PageWriter,
    unreadable: Sequence[int] = (),
    links: Sequence[tuple[str, str]] = (),
    reason: str = "",
) -> str:
    """The page of a writer's games; `log` is the name of the log that they are from, `unreadable` as in `data`.

    `links`: addresses with their texts, above the page; `reason`: why the game is worth watching.
    """
    first, *others = writer.games
    players = listed(first.players)
    title = f"{first.title}: {first.ending or players}"
    description = f"Watch game {first.record} of {log}, move by move. Players: {players}."
    if others:
        title, description = f"{counted(len(writer.games), 'game')} of {log}", "Watch the games, move by move."
    data, style = writer.data(unreadable), STYLE + asset("replay.css") + (asset("neighbours.css") if links else "")
    body = nav(links, reason) + asset("replay.html")
    return html_page(title, description, body, style, asset("replay.js"), {"data": data})
