"""Reading a log from a position: earlier records are not read again, and a changed log is detected."""

from __future__ import annotations

from pathlib import Path

import pytest

from fa_cli.errors import LogError
from fa_cli.replay import codec
from fa_cli.replay.log_file import LogPosition, holds_position, read_after, read_log
from fa_cli.replay.log_writer import LogWriter
from tests.damage import flip_bit
from tests.replay.conftest import WriteToys, toy_record


@pytest.fixture(autouse=True)
def short_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "BLOCK", 4)


def positions_of(path: Path) -> list[LogPosition]:
    return [LogPosition(), *(position for _, position in read_after(path, LogPosition()))]


def test_reading_from_a_position_gives_the_remaining_entries(write_toys: WriteToys) -> None:
    path = write_toys(*range(11))
    positions = positions_of(path)
    assert [position.index for position in positions if codec.is_block_start(position.index)] == [0, 4, 8]
    whole = list(read_log(path))
    for position in positions[::4]:
        found = list(read_after(path, position))
        assert [entry for entry, _ in found] == whole[position.index :]
        assert [after for _, after in found] == positions[position.index + 1 :]


def test_entries_added_later_are_read(write_toys: WriteToys) -> None:
    path = write_toys(*range(8))
    position = positions_of(path)[8]
    assert list(read_after(path, position)) == []
    with LogWriter(path) as writer:
        writer.append(toy_record(8))
    assert [entry.index for entry, _ in read_after(path, position)] == [8]
    with path.open("ab") as file:
        file.write(b"\x20\x00\x00")
    assert [entry.index for entry, _ in read_after(path, position)] == [8]


def test_a_log_holds_its_positions_and_no_other_log_does(write_toys: WriteToys, tmp_path: Path) -> None:
    path = write_toys(*range(6))
    positions = positions_of(path)
    assert all(
        holds_position(path, position) and holds_position(path, position, whole_chain=True) for position in positions
    )
    other = tmp_path / "other.log"
    with LogWriter(other) as writer:
        for number in (1, 2, 3, 4, 5, 6):
            writer.append(toy_record(number))
    assert not any(
        holds_position(other, position) or holds_position(other, position, whole_chain=True)
        for position in positions[1:]
    )
    content = path.read_bytes()
    path.write_bytes(content[: positions[4].end])
    assert holds_position(path, positions[4])
    assert not holds_position(path, positions[5])
    assert not holds_position(path, positions[5], whole_chain=True)


def test_the_whole_chain_detects_a_changed_byte(write_toys: WriteToys) -> None:
    path = write_toys(*range(6))
    last = positions_of(path)[-1]
    flip_bit(path, 40)
    assert holds_position(path, last)
    assert not holds_position(path, last, whole_chain=True)


def test_another_log_can_not_be_read_from_the_position(write_toys: WriteToys, tmp_path: Path) -> None:
    position = positions_of(write_toys(*range(6)))[4]
    other = tmp_path / "other.log"
    with LogWriter(other) as writer:
        for number in range(1, 7):
            writer.append(toy_record(number))
    with pytest.raises(LogError, match=r"record 5: "):
        list(read_after(other, position))
