"""A record as it lies in a log: everything at hand but the actions, which are packed or kept as they were given."""

from __future__ import annotations

from typing import Any

import msgspec

from ..errors import FaError, LogError
from ..games.seed import Seed
from ..results import Fault, GameResult
from .action_coding import pack_actions, unpack_actions
from .reconstruct import deal_again, deal_of, legal_lists, read_seed, variant_of
from .record import FORMAT, Record, decode_record, digest_of, encode_record

DIGEST_START = 16
"""Hex digits of a record's digest that a log keeps. They show that what is unpacked is what was packed."""


class LogEntry(msgspec.Struct, frozen=True):
    """A record as it lies in a log: everything is at hand but its actions, which `record` brings.

    `index` counts a log's records from 0. `number` is the game's in its tournament (`meta["number"]`), if it says
    one. Either `packed` has the actions, or `plain` the whole record's JSON, for one that can't be packed.
    `digest_start` is the first 16 of the digest's hex digits; the rest follows from the unpacked record.
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
        """The game's number in its tournament; games of one duplicate set share it."""
        return number_of(self.meta)

    @property
    def variant(self) -> str:
        """What the game is rated by, `side=five`; all options of a game or option that is unknown here."""
        return variant_of(self.game, self.options)

    def record(self, legal: bool = False) -> Record:
        """The whole record, with the legal lists if asked for.

        Raises LogError if the packed actions can't be played or are not those that were packed, or if the game is
        unknown here.
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
        """The record, if these are its actions; its digest is the right one."""
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
    """The record as a log has it; its index is 0. `packed`: its actions, taken on trust, as its digest then is.

    What can't be packed (a game not played to its end by the rules, a wrong digest) is kept as it is, as JSON.
    """
    packed = _packed(record) if packed is None else packed
    return LogEntry(
        0,
        record.game,
        record.options,
        record.players,
        record.seed,
        len(record.actions),
        record.faults,
        record.result,
        record.digest[:DIGEST_START],
        _ordered(record.meta),
        packed,
        encode_record(record) if packed is None else None,
    )


def _packed(record: Record) -> bytes | None:
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


def _ordered(meta: dict[str, Any]) -> dict[str, Any]:
    """What a log keeps apart from the rest of `meta` comes first."""
    first = {name: meta[name] for name in ("tournament", "number") if name in meta}
    return first | meta


def number_of(meta: dict[str, Any]) -> int | None:
    """The game's number that `meta` names, or None."""
    number = meta.get("number")
    return number if type(number) is int and 0 <= number < 1 << 63 else None


def tournament_of(meta: dict[str, Any]) -> dict[str, Any] | None:
    """The tournament that `meta` names, or None."""
    tournament = meta.get("tournament")
    return tournament if isinstance(tournament, dict) else None


def derived_seed(tournament: dict[str, Any] | None, number: int | None) -> Seed | None:
    """The game's seed if its tournament's seed and its number tell it."""
    seed = tournament.get("seed") if tournament is not None else None
    if number is None or not isinstance(seed, str):
        return None
    try:
        return Seed.from_hex(seed).of_game(number)
    except ValueError:
        return None
