"""Encodes log entries as payloads of frames. Neighbouring entries share texts and settings by number.

A short text (a name) or a setting (game, options, tournament) gets a number in the entry where it first occurs; later
entries refer to the number. Numbering restarts every `BLOCK` records, so memory stays bounded, and damage to a log
affects one block at most.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Any

import msgspec

from ..errors import LogError
from ..results import Fault, FaultKind, GameResult
from .frames import LONGEST_PAYLOAD
from .log_entry import LogEntry, derived_seed, new_entry, number_of, tournament_of
from .record import DECODE_ERRORS, META_DEPTH, decode_record, describe_decode_error, encode_record, is_too_deep

BLOCK = 1024
"""Records that share one numbering of texts and settings."""
LONGEST_TEXT = 64
MOST_TEXTS = 8192
LONGEST_SETTING = 4096

_Index = Annotated[int, msgspec.Meta(ge=0, lt=1 << 48)]
_Number = Annotated[int, msgspec.Meta(ge=0, le=(1 << 63) - 1)]
_Bytes8 = Annotated[bytes, msgspec.Meta(min_length=8, max_length=8)]
_Bytes32 = Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]


class _Setting(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    game: str
    options: dict[str, int | str]
    tournament: dict[str, Any] | None


class _PackedGame(msgspec.Struct, array_like=True, tag=1, frozen=True, forbid_unknown_fields=True):
    """A record that refers to texts and its setting by number; `new` defines those that occur here first.

    `seed` is None if it can be derived from the tournament's seed and `number`. `meta` alternates names and values and
    omits `tournament` and `number`.
    """

    index: _Index
    new: list[tuple[int, Any]]  # texts and, as bytes, settings
    setting: int
    number: _Number | None
    seed: _Bytes32 | None
    players: list[int | str]
    decisions: _Index
    actions: bytes
    faults: list[tuple[int, int, FaultKind]]
    scores: list[int]
    ranks: list[int]
    reason: int | str
    digest_start: _Bytes8
    meta: list[Any]


class _PlainGame(msgspec.Struct, array_like=True, tag=2, frozen=True, forbid_unknown_fields=True):
    """A record that can't be packed, stored as JSON."""

    index: _Index
    json: bytes


_encoder = msgspec.msgpack.Encoder()
_decoder: msgspec.msgpack.Decoder[_PackedGame | _PlainGame] = msgspec.msgpack.Decoder(_PackedGame | _PlainGame)
_setting_decoder = msgspec.msgpack.Decoder(_Setting)


class EntryReader:
    """Decodes payloads, in the order of the log, into entries."""

    def __init__(self) -> None:
        self._block = 0
        self.texts: dict[int, str] = {}
        self.settings: dict[int, bytes] = {}
        self._settings: dict[int, _Setting] = {}
        self._doubtful: EntryReader | None = None  # definitions from payloads that may have been changed
        self._decoded: tuple[bytes, _PackedGame | _PlainGame] | None = None  # the last payload: it is decoded twice

    def entry(self, payload: bytes) -> LogEntry:
        """The entry in a payload. Raises LogError if it can't be decoded."""
        try:
            game = self._decode(payload)
            self._enter_block(game.index)
            if isinstance(game, _PlainGame):
                return _plain_entry(game)
            for number, value in game.new:
                self._define(number, value)
            return self._packed_entry(game)
        except DECODE_ERRORS as error:
            raise LogError(f"this is not a record: {describe_decode_error(error)}") from None

    def add_doubtful(self, payload: bytes) -> None:
        """Learn the definitions in a payload that may have been changed; intact payloads take precedence."""
        if self._doubtful is None:
            self._doubtful = EntryReader()
        with suppress(LogError):
            self._doubtful.entry(payload)

    def index_of(self, payload: bytes) -> int | None:
        """The record index that a payload states; None if it can't be decoded."""
        try:
            return self._decode(payload).index
        except DECODE_ERRORS:
            return None

    def _decode(self, payload: bytes) -> _PackedGame | _PlainGame:
        if self._decoded is None or self._decoded[0] is not payload:
            self._decoded = (payload, _decoder.decode(payload))
        return self._decoded[1]

    def _enter_block(self, index: int) -> None:
        if index // BLOCK != self._block:
            self._block = index // BLOCK
            self.texts.clear()
            self.settings.clear()
            self._settings.clear()
            self._doubtful = None

    def _define(self, number: int, value: object) -> None:
        fits = 0 <= number < MOST_TEXTS
        if fits and isinstance(value, str) and len(value) <= LONGEST_TEXT:
            fits = self.texts.setdefault(number, value) == value
        elif fits and isinstance(value, bytes) and len(value) <= LONGEST_SETTING:
            fits = self.settings.setdefault(number, value) == value
            self._settings[number] = setting = _setting_decoder.decode(value)
            if is_too_deep(setting.tournament, META_DEPTH - 1):
                raise LogError("its tournament is nested too deep")
        else:
            fits = False
        if not fits:
            raise LogError(f"{number} can't be the number of {value!r}"[:200])

    def _find_setting(self, number: int) -> _Setting:
        setting = self._settings.get(number)
        if setting is None and self._doubtful is not None:
            setting = self._doubtful._settings.get(number)
        if setting is None:
            raise LogError(f"it refers to setting {number}, which no record before it that can be read has")
        return setting

    def _find_text(self, text: int | str) -> str:
        value = text if isinstance(text, str) else self.texts.get(text)
        if value is None and self._doubtful is not None and isinstance(text, int):
            value = self._doubtful.texts.get(text)
        if value is None:
            raise LogError(f"it refers to text {text}, which no record before it that can be read has")
        return value

    def _packed_entry(self, game: _PackedGame) -> LogEntry:
        setting = self._find_setting(game.setting)
        seed = game.seed or derived_seed(setting.tournament, game.number)
        if seed is None:
            raise LogError("it has no seed, and none follows from its tournament and number")
        return LogEntry(
            game.index,
            setting.game,
            setting.options,
            [self._find_text(player) for player in game.players],
            seed.hex(),
            game.decisions,
            [Fault(*fault) for fault in game.faults],
            GameResult(game.scores, game.ranks, self._find_text(game.reason)),
            game.digest_start.hex(),
            self._meta(game, setting.tournament),
            packed=game.actions,
        )

    def _meta(self, game: _PackedGame, tournament: dict[str, Any] | None) -> dict[str, Any]:
        meta: dict[str, Any] = {}
        if tournament is not None:
            meta["tournament"] = tournament
        if game.number is not None:
            meta["number"] = game.number
        for name, value in zip(game.meta[::2], game.meta[1::2], strict=True):
            if not isinstance(name, str | int):
                raise LogError(f"its meta has {name!r} where a name should be")
            if is_too_deep(value, META_DEPTH - 1):
                raise LogError("its meta is nested too deep")
            meta[self._find_text(name)] = value
        return meta


