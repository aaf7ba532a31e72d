"""The sections of a report: charts and tables of the same rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..game_result import FaultKind
from ..leaderboard.overview.history import HistoryRow
from ..leaderboard.overview.result_distributions import PointsRow, RankRow, TimeRow
from ..leaderboard.standings import Leaderboard, StandingRow
from ..printing.columns import Caveat, columns_of
from ..printing.text import counted, listed
from ..replay.log_entry import LogEntry
from ..replay.record import fault_words
from ..stats.block_means import ENOUGH_BLOCKS
from ..stats.comparison_row import ComparisonRow
from ..stats.faults import FaultRow, describe_faults
from ..stats.head_to_head import HeadToHeadRow
from ..stats.luck.seat_values import SeatRow
from ..viewer.report_charts import (
    Box,
    Boxes,
    Bracket,
    Heat,
    HeatCell,
    Interval,
    Intervals,
    Lines,
    Point,
    Share,
    Shares,
)
from ..viewer.report_page import Link, Section, Table, report_page
from .game_pages import GamePages
from .read_content import Content
from .text_tables import STANDING_FIELDS, table_of

_FEW = 8
"""Tables of more bots are folded where they have a row for each pair, or for each bot and moment."""


def page_of(content: Content, pages: GamePages, links: Sequence[tuple[str, str]] = ()) -> str:
    """The report as a page for the browser, with links to these pages of games, and above it these links."""
    return report_page(content.title, content.winner, content.summary, sections(content, pages), links)


def sections(content: Content, pages: GamePages) -> list[Section]:
    """All sections that have something to show."""
    tables = content.tables
    has_few_deals = tables.deals < ENOUGH_BLOCKS
    missing = ["There are no charts: of so few deals they would show chance."] if has_few_deals else []
    found = [
        *_places(content),
        _leaderboard(tables.board, [*content.skipped, *missing]),
        *_games(pages),
        *_parts("sides", "Strength by side", tables.by_side),
        *_parts("players", "Strength by number of players", tables.by_players),
        *_separation(content),
        *_history(tables.history, content.bots, tables.board.could_stop_early),
        *_head_to_head(content, pages),
        _points(tables.points, content.bots, tables.board.settings_note),
        _ranks(tables.ranks, content.bots),
        *_seats(content),
        *_times(tables.times, content.bots),
        _faults(content, pages),
    ]
    if has_few_deals:  # a bracket shows no statistics
        brackets = [[chart for chart in section.charts if isinstance(chart, Bracket)] for section in found]
        found = [section._replace(charts=charts) for section, charts in zip(found, brackets, strict=True)]
    paste = Section(
        "paste",
        "Text for a pull request",
        ["Markdown, as fa report --format markdown prints it."],
        to_copy=content.markdown,
    )
    return [*found, paste]


def _places(content: Content) -> list[Section]:
    """The places come first: they say who has won."""
    if not content.places:
        return []
    charts = [content.bracket] if content.bracket else []
    text = "The places that the schedule gives. Strengths below are fitted to all games, whatever the round."
    return [Section("places", "Places", [text], charts, [content.places])]


def _leaderboard(board: Leaderboard, remarks: Sequence[str]) -> Section:
    table = table_of("Leaderboard", StandingRow, board.rows, STANDING_FIELDS)
    notes = [*table.notes, *board.notes, *filter(None, [board.points_note])]
    return Section(
        "leaderboard",
        "Leaderboard",
        [
            "Strength is fitted to all games at once, 25 on average; a bot that is 4.2 ahead of another ranks ahead of "
            "it in 76% of games. Bots that share a range of ranks are not told apart.",
            *remarks,
        ],
        [Intervals("Strength with 95% interval", "strength", _intervals(board.rows))],
        [table._replace(notes=notes)],
        legend="Bars are 95% intervals. A hollow dot has none, or one from too few deals.",
    )


def _games(pages: GamePages) -> list[Section]:
    """The games that have a page, with the reasons to watch them."""
    if not pages:
        return []
    rows: list[list[str | Link]] = [
        [
            pages.link(game, f"{game.log} {game.game_index + 1}"),
            _result(entry),
            "; ".join(pages.reasons[game]),
            listed([f"{entry.players[fault.seat]}: {fault_words(entry.meta, fault)[0]}" for fault in entry.faults]),
        ]
        for game, entry in pages.entries.items()
    ]
    has_faults = any(row[-1] for row in rows)
    headings = ["game", "points, by rank", "why", *(["faults"] if has_faults else [])]
    table = Table("Games to watch", headings, [False] * len(headings), [row[: len(headings)] for row in rows])
    text = "Games worth watching, move by move. Close games are those won by the fewest points."
    return [Section("games", "Games to watch", [text], tables=[table])]


def _result(entry: LogEntry) -> str:
    """The bots with their points, the best first."""
    seats = sorted(range(len(entry.players)), key=lambda seat: (entry.result.ranks[seat], seat))
    return ", ".join(f"{entry.players[seat]} {entry.result.scores[seat]}" for seat in seats)


def _parts(id: str, heading: str, board: Leaderboard) -> list[Section]:
    """A section with the strengths in each part; none if there is only one part."""
    if len(board.parts) < 2:
        return []
    parts = {label: _intervals(rows.values()) for label, rows in board.parts.items()}
    parts = {label: rows for label, rows in parts.items() if not all(row.is_doubtful for row in rows)}
    domain = _domain([each for rows in parts.values() for each in rows]) if parts else None
    charts = [Intervals(f"{label}: strength", "strength", rows, domain=domain) for label, rows in parts.items()]
    tables = [table_of(label, StandingRow, list(rows.values()), STANDING_FIELDS) for label, rows in board.parts.items()]
    text = "Each part has a fit of its own, shifted to the mean strength that its bots have overall."
    return [Section(id, heading, [text], charts, tables, is_folded=len(board.rows) > _FEW)]


def _intervals(rows: Iterable[StandingRow]) -> list[Interval]:
    return [
        _interval(row.bot, row.strength, row.strength_interval, Caveat.FEW_BLOCKS.value in row.caveats)
        for row in rows
        if row.strength is not None
    ]


def _interval(name: str, value: float, ends: tuple[float, float] | None, is_doubtful: bool = False) -> Interval:
    low, high = ends or (None, None)
    return Interval(name, value, low, high, is_doubtful)


def _domain(rows: Sequence[Interval]) -> tuple[float, float]:
    """The ends of all intervals: charts side by side have the same axis."""
    ends = [end for row in rows for end in (row.value, row.low, row.high) if end is not None]
    return min(ends), max(ends)


_COURSE_FIELDS = ("blocks", "difference", "difference_interval", "p_value", "los", "elo", "elo_interval")


def _separation(content: Content) -> list[Section]:
    """The two best bots, if they can be compared."""
    top = content.tables.separation
    if top is None:
        return []
    first, second = top.row.first, top.row.second
    points = [
        Point(f"{first} less {second}", games, row.difference, *row.difference_interval) for games, row in top.course
    ]
    title = f"Place score of {first} less that of {second}, with 95% interval"
    charts = [Lines(title, "games", "difference", points, 0)] if top.row.blocks >= ENOUGH_BLOCKS else []
    table = table_of("The difference over games", ComparisonRow, [row for _, row in top.course], _COURSE_FIELDS, keys=0)
    table = table._replace(
        headings=["all games", *table.headings],
        right=[True, *table.right],
        rows=[[f"{games:,}", *cells] for (games, _), cells in zip(top.course, table.rows, strict=True)],
        keys=1,
    )
    heading = "Games until the first two separate"
    return [Section("separation", heading, content.first_two, charts, [table], is_folded=True)]


def _history(rows: Sequence[HistoryRow], bots: Sequence[str], could_stop_early: bool) -> list[Section]:
    moments = sorted({row.games for row in rows})
    if len(moments) < 2:
        return []
    ordered = sorted(rows, key=lambda row: (bots.index(row.bot), row.games))
    points = [Point(row.bot, row.games, row.strength, *(row.strength_interval or (None, None))) for row in ordered]
    text = f"The fit after growing numbers of games, in the order of the schedule ({len(moments)} fits)."
    if could_stop_early:
        text += " Results could end a tournament early, so intervals hold the true value less often than 95%."
    return [
        Section(
            "history",
            "Strength over games",
            [text],
            [Lines("Strength fitted to the first games", "games", "strength", points)],
            [table_of("Strength over games", HistoryRow, ordered)],
            is_folded=True,
        )
    ]


def _head_to_head(content: Content, pages: GamePages) -> list[Section]:
    if not content.pairs:
        return []
    links = {(row.bot, row.rival): pages.meeting(row.bot, row.rival) for row in content.pairs}
    cells = []
    for row in content.pairs:
        address = link.address if isinstance(link := links[row.bot, row.rival], Link) else ""
        low, high = row.ahead_interval
        cells += [
            HeatCell(row.bot, row.rival, row.ahead, low, high, row.games, address),
            HeatCell(row.rival, row.bot, 1 - row.ahead, 1 - high, 1 - low, row.games, address),
        ]
    chart = Heat("How often the bot of the row ranks ahead of that of the column, in percent", content.bots, cells)
    table = table_of("Head to head", HeadToHeadRow, content.pairs, keys=2)
    if any(isinstance(link, Link) for link in links.values()):
        table = _with_column(table, "watch", [links[row.bot, row.rival] for row in content.pairs])
    legend = "Blue cells are above 50%, orange ones below; the paler, the less sure."
    if any(cell.address for cell in cells):
        legend += " A framed cell leads to a game of the two."
    text, is_folded = "A tie counts one half.", len(content.bots) > _FEW
    if "adjusted p" in table.headings:
        text += " An interval is about one pair; an adjusted p allows for all pairs of the table."
    return [Section("head-to-head", "Head to head", [text], [chart], [table], is_folded, legend=legend)]


def _with_column(table: Table, heading: str, cells: Sequence[str | Link]) -> Table:
    rows = [[*row, cell] for row, cell in zip(table.rows, cells, strict=True)]
    return table._replace(headings=[*table.headings, heading], right=[*table.right, False], rows=rows)


def _points(rows: Sequence[PointsRow], bots: Sequence[str], note: str) -> Section:
    ordered = sorted(rows, key=lambda row: (row.game, bots.index(row.bot)))
    games = list(dict.fromkeys(row.game for row in ordered))
    charts = [
        Boxes(
            f"Points in {game}: quartiles, median, fewest and most",
            "points",
            [
                Box(row.bot, row.least, row.first_quartile, row.median, row.third_quartile, row.most)
                for row in ordered
                if row.game == game
            ],
        )
        for game in games
    ]
    legend = (
        "The box holds the middle half of a bot's results, the bold line is the median, the thin line reaches from the "
        "fewest to the most points."
    )
    table = table_of("Points", PointsRow, ordered, keys=2)._replace(notes=[note] if note else [])
    return Section("points", "Points", [], charts, [table], legend=legend)


def _ranks(rows: Sequence[RankRow], bots: Sequence[str]) -> Section:
    ordered = sorted(rows, key=lambda row: (row.players, bots.index(row.bot), row.rank))
    sizes = sorted({row.players for row in ordered})
    charts = [_rank_chart(players, [row for row in ordered if row.players == players]) for players in sizes]
    text = "How often each bot had each rank. Tied bots share the better rank."
    tables = [_rank_table(players, [row for row in ordered if row.players == players]) for players in sizes]
    return Section("ranks", "Ranks", [text], charts, tables)


def _rank_table(players: int, rows: Sequence[RankRow]) -> Table:
    """A row for each bot, with the share of each rank."""
    write = next(column.write for column in columns_of(RankRow) if column.field == "share")
    cells = {row.bot: [str(row.total), *["0.0%"] * players] for row in rows}
    for row in rows:
        cells[row.bot][row.rank] = write(row.share)
    headings = ["bot", "games", *(f"rank {rank}" for rank in range(1, players + 1))]
    right = [heading != "bot" for heading in headings]
    return Table(f"Ranks at tables of {players}", headings, right, [[bot, *shares] for bot, shares in cells.items()])


def _rank_chart(players: int, rows: Sequence[RankRow]) -> Shares:
    pieces, ends = list[Share](), dict[str, float]()
    for row in rows:
        start = ends.get(row.bot, 0.0)
        ends[row.bot] = min(1.0, start + row.share)
        pieces.append(Share(row.bot, str(row.rank), start, ends[row.bot]))
    kinds = [str(rank) for rank in range(1, players + 1)]
    return Shares(f"Share of ranks at tables of {players}", "percent of games", kinds, pieces, is_ranked=True)


def _seats(content: Content) -> list[Section]:
    rows = content.tables.seats
    if not rows:
        return []
    tables: dict[str, list[Interval]] = {}
    for row in rows:
        of_table = tables.setdefault(f"{row.game}, {counted(row.players, 'player')}", [])
        of_table.append(_interval(f"seat {row.seat}", row.value, row.value_interval))
    domain = _domain([each for seats in tables.values() for each in seats])
    charts = [Intervals(title, "place score", seats, zero=0.0, domain=domain) for title, seats in tables.items()]
    text = "What a seat adds to the place score, the share of rivals that a bot ranks ahead of. A fair seat adds 0."
    table = table_of("Seats", SeatRow, rows, keys=3)
    table = table._replace(notes=[*table.notes, *content.seats])
    return [Section("seats", "Seat values", [text], charts, [table])]


def _times(rows: Sequence[TimeRow], bots: Sequence[str]) -> list[Section]:
    ordered = sorted(rows, key=lambda row: bots.index(row.bot))
    if not ordered:
        return []
    intervals = [Interval(row.bot, row.ms, row.ms, row.slowest) for row in ordered if row.ms > 0]
    charts = [
        Intervals("Mean time per decision, and in the slowest game", "milliseconds", intervals, is_logarithmic=True)
    ]
    legend = (
        "The dot is the mean over all decisions; the bar reaches to the mean in the game in which the bot was slowest."
    )
    tables = [table_of("Times", TimeRow, ordered)]
    return [Section("times", "Time per decision", [], charts if intervals else [], tables, legend=legend)]


def _faults(content: Content, pages: GamePages) -> Section:
    rows = [row for row in content.tables.faults if row.faults or row.suspended]
    if not rows:
        return Section("faults", "Faults", ["No bot failed in any game."])
    details = content.tables.fault_details
    table = _with_column(table_of("Faults", FaultRow, rows), "first fault", [pages.fault(row.bot) for row in rows])
    texts = [(details[row.bot].detail or "") if row.bot in details else "" for row in rows]
    table = _with_column(table, "detail", texts)
    return Section(
        "faults",
        "Faults",
        [f"{describe_faults(rows)} A bot that fails or is suspended ranks last in that game."],
        [Shares("Games with a fault, by kind", "games", [kind.value for kind in FaultKind], _faults_of(rows), False)],
        [table],
    )


def _faults_of(rows: Sequence[FaultRow]) -> list[Share]:
    pieces = []
    for row in rows:
        end = 0
        for kind in FaultKind:
            start, end = end, end + getattr(row, kind.value)
            if end > start:
                pieces.append(Share(row.bot, kind.value, start, end))
    return pieces
