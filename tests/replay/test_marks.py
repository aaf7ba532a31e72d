"""Reading on from a mark: what is known of a log need not be read again, and a changed log is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from fa_cli.errors import LogError
from fa_cli.replay import codec
from fa_cli.replay.log_file import LogPosition, LogWriter, holds, read_from, read_log, starts_block
from tests.replay.conftest import WriteToys, toy_record


@pytest.fixture(autouse=True)
def short_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "BLOCK", 4)


def marks_of(path: Path) -> list[LogPosition]:
    return [LogPosition(), *(mark for _, mark in read_from(path, LogPosition()))]


def test_reading_on_gives_what_reading_gives(write_toys: WriteToys) -> None:
    path = write_toys(*range(11))
    marks = marks_of(path)
    assert [mark.index for mark in marks if starts_block(mark)] == [0, 4, 8]
    whole = list(read_log(path))
    for mark in filter(starts_block, marks):
        found = list(read_from(path, mark))
        assert [entry for entry, _ in found] == whole[mark.index :]
        assert [after for _, after in found] == marks[mark.index + 1 :]


def test_what_is_added_later_is_read_on(write_toys: WriteToys) -> None:
    path = write_toys(*range(8))
    mark = marks_of(path)[8]
    assert list(read_from(path, mark)) == []
    with LogWriter(path) as writer:
        writer.append(toy_record(8))
    assert [entry.index for entry, _ in read_from(path, mark)] == [8]
    with path.open("ab") as file:
        file.write(b"\x20\x00\x00")
    assert [entry.index for entry, _ in read_from(path, mark)] == [8]


def test_a_mark_is_held_until_the_log_is_another(write_toys: WriteToys, tmp_path: Path) -> None:
    path = write_toys(*range(6))
    marks = marks_of(path)
    assert all(holds(path, mark) and holds(path, mark, wholly=True) for mark in marks)
    other = tmp_path / "other.log"
    with LogWriter(other) as writer:
        for number in (1, 2, 3, 4, 5, 6):
            writer.append(toy_record(number))
    assert not any(holds(other, mark) or holds(other, mark, wholly=True) for mark in marks[1:])
    content = path.read_bytes()
    path.write_bytes(content[: marks[4].end])
    assert holds(path, marks[4])
    assert not holds(path, marks[5])
    assert not holds(path, marks[5], wholly=True)


def test_a_changed_byte_is_noticed_by_the_whole_chain(write_toys: WriteToys) -> None:
    path = write_toys(*range(6))
    last = marks_of(path)[-1]
    content = bytearray(path.read_bytes())
    content[40] ^= 1
    path.write_bytes(content)
    assert holds(path, last)
    assert not holds(path, last, wholly=True)


def test_another_log_can_not_be_read_on(write_toys: WriteToys, tmp_path: Path) -> None:
    mark = marks_of(write_toys(*range(6)))[4]
    other = tmp_path / "other.log"
    with LogWriter(other) as writer:
        for number in range(1, 7):
            writer.append(toy_record(number))
    with pytest.raises(LogError, match=r"record 5: "):
        list(read_from(other, mark))
