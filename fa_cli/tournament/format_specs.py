"""The formats of tournaments, as plain data: what each is told, and what of that can't be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, log2
from typing import Any, ClassVar

import msgspec

from ..errors import Impossible
from ..option import declared_options
from .options import Format, TournamentRequest


class FormatSpec(msgspec.Struct, frozen=True, tag_field="format"):
    """What all formats have; bots are places in the definition's list of bots."""

    name: ClassVar[str]
    listens: ClassVar[bool] = False
    """Whether who plays whom depends on results."""
    counts_itself: ClassVar[bool] = False
    """Whether how many games there are follows from the format, so that nobody can wish a number."""


class RoundRobin(FormatSpec, frozen=True, tag="round-robin"):
    """Everybody meets everybody about equally often."""

    name: ClassVar[str] = "round-robin"
    ends: list[int] = []
    """After how many games it was to end before more were wished: all is even there too."""


class Gauntlet(FormatSpec, frozen=True, tag="gauntlet"):
    """Challengers, one at each table, against the rest, the field."""

    name: ClassVar[str] = "gauntlet"
    challengers: list[int]
    ends: list[int] = []
    """As in a round robin."""


class Swiss(FormatSpec, frozen=True, tag="swiss"):
    """Rounds in which those meet who stand alike, and nobody twice as long as that is possible."""

    name: ClassVar[str] = "swiss"
    listens: ClassVar[bool] = True
    counts_itself: ClassVar[bool] = True
    rounds: int
    sets: int = 1
    """Duplicate sets that a table plays in a round, each in every setting."""


class Knockout(FormatSpec, frozen=True, tag="knockout"):
    """Tables from which the best go on, until one bot is left. Seeded in the order of the bots."""

    name: ClassVar[str] = "knockout"
    listens: ClassVar[bool] = True
    counts_itself: ClassVar[bool] = True
    advance: int = 1
    """How many of a table go on; at the last table it is one."""
    sets: int = 1
    extra_sets: int = 2
    """So many more at most for a table that is level; after them the better seed goes on."""


class Ladder(FormatSpec, frozen=True, tag="ladder"):
    """A league that goes on: the next games are those that teach most of how good bots are."""

    name: ClassVar[str] = "ladder"
    listens: ClassVar[bool] = True


AnyFormatSpec = RoundRobin | Gauntlet | Swiss | Knockout | Ladder


_OF = {each.name: each.option.formats for each in declared_options(TournamentRequest) if each.option.formats}
"""Options that only some formats have."""
_TABLES_OF_TWO = (Format.SWISS, Format.KNOCKOUT)


def check_options(format: Format, given: Mapping[str, Any]) -> None:
    """Raises Impossible for an option that this format does not have; `given` has None or False where none is."""
    for option, formats in _OF.items():
        value = given.get(option)
        if value is None or value is False or value == [] or format in formats:
            continue
        why = ""
        if option == "games":
            of = "--rounds and --sets" if format is Format.SWISS else "the bots and --sets"
            why = f": how many games there are follows from {of}"
        elif option == "allow-repeats":
            why = ": a bot against itself tells nothing there"
        names = [str(one.value) for one in formats]
        told = " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
        raise Impossible(f"--{option} is for --format {told}, not for {format.value}{why}", option)


def default_seats(format: Format) -> int:
    """How many sit at a table when nothing is said and there are bots enough."""
    return 2 if format in _TABLES_OF_TWO else 4


def max_rounds(bots: int, players: int) -> int:
    """Rounds of a swiss until a bot has no opponents left that are new to it."""
    return (bots - 1) // (players - 1)


def default_rounds(bots: int, players: int) -> int:
    """As many as a knockout would need to find a winner, one more at larger tables; if there are opponents for them."""
    return max(1, min(max_rounds(bots, players), ceil(log2(bots) / log2(players)) + (players > 2)))


def check_spec(plan: FormatSpec, names: Sequence[str], players: Sequence[int], able: Sequence[Sequence[int]]) -> None:
    """Whether bots of these names can play it; per setting: how many sit at a table, and the bots that play it.

    Raises Impossible.
    """
    if isinstance(plan, Gauntlet):
        _check_gauntlet(plan, able)
    if isinstance(plan, Swiss | Knockout):
        everybody = set().union(*able)
        for bot in sorted(everybody):
            if not all(bot in its for its in able):
                text = f"in a {plan.name} every bot plays every game, and {names[bot]} plays only some of them"
                raise Impossible(text, "game")
        if isinstance(plan, Swiss):
            _check_swiss(plan, len(everybody), max(players))
        else:
            _check_knockout(plan, max(players))


def _check_gauntlet(plan: Gauntlet, able: Sequence[Sequence[int]]) -> None:
    challengers = set(plan.challengers)
    if not challengers:
        raise Impossible("a gauntlet has at least one challenger", "challenger")
    for its in able:
        if not challengers & set(its):
            raise Impossible("none of the challengers plays one of the gauntlet's games", "challenger")
        if challengers >= set(its):
            raise Impossible("a gauntlet needs a field, and here all are challengers", "challenger")


def _check_swiss(plan: Swiss, bots: int, players: int) -> None:
    most = max_rounds(bots, players)
    if plan.rounds < 1 or plan.sets < 1:
        raise Impossible("a swiss has at least one round of at least one set", "rounds")
    if plan.rounds > most:
        raise Impossible(
            f"a swiss of {plan.rounds} rounds has more of them than {bots} bots have opponents: at tables of {players} "
            f"those new to each other are enough for {most}",
            "rounds",
        )


def _check_knockout(plan: Knockout, players: int) -> None:
    if not 1 <= plan.advance < players:
        raise Impossible(
            f"a knockout whose tables of {players} let {plan.advance} go on never ends; fewer can",
            "advance",
        )
    if plan.sets < 1 or plan.extra_sets < 0:
        raise Impossible("a knockout's tables play at least one set", "sets")
