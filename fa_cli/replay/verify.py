"""Verifying a record: it is dealt again, every decision replayed, and the first difference named."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ..errors import FaError
from ..games.contract import State
from ..games.game import Game
from ..results import rank_seats
from .action_coding import unpack_actions
from .log_entry import DIGEST_START, LogEntry
from .log_file import Damage
from .reconstruct import deal_again, legal_lists
from .record import NAME_LENGTH, Record, decode_record, digest_of, is_player_name

_TOLD = 8  # legal actions that a sentence names at most


class Finding(msgspec.Struct, frozen=True):
    """What is wrong with a record: the first difference. `index` counts a file's records from 0, people from 1."""

    index: int
    text: str
    ply: int | None = None

    def __str__(self) -> str:
        where = f"record {self.index + 1}" if self.ply is None else f"record {self.index + 1}, ply {self.ply}"
        return f"{where}: {self.text}"


class _Wrong(Exception):
    """The first difference of a record."""

    def __init__(self, text: str, ply: int | None = None) -> None:
        super().__init__(text)
        self.ply = ply


def check(what: LogEntry | Record | Damage, index: int = 0) -> Finding | None:
    """What is wrong with a record, by itself or as it lies in a log; None if nothing is.

    `index` is what the finding about a record by itself is to say.
    """
    if not isinstance(what, Record):
        index = what.index
    try:
        if isinstance(what, Damage):
            raise _Wrong(what.text)
        if isinstance(what, Record):
            _check_record(what)
        elif what.plain is not None:
            _check_record(decode_record(what.plain))
        else:
            _check_packed(what)
    except _Wrong as wrong:
        return Finding(index, str(wrong), wrong.ply)
    except FaError as error:
        return Finding(index, str(error))
    return None


def _check_packed(entry: LogEntry) -> None:
    """Actions that can be unpacked are legal, and the game ends with them; here is the rest."""
    _check_names(entry.players)
    game, state = deal_again(entry.game, entry.options, len(entry.players), entry.seed)
    record = entry.with_actions(unpack_actions(state, entry.packed or b"", entry.decisions, game.actions))
    if entry.faults:
        _check_faults(record)
        _, state = deal_again(entry.game, entry.options, len(entry.players), entry.seed)
        _play(game, state, record)
    _check_end(state, record)
    _expect("the digest's first digits", record.digest[:DIGEST_START], entry.digest_start)


def _check_record(record: Record) -> None:
    _check_names(record.players)
    game, state = deal_again(record.game, record.options, len(record.players), record.seed)
    _check_faults(record)
    _play(game, state, record)
    _check_end(state, record)
    _expect("digest", digest_of(record), record.digest)
    if record.legal is not msgspec.UNSET:
        _, state = deal_again(record.game, record.options, len(record.players), record.seed)
        _check_legal(legal_lists(game, state, record.actions), record.legal)


def _check_names(players: Sequence[str]) -> None:
    for name in players:
        if not is_player_name(name):
            allowed = f"letters, digits and . _ + # - (a letter or digit first, at most {NAME_LENGTH})"
            raise _Wrong(f"a player's name is {allowed}, not {_short(name)}")


def _check_faults(record: Record) -> None:
    """Each fault is of a seat that there is, and at a decision that was taken."""
    players, decisions = len(record.players), len(record.actions)
    for fault in record.faults:
        if not 0 <= fault.seat < players:
            raise _Wrong(f"a fault of seat {fault.seat}, where there are seats 0 to {players - 1}")
        if not 0 <= fault.ply < decisions:
            raise _Wrong(f"a fault of seat {fault.seat} at ply {fault.ply}, where there are plies 0 to {decisions - 1}")


def _play(game: Game, state: State, record: Record) -> None:
    """Play all actions, each a legal one, a substituted one the first legal one."""
    failed = [len(record.actions)] * len(record.players)
    for fault in record.faults:
        failed[fault.seat] = min(failed[fault.seat], fault.ply)
    for ply, action in enumerate(record.actions):
        if state.is_over():
            raise _Wrong(f"the game is over ({state.reason()}), but {_short(action)} follows", ply)
        legal = state.legal()
        number = game.action_numbers.get(action, -1)
        if number not in legal:
            raise _Wrong(_not_legal(game, state.actor, action, legal), ply)
        if failed[state.actor] <= ply and number != legal[0]:
            since = f"seat {state.actor} failed at ply {failed[state.actor]}"
            first = game.actions[legal[0]]
            raise _Wrong(f"{since}, so expected is the first legal action {first!r}, found {action!r}", ply)
        state.apply(number)


def _not_legal(game: Game, seat: int, action: str, legal: Sequence[int]) -> str:
    known = "is not legal here" if action in game.action_numbers else f"is no action of {game.name}"
    texts = ", ".join(repr(game.actions[number]) for number in legal[:_TOLD])
    more = f" and {len(legal) - _TOLD} more" if len(legal) > _TOLD else ""
    return f"{_short(action)} {known}; seat {seat} can choose {texts}{more}"


def _check_end(state: State, record: Record) -> None:
    """The state after the last action, and what the record says of it."""
    if not state.is_over():
        raise _Wrong(f"here the record ends, but the game goes on with seat {state.actor}", len(record.actions))
    _expect("scores", state.scores(), record.result.scores)
    _expect("ranks", rank_seats(state.standing(), record.faults), record.result.ranks)
    _expect("reason", state.reason(), record.result.reason)


def _check_legal(expected: Sequence[list[str]], found: Sequence[list[str]]) -> None:
    if len(expected) != len(found):
        raise _Wrong(f"legal: expected {len(expected)} lists, found {len(found)}")
    for ply, (right, given) in enumerate(zip(expected, found, strict=True)):
        if right != given:
            raise _Wrong(f"legal: expected {_short(right)}, found {_short(given)}", ply)


def _expect(what: str, expected: object, found: object) -> None:
    if expected != found:
        raise _Wrong(f"{what}: expected {expected}, found {_short(found)}")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:200]}..."
