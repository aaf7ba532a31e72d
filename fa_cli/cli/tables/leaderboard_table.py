"""Leaderboards as tables, with what their readers have to know."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ...printing.columns import Column, columns_of, p_in_words, write_likelihood
from ...printing.rows import CAVEATS, MARK, fields_of
from ...printing.terminal import Tone
from ...printing.text import did_you_mean, listed
from ...results.sequential_tests import SequentialTests
from ...results.verdict import describe_elo, from_the_leader
from .. import common
from . import Format, TableOptions, choose, show, views

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from ...game_result import PlayedGame
    from ...isolation.discovery import Skipped
    from ...leaderboard.leaderboards import Selection
    from ...leaderboard.standings import Leaderboard, StandingRow
    from ...stats.comparison import Comparison
    from ...stats.luck.variance_ratio import Ratio
    from ...stats.stopping_results import RankedResult, SequentialResult
    from ...tournament.definition import Definition
    from ...tournament.schedule import Schedule


def _better_or_worse(result: str) -> Tone | None:
    """The colour of a stopping rule's result for a bot."""
    return {"better": Tone.GOOD, "worse": Tone.BAD}.get(result.split(" ")[0])


_STRENGTH_FIELDS = {"rank_range", "strength", "strength_interval"}
_ONLINE_FIELDS = {"rating", "mu", "sigma"}
"""Tables show the fields of strengths or, with `--rating online`, those of ratings."""
_BOT_FIELDS = {"rank", "rank_range", "bot", "strength", "rating"}
"""The fields of the whole leaderboard beside its parts."""
_PART_FIELDS = {"games", "strength", "strength_interval", "rating", "sigma", "wins", "points"}
"""The fields of each part that a table has room for."""
_SEAT_FIELDS = {"rank", "games", "mean_rank", "wins", "points"}
"""Those of each seat, in which bots have no strength."""
_MANY_PARTS = 4
"""With more parts than this, a table has room for one figure of each only."""
_PARTS_OF_SEVERAL_GAMES = ("players", "seat")
"""What splits a leaderboard, but not by the games."""
_RANK = 8
"""The importance of the ranks in a part."""
_ASCENDING = {"place", "rank", "rank_range", "mean_rank", "mean_rank_interval", "bot", "eliminated_in"}
"""Fields whose lowest value comes first; of others it is the highest."""
_RATIO_FIELDS = ("variance_ratio", "variance_ratio_interval")
"""Fields for programs alone."""
_SEQUENTIAL = Column("sequential", "sequential test", folds=True, tone=_better_or_worse)


def shows_ratings(table: TableOptions, sort: str | None = None) -> bool:
    """Whether a table shows TrueSkill's ratings, or is sorted by them; they take time to compute."""
    fields = (re.split("[- ]", name)[-1].lower() for name in (*table.columns, sort or ""))
    return not table.is_for_people or not _ONLINE_FIELDS.isdisjoint(fields)


def show_board(
    board: Leaderboard,
    table: TableOptions,
    with_parts: bool = True,
    sequential: SequentialResult | RankedResult | None = None,
    skipped: Sequence[Skipped] = (),
    ratio: Ratio | None = None,
    online: bool = False,
    explain: bool = True,
    placing: Schedule | None = None,
    sort: str | None = None,
    said: Collection[str] = (),
) -> list[Column]:
    """Print the leaderboard, with its parts side by side if `with_parts`. Returns the columns that are shown.

    `sequential` adds a column: the results of a stopping rule's tests. Each of the `skipped` bots adds a row
    with the reason, except in tables. `ratio` adds columns, except in tables. `online` ranks by rating. `explain` adds
    notes and a legend. `placing` is the schedule of a format that gives places: these come first, as rows
    of their own in tables without chosen columns, else as columns. `sort` is the text of `--sort`. `said`: meanings of
    marks that need not be explained.
    """
    from ...results.places import with_places

    board = board.ranked_online() if online else board
    parts = board.parts if with_parts else {}
    first, last = _further_columns(table, bool(placing), bool(sequential), bool(ratio), bool(skipped))
    columns = [*first, *_columns(parts, online), *last]
    rows = [fields_of(row) | _part_fields(row.bot, parts) for row in board.rows]
    if sequential:
        rows = [row | {"sequential": sequential.field(row["bot"])} for row in rows]
    if ratio:
        rows = [row | dict(zip(_RATIO_FIELDS, ratio[:2], strict=True)) for row in rows]
    if placing and (table.columns or not table.is_for_people):
        rows = with_places(rows, placing)
    elif placing:
        views.show_places(placing, TableOptions(table.format, table.wide))
        print()
    if sort is not None:
        rows = _sorted(rows, sort, columns, parts)
    if skipped and table.format is not Format.TABLE:
        rows = [*rows, *({"bot": bot.name, "skipped": bot.reason} for bot in skipped)]
    notes = board.notes if explain else []
    if table.format is Format.MARKDOWN and len(board.played) > 1:
        notes += filter(None, [_points_note(board, choose(columns, table))])
    shown = show(rows, columns, table, explain, notes, said)
    sys.stdout.flush()  # before any line on stderr
    return shown


