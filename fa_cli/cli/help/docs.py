"""`fa docs`: the pages of the documentation, which the wheel contains as Markdown."""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path
from typing import Annotated

from ...errors import UsageError
from ...option import Argument
from ...terminal import print_line
from . import explained

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


@explained(
    "index",
    ("List the pages", "fa docs"),
    ("Read about tournaments", "fa docs tournaments"),
)
def docs(
    page: Annotated[str | None, Argument("A page; without one, all are listed.", "[PAGE]")] = None,
) -> None:
    """Read the documentation: list its pages, or show one."""
    if page is not None:
        show_markdown(find_page(page).read_text(encoding="utf-8"))
        return
    pages = page_paths()
    width = max(map(len, pages), default=0)
    for folder, group in groupby(pages.items(), lambda page: page[1].parent):
        if folder != FOLDER:
            print()
        print_line(_GROUPS.get(folder.name, "Start here"))
        for name, path in group:
            print_line(f"  {name:{width}}  {title_of(path)}", hanging=width + 4)


def page_paths() -> dict[str, Path]:
    """The paths of the pages by name, in groups, the tutorial first. The rules of the games are in `fa rules`."""
    top = sorted(FOLDER.glob("*.md"), key=lambda path: (path.stem != "tutorial", path.stem))
    return {
        path.stem: path
        for path in (*top, *(path for folder in _GROUPS for path in sorted(FOLDER.glob(f"{folder}/*.md"))))
    }


def find_page(name: str) -> Path:
    """The page of this name. Raises UsageError."""
    from ...text import did_you_mean

    pages = page_paths()
    if not pages:
        raise UsageError(f"the documentation is not installed: {FOLDER} not found")
    if name not in pages:
        raise UsageError(f"no page named {name!r}{did_you_mean(name, pages) or '; fa docs lists the pages'}")
    return pages[name]


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
