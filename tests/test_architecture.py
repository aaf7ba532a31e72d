"""The drawing in docs/architecture.md names every file there is, and no file that there isn't."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def drawn() -> set[str]:
    """Every path of the drawing; a line may name several folders, whose contents below it are for each of them."""
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    above: dict[int, list[str]] = {}
    paths: set[str] = set()
    for line in text.split("```text\n")[1].split("```")[0].splitlines():
        depth = len(line) - len(line.lstrip())
        parents = above.get(depth - 2, [""])
        names = re.split(r"\s{3,}", line.strip())[0].split()
        above[depth] = [parent + name for parent in parents for name in names]
        paths.update(above[depth])
    return paths


def there() -> list[str]:
    """Every module and page of the package, as the drawing writes it."""
    files = [file for ending in ("*.py", "*.md") for file in (ROOT / "fa_cli").rglob(ending)]
    names = [str(file.relative_to(ROOT)) for file in files]
    hidden = ("__init__.py", "__main__.py")
    return sorted(name for name in names if not name.endswith(hidden) or name == "fa_cli/games/__init__.py")


@pytest.mark.parametrize("path", there())
def test_every_file_is_drawn(path: str) -> None:
    assert path in drawn()


def test_nothing_else_is_drawn() -> None:
    games = {str(folder.relative_to(ROOT)) + "/" for folder in (ROOT / "fa_cli/games").iterdir() if folder.is_dir()}
    shared: dict[str, bool] = {}  # a name drawn for all games, which one of them has at least
    for path in drawn():
        game = next((folder for folder in games if path.startswith(folder) and path != folder), None)
        key = f"GAME/{path.removeprefix(game)}" if game else path
        shared[key] = shared.get(key, False) or (ROOT / path).exists()
    assert [key for key, found in shared.items() if not found] == []
