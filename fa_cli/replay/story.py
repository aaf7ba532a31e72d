"""A game told in plain words, decision by decision, with the board and the hands drawn now and then."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from typing import Any

from ..games.core import ACTION, Game, State
from ..text import printable, printable_lines
from .record import Record
from .refold import deal_again
from .verify import check


class Boards(enum.Enum):
    """When the board and all hands are drawn, besides at the start and the end."""

    ALL = "all"
    TURNS = "turns"
    ROUNDS = "rounds"
    END = "end"


def tell_game(record: Record, boards: Boards = Boards.ROUNDS) -> Iterator[str]:
    """The lines of the story, fit for a terminal; as far as the record can be played.

    Raises UnknownGame, BadOption, BadPlayers or LogError for a record that can't be dealt.
    """
    game, state = deal_again(record.game, record.options, len(record.players), record.seed)
    state.journal = []
    yield from _heading(game, record)
    yield from _board(game, state)
    for ply, action in enumerate(record.actions):
        before = _stage(state, boards)
        yield from _failures(record, ply)
        number = game.numbers.get(action, -1)
        if state.is_over() or number not in state.legal():
            break
        yield from _decision(game, state, record, ply, number)
        if not state.is_over() and (boards is Boards.ALL or before != _stage(state, boards)):
            yield from _board(game, state)
    yield from _board(game, state)
    yield from _ending(record)


def _heading(game: Game, record: Record) -> Iterator[str]:
    options = ", ".join(f"{name} {value}" for name, value in record.options.items())
    yield f"{game.title} ({printable(options)})"
    for seat, name in enumerate(record.players):
        yield f"seat {seat}: {printable(name)}"


def _board(game: Game, state: State) -> Iterator[str]:
    yield ""
    for line in printable_lines(game.render(state, None)).split("\n"):
        yield f"    | {line}".rstrip()
    yield ""


def _stage(state: State, boards: Boards) -> object:
    """What changes when a turn, or a round, is over: a game counts one of these."""
    turns, rounds = getattr(state, "turns", None), getattr(state, "round", None)
    if boards is Boards.END or boards is Boards.ALL:
        return None
    if rounds is None and isinstance(turns, int) and boards is Boards.ROUNDS:
        return turns // state.players
    return turns, rounds


def _decision(game: Game, state: State, record: Record, ply: int, number: int) -> Iterator[str]:
    """Apply the action and tell it, with what followed from it."""
    journal: list[Any] = []
    state.journal = journal
    seat = state.actor
    substitute = any(fault.seat == seat and fault.ply <= ply for fault in record.faults)
    journal.append((ACTION, seat, number))
    state.apply(number)
    for place, entry in enumerate(journal):
        sentence = printable(game.narrate(state, entry, record.players))
        if place:
            yield f"          {sentence}"
        else:
            yield f"{ply:5}  {sentence}{' (played for it)' if substitute else ''}"


def _failures(record: Record, ply: int) -> Iterator[str]:
    """The faults at this ply, with the details that the referee noted."""
    for fault in record.faults:
        if fault.ply == ply and 0 <= fault.seat < len(record.players):
            detail = printable(_detail(record.meta.get("fault_details"), fault.seat, ply))
            name = printable(record.players[fault.seat])
            yield f"       ! {name} is out of the game: {fault.kind.value}{': ' if detail else ''}{detail}"


def _detail(details: object, seat: int, ply: int) -> str:
    """`meta` is free: anything may be there."""
    for detail in details if isinstance(details, list) else ():
        if isinstance(detail, dict) and detail.get("seat") == seat and detail.get("ply") == ply:
            return str(detail.get("detail", ""))
    return ""


def _ending(record: Record) -> Iterator[str]:
    result = record.result
    yield f"The end: {printable(result.reason)}"
    for seat, name in enumerate(record.players):
        if seat < len(result.ranks) and seat < len(result.scores):
            yield f"{result.ranks[seat]:3}. {printable(name)}, {result.scores[seat]} points"
    finding = check(record)
    if finding is not None:
        where = "" if finding.ply is None else f" at ply {finding.ply}"
        yield f"This record is bad{where}: {printable(finding.text)}"
