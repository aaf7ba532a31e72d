"""Encodes log entries as payloads of frames. Neighbouring entries share texts, settings and line-ups by number.

A short text (a name) or a setting (game, options, tournament) gets a number in the entry where it first occurs; later
entries refer to the number. The number of a line-up, the players by seat, is that of the record where it first occurs.
Numbering restarts every `BLOCK` records, so memory stays bounded, and damage to a log affects one block at most.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from ..errors import LogError
from ..game_result import Fault, GameResult
from .frames import LONGEST_PAYLOAD
from .log_entry import LogEntry, json_entry
from .packing.definitions import LONGEST_TEXT, MOST_TEXTS, Definitions, has_room_for_setting
from .packing.meta import TIMES, derived_seed, number_of, tournament_of
from .packing.payloads import (
    DIGEST_BYTES,
    MOST_SEATS,
    PACKED,
    JsonGame,
    PackedGame,
    Payload,
    RecordSetting,
    decode_payload,
    encode_payload,
    rank_code,
    ranks_of,
)
from .packing.times import unpack_totals
from .record import DECODE_ERRORS, META_DEPTH, decode_record, describe_decode_error, is_too_deep

BLOCK = 1024
"""Records that share one numbering of texts and settings."""
FREE_LISTS = 1 << 16
LISTS_PER_BYTE = 16
"""The lists and objects that JSON may have when it is compressed: more than any game with legal lists needs."""


class EntryReader:
    """Decodes payloads, in the order of the log, into entries."""

    def __init__(self) -> None:
        self._block = 0
        self.defined = Definitions()
        self._doubtful: EntryReader | None = None  # of payloads that may have been changed
        self._decoded: tuple[bytes, Payload] | None = None  # the last payload: it is decoded twice

    def entry(self, payload: bytes) -> LogEntry:
        """The entry in a payload. Raises LogError if it can't be decoded."""
        try:
            game = self._decode(payload)
            self._enter_block(game.index)
            if isinstance(game, PackedGame):
                return self._packed_entry(game)
            json = _inflated(game.compressed)
            return json_entry(game.index, decode_record(json), json)
        except DECODE_ERRORS as error:
            raise LogError(f"this is not a record: {describe_decode_error(error)}") from None

    def add_doubtful(self, payload: bytes) -> None:
        """Learn the definitions in a payload that may have been changed; intact payloads take precedence."""
        if self._doubtful is None:
            self._doubtful = EntryReader()
            self.defined.doubtful = self._doubtful.defined
        with suppress(LogError):
            self._doubtful.entry(payload)

    def index_of(self, payload: bytes) -> int | None:
        """The record index that a payload states; None if it can't be decoded."""
        try:
            return self._decode(payload).index
        except DECODE_ERRORS:
            return None

    def _decode(self, payload: bytes) -> Payload:
        if self._decoded is None or self._decoded[0] is not payload:
            self._decoded = (payload, decode_payload(payload))
        return self._decoded[1]

    def _enter_block(self, index: int) -> None:
        if index // BLOCK != self._block:
            self._block = index // BLOCK
            self.defined = Definitions()
            self._doubtful = None

    def _players(self, game: PackedGame) -> list[str]:
        """The players by seat. Raises LogError."""
        number, defined = game.players, self.defined
        if isinstance(number, int):
            return defined.lineup(number)
        players = [defined.text(player) for player in number]
        defined.add_lineup(game.index % BLOCK, players)
        return players

    def _packed_entry(self, game: PackedGame) -> LogEntry:
        for defined, value in game.new:
            self.defined.define(defined, value)
        setting, number, players = self.defined.setting(game.setting), _number(game), self._players(game)
        if len(game.actions) < DIGEST_BYTES:
            raise LogError("its digest is cut off")
        return LogEntry(
            game.index,
            setting.game,
            setting.options,
            players,
            _seed_of(game, setting, number),
            game.decisions,
            [Fault(*fault) for fault in game.faults],
            GameResult(game.scores, ranks_of(game.ranks, len(players)), self.defined.text(game.reason)),
            game.actions[:DIGEST_BYTES].hex(),
            self._meta(game, setting.tournament, number, len(players)),
            game.actions[DIGEST_BYTES:],
            None,
            game.times,
        )

    def _meta(
        self, game: PackedGame, tournament: dict[str, Any] | None, number: int | None, seats: int
    ) -> dict[str, Any]:
        meta: dict[str, Any] = {}
        if tournament is not None:
            meta["tournament"] = tournament
        if number is not None:
            meta["number"] = number
        if game.times is not None:
            meta["asked"], meta["time_us"] = unpack_totals(game.times, seats, game.decisions)
        for name, value in zip(game.meta[::2], game.meta[1::2], strict=True):
            if not isinstance(name, str | int):
                raise LogError(f"its meta has {name!r} where a name should be")
            if is_too_deep(value, META_DEPTH - 1):
                raise LogError("its meta is nested too deep")
            meta[self.defined.text(name)] = value
        return meta


