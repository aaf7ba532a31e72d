"""Records that are not whole games in legal actions are kept as they are, as compressed JSON."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from fa_cli.errors import LogError
from fa_cli.games.seed import Seed
from fa_cli.match.simulate import make_simulation
from fa_cli.replay.frames import FIRST_LINE, LONGEST_PAYLOAD
from fa_cli.replay.log_entry import entry_of
from fa_cli.replay.log_file import Damage, read_log, scan_log
from fa_cli.replay.log_writer import write_new_log
from fa_cli.replay.packing import definitions
from fa_cli.replay.record import Record, decode_record, digest_of, encode_record
from fa_cli.replay.verify import check
from tests.replay.conftest import log_of, payload_of, toy_record


def games(name: str, count: int) -> list[Record]:
    """Random games of four, as a tournament writes them."""
    simulation = make_simulation(name, 4, {}, count, "odd")
    seed = Seed.from_text("odd")
    records = []
    for number, (record, _) in enumerate(simulation.play_all(0)):
        record.meta = {"tournament": {"name": "odd", "seed": seed.hex()}, "number": number}
        records.append(record)
    return records


def size_of(path: Path, records: list[Record]) -> int:
    """The bytes that the records take in a log; they are read again as they were."""
    write_new_log(path, map(entry_of, records), replace=True)
    assert [entry.record() for entry in read_log(path)] == records
    return path.stat().st_size - len(FIRST_LINE)


def wrong_digest(record: Record) -> None:
    record.digest = "0" * 64


def one_illegal_action(record: Record) -> None:
    record.actions[len(record.actions) // 2] = "fly to the moon"


def unfinished(record: Record) -> None:
    del record.actions[-3:]


def continued(record: Record) -> None:
    record.actions += record.actions[-1:] * 2


def option_not_named(record: Record) -> None:
    del record.options[min(record.options)]


def big_number(record: Record) -> None:
    record.meta["big"] = 10**30


def other_start(record: Record) -> None:
    record.actions[0], record.actions[-1] = record.actions[-1], record.actions[0]


CHANGES = [wrong_digest, one_illegal_action, unfinished, continued, option_not_named, big_number, other_start]


def unknown_game(record: Record) -> None:
    record.game = "brooklyn"
    record.digest = digest_of(record)


def seed_that_is_none(record: Record) -> None:
    record.seed = "none"


CHANGES += [unknown_game, seed_that_is_none]


@pytest.mark.parametrize("name", ["fifth-avenue", "manhattan", "new-york"])
@pytest.mark.parametrize("change", CHANGES)
def test_a_record_that_is_not_packed_is_kept_as_it_is(
    tmp_path: Path, name: str, change: Callable[[Record], None]
) -> None:
    records = games(name, 2)
    for record in records:
        change(record)
    size_of(tmp_path / "odd.log", records)
    entries = list(read_log(tmp_path / "odd.log"))
    assert all(entry.plain is not None for entry in entries)
    assert all(check(entry) for entry in entries) is (change is not big_number)


def test_copies_and_parts_of_a_log_have_the_bytes_of_an_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where what was no room for in one log has room in the other."""
    monkeypatch.setattr(definitions, "MOST_SETTING_BYTES", 500)
    records = games("manhattan", 6)
    for number, record in enumerate(records):
        record.meta["tournament"] = {**record.meta["tournament"], "notes": f"{number}" * 100}
    unknown_game(records[4])
    size_of(tmp_path / "a.log", records)
    for part in (slice(None), slice(2, 5), slice(1, None, 2)):
        write_new_log(tmp_path / "copy.log", list(read_log(tmp_path / "a.log"))[part], replace=True)
        lines = [encode_record(record) for record in records[part]]
        write_new_log(tmp_path / "import.log", map(entry_of, map(decode_record, lines)), replace=True)
        assert (tmp_path / "copy.log").read_bytes() == (tmp_path / "import.log").read_bytes()


