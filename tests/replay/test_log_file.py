"""Logs on disk: records survive a round trip, and every change to a log is detected."""

from __future__ import annotations

import fcntl
import hashlib
import os
import resource
import time
from collections.abc import Callable, Iterator
from functools import reduce
from itertools import permutations
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fa_cli.errors import LogError, NewerFormat, NotALog
from fa_cli.replay import codec, frames, log_file
from fa_cli.replay.log_entry import LogEntry, entry_of
from fa_cli.replay.log_file import MOST_DAMAGES, Damage, read_log, scan_log
from fa_cli.replay.log_writer import LogWriter, is_private, repair, write_new_log
from fa_cli.replay.record import Record, digest_of, encode_record
from tests.damage import flip_bit
from tests.replay.conftest import SEED, WriteToys, faulty_record, log_of, payload_of, toy_record

FIRST_LINE = b"fa-log 2\n"


def write(path: Path, *records: Record) -> Path:
    with LogWriter(path) as log:
        for record in records:
            log.append(record)
    return path


def read(path: Path) -> list[Record]:
    return [entry.record() for entry in read_log(path)]


def split(data: bytes) -> list[bytes]:
    """The first line and the frames of an undamaged log, split as docs/reference/log-format.md describes them."""
    parts, offset = [data[:9]], 9
    while offset < len(data):
        end = offset + 4 + int.from_bytes(data[offset : offset + 3], "little") + 8
        parts.append(data[offset:end])
        offset = end
    assert offset == len(data)
    return parts


def damage_of(path: Path) -> list[Damage]:
    return [found for found in scan_log(path) if isinstance(found, Damage)]


def numbers_of(path: Path) -> list[int | None]:
    return [found.number for found in scan_log(path) if isinstance(found, LogEntry)]


# -- round trips ---------------------------------------------------------------------------------------------------


def test_records_survive_a_round_trip(tmp_path: Path) -> None:
    records = [toy_record(0), toy_record(1, ("x", "x")), faulty_record(2), toy_record(3, ("d", "c", "b", "a"), "wild")]
    path = write(tmp_path / "a.log", *records)
    assert read(path) == records
    assert [entry.index for entry in read_log(path)] == [0, 1, 2, 3]
    assert [entry.variant for entry in read_log(path)] == ["rule=plain"] * 3 + ["rule=wild"]


def test_a_path_may_be_a_text(tmp_path: Path) -> None:
    path = write(tmp_path / "a.log", toy_record(0))
    with LogWriter(str(path)) as log:
        log.append(toy_record(1))
    assert [entry.record() for entry in read_log(str(path))] == read(path) == [toy_record(0), toy_record(1)]
    with pytest.raises(LogError, match=r"b\.log: No such file"):
        list(read_log(str(tmp_path / "b.log")))


def test_appending_later_gives_the_same_bytes(tmp_path: Path) -> None:
    records = [toy_record(number, bots) for number, bots in enumerate([("a", "b"), ("c", "a"), ("b", "d"), ("a", "a")])]
    whole = write(tmp_path / "whole.log", *records)
    for record in records:
        parts = write(tmp_path / "parts.log", record)
    assert parts.read_bytes() == whole.read_bytes()


def test_the_bytes_match_the_documentation(tmp_path: Path) -> None:
    first, second = toy_record(7, ("ann", "bob")), toy_record(8, ("bob", "eve"))
    line, *found = split(write(tmp_path / "a.log", first, second).read_bytes())
    assert line == FIRST_LINE
    tag = hashlib.sha256(FIRST_LINE).digest()[:8]
    games = []
    for frame in found:
        size, check, payload = frame[:3], frame[3], frame[4:-8]
        assert check == 0xA5 ^ size[0] ^ size[1] ^ size[2]
        tag = hashlib.sha256(tag + payload).digest()[:8]
        assert frame[-8:] == tag
        games.append(msgspec.msgpack.decode(payload))
    one, two = games
    tournament = {"name": "toys", "seed": SEED.hex(), "started": "2024-05-06T07:08:09Z"}
    setting = msgspec.msgpack.encode(["toy", {"rule": "plain", "rounds": 4}, tournament])
    reason = first.result.reason
    assert one[:4] == [3, 0, 0, [0, 1]]
    assert one[4] == len(first.actions)
    assert one[5][:8] == bytes.fromhex(first.digest)[:8]
    ranks = sum((rank - 1) * 2**seat for seat, rank in enumerate(first.result.ranks))
    new = [[0, setting], [0, "ann"], [1, "bob"], [2, reason], [3, "time_us"]]
    assert one[6:] == [first.result.scores, ranks, 2, -7, None, new, [], [3, [1207, 70_000, 3]]]
    assert (two[0], two[1], two[3], two[9]) == (3, 1, [1, 4], 1 - 8)
    assert two[11] == [[4, "eve"]] + ([] if second.result.reason == reason else [[5, second.result.reason]])
    assert two[5][:8] == bytes.fromhex(second.digest)[:8]


