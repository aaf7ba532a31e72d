"""Verifies a record: deals the game again, replays every decision, and reports the first difference."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ..errors import FaError
from ..game_result import rank_seats
from ..games.contract import State
from ..games.game import Game
from ..printing.text import cut
from .action_coding import unpack_actions
from .log_entry import DIGEST_START, LogEntry
from .log_file import Damage
from .reconstruct import deal_again, deal_of, legal_lists, read_seed
from .record import NAME_LENGTH, Record, decode_record, digest_of, is_player_name

_MOST_LISTED = 8  # legal actions named in one message


class Finding(msgspec.Struct, frozen=True):
    """The first error of a record. `index` counts the records of a file from 0; the text form counts from 1."""

    index: int
    text: str
    ply: int | None = None

    def __str__(self) -> str:
        where = f"record {self.index + 1}" if self.ply is None else f"record {self.index + 1}, ply {self.ply}"
        return f"{where}: {self.text}"


class _Mismatch(Exception):
    """The first difference between a record and its replay."""

    def __init__(self, text: str, ply: int | None = None) -> None:
        super().__init__(text)
        self.ply = ply


def check(item: LogEntry | Record | Damage, index: int = 0) -> Finding | None:
    """The first error of a record, a log entry or a damaged place; None if there is none.

    `index` is the index to report for a `Record`; the others know theirs.
    """
    if isinstance(item, Damage):
        return Finding(item.index, item.text)
    if isinstance(item, LogEntry):
        index = item.index
    try:
        if isinstance(item, Record):
            _check_record(item)
        elif item.plain is not None:
            _check_record(decode_record(item.plain))
        else:
            _check_packed(item)
    except _Mismatch as mismatch:
        return Finding(index, str(mismatch), mismatch.ply)
    except FaError as error:
        return Finding(index, str(error))
    return None


def _check_packed(entry: LogEntry) -> None:
    """Unpacking proves that the actions are legal and end the game; check the rest."""
    _check_names(entry.players)
    game, state = deal_again(entry.game, entry.options, len(entry.players), read_seed(entry.seed))
    record = entry.with_actions(unpack_actions(state, entry.packed or b"", entry.decisions, game.actions))
    if entry.faults:
        _check_faults(record)
        _, state = deal_again(entry.game, entry.options, len(entry.players), read_seed(entry.seed))
        _check_actions(game, state, record)
    _check_end(state, record)
    _expect("the digest's first digits", record.digest[:DIGEST_START], entry.digest_start)


def _check_record(record: Record) -> None:
    _check_names(record.players)
    game, state = deal_of(record)
    _check_faults(record)
    _check_actions(game, state, record)
    _check_end(state, record)
    _expect("digest", digest_of(record), record.digest)
    if record.legal is not msgspec.UNSET:
        _, state = deal_of(record)
        _check_legal(legal_lists(game, state, record.actions), record.legal)


def _check_names(players: Sequence[str]) -> None:
    for name in players:
        if not is_player_name(name):
            allowed = f"letters, digits and . _ + # - (a letter or digit first, at most {NAME_LENGTH})"
            raise _Mismatch(f"a player's name is {allowed}, not {cut(repr(name))}")


def _check_faults(record: Record) -> None:
    """Every fault names an existing seat and decision."""
    players, decisions = len(record.players), len(record.actions)
    for fault in record.faults:
        if not 0 <= fault.seat < players:
            raise _Mismatch(f"a fault of seat {fault.seat}, where there are seats 0 to {players - 1}")
        if not 0 <= fault.ply < decisions:
            raise _Mismatch(
                f"a fault of seat {fault.seat} at ply {fault.ply}, where there are plies 0 to {decisions - 1}"
            )


def _check_actions(game: Game, state: State, record: Record) -> None:
    """Play all actions: each must be legal, and a substitute must be the first legal action."""
    failed = [len(record.actions)] * len(record.players)
    for fault in record.faults:
        failed[fault.seat] = min(failed[fault.seat], fault.ply)
    for ply, action in enumerate(record.actions):
        if state.is_over():
            raise _Mismatch(f"the game is over ({state.reason()}), but {cut(repr(action))} follows", ply)
        legal = state.legal()
        number = game.action_numbers.get(action, -1)
        if number not in legal:
            raise _Mismatch(_not_legal(game, state.actor, action, legal), ply)
        if failed[state.actor] <= ply and number != legal[0]:
            since = f"seat {state.actor} failed at ply {failed[state.actor]}"
            first = game.actions[legal[0]]
            raise _Mismatch(f"{since}, so expected is the first legal action {first!r}, found {action!r}", ply)
        state.apply(number)


def _not_legal(game: Game, seat: int, action: str, legal: Sequence[int]) -> str:
    known = "is not legal here" if action in game.action_numbers else f"is not an action of {game.name}"
    texts = ", ".join(repr(game.actions[number]) for number in legal[:_MOST_LISTED])
    more = f" and {len(legal) - _MOST_LISTED} more" if len(legal) > _MOST_LISTED else ""
    return f"{cut(repr(action))} {known}; seat {seat} can choose {texts}{more}"


def _check_end(state: State, record: Record) -> None:
    """The game is over after the last action, with the recorded scores, ranks and reason."""
    if not state.is_over():
        raise _Mismatch(f"the record ends here, but the game continues with seat {state.actor}", len(record.actions))
    _expect("scores", state.scores(), record.result.scores)
    _expect("ranks", rank_seats(state.standing(), record.faults), record.result.ranks)
    _expect("reason", state.reason(), record.result.reason)


def _check_legal(expected: Sequence[list[str]], actual: Sequence[list[str]]) -> None:
    if len(expected) != len(actual):
        raise _Mismatch(f"legal: expected {len(expected)} lists, found {len(actual)}")
    for ply, (replayed, recorded) in enumerate(zip(expected, actual, strict=True)):
        if replayed != recorded:
            raise _Mismatch(f"legal: expected {cut(repr(replayed))}, found {cut(repr(recorded))}", ply)


def _expect(name: str, expected: object, actual: object) -> None:
    if expected != actual:
        raise _Mismatch(f"{name}: expected {expected}, found {cut(repr(actual))}")
