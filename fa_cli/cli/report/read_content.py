"""Reads what a report is made from, with the caveats of tournaments that could end early."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...game_result import By
from ...printing.text import counted, listed
from ...results.places import PlaceRow, place_fields, place_rows, schedule_with_places
from ...results.sequential_tests import SequentialTests
from ...results.verdict import headlines, joint_tests
from .. import common
from ..common import logs_named, select
from . import separation
from .markdown import as_markdown

if TYPE_CHECKING:
    from ...leaderboard.labels import OptionFilter
    from ...leaderboard.leaderboards import Selection
    from ...leaderboard.overview.all_tables import Overview
    from ...report.content import Content
    from ...stats.head_to_head import HeadToHeadRow
    from ...viewer.report_page import Table


def read_content(names: Sequence[str] | None, game: str | None, options: OptionFilter | None) -> Content:
    """The results of these tournaments, or of all. Raises UsageError if there are no games, LogError."""
    from ...leaderboard.leaderboards import overview
    from ...report.content import Content
    from ...results.early_stops import mark_stopped_bots

    cuts: list[str] = []
    selection, logs = select(names, game, options)._replace(warn_of_cut=cuts.append), logs_named(names)
    tables = overview(selection)
    if not tables.board.games:
        raise common.no_games(names, game, options)
    for board, by in ((tables.board, None), (tables.by_side, By.SIDE), (tables.by_players, By.PLAYERS)):
        mark_stopped_bots(board, selection, by)
    title = f"Results of {listed([log.stem for log in logs])}"
    summary, top_two = [*_summary(tables), *_cut_short(cuts)], _top_two(tables, logs)
    skipped = [f"{bot}." for bot in common.skipped_bots(names or [])]
    places = _places(logs[0], tables.board.games) if len(logs) == 1 and not (game or options) else None
    return Content(
        tables=tables,
        pairs=_pairs(tables, selection),
        places=places,
        logs={log.stem: log for log in logs},
        title=title,
        summary=summary,
        top_two=top_two,
        seats=joint_tests(tables.seats),
        cuts=cuts,
        skipped=skipped,
        markdown=as_markdown(tables, places, title, [*summary, *top_two[1:], *skipped]),
    )


def _places(log: Path, games: int) -> Table | None:
    """The places of the log's tournament, if its format gives places of its own."""
    from ...report.text_tables import table_of

    schedule = schedule_with_places(log, games, common.warn)
    rows = place_rows(schedule) if schedule else []
    return table_of("Places", PlaceRow, rows, place_fields(schedule), keys=2) if schedule and rows else None


def _cut_short(cuts: Sequence[str]) -> list[str]:
    """What a reader of the report must know of logs that end within a record."""
    return [f"Incomplete: {text}." for text in dict.fromkeys(cuts)]


def _summary(tables: Overview) -> list[str]:
    """Who leads, and what was played."""
    board, variants = tables.board, [f"{name} ({counted(games, 'game')})" for name, games in tables.variants.items()]
    return [
        f"{counted(board.games, 'game')}, {counted(len(board.rows), 'bot')}. {_verdict(tables)}",
        f"Played: {', '.join(variants)}.",
    ]


def _verdict(tables: Overview) -> str:
    """Whether the first bot is better than the second, in a sentence."""
    if tables.separation is None:
        return f"{tables.board.rows[0].bot} has the first rank."
    return " ".join(headlines([tables.separation.row]))


def _top_two(tables: Overview, logs: Sequence[Path]) -> list[str]:
    """Sentences about the two best bots; marks their comparison if the number of games depended on their results."""
    top = tables.separation
    if top is None:
        return []
    tests = SequentialTests(logs, (top.row.first, top.row.second))
    for _, row in top.course:
        tests.mark(row, top.logs)
    return [_verdict(tables), *separation.sentences(top), *tests.sentences(top.logs)]


def _pairs(tables: Overview, selection: Selection) -> list[HeadToHeadRow]:
    """The pairs that met, the bot with the better rank first."""
    from ...results.early_stops import mark_stopped_pairs

    order = [row.bot for row in tables.board.rows]
    pairs = tables.head_to_head.rows_in(order)
    mark_stopped_pairs(pairs, selection)
    return pairs
