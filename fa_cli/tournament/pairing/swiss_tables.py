"""The tables of a round of a swiss: neighbours in the standing, with few repeated pairings."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

_MAX_SEARCHED = 60
"""The most bots for which all tables are searched for some without repeated pairings."""
_MAX_TRIES = 20_000
"""The search gives up after this many tables."""

Group = list[int]


def pair_tables(order: Sequence[int], players: int, met: dict[int, dict[int, int]]) -> list[Group]:
    """Tables of neighbours in this order, with as few repeated pairings as can be found.

    `met` has the number of games of each pair. At tables of two, with at most half as many rounds as bots, there is no
    repeated pairing: a table to swap with always exists.
    """
    tables = _fill_greedily(order, players, met)
    _reduce_repeats(tables, met)
    if len(order) <= _MAX_SEARCHED and any(_repeats(table, met) for table in tables):
        return _search(list(order), players, met) or tables
    return tables


def _repeats(table: Sequence[int], met: dict[int, dict[int, int]]) -> int:
    """The games that pairs of the table have played together."""
    return sum(met[left].get(right, 0) for left, right in itertools.combinations(table, 2))


def _fill_greedily(order: Sequence[int], players: int, met: dict[int, dict[int, int]]) -> list[Group]:
    """Fill table after table, each time with the next bot that has met the table least."""
    left, tables = list(order), []
    while left:
        table = [left.pop(0)]
        while len(table) < players:
            best = min(range(len(left)), key=lambda i: sum(met[left[i]].get(bot, 0) for bot in table))
            table.append(left.pop(best))
        tables.append(table)
    return tables


def _reduce_repeats(tables: list[Group], met: dict[int, dict[int, int]]) -> None:
    """Swap bots between tables, near ones first, as long as that reduces repeated pairings."""
    changed = True
    while changed:
        changed = False
        for i, table in enumerate(tables):
            if _repeats(table, met):
                nearest = sorted(range(len(tables)), key=lambda j: abs(j - i))
                changed |= any(_swap_between(table, tables[j], met) for j in nearest[1:])


def _swap_between(left: Group, right: Group, met: dict[int, dict[int, int]]) -> bool:
    """Swap the first two bots whose swap reduces repeated pairings; returns whether there are any."""
    before = _repeats(left, met) + _repeats(right, met)
    for i, j in itertools.product(range(len(left)), range(len(right))):
        left[i], right[j] = right[j], left[i]
        if _repeats(left, met) + _repeats(right, met) < before:
            return True
        left[i], right[j] = right[j], left[i]
    return False


def _search(order: list[int], players: int, met: dict[int, dict[int, int]]) -> list[Group] | None:
    """Tables without repeated pairings, neighbours first; None if there are none, or none are found in time."""
    tries = iter(range(_MAX_TRIES))

    def find(bots: list[int]) -> list[Group] | None:
        if not bots:
            return []
        for table in itertools.combinations(bots[1:], players - 1):
            if next(tries, None) is None:
                return None
            if not _repeats((bots[0], *table), met):
                rest = find([bot for bot in bots[1:] if bot not in table])
                if rest is not None:
                    return [[bots[0], *table], *rest]
        return None

    return find(order)
