"""A reader written from docs/reference/log-format.md alone, as for another language, finds the same records."""

from __future__ import annotations

import copy
import hashlib
import json
import random
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fa_cli.errors import FaError
from fa_cli.games import find_game
from fa_cli.replay import codec
from fa_cli.replay.log_file import read_log
from fa_cli.replay.log_writer import LogWriter
from fa_cli.replay.packing import definitions
from fa_cli.replay.packing.action_words import (
    _FREE_SYMBOLS,
    _SYMBOLS_PER_BYTE,
    MOST_BYTES,
    MOST_TEXT,
    MOST_WORDS,
)
from fa_cli.replay.packing.loose_actions import MOST_BASES
from fa_cli.replay.packing.payloads import MOST_SEATS
from fa_cli.replay.packing.times import SCALE, rounded
from fa_cli.replay.record import Record, encode_record
from tests.replay.conftest import faulty_record, toy_record

LOOSE = Path(__file__).parent.parent / "data/format-2-loose.log"
EARLIER = Path(__file__).parent.parent / "data/format-2-earlier.log"
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


def numbers_of(packed: bytes, decisions: int) -> Iterator[tuple[int, int]]:
    """The numbers of packed times, each with its decisions."""
    while True:
        count, size = decisions, len(packed)
        if count > 256:
            count, size, packed = 256, int.from_bytes(packed[:2], "little"), packed[2:]
        yield int.from_bytes(packed[:size], "little"), count
        packed, decisions = packed[size:], decisions - count
        if not decisions:
            return


def unpack_times(packed: bytes, seats: int, decisions: int) -> dict[str, list[int]]:
    if packed[0] & 15 <= 8:
        return unpack_earlier_times(packed, seats, decisions)
    n = 7 * (packed[0] >> 4) + (packed[0] & 15) - 9
    found: dict[str, list[int]] = {"asked": [], "time_us": [], "times_us": []}
    weights, after, p = [2, 8, *[1] * 99][:n], [[0] * n for _ in range(n)], 0
    for chunk, (x, count) in enumerate(numbers_of(packed[1:], decisions)):
        for name in ("asked", "time_us") if chunk == 0 else ():
            x, w = divmod(x, 65)
            for _ in range(seats):
                x, value = divmod(x, 2**w)
                found[name].append(value)
        for _ in range(count):
            both = [one + other for one, other in zip(weights, after[p], strict=True)]
            q, r = divmod(x, sum(both))
            s = next(s for s in range(n) if r < sum(both[: s + 1]))
            x = q * both[s] + r - sum(both[:s])
            weights[s] += 2
            after[p][s] += 8
            p = s
            found["times_us"].append(SCALE_OF_TIMES[s])
        assert x == 0
    return found


def unpack_earlier_times(packed: bytes, seats: int, decisions: int) -> dict[str, list[int]]:
    asked, totals = packed[0] & 15, packed[0] >> 4
    middle, end = 1 + asked * seats, 1 + (asked + totals) * seats
    found = {
        "asked": [int.from_bytes(packed[at : at + asked], "little") for at in range(1, middle, asked or 1)],
        "time_us": [int.from_bytes(packed[at : at + totals], "little") for at in range(middle, end, totals or 1)],
        "times_us": [],
    }
    weights = [1] * packed[end]
    for x, count in numbers_of(packed[end + 1 :], decisions):
        for _ in range(count):
            q, r = divmod(x, sum(weights))
            s = next(s for s in range(len(weights)) if r < sum(weights[: s + 1]))
            x = q * weights[s] + r - sum(weights[:s])
            weights[s] += 8
            found["times_us"].append(SCALE_OF_TIMES[s])
        assert x == 0
    return found


