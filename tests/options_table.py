"""The table of options in docs/reference/tournaments.md, from their declarations.

`python -m tests.options_table` writes it.
"""

from __future__ import annotations

import re
from pathlib import Path

from fa_cli.cli.declared_options import choices, default_text, metavar_of
from fa_cli.cli.tournament.file_keys import keys
from fa_cli.option import DeclaredOption, Option
from fa_cli.tournament.request import for_formats

PAGE = Path(__file__).parent.parent / "docs/reference/tournaments.md"
BLOCK = re.compile(r"(?<=<!-- options -->\n).*?(?=<!-- /options -->\n)", re.DOTALL)


def table() -> str:
    """Every option with its default and what it means, in the order of the help."""
    rows = [
        f"| {_option(each)} | {_default(each)} | {_meaning(each)} |" for name, each in keys().items() if name != "bots"
    ]
    return "\n".join(["| option | default | meaning |", "| --- | --- | --- |", *rows]) + "\n"


def _option(each: DeclaredOption) -> str:
    name = each.option.unless or each.name
    if each.type is bool:
        return f"`--{name}`"
    # a `|` would end the cell
    return ", ".join(f"`--{name} {value}`" for value in (metavar_of(each.option) or _type(each)).split("|"))


def _type(each: DeclaredOption) -> str:
    return "WORD" if choices(each) else "NUMBER" if each.type is float else "TEXT"


def _default(each: DeclaredOption) -> str:
    value = default_text(each)
    return "" if value is None or isinstance(value, bool) else f"`{getattr(value, 'value', value)}`"


def _meaning(each: DeclaredOption) -> str:
    text = each.option.docs or _from_help(each.option)
    words = ", ".join(f"`{word}`" for word in choices(each) if f"`{word}`" not in text)
    formats = ", ".join(f"`{format}`" for format in each.option.formats)
    text += f"; {words}" if words else ""
    return f"{text} (only {formats})" if formats else text


def _from_help(option: Option) -> str:
    """The help as a part of a sentence; the formats that have the option follow it."""
    text = option.help.removeprefix(for_formats(option.formats, "").rstrip()).strip() if option.formats else option.help
    text = re.sub(r"\. \[default: (.+)\]$", r"; by default \1", text).rstrip(".")
    return re.sub(r"--[a-z-]+", r"`\g<0>`", text[:1].lower() + text[1:])


def main() -> None:
    """Write the table into the page."""
    PAGE.write_text(BLOCK.sub(lambda _: table(), PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
