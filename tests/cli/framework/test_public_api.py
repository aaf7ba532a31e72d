"""`fa` uses Typer by its public API alone, so any later version of Typer will do."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import typer

ROOT = Path(__file__).parent.parent.parent.parent
PRIVATE = re.compile(r"^\s*(from|import) (typer\.|click\b)|\btyper\.(_\w|core\b|main\b|models\b|testing\b)", re.M)
NAMES = re.compile(r"\btyper\.(\w+)")
FILES = [file for folder in ("fa_cli", "tests", "bots", "tools") for file in (ROOT / folder).rglob("*.py")]
SOURCES = {str(file.relative_to(ROOT)): file.read_text("utf-8") for file in FILES if file != Path(__file__)}


def test_nothing_private_is_used() -> None:
    assert [name for name, source in SOURCES.items() if PRIVATE.search(source)] == []


def test_every_name_is_public() -> None:
    used = {name for path, source in SOURCES.items() if path.startswith("fa_cli/") for name in NAMES.findall(source)}
    assert used <= {"Argument", "Context", "Option", "Typer", "TyperException"}
    assert used <= set(dir(typer))


@pytest.mark.parametrize(
    "line", ["from typer._click import Context", "from typer.core import TyperGroup", "import click", "typer.models.X"]
)
def test_a_private_use_is_seen(line: str) -> None:
    assert PRIVATE.search(f"import typer\n{line}\n")


def test_no_module_is_faked() -> None:
    """No stand-ins for modules of other libraries."""
    assert [name for name, source in SOURCES.items() if name.startswith("fa_cli/") and "sys.modules[" in source] == []


def test_no_later_version_is_excluded() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert [each for each in project["dependencies"] if each.startswith("typer")] == ["typer>=0.28"]
