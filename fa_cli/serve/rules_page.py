"""The rules of a game as HTML: a page, and the paragraphs that apply to a decision."""

from __future__ import annotations

import re
from functools import cache

from markdown_it import MarkdownIt

from ..games.game import Game
from ..play.rulebook import source

_RULING = re.compile(r"<(li|p)>(\s*(?:<p>)?<strong>((?:FA|MA|NY)-[0-9]+)\b)")
_NAMED = re.compile(r"\b((?:FA|MA|NY)-[0-9]+)\b")
_HEADING = re.compile(r"<h([23])>(.*?)</h\1>")


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


@cache
def rules_html(game: Game) -> str:
    """All rules below their title. Each numbered ruling has its number as its id: `#FA-12`."""
    html = str(_markdown().render(source(game).partition("\n")[2]))
    html = _RULING.sub(r'<\1 id="\3">\2', html)
    return _HEADING.sub(lambda found: f'<h{found[1]} id="{_slug(found[2])}">{found[2]}</h{found[1]}>', html)


@cache
def paragraph_html(game: Game, markdown: str) -> str:
    """A part of the rules; the numbers of rulings are links into the page."""
    html = str(_markdown().render(markdown))
    return _NAMED.sub(rf'<a href="/rules/{game.name}#\1" target="_blank" rel="noopener">\1</a>', html)


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", re.sub("<[^>]+>", "", title).lower()).strip("-")
