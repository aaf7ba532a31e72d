"""Log entries: records as logs store them, with packed actions."""

from __future__ import annotations

from typing import Any

import msgspec

from ..errors import FaError, LogError
from ..games.seed import Seed
from ..results import Fault, GameResult
from .action_coding import pack_actions, unpack_actions
from .reconstruct import deal_again, deal_of, describe_options, legal_lists, read_seed
from .record import FORMAT, Record, decode_record, digest_of, encode_record

DIGEST_START = 16
"""Hex digits of a record's digest that a log keeps, to check the unpacked record."""


class LogEntry(msgspec.Struct, frozen=True):
    """A record as a log stores it. `record()` unpacks the actions; all other fields are available at once.

    `index` counts the records of the log from 0. The actions are in `packed`; for a record that can't be packed,
    `plain` holds its whole JSON instead. `digest_start` has the first `DIGEST_START` hex digits of the digest; the rest
    follows from the unpacked record.
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
        return record

    def with_actions(self, actions: list[str]) -> Record:
        """The record with these actions and the digest that follows from them."""
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

    A record that can't be packed (an illegal or unfinished game, a wrong digest) is stored as JSON.
    """
    packed = _pack(record) if packed is None else packed
    plain = encode_record(record) if packed is None else None
    return new_entry(0, record, _shared_first(record.meta), packed, plain)


def new_entry(
    index: int, record: Record, meta: dict[str, Any], packed: bytes | None = None, plain: bytes | None = None
) -> LogEntry:
    """The log entry of a record. One of `packed` and `plain` is given."""
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
    )


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


def _shared_first(meta: dict[str, Any]) -> dict[str, Any]:
    """`meta` with `tournament` and `number` first, the order in which a log returns it."""
    first = {name: meta[name] for name in ("tournament", "number") if name in meta}
    return first | meta


def number_of(meta: dict[str, Any]) -> int | None:
    """The game's number in its tournament by `meta`; None if it is missing or invalid."""
    number = meta.get("number")
    return number if type(number) is int and 0 <= number < 1 << 63 else None


def tournament_of(meta: dict[str, Any]) -> dict[str, Any] | None:
    """The tournament by `meta`; None if it is missing or invalid."""
    tournament = meta.get("tournament")
    return tournament if isinstance(tournament, dict) else None


def derived_seed(tournament: dict[str, Any] | None, number: int | None) -> Seed | None:
    """The seed that follows from the tournament's seed and the game's number; None without a valid seed or number."""
    seed = tournament.get("seed") if tournament is not None else None
    if number is None or not isinstance(seed, str):
        return None
    try:
        return Seed.from_hex(seed).of_game(number)
    except ValueError:
        return None
