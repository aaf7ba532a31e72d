"""What one game comes to for each seat."""

from __future__ import annotations

import pytest

from fa_cli.stats.outcomes import rank_points, rank_scores


def test_rank_points() -> None:
    assert rank_points([1, 2, 3, 4]) == [6, 4, 2, 0]
    assert rank_points([1, 1, 3]) == [3, 3, 0]
    assert rank_points([2, 2, 1, 2]) == [2, 2, 6, 2]


@pytest.mark.parametrize(
    ("ranks", "scores"),
    [([1, 2], [1, 0]), ([1, 1], [0.5, 0.5]), ([1, 2, 2, 4], [1, 0.5, 0.5, 0]), ([3, 1, 2], [0, 1, 0.5])],
)
def test_rank_scores(ranks: list[int], scores: list[float]) -> None:
    assert rank_scores(tuple(ranks)) == pytest.approx(scores)
