"""Records of long logs are found without reading those before them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fa_cli.replay import codec, log_file
from fa_cli.replay.log_entry import LogEntry
from fa_cli.replay.log_file import START, LogPosition, position_before, read_after, scan_log
from fa_cli.replay.log_writer import LogWriter
from tests.damage import flip_bit
from tests.replay.conftest import WriteToys, toy_record

BLOCK = 2
BLOCKS = 10


@pytest.fixture(autouse=True)
def short_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "BLOCK", BLOCK)
    monkeypatch.setattr(log_file, "BLOCK", BLOCK)


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
    position = position_before(log, index)
    assert position.index == index // BLOCK * BLOCK
    assert first_after(log, position) == position.index


def test_an_index_behind_the_end_leads_to_the_last_block(log: Path) -> None:
    assert position_before(log, 10**9).index == BLOCK * BLOCKS


def test_a_log_that_grows_has_more_blocks(log: Path) -> None:
    assert position_before(log, 10**9).index == BLOCK * BLOCKS
    with LogWriter(log) as writer:
        for number in range(BLOCK * BLOCKS + 1, BLOCK * (BLOCKS + 3)):
            writer.append(toy_record(number))
    assert position_before(log, 10**9).index == BLOCK * (BLOCKS + 3)
    assert first_after(log, position_before(log, BLOCK * (BLOCKS + 2))) == BLOCK * (BLOCKS + 2)


def test_a_position_follows_damage_of_a_payload(log: Path) -> None:
    whole = [position for _, position in read_after(log, START)]
    flip_bit(log, whole[9].end - 20)  # in record 10, the second of a block
    assert position_before(log, BLOCK * 9) == whole[BLOCK * 9 - 1]
    assert first_after(log, position_before(log, BLOCK * 9)) == BLOCK * 9


def test_a_position_is_before_damage_of_a_length(log: Path) -> None:
    whole = [position for _, position in read_after(log, START)]
    flip_bit(log, whole[8].end)
    assert position_before(log, 10**9) == whole[7]
    assert position_before(log, 5) == whole[3]


def test_a_log_that_lacks_records_is_read_from_its_beginning(log: Path) -> None:
    whole = [position for _, position in read_after(log, START)]
    data = log.read_bytes()
    log.write_bytes(data[: whole[4].end] + data[whole[5].end :])
    assert position_before(log, BLOCK * 9) == START
    assert position_before(log, 3) == whole[1]
