"""The replay page: games to watch in a browser, all positions and views in one file."""

from __future__ import annotations

from .drawing import STYLE
from .page import asset, html_page


def replay_page(log: str, data: bytes) -> str:
    """The page for the data of a `PageWriter`; `log` is the name of the log that the games are from."""
    style = STYLE + asset("replay.css")
    return html_page(f"Replay of {log}", asset("replay.html"), style, asset("replay.js"), {"data": data})
