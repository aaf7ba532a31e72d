"""A recorded game as text, step by step, and a walk through it: to what begins somewhere, to a ply, by search.

A step has the board and the hands that a seat sees, what happened, and what to jump to.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator

from msgspec import Struct

from ..errors import UsageError
from ..games import find_game
from ..games.contract import POINTS
from ..printing.grid import grid
from ..printing.text import cut, printable, printable_lines
from ..replay.narrate import describe_setting, narrate_end
from ..replay.record import Record
from ..replay.verify import check
from .positions import Position, Scored, positions

_AUCTION = "auction"
"""The event with which an auction begins."""


class Jump(enum.Enum):
    """What a step can be found by."""

    TURN = "turn"
    ROUND = "round"
    AUCTION = "auction"
    SCORING = "scoring"
    FAULT = "fault"


class Step(Struct, frozen=True):
    """The deal, or the position after a decision."""

    ply: int
    """The ply of the decision that led here; -1 for the deal."""
    turn: int
    """The turn, from 1; 0 in games without turns, and before the first."""
    round: int
    board: list[str]
    """The board and the hands that the viewer sees, as `fa replay show` draws them."""
    sentences: list[str]
    """What led here, as `fa replay show` prints it."""
    points: list[int]
    """By seat."""
    scored: list[Scored]
    """What brought points."""
    actor: int
    """The seat to decide; -1 at the end."""
    begins: frozenset[Jump]
    """What begins or happens with this step."""


def _steps_of(record: Record, end: int, viewer: int | None) -> Iterator[Step]:
    """The steps of a game up to ply `end`; viewer None sees everything."""
    game, before = find_game(record.game), (0, 0)
    for position in positions(record, end, viewer):
        decision, state = position.decision, position.state
        sentences = [sentence if isinstance(sentence, str) else sentence[0] for sentence in position.sentences]
        if state.actor < 0:
            sentences += (line.strip() for line in narrate_end(game, state, record))
        yield Step(
            ply=decision.ply if decision else -1,
            turn=position.turn,
            round=position.round,
            board=printable_lines(game.render(state, viewer)).split("\n"),
            sentences=sentences,
            points=position.points,
            scored=position.scored,
            actor=state.actor,
            begins=frozenset(_begins(position, before)),
        )
        before = position.turn, position.round


def score_table(step: Step) -> list[str]:
    """Points by seat and by what they are for, with their sum, as the lines of a table; none for a single score."""
    if len(step.scored) < 2:
        return []
    reasons = list(dict.fromkeys(scored.what for scored in step.scored))
    rows = []
    for seat in range(len(step.points)):
        own = [scored for scored in step.scored if scored.seat == seat]
        sums = [sum(scored.points for scored in own if what in ("", scored.what)) for what in ("", *reasons)]
        rows.append([f"#{seat}", *(str(points or "") for points in sums)])
    heading, _, *lines = grid(["", "sum", *map(_shorter, reasons)], rows, [True] * (2 + len(reasons)), "simple")
    return [heading, *lines]


def _shorter(name: str) -> str:
    """`Manh.` for `Manhattan`, so that all cities have room in a row."""
    return name if len(name) <= 6 else f"{name[:4]}."


def _begins(position: Position, before: tuple[int, int]) -> Iterator[Jump]:
    """What begins with a position; `before`: the turn and round of the one before."""
    turn, round = before
    if position.turn not in (0, turn):
        yield Jump.TURN
    if position.round not in (0, round):
        yield Jump.ROUND
    if position.decision is None:
        return
    kinds = {entry[0] for entry in position.decision.entries}
    if _AUCTION in kinds:
        yield Jump.AUCTION
    if POINTS in kinds:
        yield Jump.SCORING
    if position.decision.faults:
        yield Jump.FAULT


_PLURALS = {Jump.FAULT: "faults", Jump.AUCTION: "auctions", Jump.SCORING: "scorings"}


class Stepper:
    """A place in a game, and the view from which it is seen. The game ends at the first difference to the rules.

    Raises UnknownGame, BadOption, BadPlayers or LogError if the record can't be dealt.
    """

    def __init__(self, record: Record) -> None:
        self._record = record
        self._finding = check(record)
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
        finding = self._finding
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
            finding, decisions = self._finding, len(self._record.actions)
            end = decisions if finding is None or finding.ply is None else finding.ply
            self._steps[viewer] = list(_steps_of(self._record, end, viewer))
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
