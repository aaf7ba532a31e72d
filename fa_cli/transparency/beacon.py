"""A public random value that nobody could know when a tournament was committed to: a round of a drand beacon."""

from __future__ import annotations

import sys
import time
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec

from ..decoding import built
from ..errors import CheckFailed, Impossible, UsageError
from ..games.seed import Seed
from ..system import read_regular

QUICKNET: Final = "quicknet"
"""The chain of the League of Entropy whose rounds come every three seconds; its public facts are below."""
_KEY = (
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
)
_FIRST, _PERIOD = 1_692_803_367, 3  # the time of round 1 in seconds since 1970, and the seconds between rounds
_YEAR = 365 * 24 * 3600
_SCHEME = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"  # bls-unchained-g1-rfc9380
_SIGNATURE_BYTES = 48
_LARGEST = 1 << 16


class Round(msgspec.Struct):
    """What drand's HTTP API answers for a round."""

    round: int
    signature: str
    randomness: str = ""


class Beacon(msgspec.Struct, frozen=True, omit_defaults=True):
    """The round of a tournament, and its value once it is known."""

    round: Annotated[int, msgspec.Meta(ge=1, lt=1 << 32)]
    chain: Literal["quicknet"] = QUICKNET
    signature: str = ""
    """In hex; empty until the round is there. Its SHA-256 is the random value."""

    def __post_init__(self) -> None:
        if self.signature and len(bytes.fromhex(self.signature)) != _SIGNATURE_BYTES:
            raise ValueError(f"a round's signature has {_SIGNATURE_BYTES} bytes")

    def describe(self) -> str:
        """Which round it is, and the time in UTC at which the chain publishes it."""
        published = time.gmtime(_FIRST + (self.round - 1) * _PERIOD)
        return f"round {self.round} of {self.chain}, published at {time.strftime('%Y-%m-%dT%H:%M:%SZ', published)}"

    def mixed(self, seed: Seed) -> Seed:
        """The seed of all deals: SHA-256("fa-beacon/1\\n" || the tournament's seed || the random value).

        Raises UsageError if the value is not known yet.
        """
        if not self.signature:
            raise UsageError(f"the deals follow from round {self.round} of {self.chain}: give it with --beacon FILE")
        return Seed(sha256(b"fa-beacon/1\n" + seed + sha256(bytes.fromhex(self.signature)).digest()).digest())

    def with_value(self, path: Path) -> Beacon:
        """With the value in a file. Raises UsageError if it is not this round, CheckFailed if it is forged."""
        try:
            found = msgspec.json.decode(read_regular(path, _LARGEST), type=built(Round))
            value = bytes.fromhex(found.signature)
        except OSError as error:
            raise UsageError(f"{path}: {error.strerror}") from None
        except (msgspec.MsgspecError, ValueError) as error:
            raise UsageError(f"{path}: it is not a round as drand's API gives it: {error}") from None
        if found.round != self.round:
            raise UsageError(f"{path}: it is round {found.round}, the tournament is committed to round {self.round}")
        if len(value) != _SIGNATURE_BYTES or found.randomness not in ("", sha256(value).hexdigest()):
            raise CheckFailed(f"{path}: its randomness does not follow from its signature")
        beacon = msgspec.structs.replace(self, signature=value.hex())
        if beacon.is_genuine() is False:
            raise CheckFailed(f"{path}: the signature is not that of round {self.round} of {self.chain}")
        return beacon

    def is_genuine(self) -> bool | None:
        """Whether the chain signed the round; None without py_ecc. Takes seconds."""
        deepest = sys.getrecursionlimit()
        try:
            from py_ecc.bls.g2_primitives import subgroup_check
            from py_ecc.bls.hash_to_curve import hash_to_G1
            from py_ecc.bls.point_compression import decompress_G1, decompress_G2
            from py_ecc.optimized_bls12_381 import G2, pairing
        except ImportError:
            return None
        finally:
            sys.setrecursionlimit(deepest)  # it is raised so far that a hostile record would crash Python
        message = hash_to_G1(sha256(self.round.to_bytes(8, "big")).digest(), _SCHEME, sha256)
        key = decompress_G2((int(_KEY[:96], 16), int(_KEY[96:], 16)))
        try:
            signature = decompress_G1(int(self.signature, 16))
        except ValueError:
            return False
        # without the subgroup there are 2^125 signatures that pass, and whoever knows one can choose among their deals
        return subgroup_check(signature) and bool(pairing(G2, signature) == pairing(key, message))


def future_round(number: int) -> Beacon:
    """The beacon of a round, at most a year away.

    Raises Impossible, also if it has been published already: whoever chose it could know it.
    """
    seconds = _FIRST + (number - 1) * _PERIOD - time.time()
    if not 0 < seconds <= _YEAR:
        problem = "known already" if seconds <= 0 else "more than a year away"
        latest = number - int(seconds // _PERIOD)
        choice = f"choose one later than {latest}, up to {latest + _YEAR // _PERIOD}"
        raise Impossible(f"round {number} of {QUICKNET} is {problem}: {choice}", "beacon-round")
    return Beacon(number)