def test_a_big_tournament_is_shared(tmp_path: Path) -> None:
    records = games("manhattan", 30)
    small = size_of(tmp_path / "small.log", records)
    for record in records:
        record.meta["tournament"] = {**record.meta["tournament"], "notes": "long" * 4000}
    assert size_of(tmp_path / "big.log", records) <= 3 * small + 20_000


def test_settings_beyond_the_budget_are_stored_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(definitions, "MOST_SETTING_BYTES", 500)
    records = [toy_record(number) for number in range(6)]
    for number, record in enumerate(records):
        record.meta["tournament"] = {**record.meta["tournament"], "notes": f"{number}" * 100}
    size_of(tmp_path / "a.log", records)
    entries = list(read_log(tmp_path / "a.log"))
    assert [entry.plain is None for entry in entries] == [True, True] + [False] * 4


def test_a_bomb_is_refused(tmp_path: Path) -> None:
    bomb = zlib.compress(b'{"x":"' + b" " * (10 * LONGEST_PAYLOAD), 9)
    path = log_of(tmp_path / "bomb.log", msgspec.msgpack.encode([4, 0, bomb]))
    found = list(scan_log(path))
    assert [type(item) for item in found] == [Damage]
    assert "its JSON is not whole, is too long" in str(found[0])


@pytest.mark.parametrize(
    ("compressed", "message"),
    [
        (b"", "its JSON is not whole"),
        (b"nothing", "can't be decompressed"),
        (zlib.compress(b"{}")[:-1], "its JSON is not whole"),
        (zlib.compress(b"{}") + b"x", "something follows it"),
        (zlib.compress(b"{}"), "this is not a record"),
    ],
)
def test_what_is_not_compressed_json_is_refused(tmp_path: Path, compressed: bytes, message: str) -> None:
    path = log_of(tmp_path / "bad.log", msgspec.msgpack.encode([4, 0, compressed]))
    assert message in str(next(scan_log(path)))


def test_actions_that_would_be_too_long_are_stored_as_json_or_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = toy_record(0)
    record.actions = ["x" * 100] * (LONGEST_PAYLOAD // 100)
    with pytest.raises(LogError, match="a record takes at most 4194304 bytes of JSON in a log, this one"):
        write_new_log(tmp_path / "a.log", [entry_of(record)])
    record.actions = ["x" * 100] * (LONGEST_PAYLOAD // 104)
    size = size_of(tmp_path / "b.log", [record])
    assert size < 20_000 < len(encode_record(record))


@pytest.mark.parametrize(
    "ranks", [[], [1, 2, 3], [3, 1, 1], [1] * 8, [1] * 9, [0, 1, 2], [4, 1, 1], [1, 2], [10**30] * 3]
)
def test_any_ranks_survive(tmp_path: Path, ranks: list[int]) -> None:
    record = toy_record(0)
    record.result.ranks[:] = ranks
    size_of(tmp_path / "a.log", [record])


def test_ranks_that_no_seats_have_are_refused(tmp_path: Path) -> None:
    good = payload_of(toy_record(0))
    for code in (27, -1, 1 << 63):
        path = log_of(tmp_path / "bad.log", msgspec.msgpack.encode([*good[:7], code, *good[8:]]))
        assert "is not a number of the ranks of 3 seats" in str(next(scan_log(path)))
    path = log_of(tmp_path / "bad.log", msgspec.msgpack.encode([*good[:3], good[3] * 3, *good[4:]]))
    assert "its ranks are a number, for 9 seats" in str(next(scan_log(path)))


def test_settings_beyond_the_budget_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_new_log(tmp_path / "a.log", [entry_of(toy_record(0))])
    for name in ("MOST_SETTING_BYTES", "LONGEST_SETTING"):
        with monkeypatch.context() as patched:
            patched.setattr(definitions, name, 50)
            assert "is more than may get a number there" in str(next(scan_log(tmp_path / "a.log")))
