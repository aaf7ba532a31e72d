"""Groups drawn for the settings in turn, for formats whose schedule does not depend on results."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..formats.format import FormatInput
from .balanced_groups import BalancedGroups
from .pair_counts import Group
from .repeated_bots import groups_with_repeats


class GroupDraw(NamedTuple):
    """How groups are drawn for a setting: from which bots, of which size, and how many blocks each group plays."""

    bots: tuple[int, ...]
    """The bots to draw from, in increasing order."""
    size: int
    blocks: int = 1


def draw_groups(
    tournament: FormatInput, draws: Sequence[GroupDraw], ends: Sequence[int]
) -> Iterator[tuple[int, Group]]:
    """Endless groups for the settings in turn, each with the index of its setting; `draws` has one draw per setting.

    Counts are balanced at the planned end, and at the earlier planned `ends`. Settings with the same draw share a
    balance.
    """
    overall = Counter[Group]()
    streams: list[Iterator[Group]] = []
    shared: dict[GroupDraw, Iterator[Group]] = {}
    for draw in draws:
        if len(draw.bots) < draw.size:  # some bots sit at the table twice
            streams.append(groups_with_repeats(draw.bots, draw.size, overall, tournament.secret))
            continue
        if draw not in shared:
            shared[draw] = _balanced_groups(tournament, draws, draw, ends)
        streams.append(shared[draw])
    for setting, stream in itertools.cycle(enumerate(streams)):
        yield setting, next(stream)


def _balanced_groups(
    tournament: FormatInput, draws: Sequence[GroupDraw], draw: GroupDraw, ends: Sequence[int]
) -> Iterator[Group]:
    """The groups of all settings with this draw, in turn."""
    sizes = [setting.block_games for setting in tournament.settings]
    group_ends = [end for games in (*ends, tournament.games) for end in _count_groups(sizes, draws, draw, games)]
    bots = list(draw.bots)
    if tournament.secret:  # few possible groups always come in the same order, so the bots are shuffled
        bots = random.Random(tournament.secret).sample(bots, len(bots))
    groups = BalancedGroups(len(bots), draw.size, draws.count(draw), group_ends, tournament.secret)
    return (tuple(sorted(bots[i] for i in group)) for group in groups)


def _count_groups(sizes: Sequence[int], draws: Sequence[GroupDraw], draw: GroupDraw, games: int) -> list[int]:
    """The number of groups with this draw in the first `games` games; a block that is cut short counts.

    If the last group plays only some of its blocks, also the number without it. `sizes` has the games of a block, per
    setting.
    """
    cycles, left = divmod(games, sum(size * each.blocks for size, each in zip(sizes, draws, strict=True)))
    groups = cycles * draws.count(draw)
    for size, each in zip(sizes, draws, strict=True):
        blocks = min(-(-left // size), each.blocks)
        left = max(0, left - size * each.blocks)
        if each == draw and blocks:
            groups += 1
            if blocks < each.blocks:
                return [groups - 1, groups]
    return [groups]
