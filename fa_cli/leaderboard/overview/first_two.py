"""How the difference of two bots became known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ...game_result import PlayedGame
from ...stats.comparison import Comparison
from ...stats.comparison_row import ComparisonRow


class Separation(NamedTuple):
    """The comparison of the first two bots, and its course."""

    rows: list[ComparisonRow]
    """After all games: head to head if they met; over the field if that has more. The first bot is `first`."""
    course: list[tuple[int, ComparisonRow]]
    """The last of these rows after growing numbers of games, each with the number of all games until then."""
    games_to_decide: int | None
    """The games of a tournament like this one that tell the two apart in 80% of cases; None if no number is known."""
    logs: list[set[str]]
    """Of each of the rows: the names of the logs in which the two are compared."""

    @property
    def row(self) -> ComparisonRow:
        """The comparison that has the most games."""
        return self.rows[-1]


def separation(
    pair: Sequence[str],
    games: Iterable[PlayedGame],
    logs: Sequence[str],
    starts: Iterable[tuple[int, int, int]],
    total: int,
) -> Separation | None:
    """The comparison of two bots in their games, in the order of the logs; None if they can't be compared.

    `logs`: their names, in order. `starts`: where to note it, as in `History`. `total`: the number of all games.
    """
    comparison = Comparison(pair[0], pair[1])
    course = list(_course(comparison, games, {name: position for position, name in enumerate(logs)}, starts))
    rows = comparison.rows()
    row = rows[-1]
    if not row.blocks:
        return None
    needed = comparison.blocks_to_decide()
    to_decide = None if needed is None else -int(-needed * total // row.blocks)
    compared = [point for point in [*course, (total, row)] if point[1].blocks]
    return Separation(rows, compared, to_decide, [comparison.logs_of(row) for row in rows])


def _course(
    comparison: Comparison,
    games: Iterable[PlayedGame],
    positions: dict[str, int],
    starts: Iterable[tuple[int, int, int]],
) -> Iterator[tuple[int, ComparisonRow]]:
    """Adds the games; yields the comparison before each start, with the number of games until then."""
    ahead = iter(starts)
    start = next(ahead, None)
    for game in games:
        while start and (positions[game.log], game.index) >= start[:2]:
            yield start[2], comparison.rows()[-1]
            start = next(ahead, None)
        comparison.add(game)
    while start:
        yield start[2], comparison.rows()[-1]
        start = next(ahead, None)
