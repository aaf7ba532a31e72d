"""How notebooks show games, states and tables."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Annotated

import msgspec
import pytest

from fa_cli.games import GAMES
from fa_cli.games.game import Game
from fa_cli.games.seed import Seed
from fa_cli.leaderboard.standings import Leaderboard, StandingRow
from fa_cli.printing.columns import html_rows, number, text
from fa_cli.printing.text import html_table


class Texts(HTMLParser):
    """The cells' texts, and the nesting of the tags."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.open: list[str] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        if tag in ("td", "th", "caption"):
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1] in ("td", "th", "caption"):
            self.cells[-1] += data


class Row(msgspec.Struct):
    bot: Annotated[str, text("bot", "its name")]
    points: Annotated[float | None, number("points", "its points", 1)]
    ms: Annotated[float | None, number("ms", "its time", 1)] = None


def test_texts_are_escaped() -> None:
    evil = "<script>alert('x')</script>&\"\u202e"
    html = html_table(["a\nb", evil], [[evil, "1"]], caption=evil)
    assert "<script" not in html
    shown = evil.replace("\u202e", r"\u202e")
    assert Texts(html).cells == [shown, "a b", shown, shown, "1"]


def test_rows_are_a_table_without_empty_columns() -> None:
    html = html_rows(Row, [Row("a", 1.25), Row("b", None)])
    assert Texts(html).cells == ["bot", "points", "a", "1.2", "b", ""]
    assert html.count("text-align: right") == 3
    assert Texts(html_rows(Row, [])).cells == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_game(game: Game) -> None:
    cells = Texts(game._repr_html_()).cells
    assert cells[0].startswith(f"{game.title}, 2, 3")
    for field in msgspec.structs.fields(game.options):
        assert field.name in cells
    assert repr(game) == f"find_game('{game.name}')"
    state = game.start(game.make_options({}), game.players[0], Seed.from_text("x"))
    assert state._repr_svg_().startswith("<svg")  # type: ignore[attr-defined]


def test_a_leaderboard() -> None:
    row = StandingRow(
        rank=1,
        rank_range=(1, 2),
        bot="<b>",
        games=4,
        strength=25.0,
        strength_interval=None,
        rating=20.0,
        mu=25.0,
        sigma=1.5,
        wins=0.5,
        wins_interval=(0.1, 0.9),
        points=7.5,
        points_interval=None,
        mean_rank=1.5,
        mean_rank_interval=(1, 2),
        faults=0,
        suspended=0,
        ms=None,
        caveats=[],
    )
    cells = Texts(Leaderboard(4, [row], {})._repr_html_()).cells
    half = len(cells) // 2
    shown = dict(zip(cells[:half], cells[half:], strict=True))
    assert (shown["bot"], shown["ranks"], shown["strength"], shown["wins"]) == ("<b>", "1-2", "25.00", "50.0%")
    assert "ms" not in shown
    assert Texts(Leaderboard(0, [], {})._repr_html_()).cells == []
