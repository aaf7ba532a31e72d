"""The pages of the documentation, which the wheel contains as Markdown."""

from __future__ import annotations

import sys
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[2]
_IN_WHEEL = _PACKAGE / "docs"  # setup.py puts them there
FOLDER = _IN_WHEEL if _IN_WHEEL.is_dir() else _PACKAGE.parent / "docs"
_GROUPS = {
    "how-to": "How-to guides",
    "reference": "Reference",
    "explanation": "Explanation",
    "notes": "Project notes",
}
"""The folders of pages in the order of the list, with their headings."""


def page_paths() -> dict[str, Path]:
    """The paths of the pages by name, in groups, the tutorial first. The rules of the games are in `fa rules`."""
    top = sorted(FOLDER.glob("*.md"), key=lambda path: (path.stem != "tutorial", path.stem))
    return {
        path.stem: path
        for path in (*top, *(path for folder in _GROUPS for path in sorted(FOLDER.glob(f"{folder}/*.md"))))
    }


def title_of(path: Path) -> str:
    """The page's first heading."""
    with path.open(encoding="utf-8") as file:
        return next((line[2:].strip() for line in file if line.startswith("# ")), "")


def show_markdown(text: str) -> None:
    """Print Markdown: on a terminal formatted and by pages, elsewhere as it is."""
    if not sys.stdout.isatty():
        print(text, end="")
        return
    from rich.console import Console

    from ...play.rulebook import renderable

    console = Console()
    with console.pager():
        console.print(renderable(text))
