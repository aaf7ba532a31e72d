"""Every option of `fa tournament run`: what is played, and how the run goes. File keys and docs follow from it."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import msgspec

from ...option import Option
from ...tournament.options import TournamentRequest
from ..tables import Format


class Pin(enum.Enum):
    """Whether a game's processes keep to one core."""

    AUTO = "auto"
    OFF = "off"


JOBS = Option(
    "Games at the same time; as many as cores.",
    "J",
    short="j",
    least=1,
    example=2,
    docs="games at the same time; by default the number of cores; the results do not depend on it",
)
PIN = Option(
    "Whether a game's processes keep to one core.",
    docs="`auto` keeps a worker and its bots to one core, which is several times faster, except bots whose `bot.toml` "
    "states more `threads`; with `off` the system moves processes from core to core",
)
STDERR = Option(
    "Keep all that bots write to stderr, a file each.",
    "FOLDER",
    example="stderr",
    docs="all that bots write to stderr, a file for each process",
)
OUTPUT = Option(
    "How to print the leaderboard.",
    docs="how to print the leaderboard; all else is on stderr, and `--quiet` leaves that out",
)


class RunOptions(msgspec.Struct):
    """What `fa tournament run` takes."""

    request: TournamentRequest
    name: Annotated[
        str | None,
        Option(
            "Of the log, and for `show` and `resume`.",
            "NAME",
            example="spring",
            docs="the tournament's name; one that exists is refused, nothing is overwritten",
        ),
    ] = None
    jobs: Annotated[int | None, JOBS] = None
    pin: Annotated[Pin, PIN] = Pin.AUTO
    stderr: Annotated[Path | None, STDERR] = None
    output: Annotated[Format, OUTPUT] = Format.TABLE
