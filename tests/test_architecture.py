"""The tree in docs/explanation/architecture.md is the tree of fa_cli/."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs/explanation/architecture.md"


def drawn_paths() -> set[str]:
    """Every path of the drawing. A line may name several folders: what is drawn below it is in each of them."""
    drawing = PAGE.read_text(encoding="utf-8").split("```text\n")[1].split("```")[0]
    above: dict[int, list[str]] = {}
    paths: set[str] = set()
    for line in drawing.splitlines():
        depth = len(line) - len(line.lstrip())
        names = re.split(r"\s{3,}", line.strip())[0].split()
        above[depth] = [parent + name for parent in above.get(depth - 2, [""]) for name in names]
        paths.update(above[depth])
    return paths


def real_paths() -> set[str]:
    """Every module and page of the package, as the drawing writes it."""
    files = [str(file.relative_to(ROOT)) for ending in ("*.py", "*.md") for file in (ROOT / "fa_cli").rglob(ending)]
    hidden = ("__init__.py", "__main__.py")
    return {file for file in files if not file.endswith(hidden) or file == "fa_cli/games/__init__.py"}


def test_the_tree_of_the_page_is_the_real_tree() -> None:
    drawn = drawn_paths()
    assert real_paths() - drawn == set(), "these files are not drawn"
    games = [f"{folder.relative_to(ROOT)}/" for folder in (ROOT / "fa_cli/games").iterdir() if folder.is_dir()]
    exists: dict[str, bool] = {}  # a file drawn for all games exists if one game has it
    for path in drawn:
        game = next((folder for folder in games if path.startswith(folder)), "")
        key = f"GAME/{path.removeprefix(game)}" if game else path
        exists[key] = exists.get(key, False) or (ROOT / path).exists()
    assert [key for key, found in exists.items() if not found] == [], "these files do not exist"