def test_shared_values_are_stored_once_per_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "BLOCK", 3)
    path = write(tmp_path / "a.log", *(toy_record(number) for number in range(8)))
    for record in (toy_record(8), toy_record(9)):
        write(path, record)
    assert [b"ann#1" in frame for frame in split(path.read_bytes())[1:]] == [n % 3 == 0 for n in range(10)]
    assert read(path) == [toy_record(number) for number in range(10)]


def test_a_line_up_is_stored_once_per_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "BLOCK", 4)
    lineups = [("ann", "bob"), ("bob", "ann"), ("ann", "bob"), ("bob", "ann"), ("bob", "ann"), ("ann", "bob")]
    records = [toy_record(number, lineup) for number, lineup in enumerate(lineups)]
    path = write(tmp_path / "a.log", *records[:3])
    write(path, *records[3:])
    players = [msgspec.msgpack.decode(frame[4:-8])[3] for frame in split(path.read_bytes())[1:]]
    assert [type(found) if isinstance(found, list) else found for found in players] == [list, list, 0, 1, list, list]
    assert read(path) == records
    assert write(tmp_path / "b.log", *records).read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("meta", "error", "message"),
    [
        ({"much": "x" * frames.LONGEST_PAYLOAD}, LogError, "a record takes at most"),
        ({"deep": reduce(lambda inner, _: [inner], range(32), [])}, LogError, "meta is nested at most 32 deep"),
        ({"new": 1, "odd": 1j}, TypeError, "complex"),
        ({"new": 1, "odd": "\ud800"}, UnicodeEncodeError, "surrogates"),
        ({"new": 1, 2: 3}, TypeError, "int"),
    ],
    ids=["long", "deep", "type", "surrogate", "name"],
)
def test_a_record_that_is_refused_leaves_no_line_up_and_no_text(
    tmp_path: Path, meta: dict[str, object], error: type[Exception], message: str
) -> None:
    refused = toy_record(0, ("eve", "bob"))
    refused.meta = meta
    records = [toy_record(1), toy_record(2, ("eve", "bob")), toy_record(3, ("eve", "bob"))]
    records[-1].meta = {"new": 2}
    with LogWriter(tmp_path / "a.log") as log:
        log.append(records[0])
        with pytest.raises(error, match=message):
            log.append(refused)
        for record in records[1:]:
            log.append(record)
    assert read(tmp_path / "a.log") == records


@pytest.mark.parametrize("lineup", [0, 7, -1, 1 << 40])
def test_a_line_up_that_no_record_has(tmp_path: Path, lineup: int) -> None:
    game = payload_of(toy_record(0))
    game[3] = lineup
    path = log_of(tmp_path / "a.log", msgspec.msgpack.encode(game))
    (damage,) = damage_of(path)
    assert damage.text == f"it refers to line-up {lineup}, which no record before it that can be read has"


@pytest.mark.parametrize(
    "meta",
    [
        {},
        {"number": 3},
        {"number": -3, "tournament": None},
        {"number": True},
        {"number": 2**63, "big": 10**30},
        {"number": 0, "tournament": {"seed": "no seed"}},
        {"tournament": {"seed": SEED.hex()}},
        {"tournament": {"name": "long" * 2000, "seed": SEED.hex()}, "number": 1},
        {"tournament": [1, 2], "text": "\u2028\0\x1b[31m", "": [1.5, None, {"a": [True]}]},
        {"a key that is far longer than the sixty-four characters that are shared by games": 1},
    ],
)
def test_any_meta(tmp_path: Path, meta: dict[str, object]) -> None:
    record = toy_record(1)
    record.meta = meta
    path = write(tmp_path / "a.log", toy_record(0), record, toy_record(2))
    assert read(path)[1] == record
    again = write(tmp_path / "b.log", *read(path))
    assert again.read_bytes() == path.read_bytes()
    assert [encode_record(one) for one in read(again)] == [encode_record(one) for one in read(path)]


