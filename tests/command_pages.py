"""docs/reference/commands.md, from the commands themselves: `python -m tests.command_pages` writes it."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

from fa_cli import errors
from fa_cli.cli.app import EXIT_INTERNAL, EXIT_PIPE, root
from fa_cli.cli.framework.commands import Command
from fa_cli.cli.help.command_help import sections, usage
from fa_cli.cli.help.pages import page_paths
from fa_cli.option import OptionGroup

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


def commands() -> Iterator[Command]:
    """Every command and group, in the order of the help."""
    return root().walk()


def page() -> str:
    """The whole page."""
    rest = list(commands())[1:]
    *_, (_, general) = sections(next(each for each in rest if not each.commands))
    everywhere = [row for row in general if row[0] != "--help"]
    parts = [HEAD + _table("option", everywhere), "`fa --version` prints the version.\n", _exit_codes()]
    parts += [_section(command) for command in rest]
    return "\n".join(parts)


def _exit_codes() -> str:
    rows = [f"| {code} | {meaning} |\n" for code, meaning in EXIT_CODES.items()]
    return "## Exit codes\n\n| code | meaning |\n| --- | --- |\n" + "".join(rows)


def _section(command: Command) -> str:
    """A heading, the help, the parameters and the examples of a command; of a group only heading and help."""
    level = "##" if command.name.count(" ") == 1 else "###"
    parts = [f"{level} {command.name}\n\n{_prose(command.help or '')}\n"]
    if not command.commands:
        parts.append(f"```text\n{command.name} {usage(command)}\n```\n")
        parts += [_table(title, rows) for title, rows in sections(command) if title != OptionGroup.GENERAL]
        parts.append(_examples(command))
    return "\n".join(parts)


def _examples(command: Command) -> str:
    explanation = command.target.explanation
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
