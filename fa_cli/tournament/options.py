"""What a person may ask of a new tournament: every option of `fa tournament run` that says what is played."""

from __future__ import annotations

import enum
from typing import Annotated

import msgspec

from ..isolation.limits import SANDBOX, Limits, Sandbox
from ..option import Option, Unit
from ..protocol.messages import Clock


class Format(enum.Enum):
    """The formats by name."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    LADDER = "ladder"


class Duplicate(enum.Enum):
    """Whether a deal is played once, or once for each turn of the table by which every bot has had every seat, or in
    every order in which the bots can sit."""

    ROTATIONS = "rotations"
    PERMUTATIONS = "permutations"
    OFF = "off"


class Stop(enum.Enum):
    """What may end a tournament before its last game."""

    DECIDED = "decided"


_UNTIL = "Stopping early"
_COUNTED = (Format.ROUND_ROBIN, Format.GAUNTLET)
"""The formats whose schedule needs no results."""
_NO_TIMES = (
    "the log has no times: not how long decisions took or how many were asked, not when the tournament "
    "began, no stderr of faults. Two runs of deterministic bots with the same name and seed give the same bytes, "
    "whatever `--jobs` is. Leaderboards show no `ms`, and fold such logs before all others, by name"
)

ANONYMOUS = Option(
    "Tell bots nothing by which to know who sits with them.",
    docs="bots get nothing by which to know who sits with them, see below",
)
STRICT = Option(
    "Refuse to play if a bot is broken; do not skip it.",
    docs="a bot that can't be built or started is an error (exit code 2); by default it is skipped",
)


class TournamentRequest(msgspec.Struct, frozen=True):
    """A new tournament as a person asks for it; None where the format or the bots decide."""

    bots: Annotated[
        list[str],
        Option("Files or folders; NAME=PATH renames one.", "BOT...|FILE.toml", docs="files or folders of bots"),
    ]
    game: Annotated[
        str, Option("A name in `fa games`, or all.", "GAME", docs="a name in `fa games`, or `all`: every game at once")
    ] = "fifth-avenue"
    format: Annotated[Format, Option("Who meets whom.", docs="who meets whom, see below")] = Format.ROUND_ROBIN
    challengers: Annotated[
        list[str],
        Option(
            "Gauntlet: who meets the rest; the first bot. Repeatable.",
            "NAME",
            name="challenger",
            formats=(Format.GAUNTLET,),
            example=["greedy"],
            docs="a challenger, who meets the rest; repeatable; by default the first bot",
        ),
    ] = []
    rounds: Annotated[
        int | None,
        Option("Swiss: how many.", "N", least=1, formats=(Format.SWISS,), example=3, docs="the number of rounds"),
    ] = None
    sets: Annotated[
        int | None,
        Option(
            "Swiss, knockout: deals for a table, each in all seatings; 1.",
            "N",
            least=1,
            formats=(Format.SWISS, Format.KNOCKOUT),
            example=1,
            docs="deals for a table, each in all seatings; by default 1",
        ),
    ] = None
    advance: Annotated[
        int | None,
        Option(
            "Knockout: how many of a table go on; 1.",
            "N",
            least=1,
            formats=(Format.KNOCKOUT,),
            example=1,
            docs="how many of a table go on; by default 1",
        ),
    ] = None
    extra_sets: Annotated[
        int | None,
        Option(
            "Knockout: more at most while a table is level; 2.",
            "N",
            least=0,
            formats=(Format.KNOCKOUT,),
            example=2,
        ),
    ] = None
    players: Annotated[
        int | None,
        Option(
            "Bots at a table; 4 (swiss, knockout: 2), or fewer.",
            "N",
            least=1,
            example=4,
            docs="bots at a table; by default four, in a swiss or knockout two, or fewer if there are fewer bots",
        ),
    ] = None
    options: Annotated[
        dict[str, str],
        Option(
            "An option of the game; may be repeated.",
            "NAME=VALUE",
            name="option",
            docs="an option of the game, such as `side=six`; it replaces the game's usual setting for tournaments",
        ),
    ] = {}
    games: Annotated[
        int | None,
        Option(
            "How many games; a fair number when nothing is said.",
            "K",
            least=1,
            formats=(*_COUNTED, Format.LADDER),
            example=240,
            docs="how many games; by default a fair number, see below",
        ),
    ] = None
    seed: Annotated[
        str | None,
        Option(
            "The same text deals the same games.",
            "TEXT",
            example="spring",
            docs="the same text deals the same games; by default the system's secure generator deals, as it should in "
            "a contest, see below",
        ),
    ] = None
    clock: Clock = Clock()
    duplicate: Annotated[
        Duplicate,
        Option(
            "Play a deal once for each turn of the table, in every seating, or once.",
            docs="in which seatings a deal is played, see below",
        ),
    ] = Duplicate.ROTATIONS
    repeats: Annotated[
        bool,
        Option(
            "Let the same bot sit at a table twice.",
            name="allow-repeats",
            formats=_COUNTED,
            docs="the same bot may sit at a table twice; no more often than fills it",
        ),
    ] = False
    until: Annotated[
        Stop | None,
        Option(
            "End when it is known which of two bots is better.",
            group=_UNTIL,
            formats=_COUNTED,
            example="decided",
            docs="end when it is known which of two bots is better: "
            "[statistics.md](statistics.md#stopping-as-soon-as-it-is-known)",
        ),
    ] = None
    compare: Annotated[
        list[str],
        Option("These two, if there are more bots.", "A,B", group=_UNTIL, unit=Unit.COMMAS, example="greedy,planner"),
    ] = []
    alpha: Annotated[float, Option("Chance to call equal bots different.", group=_UNTIL)] = 0.05
    beta: Annotated[float, Option("Chance to miss a difference of the margin.", group=_UNTIL)] = 0.05
    margin: Annotated[float, Option("The smallest difference that matters.", group=_UNTIL)] = 0.1
    times: Annotated[
        bool,
        Option(
            "Record in the log how long each decision took; without, equal games give equal bytes.",
            unless="no-times",
            docs=_NO_TIMES,
        ),
    ] = True
    anonymous: Annotated[bool, ANONYMOUS] = False
    strict: Annotated[bool, STRICT] = False
    sandbox: Annotated[Sandbox, SANDBOX] = Sandbox.AUTO
    limits: Limits = Limits()
