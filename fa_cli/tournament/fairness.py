"""How balanced a schedule is: the games per bot, per bot and seat, and per pair of bots at one table.

Round robins and gauntlets can be counted in advance. For formats that use results only the number of games is known.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import comb, gcd, lcm, prod
from typing import Any, NamedTuple

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


class _SettingCounts:
    """The counts of one setting."""

    def __init__(self, setting: Setting, kinds: Mapping[str, Sequence[int]]) -> None:
        self._players = setting.players
        self._kinds = {kind: len(bots) for kind, bots in kinds.items()}
        self._kind_of = {bot: kind for kind, bots in kinds.items() for bot in bots}
        self._games: dict[str, Counter[int]] = {kind: Counter() for kind in kinds}
        self._seats: dict[str, Counter[tuple[int, int]]] = {kind: Counter() for kind in kinds}
        self._pairs: Counter[tuple[int, int]] = Counter()

    def add(self, seats: Sequence[int]) -> None:
        kind_of = self._kind_of
        for seat, bot in enumerate(seats):
            self._games[kind_of[bot]][bot] += 1
            self._seats[kind_of[bot]][bot, seat] += 1
        for left, right in itertools.combinations(sorted(set(seats)), 2):
            if len(self._kinds) == 1 or kind_of[left] != kind_of[right]:
                self._pairs[left, right] += 1

    def fairness(self) -> list[Fairness]:
        kinds, counts, has_one_kind = list(self._kinds), list(self._kinds.values()), len(self._kinds) == 1
        pairs = _extremes(self._pairs, comb(counts[0], 2) if has_one_kind else prod(counts))
        return [
            Fairness(
                kind,
                _extremes(self._games[kind], bots),
                _extremes(self._seats[kind], bots * self._players),
                pairs,
                rivals,
            )
            for (kind, bots), rivals in zip(self._kinds.items(), [*kinds[1:], kinds[0] * has_one_kind], strict=True)
        ]


def _extremes(counts: Counter[Any], items: int) -> tuple[int, int]:
    """The smallest and largest count of so many items; those that never came are not in `counts`."""
    return min(counts.values(), default=0) if len(counts) >= items else 0, max(counts.values(), default=0)


def _games(definition: Definition) -> Iterator[tuple[int, Sequence[int]]]:
    """The setting and the bots by seat of each game, whatever results are."""
    for number, block in enumerate(definition.format_spec.blocks(definition.for_format())):
        assert block, "this format uses results"
        duplicate = definition.duplicate_of(definition.settings[block.setting])
        for seats in seatings(duplicate, number, block.group, definition.secret):
            yield block.setting, seats


def measure_fairness(definition: Definition) -> list[Fairness] | None:
    """The balance of the games per setting; None if it depends on results or there are more than 5,000 games."""
    if definition.format_spec.uses_results or definition.games > _MAX_COUNTED:
        return None
    counts = [_SettingCounts(setting, definition.format_spec.kinds(setting.bots)) for setting in definition.settings]
    for setting, seats in itertools.islice(_games(definition), definition.games):
        counts[setting].add(seats)
    return [fairness for setting_counts in counts for fairness in setting_counts.fairness()]


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
