"""docs/reference/commands.md has every command, option and exit code that there is, and no other."""

from __future__ import annotations

import re

from tests import command_pages
from tests.test_docs import PAGES

TEXT = command_pages.PAGE.read_text(encoding="utf-8")
EVERYWHERE = {"-h", "--help", "--help-all", "--home", "--quiet", "-q", "--debug"}
"""Options that every command takes; the page has them once."""


OF_DASK = {"--nthreads", "--host", "--no-dashboard", "--dashboard-address"}
OF_OTHERS = {"--help", "--privileged", "--cap-add", "--seconds"} | OF_DASK
"""Options of docker, of Dask and of the searcher; `--help` is click's own."""


def sections() -> dict[str, str]:
    """The text below each heading that is a command."""
    parts = re.split(r"^##+ (fa .*)\n", TEXT, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def options_on_the_page() -> dict[str, set[str]]:
    """By command, the options in the first column of its tables."""
    rows = {name: re.findall(r"^\| (`-.*?) \|", text, re.MULTILINE) for name, text in sections().items()}
    return {name: set(re.findall(r"`(-[\w-]+)", " ".join(cells))) for name, cells in rows.items()}


def options_of_the_commands() -> dict[str, set[str]]:
    """By command, the options that it declares and shows."""
    return {
        command.name: {
            name
            for each in command.parameters
            for name in (each.names[-1:] if each.option.unless else each.names)
            if not command.commands
        }
        - EVERYWHERE
        for command in command_pages.commands()
        if command.name != "fa"
    }


def test_commands_and_options_are_the_same_sets() -> None:
    assert options_on_the_page() == options_of_the_commands(), "run: make reference"


def test_every_exit_code_is_explained() -> None:
    assert set(map(int, re.findall(r"^\| (\d+) \|", TEXT, re.MULTILINE))) == command_pages.exit_codes_of_the_code()


def test_the_page_is_as_the_commands_declare() -> None:
    assert command_pages.page() == TEXT, "run: make reference"


def test_options_that_pages_name_exist() -> None:
    parameters = [each for command in command_pages.commands() for each in command.parameters]
    known = {name for each in parameters for name in each.names} | OF_OTHERS
    pages = [page for page in PAGES if page.name not in ("option-map.md", "CHANGELOG.md")]
    named = {page.name: set(re.findall(r"`(--[a-z][a-z-]*)", page.read_text(encoding="utf-8"))) for page in pages}
    assert {name: options - known for name, options in named.items() if options - known} == {}
