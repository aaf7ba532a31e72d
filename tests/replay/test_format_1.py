"""Logs of format 1 are read, continued and copied. A development version wrote the sample."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from fa_cli.errors import LogError
from fa_cli.replay.frames import FIRST_LINE
from fa_cli.replay.jsonl import read_records
from fa_cli.replay.log_entry import entry_of
from fa_cli.replay.log_file import START, holds_position, read_after, read_log, starts_block
from fa_cli.replay.log_writer import LogWriter, write_new_log
from fa_cli.replay.record import Record, encode_record
from fa_cli.replay.verify_files import verify_file
from tests.replay.conftest import toy_record

DATA = Path(__file__).parent.parent / "data"
OLD = DATA / "format-1.log"
LINES = DATA / "format-1.jsonl"


def old_records() -> list[Record]:
    with LINES.open("rb") as file:
        return list(read_records(file, LINES.name))


def test_an_old_log_has_the_records_that_were_written() -> None:
    assert OLD.read_bytes().startswith(b"fa-log 1\n")
    assert [entry.record() for entry in read_log(OLD)] == old_records()
    findings = []
    summary = verify_file(OLD, findings.append)
    assert (summary.records, summary.bad) == (4, 1)
    assert str(findings[0]).startswith("record 4: digest: ")


def test_times_that_are_not_rounded_stay_exact() -> None:
    times = [entry.record().meta.get("times_us") for entry in read_log(OLD)]
    assert times[1] == [(7 * ply * ply) % 3001 for ply in range(120)]
    assert times[3] is None


def test_a_copy_has_the_format_of_today_and_the_bytes_of_an_import(tmp_path: Path) -> None:
    copy, imported = tmp_path / "copy.log", tmp_path / "imported.log"
    write_new_log(copy, read_log(OLD))
    write_new_log(imported, map(entry_of, old_records()))
    assert copy.read_bytes().startswith(FIRST_LINE)
    assert copy.read_bytes() == imported.read_bytes()
    assert [entry.record() for entry in read_log(copy)] == old_records()


def test_an_old_log_is_continued(tmp_path: Path) -> None:
    path = tmp_path / "old.log"
    shutil.copy(OLD, path)
    with LogWriter(path) as log:
        log.append(toy_record(4))
    with LogWriter(path) as log:
        log.append(toy_record(5))
        end = log.position
    assert path.read_bytes().startswith(OLD.read_bytes())
    assert [entry.record() for entry in read_log(path)] == [*old_records(), toy_record(4), toy_record(5)]
    assert holds_position(path, end)
    assert holds_position(path, end, whole_chain=True)
    assert [position.index for _, position in read_after(path, START)] == [1, 2, 3, 4, 5, 6]
    assert starts_block(START)


def test_an_empty_old_log_is_continued(tmp_path: Path) -> None:
    path = tmp_path / "old.log"
    path.write_bytes(b"fa-log 1\n")
    with LogWriter(path) as log:
        assert log.position == START
        log.append(toy_record(0))
    assert [entry.record() for entry in read_log(path)] == [toy_record(0)]


@pytest.mark.parametrize("offset", range(9, OLD.stat().st_size, 97))
def test_damage_of_an_old_log_is_located(tmp_path: Path, offset: int) -> None:
    path, data = tmp_path / "old.log", bytearray(OLD.read_bytes())
    data[offset] ^= 0x41
    path.write_bytes(data)
    with pytest.raises(LogError, match="fa replay verify"):
        list(read_log(path))


def test_the_lines_are_what_an_export_writes() -> None:
    lines = LINES.read_bytes().splitlines()
    assert [json.loads(encode_record(entry.record())) for entry in read_log(OLD)] == list(map(json.loads, lines))
