"""The record of one game: its fields, digest, JSON form and player names."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import msgspec

from ..decoding import built, is_not_utf8
from ..errors import LogError, NewerFormat
from ..game_result import RESIGNED, Fault, GameResult, is_suspension

FORMAT = "fa-replay/1"
NAME_LENGTH = 64
LONGEST_LINE = 1 << 23
"""The most bytes of JSON that a record may take, including its legal lists."""

META_DEPTH = 32
"""The deepest nesting of lists and objects allowed in `meta`."""

_CONTAINERS = (dict, list)
_ANY_FORMAT = re.compile(r"fa-replay/(\d{1,9})")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+#-]*", re.ASCII)


class Record(msgspec.Struct, forbid_unknown_fields=True):
    """A whole game. The fields are in the order of the JSON.

    `options` names every option. `seed` and `digest` are 64 hex digits. `actions` has every decision in order, forced
    and substituted ones too; from a fault's `ply` on, the actions of its seat are substitutes. `meta` is free, and the
    digest does not cover it; the game's seed may be derived from its `tournament` (with a `seed`) and `number`. `legal`
    is optional: for every decision, all legal actions in table order.
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


class _FormatOnly(msgspec.Struct):
    format: str


_DIGESTED = ("actions", "faults", "format", "game", "options", "players", "result", "seed")
"""The fields that the digest covers."""
_encoder = msgspec.json.Encoder()
_sorted_encoder = msgspec.json.Encoder(order="sorted")
DECODE_ERRORS = (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError, TypeError)
"""Exceptions that decoding untrusted bytes can raise."""


def digest_of(record: Record) -> str:
    """SHA-256, in hex, of the record's JSON (sorted keys, no spaces, UTF-8) without `digest`, `meta` and `legal`."""
    covered = {name: getattr(record, name) for name in _DIGESTED}
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
    """The record of a finished game, with its digest."""
    record = Record(
        FORMAT, game, msgspec.structs.asdict(options), list(players), seed.hex(), actions, faults, result, "", meta
    )
    record.digest = digest_of(record)
    return record


def encode_record(record: Record) -> bytes:
    """The record as JSON, without a newline."""
    return _encoder.encode(record)


def decode_record(line: bytes) -> Record:
    """Parse a record's JSON. Checks names and types only; `verify.check` replays the game.

    Raises LogError for anything but a record, NewerFormat for a record of a later version.
    """
    try:
        record = msgspec.json.decode(line, type=built(Record))
    except DECODE_ERRORS as error:
        _check_format(line)
        raise LogError(f"this is not a record: {describe_decode_error(error)}") from None
    if is_too_deep(record.meta):
        raise LogError(f"this is not a record: its meta is nested more than {META_DEPTH} deep")
    if record.format != FORMAT:
        _check_format(line)
        raise LogError(f"this is not a record: its format is {record.format!r}, not {FORMAT!r}")
    return record


def _check_format(line: bytes) -> None:
    """Raises NewerFormat if the line is a record of a later version."""
    try:
        version = _ANY_FORMAT.fullmatch(msgspec.json.decode(line, type=built(_FormatOnly)).format)
    except DECODE_ERRORS:
        return
    if version and int(version[1]) > 1:
        raise NewerFormat(f"this record's format is {version[0]}; this version of fa reads {FORMAT}")


def describe_decode_error(error: Exception) -> str:
    """Why a decoder rejected some bytes."""
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    return "it is not UTF-8" if is_not_utf8(error) else str(error)


def is_too_deep(value: object, depth: int = META_DEPTH) -> bool:
    """Whether a value is nested more than `depth` levels deep: a decoder may accept it, an encoder would not."""
    level = [value] if isinstance(value, _CONTAINERS) else []
    for _ in range(depth):  # level by level: a hostile record has a million lists
        if not level:
            return False
        inner = chain.from_iterable(outer.values() if isinstance(outer, dict) else outer for outer in level)
        level = [item for item in inner if isinstance(item, _CONTAINERS)]
    return bool(level)


def fault_details(meta: Mapping[str, Any], fault: Fault) -> Mapping[str, Any]:
    """What a record's `meta` reports about a fault (`detail`, `stderr`); empty if nothing, or nothing usable."""
    details = meta.get("fault_details")
    for entry in details if isinstance(details, list) else ():
        if isinstance(entry, dict) and (entry.get("seat"), entry.get("ply")) == (fault.seat, fault.ply):
            return entry
    return {}


def fault_detail(meta: Mapping[str, Any], fault: Fault) -> str:
    """The sentence that a record's `meta` has about a fault; empty if it has none."""
    return str(fault_details(meta, fault).get("detail", ""))


def is_suspended(meta: Mapping[str, Any], fault: Fault) -> bool:
    """Whether the bot did not play because it was suspended: it did not fail in this game."""
    return is_suspension(fault.kind, fault_details(meta, fault).get("detail"))


def failures_of(meta: Mapping[str, Any], faults: Iterable[Fault]) -> list[Fault]:
    """The faults of bots that played: those of suspended ones are left out."""
    return [fault for fault in faults if not is_suspended(meta, fault)]


def fault_words(meta: Mapping[str, Any], fault: Fault) -> tuple[str, str]:
    """How people see a fault: its kind, `suspended` or `resigned`, and the sentence about it, which may be empty."""
    if is_suspended(meta, fault):
        return "suspended", ""
    detail = fault_detail(meta, fault)
    return ("resigned", "") if (fault.kind, detail) == (RESIGNED.kind, RESIGNED.detail) else (fault.kind.value, detail)


def names_of_who_played(record: Record) -> list[str]:
    """By seat: the player, and the bot that played for a person, to the end or not.

    `Ann, then planner`, or `Ann (planner stood in)`.
    """
    bots, returned = record.meta.get("stand_ins"), record.meta.get("returned")
    names = record.players[:]
    for at, name in enumerate(names):
        if bot := isinstance(bots, dict) and bots.get(str(at)):
            is_back = isinstance(returned, list) and at in returned
            names[at] = f"{name} ({bot} stood in)" if is_back else f"{name}, then {bot}"
    return names


def is_player_name(name: str) -> bool:
    """Whether the name is valid for a player in a record."""
    return len(name) <= NAME_LENGTH and _NAME.fullmatch(name) is not None


def seat_names(bots: Sequence[str]) -> list[str]:
    """Player names for the bots in each seat: a bot with several seats becomes `name#1`, `name#2`, ..."""
    if len(set(bots)) == len(bots):
        return [bot[:NAME_LENGTH] for bot in bots]
    counts, seen, names = Counter(bots), Counter[str](), []
    for bot in bots:
        seen[bot] += 1
        suffix = f"#{seen[bot]}" if counts[bot] > 1 else ""
        names.append(bot[: NAME_LENGTH - len(suffix)] + suffix)
    return names