def test_a_seed_derived_from_the_tournament_takes_no_space(tmp_path: Path) -> None:
    derived, given_ = toy_record(1), toy_record(1)
    given_.meta = {"tournament": derived.meta["tournament"], "number": 2, "time_us": derived.meta["time_us"]}
    sizes = [write(tmp_path / name, record).stat().st_size for name, record in (("a", derived), ("b", given_))]
    assert sizes[1] - sizes[0] == 34  # a type, a length and 32 bytes


@pytest.mark.parametrize(
    "change",
    [
        {"actions": ["ok"]},
        {"actions": []},
        {"game": "chess"},
        {"options": {"rule": "plain"}},
        {"options": {"rule": "plain", "rounds": "4"}},
        {"players": ["a"]},
        {"players": ["<b>", "", "x" * 100]},
        {"seed": "00"},
        {"digest": ""},
        {"digest": "F" * 64},
        {"legal": [["ok"]]},
        {"legal": [["ok"]] * len(toy_record(1).actions)},
        {"legal": []},
    ],
)
def test_a_record_that_can_not_be_packed_is_stored_unchanged(tmp_path: Path, change: dict[str, object]) -> None:
    record = msgspec.structs.replace(toy_record(1), **change)
    path = write(tmp_path / "a.log", toy_record(0), record, toy_record(2))
    entries = list(read_log(path))
    assert [entry.index for entry in entries] == [0, 1, 2]
    assert entries[1].record(legal="legal" in change) == record
    assert read(write(tmp_path / "b.log", *read(path))) == read(path)


def test_the_legal_lists_are_computed(tmp_path: Path) -> None:
    entry = next(read_log(write(tmp_path / "a.log", toy_record(4))))
    record = entry.record(legal=True)
    assert isinstance(record.legal, list)
    assert len(record.legal) == len(record.actions)
    assert all(action in legal for action, legal in zip(record.actions, record.legal, strict=True))
    assert record.legal[0][0] == "draw"
    stored = next(read_log(write(tmp_path / "b.log", record)))
    assert stored.packed == entry.packed  # lists that are right need not be kept


def test_an_empty_log_has_no_records(tmp_path: Path) -> None:
    path = write(tmp_path / "a.log")
    assert path.read_bytes() == FIRST_LINE
    assert read(path) == []


# -- files that can't be read or written ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        (b"", NotALog, "the file is empty"),
        (b"fa-lo", NotALog, "cut off within its first line"),
        (b"fa-log 3\nwhatever", NewerFormat, "format 3, this one reads formats up to 2"),
        (b"fa-log 0\n", NotALog, "not a replay log"),
        (b"fa-log 2\r\n", NotALog, "not a replay log"),
        (b"\x7fELF\0\0\0\0\0\0\0\0\0", NotALog, "it begins with"),
    ],
)
def test_files_that_are_not_logs(tmp_path: Path, content: bytes, error: type[LogError], message: str) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(content)
    with pytest.raises(error, match=message) as raised:
        read(path)
    assert str(path) in str(raised.value)
    if content and not FIRST_LINE.startswith(content):
        with pytest.raises(error):
            LogWriter(path)
        assert path.read_bytes() == content


def test_a_missing_log_or_a_folder(tmp_path: Path) -> None:
    for path, message in ((tmp_path / "none.log", "No such file"), (tmp_path, "not a regular file")):
        with pytest.raises(LogError, match=message):
            read(path)
    with pytest.raises(LogError, match="cannot write"):
        LogWriter(tmp_path)
    with pytest.raises(LogError, match="cannot write"):
        LogWriter(tmp_path / "none" / "a.log")


