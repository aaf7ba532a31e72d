"""Every bot that a page shows passes `fa bot check`, without a warning.

tests/test_tutorial.py checks those of the tutorial, and so that of the README, which is one of them.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from . import tutorial
from .conftest import Fa
from .inside import fa as fa

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
TOOLS = {"python": ("py", "python3"), "javascript": ("js", "node"), "bash": ("sh", "bash"), "perl": ("pl", "perl")}
"""By language of a code block: the extension of its file, and what runs it."""
SPEAKS = re.compile(r"\brun\(choose|sys\.stdin|process\.stdin|<STDIN>|^run\(", re.MULTILINE)
"""What a whole bot has, whichever way it reads the protocol."""
RULE = re.compile(r"^case \[", re.MULTILINE)
"""The beginning of a rule that goes into the bot of `fa bot new`."""
IN_FRONT = '        case ["skyscrapers"]:'

Sample = tuple[str, str, str]
"""Page and line, language, text."""


def blocks() -> list[Sample]:
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for block in BLOCK.finditer(text):
            line = text.count("\n", 0, block.start()) + 1
            found.append((f"{page.name}:{line}", block[1], block[2]))
    return found


IN_TUTORIAL = {each["text"] for each in tutorial.BLOCK.finditer(tutorial.PAGE.read_text("utf-8")) if each["file"]}
BOTS = [
    sample for sample in blocks() if sample[1] in TOOLS and SPEAKS.search(sample[2]) and sample[2] not in IN_TUTORIAL
]
RULES = [sample for sample in blocks() if RULE.search(sample[2])]


def passes(fa: Fa, bot: Path) -> None:
    done = fa("bot", "check", bot, "--games", "1", "--move-time", "10s", "--format", "json")
    assert done.returncode == 0, done.stdout + done.stderr
    problems = [(row["what"], row["found"]) for row in json.loads(done.stdout) if not row["passed"]]
    assert problems == []


def test_all_samples_are_found() -> None:
    assert [(where.split(":")[0], language) for where, language, _ in BOTS] == [
        ("another-language.md", "perl"),
        ("protocol.md", "python"),
        ("protocol.md", "javascript"),
        ("protocol.md", "python"),
    ]
    assert [where.split(":")[0] for where, _, _ in RULES] == ["write-a-bot.md"]


@pytest.mark.slow
@pytest.mark.parametrize(("where", "language", "text"), BOTS, ids=[where for where, _, _ in BOTS])
def test_the_bot_passes(where: str, language: str, text: str, fa: Fa, tmp_path: Path) -> None:
    extension, tool = TOOLS[language]
    if not shutil.which(tool):
        pytest.skip(f"{tool} is not installed")
    path = tmp_path / f"mine.{extension}"
    path.write_text(text, encoding="utf-8")
    passes(fa, path)


@pytest.mark.slow
@pytest.mark.parametrize(("where", "language", "text"), RULES, ids=[where for where, _, _ in RULES])
def test_the_kit_with_the_rule_passes(where: str, language: str, text: str, fa: Fa, tmp_path: Path) -> None:
    assert fa("bot", "new", "mine", "--lang", language).returncode == 0
    path = tmp_path / "mine" / "bot.py"
    kit = path.read_text(encoding="utf-8")
    rule = "".join(f"        {line}\n" for line in text.splitlines())
    assert kit.count(IN_FRONT) == 1
    path.write_text(kit.replace(IN_FRONT, rule + IN_FRONT), encoding="utf-8")
    passes(fa, tmp_path / "mine")
