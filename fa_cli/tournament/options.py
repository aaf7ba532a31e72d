"""The options of a new tournament: every option of `fa tournament run` that decides what is played."""

from __future__ import annotations

import enum
from typing import Annotated

import msgspec

from ..isolation.limits import SANDBOX, Limits, Sandbox
from ..option import Option, Unit
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


_UNTIL = "Stopping early"
_FIXED = (Format.ROUND_ROBIN, Format.GAUNTLET)
"""The formats whose schedule does not depend on results."""
_NO_TIMES = (
    "the log has no times: not how long decisions took or how many were asked, not when the tournament "
    "began, no stderr of faults. Two runs of deterministic bots with the same name and seed give the same bytes, "
    "whatever `--jobs` is. Leaderboards show no `ms`, and fold such logs before all others, by name"
)

ANONYMOUS = Option(
    "Hide from bots who their opponents are.",
    docs="hide from bots who their opponents are, see below",
)
STRICT = Option(
    "Refuse to play if a bot is broken; do not skip it.",
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
        str, Option("A name in `fa games`, or all.", "GAME", docs="a name in `fa games`, or `all`: every game at once")
    ] = "fifth-avenue"
    schedule: Annotated[Format, Option("Choose who plays whom.", docs="who plays whom, see below")] = Format.ROUND_ROBIN
    challengers: Annotated[
        list[str],
        Option(
            "Gauntlet: a bot that meets the rest; repeatable. [default: the first bot]",
            "NAME",
            name="challenger",
            formats=(Format.GAUNTLET,),
            example=["greedy"],
            docs="a challenger, which meets the rest; repeatable; by default the first bot",
        ),
    ] = []
    rounds: Annotated[
        int | None,
        Option(
            "Swiss: number of rounds.", "N", least=1, formats=(Format.SWISS,), example=3, docs="the number of rounds"
        ),
    ] = None
    sets: Annotated[
        int | None,
        Option(
            "Swiss, knockout: deals per table, each in all seatings. [default: 1]",
            "N",
            least=1,
            formats=(Format.SWISS, Format.KNOCKOUT),
            example=1,
            docs="deals per table, each in all seatings; by default 1",
        ),
    ] = None
    advance: Annotated[
        int | None,
        Option(
            "Knockout: bots that advance from a table. [default: 1]",
            "N",
            least=1,
            formats=(Format.KNOCKOUT,),
            example=1,
            docs="bots that advance from a table; by default 1",
        ),
    ] = None
    extra_sets: Annotated[
        int | None,
        Option(
            "Knockout: most additional deals of a tied table. [default: 2]",
            "N",
            least=0,
            formats=(Format.KNOCKOUT,),
            example=2,
        ),
    ] = None
    players: Annotated[
        int | None,
        Option(
            "Seats at a table. [default: 4 (swiss, knockout: 2), or fewer]",
            "N",
            least=1,
            example=4,
            docs="seats at a table; by default four, in a swiss or knockout two, or fewer if there are fewer bots",
        ),
    ] = None
    options: Annotated[
        dict[str, str],
        Option(
            "Set an option of the game; repeatable.",
            "NAME=VALUE",
            name="option",
            docs="an option of the game, such as `side=six`; it replaces the game's usual setting for tournaments",
        ),
    ] = {}
    games: Annotated[
        int | None,
        Option(
            "Number of games. [default: a balanced number]",
            "K",
            least=1,
            formats=(*_FIXED, Format.LADDER),
            example=240,
            docs="the number of games; by default a balanced number, see below",
        ),
    ] = None
    seed: Annotated[
        str | None,
        Option(
            "Deal the same games for the same text. [default: random]",
            "TEXT",
            example="spring",
            docs="the same text deals the same games; by default the system's secure generator deals, as it should in "
            "a contest, see below",
        ),
    ] = None
    clock: Clock = Clock()
    duplicate: Annotated[
        DuplicateChoice,
        Option(
            "Play each deal in all rotations of the seats, in all permutations, or once (off). auto: rotations for two "
            "players, off for more.",
            docs="in which seatings a deal is played; `auto`: `rotations` for two players, `off` for more, see "
            "[below](#duplicate-deals)",
        ),
    ] = DuplicateChoice.AUTO
    repeats: Annotated[
        bool,
        Option(
            "Let the same bot sit at a table twice.",
            name="allow-repeats",
            formats=_FIXED,
            docs="the same bot may sit at a table twice; no more often than fills it",
        ),
    ] = False
    until: Annotated[
        Stop | None,
        Option(
            "Stop once it is decided which of two bots is better.",
            group=_UNTIL,
            formats=_FIXED,
            example="decided",
            docs="stop once it is decided which of two bots is better: "
            "[statistics.md](../explanation/statistics.md#stopping-as-soon-as-it-is-known)",
        ),
    ] = None
    compare: Annotated[
        list[str],
        Option(
            "Compare these two, if there are more bots.",
            "A,B",
            group=_UNTIL,
            unit=Unit.COMMAS,
            example="greedy,planner",
        ),
    ] = []
    alpha: Annotated[float, Option("Probability of calling equal bots different.", group=_UNTIL)] = 0.05
    beta: Annotated[float, Option("Probability of missing a difference of the margin.", group=_UNTIL)] = 0.05
    margin: Annotated[float, Option("The smallest difference that matters.", group=_UNTIL)] = 0.1
    times: Annotated[
        bool,
        Option(
            "Record the time of each decision; without times equal games give equal bytes.",
            unless="no-times",
            docs=_NO_TIMES,
        ),
    ] = True
    anonymous: Annotated[bool, ANONYMOUS] = False
    strict: Annotated[bool, STRICT] = False
    sandbox: Annotated[Sandbox, SANDBOX] = Sandbox.AUTO
    limits: Limits = Limits()
