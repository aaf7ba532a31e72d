"""The modules of the bot that training uses too; a bot's folder is no package."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

FOLDER = Path(__file__).parents[2] / "bots" / "student"
sys.path.insert(0, str(FOLDER))

import features_fifth_avenue  # noqa: E402
import features_manhattan  # noqa: E402
import features_new_york  # noqa: E402
import policy_fifth_avenue  # noqa: E402
import policy_manhattan  # noqa: E402
import policy_new_york  # noqa: E402
from network import NAMES, Network, outcomes, softmax  # noqa: E402

__all__ = ["FOLDER", "NAMES", "SUBJECTS", "Network", "Subject", "softmax"]


class Subject(NamedTuple):
    """A game to learn."""

    game: str
    players: Sequence[int]
    options: Sequence[dict[str, str]]
    """Games are played with each of these in turn."""
    kinds: Sequence[str]
    """The names of its networks."""
    kind: Callable[[Any], str]
    """The name of the network for a state; empty for states that none judges."""
    size: int
    """How many numbers a seat has."""
    positions: Callable[[list[Any]], np.ndarray]
    taught: int
    """Rounds by the heuristics."""
    rounds: int
    outcomes: Callable[[list[Any]], np.ndarray] = outcomes
    shares_after: Callable[..., Sequence[np.ndarray]] | None = None
    """With what the networks play against themselves in the rounds that follow."""
    more: Mapping[int, int] = {}
    """By number of players: how many times as many games as usual a round has; once where it is missing."""
    board: str = ""
    """What the names of its networks' files add to that of the game."""

    @property
    def name(self) -> str:
        return self.game + self.board


NEW_YORK = Subject(
    "new-york",
    (2, 3, 4, 5),
    [{"actions": actions, "chain": chain} for actions in ("off", "on") for chain in ("group", "line")],
    ("turn",),
    policy_new_york.kind,
    features_new_york.SIZE,
    features_new_york.positions,
    taught=62,
    rounds=62,
)
SUBJECTS = {
    subject.name: subject
    for subject in (
        Subject(
            "fifth-avenue",
            (2, 3, 4),
            [{"side": "five"}, {"side": "six"}],
            ("turn",),
            policy_fifth_avenue.kind,
            features_fifth_avenue.SIZE,
            features_fifth_avenue.positions,
            taught=120,
            rounds=120,
            more={2: 8, 3: 2, 4: 2},
        ),
        Subject(
            "manhattan",
            (3, 4),
            ({},),
            ("build", "select"),
            policy_manhattan.kind,
            features_manhattan.SIZE,
            features_manhattan.positions,
            taught=40,
            rounds=80,
            outcomes=policy_manhattan.outcomes,
            shares_after=policy_manhattan.shares_after,
        ),
        NEW_YORK,
        NEW_YORK._replace(players=(3,), options=[{"chain": "line"}], more={3: 2}, board="-line"),
    )
}