def test_only_one_process_writes_at_a_time(write_toys: WriteToys) -> None:
    path = write_toys(0)
    with LogWriter(path), pytest.raises(LogError, match="another process is writing it"):
        LogWriter(path)
    with LogWriter(path) as log:
        log.append(toy_record(1))
    assert numbers_of(path) == [0, 1]


def test_a_log_is_never_overwritten(write_toys: WriteToys) -> None:
    path = write_toys(0)
    before = path.read_bytes()
    with pytest.raises(LogError, match="exists already"):
        LogWriter(path, new=True)
    with pytest.raises(LogError, match="exists already"):
        write_new_log(path, [entry_of(toy_record(1))])
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_a_failing_source_leaves_no_file(tmp_path: Path) -> None:
    def entries() -> Iterator[LogEntry]:
        yield entry_of(toy_record(0))
        raise LogError("no more")

    with pytest.raises(LogError, match="no more"):
        write_new_log(tmp_path / "a.log", entries())
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_complete_records(write_toys: WriteToys) -> None:
    path = write_toys(0, 1)
    size = path.stat().st_size
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with LogWriter(path) as log:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 50, hard))
        try:
            with pytest.raises(LogError, match=r"^cannot write .*: File too large"):
                log.append(toy_record(2, ("eve", "bob")))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert path.stat().st_size == size
        assert numbers_of(path) == [0, 1]
        log.append(toy_record(3, ("eve", "bob")))  # there is room again
    assert read(path) == [toy_record(0), toy_record(1), toy_record(3, ("eve", "bob"))]


