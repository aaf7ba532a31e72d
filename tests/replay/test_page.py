"""A reader written from docs/reference/log-format.md alone, as for another language, finds the same records."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fa_cli.games import find_game
from fa_cli.replay import codec
from fa_cli.replay.log_file import read_log
from fa_cli.replay.log_writer import LogWriter
from fa_cli.replay.packing import definitions
from fa_cli.replay.packing.payloads import MOST_SEATS
from fa_cli.replay.packing.times import MOST_PLIES, SCALE, rounded
from fa_cli.replay.record import Record, encode_record
from tests.replay.conftest import faulty_record, toy_record

PAGE = (Path(__file__).parent.parent.parent / "docs/reference/log-format.md").read_text(encoding="utf-8")


def payloads_of(data: bytes) -> Iterator[Any]:
    assert data[:9] == b"fa-log 2\n"
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


SCALE_OF_TIMES = [0, 25, 63] + [value * 10**decade for decade in range(9) for value in (100, 160, 250, 400, 630)]


def unpack_times(packed: bytes, seats: int, decisions: int) -> dict[str, list[int]]:
    x, times = int.from_bytes(packed[1:], "little"), []
    asked, time_us = [], []
    for _ in range(seats):
        x, value = divmod(x, decisions + 1)
        asked.append(value)
    for _ in range(seats):
        x, value = divmod(x, 2 ** (packed[0] - 128))
        time_us.append(value)
    weights = [1] * 48
    for _ in range(decisions):
        q, r = divmod(x, sum(weights))
        s = next(s for s in range(48) if r < sum(weights[: s + 1]))
        x = q * weights[s] + r - sum(weights[:s])
        weights[s] += 16
        times.append(SCALE_OF_TIMES[s])
    assert x == 0
    return {"asked": asked, "time_us": time_us, "times_us": times}


def records_of(data: bytes) -> Iterator[dict[str, Any]]:
    texts: dict[int, str] = {}
    settings: dict[int, Any] = {}
    lineups: dict[int, list[int | str]] = {}
    for index, payload in enumerate(payloads_of(data)):
        assert payload[1] == index
        if payload[0] == 4:
            yield json.loads(zlib.decompress(payload[2]))
            continue
        if index % 1024 == 0:
            texts, settings, lineups = {}, {}, {}
        payload += [None, None, [], [], [], None][len(payload) - 9 :]
        for number, value in payload[11]:
            if isinstance(value, str):
                texts[number] = value
            else:
                settings[number] = msgspec.msgpack.decode(value)
        if isinstance(payload[3], int):
            payload[3] = lineups[payload[3]]
        else:
            lineups[index % 1024] = payload[3]
        yield record_of(payload, texts, settings)


def record_of(payload: list[Any], texts: dict[int, str], settings: dict[int, Any]) -> dict[str, Any]:
    def text(value: int | str) -> str:
        return texts[value] if isinstance(value, int) else value

    game, options, tournament = settings[payload[2]]
    number = None if payload[9] is None else payload[1] - payload[9]
    seed, players = payload[14], [text(player) for player in payload[3]]
    if seed is None:
        seed = hashlib.sha256(bytes.fromhex(tournament["seed"]) + number.to_bytes(8, "big")).digest()
    packed, deal = payload[5][8:], (game, options, len(players), seed)
    ranks, code = [], payload[7]
    if isinstance(code, list):
        ranks = code
    else:
        for _ in players:
            code, rank = divmod(code, len(players))
            ranks.append(rank + 1)
    record = {
        "format": "fa-replay/1",
        "game": game,
        "options": options,
        "players": players,
        "seed": seed.hex(),
        "actions": unpack(packed, *deal),
        "faults": [{"seat": seat, "ply": ply, "kind": kind} for seat, ply, kind in payload[12]],
        "result": {"scores": payload[6], "ranks": ranks, "reason": text(payload[8])},
    }
    assert len(record["actions"]) == payload[4]
    covered = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    record["digest"] = hashlib.sha256(covered.encode("utf-8")).hexdigest()
    assert record["digest"].startswith(payload[5][:8].hex())
    meta = {} if tournament is None else {"tournament": tournament}
    meta |= {} if number is None else {"number": number}
    meta |= {} if payload[10] is None else unpack_times(payload[10], len(players), payload[4])
    return {
        **record,
        "meta": meta | {text(name): value for name, value in zip(payload[13][::2], payload[13][1::2], strict=True)},
    }


def test_a_reader_written_from_the_documentation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unknown = toy_record(1)
    unknown.players = ["a name that is far longer than the sixty-four that a text can have to get a number"] * 3
    broken = toy_record(2)
    broken.actions.append("ok")
    bare = toy_record(3)
    bare.meta = {"number": -1, "note": None}
    odd = msgspec.structs.replace(toy_record(4), seed="odd", digest="0" * 64, game="chess")
    big = toy_record(5)
    big.meta["big"] = 10**30
    listed = msgspec.structs.replace(toy_record(6), legal=[["ok"]])
    long = msgspec.structs.replace(toy_record(7), actions=["ok", "draw"] * 300)
    records: list[Record] = [toy_record(0), unknown, broken, bare, faulty_record(4, 2, 5), odd, big, long]
    records += [toy_record(number, ("x", f"bot{number % 40}")) for number in range(8, 1060)]
    for number, record in enumerate(records):
        seats = len(record.players)
        if number not in (0, 3):
            times = rounded([(number * ply) ** 2 % 10_000 for ply in range(len(record.actions))])
            record.meta |= {"asked": [number % 5] * seats, "time_us": [number**3] * seats, "times_us": times}
    records.append(listed)
    assert codec.BLOCK == 1024
    path = tmp_path / "a.log"
    with LogWriter(path) as log:
        for record in records:
            log.append(record)
    read = list(records_of(path.read_bytes()))
    assert read == [
        json.loads(encode_record(entry.record(legal="legal" in line)))
        for entry, line in zip(read_log(path), read, strict=True)
    ]
    assert read == [json.loads(encode_record(record)) for record in records]


def test_the_documented_numbers_match_the_code() -> None:
    text = " ".join(PAGE.split())  # wherever a line ends
    assert hashlib.sha256(b"fa-log 2\n").digest()[:8].hex() in text
    assert f"divisible by {codec.BLOCK} the" in text
    assert f"more than {definitions.LONGEST_TEXT} characters" in text
    assert f"more than {definitions.LONGEST_SETTING} bytes" in text
    assert f"at most {definitions.MOST_SETTING_BYTES} bytes, and" in text
    assert f"there are at most {definitions.MOST_TEXTS} of each" in text
    assert ", ".join(map(str, SCALE[1:13])) in text
    assert f"at most {codec.FREE_LISTS} characters `[` and `{{`, and {codec.LISTS_PER_BYTE} more for each" in text
    assert f"an array of at most {MOST_SEATS} at index 3" in text
    assert f"of a game with at most {MOST_SEATS} seats and {MOST_PLIES} plies" in text
