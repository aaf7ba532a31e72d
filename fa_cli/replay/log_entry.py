"""Log entries: records as logs store them, with packed actions."""

from __future__ import annotations

from typing import Any

import msgspec

from ..errors import FaError, LogError
from ..games import find_game
from ..games.contract import State
from ..games.game import Game
from ..results import Fault, GameResult
from .action_coding import pack_actions, unpack_actions
from .frames import LONGEST_PAYLOAD
from .packing.loose_actions import WordedActions, pack_loose, texts_beside, unpack_loose
from .packing.meta import TIMES, in_order, number_of
from .packing.payloads import MOST_SEATS
from .packing.times import pack_times, symbols_of, times_of, unpack_symbols
from .reconstruct import deal_again, deal_of, describe_options, legal_lists, read_seed
from .record import FORMAT, Record, decode_record, digest_of, encode_record

DIGEST_START = 16
"""Hex digits of a record's digest that a log keeps, to check the unpacked record."""


class LooseParts(msgspec.Struct, frozen=True):
    """What a log keeps of a record that is not a whole game in legal actions.

    `digest` is the one that the record states; None: the right one. `texts` are those of its actions that are not in
    the game's action table. If its game can't be dealt, `actions` has all of them instead: packed, or not yet.
    """

    digest: str | None
    texts: list[str]
    actions: WordedActions | list[str] | None = None


class LogEntry(msgspec.Struct, frozen=True):
    """A record as a log stores it. `record()` unpacks actions and times; all other fields are available at once.

    `index` counts the records of the log from 0. The actions are in `packed`, by `loose_actions` if there are `loose`
    parts, unless these have them; for a record that can't be packed, `plain` holds its whole JSON instead.
    `digest_start` has the first `DIGEST_START` hex digits of the digest that follows from the unpacked record. `times`
    holds `meta["times_us"]`, which is then missing in `meta`, with `asked` and `time_us`, which are not.
    """

    index: int
    game: str
    options: dict[str, int | str]
    players: list[str]
    seed: str
    decisions: int
    faults: list[Fault]
    result: GameResult
    digest_start: str
    meta: dict[str, Any]
    packed: bytes | None = None
    plain: bytes | None = None
    times: bytes | None = None
    loose: LooseParts | None = None

    @property
    def number(self) -> int | None:
        """The game's number in its tournament (`meta["number"]`); games of one duplicate set share it."""
        return number_of(self.meta)

    @property
    def variant(self) -> str:
        """The options that the game is rated apart by, as `side=five`; all options if the game is unknown here."""
        return describe_options(self.game, self.options)

    def record(self, legal: bool = False) -> Record:
        """The whole record; with `legal`, including the legal actions of every decision.

        Raises LogError if the game is unknown here, if the packed actions can't be played, or if the digest differs.
        """
        record = self._unpacked() if self.plain is None else decode_record(self.plain)
        if not legal:
            record.legal = msgspec.UNSET
        elif record.legal is msgspec.UNSET:
            record.legal = _legal_lists(record)
        return record

    def _unpacked(self) -> Record:
        record = self.with_actions(self._unpacked_loose(self.loose) if self.loose else self._unpacked_actions())
        if not record.digest.startswith(self.digest_start):
            raise LogError(
                f"what was unpacked is not what was packed: its digest begins with {record.digest[:DIGEST_START]}, "
                f"not {self.digest_start}"
            )
        if self.loose and self.loose.digest is not None:
            record.digest = self.loose.digest
        record.meta = self._whole_meta()
        return record

    def _unpacked_actions(self) -> list[str]:
        try:
            game, state = deal_again(self.game, self.options, len(self.players), read_seed(self.seed))
        except FaError as error:
            raise LogError(f"the actions can't be unpacked: {error}") from None
        return unpack_actions(state, self.packed or b"", self.decisions, game.actions)

    def _unpacked_loose(self, loose: LooseParts) -> list[str]:
        if loose.actions is not None:
            return loose.actions.unpacked() if isinstance(loose.actions, WordedActions) else list(loose.actions)
        game, state = _deal_beside(self.game, self.options, len(self.players), self.seed)
        table = [] if game is None else game.actions
        texts = [*table, *loose.texts]
        return unpack_loose(state, self.packed or b"", self.decisions, texts, LONGEST_PAYLOAD)

    def _whole_meta(self) -> dict[str, Any]:
        """`meta` with the times of all decisions. Raises LogError."""
        if self.times is None:
            return dict(self.meta)
        symbols = unpack_symbols(self.times, len(self.players), self.decisions)
        return in_order(self.meta | {"times_us": times_of(symbols)})

    def with_actions(self, actions: list[str]) -> Record:
        """The record with these actions and the digest that follows from them, without the times of decisions."""
        record = Record(
            FORMAT,
            self.game,
            dict(self.options),
            list(self.players),
            self.seed,
            actions,
            list(self.faults),
            self.result,
            "",
            dict(self.meta),
        )
        record.digest = digest_of(record)
        return record


