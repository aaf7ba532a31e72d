"""Every option of `fa tournament run` and `resume`. The keys of tournament files and the docs follow from them."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import msgspec

from ...option import Option
from ...tournament.options import STRICT, TournamentRequest
from ..tables import TableOptions


class Pin(enum.Enum):
    """Whether a game's processes stay on one core."""

    AUTO = "auto"
    OFF = "off"


class PlayingOptions(msgspec.Struct, frozen=True):
    """How games are played and the result is printed, for `run` and `resume`."""

    jobs: Annotated[
        int | None,
        Option(
            "Games at the same time. [default: one per core]",
            "J",
            short="j",
            least=1,
            example=2,
            docs="games at the same time; by default the number of cores; the results do not depend on it",
        ),
    ] = None
    pin: Annotated[
        Pin,
        Option(
            "Whether a game's processes stay on one core.",
            docs="`auto` keeps a worker and its bots to one core, which is several times faster, except bots whose "
            "`bot.toml` states more `threads`; with `off` the system moves processes from core to core",
        ),
    ] = Pin.AUTO
    stderr: Annotated[
        Path | None,
        Option(
            "Keep all that bots write to stderr, a file each.",
            "FOLDER",
            example="stderr",
            docs="all that bots write to stderr, a file for each process",
        ),
    ] = None
    table: TableOptions = TableOptions()


class ResumeOptions(msgspec.Struct, frozen=True):
    """The options of `fa tournament resume`."""

    more: Annotated[int, Option("Play K games beyond those planned.", "K", least=0)] = 0
    update: Annotated[bool, Option("Let bots whose files changed play as new versions.")] = False
    add: Annotated[list[str], Option("Ladder: a bot joins; may be repeated.", "BOT")] = []
    retire: Annotated[list[str], Option("Ladder: a bot leaves; may be repeated.", "NAME")] = []
    strict: Annotated[bool, STRICT] = False
    playing: PlayingOptions = PlayingOptions()


class RunOptions(msgspec.Struct, frozen=True):
    """The options of `fa tournament run`."""

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
    playing: PlayingOptions = PlayingOptions()
