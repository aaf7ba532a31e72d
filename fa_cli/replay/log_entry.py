"""Log entries: records as logs store them, with packed actions."""

from __future__ import annotations

from typing import Any

import msgspec

from ..errors import FaError, LogError
from ..game_result import Fault, GameResult
from .action_coding import pack_actions, unpack_actions
from .packing.meta import TIMES, in_order, number_of
from .packing.payloads import MOST_SEATS
from .packing.times import pack_times, symbols_of, times_of, unpack_symbols
from .reconstruct import deal_again, deal_of, describe_options, legal_lists, read_seed
from .record import FORMAT, Record, decode_record, digest_of, encode_record

DIGEST_START = 16
"""Hex digits of a record's digest that a log keeps, to check the unpacked record."""
_MOST = (1 << 64) - 1
"""Microseconds that can be packed."""


class LogEntry(msgspec.Struct, frozen=True):
    """A record as a log stores it. `record()` unpacks actions and times; all other fields are available at once.

    `index` counts the records of the log from 0. The actions are in `packed`; for a record that is not a whole game in
    legal actions with the right digest, or can't be packed, `plain` holds its whole JSON instead.
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
        try:
            game, state = deal_again(self.game, self.options, len(self.players), read_seed(self.seed))
        except FaError as error:
            raise LogError(f"the actions can't be unpacked: {error}") from None
        record = self.with_actions(unpack_actions(state, self.packed or b"", self.decisions, game.actions))
        if not record.digest.startswith(self.digest_start):
            raise LogError(
                f"what was unpacked is not what was packed: its digest begins with {record.digest[:DIGEST_START]}, "
                f"not {self.digest_start}"
            )
        if self.times is not None:
            symbols = unpack_symbols(self.times, len(self.players), self.decisions)
            record.meta = in_order(self.meta | {"times_us": times_of(symbols)})
        return record

    def as_json(self) -> LogEntry:
        """The same record, stored as JSON. Raises LogError as `record` does."""
        record = self.record()
        return json_entry(self.index, record, encode_record(record))

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

    A record that is not a whole game in legal actions with the right digest, or has wrong legal lists, is stored as
    JSON.
    """
    packed = _pack(record) if packed is None else packed
    if packed is None:
        return json_entry(0, record, encode_record(record))
    meta, times = take_times(record.meta, len(record.players), len(record.actions))
    return _entry(0, record, in_order(meta), packed, None, times)


def json_entry(index: int, record: Record, json: bytes) -> LogEntry:
    """The log entry of a record that is stored as this JSON."""
    return _entry(index, record, record.meta, None, json, None)


def _entry(
    index: int, record: Record, meta: dict[str, Any], packed: bytes | None, plain: bytes | None, times: bytes | None
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
        record.digest[:DIGEST_START],
        meta,
        packed,
        plain,
        times,
    )


def take_times(meta: dict[str, Any], seats: int, decisions: int) -> tuple[dict[str, Any], bytes | None]:
    """`meta` without the times of decisions, and the packed times; None if they are missing or can't be packed."""
    if seats > MOST_SEATS:
        return meta, None
    asked, totals, times = (meta.get(name) for name in TIMES)
    if not (_are_counts(asked, seats, decisions) and _are_counts(totals, seats, _MOST) and isinstance(times, list)):
        return meta, None
    symbols = symbols_of(times) if len(times) == decisions else None
    if symbols is None:
        return meta, None
    rest = {name: value for name, value in meta.items() if name != "times_us"}
    return rest, pack_times(meta["asked"], meta["time_us"], symbols)


def _are_counts(value: object, seats: int, most: int) -> bool:
    """Whether this is a list of one number per seat, each from 0 to `most`."""
    if not isinstance(value, list) or len(value) != seats:
        return False
    return all(type(count) is int and 0 <= count <= most for count in value)


def _pack(record: Record) -> bytes | None:
    if digest_of(record) != record.digest:
        return None
    if record.legal is not msgspec.UNSET and record.legal != _legal_lists(record):
        return None
    try:
        game, state = deal_of(record)
    except FaError:
        return None
    return pack_actions(game, state, record.actions)


def _legal_lists(record: Record) -> list[list[str]]:
    try:
        game, state = deal_of(record)
    except FaError:
        return []
    return legal_lists(game, state, record.actions)
