"""`fa replay`: commands about logs and the games in them."""

from __future__ import annotations

from .find import find
from .html import html
from .logs import app
from .svg import svg

app.command()(find)
app.command()(html)
app.command()(svg)
