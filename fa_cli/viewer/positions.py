"""A recorded game, position by position: what happened, the view of the board, and what to jump to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from ..games.contract import POINTS, State
from ..games.game import Game
from ..replay.narrate import Narrator, describe_setting
from ..replay.reconstruct import Decision, deal_of, play_again
from ..replay.record import Record, fault_words, names_of_who_played

Sentence = str | tuple[str, str, int]
"""A sentence for everybody; or one for those who see everything and for this seat, and another for all other seats."""

_NOBODY = -1
"""A seat that holds no cards: it sees what all seats see."""


class Scored(Struct, frozen=True, array_like=True):
    """Points that a seat scored."""

    sentence: int
    """The index of its sentence among those of the position."""
    seat: int
    points: int
    what: str
    """What they are for, in a word."""


class Position(Struct, frozen=True):
    """The deal, or the position after a decision."""

    view: dict[str, Any]
    """What the viewer sees, as `Game.view` returns it, with the players' names."""
    sentences: list[Sentence]
    """What led here, as `fa replay show` prints it."""
    points: list[int]
    """By seat."""
    if_ended: tuple[list[int], list[int]]
    """By seat: the least and the most points if the game ended now."""
    scored: list[Scored]
    """What brought points, in the order of their sentences."""
    decision: Decision | None
    """None at the deal."""
    turn: int
    """The turn of the decision, from 1; 0 if the game has no turns or none has begun."""
    round: int
    """The round of the decision, from 1; 0 at the deal."""
    state: State
    """The state itself; it changes when the next position is taken."""


def positions(record: Record, end: int, viewer: int | None) -> Iterator[Position]:
    """The deal, and the position after each decision before ply `end`, up to the first illegal action.

    Viewer None sees everything, and the sentences are also those of each seat. Raises as `deal_of` does.
    """
    game, state = deal_of(record)
    narrator = Narrator(game, state, record.players)
    view = game.view(state, viewer) | {"names": record.players}
    setting: list[Sentence] = [*describe_setting(game, record.options, names_of_who_played(record))]
    yield Position(view, setting, state.scores(), _if_ended(game, state), [], None, 0, 0, state)
    for decision in play_again(game, state, record):
        if decision.ply >= end:
            return
        turn, round = _period(view, state.players)
        view = game.view(state, viewer) | {"names": record.players}
        sentences = _sentences(narrator, record, decision, viewer)
        points, ended, scored = state.scores(), _if_ended(game, state), _scored(game, decision)
        yield Position(view, sentences, points, ended, scored, decision, turn, round, state)


def _if_ended(game: Game, state: State) -> tuple[list[int], list[int]]:
    find = game.presentation.if_ended
    return find(state) if find else (state.scores(), state.scores())


def _scored(game: Game, decision: Decision) -> list[Scored]:
    scored = []
    for number, entry in enumerate(decision.entries, len(decision.faults)):
        event = game.event_for(entry, None) if entry[0] == POINTS else None
        if event:
            scored.append(Scored(number, entry[1], entry[2], (event.what or "").split(" ")[0]))
    return scored


def _period(view: dict[str, Any], players: int) -> tuple[int, int]:
    """The turn and round of the decision to be made, from 1; games count turns or rounds."""
    if "round" in view:
        return 0, view["round"]
    begun = view["turn"] >= 0
    return (view["turns"] + 1 if begun else 0), view["turns"] // players + 1


def _sentences(narrator: Narrator, record: Record, decision: Decision, viewer: int | None) -> list[Sentence]:
    """The faults, and the decision with its consequences."""
    sentences: list[Sentence] = []
    for fault in decision.faults:
        # the detail may quote what the bot holds
        kind, detail = fault_words(record.meta, fault)
        public, known = (narrator.describe_fault(fault.seat, kind, each) for each in ("", detail))
        sentences.append(_seen(known, public, fault.seat, viewer))
    known_all, public_all = narrator.describe(decision.entries), narrator.describe(decision.entries, _NOBODY)
    for entry, known, public in zip(decision.entries, known_all, public_all, strict=True):
        sentences.append(_seen(known, public, entry[1], viewer))
    return sentences


def _seen(known: str, public: str, seat: int, viewer: int | None) -> Sentence:
    """What the viewer gets of a sentence that only this seat knows."""
    if known == public or viewer == seat:
        return known
    return (known, public, seat) if viewer is None else public
