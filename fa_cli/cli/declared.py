"""Declared options (`fa_cli/option.py`) as parameters of commands; typed values as the Structs that declare them."""

from __future__ import annotations

import enum
import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import wraps
from typing import Annotated, Any, TypeVar

import msgspec
import typer

from ..errors import UsageError
from ..option import Declared, Option, Unit, declared
from . import common

_METAVARS = {Unit.SECONDS: "TIME", Unit.MILLISECONDS: "TIME", Unit.BYTES: "SIZE"}
_Struct = TypeVar("_Struct", bound=msgspec.Struct)


def metavar_of(option: Option) -> str | None:
    """What stands for its value in the help; None where Typer names the choices or the type."""
    return option.metavar or (_METAVARS.get(option.unit) if option.unit else None)


def usual(each: Declared) -> Any:
    """The default as a person would write it; None where there is none."""
    value, unit = each.default, each.option.unit
    if value is msgspec.NODEFAULT or value in (None, [], {}):
        return None
    if unit in (Unit.SECONDS, Unit.MILLISECONDS):
        return common.write_duration(value / (1 if unit is Unit.SECONDS else 1000)) if value else None
    return common.write_size(value) if unit is Unit.BYTES else value


def from_text(each: Declared, text: str) -> Any:
    """What a text stands for that is written in the option's unit; without a unit the text. Raises UsageError."""
    match each.option.unit:
        case Unit.SECONDS:
            return common.parse_duration(text)
        case Unit.MILLISECONDS:
            return milliseconds(text)
        case Unit.BYTES:
            return common.parse_size(text)
        case Unit.COMMAS:
            return text.split(",") if text else []
    return text


def milliseconds(text: str) -> int:
    """A duration that a bot can have. Raises UsageError."""
    found = round(common.parse_duration(text) * 1000)
    if found < 1:
        raise UsageError(f"a bot has at least 1ms, not {text}")
    return found


def choices(each: Declared) -> list[str]:
    """The texts that its value can be; none where it can be any."""
    is_enum = isinstance(each.type, type) and issubclass(each.type, enum.Enum)
    return [str(choice.value) for choice in each.type] if is_enum else []


def build(struct: type[_Struct], typed: Mapping[str, Any]) -> _Struct:
    """The Struct from what a command got for its parameters, by their names; None is the default. Raises UsageError."""
    made: dict[str, Any] = {}
    for each in declared(struct):
        value = typed.get(each.parameter)
        if value is not None:
            inside = made
            for name in each.path[:-1]:
                inside = inside.setdefault(name, {})
            inside[each.path[-1]] = _read(each, value)
    return _construct(struct, made)


def _read(each: Declared, value: Any) -> Any:
    if each.type == dict[str, str]:
        return common.parse_options(value)
    return from_text(each, value) if isinstance(value, str) else value


def _construct(struct: type[_Struct], values: Mapping[str, Any]) -> _Struct:
    kinds = {field.name: field.type for field in msgspec.structs.fields(struct)}
    fields = {name: _construct(kinds[name], each) if _is_struct(kinds[name]) else each for name, each in values.items()}
    return struct(**fields)


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def taking(
    parameter: str, struct: type[_Struct], make: Callable[[_Struct], Any], without: Collection[str] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A command with a Struct's options, but those `without`, in the place of one parameter, made of them by `make`."""
    options = [each for each in declared(struct) if each.name not in without]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        parameters: list[inspect.Parameter] = []
        for own in inspect.signature(command).parameters.values():
            parameters += map(_parameter, options) if own.name == parameter else [_evaluated(own, command)]

        @wraps(command)
        def run(**typed: Any) -> None:
            chosen = {each.parameter: typed.pop(each.parameter) for each in options}
            command(**typed, **{parameter: make(build(struct, chosen))})

        # what Typer reads
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {each.name: each.annotation for each in parameters}
        return run

    return decorate


def _evaluated(parameter: inspect.Parameter, command: Any) -> inspect.Parameter:
    """The parameter with its annotation evaluated, to be passed by its name."""
    annotation = eval(parameter.annotation, command.__globals__)  # a text, as the modules of commands have them
    return parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=annotation)


def _parameter(each: Declared) -> inspect.Parameter:
    """What Typer makes the option of, or the argument where there is no default."""
    option, default = each.option, usual(each)
    kind: Any = str if option.unit else list[str] if each.type == dict[str, str] else each.type
    if each.default is msgspec.NODEFAULT:
        about: Any = typer.Argument(metavar=option.metavar, help=option.help)
        default = inspect.Parameter.empty
    else:
        about = typer.Option(
            *_names(each),
            help=option.help,
            metavar=metavar_of(option),
            min=option.least,
            rich_help_panel=option.group or None,
        )
    annotation: Any = Annotated[kind if default is not None else kind | None, about]
    return inspect.Parameter(each.parameter, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _names(each: Declared) -> Sequence[str]:
    if each.option.unless:
        return [f"--{each.name}/--{each.option.unless}"]
    return [f"--{each.name}", *([f"-{each.option.short}"] if each.option.short else [])]
