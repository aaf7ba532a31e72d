"""A reader written from docs/reference/log-format.md alone, as for another language, finds the same records."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fa_cli.games import find_game
from fa_cli.replay import codec
from fa_cli.replay.log_file import read_log
from fa_cli.replay.log_writer import LogWriter
from fa_cli.replay.record import Record, encode_record
from tests.replay.conftest import faulty_record, toy_record

PAGE = (Path(__file__).parent.parent.parent / "docs/reference/log-format.md").read_text(encoding="utf-8")


def payloads_of(data: bytes) -> Iterator[Any]:
    assert data[:9] == b"fa-log 1\n"
    tag, offset = hashlib.sha256(data[:9]).digest()[:8], 9
    while offset < len(data):
        length = int.from_bytes(data[offset : offset + 3], "little")
        assert data[offset + 3] == 0xA5 ^ data[offset] ^ data[offset + 1] ^ data[offset + 2]
        payload = data[offset + 4 : offset + 4 + length]
        offset += 4 + length + 8
        tag = hashlib.sha256(tag + payload).digest()[:8]
        assert data[offset - 8 : offset] == tag
        yield msgspec.msgpack.decode(payload)


def unpack(packed: bytes, game: str, options: dict[str, Any], players: int, seed: bytes) -> list[str]:
    rules = find_game(game)
    state = rules.start(rules.make_options(options), players, seed)
    blocks = [int.from_bytes(packed[offset : offset + 8], "little") for offset in range(0, len(packed), 8)]
    x, product, actions = blocks.pop(0) if blocks else 0, 1, []
    while not state.is_over():
        legal = state.legal()
        choice = 0
        if len(legal) > 1:
            product *= len(legal)
            if product > 2**64:
                assert x == 0
                x, product = blocks.pop(0) if blocks else 0, len(legal)
            x, choice = divmod(x, len(legal))
        actions.append(rules.actions[legal[choice]])
        state.apply(legal[choice])
    assert x == 0
    assert not blocks
    return actions


def records_of(data: bytes) -> Iterator[dict[str, Any]]:
    texts: dict[int, str] = {}
    settings: dict[int, Any] = {}
    for index, payload in enumerate(payloads_of(data)):
        assert payload[1] == index
        if payload[0] == 2:
            yield json.loads(payload[2])
            continue
        if index % 1024 == 0:
            texts, settings = {}, {}
        for number, value in payload[2]:
            if isinstance(value, str):
                texts[number] = value
            else:
                settings[number] = msgspec.msgpack.decode(value)
        yield record_of(payload, texts, settings)


def record_of(payload: list[Any], texts: dict[int, str], settings: dict[int, Any]) -> dict[str, Any]:
    def text(value: int | str) -> str:
        return texts[value] if isinstance(value, int) else value

    game, options, tournament = settings[payload[3]]
    number, seed, players = payload[4], payload[5], [text(player) for player in payload[6]]
    if seed is None:
        seed = hashlib.sha256(bytes.fromhex(tournament["seed"]) + number.to_bytes(8, "big")).digest()
    record = {
        "format": "fa-replay/1",
        "game": game,
        "options": options,
        "players": players,
        "seed": seed.hex(),
        "actions": unpack(payload[8], game, options, len(players), seed),
        "faults": [{"seat": seat, "ply": ply, "kind": kind} for seat, ply, kind in payload[9]],
        "result": {"scores": payload[10], "ranks": payload[11], "reason": text(payload[12])},
    }
    assert len(record["actions"]) == payload[7]
    covered = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    record["digest"] = hashlib.sha256(covered.encode("utf-8")).hexdigest()
    assert record["digest"].startswith(payload[13].hex())
    meta = {} if tournament is None else {"tournament": tournament}
    meta |= {} if number is None else {"number": number}
    return {
        **record,
        "meta": meta | {text(name): value for name, value in zip(payload[14][::2], payload[14][1::2], strict=True)},
    }


def test_a_reader_written_from_the_documentation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unknown = toy_record(1)
    unknown.players = ["a name that is far longer than the sixty-four that a text can have to get a number"] * 3
    broken = toy_record(2)
    broken.actions.append("ok")
    bare = toy_record(3)
    bare.meta = {"number": -1, "note": None}
    records: list[Record] = [toy_record(0), unknown, broken, bare, faulty_record(4, 2, 5)]
    records += [toy_record(number, ("x", f"bot{number % 40}")) for number in range(5, 1060)]
    assert codec.BLOCK == 1024
    path = tmp_path / "a.log"
    with LogWriter(path) as log:
        for record in records:
            log.append(record)
    read = list(records_of(path.read_bytes()))
    assert read == [json.loads(encode_record(entry.record())) for entry in read_log(path)]
    assert read == [json.loads(encode_record(record)) for record in records]


def test_the_documented_numbers_match_the_code() -> None:
    text = " ".join(PAGE.split())  # wherever a line ends
    assert hashlib.sha256(b"fa-log 1\n").digest()[:8].hex() in text
    assert f"divisible by {codec.BLOCK} the" in text
    assert f"more than {codec.LONGEST_TEXT} characters" in text
    assert f"more than {codec.LONGEST_SETTING} bytes" in text
