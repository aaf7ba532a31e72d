"""One module uses Typer's private parts, so a new version of Typer concerns only that module."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fa_cli.cli.framework.commands import hidden_options

ROOT = Path(__file__).parent.parent.parent.parent
ALLOWED = "fa_cli/cli/framework/click_compat.py"
PRIVATE = re.compile(
    r"^\s*(from|import) typer\.(?!main\b)\w|^\s*(from|import) click\b|\btyper\.(_\w|core|models)", re.M
)


def users() -> list[str]:
    """The modules that use private parts of Typer."""
    files = [file for folder in ("fa_cli", "tests", "bots") for file in (ROOT / folder).rglob("*.py")]
    me = Path(__file__)
    return [str(file.relative_to(ROOT)) for file in files if file != me and PRIVATE.search(file.read_text("utf-8"))]


def test_one_module_uses_private_parts() -> None:
    assert users() == [ALLOWED]


@pytest.mark.parametrize(
    "line", ["from typer._click import Context", "from typer.core import TyperGroup", "import click", "typer.models.X"]
)
def test_a_use_is_seen(line: str) -> None:
    assert PRIVATE.search(f"import typer\n{line}\n")


def test_public_parts_are_no_private_ones() -> None:
    assert not PRIVATE.search("import typer\ntyper.Option()\ntyper.main.get_group(app)\nfrom typer import Option\n")


def test_options_of_a_function_for_other_commands() -> None:
    def options(count: int = 1, loud: bool = False) -> None: ...

    found = hidden_options(options)
    assert [option.name for option in found] == ["count", "loud"]
