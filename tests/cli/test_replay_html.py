"""`fa replay html`: the games it chooses, the page it writes, and wrong input."""

from __future__ import annotations

import gzip
import json
import os
import re
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from fa_cli.cli import app
from fa_cli.replay.log_entry import entry_of
from fa_cli.replay.log_writer import write_new_log
from tests.viewer.games import MARKUP, recorded, with_fault

Out = pytest.CaptureFixture[str]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Three short games of Manhattan, the second with a fault."""
    path = tmp_path / "games.log"
    records = [recorded("manhattan", 2, "a"), with_fault(recorded("manhattan", 3, "b")), recorded("manhattan", 4, "c")]
    write_new_log(path, map(entry_of, records))
    return path


def html(capsys: Out, *args: str | Path) -> tuple[int, str, str]:
    code = app.run(["replay", "html", *map(str, args)])
    done = capsys.readouterr()
    return code, done.out, done.err


def data(page: Path) -> dict[str, Any]:
    (packed,) = re.findall(r'<script type="application/gzip" id="data">([^<]*)<', page.read_text(encoding="utf-8"))
    unpacked: dict[str, Any] = json.loads(gzip.decompress(b64decode(packed)))
    return unpacked


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], [1]),
        (["--all"], [1, 2, 3]),
        (["--game", "2"], [2]),
        (["--game", "3", "--game", "1"], [1, 3]),
        (["--game", "2-3"], [2, 3]),
    ],
)
def test_games_are_chosen(log: Path, tmp_path: Path, capsys: Out, options: list[str], expected: list[int]) -> None:
    page = tmp_path / "game.html"
    code, out, err = html(capsys, log, "-o", page, *options)
    assert (code, out) == (0, "")
    assert re.fullmatch(rf"wrote {len(expected)} games? to {re.escape(str(page))} \(\d+ kB\)\n", err)
    assert data(page)["record"] == expected
    if "--all" in options:
        before = page.read_bytes()
        assert html(capsys, log, "-o", page, *options)[0] == 0
        assert page.read_bytes() == before, "the same page again"


def test_a_page_of_one_seat(log: Path, tmp_path: Path, capsys: Out) -> None:
    page = tmp_path / "game.html"
    assert html(capsys, log, "--game", "2", "--seat", "1", "-o", page)[0] == 0
    assert data(page)["seat"] == 1
    assert data(page)["hands"] == [[]]


def test_text_of_bots_is_escaped(log: Path, tmp_path: Path, capsys: Out) -> None:
    page = tmp_path / "game.html"
    html(capsys, log, "--game", "2", "-o", page)
    text = page.read_text(encoding="utf-8")
    assert text.count("</script>") == 2 and "\u202e" not in text and "\u2028" not in text
    unpacked = json.dumps(data(page)["sentences"], ensure_ascii=False)
    assert MARKUP not in unpacked and "</script><b>\\\\u2028\\\\u202e&amp;" in unpacked


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["--game", "4"], "{log}: no record 4: the log has 3 records"),
        (["--game", "2-5"], "{log}: no record 5: the log has 3 records"),
        (["--game", "x"], "invalid --game 'x': use a game's number from 1, such as 7, or a range, such as 3-9"),
        (["--game", "0"], "invalid --game '0': use a game's number from 1, such as 7, or a range, such as 3-9"),
        (["--game", "1", "--all"], "choose games with --game or with --all, not with both"),
        (["--game", "1", "--seat", "2"], "game 1 has no seat 2: its seats are 0 to 1"),
    ],
)
def test_wrong_choices(log: Path, tmp_path: Path, capsys: Out, args: list[str], sentence: str) -> None:
    page = tmp_path / "game.html"
    assert html(capsys, log, "-o", page, *args) == (2, "", f"fa: {sentence.format(log=log)}\n")
    assert not page.exists()


def test_wrong_files(log: Path, tmp_path: Path, capsys: Out) -> None:
    before = log.read_bytes()
    assert html(capsys, log, "--all", "-o", log) == (
        2,
        "",
        f"fa: {log} exists and is not an HTML page: choose another name\n",
    )
    assert log.read_bytes() == before
    folder = tmp_path / "folder"
    code, _, err = html(capsys, log, "--all", "-o", folder / "x.html")
    assert (code, err) == (2, f"fa: cannot write {folder / 'x.html'}: No such file or directory\n")
    folder.mkdir()
    code, _, err = html(capsys, log, "--all", "-o", folder)
    assert (code, err) == (2, f"fa: {folder} is a folder: name a file, for example {folder / 'game.html'}\n")
    code, _, err = html(capsys, tmp_path / "none.log", "--all", "-o", tmp_path / "x.html")
    assert code == 2 and "none.log" in err and err.count("\n") == 1
    (tmp_path / "text.log").write_text("hello")
    code, _, err = html(capsys, tmp_path / "text.log", "--all", "-o", tmp_path / "x.html")
    assert code == 2 and "text.log" in err and err.count("\n") == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written(log: Path, tmp_path: Path, capsys: Out) -> None:
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o500)
    code, _, err = html(capsys, log, "--all", "-o", folder / "x.html")
    assert (code, err) == (2, f"fa: cannot write {folder / 'x.html'}: Permission denied\n")


def test_a_bad_record_is_shown_up_to_there_with_a_warning(tmp_path: Path, capsys: Out) -> None:
    log, page = tmp_path / "bad.log", tmp_path / "bad.html"
    record = recorded("manhattan")
    record.actions[9] = "pass"
    write_new_log(log, [entry_of(record)])
    code, _, err = html(capsys, log, "-o", page)
    assert code == 0
    assert err.startswith(f"warning: {log}: game 1: This record is bad at ply 9: 'pass' is no")
    assert len(data(page)["movers"][0]) == 10
    assert data(page)["problem"][0].startswith("This record is bad at ply 9")


def test_a_damaged_record_is_left_out_with_a_warning(log: Path, tmp_path: Path, capsys: Out) -> None:
    page = tmp_path / "game.html"
    log.write_bytes(log.read_bytes()[:-5])
    code, _, err = html(capsys, log, "--all", "-o", page)
    assert code == 0
    assert err.startswith(f"warning: {log}: game 3 is skipped: it is cut off by the end of the file")
    assert (data(page)["record"], data(page)["unreadable"]) == ([1, 2], [3])
    code, _, err = html(capsys, log, "--game", "3", "-o", page)
    assert (code, err.splitlines()[-1]) == (2, f"fa: {log}: none of these games can be shown")


def test_a_record_that_cannot_be_dealt_is_left_out(tmp_path: Path, capsys: Out) -> None:
    log = tmp_path / "bad.log"
    record = recorded("manhattan")
    record.options["blocks"] = "seven"
    write_new_log(log, [entry_of(record)])
    code, _, err = html(capsys, log, "-o", tmp_path / "x.html")
    assert code == 2
    assert "option blocks is" in err and err.splitlines()[-1] == f"fa: {log}: none of these games can be shown"


def test_a_private_log_gives_a_private_page(log: Path, tmp_path: Path, capsys: Out) -> None:
    log.chmod(0o600)
    html(capsys, log, "-o", tmp_path / "x.html")
    assert (tmp_path / "x.html").stat().st_mode & 0o077 == 0