def unpack_loose(
    packed: bytes, game: str, options: dict[str, Any], players: int, seed: Any, texts: list[str], count: int
) -> list[str]:
    rules, state = None, None
    with suppress(FaError):
        rules = find_game(game)
        state = rules.start(rules.make_options(options), players, seed) if isinstance(seed, bytes) else None
    texts = [*(rules.actions if rules else ()), *texts]
    blocks = [int.from_bytes(packed[offset : offset + 8], "little") for offset in range(0, len(packed), 8)]
    x, product = blocks.pop(0) if blocks else 0, 1

    def digit(n: int) -> int:
        nonlocal x, product
        product *= n
        if product > 2**64:
            assert x == 0
            x, product = blocks.pop(0) if blocks else 0, n
        x, found = divmod(x, n)
        return found

    actions = []
    for _ in range(count):
        legal = [] if state is None or state.is_over() else state.legal()
        index = digit(len(legal) + 1)
        actions.append(texts[digit(len(texts)) if index == len(legal) else legal[index]])
        if legal:
            state.apply(legal[0 if index == len(legal) else index])
    assert x == 0
    assert not blocks
    return actions


Learnt = dict[tuple[Any, ...], dict[int, int]]


def unpack_words(packed: bytes, words: list[str], learnt: Learnt, count: int) -> list[str]:
    """Actions in words; adds to what is learnt."""
    actions, first_before = [], 0
    for x, chunk in numbers_of(packed, count):
        for _ in range(chunk):
            text, before = list[int](), 0
            while True:
                contexts = [(before,), ("B", *text), ("C", first_before, *text)]
                counts = [learnt.setdefault(context, {}) for context in contexts]
                weights = [
                    1 + sum(gain * found.get(s, 0) for gain, found in zip((4, 16, 64), counts, strict=True))
                    for s in range(len(words) + 1)
                ]
                q, r = divmod(x, sum(weights))
                s = next(s for s in range(len(weights)) if r < sum(weights[: s + 1]))
                x = q * weights[s] + r - sum(weights[:s])
                for found in counts:
                    found[s] = found.get(s, 0) + 1
                before = s
                if s == 0:
                    break
                text.append(s)
            first_before = text[0] if text else 0
            actions.append("".join(words[s - 1] for s in text))
        assert x == 0
    return actions


def records_of(data: bytes) -> Iterator[dict[str, Any]]:
    texts: dict[int, str] = {}
    settings: dict[int, Any] = {}
    lineups: dict[int, list[int | str]] = {}
    bases: dict[int, tuple[list[str], Learnt]] = {}
    for index, payload in enumerate(payloads_of(data)):
        assert payload[1] == index
        if payload[0] == 4:
            yield json.loads(zlib.decompress(payload[2]))
            continue
        if index % 1024 == 0:
            texts, settings, lineups, bases = {}, {}, {}, {}
        payload += [None, None, [], [], [], None, None][len(payload) - 9 :]
        for number, value in payload[11]:
            if isinstance(value, str):
                texts[number] = value
            else:
                settings[number] = msgspec.msgpack.decode(value)
        if isinstance(payload[3], int):
            payload[3] = lineups[payload[3]]
        else:
            lineups[index % 1024] = payload[3]
        words, loose = None, payload[15]
        if loose and len(loose) == 3:
            known, learnt = ([], {}) if loose[2] == index % 1024 else copy.deepcopy(bases[loose[2]])
            known += [texts[word] if isinstance(word, int) else word for word in loose[1]]
            words = unpack_words(payload[5][8:], known, learnt, payload[4])
            if loose[2] == index % 1024:
                bases[index % 1024] = known, learnt
        yield record_of(payload, texts, settings, words)


