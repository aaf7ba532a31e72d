"""docs/reference/messages.md, from the protocol's JSON Schema: `python -m tests.message_pages` writes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fa_cli.cli.games.whole_schema import whole_schema

PAGE = Path(__file__).parent.parent / "docs/reference/messages.md"
HEAD = """# Messages, field by field

<!-- Written by `make reference` from the protocol's JSON Schema: change the docstrings of the types instead. -->

Every type that `fa protocol schema` describes. [The bot protocol](protocol.md) explains when each message is sent.
Ignore unknown fields. A field with a default may be missing.
"""
MESSAGES = "The messages"
Schema = dict[str, Any]


def page() -> str:
    """The whole page: the messages, then the types of each game."""
    groups: dict[str, list[str]] = {}
    for name, definition in whole_schema()["$defs"].items():
        game, _, title = name.rpartition(".")
        groups.setdefault(game, []).append(_record(title, game, definition))
    headed = [
        f"## {game.replace('-', ' ').title() or MESSAGES}\n\n" + "\n".join(parts) for game, parts in groups.items()
    ]
    return "\n".join([HEAD, *headed])


def _record(title: str, game: str, definition: Schema) -> str:
    required = definition["required"]
    rows = [
        f"| `{name}` | {_type(field, game)} | {_meaning(field, name in required)} |\n"
        for name, field in definition["properties"].items()
    ]
    text = " ".join(definition.get("description", "").split())
    heading = f"{game} {title}".strip()
    return f"### {heading}\n\n{text}\n\n| field | type | meaning |\n| --- | --- | --- |\n{''.join(rows)}"


def _anchor(game: str, title: str) -> str:
    return f"{game}-{title}".strip("-").lower()


def _meaning(field: Schema, required: bool) -> str:
    text = " ".join(field.get("description", "").split()).replace("|", "\\|")
    if not required:
        text += f" Default: `{json.dumps(field['default'])}`." if "default" in field else " May be missing."
    return text.strip()


def _type(field: Schema, here: str) -> str:
    """A field's type in words; the types of other games than that of the section have the game's name."""
    if "$ref" in field:
        game, _, title = field["$ref"].removeprefix("#/$defs/").rpartition(".")
        return f"[{title if game == here else f'{title} ({game})'}](#{_anchor(game, title)})"
    if "anyOf" in field:
        return " or ".join(_type(each, here) for each in field["anyOf"])
    if "enum" in field:
        return ", ".join(f"`{word}`" for word in field["enum"])
    kind = field.get("type", "any")
    if kind == "array":
        return f"list of {_type(field['items'], here)}" if "items" in field else "list"
    if kind == "object" and "additionalProperties" in field:
        return f"object: name to {_type(field['additionalProperties'], here)}"
    return {"integer": "number"}.get(kind, kind)


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
