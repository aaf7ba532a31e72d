"""The games as a library: every example of docs/reference/library.md and of the docstrings is run."""

from __future__ import annotations

import doctest
from pathlib import Path
from types import ModuleType

import pytest

from fa_cli import games
from fa_cli.games import search
from tests.conftest import Fa

ROOT = Path(__file__).parent.parent


def test_the_examples_of_the_page(fa: Fa, tmp_path: Path) -> None:
    log = tmp_path / "example.log"
    fa("simulate", "manhattan", "--players", "2", "--games", "3", "--seed", "example", "-o", log)
    result = doctest.testfile(str(ROOT / "docs/reference/library.md"), module_relative=False, globs={"log": str(log)})
    assert result.attempted > 40
    assert result.failed == 0


@pytest.mark.parametrize("module", [games, search])
def test_the_examples_of_the_docstrings(module: ModuleType) -> None:
    result = doctest.testmod(module)
    assert result.attempted > 3
    assert result.failed == 0
