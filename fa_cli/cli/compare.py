"""`fa compare`: whether one bot is better than another, by how much, and how certain that is."""

from __future__ import annotations

import sys
from math import ceil
from typing import TYPE_CHECKING, Annotated

from ..game_result import By
from ..option import Argument, Option
from ..printing.columns import Caveat, columns_of, p_in_words, write_likelihood
from ..printing.rows import CAVEATS, MARK, fields_of
from ..printing.terminal import print_line
from ..printing.text import counted
from ..results.sequential_tests import SequentialTests
from ..results.verdict import SIGNIFICANT, describe_elo, from_the_leader, headlines
from .common import GameOption, LogNames, OptionFilterOption, describe_logs, logs_named, option_filter, say, select
from .help import explained
from .tables import Format, TableOptions, show, show_rows
from .tables.views import warn_of_seats

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..stats.comparison import Comparison
    from ..stats.comparison_row import ComparisonRow

_LABEL = 14
"""The width of the labels of figures."""
LOOKING_AGAIN = "looking again after more games errs more often; --until decided does not"
FIELD_LEGEND = "field: also the deals in which each met the same other bots"


@explained(
    "compare-two-versions",
    ("Compare two bots over all tournaments", "fa compare new old"),
    ("Compare them in one tournament, for each side of the board", "fa compare new old spring --by side"),
)
def compare(
    first: Annotated[str, Argument("A bot's name; names of its copies joined by commas.", "A")],
    second: Annotated[str, Argument("The other bot's name.", "B")],
    names: LogNames = None,
    game: GameOption = None,
    option: OptionFilterOption = None,
    by: Annotated[By | None, Option("Add a row for each of these.")] = None,
    *,
    table: TableOptions,
) -> None:
    """Report whether A or B is better, by how much and how surely, from their common deals and opponents.

    The place score is the share of rivals that a bot ranks ahead of, ties half. Copies of a bot are pooled:
    fa compare new,new2 old
    """
    from ..results.pair import check_pair, compare_pair, mark_versions
    from ..stats.comparison_row import ComparisonRow

    check_pair(first, second)
    comparison = compare_pair(select(names, game, option_filter(option, game)), first, second, by, describe_logs(names))
    logs = logs_named(names)
    tests = SequentialTests(logs, (first, second))
    rows = comparison.rows()
    for row in rows:
        tests.mark(row, comparison.logs_of(row))
    versions = list(mark_versions(rows, comparison, logs))
    if table.format is Format.TABLE and not table.columns:
        _print_report(comparison, rows, tests, table)
    else:
        show_rows(ComparisonRow, rows, table)
    sys.stdout.flush()
    warn_of_seats(comparison.seats.imbalances())
    for sentence in versions:
        say(sentence)


def _print_report(
    comparison: Comparison, rows: Sequence[ComparisonRow], tests: SequentialTests, table: TableOptions
) -> None:
    """Print the answer from the side of the leader, then a row for each part."""
    overall = [row for row in rows if row.part == rows[0].part]
    for line in headlines(overall):
        print_line(line)
    for label, line in _figures(comparison, overall):
        print_line(f"  {label:{_LABEL}}{line}", hanging=_LABEL)
    for caveat in (Caveat.FEW_BLOCKS.value, Caveat.SEVERAL_VERSIONS.value):
        if any(caveat in row.caveats for row in overall):
            print_line(f"{MARK} {CAVEATS[caveat]}")
    for number, sentence in enumerate(tests.sentences(comparison.logs_of(overall[-1]))):
        print_line(sentence if number else f"{MARK} {sentence}")
    if any(map(_is_open, overall)):
        print_line(LOOKING_AGAIN)
    if len(overall) > 1:
        print_line(FIELD_LEGEND)
    leader = from_the_leader(overall[0])
    print_line(f"place score: {leader.first}'s share of rivals ranked ahead of, minus {leader.second}'s: -1 to +1")
    los = "LOS: likelihood of superiority; " if any(row.fixed_sample for row in overall) else ""
    print_line(f"{los}in brackets: 95% intervals")
    if comparison.by:
        print()
        _print_parts(rows, table)


