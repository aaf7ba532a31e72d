"""Commands and groups of commands, created when they are first looked up, with our help and messages."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import partial

import typer

from .click_compat import Command, CommandInfo, Context, HelpFormatter, Parameter, TyperCommand, TyperGroup
from .startup import LazyMapping

Finish = Callable[[Command], Command]
"""Called with every new command; returns it, changed or not."""


class PlainCommand(TyperCommand):
    """A command with our help."""

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the help; what that needs is imported only now."""
        from ..help.page import write_help

        write_help(self, ctx, formatter)


class Group(TyperGroup):
    """A group with our help, that reports an unknown command with the names that exist."""

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        """As in `PlainCommand`."""
        from ..help.page import write_help

        write_help(self, ctx, formatter)

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the list of commands, with the first sentence of each."""
        with formatter.section("Commands"):
            formatter.write_dl(self.summaries(ctx))

    def summaries(self, ctx: Context) -> list[tuple[str, str]]:
        """The names of the commands, each with its first sentence."""
        return [(name, first_sentence(self.commands[name].help or "")) for name in self.list_commands(ctx)]

    def list_commands(self, ctx: Context) -> list[str]:
        """The names, in the order of the help; nothing is created."""
        return list(self.commands)

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, Command | None, list[str]]:
        """As in click. Raises UsageError for an unknown command, without creating the others."""
        if args and not args[0].startswith("-") and args[0] not in self.list_commands(ctx):
            ctx.fail(f"no command {args[0]!r}{self.suggestion(ctx, args[0])}")
        return super().resolve_command(ctx, args)

    def suggestion(self, ctx: Context, name: str) -> str:
        """The end of the sentence about an unknown command."""
        from ...text import near_or_all

        return near_or_all(name, self.list_commands(ctx), "commands")


def first_sentence(text: str) -> str:
    """The first sentence of a help text, on one line."""
    return " ".join(text.split("\n\n")[0].split()).partition(". ")[0].rstrip(".") + "."


def group_of(name: str, app: typer.Typer, finish: Finish) -> TyperGroup:
    """The group of a Typer; each command is created when it is first looked up."""
    empty = copy(app)
    empty.rich_markup_mode = None
    empty.info = copy(app.info)
    empty.info.cls = Group
    empty.registered_commands = []  # or Typer would create all of them
    group = typer.main.get_group(empty)
    group.name = name
    group.no_args_is_help = True
    factories = {_name_of(info): partial(_make, info, finish) for info in app.registered_commands}
    group.commands = LazyMapping(factories)  # type: ignore[assignment] # click only reads it
    return group


def command_of(name: str, function: Callable[..., object], finish: Finish) -> Command:
    """A function as a command."""
    return _make(CommandInfo(name, callback=function), finish)


def hidden_options(function: Callable[..., object]) -> list[Parameter]:
    """The options that a function's parameters declare, to be added to other commands."""
    options = command_of("", function, lambda command: command).params
    return [option for option in options if option.name != "help"]


def _make(info: CommandInfo, finish: Finish) -> Command:
    single = typer.Typer(rich_markup_mode=None, add_completion=False)
    info = copy(info)
    info.cls = info.cls if issubclass(info.cls or TyperCommand, PlainCommand) else PlainCommand
    single.registered_commands.append(info)
    return finish(typer.main.get_command(single))


def _name_of(info: CommandInfo) -> str:
    assert info.callback is not None
    return info.name or typer.main.get_command_name(info.callback.__name__)
