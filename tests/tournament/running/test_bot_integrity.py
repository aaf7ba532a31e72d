"""Changes of bots between games: every one is found, and a bot without one is neither listed nor read again."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fa_cli.isolation.discovery import read_bot
from fa_cli.system import Signature
from fa_cli.tournament.running import bot_integrity
from fa_cli.tournament.running.bot_integrity import BotIntegrity

SECOND = 1_000_000_000
CHANGED = "was changed while games were played"


@pytest.fixture
def _hour_old(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that are written in the test are an hour old when they are examined."""
    now = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: now() + 3600 * SECOND)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bot with a build, whose objects are not a part of it, in a folder that a link leads to."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "first").mkdir()
    folder = tmp_path / "mine"
    folder.symlink_to("first")
    (folder / "bot.toml").write_text('command = "./bot"\nbuild = "cp bot.sh bot; chmod +x bot"\n')
    (folder / "bot.sh").write_text("#!/bin/sh\ncat\n")
    (folder / "data").mkdir()
    (folder / "data" / "book.txt").write_text("1")
    (folder / "mode").symlink_to("bot.sh")
    return folder


def forbid_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the bot is listed or read again")

    monkeypatch.setattr(bot_integrity, "file_entries", refuse)
    monkeypatch.setattr(bot_integrity, "read_bot", refuse)


@pytest.mark.usefixtures("_hour_old")
def test_an_unchanged_folder_is_not_listed_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    integrity = BotIntegrity({0: read_bot(folder)}, sandboxed=False)
    assert integrity.check([0]) == {}
    forbid_reading(monkeypatch)
    assert integrity.check([0, 0]) == {}


@pytest.mark.usefixtures("_hour_old")
def test_an_unchanged_file_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "first.py").write_text("print(1)\n")
    (tmp_path / "bot.py").symlink_to("first.py")
    integrity = BotIntegrity({0: read_bot(tmp_path / "bot.py")}, sandboxed=False)
    assert integrity.check([0]) == {}
    with monkeypatch.context() as patched:
        forbid_reading(patched)
        assert integrity.check([0]) == {}
    (tmp_path / "first.py").write_text("print(2)\n")
    assert integrity.check([0]) == {0: f"{CHANGED} (bot.py)"}


def replace_file(folder: Path) -> str:
    """By one of the same size and time."""
    status = (folder / "bot.sh").stat()
    (folder / "new").write_text("#!/bin/sh\ntac\n")
    (folder / "new").replace(folder / "bot.sh")
    os.utime(folder / "bot.sh", ns=(status.st_atime_ns, status.st_mtime_ns))
    return "bot.sh"


def write_in_place(folder: Path) -> str:
    """As many bytes, with the old time."""
    status = (folder / "data" / "book.txt").stat()
    (folder / "data" / "book.txt").write_text("2")
    os.utime(folder / "data" / "book.txt", ns=(status.st_atime_ns, status.st_mtime_ns))
    return "book.txt"


def add_file(folder: Path) -> str:
    (folder / "book.txt").write_text("1")
    return "book.txt"


def add_file_below(folder: Path) -> str:
    (folder / "data" / "more.txt").write_text("1")
    return "data, more.txt"


def remove_file(folder: Path) -> str:
    (folder / "data" / "book.txt").unlink()
    return "book.txt, data"


def rename_file(folder: Path) -> str:
    (folder / "data" / "book.txt").rename(folder / "data" / "old.txt")
    return "book.txt, data, old.txt"


def change_link(folder: Path) -> str:
    (folder / "mode").unlink()
    (folder / "mode").symlink_to("bot.toml")
    return "mode"


def add_empty_folder(folder: Path) -> str:
    (folder / "fast").mkdir()
    return "fast"


def lead_elsewhere(folder: Path) -> str:
    """To a copy with another file."""
    other = folder.parent / "second"
    other.mkdir()
    for name in ("bot.toml", "bot.sh"):
        (other / name).write_bytes((folder / name).read_bytes())
    folder.unlink()
    folder.symlink_to("second")
    return "book.txt, bot.sh, bot.toml ..."


CHANGES = (
    replace_file,
    write_in_place,
    add_file,
    add_file_below,
    remove_file,
    rename_file,
    change_link,
    add_empty_folder,
    lead_elsewhere,
)


@pytest.mark.usefixtures("_hour_old")
@pytest.mark.parametrize("change", CHANGES)
def test_every_change_of_a_known_folder_is_found(change: Callable[[Path], str], folder: Path) -> None:
    integrity = BotIntegrity({0: read_bot(folder)}, sandboxed=False)
    assert integrity.check([0]) == {}
    named = change(folder)
    assert integrity.check([0]) == {0: f"{CHANGED} ({named})"}
    assert integrity.check([0]) == {0: f"{CHANGED} ({named})"}


@pytest.mark.usefixtures("_hour_old")
def test_a_removed_bot_is_found(folder: Path) -> None:
    integrity = BotIntegrity({0: read_bot(folder)}, sandboxed=False)
    assert integrity.check([0]) == {}
    folder.unlink()
    assert integrity.check([0])[0].startswith(f"{CHANGED}, and is not a bot now: ")


@pytest.mark.usefixtures("_hour_old")
def test_what_is_no_part_of_the_bot_costs_one_reading(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of a compiler, version control, and times without a change: folders get other times by them."""
    (folder / ".git").mkdir()
    integrity = BotIntegrity({0: read_bot(folder)}, sandboxed=False)
    assert integrity.check([0]) == {}
    for touched in ("data/x.o", ".git/index", "bot.sh"):
        (folder / touched).touch()
        assert integrity.check([0]) == {}
        with monkeypatch.context() as patched:
            forbid_reading(patched)
            assert integrity.check([0]) == {}


def test_a_new_folder_is_listed_until_its_times_tell(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system whose clock has whole seconds, as some have: a second change leaves the folder's time as it is."""

    def coarse(status: os.stat_result) -> Signature:
        return status.st_ino, 0, status.st_mtime_ns // SECOND, status.st_ctime_ns // SECOND * SECOND

    monkeypatch.setattr(bot_integrity, "file_signature", coarse)
    integrity = BotIntegrity({0: read_bot(folder)}, sandboxed=False)
    assert integrity.check([0]) == {}
    (folder / "data" / "more.txt").write_text("1")
    assert "more.txt" in integrity.check([0])[0]


def test_a_new_folder_is_read_until_its_times_tell(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change within one tick of the clock, by a file of the same size."""
    now = time.time_ns()
    monkeypatch.setattr(bot_integrity, "file_signature", lambda status: (0, 0, now, now))
    integrity = BotIntegrity({0: read_bot(folder)}, sandboxed=False)
    assert integrity.check([0]) == {}
    write_in_place(folder)
    assert integrity.check([0]) == {0: f"{CHANGED} (mine)"}


def test_a_bot_checked_a_moment_ago_is_not_examined_before_a_game(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: seconds)
    integrity = BotIntegrity({0: read_bot(folder), 1: read_bot(folder)}, sandboxed=False)
    assert integrity.check_before([0]) == {}
    add_file(folder)
    assert integrity.check_before([0]) == {}
    assert integrity.check_before([0, 1]) == {1: CHANGED}
    assert integrity.check([0]) == {0: f"{CHANGED} (book.txt)"}
    seconds += 0.01
    assert integrity.check_before([0]) == {0: f"{CHANGED} (book.txt)"}
