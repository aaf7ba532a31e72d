"""How balanced a schedule is: the games per bot, per bot and seat, and per pair of bots at one table.

Round robins and gauntlets can be counted in advance. For formats that use results only the number of games is known.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Mapping, Sequence
from math import comb, gcd, lcm, prod
from typing import NamedTuple

import msgspec

from .definition import Definition, Setting
from .pairing.seating import block_size, seatings

MIN_GAMES = 200
"""A tournament has at least this many games by default, and up to 50% more if that is more balanced."""
MIN_GAMES_PER_BOT = 24
"""It has at least this many games for each bot by default."""
_MAX_COUNTED = 5_000
"""Schedules with more games are not counted in advance."""


class Fairness(NamedTuple):
    """The smallest and largest counts within one setting, among bots of one kind."""

    kind: str
    """The kind of these bots, as in `TournamentFormat.kinds`."""
    games: tuple[int, int]
    """Games of a bot."""
    seats: tuple[int, int]
    """Games of a bot in one seat."""
    pairs: tuple[int, int]
    """Games of two bots at one table; with two kinds of bots, of one of each."""
    rivals: str
    """The kind of the other bot of these pairs; empty if they are counted with the first kind."""


class _Counts:
    """Counts of `items` different items, with the smallest and largest count always known."""

    def __init__(self, items: int) -> None:
        self._count: dict[Hashable, int] = {}
        self._items_with = {0: items}  # count -> number of items with this count

    def add(self, item: Hashable) -> None:
        before = self._count.get(item, 0)
        self._count[item] = before + 1
        self._items_with[before + 1] = self._items_with.get(before + 1, 0) + 1
        self._items_with[before] -= 1
        if not self._items_with[before]:
            del self._items_with[before]

    def extremes(self) -> tuple[int, int]:
        return min(self._items_with), max(self._items_with)


class _SettingCounts:
    """The counts of one setting."""

    def __init__(self, setting: Setting, kinds: Mapping[str, Sequence[int]]) -> None:
        self._kind = {bot: kind for kind, bots in kinds.items() for bot in bots}
        self._games = {kind: _Counts(len(bots)) for kind, bots in kinds.items()}
        self._seats = {kind: _Counts(len(bots) * setting.players) for kind, bots in kinds.items()}
        self._has_one_kind = len(kinds) == 1
        counts = [len(bots) for bots in kinds.values()]
        self._pairs = _Counts(comb(counts[0], 2) if self._has_one_kind else prod(counts))

    def add(self, seats: Sequence[int]) -> None:
        kind = self._kind
        for seat, bot in enumerate(seats):
            self._games[kind[bot]].add(bot)
            self._seats[kind[bot]].add((bot, seat))
        for left, right in itertools.combinations(sorted(set(seats)), 2):
            if self._has_one_kind or kind[left] != kind[right]:
                self._pairs.add((left, right))

    def fairness(self) -> list[Fairness]:
        pairs, kinds = self._pairs.extremes(), list(self._games)
        rivals = dict(zip(kinds, [*kinds[1:], kinds[0] if self._has_one_kind else ""], strict=True))
        return [
            Fairness(kind, games.extremes(), self._seats[kind].extremes(), pairs, rivals[kind])
            for kind, games in self._games.items()
        ]


class _ScheduleCounts:
    """Counts the games of a definition, block by block."""

    def __init__(self, definition: Definition) -> None:
        self._duplicates = [definition.duplicate_of(setting) for setting in definition.settings]
        self._secret = definition.secret
        spec = definition.format_spec
        self._settings = [_SettingCounts(setting, spec.kinds(setting.bots)) for setting in definition.settings]
        self._blocks = enumerate(spec.blocks(definition.for_format()))
        self.games = 0

    def add_block(self, max_games: int) -> None:
        """Count the next block, or its first `max_games` games."""
        number, block = next(self._blocks)
        assert block, "this format uses results"
        all_seatings = seatings(self._duplicates[block.setting], number, block.group, self._secret)
        for seats in itertools.islice(all_seatings, max_games):
            self._settings[block.setting].add(seats)
            self.games += 1

    def fairness(self) -> list[Fairness]:
        """The extremes of the counts so far."""
        return [fairness for setting in self._settings for fairness in setting.fairness()]


def measure_fairness(definition: Definition) -> list[Fairness] | None:
    """The balance of the games per setting; None if it depends on results or there are more than 5,000 games."""
    if definition.format_spec.uses_results or definition.games > _MAX_COUNTED:
        return None
    counts = _ScheduleCounts(definition)
    while counts.games < definition.games:
        counts.add_block(definition.games - counts.games)
    return counts.fairness()


def planned_games(definition: Definition) -> int:
    """The number of games that the format fixes, or the default."""
    tournament = definition.for_format()
    planned = definition.format_spec.planned_games(tournament)
    if planned is not None:
        return planned
    bots = len({bot for setting in definition.settings for bot in setting.bots})
    enough = max(MIN_GAMES, MIN_GAMES_PER_BOT * bots // min(setting.players for setting in definition.settings))
    if definition.format_spec.uses_results:
        return -(-enough // tournament.games_in_set) * tournament.games_in_set
    return _balanced_games(definition, enough)


def _balanced_games(definition: Definition, enough: int) -> int:
    """The best balanced number of games from `enough` to 50% more.

    Each number has its own schedule, since a schedule is balanced at its end.
    """
    step = _cycle(definition)
    first = -(-enough // step) * step
    best: tuple[int, int] | None = None
    for games in range(first, max(first, enough * 3 // 2) + 1, step):
        counts = measure_fairness(msgspec.structs.replace(definition, games=games))
        candidate = _unevenness(counts or ()), games
        best = min(best or candidate, candidate)
        if not best[0]:
            break
    assert best
    return best[1]


def _cycle(definition: Definition) -> int:
    """The smallest number of games after which, in each setting, all bots have the same number of games."""
    games, cycles = 0, []
    for setting in definition.settings:
        kinds = list(definition.format_spec.kinds(setting.bots).values())
        blocks = len(kinds[0]) if len(kinds) > 1 else 1  # a group of the others plays with each bot of the first kind
        bots, seats = len(kinds[-1]), setting.players - (len(kinds) > 1)
        extra = seats if bots >= seats else seats % bots  # seats left after each bot has the same number of seats
        cycles.append(bots // gcd(bots, extra))
        games += blocks * block_size(definition.duplicate_of(setting), setting.players)
    return games * lcm(*cycles)


def _unevenness(counts: Sequence[Fairness]) -> int:
    """How far the counts differ; differences in games per bot weigh far more than those in games per pair."""
    return sum(1000 * (each.games[1] - each.games[0]) + each.pairs[1] - each.pairs[0] for each in counts)


def next_balanced(definition: Definition) -> int:
    """The smallest balanced number of games that is not less than the definition's."""
    step = _cycle(definition)
    return -(-definition.games // step) * step
