"""The figures and the output in docs/explanation/statistics.md, from games played for it.

`python -m tests.statistics_page` plays a tournament of the bots that ship and a long one of two, runs the commands of
the page's console blocks in the same folder, and draws the figures as SVG.
"""

from __future__ import annotations

import html
import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from math import log2
from pathlib import Path
from typing import Any, NamedTuple

from fa_cli.game_result import PlayedGame
from fa_cli.leaderboard.leaderboards import Selection, read_games
from fa_cli.stats.comparison import Comparison
from tests.transcript import BLOCK, ROOT, printed

PAGE = ROOT / "docs/explanation/statistics.md"
FIGURES = ROOT / "docs/explanation/figures"
TOURNAMENTS = (
    "fa tournament run bots/* --name first --seed readme --quiet",
    "fa tournament run bots/greedy.py bots/shopkeeper.js --name pair --players 2 --games 1024 --seed pair --quiet",
)
SIZES = (8, 16, 32, 64, 128, 256, 512)
"""Numbers of deals after which the difference of the two bots is drawn."""
STYLE = """
  .paper { fill: #ffffff } .text { fill: #1f2328 } .muted { fill: #59636e }
  .grid { stroke: #d1d9e0 } .axis { stroke: #59636e } .mark { stroke: #0969da; fill: #0969da }
  text { font: 13px sans-serif } .title { font-weight: bold; font-size: 15px }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117 } .text { fill: #f0f6fc } .muted { fill: #9198a1 }
    .grid { stroke: #3d444d } .axis { stroke: #9198a1 } .mark { stroke: #4493f8; fill: #4493f8 }
  }
"""


class Axis(NamedTuple):
    """A linear scale from values to pixels."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


class Size(NamedTuple):
    """The difference of two bots after a number of deals."""

    deals: int
    difference: float
    interval: tuple[float, float]


def text(x: float, y: float, words: object, kind: str = "text", anchor: str = "start") -> str:
    """A line of text; `anchor` says which end of it x is."""
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(str(words))}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str, width: float = 1) -> str:
    """A straight line."""
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line class="{kind}" {ends} stroke-width="{width:g}"/>'


def dot(x: float, y: float) -> str:
    """A filled circle."""
    return f'<circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="5"/>'


def svg(width: int, height: int, title: str, parts: Iterable[str]) -> str:
    """An image on a ground of its own, light or dark as the reader prefers."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
            f' role="img">',
            f"<title>{html.escape(title)}</title>",
            f"<style>{STYLE}</style>",
            f'<rect class="paper" width="{width}" height="{height}" rx="6"/>',
            text(20, 30, title, "text title"),
            *parts,
            "</svg>\n",
        ]
    )


def strength_figure(rows: Sequence[dict[str, Any]]) -> str:
    """Strengths with their intervals, one line for each bot, with the ranks that it may have."""
    height = 110 + 34 * len(rows)
    ends = [end for row in rows for end in row["strength_interval"]]
    axis = Axis(5 * (min(ends) // 5), 5 * (max(ends) // 5 + 1), 130, 600)
    return svg(720, height, "Strength with its 95% interval", _strengths(rows, axis, height))


def _strengths(rows: Sequence[dict[str, Any]], axis: Axis, height: int) -> Iterator[str]:
    yield text(655, 58, "may be rank", "muted", "middle")
    for value in range(round(axis.low), round(axis.high) + 1, 5):
        yield line(axis(value), 66, axis(value), height - 44, "grid")
        yield text(axis(value), height - 26, value, "muted", "middle")
    yield text((axis.start + axis.end) / 2, height - 8, "strength (the mean of the bots is 25)", "muted", "middle")
    for index, row in enumerate(rows):
        y = 86 + 34 * index
        low, high = row["strength_interval"]
        first, last = row["rank_range"]
        yield text(120, y + 4, row["bot"], anchor="end")
        yield line(axis(low), y, axis(high), y, "mark", 3)
        yield dot(axis(row["strength"]), y)
        yield text(655, y + 4, f"{first}" if first == last else f"{first} to {last}", anchor="middle")


def games_figure(sizes: Sequence[Size]) -> str:
    """How the interval of a difference shrinks with the number of deals."""
    title = "Place score of greedy less that of shopkeeper, with its 95% interval"
    return svg(720, 380, title, _sizes(sizes))


def _sizes(sizes: Sequence[Size]) -> Iterator[str]:
    across = Axis(log2(sizes[0].deals) - 0.5, log2(sizes[-1].deals) + 0.5, 70, 690)
    up = Axis(-1, 1, 310, 60)
    for tick in (-1, -0.5, 0, 0.5, 1):
        yield line(across.start, up(tick), across.end, up(tick), "grid" if tick else "axis")
        yield text(60, up(tick) + 4, f"{tick:+.1f}" if tick else "0", "muted", "end")
    yield text(685, up(0) - 8, "equal", "muted", "end")
    for size in sizes:
        x = across(log2(size.deals))
        low, high = size.interval
        yield line(x, up(low), x, up(high), "mark", 3)
        yield dot(x, up(size.difference))
        yield text(x, 332, size.deals, anchor="middle")
        yield text(x, 350, f"{2 * size.deals} games", "muted", "middle")
    yield text((across.start + across.end) / 2, 371, "deals, each played from both seats", "muted", "middle")


def differences(games: Iterable[PlayedGame]) -> list[Size]:
    """The differences after the first deals, by `SIZES`."""
    found, comparison, deals = [], Comparison("greedy", "shopkeeper"), 0
    for game in games:
        comparison.add(game)
        deals += game.index % 2
        if game.index % 2 and deals in SIZES:
            (row,) = comparison.rows()
            assert row.blocks == deals
            assert row.difference_interval
            found.append(Size(deals, row.difference, row.difference_interval))
    return found


def main() -> None:
    """Play, run the commands of the page, and write what they print and the figures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "bots").symlink_to(ROOT / "bots")
        for command in TOURNAMENTS:
            printed(command, folder)
        printed("fa leaderboard first --format json > rows.json", folder)
        rows = json.loads((folder / "rows.json").read_text(encoding="utf-8"))
        sizes = read_games(Selection(folder / "logs", print, [folder / "logs/pair.log"]), differences)
        page = PAGE.read_text(encoding="utf-8")
        page = BLOCK.sub(lambda block: output(block.group(), folder), page)
    FIGURES.mkdir(exist_ok=True)
    (FIGURES / "strength.svg").write_text(strength_figure(rows), encoding="utf-8")
    (FIGURES / "games.svg").write_text(games_figure(sizes), encoding="utf-8")
    PAGE.write_text(page, encoding="utf-8")


def output(block: str, folder: Path) -> str:
    """The commands of a console block, each with what it prints."""
    commands = [each[2:] for each in block.splitlines() if each.startswith("$ ")]
    return "\n".join(f"$ {command}\n{printed(command, folder)}\n" for command in commands)


if __name__ == "__main__":
    main()
