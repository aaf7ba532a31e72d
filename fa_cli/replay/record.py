"""One game's record: the same fields in memory, in JSON lines and on disk; its digest, and the names of its players."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ..errors import LogError, NewerFormat
from ..results import Fault, GameResult

FORMAT = "fa-replay/1"
NAME_LENGTH = 64
LONGEST_LINE = 1 << 23
"""Bytes of a record's JSON, its legal lists included, that a reader takes at most."""

META_DEPTH = 32
"""How deep lists and objects in `meta` may be nested."""

_FORMATS = re.compile(r"fa-replay/(\d{1,9})")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+#-]*", re.ASCII)


class Record(msgspec.Struct, forbid_unknown_fields=True):
    """A whole game; the fields in the order of the export.

    `options` names every option; `seed` and `digest` are 64 hex digits; `actions` has every decision in order, forced
    and substituted ones too; from a fault's `ply` on that seat's actions are substitutes. `meta` is free and the
    digest does not cover it; its `tournament` (with `seed`) and `number` tell which seed the game's own comes from.
    `legal`, only if asked for: for every decision all legal actions in table order.
    """

    format: str
    game: str
    options: dict[str, int | str]
    players: list[str]
    seed: str
    actions: list[str]
    faults: list[Fault]
    result: GameResult
    digest: str
    meta: dict[str, Any] = {}
    legal: list[list[str]] | msgspec.UnsetType = msgspec.UNSET


class _Digested(msgspec.Struct):
    """What the digest covers. The encoder sorts the keys."""

    actions: list[str]
    faults: list[Fault]
    format: str
    game: str
    options: dict[str, int | str]
    players: list[str]
    result: GameResult
    seed: str


class _FormatOnly(msgspec.Struct):
    format: str


_encoder = msgspec.json.Encoder()
_sorted_encoder = msgspec.json.Encoder(order="sorted")
UNREADABLE = (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError, TypeError)
"""What decoding bytes from elsewhere can raise."""


def digest_of(record: Record) -> str:
    """SHA-256 in hex of the record's JSON without `digest`, `meta` and `legal`: keys sorted, no spaces, UTF-8."""
    covered = _Digested(
        record.actions,
        record.faults,
        record.format,
        record.game,
        record.options,
        record.players,
        record.result,
        record.seed,
    )
    return hashlib.sha256(_sorted_encoder.encode(covered)).hexdigest()


def make_record(
    game: str,
    options: msgspec.Struct,
    players: Sequence[str],
    seed: bytes,
    actions: list[str],
    faults: list[Fault],
    result: GameResult,
    meta: dict[str, Any],
) -> Record:
    """A finished game's record, its digest included."""
    record = Record(
        FORMAT, game, msgspec.structs.asdict(options), list(players), seed.hex(), actions, faults, result, "", meta
    )
    record.digest = digest_of(record)
    return record


def encode_record(record: Record) -> bytes:
    """The record as JSON, without a newline."""
    return _encoder.encode(record)


def decode_record(line: bytes) -> Record:
    """A record from its JSON. Raises LogError for anything else, NewerFormat for a record of a later version.

    Nothing is checked beyond names and types: whether the game was played so is for `verify` to say.
    """
    try:
        record = msgspec.json.decode(line, type=Record)
    except UNREADABLE as error:
        _check_format(line)
        raise LogError(f"this is no record: {describe(error)}") from None
    if is_too_deep(record.meta):
        raise LogError(f"this is no record: its meta is nested more than {META_DEPTH} deep")
    if record.format != FORMAT:
        _check_format(line)
        raise LogError(f"this is no record: its format is {record.format!r}, not {FORMAT!r}")
    return record


def _check_format(line: bytes) -> None:
    """Raises NewerFormat if the line says that it is a record of a later version."""
    try:
        named = _FORMATS.fullmatch(msgspec.json.decode(line, type=_FormatOnly).format)
    except UNREADABLE:
        return
    if named and int(named[1]) > 1:
        raise NewerFormat(f"this record's format is {named[0]}; this version of fa reads {FORMAT}")


def describe(error: Exception) -> str:
    """What is wrong with bytes that a decoder refused."""
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    return "it is not UTF-8" if isinstance(error, UnicodeError) else str(error)


def is_too_deep(value: object, left: int = META_DEPTH) -> bool:
    """Whether a value of `meta` is nested deeper than `left`: it may be read, and then not written again."""
    if not isinstance(value, dict | list):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return left == 0 or any(is_too_deep(item, left - 1) for item in inner if isinstance(item, dict | list))


def fault_detail(meta: Mapping[str, Any], fault: Fault) -> str:
    """The sentence on a fault in a record's `meta`, empty if there is none: anything may be there."""
    details = meta.get("fault_details")
    for detail in details if isinstance(details, list) else ():
        if isinstance(detail, dict) and (detail.get("seat"), detail.get("ply")) == (fault.seat, fault.ply):
            return str(detail.get("detail", ""))
    return ""


def is_player_name(name: str) -> bool:
    """Whether a player can have this name in a record."""
    return len(name) <= NAME_LENGTH and _NAME.fullmatch(name) is not None


def seat_names(bots: Sequence[str]) -> list[str]:
    """The bots' names as players: two seats of the same bot get `#1`, `#2` appended."""
    often, seen, names = Counter(bots), Counter[str](), []
    for bot in bots:
        seen[bot] += 1
        mark = f"#{seen[bot]}" if often[bot] > 1 else ""
        names.append(bot[: NAME_LENGTH - len(mark)] + mark)
    return names
