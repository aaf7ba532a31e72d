"""`fa bot new`: a new folder, or one sentence if it can't be created."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from fa_cli.kits.languages import LANGUAGES
from tests.conftest import Fa, assert_refused
from tests.inside import fa as fa


@pytest.mark.parametrize("lang", ["python", "rust"])
def test_a_folder_is_made(fa: Fa, tmp_path: Path, lang: str) -> None:
    done = fa("bot", "new", "some/mine", "--lang", lang)
    assert (done.returncode, done.stderr) == (0, "")
    assert "fa bot check some/mine" in done.stdout and "fa tournament run some/mine" in done.stdout
    language = LANGUAGES[lang]
    folder = tmp_path / "some" / "mine"
    assert (folder / language.main).is_file() and (folder / language.types).is_file()
    about = tomllib.loads((folder / "bot.toml").read_text())
    assert about["name"] == "mine" and about["command"] == language.command
    assert about["games"] == ["fifth-avenue", "manhattan", "new-york"] and about["description"]
    assert about.get("build", "") == language.build
    readme = (folder / "README.md").read_text()
    assert len(readme.splitlines()) == 10 and "fa bot check some/mine" in readme


@pytest.mark.parametrize(
    ("name", "lang", "sentence"),
    [
        ("mine", "cobol", "no language 'cobol'; the languages are python, javascript, typescript"),
        ("-mine", "go", "invalid name '-mine': logs allow the letters a to z"),
        ("", "go", "invalid name '.': logs allow the letters a to z"),
        ("my bot", "go", "invalid name 'my bot': logs allow the letters a to z"),
        ("there", "go", "there: it exists already and is not overwritten"),
        ("file/mine", "go", "cannot write file/mine: Not a directory"),
    ],
)
def test_what_can_not_be(fa: Fa, tmp_path: Path, name: str, lang: str, sentence: str) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "file").touch()
    done = fa("bot", "new", "--lang", lang, "--", name)
    assert_refused(done, sentence)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "there"]


def test_llm_is_no_language(fa: Fa) -> None:
    assert_refused(fa("bot", "new", "x", "--lang", "cobol"), within="java, bash; llm asks a language model")


def test_a_bot_that_asks_a_model_gets_time(fa: Fa, tmp_path: Path) -> None:
    """By the default clock its provider would be too slow, and a check would be 30 paid games."""
    done = fa("bot", "new", "my bots/talker", "--lang", "llm")
    for text in (done.stdout, (tmp_path / "my bots/talker/README.md").read_text()):
        assert "fa match 'my bots/talker' greedy" in text and text.count(" --move-time 2m") == 2


def test_a_missing_tool_is_named(fa: Fa, tmp_path: Path) -> None:
    done = fa("bot", "new", "mine", "--lang", "go", PATH=str(tmp_path))
    assert done.returncode == 0
    assert "it needs go, not found on this machine" in done.stdout
