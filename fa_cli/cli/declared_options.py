"""Declared options (`fa_cli/option.py`) as parameters of commands, and arguments as the Structs that declare them."""

from __future__ import annotations

import enum
import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import wraps
from typing import Annotated, Any, TypeVar

import msgspec
import typer

from ..errors import UsageError
from ..option import DeclaredOption, Option, Unit, declared_options
from ..text import cut
from . import common

_NOUNS: dict[Unit | None, str] = {Unit.SECONDS: "duration", Unit.MILLISECONDS: "duration", Unit.BYTES: "size"}
_METAVARS = {Unit.SECONDS: "TIME", Unit.MILLISECONDS: "TIME", Unit.BYTES: "SIZE"}
_Struct = TypeVar("_Struct", bound=msgspec.Struct)


def metavar_of(option: Option) -> str | None:
    """The placeholder of the value in the help; None where Typer shows the choices or the type."""
    return option.metavar or (_METAVARS.get(option.unit) if option.unit else None)


def default_text(declared: DeclaredOption) -> Any:
    """The default as a person would type it; None if there is none."""
    value, unit = declared.default, declared.option.unit
    if value is msgspec.NODEFAULT or value in (None, [], {}):
        return None
    if unit in (Unit.SECONDS, Unit.MILLISECONDS):
        return common.write_duration(value / (1 if unit is Unit.SECONDS else 1000)) if value else None
    return common.write_size(value) if unit is Unit.BYTES else value


def from_text(declared: DeclaredOption, text: str) -> Any:
    """The value of a text in the option's unit; without a unit the text itself. Raises UsageError."""
    value: Any
    match declared.option.unit:
        case Unit.SECONDS:
            value = common.parse_duration(text)
        case Unit.MILLISECONDS:
            value = round(common.parse_duration(text) * 1000)
        case Unit.BYTES:
            value = common.parse_size(text)
        case Unit.COMMAS:
            if not text:
                raise UsageError(f"it names nothing; use e.g. {declared.option.example or 'a,b'}")
            return text.split(",")
        case None:
            return text
    if not is_within(declared, value):
        raise UsageError(f"invalid {_NOUNS[declared.option.unit]} '{cut(text, 40)}': use {allowed_range(declared)}")
    return value


def is_within(declared: DeclaredOption, value: float) -> bool:
    """Whether a number is within the option's bounds."""
    least, most = declared.bounds.ge, declared.bounds.le
    return (least is None or value >= least) and (most is None or value <= most)


def allowed_range(declared: DeclaredOption) -> str:
    """The values that an option with numbers allows, in words: `a whole number from 1 to 1,024`."""
    unit = declared.option.unit
    noun = _NOUNS.get(unit, "whole number" if declared.type is int else "number")
    least, most = (_in_words(declared, bound) for bound in (declared.bounds.ge, declared.bounds.le))
    if not most:
        return f"a {noun}" + (f" of at least {least}" if least else "")
    return f"a {noun} from {least} to {most}" if least else f"a {noun} up to {most}"


def _in_words(declared: DeclaredOption, bound: float | None) -> str:
    """A bound in the option's unit; empty if there is none, or if it is a duration of 0."""
    if bound is None or (bound == 0 and declared.option.unit):
        return ""
    match declared.option.unit:
        case Unit.SECONDS:
            return common.write_duration(bound)
        case Unit.MILLISECONDS:
            return common.write_duration(bound / 1000)
        case Unit.BYTES:
            return common.write_size(int(bound))
    return f"{bound:,}"


def choices(declared: DeclaredOption) -> list[str]:
    """The texts to choose from; empty if the option is not an enum."""
    is_enum = isinstance(declared.type, type) and issubclass(declared.type, enum.Enum)
    return [str(choice.value) for choice in declared.type] if is_enum else []


def build(struct: type[_Struct], arguments: Mapping[str, Any]) -> _Struct:
    """The Struct from a command's arguments, by parameter name; None means the default. Raises UsageError."""
    values: dict[str, Any] = {}
    for declared in declared_options(struct):
        argument = arguments.get(declared.parameter)
        if argument is not None:
            nested = values
            for name in declared.path[:-1]:
                nested = nested.setdefault(name, {})
            nested[declared.path[-1]] = _read(declared, argument)
    return _construct(struct, values)


def _read(declared: DeclaredOption, argument: Any) -> Any:
    if declared.type == dict[str, str]:
        return common.parse_options(argument)
    if isinstance(argument, str):
        try:
            return from_text(declared, argument)
        except UsageError as error:
            raise error.within(f"--{declared.name}") from None
    return argument


def _construct(struct: type[_Struct], values: Mapping[str, Any]) -> _Struct:
    types = {field.name: field.type for field in msgspec.structs.fields(struct)}
    fields = {
        name: _construct(types[name], value) if _is_struct(types[name]) else value for name, value in values.items()
    }
    return struct(**fields)


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def taking(
    parameter: str, struct: type[msgspec.Struct], without: Collection[str] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorates a command: its `parameter`, a Struct, becomes the Struct's options, except those named in `without`."""
    options = [declared for declared in declared_options(struct) if declared.name not in without]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        parameters: list[inspect.Parameter] = []
        for own in inspect.signature(command).parameters.values():
            parameters += map(_parameter, options) if own.name == parameter else [_evaluated(own, command)]

        @wraps(command)
        def run(**arguments: Any) -> None:
            chosen = {declared.parameter: arguments.pop(declared.parameter) for declared in options}
            command(**arguments, **{parameter: build(struct, chosen)})

        # Typer reads these two
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {own.name: own.annotation for own in parameters}
        return run

    return decorate


def _evaluated(parameter: inspect.Parameter, command: Any) -> inspect.Parameter:
    """The parameter, keyword-only, with its annotation evaluated."""
    annotation = eval(parameter.annotation, command.__globals__)  # a text, by `from __future__ import annotations`
    return parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=annotation)


def _parameter(declared: DeclaredOption) -> inspect.Parameter:
    """The parameter from which Typer makes the option, or the argument if there is no default."""
    option, default = declared.option, default_text(declared)
    kind: Any = str if option.unit else list[str] if declared.type == dict[str, str] else declared.type
    if declared.default is msgspec.NODEFAULT:
        info: Any = typer.Argument(metavar=option.metavar, help=option.help)
        default = inspect.Parameter.empty
    else:
        info = typer.Option(
            *_names(declared),
            help=option.unless_help or option.help,
            metavar=metavar_of(option),
            min=None if option.unit else declared.bounds.ge,
            max=None if option.unit else declared.bounds.le,
            rich_help_panel=option.group,
        )
    annotation: Any = Annotated[kind if default is not None else kind | None, info]
    return inspect.Parameter(declared.parameter, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _names(declared: DeclaredOption) -> Sequence[str]:
    if declared.option.unless:
        return [f"--{declared.name}/--{declared.option.unless}"]
    return [f"--{declared.name}", *([f"-{declared.option.short}"] if declared.option.short else [])]
