"""Verification: reports the first difference of every kind of bad record, and still checks all other records."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fa_cli.errors import FaError, LogError, NewerFormat, NotALog
from fa_cli.game_result import Fault, FaultKind, GameResult
from fa_cli.games.seed import Seed
from fa_cli.replay import codec, verify_files
from fa_cli.replay.log_entry import entry_of
from fa_cli.replay.log_file import read_log
from fa_cli.replay.log_writer import LogWriter
from fa_cli.replay.record import FORMAT, Record, digest_of, encode_record
from fa_cli.replay.verify import Finding, check
from fa_cli.replay.verify_files import verify_file
from tests.damage import flip_bit
from tests.replay.conftest import WriteToys, faulty_record, payload_of, toy_record

Change = Callable[[Record], Any]


def verified(path: Path, jobs: int = 1) -> tuple[verify_files.Summary, list[str]]:
    findings: list[str] = []
    summary = verify_file(path, lambda finding: findings.append(str(finding)), jobs)
    assert summary.bad == len(findings)
    return summary, findings


def test_good_records_have_no_finding() -> None:
    for number in range(20):
        assert check(toy_record(number)) is None
        assert check(faulty_record(number, seat=number % 3, since=number // 2)) is None


def with_fault(seat: int, ply: int) -> Change:
    return lambda record: record.faults.append(Fault(seat, ply, FaultKind.CRASH))


def set_(name: str, value: object) -> Change:
    return lambda record: setattr(record, name, value)


def result(**changes: object) -> Change:
    def change(record: Record) -> None:
        record.result = msgspec.structs.replace(record.result, **changes)

    return change


WRONG: list[tuple[str, Change, int | None, str]] = [
    ("unknown game", set_("game", "chess"), None, "no game 'chess'"),
    ("missing option", set_("options", {"rule": "plain"}), None, "option rounds is not named"),
    ("unknown option", set_("options", {"rule": "plain", "rounds": 4, "x": 1}), None, "toy has no option 'x'"),
    ("bad value", set_("options", {"rule": "wilder", "rounds": 4}), None, "rule is plain or wild, not 'wilder'"),
    ("out of bounds", set_("options", {"rule": "wild", "rounds": 51}), None, "from 1 to 50, not 51"),
    ("text for a number", set_("options", {"rule": "plain", "rounds": "4"}), None, "rounds is 4, not '4'"),
    ("too many", set_("players", ["a", "b", "c", "d", "e"]), None, "for 2, 3 or 4 players, not 5"),
    ("name", set_("players", ["a b", "c", "d"]), None, "not 'a b'"),
    ("long name", set_("players", ["x" * 65, "c", "d"]), None, "at most 64"),
    ("seed", set_("seed", "12"), None, "a seed is 64 hex digits, not '12'"),
    ("capital seed", set_("seed", "A" * 64), None, "a seed is 64 hex digits"),
    ("other seed", set_("seed", "0" * 64), 2, "'play 4' is not legal here; seat 1 can choose 'draw', 'play 1'"),
    ("no action", lambda record: record.actions.__setitem__(2, "fly"), 2, "'fly' is not an action of toy; seat"),
    (
        "illegal",
        lambda record: record.actions.__setitem__(0, "ok"),
        0,
        "'ok' is not legal here; seat 0 can choose 'draw'",
    ),
    ("cut short", lambda record: record.actions.pop(), -1, "the record ends here, but the game continues with seat"),
    ("goes on", lambda record: record.actions.append("ok"), -1, "the game is over (rounds), but 'ok' follows"),
    ("nothing played", set_("actions", []), 0, "the record ends here"),
    ("fault of nobody", with_fault(3, 0), None, "a fault of seat 3, where there are seats 0 to 2"),
    ("fault of nobody below", with_fault(-1, 0), None, "a fault of seat -1"),
    ("fault after the end", with_fault(0, 1000), None, "a fault of seat 0 at ply 1000, where there are plies 0 to"),
    ("fault before the start", with_fault(0, -1), None, "at ply -1"),
    ("scores", result(scores=[1, 2, 3]), None, "scores: expected ["),
    ("too few scores", result(scores=[]), None, "found []"),
    ("ranks", result(ranks=[1, 1, 1]), None, "ranks: expected ["),
    ("reason", result(reason="boredom"), None, "reason: expected rounds, found 'boredom'"),
    ("digest", set_("digest", "0" * 64), None, f"found '{'0' * 64}'"),
    ("no digest", set_("digest", "none"), None, "found 'none'"),
    ("format", set_("format", "fa-replay/0"), None, "digest: expected"),
]


@pytest.mark.parametrize(
    ("change", "ply", "message"), [wrong[1:] for wrong in WRONG], ids=[wrong[0] for wrong in WRONG]
)
def test_the_first_difference_is_reported(tmp_path: Path, change: Change, ply: int | None, message: str) -> None:
    record = toy_record(0)
    assert record.result.reason == "rounds"
    digest = record.digest
    change(record)
    if record.digest == digest and record.format == FORMAT:
        record.digest = digest_of(record)
    finding = check(record, index=4)
    assert finding is not None
    assert finding.index == 4
    assert finding.ply == (len(record.actions) - (message.startswith("the game")) if ply == -1 else ply)
    assert message in finding.text
    # the same through a log, between good ones, and through the export
    if record.format == FORMAT:
        path = tmp_path / "a.log"
        with LogWriter(path) as log:
            for one in (toy_record(0), record, toy_record(1)):
                log.append(one)
        lines = tmp_path / "a.jsonl"
        lines.write_bytes(b"".join(encode_record(entry.record()) + b"\n" for entry in read_log(path)))
        expected = str(msgspec.structs.replace(finding, index=1))
        for file in (path, lines):
            summary, findings = verified(file)
            assert findings == [expected]
            assert summary.records == 3


def test_a_changed_record_has_another_digest() -> None:
    for change in (set_("players", ["x", "y", "z"]), with_fault(0, 0)):
        record = toy_record(0)
        change(record)
        finding = check(record)
        assert finding is not None


@pytest.mark.parametrize("packed", [True, False])
def test_a_substitute_is_the_first_legal_action(packed: bool) -> None:
    record = faulty_record(1)
    fault = record.faults[0]
    record.faults = [Fault(fault.seat, 0, FaultKind.START), Fault(0, 0, FaultKind.START), Fault(2, 0, FaultKind.CRASH)]
    record.digest = digest_of(record)
    entry = entry_of(record)
    assert entry.packed is not None
    finding = check(entry if packed else record)
    assert finding is not None
    assert finding.ply is not None
    assert "failed at ply 0, so expected is the first legal action 'draw', found 'play" in finding.text


def test_ranks_take_faults_into_account() -> None:
    record = faulty_record(2)
    assert record.result.ranks[1] == 3
    record.result = GameResult(record.result.scores, [1, 1, 1], record.result.reason)
    record.digest = digest_of(record)
    finding = check(entry_of(record))
    assert finding is not None
    assert finding.text.startswith("ranks: expected [")


def test_legal_lists_are_checked_if_present(tmp_path: Path) -> None:
    record = entry_of(toy_record(3)).record(legal=True)
    assert check(record) is None
    assert isinstance(record.legal, list)
    record.legal[4] = [*record.legal[4], "ok"]
    assert (finding := check(record)) is not None
    assert (finding.ply, finding.text[:15]) == (4, "legal: expected")
    with LogWriter(tmp_path / "a.log") as log:
        log.append(record)
    assert len(verified(tmp_path / "a.log")[1]) == 1
    record.legal.pop()
    assert (finding := check(record)) is not None
    assert finding.text == f"legal: expected {len(record.actions)} lists, found {len(record.actions) - 1}"


def test_packed_actions_that_can_not_be_played_are_reported(tmp_path: Path) -> None:
    """A writer does not check packed actions; verification does."""
    record = toy_record(0)
    right = entry_of(record).packed
    assert right
    for packed in (right + b"\1", right[:-1], b"", b"\xff" * 40, b"\0" + right, Seed(bytes(32)) + right):
        with LogWriter(tmp_path / "a.log", new=True) as log:
            log.append(toy_record(1))
            log.append(record, packed)
            log.append(toy_record(2))
        _, findings = verified(tmp_path / "a.log")
        assert len(findings) == 1
        assert findings[0].startswith("record 2: ")
        (tmp_path / "a.log").unlink()


def test_a_wrong_tournament_seed_is_detected() -> None:
    payload = payload_of(toy_record(0))
    payload[4] = 5  # another number, and with it another seed
    entry = codec.EntryReader().entry(msgspec.msgpack.encode(payload))
    assert check(entry) is not None


def test_records_around_damage_are_checked(write_toys: WriteToys) -> None:
    path = write_toys(*range(6))
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data[:-1])
    summary, findings = verified(path)
    assert (summary.records, len(findings)) == (5, 1)
    assert findings[0].startswith("record 6: it is cut off by the end of the file, as by a crash while it was written")


def test_a_summary_counts(write_toys: WriteToys) -> None:
    summary, _ = verified(write_toys(0, 1, 2))
    assert summary.records == 3
    assert summary.plies == sum(len(toy_record(number).actions) for number in range(3))


def test_an_unfinished_tournament_is_reported(tmp_path: Path) -> None:
    record = toy_record(0)
    record.meta["tournament"]["games"] = 12
    with LogWriter(tmp_path / "a.log") as log:
        log.append(record)
    assert verified(tmp_path / "a.log")[0].games == 12


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_processes_report_the_same_findings_in_the_same_order(
    write_toys: WriteToys, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    monkeypatch.setattr(verify_files, "_BATCH_DECISIONS", 60)
    path = write_toys(*range(30))
    with LogWriter(path) as log:
        for number in range(30):
            record = toy_record(number)
            if number % 4 == 3:
                record.result = GameResult([0, 0, 0], record.result.ranks, record.result.reason)
            log.append(record)
    flip_bit(path, -40)
    summary, findings = verified(path, jobs)
    assert summary.records == 59
    assert [int(finding.split()[1].rstrip(":,")) for finding in findings] == [34, 38, 42, 46, 50, 54, 58, 60]


# -- JSON lines ----------------------------------------------------------------------------------------------------


def test_a_line_that_is_not_a_record_is_a_finding(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    good = encode_record(toy_record(0))
    path.write_bytes(b"\n".join([b"", good, b"{}", b"rubbish", good[:-5], b"  ", good, b""]))
    summary, findings = verified(path)
    assert summary.records == 2
    assert [finding.split(": ")[:2] for finding in findings] == [
        [f"record {n}", "this is not a record"] for n in (2, 3, 4)
    ]


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"{rubbish", NotALog),
        (b'{"format":"fa-replay/2"}\n', NewerFormat),
        (b'  {"a": 1', NotALog),
        (b"[]", NotALog),
        (b"{" * 100_000, NotALog),
    ],
)
def test_a_file_that_is_neither(tmp_path: Path, content: bytes, error: type[FaError]) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    with pytest.raises(error, match=r"a\.jsonl: "):
        verified(path)


def test_a_json_file_of_something_else_is_bad(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"some": "thing"}))
    assert verified(path)[1] == ["record 1: this is not a record: Object contains unknown field `some`"]


def test_an_endless_line_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fa_cli.replay.jsonl.LONGEST_LINE", 5000)
    path = tmp_path / "a.jsonl"
    path.write_bytes(encode_record(toy_record(0)) + b"\n{" + b" " * 6000)
    with pytest.raises(LogError, match="line 2: a record is at most 5000 bytes"):
        verified(path)


def test_the_text_of_a_finding() -> None:
    assert str(Finding(2, "wrong")) == "record 3: wrong"
    assert str(Finding(2, "wrong", 57)) == "record 3, ply 57: wrong"