def test_a_log_is_read_while_it_grows(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    with LogWriter(path) as log:
        for number in range(3):
            log.append(toy_record(number))
            assert len(read(path)) == number + 1 == len(log)


def test_a_log_appears_with_its_first_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a reader at that moment, or after a crash, would find a file that is not a log."""
    path, found = tmp_path / "a.log", []
    monkeypatch.setattr(fcntl, "flock", lambda *_: found.append(list(read_log(path))))
    LogWriter(path).close()
    assert found == [[]]
    assert [file.name for file in tmp_path.iterdir()] == ["a.log"]


def test_a_log_is_created_on_a_file_system_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def link(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", link)
    LogWriter(tmp_path / "a.log").close()
    assert (tmp_path / "a.log").read_bytes() == FIRST_LINE
    assert [file.name for file in tmp_path.iterdir()] == ["a.log"]


# -- damage --------------------------------------------------------------------------------------------------------


def test_every_flipped_byte_is_located(write_toys: WriteToys) -> None:
    path = write_toys(0, 1, 2)
    data = path.read_bytes()
    ends = [sum(map(len, split(data)[: count + 1])) for count in range(4)]
    for offset in range(len(data)):
        for flip in (1, 0x80, 0xFF):
            path.write_bytes(data[:offset] + bytes([data[offset] ^ flip]) + data[offset + 1 :])
            if offset < len(FIRST_LINE):
                with pytest.raises(LogError):
                    read(path)
                continue
            record = next(index for index in range(3) if offset < ends[index + 1])
            found = damage_of(path)
            assert found[0].index == record, (offset, flip, found)
            kept = set(numbers_of(path))
            assert kept >= ({0, 1, 2} - {record} if record else set())
            with pytest.raises(LogError, match="fa replay repair"):
                LogWriter(path)


def test_every_cut_is_detected(write_toys: WriteToys) -> None:
    path = write_toys(0, 1, 2)
    data = path.read_bytes()
    ends = [sum(map(len, split(data)[: count + 1])) for count in range(4)]
    for size in range(len(data)):
        path.write_bytes(data[:size])
        if size < len(FIRST_LINE):
            with pytest.raises(NotALog):
                read(path)
            continue
        whole = sum(end <= size for end in ends[1:])
        assert numbers_of(path) == [0, 1, 2][:whole]
        assert damage_of(path) == ([] if size in ends else [Damage(ends[whole], whole, damage_of(path)[0].text, True)])
        with LogWriter(path) as log:
            assert len(log) == whole
            assert path.stat().st_size == ends[whole]
            for number in range(whole, 3):
                log.append(toy_record(number))
        assert path.read_bytes() == data


def test_a_cut_in_the_middle_is_detected(write_toys: WriteToys) -> None:
    path = write_toys(0, 1, 2, 3)
    data = path.read_bytes()
    ends = [sum(map(len, split(data)[: count + 1])) for count in range(5)]
    for length in (1, 5, 100):
        for offset in range(len(FIRST_LINE), ends[3] - length):
            path.write_bytes(data[:offset] + data[offset + length :])
            found = damage_of(path)
            first = next(index for index in range(4) if offset < ends[index + 1])
            assert found, (offset, length)
            assert found[0].index == first
            assert not any(damage.torn for damage in found)


@pytest.mark.parametrize(
    ("order", "records"),
    [
        ("abbcde", [(2, "record 2 stands here and does not belong here")]),
        ("acde", [(1, "record 2 is missing before record 3")]),
        ("bcde", [(0, "record 1 is missing before record 2"), (1, "it refers to setting 0")]),
        ("acbde", [(1, "record 3 stands here and does not"), (2, "record 3 is missing before record 4")]),
        ("abdcde", [(2, "record 4 stands here and does not belong here")]),
        ("ade", [(1, "records 2 to 3 are missing before record 4")]),
        ("abced", [(3, "record 5 stands here and does not belong here")]),
        ("edcba", [(0, "it was changed, or records before it are missing; it claims to be record 5")]),
        ("abcdee", [(5, "record 5 stands here and does not belong here")]),
        ("abcdeabcde", [(5, f"record {n} stands here and does not belong here") for n in range(1, 6)]),
        ("_abcde", [(0, "9 bytes at 9 are no record")]),
        ("a?bcde", [(1, "63 bytes at")]),
    ],
)
def test_records_out_of_place_are_reported(write_toys: WriteToys, order: str, records: list[tuple[int, str]]) -> None:
    """Records a to e in another order; _ is the log's first line, and ? is something else."""
    path = write_toys(0, 1, 2, 3, 4)
    first, *stored = split(path.read_bytes())
    parts = dict(zip("_?abcde", [first, b"rubbish" * 9, *stored], strict=True))
    path.write_bytes(first + b"".join(parts[part] for part in order))
    found = damage_of(path)
    assert [index for index, _ in records] == [damage.index for damage in found][: len(records)], found
    assert all(text in damage.text for (_, text), damage in zip(records, found, strict=False)), found


def test_any_other_order_is_detected(write_toys: WriteToys) -> None:
    path = write_toys(0, 1, 2, 3)
    line, *records = split(path.read_bytes())
    for order in permutations(records):
        path.write_bytes(b"".join([line, *order]))
        assert bool(damage_of(path)) == (list(order) != records)


def test_a_record_of_another_log_is_detected(write_toys: WriteToys) -> None:
    ours, theirs = write_toys(0, 1, 2, 3), write_toys(7, 8, 9, name="theirs.log")
    line, a, b, c, d = split(ours.read_bytes())
    for offset, foreign in enumerate(split(theirs.read_bytes())[1:]):
        ours.write_bytes(b"".join([line, a, b, foreign, c, d]))
        assert [damage.index for damage in damage_of(ours)] == [2], offset
        assert numbers_of(ours) == [0, 1, 2, 3]
        ours.write_bytes(b"".join([line, a, foreign, c, d]))
        assert damage_of(ours)[0].index == 1
        assert set(numbers_of(ours)) >= {0, 3}


def test_a_changed_tag_alone_loses_no_record(write_toys: WriteToys) -> None:
    path = write_toys(0, 1, 2)
    line, a, b, c = split(path.read_bytes())
    path.write_bytes(b"".join([line, a[:-1] + bytes([a[-1] ^ 1]), b, c]))
    assert [damage.text for damage in damage_of(path)] == ["its tag was changed; the record itself was not"]
    assert numbers_of(path) == [0, 1, 2]


def test_zeros_at_the_end_are_a_torn_record(write_toys: WriteToys) -> None:
    path = write_toys(0, 1)
    size = path.stat().st_size
    path.write_bytes(path.read_bytes() + bytes(5000))
    assert [damage.torn for damage in damage_of(path)] == [True]
    LogWriter(path).close()
    assert path.stat().st_size == size


def test_readers_ignore_a_torn_end(write_toys: WriteToys) -> None:
    path = write_toys(0, 1, 2)
    path.write_bytes(path.read_bytes()[:-1])
    assert len(read(path)) == 2
    path.write_bytes(path.read_bytes()[:40])
    assert read(path) == []


def test_damage_does_not_affect_the_next_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "BLOCK", 4)
    path = write(tmp_path / "a.log", *(toy_record(number) for number in range(10)))
    flip_bit(path, 9)  # the length of the frame that defines all numbers of its block
    assert numbers_of(path) == [4, 5, 6, 7, 8, 9]
    assert [damage.index for damage in damage_of(path)] == [0, 1, 2, 3]


