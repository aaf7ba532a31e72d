"""What a report is made from, with the caveats of tournaments that could end early."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from ..game_result import By
from ..leaderboard.leaderboards import Selection, read_selection, tournament_logs
from ..leaderboard.overview import all_tables
from ..leaderboard.overview.all_tables import Overview
from ..printing.text import counted, listed
from ..results import first_two, winner
from ..results.early_stops import early_stops, mark_stopped_bots, mark_stopped_pairs
from ..results.places import PlaceRow, place_fields, place_rows, schedule_with_places
from ..results.sequential_tests import SequentialTests
from ..results.verdict import joint_tests
from ..stats.head_to_head import HeadToHeadRow
from ..tournament.formats.block import TableResult
from ..tournament.schedule import Schedule
from ..tournament.versions import several_versions
from ..viewer.report_charts import Bracket, BracketBot, BracketRound, BracketTable
from ..viewer.report_page import Table
from .text_tables import table_of, text_to_paste


class Content(NamedTuple):
    """All tables of some games, their caveats marked, and what is said about them in sentences."""

    tables: Overview
    pairs: Sequence[HeadToHeadRow]
    """Each pair of bots that met, the bot with the better rank first."""
    logs: dict[str, Path]
    """By name."""
    places: Table | None
    """The places that a format gave, as in a swiss; None if none did."""
    bracket: Bracket | None
    """The rounds of a knockout."""
    is_over: bool
    """Whether a format that gives places needs no more games."""
    title: str
    winner: str
    """Who won or leads, in a sentence without its full stop."""
    summary: Sequence[str]
    """Who won, how the first two compare, what was played, and what is missing."""
    first_two: Sequence[str]
    """More about the first two bots."""
    seats: Sequence[str]
    """Whether seats differ."""
    cuts: Sequence[str]
    """About each log that ends within a record."""
    skipped: Sequence[str]
    """About each bot that was skipped because it could not be built or started."""
    markdown: str
    """The text to paste."""

    @property
    def bots(self) -> list[str]:
        """All bots by rank."""
        return [row.bot for row in self.tables.board.rows]


def read_content(selection: Selection, skipped: Sequence[str] = ()) -> Content | None:
    """The results of the selected games; None if there are none. Raises LogError.

    `skipped` are sentences about bots that could not take part. `selection.warn` is called about places that can't be
    known.
    """
    cuts: list[str] = []
    selection = selection._replace(warn_of_cut=cuts.append, skips_damaged=True)
    logs = tournament_logs(selection.folder, selection.warn) if selection.logs is None else list(selection.logs)
    is_whole = len(logs) == 1 and not (selection.game or selection.options)
    schedule = schedule_with_places(logs[0], None, selection.warn) if is_whole else None
    places = place_rows(schedule) if schedule else []
    tables = read_selection(selection, lambda results: all_tables.read(results, [row.bot for row in places[:2]]))
    if not tables.board.games:
        return None
    logs = [log for log in logs if log.stem in tables.logs]
    for board, by in ((tables.board, None), (tables.by_side, By.SIDE), (tables.by_players, By.PLAYERS)):
        mark_stopped_bots(board, selection, by)
    ranked = winner.by_ranks(tables.board)
    tested = winner.by_test(stop) if is_whole and (stop := next(early_stops(logs), None)) else ""
    won = (winner.by_places(schedule) if schedule else "") or tested or ranked
    about = _first_two(tables, logs)
    summary = [
        *_summary(tables, won, ranked),
        *filter(None, [winner.unfinished(logs[0], tables.board.games) if is_whole and not schedule else ""]),
        *(f"{versions} (fa leaderboard --by version splits it)." for versions in several_versions(logs)),
        *(f"Incomplete: {text}." for text in dict.fromkeys(cuts)),
    ]
    place_table = table_of("Places", PlaceRow, places, place_fields(schedule), keys=2) if schedule and places else None
    pairs = tables.head_to_head.rows_in([row.bot for row in tables.board.rows])
    mark_stopped_pairs(pairs, selection)
    title = f"Results of {listed([log.stem for log in logs])}"
    return Content(
        tables=tables,
        pairs=pairs,
        places=place_table,
        bracket=_bracket(schedule) if schedule else None,
        is_over=schedule is not None and schedule.is_over,
        logs={log.stem: log for log in logs},
        title=title,
        winner=won,
        summary=summary,
        first_two=about,
        seats=joint_tests(tables.seats),
        cuts=cuts,
        skipped=skipped,
        markdown=text_to_paste(tables, place_table, title, [*summary, *about, *skipped]),
    )


def _summary(tables: Overview, won: str, ranked: str) -> list[str]:
    """Who won, how the first two compare, and what was played."""
    board, pair = tables.board, tables.pair
    found = [f"{won}."]
    if won != ranked:
        found.append(f"By strength, fitted to all games, {ranked}.")
    if len(pair) > 1:
        found.append(first_two.direct_comparison(pair, tables.separation, winner.is_surely_first(board)))
    variants = [f"{name} ({counted(games, 'game')})" for name, games in tables.variants.items()]
    played = f"{counted(board.games, 'game')} of {counted(len(board.rows), 'bot')} in {counted(tables.deals, 'deal')}"
    return [*found, f"{played}: {', '.join(variants)}."]


def _first_two(tables: Overview, logs: Sequence[Path]) -> list[str]:
    """More about the first two; marks their comparison if the number of games depended on their results."""
    top = tables.separation
    if top is None:
        return []
    tests = SequentialTests(logs, (top.row.first, top.row.second))
    for row, names in zip(top.rows, top.logs, strict=True):
        tests.mark(row, names)
    for _, row in top.course[:-1]:  # the last is one of the rows
        tests.mark(row, top.logs[-1])
    return [*first_two.sentences(top), *tests.sentences(top.logs[-1])]


def _bracket(schedule: Schedule) -> Bracket | None:
    """The rounds, if bots are eliminated in rounds."""
    placing, name_of = schedule.results.placing, schedule.tournament.name_of
    rounds = placing.round_results() if placing else ()
    if not rounds:
        return None
    shown = []
    for number, each in enumerate(rounds, start=1):
        tables = [_bracket_table(table, name_of) for table in each.tables]
        byes = [BracketTable([BracketBot(name_of(bot), None, True)], "bye") for bot in each.byes]
        shown.append(BracketRound("Final" if each.is_final else f"Round {number}", [*tables, *byes]))
    return Bracket("The rounds, with points: one for each rival that a bot ranked ahead of in a game, ties half", shown)


def _bracket_table(table: TableResult, name_of: Callable[[int], str]) -> BracketTable:
    has_played = any(table.points.values())
    bots = [
        BracketBot(name_of(bot), points / 2 if has_played else None, has_played and place < table.advancing)
        for place, (bot, points) in enumerate(table.points.items())
    ]
    return BracketTable(bots, "by seed" if table.by_seed else "")
