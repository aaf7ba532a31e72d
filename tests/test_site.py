"""The documentation site builds without a warning, has no dead link, and loads nothing from the network."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parent.parent
LOADED = {"script": "src", "img": "src", "source": "src", "iframe": "src", "link": "href"}
"""By element, the attribute whose target the browser loads."""


class Page(HTMLParser):
    """The links, loaded files and anchors of an HTML page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    @property
    def targets(self) -> list[str]:
        return self.links + self.loaded

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attributes}
        self.anchors |= {values[name] for name in ("id", "name") if values.get(name)}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if tag in LOADED and LOADED[tag] in values:
            self.loaded.append(values[LOADED[tag]])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built from a copy, because Zensical writes its cache beside the sources."""
    folder = tmp_path_factory.mktemp("docs")
    shutil.copytree(ROOT / "docs", folder / "docs")
    for file in (ROOT / "zensical.toml", *(ROOT / "fa_cli/games").glob("*/RULES.md")):
        copy = folder / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, copy)
    build = [sys.executable, "-m", "zensical", "build", "--strict"]
    done = subprocess.run(build, cwd=folder, capture_output=True, text=True, check=False, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Warning" not in done.stdout + done.stderr
    return folder / "site"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in site.rglob("*.html")}


def dead(target: str, page: Path, pages: dict[Path, Page]) -> str | None:
    """What is wrong with a link of a page, or None."""
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:
        return None if parts.scheme == "https" else f"{target} is not https"
    path = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not path.is_file():
        return f"{target} does not exist"
    if parts.fragment and path in pages and unquote(parts.fragment) not in pages[path].anchors:
        return f"{target}: no such heading"
    return None


@pytest.mark.slow
def test_links_lead_somewhere(site: Path, pages: dict[Path, Page]) -> None:
    assert len(pages) > 15
    problems = {
        str(path.relative_to(site)): found
        for path, page in pages.items()
        if path.name != "404.html" and (found := [each for link in page.targets if (each := dead(link, path, pages))])
    }
    assert problems == {}


def test_a_dead_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text(
        '<a href="b.html">b</a> <a href="#x">x</a> <a href="a.html#y">y</a> <h2 id="y">y</h2> <img src="c.png">'
    )
    pages = {page: Page(page)}
    assert [dead(link, page, pages) for link in pages[page].targets] == [
        "b.html does not exist",
        "#x: no such heading",
        None,
        "c.png does not exist",
    ]


@pytest.mark.slow
def test_nothing_is_loaded_from_elsewhere(site: Path, pages: dict[Path, Page]) -> None:
    loaded = {target for page in pages.values() for target in page.loaded}
    assert loaded
    assert {target for target in loaded if urlsplit(target).netloc} == set()
    styles = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert re.findall(r"(?:url\(|@import )[\"']?(?:https?:)?//[^)\"']+", styles) == []


def test_every_page_is_in_the_navigation() -> None:
    settings = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]
    files = [str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")]
    assert sorted(targets(settings["nav"])) == sorted(files)


def targets(nav: Any) -> Iterator[str]:
    """The pages that a part of the navigation names."""
    if isinstance(nav, str):
        yield nav
    else:
        for part in nav.values() if isinstance(nav, dict) else nav:
            yield from targets(part)


@pytest.mark.slow
def test_search_works_from_the_disk_without_a_network(site: Path, browser: Browser) -> None:
    requests: list[str] = []
    page = browser.new_page()
    page.on("request", lambda request: requests.append(request.url))
    for path in sorted(site.rglob("*.html")):
        page.goto(path.as_uri())
    page.goto((site / "index.html").as_uri())
    page.get_by_role("button", name="Search").first.click()
    page.get_by_role("combobox").or_(page.get_by_role("textbox")).first.fill("gauntlet")
    hit = page.locator("a[href*='tournaments.html']", has_text="Gauntlet").first
    hit.wait_for(timeout=20_000)
    hit.click()
    page.wait_for_url("**/tournaments.html*")
    page.close()
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:"))] == []
