"""The counts of pairs, kept as groups come and go."""

from __future__ import annotations

import itertools
import random
import tracemalloc
from collections import Counter

from fa_cli.tournament.pairing.pair_counts import PairCounts


def test_the_pairs_by_meetings_are_those_of_a_recount() -> None:
    draw, counts, groups = random.Random(1), PairCounts(9), list[list[int]]()
    for _ in range(300):
        if groups and draw.random() < 0.4:
            counts.add(groups.pop(draw.randrange(len(groups))), -1)
        else:
            groups.append(draw.sample(range(9), 3))
            counts.add(groups[-1])
        recount = Counter(counts.met[left][right] for left, right in itertools.combinations(range(9), 2))
        assert counts.pairs_by_meetings() == recount


def test_the_counts_of_many_bots_take_four_bytes_a_pair() -> None:
    """Three of them, for two settings, are most of what a run with 2,000 bots holds."""
    tracemalloc.start()
    try:
        counts = PairCounts(1000)
        assert tracemalloc.get_traced_memory()[0] < 5 * len(counts.played) ** 2
    finally:
        tracemalloc.stop()
