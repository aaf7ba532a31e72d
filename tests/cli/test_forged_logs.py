"""Logs that no tournament has written: one of them in logs/ spoils no command for the others."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fa_cli.game_result import Fault, FaultKind, GameResult
from fa_cli.games.seed import Seed
from fa_cli.replay.log_entry import entry_of
from fa_cli.replay.log_file import read_log
from fa_cli.replay.log_writer import write_new_log
from fa_cli.replay.record import Record, digest_of
from fa_cli.tournament.definition import load
from tests.conftest import Fa, assert_refused, thinned
from tests.damage import flip_bit
from tests.inside import fa as fa
from tests.inside import play_quietly
from tests.tournament.helpers import dice

Change = Callable[[Record], None]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    words = ("--game", "manhattan", "--players", "2", "--games", "2", "--name", "good")
    play_quietly(home, *dice(home / "bots", "a", "b"), *words)
    return home


@pytest.fixture
def home(played: Path, tmp_path: Path) -> Iterator[Path]:
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    yield tmp_path


def forge(home: Path, change: Change) -> Path:
    """A log of a tournament, of two records; the second one is changed."""
    first, second = (entry.record() for entry in read_log(home / "logs/good.log"))
    change(second)
    second.digest = digest_of(second)
    path = home / "logs/evil.log"
    write_new_log(path, [entry_of(first), entry_of(second)])
    return path


def with_result(scores: list[int], ranks: list[int]) -> Change:
    def change(record: Record) -> None:
        record.result = GameResult(scores, ranks, "end")

    return change


def with_players(*players: str) -> Change:
    def change(record: Record) -> None:
        record.players[:] = players

    return change


def with_fault(seat: int, ply: int) -> Change:
    def change(record: Record) -> None:
        record.faults.append(Fault(seat, ply, FaultKind.CRASH))

    return change


WRONG: dict[str, tuple[Change, str]] = {
    "scores": (with_result([1], [1, 2]), "it has 2 players, 2 ranks and 1 scores"),
    "ranks": (with_result([1, 2], [1]), "it has 2 players, 1 ranks and 2 scores"),
    "far ranks": (with_result([1, 2], [9, -9]), "its ranks go from -9 to 9, and it has 2 players"),
    "players": (with_players("a", "b", "c"), "it has 3 players, 2 ranks and 2 scores"),
    "seat": (with_fault(99, 0), "it has a fault of seat 99 at ply 0, and 2 players"),
    "ply": (with_fault(0, 1 << 60), f"it has a fault of seat 0 at ply {1 << 60}, and 2 players"),
}
READERS = [
    ("leaderboard",),
    ("leaderboard", "--by", "version"),
    ("leaderboard", "--option", "blocks=auto"),
    ("results",),
    ("compare", "a", "b"),
    ("ratings", "rebuild"),
]


@pytest.mark.parametrize("name", thinned(WRONG, 3))
def test_a_log_with_a_wrong_result_is_skipped_with_one_warning(fa: Fa, home: Path, name: str) -> None:
    before = {command: fa(*command).stdout for command in READERS}
    change, problem = WRONG[name]
    log = forge(home, change)
    sentence = f"{log.relative_to(home)}: record 2 is not that of a game: {problem}"
    for command in READERS:
        done = fa(*command)
        assert (done.returncode, done.stdout, done.stderr.count(sentence)) == (0, before[command], 1), done.stderr
        assert f"warning: {sentence}; the log is skipped\n" in done.stderr.replace("\n  ", " ")
    for command in (("leaderboard", "evil"), ("results", "evil"), ("report", "evil", "-o", "r")):
        done = fa(*command)
        assert (done.returncode, done.stderr) == (2, f"fa: {sentence}\n")


@pytest.mark.parametrize("command", READERS, ids=" ".join)
def test_an_empty_log_is_skipped(fa: Fa, home: Path, command: tuple[str, ...]) -> None:
    expected = fa(*command).stdout
    (home / "logs/empty.log").touch()
    done = fa(*command)
    assert (done.returncode, done.stdout) == (0, expected), done.stderr
    assert done.stderr.count("warning: logs/empty.log is skipped: it is empty\n") == 1
    assert fa("leaderboard", "empty").returncode == 2


REFUSING = [
    *(("show",), ("show", "--format", "json"), ("show", "--faults"), ("resume",), ("verify",), ("head",)),
    *(("sign", "--key", "key"), ("receipt", "--game", "1", "--key", "key", "-o", "r"), ("watch", "--once")),
    ("publish", "--key", "key", "-o", "public"),
]


@pytest.fixture
def secret(fa: Fa, home: Path) -> Seed:
    """The seed of the tournament `next`, which has no log yet, and a key."""
    pytest.importorskip("cryptography")
    words = ("--game", "manhattan", "--players", "2", "--games", "2", "--name", "next")
    assert fa("tournament", "run", *dice(home / "bots", "a", "b"), *words, "--define").returncode == 0
    assert fa("key", "x.org", "-o", "key").returncode == 0
    return load(home / "tournaments/next.json").seed


def test_a_log_of_another_tournament_is_refused_and_no_seed_told(fa: Fa, home: Path, secret: Seed) -> None:
    shutil.copy(home / "logs/good.log", home / "logs/next.log")
    before = sorted(home.rglob("*"))
    for command, *words in REFUSING:
        done = fa("tournament", command, "next", *words)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), (command, done.stderr)
        assert done.stderr.startswith("fa: logs/next.log: ") and 'found {"name":"good"' in done.stderr
        assert secret.hex() not in done.stderr and load(home / "tournaments/good.json").seed.hex() not in done.stderr
    assert sorted(home.rglob("*")) == before
    listed = {row["name"]: row["state"] for row in json.loads(fa("tournament", "list", "--format", "json").stdout)}
    assert listed == {"good": "finished", "next": "damaged"}


def test_games_of_another_tournament_reveal_no_seed(fa: Fa, home: Path, secret: Seed) -> None:
    assert fa("tournament", "resume", "next").returncode == 0
    log = home / "logs/next.log"
    own, _ = read_log(log)
    _, other = read_log(home / "logs/good.log")
    write_new_log(log, [own, other], replace=True)
    for command, *words in REFUSING:
        done = fa("tournament", command, "next", *words)
        assert done.returncode in (1, 2) or command == "watch" or "--faults" in words, command
        assert secret.hex() not in done.stdout + done.stderr, command
    assert not (home / "public").exists() and not (home / "r").exists()
    assert "seed hidden, as records are bad: " in fa("tournament", "verify", "next").stdout


@pytest.mark.parametrize(
    "command", [("replay", "find"), ("replay", "find", "--upsets"), ("report", "--format", "markdown")], ids=" ".join
)
def test_logs_that_can_not_be_read_are_skipped(fa: Fa, home: Path, command: tuple[str, ...]) -> None:
    expected, log = fa(*command).stdout, home / "logs/good.log"
    flip_bit(log, copy=home / "logs/damaged.log")
    flip_bit(log, 30, copy=home / "logs/first.log")
    (home / "logs/later.log").write_text("fa-log 9\n")
    (home / "logs/head.log").write_text("fa-l")
    (home / "logs/text.log").write_text("no log at all\n")
    (home / "logs/link.log").symlink_to("nothing")
    (home / "logs/folder.log").mkdir()
    done = fa(*command)
    assert (done.returncode, done.stdout) == (0, expected), done.stderr
    found = dict(re.findall(r"^warning: logs/(\w+)\.log: (.*); the log is skipped$", folded(done.stderr), re.MULTILINE))
    assert {name: cause[:20] for name, cause in found.items()} == {
        "damaged": "record 1: it was cha",
        "first": "record 1: it was cha",
        "later": "a later version of f",
        "head": "the file is cut off ",
        "text": "this is not a replay",
        "link": "No such file or dire",
        "folder": "this is not a regula",
    }


def folded(text: str) -> str:
    """The text without the breaks of its long lines."""
    return text.replace("\n  ", " ")


def test_a_broken_link_is_not_called_a_missing_tournament(fa: Fa, home: Path) -> None:
    (home / "logs/link.log").symlink_to("nothing")
    assert_refused(fa("replay", "find", "link"), "logs/link.log: No such file or directory\n")
