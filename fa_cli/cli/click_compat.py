"""Every use of Typer's private parts. No other module imports `typer._click`, `typer.core` or `typer.models`.

`fa` needs groups that import a command only to run it, a command that takes defaults from a file, and errors printed in
its own words. Typer has no public API for these, and since 0.26 its copy of click is private too.

Everything used here exists in Typer 0.28 and 0.29. But 0.29 reads values with pydantic, which changes other things:

- `TyperOption` needs a `type_descriptor` and parameters have no `type`. So `hidden_options` lets Typer make options
  from a function, and the types of a tournament file's keys come from the declared options, never from parameters.
- Messages about wrong values on the command line have pydantic's words ("Input should be a valid integer"), and the
  help formats arguments differently; the tests of these texts fail.
- Importing Typer takes four times as long, against the goals in docs/notes/bench.md. So pyproject.toml stays
  below 0.29.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import partial

import typer
from typer._click import Command, Context, HelpFormatter, Parameter
from typer._click.exceptions import ClickException, MissingParameter, NoArgsIsHelpError, UsageError
from typer.core import TyperCommand, TyperGroup
from typer.models import CommandInfo

from .startup import LazyMapping

__all__ = [
    "ClickException",
    "Command",
    "Context",
    "HelpFormatter",
    "MissingParameter",
    "NoArgsIsHelpError",
    "Parameter",
    "TyperCommand",
    "TyperGroup",
    "UsageError",
    "command_of",
    "group_of",
    "hidden_options",
    "was_typed",
]
Finish = Callable[[Command], Command]
"""Called with every new command; returns it, changed or not."""


def group_of(name: str, app: typer.Typer, finish: Finish) -> TyperGroup:
    """The group of a Typer; each command is created when it is first looked up."""
    empty = copy(app)
    empty.rich_markup_mode = None
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


def was_typed(context: Context, parameter: str) -> bool:
    """Whether the parameter comes from the command line, not from a file, the environment or a default."""
    source = context.get_parameter_source(parameter)
    return source is not None and source.name == "COMMANDLINE"


def _make(info: CommandInfo, finish: Finish) -> Command:
    single = typer.Typer(rich_markup_mode=None, add_completion=False)
    single.registered_commands.append(info)
    return finish(typer.main.get_command(single))


def _name_of(info: CommandInfo) -> str:
    assert info.callback is not None
    return info.name or typer.main.get_command_name(info.callback.__name__)