# -- repair --------------------------------------------------------------------------------------------------------


def test_repair_cuts_a_torn_end(write_toys: WriteToys) -> None:
    path = write_toys(0, 1, 2)
    data = path.read_bytes()
    path.write_bytes(data[:-3])
    count, wrong = repair(path)
    assert (count, [damage.torn for damage in wrong]) == (2, [True])
    assert path.read_bytes() == b"".join(split(data)[:3])
    assert list(path.parent.iterdir()) == [path]
    assert repair(path) == (2, [])


def test_repair_keeps_whole_records_and_a_copy_of_the_damaged_log(write_toys: WriteToys) -> None:
    path = write_toys(0, 1, 2, 3)
    data = bytearray(path.read_bytes())
    data[len(b"".join(split(bytes(data))[:2])) + 20] ^= 4
    path.write_bytes(data)
    count, wrong = repair(path)
    assert (count, [damage.index for damage in wrong]) == (3, [1])
    assert read(path) == [toy_record(0), toy_record(2), toy_record(3)]
    assert damage_of(path) == []
    kept = path.with_name("toys.log.damaged")
    assert kept.read_bytes() == data
    path.write_bytes(data[:-1])
    with pytest.raises(LogError, match=r"toys\.log\.damaged: it exists already"):
        repair(path)


