"""docs/reference/commands.md, from the commands themselves: `python -m tests.command_pages` writes it."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

import typer

from fa_cli import errors
from fa_cli.cli.app import EXIT_INTERNAL, EXIT_PIPE, app
from fa_cli.cli.click_compat import Command, Context, Parameter, TyperGroup

PAGE = Path(__file__).parent.parent / "docs/reference/commands.md"
HEAD = """# Commands

<!-- Written by `make reference` from the commands themselves: change the help texts in fa_cli/cli instead. -->

Every command explains itself with `--help`. These options work before and after each command's name:

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
    everywhere = [each for each in root.params if each.opts not in (["--version"], ["--help"])]
    parts = [HEAD + _table("option", everywhere, context), "`fa --version` prints the version.\n", _exit_codes()]
    parts += [_section(name, command, context) for name, command, context in rest]
    return "\n".join(parts)


def _exit_codes() -> str:
    rows = [f"| {code} | {meaning} |\n" for code, meaning in EXIT_CODES.items()]
    return "## Exit codes\n\n| code | meaning |\n| --- | --- |\n" + "".join(rows)


def _section(name: str, command: Command, context: Context) -> str:
    """A heading, the help and the parameters of a command; of a group only heading and help."""
    level = "##" if name.count(" ") == 1 else "###"
    parts = [f"{level} {name}\n\n{_prose(command.help or '')}\n"]
    if not isinstance(command, TyperGroup):
        parts.append(f"```text\n{' '.join(['fa', *_usage(command, context)])}\n```\n")
        parts += [_table(group, parameters, context) for group, parameters in _groups(command).items()]
    if command.epilog:
        parts.append(f"```text\n{inspect.cleandoc(command.epilog)}\n```\n")
    return "\n".join(parts)


def _usage(command: Command, context: Context) -> list[str]:
    path = context.command_path.split()[1:]
    return [*path, *command.collect_usage_pieces(context)]


def _prose(text: str) -> str:
    """Paragraphs, each on one line; Markdown folds them."""
    return "\n\n".join(" ".join(each.split()) for each in inspect.cleandoc(text).split("\n\n"))


def _groups(command: Command) -> dict[str, list[Parameter]]:
    """The visible parameters by their heading in the help."""
    groups: dict[str, list[Parameter]] = {}
    for each in command.params:
        if not getattr(each, "hidden", False):
            heading = getattr(each, "rich_help_panel", None) or each.param_type_name
            groups.setdefault(heading, []).append(each)
    return groups


def _table(heading: str, parameters: list[Parameter], context: Context) -> str:
    rows = "".join(f"| {_names(each, context)} | {_meaning(each, context)} |\n" for each in parameters)
    return f"| {heading} | meaning |\n| --- | --- |\n{rows}" if rows else ""


def _names(parameter: Parameter, context: Context) -> str:
    if parameter.param_type_name == "argument":
        return f"`{parameter.make_metavar(context)}`".replace("|", "\\|")
    value = "" if getattr(parameter, "is_flag", False) else f" {_value(parameter, context)}"
    return ", ".join(f"`{name}{value}`" for name in (*parameter.opts, *parameter.secondary_opts))


def _value(parameter: Parameter, context: Context) -> str:
    if hasattr(parameter.type, "choices"):
        return "WORD"
    return parameter.make_metavar(context).strip("<>").upper().replace("INT RANGE", "N")


def _meaning(parameter: Parameter, context: Context) -> str:
    record = parameter.get_help_record(context)
    text = _prose(record[1]) if record else ""
    choices = ", ".join(f"`{getattr(each, 'value', each)}`" for each in getattr(parameter.type, "choices", ()))
    sentence, bracket, default = text.partition(" [")
    words = f" One of {choices}." if choices else ""
    return f"{sentence}{words}{bracket}{default}".replace("|", "\\|")


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
