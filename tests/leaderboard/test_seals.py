"""Only rows that this user wrote are believed; forged, swapped, replayed and damaged ones are read from the logs."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fa_cli.errors import LogError
from fa_cli.game_result import By
from fa_cli.leaderboard import queries
from fa_cli.leaderboard.index import NAME, Index
from fa_cli.leaderboard.leaderboards import (
    Selection,
    head_to_head,
    leaderboard,
    read_selection,
)
from fa_cli.leaderboard.selected_results import SelectedResults
from fa_cli.replay.log_file import LogPosition, read_after
from fa_cli.tournament.definition import TournamentPaths
from fa_cli.tournament.proof import verified_prefix
from tests.conftest import further, thinned

from .tables import in_seats
from .test_leaderboards import Home
from .test_leaderboards import quick_ratings as quick_ratings

NAMED = "CAST(name AS TEXT) LIKE"
SEALED = ["log one.log", "results %", "value /leaderboard", "value one.log/leaderboard side", "value /rating%"]
FORGERIES = [
    *thinned(
        [
            f"UPDATE sealed SET value = SUBSTR(value, 1, LENGTH(value) - 1) || x'07' WHERE {NAMED} '{name}'"
            for name in SEALED
        ],
        4,
    ),
    f"UPDATE sealed SET value = x'00' WHERE {NAMED} 'log one.log'",
    *further(*(f"UPDATE sealed SET value = x'00' WHERE {NAMED} '{name}'" for name in SEALED[1:])),
    f"DELETE FROM sealed WHERE {NAMED} '% side'; "
    f"UPDATE sealed SET name = CAST(name || ' side' AS BLOB) WHERE {NAMED} '%/leaderboard'",
    f"DELETE FROM sealed WHERE {NAMED} 'results %' OR {NAMED} 'value %'",
    "CREATE TRIGGER more AFTER INSERT ON sealed BEGIN DELETE FROM sealed; END",
]


EXPECTED: dict[tuple[tuple[str, bytes], ...], list[Any]] = {}


def result_rows(results: SelectedResults) -> list[Any]:
    return list(queries.result_rows(results, lambda log, bot: ""))


def tables(folder: Path, warn: Callable[[str], None] = pytest.fail) -> list[Any]:
    """Every table, as plain values."""
    all_logs = Selection(folder, warn)
    one = all_logs._replace(logs=[folder / "one.log"])
    found: list[Any] = [leaderboard(each, by) for each in (all_logs, one) for by in (None, By.SIDE)]
    meetings = head_to_head(all_logs)[0].meetings
    found.append({pair: (vars(met.ahead), met.ties, met.points) for pair, met in meetings.items()})
    for read in (in_seats, queries.seat_values, queries.faults, queries.bot_faults, result_rows):
        found.append(read_selection(all_logs, read))
    return [repr(table) if isinstance(table, dict) else msgspec.to_builtins(table) for table in found]


def from_logs(folder: Path, target: Path) -> list[Any]:
    """The tables of the logs in a folder without their index: computed once, as most tests have the same logs."""
    logs = tuple((log.name, log.read_bytes()) for log in sorted(folder.glob("*.log")))
    if logs not in EXPECTED:
        target.mkdir()
        for name, content in logs:
            (target / name).write_bytes(content)
        EXPECTED[logs] = tables(target)
    return EXPECTED[logs]


def change(folder: Path, statements: str) -> None:
    """Change the index like somebody who knows no key."""
    with closing(sqlite3.connect(folder / NAME)) as file:
        file.executescript(f"BEGIN; {statements}; COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home") / "logs"


@pytest.fixture
def home(made: Path, tmp_path: Path) -> Home:
    """Two tournaments, whose tables were all computed: a copy, as they are computed once for all tests."""
    if not made.exists():
        made.mkdir()
        first = Home(made)
        first.play("one", 1, 14)
        first.play("two", 2, 9)
        tables(made)
    home = Home(shutil.copytree(made, tmp_path / "logs"))
    home.rng.seed(8)
    return home


@pytest.mark.parametrize("forgery", FORGERIES)
def test_forged_rows_are_replaced_from_the_logs(home: Home, tmp_path: Path, forgery: str) -> None:
    """In a copy, as after a download."""
    copy = tmp_path / "copy"
    shutil.copytree(home.folder, copy)
    change(copy, forgery)
    assert tables(copy, home.warnings.append) == from_logs(copy, tmp_path / "plain")
    assert home.warnings == [f"{copy / NAME} was damaged; it is rebuilt from the logs"]


def test_a_copy_by_the_same_user_is_believed(home: Home, tmp_path: Path) -> None:
    shutil.copytree(home.folder, tmp_path / "copy")
    assert tables(tmp_path / "copy") == tables(home.folder)


def test_the_index_of_another_user(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its rows are sealed, but with another key."""
    expected = from_logs(home.folder, tmp_path / "plain")
    with monkeypatch.context() as other:
        other.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
        (home.folder / NAME).unlink()
        tables(home.folder)
        with Index(home.folder / NAME) as index:
            index.put(b"value /leaderboard", index.values(b"value ")[b"/leaderboard"].replace(b"ann", b"bob"))
        assert tables(home.folder) != expected
    assert tables(home.folder, home.warnings.append) == expected
    assert home.warnings == [f"{home.folder / NAME} was not made by you on this machine; it is rebuilt from the logs"]


