"""The line below tables of two bots: by how much one is ahead of the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...printing.columns import p_in_words, write_likelihood
from ...printing.rows import CAVEATS, MARK
from ...results.sequential_tests import SequentialTests
from ...results.verdict import describe_elo, from_the_leader
from ..common import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from ...game_result import PlayedGame
    from ...leaderboard.leaderboards import Selection
    from ...stats.comparison import Comparison

_MOST_GAMES_READ = 20_000
"""The pair of longer tournaments is left to `fa compare`: reading the games would delay the leaderboard."""


def report_pair(selection: Selection, logs: Sequence[Path], explain: bool) -> None:
    """Report on stderr by how much one bot is ahead of the other, if the selected games are all between two bots.

    `explain`: also what a mark means, which no table above does.
    """
    from ...leaderboard.leaderboards import read_games

    comparison = read_games(selection, _comparison_of_two)
    if comparison is None:
        return
    (row,) = comparison.rows()
    SequentialTests(logs, comparison.pair).mark(row, comparison.logs_of(row))
    row = from_the_leader(row)
    mark = MARK if row.caveats else ""
    (low, high), certainty = row.difference_interval, ""
    if row.fixed_sample:
        certainty = (
            "" if row.is_all_of_ahead else f"; place score {row.difference:+.3f} ({low:+.3f} to {high:+.3f}){mark}"
        )
        certainty += f", LOS {write_likelihood(row.los)}, {p_in_words(row.p_value)}"
    say(f"{row.first} against {row.second}: Elo {describe_elo(row)}{mark}{certainty}")
    for caveat in row.caveats if explain else ():
        say(f"{MARK} {CAVEATS[caveat]}")


def _comparison_of_two(games: Iterable[PlayedGame]) -> Comparison | None:
    """The comparison of the two bots of these games; None if there are others, or too many games."""
    from ...stats.comparison import Comparison

    comparison = None
    for count, game in enumerate(games):
        pair = sorted(set(game.bots))
        comparison = comparison or (Comparison(pair[0], pair[1]) if len(pair) == 2 else None)
        if comparison is None or pair != list(comparison.pair) or count >= _MOST_GAMES_READ:
            return None
        comparison.add(game)
    return comparison
