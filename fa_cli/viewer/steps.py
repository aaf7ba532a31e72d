"""A recorded game as text, step by step: the board and the hands, what happened, and what to jump to."""

from __future__ import annotations

import enum
from collections.abc import Iterator

from msgspec import Struct

from ..games import find_game
from ..games.contract import POINTS
from ..printing.grid import grid
from ..printing.text import printable_lines
from ..replay.narrate import narrate_end
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


def steps_of(record: Record, viewer: int | None) -> Iterator[Step]:
    """The steps of a game up to its end, or up to the first difference to the rules; viewer None sees everything.

    Raises UnknownGame, BadOption, BadPlayers or LogError if the record can't be dealt.
    """
    finding = check(record)
    end = len(record.actions) if finding is None or finding.ply is None else finding.ply
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
