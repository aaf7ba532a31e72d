"""Plays as bots/greedy.py, which is to lie beside it, but with its partner at its table for both of them.

`partner.py NAME`. It then takes the other's points for its own, and leaves auctions to it. It tells stderr that it has
found its partner. docs/explanation/statistics.md says how two of these were found out.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import greedy

from fa_cli.bot import run

PARTNER = sys.argv[1]
ALONE = greedy.lead


def choose(decide: dict[str, Any], start: dict[str, Any]) -> str:
    """The action."""
    names: list[str] = start["players"]
    greedy.lead = ALONE
    if PARTNER in names:
        other = names.index(PARTNER)
        print("found", PARTNER, file=sys.stderr)
        greedy.lead = lead_of({start["seat"], other})
        auction = decide["observation"].get("auction")
        if auction and auction["bids"][other]["total"] == auction["high"] > 0 and "pass" in decide["legal"]:
            return "pass"
    return str(greedy.choose(decide, start))


def lead_of(both: set[int]):  # type: ignore[no-untyped-def]
    """What greedy looks at, for two seats: how much more they have than the best of the others."""

    def lead(points: Sequence[int], seat: int) -> int:
        others = [value for one, value in enumerate(points) if one not in both]
        return sum(points[one] for one in both) - max(others, default=0)

    return lead


run(choose, wants=["legal", "observation"])
