"""The options of a new tournament: every option of `fa tournament run` that decides what is played."""

from __future__ import annotations

import enum
from typing import Annotated

import msgspec

from ..isolation.limits import SANDBOX, Limits, Sandbox
from ..option import Option, Unit
from ..option_group import OptionGroup
from ..protocol.messages import Clock


class Format(enum.Enum):
    """The tournament formats."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    LADDER = "ladder"


class Duplicate(enum.Enum):
    """In which seatings a deal is played: in all rotations (each bot has every seat once), in all permutations, or once
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


MAX_GAMES = 10_000_000
"""The most games of a tournament."""
GameCount = Annotated[int, msgspec.Meta(ge=1, le=MAX_GAMES)]
MoreGames = Annotated[int, msgspec.Meta(ge=0, le=MAX_GAMES)]
Rounds = Annotated[int, msgspec.Meta(ge=1, le=10_000)]
Sets = Annotated[int, msgspec.Meta(ge=1, le=100_000)]
ExtraSets = Annotated[int, msgspec.Meta(ge=0, le=1_000)]
Places = Annotated[int, msgspec.Meta(ge=1)]  # a game's or a table's number of seats bounds them
_UNTIL = OptionGroup.STOPPING
_FIXED = (Format.ROUND_ROBIN, Format.GAUNTLET)
"""The formats whose schedule does not depend on results."""
_NO_TIMES = (
    "the log has no times: not how long decisions took or how many were asked, not when the tournament "
    "began, no stderr of faults. Two runs of deterministic bots with the same name and seed give the same bytes, "
    "whatever `--jobs` is. Leaderboards show no `ms`, and fold such logs before all others, by name"
)

ANONYMOUS = Option(
    "Hide the names of the bots from each other.",
    docs="hide from bots who their opponents are, see below",
)
STRICT = Option(
    "Refuse to play if a bot is broken, instead of skipping it.",
    docs="a bot that can't be built or started is an error (exit code 2); by default it is skipped",
)


class TournamentRequest(msgspec.Struct, frozen=True):
    """The options of a new tournament as given by the user; None if the format or the bots decide."""

    bots: Annotated[
        list[str],
        Option(
            "Files, folders or shipped bots; NAME=PATH renames one.",
            "BOT...|FILE.toml",
            docs="files or folders of bots, or names of shipped ones",
        ),
    ]
    game: Annotated[
        str, Option("Play this game, or all games.", "GAME", docs="a name in `fa games`, or `all`: every game at once")
    ] = "fifth-avenue"
    schedule: Annotated[Format, Option("Choose who plays whom.", docs="who plays whom, see below")] = Format.ROUND_ROBIN
    challengers: Annotated[
        list[str],
        Option(
            "Gauntlet: let this bot meet the rest; repeatable. [default: the first bot]",
            "BOT",
            name="challenger",
            formats=(Format.GAUNTLET,),
            example=["greedy"],
            docs="a challenger, which meets the rest; repeatable; by default the first bot",
        ),
    ] = []
    rounds: Annotated[
        Rounds | None,
        Option(
            "Swiss: play N rounds. [default: enough to find a winner]",
            "N",
            formats=(Format.SWISS,),
            example=3,
            docs="the number of rounds; by default enough to find a winner",
        ),
    ] = None
    sets: Annotated[
        Sets | None,
        Option(
            "Swiss, knockout: play N deals per table, each in all seatings. [default: 1]",
            "N",
            formats=(Format.SWISS, Format.KNOCKOUT),
            example=1,
            docs="deals per table, each in all seatings; by default 1",
        ),
    ] = None
    advance: Annotated[
        Places | None,
        Option(
            "Knockout: let N bots advance from each table. [default: 1]",
            "N",
            formats=(Format.KNOCKOUT,),
            example=1,
            docs="bots that advance from a table; by default 1",
        ),
    ] = None
    extra_sets: Annotated[
        ExtraSets | None,
        Option(
            "Knockout: play at most N more deals at a tied table. [default: 2]",
            "N",
            formats=(Format.KNOCKOUT,),
            example=2,
        ),
    ] = None
    players: Annotated[
        Places | None,
        Option(
            "Seat N bots at a table. [default: 4; 2 in swiss and knockout]",
            "N",
            example=4,
            docs="seats at a table; by default four, in a swiss or knockout two, or fewer if there are fewer bots",
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
    ] = {}
    games: Annotated[
        GameCount | None,
        Option(
            "Play N games. [default: a balanced number]",
            "N",
            formats=(*_FIXED, Format.LADDER),
            example=240,
            docs="the number of games; by default a balanced number, see below",
        ),
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
            "Stop when it is decided which of two bots is better. [default: play all games]",
            group=_UNTIL,
            formats=_FIXED,
            example="decided",
            docs="stop once it is decided which of two bots is better: "
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
    ] = []
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
