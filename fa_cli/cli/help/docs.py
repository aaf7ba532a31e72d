"""`fa docs`: the pages of the documentation, which the wheel contains as Markdown."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Annotated

from ...errors import UsageError
from ...option import Argument
from ...printing.terminal import print_line
from ...printing.text import did_you_mean
from . import explained
from .pages import _GROUPS, FOLDER, page_paths, show_markdown, title_of


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


def find_page(name: str) -> Path:
    """The page of this name. Raises UsageError."""
    pages = page_paths()
    if not pages:
        raise UsageError(f"the documentation is not installed: {FOLDER} not found")
    if name not in pages:
        raise UsageError(f"no page named {name!r}{did_you_mean(name, pages) or '; fa docs lists the pages'}")
    return pages[name]