def test_repair_keeps_a_private_log_private(write_toys: WriteToys, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        log = tmp_path / "private.log"
        LogWriter(log, private=True).close()
        assert log.stat().st_mode & 0o777 == 0o600
        toys = write_toys(0, 1, 2)
        assert toys.stat().st_mode & 0o777 == 0o666
        flip_bit(toys, copy=log)
        repair(log)
        assert log.stat().st_mode & 0o777 == 0o600
        assert write_new_log(tmp_path / "copy.log", read_log(log), private=is_private(log)) == 2
        assert (tmp_path / "copy.log").stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(before)


def test_a_log_that_is_being_written_is_not_repaired(write_toys: WriteToys) -> None:
    path = write_toys(0)
    with LogWriter(path), pytest.raises(LogError, match="another process is writing it"):
        repair(path)


# -- hostile files -------------------------------------------------------------------------------------------------

cut_or_joined = st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 3000)), max_size=4)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(pieces=cut_or_joined, noise=st.binary(max_size=60), offset=st.integers(0, 3000))
def test_pieces_of_a_log_raise_only_fa_errors(
    write_toys: WriteToys, tmp_path: Path, pieces: list[tuple[int, int]], noise: bytes, offset: int
) -> None:
    whole = tmp_path / "whole.log"
    data = whole.read_bytes() if whole.exists() else write_toys(0, 1, 2, 3, 4, name="whole.log").read_bytes()
    content = b"".join(data[start : start + length] for start, length in pieces)
    path = tmp_path / "content.log"
    path.write_bytes(FIRST_LINE + content[:offset] + noise + content[offset:])
    for item in scan_log(path):
        if isinstance(item, LogEntry):
            assert digest_of(item.record()).startswith(item.digest_start)


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.text(max_size=9)
    | st.binary(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


def timed_record() -> Record:
    record = toy_record(0)
    record.meta |= {"asked": [1, 2, 3], "time_us": [4, 5, 6], "times_us": [25] * len(record.actions)}
    return record


def loose_record() -> Record:
    record = timed_record()
    record.actions[3:4] = ["none", "ok"]
    return record


kinds = st.sampled_from([lambda: toy_record(0), timed_record, loose_record])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(changes=st.dictionaries(st.integers(0, 15), anything, max_size=3), noise=st.binary(max_size=80), kind=kinds)
def test_any_payload_raises_only_fa_errors(
    tmp_path: Path, changes: dict[int, object], noise: bytes, kind: Callable[[], Record]
) -> None:
    good = payload_of(kind())
    for offset, value in changes.items():
        good[offset : offset + 1] = [value]
    content = [msgspec.msgpack.encode(good), noise, msgspec.msgpack.encode([2, 1, noise])]
    path = log_of(tmp_path / "content.log", *content)
    for found in scan_log(path):
        if isinstance(found, LogEntry):
            try:
                record = found.record(legal=True)
            except LogError:
                continue
            encode_record(record)


@pytest.mark.parametrize("lengths", [b"\xff\xff\xff", b"\xff\xff\x3f"])
def test_a_forged_length_does_not_take_memory(tmp_path: Path, lengths: bytes) -> None:
    path = tmp_path / "a.log"
    header = lengths + bytes([0xA5 ^ lengths[0] ^ lengths[1] ^ lengths[2]])
    path.write_bytes(FIRST_LINE + (header + b"\x9f\x01") * 20_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert len(damage_of(path)) == 1
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 60_000  # kilobytes


def header(length: int) -> bytes:
    size = length.to_bytes(3, "little")
    return size + bytes([0xA5 ^ size[0] ^ size[1] ^ size[2]])


@pytest.mark.parametrize(
    "unit",
    [
        header(2) + b"\x93\x02" + bytes(8),
        header(6) + b"\x93\x02\x00\xc4\x01{" + bytes(8),
        header(1000) + b"\x9f\x01",
        header(4_000_000) + b"\x93\x02",
        b"\x93\x02",
    ],
    ids=["small", "decodable", "overlapping", "huge", "bare"],
)
def test_forged_headers_are_refused_quickly(tmp_path: Path, unit: bytes) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(FIRST_LINE + unit * (10_000_000 // len(unit)))
    before = time.process_time()
    found = list(scan_log(path))
    assert time.process_time() - before < 2
    assert all(isinstance(one, Damage) and not one.torn for one in found)
    assert 1 <= len(found) <= MOST_DAMAGES + 1


def test_reading_stops_after_too_many_damages(write_toys: WriteToys, monkeypatch: pytest.MonkeyPatch) -> None:
    log = write_toys(*range(9))
    parts = split(log.read_bytes())
    log.write_bytes(b"".join([parts[0], *(b"?" + part[1:] if n % 2 else part for n, part in enumerate(parts[1:]))]))
    monkeypatch.setattr(log_file, "MOST_DAMAGES", 3)
    found = list(scan_log(log))
    assert len([one for one in found if isinstance(one, Damage)]) == 4
    assert isinstance(found[-1], Damage)
    assert found[-1].text == "the log is damaged in 3 places; the rest of it is not read"
    assert len(numbers_of(log)) == 3
    count, _ = repair(log)
    assert count == 3


def test_numbers_can_not_be_defined_twice(tmp_path: Path) -> None:
    game = payload_of(toy_record(0))
    twice = [game[0], 1, *game[2:11], [[0, b"\x93\xa1x\x80\xc0"], [0, "other"]], *game[12:]]
    path = log_of(tmp_path / "a.log", msgspec.msgpack.encode(game), msgspec.msgpack.encode(twice))
    (damage,) = damage_of(path)
    assert damage.index == 1
    assert "can't be the number of" in damage.text


def test_a_valid_tag_with_a_wrong_index(tmp_path: Path) -> None:
    game = payload_of(toy_record(0))
    content = (msgspec.msgpack.encode([game[0], index, *game[2:9], index, *game[10:]]) for index in (0, 3, 1, 4))
    path = log_of(tmp_path / "a.log", *content)
    assert [(damage.index, damage.text) for damage in damage_of(path)] == [
        (1, "records 2 to 3 are missing before record 4"),
        (4, "record 2 stands here and does not belong here"),
    ]


def test_locks_are_flock_locks(write_toys: WriteToys) -> None:
    path = write_toys(0)
    file = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(LogError, match="another process is writing it"):
            LogWriter(path)
    finally:
        os.close(file)
