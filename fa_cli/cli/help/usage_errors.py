"""Wrong command lines in plain words, with near misses and the options of other tools. Imported to report an error."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ...text import did_you_mean, either, listed
from ..framework.click_compat import (
    BadOptionUsage,
    BadParameter,
    Command,
    Context,
    MissingParameter,
    NoSuchOption,
    Parameter,
    TyperGroup,
    UsageError,
)
from .foreign_options import find_foreign, nearest_foreign

_VALUE = re.compile(r"(.+) is not (one of|a valid|in the range) ?(.*?)\.?", re.DOTALL)
_QUOTE = "'"
_INSTEAD = {
    ("fa match", "--players"): "name one bot for each player",
    ("fa tournament resume", "--games"): "--more N adds games",
}
"""What to use instead of an option that another command has, by command and option."""
_NUMBERS = {"int": "a whole number", "float": "a number", "int range": "a whole number", "float range": "a number"}


def usage_sentence(error: UsageError, args: Sequence[str]) -> str:
    """What is wrong with the command line `args`, and the remedy."""
    hint = f" (see {error.ctx.command_path} --help)" if error.ctx else ""
    return _other_command(error, args) or _foreign_sentence(error, args) or _sentence(error) + hint


def _other_command(error: UsageError, args: Sequence[str]) -> str:
    """The commands that have the option which this one lacks; empty if none has it."""
    if not isinstance(error, NoSuchOption) or error.ctx is None:
        return ""
    option, value = _as_typed(error, args)
    command, root = error.ctx.command_path, error.ctx.find_root()
    if instead := _INSTEAD.get((command, option)):
        return f"{command} has no option {option}: {instead}"
    if (row := find_foreign(option, value)) and row.has_value:
        return ""
    owners = [name for name, params in _commands(root.command, root) if any(option in param.opts for param in params)]
    return f"{command} has no option {option}; it is one of {listed(owners, 4)}" if owners else ""


def _commands(command: Command, context: Context) -> Iterator[tuple[str, Sequence[Parameter]]]:
    """Every command below this one, with its full name and parameters."""
    if not isinstance(command, TyperGroup):
        yield context.command_path, command.params
        return
    for name in command.list_commands(context):
        child = command.get_command(context, name)
        if child:
            yield from _commands(child, Context(child, parent=context, info_name=name))


def _foreign_sentence(error: UsageError, args: Sequence[str]) -> str:
    """What to use instead of an option of another tool; empty if the error is not about one."""
    if isinstance(error, NoSuchOption):
        option, value = _as_typed(error, args)
        if row := find_foreign(option, value):
            return row.sentence(option)
        near = None if _near_option(error) else nearest_foreign(option)
        return f"no option {option}; {near.sentence(near.option)}" if near else ""
    if isinstance(error, BadParameter) and error.param and (found := _VALUE.fullmatch(error.message)):
        row = find_foreign(_label(error.param), found[1].strip(_QUOTE))
        return row.sentence(row.option) if row and row.has_value else ""
    return ""


def _as_typed(error: NoSuchOption, args: Sequence[str]) -> tuple[str, str]:
    """The unknown option and the word after it: `-concurrency` and `4`, where click reports `-c`."""
    known = _known_options(error)
    for arg, after in zip(args, [*args[1:], ""], strict=True):
        if arg.startswith(error.option_name) and arg not in known:
            option, equals, value = arg.partition("=")
            return option, value if equals else after
    return error.option_name, ""


def _sentence(error: UsageError) -> str:
    if isinstance(error, NoSuchOption):
        return f"no option {error.option_name}{_near_option(error)}"
    if isinstance(error, MissingParameter):
        return _missing(error)
    if isinstance(error, BadParameter):
        return _bad_value(error)
    if isinstance(error, BadOptionUsage):
        takes = "takes no value" if "does not take" in error.message else "needs a value"
        return f"{error.option_name} {takes}"
    extra = re.fullmatch(r"Got unexpected extra argument(?:\(s\))? \((.*)\)", error.message, re.DOTALL)
    return f"unexpected argument {extra[1]!r}" if extra else error.format_message().rstrip(".")


def _near_option(error: NoSuchOption) -> str:
    """The most similar option, to end a sentence; the dashes, which all options share, do not count."""
    names = [name.removeprefix("--") for name in _known_options(error)]
    return did_you_mean(error.option_name.removeprefix("--"), names).replace("mean ", "mean --")


def _known_options(error: UsageError) -> Mapping[str, Parameter]:
    """The long options of the command, by name with dashes."""
    params = error.ctx.command.params if error.ctx else []
    return {name: param for param in params for name in (*param.opts, *param.secondary_opts) if name.startswith("--")}


def _missing(error: MissingParameter) -> str:
    param = error.param
    if param is None:
        return error.format_message().rstrip(".")
    kind = "option" if param.param_type_name == "option" else "argument"
    return f"missing {kind} {_label(param)}"


def _label(param: Parameter) -> str:
    """`--game` or `BOT...`."""
    return max(param.opts, key=len) if param.param_type_name == "option" else param.human_readable_name


def _bad_value(error: BadParameter) -> str:
    label = _label(error.param) if error.param else str(error.param_hint)
    found = _VALUE.fullmatch(error.message)
    if found is None:
        return f"invalid {label}: {error.message.rstrip('.')}"
    value, kind, rest = found[1], found[2], found[3]
    return f"invalid {label} {value}: use {_expected(value.strip(_QUOTE), kind, rest)}"


def _expected(value: str, kind: str, rest: str) -> str:
    """What the value should be instead."""
    if kind == "one of":
        choices = [choice.strip(_QUOTE) for choice in rest.split(", ")]
        return either(choices) + did_you_mean(value, choices)
    return _NUMBERS.get(rest, rest) if kind == "a valid" else _bounds(rest)


def _bounds(text: str) -> str:
    """`x>=1` or `0<=x<=5` in words."""
    low, high = re.search(r"(\S+?)<=x|x>=(\S+)", text), re.search(r"x<=(\S+)", text)
    least, most = _grouped((low[1] or low[2]) if low else ""), _grouped(high[1] if high else "")
    if least and most:
        return f"a number from {least} to {most}"
    return f"at least {least}" if least else f"at most {most}" if most else text


def _grouped(digits: str) -> str:
    """`10,000` for `10000`; other texts as they are."""
    return f"{int(digits):,}" if digits.isdigit() else digits
