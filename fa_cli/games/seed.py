"""The seed: 32 bytes from which all chance of a tournament, or of one game, follows."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress

from ..errors import UsageError

SEED_BYTES = 32
quick_blocks: Callable[[bytes, int, int], bytes] | None = None
"""(prefix, first, count) -> SHA-256(prefix || number as 8 bytes) of `count` numbers from `first` on, joined."""
with suppress(ImportError):  # not compiled, or the processor lacks the instructions
    from .sha256_blocks import blocks as quick_blocks  # type: ignore[import-not-found,no-redef]


class Seed(bytes):
    """32 bytes; as text, at the edges, 64 hex digits. Raises ValueError for another length."""

    __slots__ = ()

    def __new__(cls, content: bytes) -> Seed:
        if len(content) != SEED_BYTES:
            raise ValueError(f"a seed is {SEED_BYTES} bytes, not {len(content)}")
        return super().__new__(cls, content)

    @classmethod
    def from_text(cls, text: str) -> Seed:
        """The tournament seed of `--seed TEXT`: SHA-256 of the text in UTF-8.

        Raises UsageError for a text that is empty, as that of an unset variable, or not Unicode.
        """
        if not text:
            raise UsageError("--seed is empty: use any text, or no --seed for random deals")
        try:
            return cls(hashlib.sha256(text.encode("utf-8")).digest())
        except UnicodeEncodeError:
            raise UsageError(f"invalid --seed {ascii(text)[:80]}: use a text in UTF-8") from None

    @classmethod
    def from_hex(cls, digits: str) -> Seed:
        """The seed that a file writes as 64 lower-case hex digits. Raises ValueError for anything else."""
        if len(digits) != 2 * SEED_BYTES or digits.strip("0123456789abcdef"):
            raise ValueError(f"a seed is {2 * SEED_BYTES} hex digits, not {digits[:80]!r}")
        return cls(bytes.fromhex(digits))

    @classmethod
    def from_system(cls) -> Seed:
        """A new seed from the system's random source."""
        return cls(os.urandom(SEED_BYTES))

    def of_game(self, number: int) -> Seed:
        """The seed of a tournament's game: SHA-256(tournament seed || number as 8 bytes, big-endian)."""
        return Seed(derived_bytes(self, number))

    def of_seat(self, seat: int) -> str:
        """A seat's own randomness in a game: 16 hex digits of SHA-256(seed || "bot" || the seat's digit)."""
        return hashlib.sha256(self + b"bot" + str(seat).encode("ascii")).hexdigest()[:16]

    @property
    def commitment(self) -> str:
        """What bots learn of a seed before the game: SHA-256 of its 32 bytes, in hex."""
        return hashlib.sha256(self).hexdigest()

    def __str__(self) -> str:
        return self.hex()


def derived_bytes(tournament_seed: bytes, number: int) -> bytes:
    """The bytes of `Seed.of_game`, for logs, which need no Seed: making one takes twice as long as the hash."""
    if quick_blocks is not None and number >> 63 == 0:
        return quick_blocks(tournament_seed, number, 1)
    return hashlib.sha256(tournament_seed + number.to_bytes(8, "big")).digest()


def encode_seed(value: object) -> str:
    """msgspec's `enc_hook` for Structs with a seed: its hex digits."""
    if isinstance(value, Seed):
        return value.hex()
    raise NotImplementedError(type(value))


def decode_seed(kind: type, value: object) -> Seed:
    """msgspec's `dec_hook` for Structs with a seed. Raises ValueError, which msgspec reports with the field's path."""
    if kind is Seed and isinstance(value, str):
        return Seed.from_hex(value)
    raise ValueError(f"expected a seed as text, not {value!r:.80}")
