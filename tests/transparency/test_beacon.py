"""Rounds of drand's quicknet; round 1000 is a real one."""

from __future__ import annotations

import json
import subprocess
import sys
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import msgspec
import pytest

from fa_cli.errors import CheckFailed, UsageError
from fa_cli.games.seed import Seed
from fa_cli.transparency.beacon import Beacon, future_round

SIGNATURE = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"
RANDOMNESS = "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"
ROUND = {"round": 1000, "randomness": RANDOMNESS, "signature": SIGNATURE}


def write(path: Path, **changes: object) -> Path:
    path.write_text(json.dumps(ROUND | changes))
    return path


@pytest.mark.slow
@pytest.mark.skipif(find_spec("py_ecc") is None, reason="py_ecc is not installed")
def test_a_real_round(tmp_path: Path) -> None:
    beacon = Beacon(1000).with_value(write(tmp_path / "round.json"))
    assert beacon.signature == SIGNATURE
    expected = sha256(b"fa-beacon/1\n" + bytes(32) + bytes.fromhex(RANDOMNESS)).digest()
    assert beacon.mixed(Seed(bytes(32))) == expected
    other = SIGNATURE[:-2] + "38"
    with pytest.raises(CheckFailed, match="not that of round 1000"):
        Beacon(1000).with_value(write(tmp_path / "round.json", signature=other, randomness=""))


@pytest.mark.slow
@pytest.mark.skipif(find_spec("py_ecc") is None, reason="py_ecc is not installed")
def test_a_signature_is_in_the_subgroup() -> None:
    """A point of the cofactor, added to the real signature, passes the pairing: there are 2^125 to choose from."""
    program = """
from py_ecc.bls.g2_primitives import G1_to_pubkey, pubkey_to_G1
from py_ecc.bls.point_compression import decompress_G1
from py_ecc.optimized_bls12_381 import add, curve_order, is_inf, multiply
from fa_cli.transparency.beacon import Beacon
for x in range(1, 99):
    try:
        cofactor = multiply(decompress_G1((1 << 383) + x), curve_order)
    except ValueError:
        continue
    if not is_inf(cofactor):
        break
other = G1_to_pubkey(add(pubkey_to_G1(bytes.fromhex("%s")), cofactor)).hex()
print(Beacon(1000, signature=other).is_genuine())
"""
    command = [sys.executable, "-c", program % SIGNATURE]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "False\n"


@pytest.mark.slow
@pytest.mark.skipif(find_spec("py_ecc") is None, reason="py_ecc is not installed")
def test_records_nested_too_deep_are_refused_after_it() -> None:
    """py_ecc lets all of Python recurse so deep that a hostile record would crash it."""
    program = """
from fa_cli.errors import FaError
from fa_cli.replay.record import decode_record
from fa_cli.transparency.beacon import Beacon
assert Beacon(1000, signature=%r).is_genuine()
try:
    decode_record(b'{"meta":{"a":' + b"[" * 100_000)
except FaError as error:
    print(error)
"""
    command = [sys.executable, "-c", program % SIGNATURE]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "nested too deep" in done.stdout


@pytest.mark.parametrize(
    ("changes", "kind", "problem"),
    [
        ({"round": 1001}, UsageError, "it is round 1001, the tournament is committed to round 1000"),
        ({"signature": "zz"}, UsageError, "not a round"),
        ({"signature": 3}, UsageError, "not a round"),
        ({"signature": "00" * 48}, CheckFailed, "does not follow from its signature"),
        ({"signature": "00"}, CheckFailed, "does not follow from its signature"),
    ],
)
def test_wrong_values(tmp_path: Path, changes: dict[str, object], kind: type[Exception], problem: str) -> None:
    with pytest.raises(kind, match=problem):
        Beacon(1000).with_value(write(tmp_path / "round.json", **changes))
    with pytest.raises(UsageError, match="No such file"):
        Beacon(1000).with_value(tmp_path / "none.json")


def test_a_round_must_be_to_come() -> None:
    with pytest.raises(UsageError, match="is known already: choose one later than"):
        future_round(1000)
    with pytest.raises(UsageError, match="is more than a year away: choose one later than") as refused:
        future_round(10**9)
    last = int(str(refused.value).rpartition(" ")[2])
    with pytest.raises(UsageError, match="give it with --beacon FILE"):
        future_round(last - 100).mixed(Seed(bytes(32)))


def test_when_a_round_is_published() -> None:
    """The time of this round is one that another client of drand computes."""
    assert Beacon(27_946_612).describe() == "round 27946612 of quicknet, published at 2026-04-20T00:00:00Z"


@pytest.mark.parametrize(
    "text",
    [b'{"round":1,"signature":"00"}', b'{"round":0}', b'{"round":99999999999}', b'{"round":1,"chain":"Quicknet"}'],
)
def test_a_damaged_definition_is_refused(text: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=Beacon)
