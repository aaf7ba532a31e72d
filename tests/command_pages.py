"""docs/reference/commands.md, from the commands themselves: `python -m tests.command_pages` writes it."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

import typer

from fa_cli import errors
from fa_cli.cli.app import EXIT_INTERNAL, EXIT_PIPE, app
from fa_cli.cli.framework.click_compat import Command, Context, TyperGroup
from fa_cli.cli.help import GENERAL
from fa_cli.cli.help.docs import page_paths
from fa_cli.cli.help.page import sections, usage

PAGE = Path(__file__).parent.parent / "docs/reference/commands.md"
HEAD = """# Commands

<!-- Written by `make reference` from the commands themselves: change the help texts in fa_cli/cli instead. -->

Every command explains itself with `-h` or `--help`. These options work before and after each command's name:

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


def exit_codes_of_the_code() -> set[int]:
    """Every exit code that the command line can end with."""
    classes = [each for _, each in inspect.getmembers(errors, inspect.isclass) if issubclass(each, errors.FaError)]
    return {0, EXIT_INTERNAL, EXIT_PIPE} | {each.exit_code for each in classes}


def commands() -> Iterator[tuple[str, Command, Context]]:
    """Every command and group with its full name and context, in the order of the help."""
    root: Command = typer.main.get_group(app)
    yield from _below("fa", root, Context(root, info_name="fa"))


def _below(name: str, command: Command, context: Context) -> Iterator[tuple[str, Command, Context]]:
    yield name, command, context
    if isinstance(command, TyperGroup):
        for each in command.list_commands(context):
            child = command.get_command(context, each)
            assert child is not None
            yield from _below(f"{name} {each}", child, Context(child, parent=context, info_name=each))


def page() -> str:
    """The whole page."""
    (_, root, context), *rest = commands()
    *_, (_, general) = sections(root, context)
    everywhere = [row for row in general if row[0] not in ("--version", "--help")]
    parts = [HEAD + _table("option", everywhere), "`fa --version` prints the version.\n", _exit_codes()]
    parts += [_section(name, command, context) for name, command, context in rest]
    return "\n".join(parts)


def _exit_codes() -> str:
    rows = [f"| {code} | {meaning} |\n" for code, meaning in EXIT_CODES.items()]
    return "## Exit codes\n\n| code | meaning |\n| --- | --- |\n" + "".join(rows)


def _section(name: str, command: Command, context: Context) -> str:
    """A heading, the help, the parameters and the examples of a command; of a group only heading and help."""
    level = "##" if name.count(" ") == 1 else "###"
    parts = [f"{level} {name}\n\n{_prose(command.help or '')}\n"]
    if not isinstance(command, TyperGroup):
        parts.append(f"```text\n{name} {usage(command, context)}\n```\n")
        parts += [_table(title, rows) for title, rows in sections(command, context) if title != GENERAL]
        parts.append(_examples(command))
    return "\n".join(parts)


def _examples(command: Command) -> str:
    explanation = command.callback.explanation
    blocks = "\n".join(f"# {purpose}\n{line}\n" for purpose, line in explanation.examples)
    path = page_paths()[explanation.page]
    title = path.read_text(encoding="utf-8").partition("# ")[2].partition("\n")[0]
    return f"```sh\n{blocks}```\n\nMore: [{title}](../{path.relative_to(PAGE.parent.parent)})\n"


def _prose(text: str) -> str:
    """Paragraphs, each on one line; Markdown folds them."""
    return "\n\n".join(" ".join(each.split()) for each in inspect.cleandoc(text).split("\n\n"))


def _table(heading: str, rows: list[tuple[str, str]]) -> str:
    lines = [f"| {_code(name)} | {text} |\n" for name, text in rows]
    return f"| {heading.lower()} | meaning |\n| --- | --- |\n{''.join(lines)}" if rows else ""


def _code(names: str) -> str:
    """`-j, --jobs N` with each name as code, and alternatives in braces, because tables have no bars in cells."""
    words = [f"{{{word.replace('|', ',')}}}" if "|" in word else word for word in names.split()]
    return ", ".join(f"`{name}`" for name in " ".join(words).split(", "))


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
