"""Actions that a person has chosen and may still take back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ..errors import ActionError
from ..games.contract import State
from ..games.game import Game
from ..play.held_back import hold, is_revealed
from ..play.second_person import describe_choice, describe_to
from .targets import same_targets, targets

_CERTAIN = ("paid", "returned", "placed")
"""The kinds of events that follow from an action whatever is hidden."""


class Draft:
    """A decision of a seat with the actions chosen so far. Raises ActionError if one of them is not legal.

    `names`: the players by seat.
    """

    def __init__(self, game: Game, state: State, names: Sequence[str], held: Sequence[str] = ()) -> None:
        self._game = game
        self._names = names
        self._state = state.copy()
        self._seat = state.actor
        self.sentences: list[str] = []
        """What each action does, as an imperative; in further sentences what follows from it for certain."""
        self.is_ready = False
        """Whether the last action can't be held back: another seat is to act, or something happens."""
        for action in held:
            self._apply(action)

    def _apply(self, action: str) -> None:
        state, number = self._state, self._game.action_numbers.get(action, -1)
        if self.is_ready or number not in state.legal():
            raise ActionError(f"{action[:80]!r} is not legal now")
        chosen = describe_choice(self._game, state, number) + colour_asked(self.view)
        hold(state, number)
        self.is_ready = is_revealed(state, self._seat)
        events = [entry for entry in state.journal or () if entry[0] in _CERTAIN and not action.startswith("place ")]
        told = [describe_to(self._game, state, entry, self._names, self._seat) for entry in events]
        self.sentences.append(". ".join([chosen, *told]))

    @property
    def view(self) -> dict[str, Any]:
        """What the seat sees. Only before `is_ready`: after it the view may show what is hidden."""
        assert not self.is_ready
        return self._game.view(self._state, self._seat)

    def choices(self) -> Choices:
        """What may be chosen next."""
        game, view = self._game, self.view
        guide = game.presentation.guide
        legal = [
            Choice(
                text := game.actions[number], describe_choice(game, self._state, number), targets(game.name, view, text)
            )
            for number in self._state.legal()
        ]
        return Choices(guide.question(view), view.get("phase", ""), legal, same_targets(game.name, view))


def colour_asked(view: dict[str, Any]) -> str:
    """The colour of the blocks to select in Manhattan, as an addition to a sentence; empty in other phases."""
    return f" ({view['colour']})" if view.get("phase") == "select" else ""


class Choice(msgspec.Struct, frozen=True, array_like=True):
    """A legal action."""

    action: str
    words: str
    """What it does, as an imperative."""
    targets: list[str]
    """What to click for it; see targets.py."""


class Choices(msgspec.Struct, frozen=True):
    """All that may be chosen at a decision."""

    ask: str
    """One sentence that asks for it."""
    phase: str
    legal: list[Choice]
    same: dict[str, str]
    """Parts of the drawing that stand for another one."""