def _print_parts(rows: Sequence[ComparisonRow], table: TableOptions) -> None:
    """Print the table of parts, each row from the side of its leader."""
    from ..stats.comparison_row import ComparisonRow

    hidden = {"second", "verdict", "sequential", *(() if any(row.fixed_sample for row in rows) else ("p_value", "los"))}
    columns = [column for column in columns_of(ComparisonRow) if column.field not in hidden]
    headings = {"first": "leader", "difference": "leads by", "difference_interval": "leads by 95%"}
    columns = [column._replace(heading=headings.get(column.field, column.heading)) for column in columns]
    show([fields_of(from_the_leader(row)) for row in rows], columns, table)


def _figures(comparison: Comparison, rows: Sequence[ComparisonRow]) -> Iterator[tuple[str, str]]:
    """The figures of a comparison, each with its label; in the first row the first bot leads."""
    rows = [row.swapped() for row in rows] if rows[0].is_led_by_second else rows
    row = rows[0]
    for label, each in zip(("head to head", "field") if len(rows) > 1 else ("place score",), rows, strict=True):
        low, high = each.difference_interval
        certainty = f", {p_in_words(each.p_value)}, LOS {write_likelihood(each.los)}" if each.fixed_sample else ""
        yield label, f"{each.difference:+.3f} ({low:+.3f} to {high:+.3f}){_mark(each)}{certainty}"
    mark = _mark(row)
    if row.ahead is not None:
        low, high = row.ahead_interval or (0.0, 1.0)
        yield "ranks ahead", f"in {100 * row.ahead:.1f}% ({100 * low:.1f} to {100 * high:.1f}%{mark}, ties half)"
        yield "Elo", f"{describe_elo(row)}{mark}"
    if row.points_interval:
        low, high = row.points_interval
        yield "points", f"{row.points_difference:+.1f} a game ({low:+.1f} to {high:+.1f}){mark}"
    yield "deals", _deals(rows)
    if needed := [_to_decide(each, len(rows) > 1) for each in rows if _is_open(each)]:
        yield "to decide", f"about {', '.join(needed)}, in 80% of cases"
    if row.variance_ratio is not None and row.variance_ratio_interval is not None:
        low, high = row.variance_ratio_interval
        yield "rotations", f"variance ratio {row.variance_ratio:.2f} ({low:.2f} to {high:.2f}); above 1 they help"
    if faults := _counts(comparison.pair, comparison.faults):
        yield "faults", f"{faults} in all their games; games with a fault count as lost"
    if suspended := _counts(comparison.pair, comparison.suspended):
        yield "suspended", f"{suspended} of all their games; they count as lost"


def _mark(row: ComparisonRow) -> str:
    return MARK if row.caveats else ""


def _is_open(row: ComparisonRow) -> bool:
    """Whether more deals would decide; a sequential test says that itself."""
    return bool(row.more_deals and row.p_value >= SIGNIFICANT and row.fixed_sample)


def _to_decide(row: ComparisonRow, names_about: bool) -> str:
    """How many more deals would decide, in two digits: the difference is an estimate."""
    deals = counted(ceil(float(f"{row.more_deals:.1e}")), "more deal")
    return f"{deals} ({row.about})" if names_about else deals


def _counts(names: Sequence[str], counts: Sequence[int]) -> str:
    """The names with their numbers, if these are not 0."""
    return ", ".join(f"{name} {count}" for name, count in zip(names, counts, strict=True) if count)


def _deals(rows: Sequence[ComparisonRow]) -> str:
    """The evidence: deals with both, at one table or at different ones, and pairs of deals with one of them."""
    row = rows[-1]
    deals, tables = row.blocks - row.common, f" ({counted(row.games, 'game')})" if row.games else " at different tables"
    parts = [f"{deals:,} with both{tables}"] if deals else []
    if row.common:
        parts.append(f"{counted(row.common, 'pair')} against the same bots")
    return ", and ".join(parts)
