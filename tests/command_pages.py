"""docs/reference/commands.md, from the commands themselves: `python -m tests.command_pages` writes it."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterator
from pathlib import Path

import typer

from fa_cli import errors
from fa_cli.cli.app import EXIT_INTERNAL, EXIT_PIPE, app
from fa_cli.cli.click_compat import Command, Context, HelpFormatter, TyperGroup
from fa_cli.cli.help import GENERAL, Explanation
from fa_cli.cli.help.page import write_help

DOCS = Path(__file__).parent.parent / "docs"
PAGE = DOCS / "reference/commands.md"
HEAD = """# Commands

<!-- Written by `make reference` from the commands themselves: change the help texts in fa_cli/cli instead. -->

With `--help` a command prints the same text. These options work before and after each command's name:

"""
EXIT_CODES = {
    0: "success",
    1: "the command worked, and what it checked is wrong: a bad log, a failed requirement, another action",
    2: "wrong usage or unreadable input; output that can't be written; too little memory or too few open files",
    3: "interrupted; finished games are kept",
    EXIT_INTERNAL: "an error in `fa` itself: run the command again with `--debug` and report the traceback",
    EXIT_PIPE: "the reader of the output went away, as `head` does",
}
"""What each exit code means."""
Row = tuple[str, str]


class Collector(HelpFormatter):
    """Takes the help of a command apart: usage and the rows of each section."""

    def __init__(self) -> None:
        super().__init__()
        self.usage = ""
        self.sections: dict[str, list[Row]] = {}

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        self.usage = f"{prog} {args}".strip()

    def write_heading(self, heading: str) -> None:
        self.sections[heading] = []

    def write_dl(self, rows: list[Row], col_max: int = 30, col_spacing: int = 2) -> None:
        list(self.sections.values())[-1].extend((name.strip(), text) for name, text in rows)


def exit_codes_of_the_code() -> set[int]:
    """Every exit code that the command line can end with."""
    classes = [each for _, each in inspect.getmembers(errors, inspect.isclass) if issubclass(each, errors.FaError)]
    return {0, EXIT_INTERNAL, EXIT_PIPE} | {each.exit_code for each in classes}


def commands() -> Iterator[tuple[str, Command, Context]]:
    """Every command and group with its full name and context, in the order of the help."""
    root: Command = typer.main.get_group(app)
    yield from _below("fa", root, Context(root, info_name="fa", help_option_names=["-h", "--help"]))


def _below(name: str, command: Command, context: Context) -> Iterator[tuple[str, Command, Context]]:
    yield name, command, context
    if isinstance(command, TyperGroup):
        for each in command.list_commands(context):
            child = command.get_command(context, each)
            assert child is not None
            if not child.hidden:
                yield from _below(f"{name} {each}", child, Context(child, parent=context, info_name=each))


def page() -> str:
    """The whole page."""
    _, *rest = commands()
    general = _help(*rest[-1][1:]).sections[GENERAL]
    parts = [HEAD + _table("option", general), "`fa --version` prints the version.\n", _exit_codes()]
    return "\n".join(parts + [_section(name, command, context) for name, command, context in rest])


def _exit_codes() -> str:
    rows = [f"| {code} | {meaning} |\n" for code, meaning in EXIT_CODES.items()]
    return "## Exit codes\n\n| code | meaning |\n| --- | --- |\n" + "".join(rows)


def _help(command: Command, context: Context) -> Collector:
    collector = Collector()
    write_help(command, context, collector)
    return collector


def _section(name: str, command: Command, context: Context) -> str:
    """A heading, the help, the parameters and the examples of a command; of a group only heading and help."""
    level = "##" if name.count(" ") == 1 else "###"
    parts = [f"{level} {name}\n\n{_prose(command.help or '')}\n"]
    if not isinstance(command, TyperGroup):
        found = _help(command, context)
        parts.append(f"```text\n{found.usage}\n```\n")
        parts += [_table(_heading(title), rows) for title, rows in found.sections.items() if title != GENERAL and rows]
    if explanation := getattr(command.callback, "explanation", None):
        parts.append(_examples(explanation))
    return "\n".join(parts)


def _heading(title: str) -> str:
    return {"Arguments": "argument", "Options": "option"}.get(title, title)


def _examples(explanation: Explanation) -> str:
    lines = "\n\n".join(f"# {purpose}\n{line}" for purpose, line in explanation.examples)
    (path,) = DOCS.rglob(f"{explanation.page}.md")
    title = path.read_text(encoding="utf-8").partition("# ")[2].partition("\n")[0]
    return f"```sh\n{lines}\n```\n\nMore: [{title}]({os.path.relpath(path, PAGE.parent)})\n"


def _prose(text: str) -> str:
    """Paragraphs, each on one line; Markdown folds them."""
    return "\n\n".join(" ".join(each.split()) for each in inspect.cleandoc(text).split("\n\n"))


def _table(heading: str, rows: list[Row]) -> str:
    lines = "".join(f"| `{_name(name)}` | {_cell(text)} |\n" for name, text in rows)
    return f"| {heading} | meaning |\n| --- | --- |\n{lines}"


def _name(text: str) -> str:
    """Alternatives in braces: Markdown has no bars in cells."""
    return " ".join(f"{{{word.replace('|', ',')}}}" if "|" in word else word for word in _cell(text).split())


def _cell(text: str) -> str:
    """A cell of a table. Spaces and hyphens that keep a line whole on a terminal become plain ones."""
    return " ".join(text.split()).replace("\N{NON-BREAKING HYPHEN}", "-")


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
