"""Walks through a recorded game: by decisions, to what begins somewhere, to a ply, by search, from each seat's view."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import UsageError
from ..games import find_game
from ..printing.text import cut, printable
from ..replay.narrate import describe_setting
from ..replay.record import Record
from ..replay.verify import check
from .steps import Jump, Step, steps_of

_PLURALS = {Jump.FAULT: "faults", Jump.AUCTION: "auctions", Jump.SCORING: "scorings"}


class Stepper:
    """A place in a game, and the view from which it is seen. Raises as `steps_of` does."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._steps: dict[int | None, list[Step]] = {}
        self.index = 0
        """The number of decisions made so far."""
        self.viewer: int | None = None
        """The seat from which the game is seen; None sees all hands."""
        self.players = [printable(name) for name in record.players]
        """By seat."""
        self.title = next(describe_setting(find_game(record.game), record.options, record.players))
        """The game and its options."""
        self.palette = find_game(record.game).presentation.guide.palette
        """As in `PlayerGuide`."""
        self._see(None)

    @property
    def steps(self) -> list[Step]:
        """All steps, from this view."""
        return self._steps[self.viewer]

    @property
    def step(self) -> Step:
        """The step shown."""
        return self.steps[self.index]

    @property
    def problem(self) -> str:
        """A sentence on a record that does not verify, else empty. It may name cards: a seat learns only the ply."""
        finding = check(self._record)
        if finding is None:
            return ""
        where = "" if finding.ply is None else f" at ply {finding.ply}, and shown up to there"
        what = f": {printable(finding.text)}" if self.viewer is None else ""
        return f"this record is bad{where}{what}"

    def change_view(self) -> None:
        """See the game from the next seat; after the last one with all hands."""
        seats = [*range(len(self.players)), None]
        self._see(seats[0] if self.viewer is None else seats[self.viewer + 1])

    def _see(self, viewer: int | None) -> None:
        if viewer not in self._steps:
            self._steps[viewer] = list(steps_of(self._record, viewer))
        self.viewer = viewer

    def move(self, by: int) -> None:
        """Go on by a number of decisions, or back if it is below 0; at most to the end or the deal."""
        self.index = min(max(0, self.index + by), len(self.steps) - 1)

    def go_to(self, text: str) -> None:
        """Go to the position after the decision with this ply. Raises UsageError if there is none."""
        last = self.steps[-1].ply
        number = text.strip()
        if not (number.isascii() and number.isdigit() and len(number) < 10 and int(number) <= last):
            raise UsageError(f"no ply {cut(number, 20)!r}: plies are 0 to {last}")
        self.index = int(number) + 1

    def has(self, what: Jump) -> bool:
        """Whether this begins somewhere in the game."""
        return any(what in step.begins for step in self.steps)

    def jump(self, what: Jump, direction: int) -> None:
        """Go to the next step (direction 1) or the one before (-1) where this begins. Raises UsageError."""
        if not self._find(lambda step: what in step.begins, direction):
            if what in _PLURALS and not self.has(what):
                raise UsageError(f"this game has no {_PLURALS[what]}")
            raise UsageError(f"no {'further' if direction > 0 else 'earlier'} {what.value}")

    def search(self, text: str, direction: int) -> None:
        """Go to the next step, or the one before, of which a sentence contains the text in any case.

        Raises UsageError.
        """
        sought = text.casefold()

        def contains(step: Step) -> bool:
            return any(sought in sentence.casefold() for sentence in step.sentences)

        if not self._find(contains, direction):
            which = ("further " if direction > 0 else "earlier ") if any(map(contains, self.steps)) else ""
            raise UsageError(f"no {which}sentence contains {cut(text, 40)!r}")

    def _find(self, test: Callable[[Step], bool], direction: int) -> bool:
        """Go to the nearest other step in this direction that passes a test; whether there is one."""
        indexes = range(self.index + 1, len(self.steps)) if direction > 0 else range(self.index - 1, -1, -1)
        found = next((index for index in indexes if test(self.steps[index])), None)
        self.index = self.index if found is None else found
        return found is not None
