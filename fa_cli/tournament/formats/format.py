"""What every tournament format provides, and what it may read of a tournament."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Self

import msgspec

from ...errors import Impossible
from ...option import declared_options
from ...printing.text import near_or_all
from ..changes import Change, active_bots, current_versions
from .block import Blocks, Place, ResultFeed

BOT_INDEXES = list[int]
"""The type of options that are bots: indexes in the definition's list of bots, names where people give them."""


class TableSetting(NamedTuple):
    """The tables of one of a tournament's settings."""

    players: int
    """Seats at a table."""
    bots: Sequence[int]
    """The bots that play the setting's game."""
    block_games: int
    """The games of a block of different bots."""


class FormatInput(NamedTuple):
    """All that a format may read of a tournament. Bots are indexes in the definition's list of bots."""

    names: Sequence[str]
    """The names of all bots."""
    settings: Sequence[TableSetting]
    games: int
    """The planned number of games."""
    secret: str
    """A text to be mixed into the pairing; empty unless bots must not work it out."""
    changes: Sequence[Change]
    results: ResultFeed

    @property
    def games_in_set(self) -> int:
        """The games of one set: one block in every setting, of different bots."""
        return sum(setting.block_games for setting in self.settings)

    def active_bots(self, setting: int) -> list[int]:
        """The bots of a setting that are in the tournament when the next block begins."""
        return active_bots(self.changes, self.settings[setting].bots, self.results.next_index)

    def name_of(self, bot: int) -> str:
        """The name of a bot; of an updated bot that of its current version."""
        (current,) = current_versions(self.changes, (bot,), self.results.known) or (bot,)
        return self.names[current]


class TournamentFormat(msgspec.Struct, frozen=True, tag_field="format"):
    """A tournament format. Its fields are stored in the definition; those annotated as `Option` are options of `run`.

    The tag is its name. `formats/__init__.py` lists the formats; nothing else knows which there are.
    """

    uses_results: ClassVar[bool] = False
    """Whether pairings depend on results. Formats that use none can be counted in advance, can end early, and play on
    where a bot sits twice at a table."""
    games_follow_from: ClassVar[str] = ""
    """The options that decide the number of games, in words; empty if the user chooses the number."""
    is_open: ClassVar[bool] = False
    """Whether bots may join and leave during the tournament."""
    default_seats: ClassVar[int] = 4
    """The default number of seats at a table, if there are enough bots."""
    place_type: ClassVar[type[Place] | None] = None
    """The columns of the places that the format gives; None if it gives none."""
    fields_in_lines: ClassVar[Sequence[str]] = ()
    """The fields of places that terminals show as lines below the table instead (`Placing.lines`); of a format without
    lines they are in the table of `fa tournament places` alone."""

    @property
    def name(self) -> str:
        """The format's name: the value of `--schedule`."""
        return name_of(type(self))

    @property
    def fixes_game_count(self) -> bool:
        """Whether the format decides the number of games, not the user."""
        return bool(self.games_follow_from)

    @classmethod
    def from_options(cls, given: Mapping[str, Any], names: Sequence[str]) -> Self:
        """The format with the options that were given, by field, for bots with these names. Raises Impossible."""
        return cls(**given)

    def with_defaults(self, tournament: FormatInput) -> Self:
        """The same with the defaults that depend on the tables."""
        return self

    def check(self, tournament: FormatInput) -> None:
        """Raises Impossible if these bots cannot play the format."""

    def check_pair_meets(self, left: int, right: int, names: Sequence[str]) -> None:
        """Raises Impossible if these two bots never meet."""

    def kinds(self, bots: Sequence[int]) -> dict[str, list[int]]:
        """The bots by kind, in words: `bot`; with two kinds each table has one bot of the first, the rest are others.

        Bots of the first of two kinds never meet.
        """
        return {"bot": list(bots)}

    def planned_games(self, tournament: FormatInput) -> int | None:
        """The number of games that the format decides; None if the user chooses it."""
        return None

    def with_more_games(self, planned: int) -> Self:
        """The same for a tournament that gets more games than were planned before."""
        return self

    def title(self, names: Sequence[str]) -> str:
        """The name of the format with the options that people want to see; `names` are those of all bots."""
        return self.name

    def describe(self, tournament: FormatInput) -> str:
        """What there is to say about the schedule in advance, to follow `24 games` in a sentence."""
        return ""

    def blocks(self, tournament: FormatInput) -> Blocks:
        """The blocks in the order in which they are played, endless if the user chooses the number of games.

        A format that gives places sets `results.placing` first. Blocks may depend on the results of a fixed number of
        earlier blocks, not on those that happen to be known: so a schedule never depends on the number of workers.
        """
        raise NotImplementedError


def name_of(format_type: type[TournamentFormat]) -> str:
    """The name of a format."""
    return str(format_type.__struct_config__.tag)


def given_options(
    format_type: type[TournamentFormat], value_of: Callable[[str], Any], names: Sequence[str]
) -> dict[str, Any]:
    """The options of a format that were given, by field. `value_of` has their values; bots are among those `names`.

    Raises Impossible for a bot that there is not.
    """
    given: dict[str, Any] = {}
    for declared in declared_options(format_type):
        (field,) = declared.path
        value = value_of(field)
        if value is not None and value != []:
            is_bots = declared.type == BOT_INDEXES
            given[field] = _indexes(value, names, declared.name) if is_bots else value
    return given


def _indexes(chosen: Sequence[str], names: Sequence[str], option: str) -> list[int]:
    for name in chosen:
        if name not in names:
            raise Impossible(f"no bot named {name!r} to be a {option}{near_or_all(name, names, 'bots')}", option)
    return [names.index(name) for name in dict.fromkeys(chosen)]
