"""How even a schedule is, counted: games of each bot, of each bot in each seat, of each pair at one table.

Round robins and gauntlets can be counted beforehand; of the formats that listen to results, only how many games there
will be.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Hashable, Iterator, Sequence
from math import comb, gcd, lcm
from typing import NamedTuple

import msgspec

from .definition import Definition, Setting
from .format_specs import Gauntlet, Knockout, Swiss
from .formats.block import ResultFeed
from .formats.gauntlet import challengers_of
from .formats.knockout import all_rounds
from .pairing.seating import block_size, games_in_set, seatings
from .schedule import FORMATS

MIN_GAMES = 200
"""Games of a tournament when nothing is said: at least so many ..."""
MIN_GAMES_PER_BOT = 24
"""... and each bot in so many; up to half as many more where that is more even."""
CHALLENGER = "challenger"
FIELD = "bot of the field"
_COUNTED = 5_000
"""Games beyond this are not counted beforehand."""


class Fairness(NamedTuple):
    """The fewest and the most that there are, within one setting, among bots of one kind."""

    who: str
    """The kind: `bot`, or `CHALLENGER` or `FIELD`."""
    games: tuple[int, int]
    """Games of a bot."""
    seats: tuple[int, int]
    """Games of a bot in one seat."""
    pairs: tuple[int, int]
    """Games of two bots at one table; of a challenger and a bot of the field."""

    @property
    def is_even(self) -> bool:
        """Whether every bot plays, and sits everywhere, equally often."""
        return self.games[0] == self.games[1] and self.seats[0] == self.seats[1]


class _Counts:
    """Counts of things, with their extremes at hand."""

    def __init__(self, things: int) -> None:
        self._of: dict[Hashable, int] = {}
        self._with = {0: things}  # how many things have this count

    def add(self, thing: Hashable) -> None:
        before = self._of.get(thing, 0)
        self._of[thing] = before + 1
        self._with[before + 1] = self._with.get(before + 1, 0) + 1
        self._with[before] -= 1
        if not self._with[before]:
            del self._with[before]

    def extremes(self) -> tuple[int, int]:
        return min(self._with), max(self._with)


class _SettingCounts:
    """The counts of one setting."""

    def __init__(self, setting: Setting, challengers: Collection[int] = ()) -> None:
        few = [bot for bot in setting.bots if bot in challengers]
        field = [bot for bot in setting.bots if bot not in challengers]
        kinds = {CHALLENGER: few, FIELD: field} if few else {"bot": field}
        self._kind = {bot: who for who, bots in kinds.items() for bot in bots}
        self._games = {who: _Counts(len(bots)) for who, bots in kinds.items()}
        self._seats = {who: _Counts(len(bots) * setting.players) for who, bots in kinds.items()}
        self._pairs = _Counts(len(few) * len(field) if few else comb(len(field), 2))
        self._all_pairs = not few

    def add(self, seats: Sequence[int]) -> None:
        kind = self._kind
        for seat, bot in enumerate(seats):
            self._games[kind[bot]].add(bot)
            self._seats[kind[bot]].add((bot, seat))
        for one, other in itertools.combinations(sorted(set(seats)), 2):
            if self._all_pairs or kind[one] != kind[other]:
                self._pairs.add((one, other))

    def fairness(self) -> list[Fairness]:
        pairs = self._pairs.extremes()
        return [
            Fairness(who, games.extremes(), self._seats[who].extremes(), pairs) for who, games in self._games.items()
        ]


class _ScheduleCounts:
    """All games of a definition's blocks, counted one after the other."""

    def __init__(self, definition: Definition) -> None:
        self._duplicate = definition.duplicate
        self._secret = definition.secret
        plan = definition.format_spec
        challengers = plan.challengers if isinstance(plan, Gauntlet) else ()
        self._watches = [_SettingCounts(setting, challengers) for setting in definition.settings]
        self._blocks = enumerate(FORMATS[type(plan)](definition, ResultFeed(listens=False)))
        self.games = 0

    def block(self, most: int | None = None) -> None:
        """Count the next block, or so many games of it."""
        number, block = next(self._blocks)
        assert block, "this format listens to results"
        for seats in itertools.islice(seatings(self._duplicate, number, block.group, self._secret), most):
            self._watches[block.setting].add(seats)
            self.games += 1

    def fairness(self) -> list[Fairness]:
        """How even the games so far are."""
        return [one for watch in self._watches for one in watch.fairness()]


def measure_fairness(definition: Definition) -> list[Fairness] | None:
    """How even the games are, per setting; None where that depends on results or is too much to be counted."""
    if definition.format_spec.listens or definition.games > _COUNTED:
        return None
    count = _ScheduleCounts(definition)
    while count.games < definition.games:
        count.block(definition.games - count.games)
    return count.fairness()


def planned_games(definition: Definition) -> int:
    """How many games to play when nothing is said, or when nothing can be said."""
    plan, settings = definition.format_spec, definition.settings
    in_a_set = games_in_set(definition)
    bots = len({bot for setting in settings for bot in setting.bots})
    if isinstance(plan, Swiss):
        return plan.rounds * (bots // settings[0].players) * plan.sets * in_a_set
    if isinstance(plan, Knockout):
        rounds = all_rounds(bots, settings[0].players, plan.advance)
        return sum(shape.tables for _, shape in rounds) * plan.sets * in_a_set
    enough = max(MIN_GAMES, MIN_GAMES_PER_BOT * bots // min(setting.players for setting in settings))
    return -(-enough // in_a_set) * in_a_set if plan.listens else _even_games(definition, enough)


def _even_games(definition: Definition, enough: int) -> int:
    """Enough, and as even as so few can be."""
    best: tuple[int, int] | None = None
    for games, counts in _candidates(definition, enough):
        if best and (games > enough * 3 // 2 or not best[0]):
            break
        best = min(best or (_unevenness(counts), games), (_unevenness(counts), games))
    assert best
    return best[1]


def _candidates(definition: Definition, enough: int) -> Iterator[tuple[int, list[Fairness]]]:
    """Numbers of games, from `enough` on, after which all have played equally often, and how even they are.

    A schedule is even where it ends, so it is another one for each number.
    """
    step = _cycle(definition)
    for games in itertools.count(-(-enough // step) * step, step):
        counts = measure_fairness(msgspec.structs.replace(definition, games=games))
        yield games, counts or []


def _cycle(definition: Definition) -> int:
    """Games until every bot has played equally often in every setting."""
    plan, duplicate = definition.format_spec, definition.duplicate
    games, cycles = 0, []
    for setting in definition.settings:
        bots, seats, blocks = len(setting.bots), setting.players, 1
        if isinstance(plan, Gauntlet):
            blocks = len(challengers_of(plan, setting))
            bots, seats = bots - blocks, seats - 1
        extra = seats if bots >= seats else seats % bots  # seats left over when each has sat as often as fits
        cycles.append(bots // gcd(bots, extra))
        games += blocks * block_size(duplicate, setting)
    return games * lcm(*cycles)


def _unevenness(counts: Sequence[Fairness]) -> int:
    """Bots that play less often weigh more than pairs that meet less often."""
    return sum(1000 * (one.games[1] - one.games[0]) + one.pairs[1] - one.pairs[0] for one in counts)


def next_balanced(definition: Definition) -> int:
    """The first number of games, from the definition's on, that is a whole number of cycles."""
    step = _cycle(definition)
    return -(-definition.games // step) * step