def _number(game: PackedGame) -> int | None:
    """The game's number in its tournament. Raises LogError."""
    if game.number is None:
        return None
    number = game.index - game.number
    if not 0 <= number < 1 << 63:
        raise LogError(f"its number can't be {number}")
    return number


def _seed_of(game: PackedGame, setting: RecordSetting, number: int | None) -> str:
    """The seed in hex. Raises LogError, ValueError."""
    if game.seed is not None:
        return game.seed.hex()
    derived = derived_seed(setting.tournament, number)
    if derived is None:
        raise LogError("it has no seed, and none follows from its tournament and number")
    return derived.hex()


def _inflated(compressed: bytes) -> bytes:
    """The JSON in a payload. Raises LogError for more than a payload may hold."""
    import zlib  # few logs have such records

    inflater = zlib.decompressobj()
    try:
        json = inflater.decompress(compressed, LONGEST_PAYLOAD)
    except zlib.error as error:
        raise LogError(f"its JSON can't be decompressed: {error}") from None
    if not inflater.eof or inflater.unused_data:
        raise LogError("its JSON is not whole, is too long, or something follows it")
    _check_lists(json, compressed)
    return json


def _check_lists(json: bytes, compressed: bytes) -> None:
    """Raises LogError if reading the JSON takes long for so few bytes: lists and objects take most of the time."""
    if json.count(b"[") + json.count(b"{") > FREE_LISTS + LISTS_PER_BYTE * len(compressed):
        raise LogError("its JSON has more lists and objects than so few bytes may hold")


def is_block_start(index: int) -> bool:
    """Whether numbering restarts with the record of this index: it can be read without those before it."""
    return index % BLOCK == 0


