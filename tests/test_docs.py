"""What the pages tell people to type exists: every `fa ...` in them names a command and options that are there."""

from __future__ import annotations

import re
import shlex
import tomllib
from functools import cache
from pathlib import Path

import msgspec
import pytest

from fa_cli.cli.app import root
from fa_cli.cli.tournament import file_keys
from fa_cli.isolation.discovery import BotFile
from tests import options_table

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
CLUMSY = re.compile(
    r"nothing is said|goes without saying|\banew\b|\bgoes? on with\b|\b(?:is|are) (?:told|said)\b"
    r"|left out with a sentence|so many as|not all as they should|\bis no (?:bot|replay log)\b|\bwhat stands\b"
    r"|in the place of|\btells of\b|whom it may|tried out|\bnobody trusts\b|\bin the mean\b(?! rank)|\bbenched\b"
)
"""Turns of phrase that are not English, or that say less than a plain word."""
MEASURED = {"CHANGELOG.md", "bench.md"}
"""Pages that keep the words of their time: what was changed, and figures under the names of their benchmarks."""
YOUR_BOTS = {"first.py", "mine.py", "NAME.py"}
"""Files that pages name as examples."""


def commands_in(text: str) -> list[str]:
    """Every `fa ...` in backquotes or at the beginning of a line of code."""
    quoted = re.findall(r"`(?:\.venv/bin/)?(fa [^`\n]+)`", text)
    lines = re.findall(r"^(?:    |\$ )*(?:\.venv/bin/)?(fa [a-z].*)$", text, re.MULTILINE)
    return quoted + lines


def problem(line: str) -> str | None:
    """What is wrong with a command line, or None. Only names and options are looked at, not values."""
    command = root()
    words = shlex.split(line.partition(" | ")[0], comments=True)[1:]
    words = words[: words.index("--")] if "--" in words else words
    known = set()
    while command.commands:
        known |= {name for each in command.parameters for name in each.names}
        names = [word for word in words if not word.startswith("-")]
        if not names:
            break
        if names[0] not in command.commands:
            return f"no command {names[0]!r}"
        words.remove(names[0])
        command = command.child(names[0])
    known |= {name for each in command.parameters for name in each.names}
    unknown = [word for word in words if word.startswith("-") and word.split("=")[0] not in known]
    return f"no option {unknown[0]!r}" if unknown else None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_are_there(page: Path) -> None:
    wrong = {line: problem(line) for line in commands_in(page.read_text(encoding="utf-8"))}
    assert {line: sentence for line, sentence in wrong.items() if sentence} == {}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_rows_of_tables_have_the_cells_of_their_heading(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        heading, *rows = (re.sub(r"\\\|", "", row).count("|") for row in table.splitlines())
        assert set(rows) == {heading}, table


@pytest.mark.parametrize("line", ["fa gamse", "fa games --fromat json", "fa --bla"])
def test_a_wrong_line_is_seen(line: str) -> None:
    assert problem(line) is not None


def test_lines_are_found() -> None:
    text = "Say `fa games` or\n\n    .venv/bin/fa rules x  # that\n\n```\n$ fa games --format json\nfar away\n```\n"
    assert commands_in(text) == ["fa games", "fa rules x  # that", "fa games --format json"]


def test_the_table_of_options_is_that_of_their_declarations() -> None:
    (written,) = options_table.BLOCK.findall(options_table.PAGE.read_text(encoding="utf-8"))
    assert written == options_table.table(), "run: make reference"


@pytest.mark.parametrize("page", [page for page in PAGES if page.name not in MEASURED], ids=lambda page: page.name)
def test_no_clumsy_phrases(page: Path) -> None:
    text = " ".join(page.read_text(encoding="utf-8").split())
    assert [text[max(0, each.start() - 40) : each.end() + 40] for each in CLUMSY.finditer(text)] == []


@pytest.mark.parametrize("text", ["the index is made anew", "what it is told", "--bench: nothing is said"])
def test_a_clumsy_phrase_is_seen(text: str) -> None:
    assert CLUMSY.search(text)


def test_files_in_toml_have_keys_that_exist() -> None:
    blocks = {
        (page.name, text): tomllib.loads(text)
        for page in PAGES
        for text in re.findall(r"^```toml\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    }
    assert len(blocks) >= 3
    for (name, _), keys in blocks.items():
        if "bots" in keys:
            assert keys.keys() - file_keys.keys() == set(), f"{name}: keys of no option"
        else:
            msgspec.convert(keys, BotFile)


@cache
def python_files() -> list[str]:
    """The paths of all files that a page may name."""
    return [str(file) for folder in ("fa_cli", "tests", "bots") for file in (ROOT / folder).rglob("*.py")]


def unknown_modules(text: str) -> list[str]:
    """The Python files that a page names in backquotes and that do not exist, wherever their path begins."""
    named = re.findall(r"`([\w/]+\.py)`", text)
    return [name for name in named if not any(file.endswith(f"/{name}") for file in python_files())]


def test_modules_are_there() -> None:
    unknown = {page.name: unknown_modules(page.read_text(encoding="utf-8")) for page in (*PAGES, CONTRIBUTING)}
    assert {page: names for page, names in unknown.items() if set(names) - YOUR_BOTS} == {}


def test_an_unknown_module_is_seen() -> None:
    text = "`match/referee.py`, `run.py` and `fa_cli/bot.py`, not `match/house.py` or `nothing.py`"
    assert unknown_modules(text) == ["match/house.py", "nothing.py"]


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