def record_of(
    payload: list[Any], texts: dict[int, str], settings: dict[int, Any], words: list[str] | None
) -> dict[str, Any]:
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
    loose = payload[15]
    record = {
        "format": "fa-replay/1",
        "game": game,
        "options": options,
        "players": players,
        "seed": seed if isinstance(seed, str) else seed.hex(),
        "actions": words
        if words is not None
        else unpack_loose(packed, *deal, list(map(text, loose[1])), payload[4])
        if loose
        else unpack(packed, *deal),
        "faults": [{"seat": seat, "ply": ply, "kind": kind} for seat, ply, kind in payload[12]],
        "result": {"scores": payload[6], "ranks": ranks, "reason": text(payload[8])},
    }
    assert len(record["actions"]) == payload[4]
    covered = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    record["digest"] = hashlib.sha256(covered.encode("utf-8")).hexdigest()
    assert record["digest"].startswith(payload[5][:8].hex())
    if loose and loose[0] is not None:
        record["digest"] = loose[0] if isinstance(loose[0], str) else loose[0].hex()
    meta = {} if tournament is None else {"tournament": tournament}
    meta |= {} if number is None else {"number": number}
    meta |= {} if payload[10] is None else unpack_times(payload[10], len(players), payload[4])
    if isinstance(payload[13], bytes):
        return {**record, "meta": meta | json.loads(payload[13])}
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
            record.meta |= {"asked": [number] * seats, "time_us": [number**3] * seats, "times_us": times}
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


def test_it_reads_actions_in_words(tmp_path: Path) -> None:
    records = [msgspec.structs.replace(record, game=f"{record.game}-{number % 2}") for number, record in word_games()]
    with LogWriter(tmp_path / "a.log") as log:
        for record in records:
            log.append(record)
    read = list(records_of((tmp_path / "a.log").read_bytes()))
    assert [record["actions"] for record in read] == [record.actions for record in records]
    assert {entry.loose is not None and entry.loose.actions is not None for entry in read_log(tmp_path / "a.log")} == {
        True
    }


def word_games() -> Iterator[tuple[int, Record]]:
    """Games of very different lengths, with texts that are empty or end with a space."""
    dice = random.Random(1)
    for number in range(40):
        count = dice.choice([0, 1, 10, 256, 257, 600])
        texts = ["", "draw a9.b", "Draw  ", "\0", "bid 10 4", "büro", *(f"card {dice.randrange(99)}" for _ in range(9))]
        actions = [dice.choice(texts) for _ in range(count)]
        yield number, msgspec.structs.replace(toy_record(number), actions=actions)


def test_it_reads_the_first_logs_of_format_2() -> None:
    loose = list(records_of(LOOSE.read_bytes()))
    assert loose == [json.loads(encode_record(entry.record())) for entry in read_log(LOOSE)]
    read = list(records_of(EARLIER.read_bytes()))
    assert read == [json.loads(encode_record(entry.record())) for entry in read_log(EARLIER)]
    assert all(record["meta"]["times_us"] for record in read)


def test_the_documented_numbers_match_the_code() -> None:
    text = " ".join(PAGE.split())  # wherever a line ends
    assert hashlib.sha256(b"fa-log 2\n").digest()[:8].hex() in text
    assert f"divisible by {codec.BLOCK} the" in text
    assert f"more than {definitions.LONGEST_TEXT} characters" in text
    assert f"more than {definitions.LONGEST_SETTING} bytes" in text
    assert f"at most {definitions.MOST_SETTING_BYTES} bytes, and" in text
    assert f"there are at most {definitions.MOST_TEXTS} of each" in text
    assert ", ".join(map(str, SCALE[1:13])) in text
    assert f"at most {MOST_WORDS}. The actions take at most {MOST_TEXT} characters" in text
    assert f"{MOST_BYTES} bytes in a number, and at most {_FREE_SYMBOLS} symbols and {_SYMBOLS_PER_BYTE} more" in text
    assert f"At most {MOST_BASES} records of a numbering are their own base" in text
    assert f"at most {codec.FREE_LISTS} characters `[` and `{{`, and {codec.LISTS_PER_BYTE} more for each" in text
    assert f"an array of at most {MOST_SEATS} at index 3" in text
    assert f"of a game with at most {MOST_SEATS} seats" in text
    assert f"at most {definitions.MOST_BASE_BYTES} bytes of actions and words" in text
