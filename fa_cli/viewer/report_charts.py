"""Charts of the report page as data, which web/report draws with Observable Plot. All numbers are computed here."""

from __future__ import annotations

from msgspec import Struct


class Interval(Struct, frozen=True):
    """A value with its interval, in the row of its name; `low` and `high` are None if it has none."""

    name: str
    value: float
    low: float | None
    high: float | None
    is_doubtful: bool = False
    """Whether the interval holds the true value less often than it says."""


class Intervals(Struct, frozen=True, tag="intervals"):
    """Dots with error bars."""

    title: str
    label: str
    rows: list[Interval]
    zero: float | None = None
    """Where to draw a line."""
    domain: tuple[float, float] | None = None
    """The ends of the axis; None: as the rows need it."""
    is_logarithmic: bool = False


class Point(Struct, frozen=True):
    """A point of a line, with an interval if the band is drawn."""

    name: str
    x: float
    y: float
    low: float | None = None
    high: float | None = None


class Lines(Struct, frozen=True, tag="lines"):
    """A line for each name."""

    title: str
    x_label: str
    y_label: str
    points: list[Point]
    zero: float | None = None


class HeatCell(Struct, frozen=True):
    """A share, from 0 to 1, of the row's bot against the column's."""

    row: str
    column: str
    value: float
    low: float
    high: float
    """Of the 95% interval."""
    games: int
    address: str = ""
    """The page beside the report to which the cell leads."""


class Heat(Struct, frozen=True, tag="heat"):
    """A matrix of shares."""

    title: str
    names: list[str]
    cells: list[HeatCell]


class Share(Struct, frozen=True):
    """A piece of a bar, from one share to another, or from one count to another."""

    name: str
    kind: str
    start: float
    end: float


class Shares(Struct, frozen=True, tag="shares"):
    """Stacked bars; `kinds` is the order of the colours."""

    title: str
    label: str
    kinds: list[str]
    rows: list[Share]
    is_percent: bool = True
    is_ranked: bool = False
    """Whether the kinds have an order, which one hue shows."""


class Box(Struct, frozen=True):
    """A distribution by its quartiles and ends."""

    name: str
    least: float
    first_quartile: float
    median: float
    third_quartile: float
    most: float


class Boxes(Struct, frozen=True, tag="boxes"):
    """Boxes from quartile to quartile with whiskers to the ends."""

    title: str
    label: str
    rows: list[Box]


class BracketBot(Struct, frozen=True):
    """A bot at a table of a knockout."""

    name: str
    points: float | None
    """None: the table has not played."""
    advances: bool


class BracketTable(Struct, frozen=True):
    """A table of a round, the best bot first; or a bot that has a bye."""

    bots: list[BracketBot]
    note: str


class BracketRound(Struct, frozen=True):
    """A round of a knockout."""

    name: str
    tables: list[BracketTable]


class Bracket(Struct, frozen=True, tag="bracket"):
    """The rounds of a knockout, from left to right."""

    title: str
    rounds: list[BracketRound]


Chart = Intervals | Lines | Heat | Shares | Boxes | Bracket
