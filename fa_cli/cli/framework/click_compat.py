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

from typer._click import Command, Context, HelpFormatter, Parameter
from typer._click.exceptions import (
    BadOptionUsage,
    BadParameter,
    ClickException,
    MissingParameter,
    NoArgsIsHelpError,
    NoSuchOption,
    UsageError,
)
from typer.core import TyperCommand, TyperGroup
from typer.models import CommandInfo

__all__ = [
    "BadOptionUsage",
    "BadParameter",
    "ClickException",
    "Command",
    "CommandInfo",
    "Context",
    "HelpFormatter",
    "MissingParameter",
    "NoArgsIsHelpError",
    "NoSuchOption",
    "Parameter",
    "TyperCommand",
    "TyperGroup",
    "UsageError",
    "was_typed",
]


def was_typed(context: Context, parameter: str) -> bool:
    """Whether the parameter comes from the command line, not from a file, the environment or a default."""
    source = context.get_parameter_source(parameter)
    return source is not None and source.name == "COMMANDLINE"
