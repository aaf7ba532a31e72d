"""The options of a new tournament: every option of `fa tournament run` that decides what is played."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from ..isolation.limits import SANDBOX, Limits, Sandbox
from ..option import Argument, Option, OptionGroup, Unit, declared_options
from ..printing.text import either, listed
from ..protocol.messages import Clock
from .formats import FORMATS
from .formats.format import BOT_INDEXES

if TYPE_CHECKING:

    class Format(enum.Enum):
        """The names of the tournament formats."""
else:
    Format = enum.Enum("Format", {name.replace("-", "_").upper(): name for name in FORMATS}, module=__name__)


class Duplicate(enum.Enum):
    """The seatings in which a deal is played: all rotations (each bot has every seat once), all permutations, or one
    (`OFF`)."""

    ROTATIONS = "rotations"
    PERMUTATIONS = "permutations"
    OFF = "off"


class DuplicateChoice(enum.Enum):
    """The values of `--duplicate`: those of `Duplicate`, and `AUTO`, which chooses by the number of players."""

    AUTO = "auto"
    ROTATIONS = Duplicate.ROTATIONS.value
    PERMUTATIONS = Duplicate.PERMUTATIONS.value
    OFF = Duplicate.OFF.value

    def resolve(self, players: int) -> Duplicate:
        """The seatings for a table of this size.

        `AUTO` chooses what was measured to be more precise for the same number of games: rotations for two players,
        fresh deals for more (docs/explanation/statistics.md).
        """
        if self is not DuplicateChoice.AUTO:
            return Duplicate(self.value)
        return Duplicate.ROTATIONS if players <= 2 else Duplicate.OFF


class Stop(enum.Enum):
    """What can end a tournament before its last game."""

    DECIDED = "decided"
    NO_WORSE = "no-worse"
    RANKED = "ranked"


MAX_GAMES = 10_000_000
"""The most games of a tournament."""
GameCount = Annotated[int, msgspec.Meta(ge=1, le=MAX_GAMES)]
MoreGames = Annotated[int, msgspec.Meta(ge=0, le=MAX_GAMES)]
Seats = Annotated[int, msgspec.Meta(ge=1)]  # a game's number of seats bounds them
_UNTIL = OptionGroup.STOPPING
_FIXED = tuple(name for name, each in FORMATS.items() if not each.uses_results)
_ENDLESS = tuple(name for name, each in FORMATS.items() if not each.games_follow_from)
OPEN = tuple(name for name, each in FORMATS.items() if each.is_open)
"""The formats in which bots may join and leave."""
_FOR_TWO = tuple(name for name, each in FORMATS.items() if each.default_seats == 2)
_NO_TIMES = (
    "the log has no times: not how long decisions took or how many were asked, not when the tournament "
    "began, no stderr of faults. Two runs of deterministic bots with the same name and seed give the same bytes, "
    "whatever `--jobs` is. Leaderboards show no `ms`, and fold such logs before all others, by name"
)

ANONYMOUS = Option("Hide the names of the bots from each other.")
STRICT = Option(
    "Start all bots first, and refuse to play (exit code 2) if one is broken, instead of skipping it.",
    docs="all bots, however many, start before the first game, and one that [is broken](#broken-bots) is an error "
    "(exit code 2)",
)


def for_formats(names: Sequence[str], text: str) -> str:
    """The help of an option that only some formats have: `Swiss, knockout: play N deals per table.`"""
    formats = ", ".join(names)
    return f"{formats[:1].upper()}{formats[1:]}: {text[:1].lower()}{text[1:]}"


class _WhatIsPlayed(msgspec.Struct, frozen=True):
    """The first options of a new tournament."""

    bots: Annotated[
        list[str],
        Argument("Files, folders or shipped bots; NAME=PATH renames one.", "BOT...|FILE.toml"),
    ]
    game: Annotated[
        str, Option("Play this game, or all games.", "GAME", docs="a name in `fa games`, or `all`: every game at once")
    ] = "fifth-avenue"
    schedule: Annotated[Format, Option("Choose who plays whom.")] = Format(next(iter(FORMATS)))


def _format_options() -> Iterator[tuple[str, Any, Any]]:
    """The options of all formats as fields of a Struct: name, type, default. None, or an empty list, is not given."""
    options = {declared.path[0]: declared for each in FORMATS.values() for declared in declared_options(each)}
    for field, declared in options.items():
        names = tuple(name for name, each in FORMATS.items() if field in each.__struct_fields__)
        option = declared.option._replace(help=for_formats(names, declared.option.help), formats=names)
        if declared.type == BOT_INDEXES:
            yield field, Annotated[list[str], option], msgspec.field(default_factory=list)
        else:
            yield field, Annotated[declared.type, declared.bounds, option] | None, None


if TYPE_CHECKING:
    _WhoPlaysWhom = _WhatIsPlayed
else:
    _WhoPlaysWhom = msgspec.defstruct(
        "_WhoPlaysWhom", [*_format_options()], bases=(_WhatIsPlayed,), module=__name__, frozen=True
    )


class TournamentRequest(_WhoPlaysWhom, frozen=True):
    """The options of a new tournament as given by the user; None if the format or the bots decide.

    The options of the formats come after `schedule`.
    """

    players: Annotated[
        Seats | None,
        Option(
            f"Seat N bots at a table. [default: 4; 2 in {listed(_FOR_TWO)}]",
            "N",
            example=4,
            docs=f"seats at a table; by default four, in a {either(_FOR_TWO)} two, or fewer if there are fewer bots",
        ),
    ] = None
    options: Annotated[
        dict[str, str],
        Option(
            "Set an option of the game; repeatable. [default: the usual settings]",
            "NAME=VALUE",
            name="option",
            docs="an option of the game, such as `side=six`; it replaces the game's usual setting for tournaments",
        ),
    ] = msgspec.field(default_factory=dict)
    games: Annotated[
        GameCount | None,
        Option("Play N games. [default: a balanced number]", "N", formats=_ENDLESS, example=240),
    ] = None
    seed: Annotated[
        str | None,
        Option(
            "Deal the same games for the same TEXT. [default: random]",
            "TEXT",
            group=OptionGroup.SEATS,
            example="spring",
            docs="the same text deals the same games; by default the system's secure generator deals, as it should in "
            "a contest, see below",
        ),
    ] = None
    clock: Clock = Clock()
    duplicate: Annotated[
        DuplicateChoice,
        Option(
            "Play each deal in all rotations or permutations of the seats, or once (off); auto: rotations for two "
            "players, off for more.",
            group=OptionGroup.SEATS,
            docs="in which seatings a deal is played; `auto`: `rotations` for two players, `off` for more, see "
            "[below](#duplicate-deals)",
        ),
    ] = DuplicateChoice.AUTO
    repeats: Annotated[
        bool,
        Option(
            "Let a bot sit at a table twice.",
            group=OptionGroup.SEATS,
            name="allow-repeats",
            formats=_FIXED,
            docs="the same bot may sit at a table twice; no more often than fills it",
        ),
    ] = False
    until: Annotated[
        Stop | None,
        Option(
            "Stop when it is decided which of two bots is better, or whether the first of them is worse (no-worse), or "
            "when the order of all is known (ranked). [default: play all games]",
            group=_UNTIL,
            formats=_FIXED,
            example="decided",
            docs="stop once it is decided which of two bots is better, or whether the first of them is worse "
            "(`no-worse`), or once the order of all is known (`ranked`): "
            "[how](../explanation/statistics.md#stopping-as-soon-as-it-is-known)",
        ),
    ] = None
    compare: Annotated[
        list[str],
        Option(
            "Compare these two bots. [default: the only two]",
            "A,B",
            group=_UNTIL,
            unit=Unit.COMMAS,
            example="greedy,planner",
        ),
    ] = msgspec.field(default_factory=list)
    top: Annotated[
        int | None,
        Option(
            "With --until ranked: find only which K bots are the best, in any order. [default: the whole order]",
            "K",
            group=_UNTIL,
            example="3",
        ),
    ] = None
    alpha: Annotated[float, Option("Accept this risk of calling equal bots different.", group=_UNTIL)] = 0.05
    beta: Annotated[float, Option("Accept this risk of missing a difference of --margin.", group=_UNTIL)] = 0.05
    margin: Annotated[float, Option("Look for a difference in place score of at least X.", group=_UNTIL)] = 0.1
    times: Annotated[
        bool,
        Option(
            "Record the time of each decision.",
            unless="no-times",
            unless_help="Record no times, so that equal games give equal bytes.",
            group=OptionGroup.OUTPUT,
            docs=_NO_TIMES,
        ),
    ] = True
    anonymous: Annotated[bool, ANONYMOUS] = False
    strict: Annotated[bool, STRICT] = False
    sandbox: Annotated[Sandbox, SANDBOX] = Sandbox.AUTO
    limits: Limits = Limits()
