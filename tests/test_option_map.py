"""docs/reference/option-map.md is the table of other tools' options."""

from __future__ import annotations

import re

from fa_cli.cli.help.foreign_options import FOREIGN_OPTIONS
from tests import option_map
from tests.test_docs import problem

TEXT = option_map.PAGE.read_text(encoding="utf-8")


def test_every_option_has_its_line() -> None:
    shown = re.findall(r"^\| `(.+?)` \| (?:`(.+?)`|no such option) \| (.*?) \|$", TEXT, re.MULTILINE)
    assert sorted(shown) == sorted((row.option, row.ours, row.note) for row in FOREIGN_OPTIONS), "run: make reference"


def test_our_options_exist() -> None:
    assert {row.ours: wrong for row in FOREIGN_OPTIONS if row.ours and (wrong := problem(row.ours))} == {}


def test_the_page_is_as_the_table_declares() -> None:
    assert option_map.page() == TEXT, "run: make reference"
