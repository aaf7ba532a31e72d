"""Records: JSON, digest and player names."""

from __future__ import annotations

import contextlib
import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fa_cli.errors import LogError, NewerFormat
from fa_cli.replay.record import decode_record, digest_of, encode_record, is_player_name, seat_names
from tests.replay.conftest import faulty_record, toy_record


def as_json(**changes: object) -> bytes:
    return json.dumps({**json.loads(encode_record(toy_record(0))), **changes}, ensure_ascii=False).encode()


def test_the_digest_is_that_of_the_sorted_json() -> None:
    record = faulty_record(3)
    record.players[0] = "Zoë+1"
    covered = json.loads(encode_record(record))
    for name in ("digest", "meta"):
        del covered[name]
    text = json.dumps(covered, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert digest_of(record) == hashlib.sha256(text.encode("utf-8")).hexdigest()
    record.meta["more"] = "does not count"
    record.legal = [["nor", "this"]]
    assert digest_of(record) == hashlib.sha256(text.encode("utf-8")).hexdigest()


@given(st.text(st.characters(exclude_categories=["Cs"])), st.dictionaries(st.text('aé"\\\n\0'), st.integers()))
def test_the_digest_of_any_text(reason: str, options: dict[str, int | str]) -> None:
    record = toy_record(0)
    record.game, record.options = reason, options
    covered = {
        name: value for name, value in json.loads(encode_record(record)).items() if name not in ("digest", "meta")
    }
    text = json.dumps(covered, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert digest_of(record) == hashlib.sha256(text.encode("utf-8")).hexdigest()


def test_json_and_back() -> None:
    record = faulty_record(2)
    assert decode_record(encode_record(record)) == record
    assert list(json.loads(encode_record(record))) == [
        *("format", "game", "options", "players", "seed", "actions", "faults", "result", "digest", "meta")
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"", "truncated"),
        (b"{}", "missing required field `format`"),
        (b"[1]", "got `array`"),
        (b'{"format":', "truncated"),
        (b"\xff\xfe", "malformed"),
        (as_json(actions="pass"), "Expected `array`, got `str`"),
        (as_json(actions=[1]), "Expected `str`, got `int`"),
        (as_json(options={"rule": None}), "Expected `int | str`, got `null`"),
        (as_json(faults=[{"seat": 1, "ply": 2, "kind": "bad luck"}]), "Invalid enum value 'bad luck'"),
        (as_json(result={"scores": [], "ranks": []}), "missing required field `reason`"),
        (as_json(extra=1), "unknown field `extra`"),
        (as_json(format="replay"), "its format is 'replay', not 'fa-replay/1'"),
        (as_json(meta={"a": [[]] * 1, "b": 1e3}).replace(b"[[]]", b"[" * 40 + b"]" * 40), "nested more than 32 deep"),
        (as_json().replace(b'"number":', b'"deep":' + b"[" * 100_000), "nested too deep"),
        (as_json().replace(b'"ranks": [', b'"ranks": [' + b"9" * 5000 + b","), "out of range"),
        (as_json().replace(b'"ranks": [', b'"ranks": [NaN,'), "malformed"),
        (as_json().replace(b"ann", b"\xed\xa0\x80"), "not UTF-8"),
        (as_json().replace(b"ann", b"\\ud800"), "surrogate"),
    ],
)
def test_anything_but_a_record_is_refused(line: bytes, message: str) -> None:
    with pytest.raises(LogError, match="this is not a record: ") as error:
        decode_record(line)
    assert message in str(error.value)


@pytest.mark.parametrize("line", [b'{"format":"fa-replay/2"}', as_json(format="fa-replay/17")])
def test_a_later_format_is_named(line: bytes) -> None:
    with pytest.raises(NewerFormat, match=r"format is fa-replay/\d+; this version of fa reads fa-replay/1"):
        decode_record(line)


@pytest.mark.parametrize("name", ["a", "Zed", "0", "random#1", "a.b_c+d#e-f", "x" * 64])
def test_valid_names(name: str) -> None:
    assert is_player_name(name)


@pytest.mark.parametrize("name", ["", "#1", "-a", "a b", "é", "a\n", "a/b", "x" * 65, "١"])
def test_invalid_names(name: str) -> None:
    assert not is_player_name(name)


def test_two_seats_of_the_same_bot_are_numbered() -> None:
    assert seat_names(["a", "b", "a", "c", "a"]) == ["a#1", "b", "a#2", "c", "a#3"]
    assert seat_names(["a", "b"]) == ["a", "b"]
    assert seat_names(["x" * 64, "x" * 64]) == ["x" * 62 + "#1", "x" * 62 + "#2"]


@given(st.binary(max_size=300))
def test_any_bytes_raise_only_fa_errors(line: bytes) -> None:
    with contextlib.suppress(LogError):
        decode_record(line)