def _plain_entry(game: _PlainGame) -> LogEntry:
    record = decode_record(game.json)
    return new_entry(game.index, record, record.meta, plain=game.json)


def is_block_start(index: int) -> bool:
    """Whether numbering restarts with the record of this index."""
    return index % BLOCK == 0


class EntryWriter:
    """Encodes entries, in the order of the log, as payloads; continues from what `reader` has read."""

    def __init__(self, reader: EntryReader, index: int) -> None:
        self.index = index
        self._texts = {text: number for number, text in reader.texts.items()}
        self._settings = {packed: number for number, packed in reader.settings.items()}
        self._next_text = max(reader.texts, default=-1) + 1
        self._next_setting = max(reader.settings, default=-1) + 1
        self._new: list[tuple[int, str | bytes]] = []

    def payload(self, entry: LogEntry) -> bytes:
        """The payload of the next frame. The entry's own `index` is ignored. Raises LogError if it is too long."""
        if is_block_start(self.index):
            self._texts.clear()
            self._settings.clear()
            self._next_text = self._next_setting = 0
        self._new = []
        try:
            payload = _encoder.encode(
                self._packed(entry, entry.packed) if entry.packed is not None else self._plain(entry)
            )
        except (OverflowError, _CannotPack):  # a number above 64 bits in `meta`, a tournament too long to be shared
            self._undo_new()
            payload = _encoder.encode(self._plain(entry))
        if len(payload) > LONGEST_PAYLOAD:
            self._undo_new()
            raise LogError(f"a record takes at most {LONGEST_PAYLOAD} bytes in a log, this one {len(payload)}")
        self.index += 1
        return payload

    def _plain(self, entry: LogEntry) -> _PlainGame:
        return _PlainGame(self.index, encode_record(entry.record()) if entry.plain is None else entry.plain)

    def _packed(self, entry: LogEntry, packed: bytes) -> _PackedGame:
        tournament, number, seed = tournament_of(entry.meta), number_of(entry.meta), bytes.fromhex(entry.seed)
        return _PackedGame(
            self.index,
            self._new,  # filled by what follows, before it is encoded
            self._setting(_encoder.encode(_Setting(entry.game, entry.options, tournament))),
            number,
            None if seed == derived_seed(tournament, number) else seed,
            [self._text(player) for player in entry.players],
            entry.decisions,
            packed,
            [(fault.seat, fault.ply, fault.kind) for fault in entry.faults],
            entry.result.scores,
            entry.result.ranks,
            self._text(entry.result.reason),
            bytes.fromhex(entry.digest_start),
            self._meta(entry.meta, tournament, number),
        )

    def _setting(self, setting: bytes) -> int:
        number = self._settings.get(setting)
        if number is None:
            if len(setting) > LONGEST_SETTING or self._next_setting >= MOST_TEXTS:
                raise _CannotPack
            number = self._settings[setting] = self._next_setting
            self._next_setting += 1
            self._new.append((number, setting))
        return number

    def _text(self, text: str) -> int | str:
        number = self._texts.get(text)
        if number is None:
            if len(text) > LONGEST_TEXT or self._next_text >= MOST_TEXTS:
                return text
            number = self._texts[text] = self._next_text
            self._next_text += 1
            self._new.append((number, text))
        return number

    def _meta(self, meta: dict[str, Any], tournament: dict[str, Any] | None, number: int | None) -> list[Any]:
        pairs: list[Any] = []
        for name, value in meta.items():
            stored_elsewhere = number if name == "number" else tournament if name == "tournament" else None
            if stored_elsewhere is None:
                pairs += (self._text(name), value)
        return pairs

    def _undo_new(self) -> None:
        """Forget the numbers assigned for a payload that will not be written."""
        for _, value in reversed(self._new):
            if isinstance(value, str):
                del self._texts[value]
                self._next_text -= 1
            else:
                del self._settings[value]
                self._next_setting -= 1
        self._new = []


class _CannotPack(Exception):
    """The entry can't be packed and must be stored as JSON."""
