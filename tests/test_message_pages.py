"""docs/reference/messages.md has every field of every message and observation."""

from __future__ import annotations

import re

from fa_cli.cli.games.whole_schema import whole_schema
from tests import message_pages

TEXT = message_pages.PAGE.read_text(encoding="utf-8")


def test_types_and_fields_are_the_same_sets() -> None:
    parts = re.split(r"^### ([\w -]+)\n", TEXT, flags=re.MULTILINE)
    shown = {
        name.replace(" ", "."): re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)
        for name, text in zip(parts[1::2], parts[2::2], strict=True)
    }
    schema = {name: list(definition["properties"]) for name, definition in whole_schema()["$defs"].items()}
    assert shown == schema, "run: make reference"


def test_the_page_is_as_the_types_declare() -> None:
    assert message_pages.page() == TEXT, "run: make reference"