def _sorted(
    rows: Sequence[dict[str, Any]], text: str, columns: Sequence[Column], parts: Collection[str]
) -> list[dict[str, Any]]:
    """The rows by a column; those without a value come last, and equal ones stay in their order.

    `text` is a field, a heading or one of the `parts` (for its rank); a leading `-` reverses the order.

    Raises UsageError for a column that is not one of `columns`.
    """
    asked = text.removeprefix("-")
    fields = {_plain(f"{column.part} {column.heading}"): column.field for column in columns}
    fields |= {_plain(column.field): column.field for column in columns}
    fields |= {_plain(part): f"{part} rank" for part in parts}
    if _plain(asked) not in fields:
        names = [*(column.field for column in columns if not column.part), *parts]
        near = did_you_mean(asked, [*names, *fields])
        raise UsageError(f"no column {asked!r} to sort by{near} (columns: {listed(names, 40)})")
    field = fields[_plain(asked)]
    part = next((part for part in parts if field.startswith(f"{part} ")), "")
    is_ascending = field.removeprefix(f"{part} ") in _ASCENDING
    known = [row for row in rows if row.get(field) is not None]
    # `reverse` keeps the order of equal rows
    ordered = sorted(known, key=lambda row: row[field], reverse=is_ascending == text.startswith("-"))
    return [*ordered, *(row for row in rows if row.get(field) is None)]


def _plain(text: str) -> str:
    """The text in lower case, with one blank between words whatever stands there."""
    return re.sub(r"[-_\s]+", " ", text.strip().lower())


def check_columns(table: TableOptions, definition: Definition, parts: Iterable[str], has_ratio: bool = False) -> None:
    """Raises UsageError if the options name a column that the tournament's leaderboard with these parts has not."""
    from ...results.places import gives_places

    rule, skipped = bool(definition.stopping_rule), bool(definition.skipped)
    first, last = _further_columns(table, gives_places(definition), rule, has_ratio, skipped)
    choose([*_columns({part: {} for part in parts}, online=False), *first, *last], table)


def report_notes(
    board: Leaderboard, table: TableOptions, shown: Sequence[Column], selection: Selection, logs: Sequence[Path]
) -> None:
    """Report on stderr what the reader of a leaderboard has to know: unbalanced seats, and points of several kinds.

    Of two bots also by how much one is ahead.
    """
    views.warn_of_seats(board.imbalances)
    note = _points_note(board, shown)
    if table.format is Format.TABLE and note:
        common.say(note)
    if table.format is Format.TABLE and len(board.rows) == 2:
        report_pair(selection, logs, explain=not any(column.field.endswith("_interval") for column in shown))


def _points_note(board: Leaderboard, shown: Sequence[Column]) -> str:
    """What readers of these columns have to know about points; empty if nothing."""
    points = [column for column in shown if column.heading == "points"]
    mixes_games = any(not column.part for column in points) or board.apart in _PARTS_OF_SEVERAL_GAMES
    return (board.points_note if mixes_games else board.settings_note) if points else ""


