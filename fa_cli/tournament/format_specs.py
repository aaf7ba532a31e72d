"""The tournament formats as data: their options, and checks of what is impossible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, log2
from typing import Any, ClassVar

import msgspec

from ..errors import Impossible
from ..option import declared_options
from ..text import counted, either
from .options import ExtraSets, Format, Places, Rounds, Sets, TournamentRequest


class FormatSpec(msgspec.Struct, frozen=True, tag_field="format"):
    """The options of a format. Bots are indexes in the definition's list of bots."""

    name: ClassVar[str]
    uses_results: ClassVar[bool] = False
    """Whether pairings depend on results."""
    fixes_game_count: ClassVar[bool] = False
    """Whether the format itself decides the number of games, so that the user cannot choose it."""


class RoundRobin(FormatSpec, frozen=True, tag="round-robin"):
    """Every bot meets every other bot about equally often."""

    name: ClassVar[str] = "round-robin"
    ends: list[int] = []
    """The earlier planned numbers of games, before `--more`; the schedule is balanced there too."""


class Gauntlet(FormatSpec, frozen=True, tag="gauntlet"):
    """Challengers, one at each table, against all other bots, the field."""

    name: ClassVar[str] = "gauntlet"
    challengers: list[int]
    ends: list[int] = []
    """As in `RoundRobin`."""


class Swiss(FormatSpec, frozen=True, tag="swiss"):
    """Rounds in which bots with similar scores meet, without repeated pairings if possible."""

    name: ClassVar[str] = "swiss"
    uses_results: ClassVar[bool] = True
    fixes_game_count: ClassVar[bool] = True
    rounds: Rounds
    sets: Sets = 1
    """Duplicate sets of each table in a round; each set is played in every setting."""


class Knockout(FormatSpec, frozen=True, tag="knockout"):
    """Tables from which the best bots advance, until one is left. Seeds follow the order of the bots."""

    name: ClassVar[str] = "knockout"
    uses_results: ClassVar[bool] = True
    fixes_game_count: ClassVar[bool] = True
    advance: Places = 1
    """The number of bots that advance from a table; one from the last table."""
    sets: Sets = 1
    """As in `Swiss`."""
    extra_sets: ExtraSets = 2
    """The most additional sets of a tied table; if it is still tied, the better seed advances."""


class Ladder(FormatSpec, frozen=True, tag="ladder"):
    """An open league: the next games are those that improve the ratings most."""

    name: ClassVar[str] = "ladder"
    uses_results: ClassVar[bool] = True


AnyFormatSpec = RoundRobin | Gauntlet | Swiss | Knockout | Ladder


_FORMATS_OF = {each.name: each.option.formats for each in declared_options(TournamentRequest) if each.option.formats}
"""The formats of each option that only some formats have."""
_TABLES_OF_TWO = (Format.SWISS, Format.KNOCKOUT)


def check_options(format: Format, values: Mapping[str, Any]) -> None:
    """Raises Impossible for an option that this format does not have. Options not given are None, False or []."""
    for option, formats in _FORMATS_OF.items():
        value = values.get(option)
        if value is None or value is False or value == [] or format in formats:
            continue
        reason = ""
        if option == "games":
            source = "--rounds and --sets" if format is Format.SWISS else "the bots and --sets"
            reason = f": the number of games follows from {source}"
        elif option == "allow-repeats":
            reason = ": games of a bot against itself decide nothing there"
        names = either([each.value for each in formats])
        raise Impossible(f"--{option} is for --schedule {names}, not {format.value}{reason}", option)


def default_seats(format: Format) -> int:
    """The default number of seats at a table, if there are enough bots."""
    return 2 if format in _TABLES_OF_TWO else 4


def max_rounds(bots: int, players: int) -> int:
    """The most rounds of a swiss in which no two bots need to meet twice."""
    return (bots - 1) // (players - 1)


def default_rounds(bots: int, players: int) -> int:
    """The number of rounds of a knockout, one more at tables of more than two; at most `max_rounds`."""
    return max(1, min(max_rounds(bots, players), ceil(log2(bots) / log2(players)) + (players > 2)))


def check_spec(spec: FormatSpec, names: Sequence[str], players: Sequence[int], able: Sequence[Sequence[int]]) -> None:
    """Raises Impossible if the bots with these names cannot play the format.

    `players` has the seats at a table and `able` the bots that play, per setting.
    """
    if isinstance(spec, Gauntlet):
        _check_gauntlet(spec, able)
    if isinstance(spec, Swiss | Knockout):
        all_bots = set().union(*able)
        for bot in sorted(all_bots):
            if not all(bot in bots for bots in able):
                text = f"in a {spec.name} every bot plays every game, and {names[bot]} plays only some of them"
                raise Impossible(text, "game")
        if isinstance(spec, Swiss):
            _check_swiss(spec, len(all_bots), max(players))
        else:
            _check_knockout(spec, max(players))


def _check_gauntlet(spec: Gauntlet, able: Sequence[Sequence[int]]) -> None:
    challengers = set(spec.challengers)
    if not challengers:
        raise Impossible("a gauntlet has at least one challenger", "challenger")
    for bots in able:
        if not challengers & set(bots):
            raise Impossible("none of the challengers plays one of the gauntlet's games", "challenger")
        if challengers >= set(bots):
            raise Impossible("a gauntlet needs a field, and here all are challengers", "challenger")


def _check_swiss(spec: Swiss, bots: int, players: int) -> None:
    most = max_rounds(bots, players)
    if not 1 <= spec.rounds <= most:
        raise Impossible(
            f"a swiss of {bots} bots at tables of {players} has from 1 to {counted(most, 'round')} (then bots would "
            f"meet twice), not {spec.rounds}",
            "rounds",
        )


def _check_knockout(spec: Knockout, players: int) -> None:
    if not 1 <= spec.advance < players:
        raise Impossible(
            f"from a table of {players} at most {counted(players - 1, 'bot')} can advance, not {spec.advance}",
            "advance",
        )
