"""The payloads of frames as Structs: what a log has of a record, in its order.

docs/reference/log-format.md describes them field by field.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

import msgspec

from ...game_result import FaultKind

Index = Annotated[int, msgspec.Meta(ge=0, lt=1 << 48)]
Bytes32 = Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
Faults = list[tuple[int, int, FaultKind]]
DIGEST_BYTES = 8
"""The bytes of a record's digest before its packed actions."""
MOST_SEATS = 64
"""The most seats of a line-up that gets a number, and of a game whose times are packed."""
_MOST_RANKED = 8
"""Seats whose ranks are packed into a number."""


class RecordSetting(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """What many games share."""

    game: str
    options: dict[str, int | str]
    tournament: dict[str, Any] | None


PACKED = 3
"""The tag of a `PackedGame`."""


class PackedGame(msgspec.Struct, array_like=True, tag=PACKED, frozen=True, forbid_unknown_fields=True):
    """A record that refers to texts and its setting by number; `new` defines those that occur here first.

    Trailing fields with their default are not written. `actions` begins with the digest. `number` is subtracted from
    `index`. `seed` is None if it can be derived from the tournament's seed and the number. `meta` alternates names and
    values, and omits `tournament`, `number` and what is in `times`. `players` may be the number of a line-up.
    """

    index: Index
    setting: int
    players: list[int | str] | int
    decisions: Index
    actions: bytes
    scores: list[int]
    ranks: int | list[int]
    reason: int | str
    number: int | None = None
    times: bytes | None = None
    new: list[tuple[int, Any]] = []  # texts and, as bytes, settings
    faults: Faults = []
    meta: list[Any] = []
    seed: Bytes32 | None = None


class JsonGame(msgspec.Struct, array_like=True, tag=4, frozen=True, forbid_unknown_fields=True):
    """A record that fits into no `PackedGame`, such as one that is not a whole game, as JSON compressed by zlib."""

    index: Index
    compressed: bytes


Payload = PackedGame | JsonGame
decode_payload = msgspec.msgpack.Decoder(Payload).decode
decode_setting = msgspec.msgpack.Decoder(RecordSetting).decode
encode_payload = msgspec.msgpack.Encoder().encode
"""Also of the tag and fields of a `PackedGame`, and of a setting. Raises OverflowError for a number above 64 bits."""


def rank_code(ranks: list[int]) -> int | list[int]:
    """Ranks as one number: digits of base len(ranks), the first seat's the lowest, from 0; other lists as they are."""
    code = _rank_code(tuple(ranks)) if len(ranks) <= _MOST_RANKED else None
    return ranks if code is None else code


def ranks_of(code: int | list[int], seats: int) -> list[int]:
    """The ranks of a code. Raises ValueError if there are none for that many seats."""
    if isinstance(code, list):
        return code
    if seats > _MOST_RANKED:
        raise ValueError(f"its ranks are a number, for {seats} seats")
    return list(_ranks_of(code, seats))


@lru_cache(maxsize=4096)
def _rank_code(ranks: tuple[int, ...]) -> int | None:
    seats, code = len(ranks), 0
    for rank in reversed(ranks):
        if not 0 < rank <= seats:
            return None
        code = code * seats + rank - 1
    return code


@lru_cache(maxsize=4096)
def _ranks_of(code: int, seats: int) -> tuple[int, ...]:
    ranks, rest = [], code
    for _ in range(seats):
        rest, rank = divmod(rest, seats)
        ranks.append(rank + 1)
    if rest:
        raise ValueError(f"{code} is not a number of the ranks of {seats} seats")
    return tuple(ranks)
