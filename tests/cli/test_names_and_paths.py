"""Commands take a tournament by its name or by the path of its file or log, and a log by its tournament's name."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.conftest import Fa, assert_refused
from tests.inside import fa as fa
from tests.inside import play_quietly
from tests.tournament.helpers import dice


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with bots, and a home with one tournament of them."""
    folder = tmp_path_factory.mktemp("played")
    play_quietly(folder / "other", *dice(folder / "bots", "a", "b"), "--games", "2", "--name", "spring")
    return folder


@pytest.fixture
def home(fa: Fa, tmp_path: Path, played: Path) -> Path:
    """A home with one tournament, beside the current folder."""
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    return tmp_path / "other"


COMMANDS = [
    ("tournament", "show"),
    ("tournament", "verify"),
    ("tournament", "head"),
    ("leaderboard",),
    ("results",),
    ("compare", "a", "b"),
    ("replay", "list"),
    ("replay", "show"),
    ("replay", "verify"),
    ("replay", "export"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_name_and_both_paths_give_the_same(fa: Fa, home: Path, command: tuple[str, ...]) -> None:
    by_name = fa("--home", home, *command, "spring")
    assert by_name.returncode == 0, by_name.stderr
    assert by_name.stdout
    paths = [home / "logs/spring.log", "other/logs/spring.log"]
    if command[0] != "replay":
        paths += [home / "tournaments/spring.json", "other/tournaments/spring.json"]
    for path in paths:
        done = fa(*command, path)
        assert (done.returncode, _anywhere(done.stderr, home)) == (0, _anywhere(by_name.stderr, home))
        assert _anywhere(done.stdout, home) == _anywhere(by_name.stdout, home)


def _anywhere(text: str, home: Path) -> str:
    """The text without the folder in which the home is, and without the time of day, which `head` prints."""
    return re.sub(r"T\d\d:\d\d:\d\dZ", "", text.replace(f"{home.parent}/", ""))


def test_a_tournament_is_resumed_by_its_path(fa: Fa, home: Path, tmp_path: Path) -> None:
    done = fa("tournament", "resume", home / "tournaments/spring.json", "--more", "2")
    assert done.returncode == 0, done.stderr
    assert f"fa --home {home} tournament show spring" in done.stderr
    assert not (tmp_path / "logs").exists()
    assert fa("tournament", "resume", "other/logs/spring.log", "--more", "2", "--jobs", "0").returncode == 0


def test_a_path_from_within_the_folder(fa: Fa, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home / "tournaments")
    assert fa("tournament", "head", "spring.json").returncode == 0
    monkeypatch.chdir(home / "logs")
    assert fa("tournament", "head", "spring.log").returncode == 0


WRONG = [
    (
        ("tournament", "show", "sprin"),
        "no tournament named sprin ({home}/tournaments/sprin.json not found); did you mean",
    ),
    (("leaderboard", "sprin"), "no tournament named sprin ({home}/logs/sprin.log not found); did you mean spring?"),
    (("replay", "show", "sprin"), "no tournament named sprin ({home}/logs/sprin.log not found); did you mean spring?"),
    (("tournament", "show", "x/spring.json"), "x/spring.json is not a tournament: its files are tournaments/NAME.json"),
    (("tournament", "show", "logs/spring.json"), "logs/spring.json is not a tournament"),
    (("tournament", "show", "x/logs/spring.log"), "no tournament named spring (x/tournaments/spring.json not found)"),
    (("tournament", "show", "x/"), "x/ is not a tournament"),
    (("tournament", "show", "/"), "/ is not a tournament"),
    (("replay", "show", "spring.log"), "spring.log: No such file or directory"),
]


@pytest.mark.parametrize(("args", "sentence"), WRONG, ids=[" ".join(args) for args, _ in WRONG])
def test_wrong_names_and_paths(fa: Fa, home: Path, args: tuple[str, ...], sentence: str) -> None:
    done = fa("--home", home, *args)
    assert_refused(done, sentence.format(home=home))


def test_a_tournament_without_a_game(fa: Fa, tmp_path: Path) -> None:
    assert fa("tournament", "run", "greedy", "random", "--define", "--name", "new").returncode == 0
    verbs = ("head", "sign --key key", "verify")
    for command in ("leaderboard", "results", "replay verify", *(f"tournament {verb}" for verb in verbs)):
        assert_refused(fa(*command.split(), "new"), "new has no games yet: play them with fa tournament resume new\n")
    shown = fa("tournament", "show", "new")
    assert shown.stdout.endswith("  log        logs/new.log\n")
    assert "seats: " not in shown.stderr


def test_a_file_comes_before_a_tournament_of_its_name(fa: Fa, home: Path, tmp_path: Path) -> None:
    (tmp_path / "spring").write_bytes((home / "logs/spring.log").read_bytes())
    assert "spring: 2 records" in fa("--home", home, "replay", "verify", "spring").stdout
    (tmp_path / "spring").unlink()
    (tmp_path / "spring").mkdir()
    assert f"{home}/logs/spring.log: 2 records" in fa("--home", home, "replay", "verify", "spring").stdout


def test_the_first_game_is_shown_by_default(fa: Fa, home: Path) -> None:
    first = fa("--home", home, "replay", "show", "spring")
    assert first.stdout == fa("--home", home, "replay", "show", "spring", "--game", "1").stdout
    assert first.stdout != fa("--home", home, "replay", "show", "spring", "--game", "2").stdout
