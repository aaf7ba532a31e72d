"""Records of long logs are found by offsets, which are checked and never needed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fa_cli.replay import block_offsets, codec
from fa_cli.replay.block_offsets import FIRST_LINE, offsets_file, position_before
from fa_cli.replay.log_entry import LogEntry
from fa_cli.replay.log_file import START, LogPosition, read_after, scan_log
from fa_cli.replay.log_writer import LogWriter
from fa_cli.replay.verify_files import verify_file
from tests.replay.conftest import WriteToys, toy_record

BLOCK = 2
BLOCKS = 10


@pytest.fixture(autouse=True)
def short_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "BLOCK", BLOCK)
    monkeypatch.setattr(block_offsets, "BLOCK", BLOCK)


@pytest.fixture
def log(write_toys: WriteToys) -> Path:
    return write_toys(*range(BLOCK * BLOCKS + 1))


def first_after(log: Path, position: LogPosition) -> int:
    """The index of the first record that is read from there."""
    found = next(scan_log(log, position))
    assert isinstance(found, LogEntry)
    assert found.record() == toy_record(found.index)
    return found.index


@pytest.mark.parametrize("index", range(BLOCK * BLOCKS + 1))
def test_a_record_is_found(log: Path, index: int) -> None:
    for _ in range(2):  # without the file, and with it
        position = position_before(log, index)
        assert position.index == index // BLOCK * BLOCK
        assert first_after(log, position) == position.index


def test_the_file_is_written_for_long_logs_alone(log: Path) -> None:
    position_before(log, BLOCK * 7)
    assert not offsets_file(log).exists()
    position_before(log, BLOCK * 8)
    assert len(offsets_file(log).read_bytes()) == len(FIRST_LINE) + 8 * 16
    position_before(log, BLOCK * 3)
    assert len(offsets_file(log).read_bytes()) == len(FIRST_LINE) + 8 * 16


def test_an_index_behind_the_end_leads_to_the_last_block(log: Path) -> None:
    assert position_before(log, 10**9).index == BLOCK * BLOCKS


def test_a_log_that_grows_has_more_blocks(log: Path) -> None:
    assert position_before(log, 10**9).index == BLOCK * BLOCKS
    with LogWriter(log) as writer:
        for number in range(BLOCK * BLOCKS + 1, BLOCK * (BLOCKS + 3)):
            writer.append(toy_record(number))
    assert position_before(log, 10**9).index == BLOCK * (BLOCKS + 3)
    assert first_after(log, position_before(log, BLOCK * (BLOCKS + 2))) == BLOCK * (BLOCKS + 2)


def test_a_log_that_was_replaced_is_read_again(log: Path, write_toys: WriteToys) -> None:
    position_before(log, 10**9)
    log.unlink()
    write_toys(*range(100, 100 + 2 * BLOCK * BLOCKS))
    position = position_before(log, BLOCK * 9)
    found = next(scan_log(log, position))
    assert isinstance(found, LogEntry)
    assert found.record() == toy_record(100 + BLOCK * 9)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: b"",
        lambda data: b"something else",
        lambda data: data[:-1],
        lambda data: data[: len(FIRST_LINE)],
        lambda data: data[: len(FIRST_LINE)] + bytes(len(data) - len(FIRST_LINE)),
        lambda data: data[: len(FIRST_LINE)] + b"\xff" * (len(data) - len(FIRST_LINE)),
        lambda data: data[: len(FIRST_LINE)] + data[len(FIRST_LINE) + 16 :] + data[-16:],  # other blocks' positions
        lambda data: data[: len(FIRST_LINE)] + data[-16:] * BLOCKS,
    ],
)
def test_a_file_that_is_wrong_is_not_believed(log: Path, change: object) -> None:
    assert callable(change)
    position_before(log, 10**9)
    good = offsets_file(log).read_bytes()
    offsets_file(log).write_bytes(change(good))
    for index in (BLOCK * 3, BLOCK * 9 + 1, BLOCK):
        assert first_after(log, position_before(log, index)) == index // BLOCK * BLOCK
    assert first_after(log, position_before(log, 10**9)) == BLOCK * BLOCKS


def test_positions_end_before_damage(log: Path) -> None:
    whole = [position for _, position in read_after(log, START)]
    data = bytearray(log.read_bytes())
    data[whole[9].end - 20] ^= 1  # in record 10, the second of a block
    log.write_bytes(data)
    assert position_before(log, 10**9) == whole[7]
    assert position_before(log, 5) == whole[3]


def test_verification_does_not_read_it(log: Path) -> None:
    position_before(log, 10**9)
    data = bytearray(log.read_bytes())
    data[100] ^= 1
    log.write_bytes(data)
    findings = []
    verify_file(log, findings.append)
    assert findings[0].index == 0
    assert first_after(log, position_before(log, BLOCK * 9)) == BLOCK * 9


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_folder_that_is_not_writable_is_read(log: Path) -> None:
    log.parent.chmod(0o500)
    try:
        assert first_after(log, position_before(log, BLOCK * 9)) == BLOCK * 9
    finally:
        log.parent.chmod(0o700)
    assert not offsets_file(log).exists()


def test_a_file_that_cannot_be_written_is_done_without(log: Path) -> None:
    offsets_file(log).mkdir()
    assert first_after(log, position_before(log, BLOCK * 9)) == BLOCK * 9
    assert {path.name for path in log.parent.iterdir()} == {log.name, offsets_file(log).name}


def test_a_private_log_has_a_private_file(log: Path) -> None:
    log.chmod(0o600)
    position_before(log, 10**9)
    assert offsets_file(log).stat().st_mode & 0o077 == 0
