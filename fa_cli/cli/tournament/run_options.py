"""Every option of `fa tournament run` and `resume`. The keys of tournament files and the docs follow from them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import msgspec

from ...cluster.tls_options import SecurityFiles
from ...option import WEEK, Option, OptionGroup, Unit
from ...tournament.request import OPEN, STRICT, MoreGames, TournamentRequest, for_formats
from ..shared_options import Jobs
from ..tables import TableOptions

LOCAL = "local"
"""The value of `--executor` for this machine."""
CLUSTER = "dask://"
"""How its other values begin."""
_Wait = Annotated[float, msgspec.Meta(ge=0, le=WEEK)]


class PlayingOptions(msgspec.Struct, frozen=True):
    """How games are played and the result is printed, for `run` and `resume`."""

    jobs: Annotated[
        Jobs,
        Option(
            "Play N games at a time; 0: one per core.",
            "N",
            short="j",
            group=OptionGroup.RUNNING,
            docs="games at a time; 0: the cores divided by the most `threads` that a `bot.toml` states; the results do "
            "not depend on it",
        ),
    ] = 0
    pin: Annotated[
        Literal["auto", "off"],
        Option(
            "Keep a game's processes on one core (auto) or not (off).",
            group=OptionGroup.RUNNING,
            docs="`auto` keeps a worker and its bots to one core, which is several times faster, except bots whose "
            "`bot.toml` states more `threads`; with `off` the system moves processes from core to core",
        ),
    ] = "auto"
    executor: Annotated[
        str,
        Option(
            "Play on this machine (local) or on the workers of a Dask cluster.",
            "local|dask://HOST:PORT",
            group=OptionGroup.RUNNING,
            example="dask://192.168.1.5:8786",
            docs="where the games are played: `local` is this machine, `dask://HOST:PORT` the workers of a Dask "
            "scheduler; the results do not depend on it",
        ),
    ] = LOCAL
    cluster_wait: Annotated[
        _Wait,
        Option(
            "Wait TIME for the scheduler or for workers that can play.", group=OptionGroup.RUNNING, unit=Unit.SECONDS
        ),
    ] = 60.0
    security: SecurityFiles = SecurityFiles()
    wait: Annotated[
        _Wait,
        Option(
            "Wait TIME for remote bots to connect.",
            group=OptionGroup.RUNNING,
            unit=Unit.SECONDS,
            docs="how long a run waits for remote bots before its first game; those that are absent then lose their "
            "games by a fault, until the tournament is resumed with them",
        ),
    ] = 600.0
    stderr: Annotated[
        Path | None,
        Option(
            "Write stderr of bots to FOLDER, up to 64 MiB a process. [default: the end, in records]",
            "FOLDER",
            group=OptionGroup.OUTPUT,
            example="stderr",
        ),
    ] = None
    budget: Annotated[
        Annotated[float, msgspec.Meta(ge=0, le=10**9)] | None,
        Option(
            "Stop before language models have cost more than AMOUNT. [default: no limit]",
            "AMOUNT",
            group=OptionGroup.STOPPING,
            example=5.0,
            docs="the most that the language models of all bots may cost in this tournament, earlier runs of it "
            "included, in the currency of their prices in `bot.toml`; the run stops before it is exceeded",
        ),
    ] = None
    table: TableOptions = TableOptions()


class ResumeOptions(msgspec.Struct, frozen=True):
    """The options of `fa tournament resume`."""

    more: Annotated[MoreGames, Option("Play N games beyond those planned.", "N")] = 0
    update: Annotated[bool, Option("Let bots whose files changed play as new versions.")] = False
    add: Annotated[list[str], Option(for_formats(OPEN, "Let BOT join; repeatable."), "BOT")] = []
    retire: Annotated[list[str], Option(for_formats(OPEN, "Let BOT leave; repeatable."), "BOT")] = []
    strict: Annotated[bool, STRICT] = False
    beacon: Annotated[
        Path | None,
        Option("Mix in the public random value in FILE, as drand's API gives it. [default: do not]", "FILE"),
    ] = None
    playing: PlayingOptions = PlayingOptions()

    @property
    def amends(self) -> bool:
        """Whether the tournament itself is to change."""
        return bool(self.more or self.update or self.add or self.retire)


class RunOptions(msgspec.Struct, frozen=True):
    """The options of `fa tournament run`."""

    request: TournamentRequest
    name: Annotated[
        str | None,
        Option(
            "Name the tournament. [default: the game or file, with a number]",
            "NAME",
            group=OptionGroup.OUTPUT,
            example="spring",
            docs="the tournament's name; one that exists is refused, nothing is overwritten",
        ),
    ] = None
    define: Annotated[
        bool,
        Option(
            "Write the definition, and play nothing yet.",
            group=OptionGroup.RUNNING,
            docs="write the definition, and play nothing; `fa tournament resume` plays it",
        ),
    ] = False
    beacon_round: Annotated[
        Annotated[int, msgspec.Meta(ge=1, le=10**12)] | None,
        Option(
            "Let the deals depend on round N of drand's quicknet, still to come; implies --define. [default: do not]",
            "N",
            group=OptionGroup.RUNNING,
            example=40_000_000,
            docs="a round of drand's beacon `quicknet`, to come within a year, whose value is mixed into the seed; "
            "implies `--define`, and `fa tournament resume --beacon FILE` gives the value",
        ),
    ] = None
    playing: PlayingOptions = PlayingOptions()