def _part_fields(bot: str, parts: Mapping[str, Mapping[str, StandingRow]]) -> dict[str, Any]:
    """The bot's fields in each part, named as `side=five rating`."""
    rows = {label: rows[bot] for label, rows in parts.items() if bot in rows}
    return {f"{label} {field}": value for label, row in rows.items() for field, value in fields_of(row).items()}


def _columns(parts: Mapping[str, Mapping[str, StandingRow]], online: bool) -> list[Column]:
    """The columns of the whole leaderboard, then those of each part; not all of them are shown by default."""
    from ...leaderboard.standings import StandingRow

    other = _STRENGTH_FIELDS if online else _ONLINE_FIELDS
    whole = [column.shown_if(column.field not in other) for column in columns_of(StandingRow)]
    by_seat = any(row.strength is None for rows in parts.values() for row in rows.values())
    fields = {"rank" if online else "rank_range", *_PART_FIELDS}
    if by_seat and not online:
        fields = _SEAT_FIELDS
    if len(parts) > _MANY_PARTS:
        fields &= {"strength", "rating", "mean_rank"}
    results = [column for column in whole if column.field != "bot"]
    of_parts = [_part_column(part, column, fields) for part in parts for column in results]
    if parts:  # which take the room of the others
        whole = [column.shown_if(column.field in _BOT_FIELDS) for column in whole]
    return [*whole, *of_parts]


def _further_columns(
    table: TableOptions, has_places: bool, has_rule: bool, has_ratio: bool, has_skipped: bool
) -> tuple[list[Column], list[Column]]:
    """The columns before those of the bots' results, and those after them."""
    from ...results.places import place_columns

    first, places = place_columns() if has_places and (table.columns or not table.is_for_people) else ([], [])
    tests = [_SEQUENTIAL] if has_rule else []
    ratio = [Column(field, field) for field in _RATIO_FIELDS if has_ratio and not table.is_for_people]
    skipped = [Column("skipped", "skipped")] if has_skipped and table.format is not Format.TABLE else []
    return first, [*tests, *ratio, *places, *skipped]


def _part_column(part: str, column: Column, shown: Collection[str]) -> Column:
    """The same column for a part, of which the table shows some fields."""
    importance = _RANK if column.field in ("rank", "rank_range") else column.importance
    own = column._replace(field=f"{part} {column.field}", part=part, importance=importance)
    return own.shown_if(column.field in shown)


def report_pair(selection: Selection, logs: Sequence[Path], explain: bool) -> None:
    """Report on stderr by how much one bot is ahead of the other, if the selected games are all between two bots.

    `explain`: also what a mark means, which no table above does.
    """
    from ...leaderboard.leaderboards import read_games

    comparison = read_games(selection, _comparison_of_two)
    if comparison is None:
        return
    (row,) = comparison.rows()
    SequentialTests(logs, comparison.pair).mark(row, comparison.logs_of(row))
    row = from_the_leader(row)
    mark = MARK if row.caveats else ""
    (low, high), certainty = row.difference_interval, ""
    if row.fixed_sample:
        certainty = (
            "" if row.is_all_of_ahead else f"; place score {row.difference:+.3f} ({low:+.3f} to {high:+.3f}){mark}"
        )
        certainty += f", LOS {write_likelihood(row.los)}, {p_in_words(row.p_value)}"
    common.say(f"{row.first} against {row.second}: Elo {describe_elo(row)}{mark}{certainty}")
    for caveat in row.caveats if explain else ():
        common.say(f"{MARK} {CAVEATS[caveat]}")


def _comparison_of_two(games: Iterable[PlayedGame]) -> Comparison | None:
    """The comparison of the two bots of these games; None if there are others, or too many games."""
    from ...results.places import MOST_GAMES_READ
    from ...stats.comparison import Comparison

    comparison = None
    for count, game in enumerate(games):
        pair = sorted(set(game.bots))
        comparison = comparison or (Comparison(pair[0], pair[1]) if len(pair) == 2 else None)
        if comparison is None or pair != list(comparison.pair) or count >= MOST_GAMES_READ:
            return None
        comparison.add(game)
    return comparison