class EntryWriter:
    """Encodes entries, in the order of the log, as payloads; continues from what `reader` has read."""

    def __init__(self, reader: EntryReader, index: int) -> None:
        defined = reader.defined
        self.index = index
        self._texts = {text: number for number, text in defined.texts.items()}
        self._settings = {packed: number for number, packed in defined.settings.items()}
        self._lineups = {tuple(players): number for number, players in reversed(defined.lineups.items())}
        self._next_text = max(defined.texts, default=-1) + 1
        self._next_setting = max(defined.settings, default=-1) + 1
        self._setting_bytes = sum(map(len, self._settings))
        self._new: list[tuple[int, str | bytes]] = []

    def payload(self, entry: LogEntry) -> bytes | None:
        """The payload of the next frame; None for an entry that does not fit unless as JSON.

        The entry's own `index` is ignored. Raises LogError if it is too long.
        """
        if is_block_start(self.index):
            self._texts.clear()
            self._settings.clear()
            self._lineups.clear()
            self._setting_bytes = 0
            self._next_text = self._next_setting = 0
        self._new = []
        try:
            payload = self._packed(entry, entry.packed) if entry.packed is not None else self._json(entry.plain or b"")
            if len(payload) > LONGEST_PAYLOAD:
                raise LogError(f"a record takes at most {LONGEST_PAYLOAD} bytes in a log, this one {len(payload)}")
        except (OverflowError, _CannotPack):  # a number above 64 bits, or a setting that gets no number
            self._undo_new()
            return None
        except BaseException:
            self._undo_new()
            raise
        self.index += 1
        return payload

    def take_back(self) -> None:
        """Forget the last payload, which could not be written."""
        self.index -= 1
        self._undo_new()

    def _json(self, json: bytes) -> bytes:
        import zlib

        if len(json) > LONGEST_PAYLOAD:
            raise LogError(f"a record takes at most {LONGEST_PAYLOAD} bytes of JSON in a log, this one {len(json)}")
        compressed = zlib.compress(json, 9)
        _check_lists(json, compressed)
        return encode_payload(JsonGame(self.index, compressed))

    def _packed(self, entry: LogEntry, actions: bytes) -> bytes:
        tournament, number = tournament_of(entry.meta), number_of(entry.meta)
        setting = encode_payload(RecordSetting(entry.game, entry.options, tournament))
        fields = [
            PACKED,
            self.index,
            self._setting(setting),
            self._players(entry.players),
            entry.decisions,
            bytes.fromhex(entry.digest_start) + actions,
            entry.result.scores,
            rank_code(entry.result.ranks) if len(entry.result.ranks) == len(entry.players) else entry.result.ranks,
            self._text(entry.result.reason),
            None if number is None else self.index - number,
            entry.times,
            self._new,
            [(fault.seat, fault.ply, fault.kind) for fault in entry.faults],
            self._meta(entry, tournament, number),
            _seed(entry.seed, tournament, number),
        ]
        while fields[-1] is None or fields[-1] == []:
            fields.pop()
        return encode_payload(fields)

    def _players(self, players: list[str]) -> list[int | str] | int:
        if len(players) > MOST_SEATS:
            return [self._text(player) for player in players]
        number = self._lineups.setdefault(tuple(players), self.index % BLOCK)
        return number if number != self.index % BLOCK else [self._text(player) for player in players]

    def _setting(self, setting: bytes) -> int:
        number = self._settings.get(setting)
        if number is None:
            if not has_room_for_setting(setting, self._setting_bytes) or self._next_setting >= MOST_TEXTS:
                raise _CannotPack
            number = self._settings[setting] = self._next_setting
            self._next_setting += 1
            self._setting_bytes += len(setting)
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

    def _meta(self, entry: LogEntry, tournament: dict[str, Any] | None, number: int | None) -> list[Any]:
        elsewhere = ["tournament"] if tournament is not None else []
        elsewhere += ["number"] if number is not None else []
        elsewhere += TIMES if entry.times is not None else ()
        pairs: list[Any] = []
        for name, value in entry.meta.items():
            if name not in elsewhere:
                pairs += (self._text(name), value)
        return pairs

    def _undo_new(self) -> None:
        """Forget the numbers assigned for a payload that will not be written."""
        self._lineups = {players: number for players, number in self._lineups.items() if number != self.index % BLOCK}
        for _, value in reversed(self._new):
            if isinstance(value, str):
                del self._texts[value]
                self._next_text -= 1
            else:
                del self._settings[value]
                self._setting_bytes -= len(value)
                self._next_setting -= 1
        self._new = []


class _CannotPack(Exception):
    """The entry can't be packed and must be stored as JSON."""


def _seed(seed: str, tournament: dict[str, Any] | None, number: int | None) -> bytes | None:
    """The seed as a payload has it."""
    derived = derived_seed(tournament, number)
    return None if derived is not None and derived.hex() == seed else bytes.fromhex(seed)