@pytest.mark.parametrize("kind", ["log", "results", "value"])
def test_values_of_two_logs_are_swapped(home: Home, tmp_path: Path, kind: str) -> None:
    """A value is believed under its own name alone."""
    with Index(home.folder / NAME) as index:
        ids = [index.logs()[name].state.id for name in ("one.log", "two.log")]
    names = [[f"{kind} ".encode() + end for end in ends] for ends in zip(*ENDS[kind](ids), strict=True)]
    with closing(sqlite3.connect(home.folder / NAME)) as file, file:
        for one, two in names:
            for before, after in ((one, b"-"), (two, one), (b"-", two)):
                file.execute("UPDATE sealed SET name = ? WHERE name = ?", (after, before))
    assert tables(home.folder, home.warnings.append) == from_logs(home.folder, tmp_path / "plain")
    assert len(home.warnings) == 1


ENDS: dict[str, Callable[[list[bytes]], list[list[bytes]]]] = {
    "log": lambda ids: [[b"one.log"], [b"two.log"]],
    "results": lambda ids: [[id + bytes(8)] for id in ids],
    "value": lambda ids: [[name + b"/leaderboard", name + b"/sums of bots"] for name in (b"one.log", b"two.log")],
}
"""The names of values of the first log and of the second one."""


@pytest.mark.slow
def test_values_of_an_older_copy(home: Home, tmp_path: Path) -> None:
    """Each with its seal; also all of them at once, which is an index that lacks games."""
    old, new = tmp_path / "old.sqlite", tmp_path / "new.sqlite"
    shutil.copyfile(home.folder / NAME, old)
    home.play("one", 1, 6)
    home.play("two", 2, 3)
    expected = tables(home.folder)
    assert expected == from_logs(home.folder, tmp_path / "plain")
    shutil.copyfile(home.folder / NAME, new)
    with closing(sqlite3.connect(old)) as file:
        names = [name for (name,) in file.execute("SELECT name FROM sealed")]
    for each in [*([name] for name in names), names]:
        shutil.copyfile(new, home.folder / NAME)
        with closing(sqlite3.connect(home.folder / NAME)) as file, file:
            file.execute("ATTACH ? AS old", (str(old),))
            for name in each:
                file.execute("REPLACE INTO sealed SELECT * FROM old.sealed WHERE name = ?", (name,))
        assert tables(home.folder, home.warnings.append) == expected, each


@pytest.mark.slow
def test_flipped_bytes_change_no_table(home: Home, tmp_path: Path) -> None:
    """One in each part of the file, so that none of its values is left out that is longer than two parts."""
    expected = from_logs(home.folder, tmp_path / "plain")
    path, rng = home.folder / NAME, random.Random(12)
    whole = path.read_bytes()
    step = len(whole) // 50
    for start in range(0, 50 * step, step):
        content, place = bytearray(whole), start + rng.randrange(step)
        content[place] ^= rng.randrange(1, 256)
        for file in home.folder.glob(f"{NAME}-*"):
            file.unlink()
        path.write_bytes(content)
        assert tables(home.folder, home.warnings.append) == expected, place
    assert set(home.warnings) <= {
        f"{path} {what}; it is rebuilt from the logs" for what in ("was damaged", "was not made by you on this machine")
    }


def test_a_forged_position_does_not_stop_verification(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The games of this log don't verify; only the user's own note that they do is believed."""
    place = TournamentPaths(tmp_path / "one.toml", home.folder / "one.log")
    end = [position for _, position in read_after(place.log, LogPosition())][-1]
    with pytest.raises(LogError, match="it is not resumed"):
        verified_prefix.check_whole(place)
    with sqlite3.connect(home.folder / NAME) as file:
        value = bytes(16) + msgspec.msgpack.encode(end)
        file.execute("INSERT INTO sealed VALUES (?, ?)", (b"verified one.log", value))
    file.close()
    with pytest.raises(LogError, match="it is not resumed"):
        verified_prefix.check_whole(place)
    (home.folder / NAME).unlink()
    with monkeypatch.context() as other:
        other.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
        verified_prefix.remember(place.log, end)
        verified_prefix.check_whole(place)
    with pytest.raises(LogError, match="it is not resumed"):
        verified_prefix.check_whole(place)
    (home.folder / NAME).unlink()
    verified_prefix.remember(place.log, end)
    verified_prefix.check_whole(place)


def test_many_processes_make_one_key(tmp_path: Path) -> None:
    """Nobody else may read it."""
    script = "from fa_cli.leaderboard.sealed_file import _user_key; print(_user_key().hex())"
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    started = [
        subprocess.Popen([sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(6)
    ]
    keys = {process.communicate()[0].strip() for process in started}
    (path,) = (tmp_path / "fa").iterdir()
    assert keys == {path.read_bytes().hex()}
    assert (len(path.read_bytes()), path.stat().st_mode & 0o777) == (32, 0o600)


def test_without_a_key_no_index_is_kept(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home.folder / NAME).unlink()
    expected = from_logs(home.folder, tmp_path / "plain")
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert tables(home.folder) == expected
    assert not (home.folder / NAME).exists()