def entry_of(record: Record, packed: bytes | None = None) -> LogEntry:
    """The log entry of a record, with index 0. If `packed` is given, it and the record's digest are not checked.

    A record that is not a whole game in legal actions with the right digest is packed loosely; one with legal lists
    that are not the right ones is stored as JSON.
    """
    packed = _pack(record) if packed is None else packed
    if packed is not None:
        return _packed_entry(record, packed, record.digest, None)
    return _loose_entry(record) or new_entry(0, record, plain=encode_record(record))


def new_entry(index: int, record: Record, plain: bytes) -> LogEntry:
    """The log entry of a record that is stored as JSON."""
    return _entry(index, record, record.digest, record.meta, plain=plain)


def _packed_entry(record: Record, packed: bytes, digest: str, loose: LooseParts | None) -> LogEntry:
    meta, times = take_times(record.meta, len(record.players), len(record.actions))
    return _entry(0, record, digest, in_order(meta), packed=packed, times=times, loose=loose)


def _entry(
    index: int,
    record: Record,
    digest: str,
    meta: dict[str, Any],
    *,
    packed: bytes | None = None,
    plain: bytes | None = None,
    times: bytes | None = None,
    loose: LooseParts | None = None,
) -> LogEntry:
    return LogEntry(
        index,
        record.game,
        record.options,
        record.players,
        record.seed,
        len(record.actions),
        record.faults,
        record.result,
        digest[:DIGEST_START],
        meta,
        packed,
        plain,
        times,
        loose,
    )


def _loose_entry(record: Record) -> LogEntry | None:
    """The entry of a record whose actions are packed loosely; None if it has legal lists, or is too long."""
    if record.legal is not msgspec.UNSET or sum(len(action) + 3 for action in record.actions) > LONGEST_PAYLOAD:
        return None
    game, state = _deal_beside(record.game, record.options, len(record.players), record.seed)
    digest = digest_of(record)
    stated = None if record.digest == digest else record.digest
    if game is None or state is None:
        return _packed_entry(record, b"", digest, LooseParts(stated, [], record.actions))
    texts = texts_beside(record.actions, game.action_numbers)
    packed = pack_loose(state, record.actions, game.action_numbers, texts)
    return _packed_entry(record, packed, digest, LooseParts(stated, texts))


def packed_again(entry: LogEntry) -> LogEntry:
    """The entry as `entry_of` makes it of its record today, if it is as JSON or loose. Raises LogError.

    That may be otherwise than earlier versions did, and words are packed with what other records of a log teach.
    """
    if entry.plain is not None:
        return entry_of(decode_record(entry.plain))
    if entry.loose is None or isinstance(entry.loose.actions, list):
        return entry
    return entry_of(entry.record())


def _deal_beside(name: str, options: dict[str, int | str], players: int, seed: str) -> tuple[Game | None, State | None]:
    """The game and its state after the deal, for `loose_actions`; None for what is unknown or can't be dealt."""
    try:
        game = find_game(name)
    except FaError:
        return None, None
    try:
        return game, game.start(game.make_options(options), players, read_seed(seed))
    except FaError:
        return game, None


def take_times(meta: dict[str, Any], seats: int, decisions: int) -> tuple[dict[str, Any], bytes | None]:
    """`meta` without the times of decisions, and the packed times; None if they are missing or can't be packed."""
    if seats > MOST_SEATS:
        return meta, None
    asked, totals, times = (meta.get(name) for name in TIMES)
    if not (_are_counts(asked, seats) and _are_counts(totals, seats) and isinstance(times, list)):
        return meta, None
    symbols = symbols_of(times) if len(times) == decisions else None
    if symbols is None:
        return meta, None
    rest = {name: value for name, value in meta.items() if name != "times_us"}
    return rest, pack_times(meta["asked"], meta["time_us"], symbols)


def _are_counts(value: object, seats: int) -> bool:
    """Whether this is a list of one number from 0 per seat, none of them above 64 bits."""
    if not isinstance(value, list) or len(value) != seats:
        return False
    return all(type(count) is int and 0 <= count < 1 << 64 for count in value)


def _pack(record: Record) -> bytes | None:
    legal = None if record.legal is msgspec.UNSET else record.legal
    if digest_of(record) != record.digest:
        return None
    try:
        game, state = deal_of(record)
    except FaError:
        return None
    return pack_actions(game, state, record.actions, legal)


def _legal_lists(record: Record) -> list[list[str]]:
    try:
        game, state = deal_of(record)
    except FaError:
        return []
    return legal_lists(game, state, record.actions)
