"""Texts as values of declared options (`fa_cli/option.py`), and values as texts."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args, get_origin

from ..errors import UsageError
from ..option import REQUIRED, DeclaredOption, Option, Unit, struct_fields, struct_parameters
from ..printing.text import cut, did_you_mean, either
from . import common

if TYPE_CHECKING:
    import msgspec  # the help of `fa` does not import it

_NOUNS: dict[Unit | None, str] = {Unit.SECONDS: "duration", Unit.MILLISECONDS: "duration", Unit.BYTES: "size"}
_METAVARS = {Unit.SECONDS: "TIME", Unit.MILLISECONDS: "TIME", Unit.BYTES: "SIZE"}
_Struct = TypeVar("_Struct", bound="msgspec.Struct")


class WrongValue(UsageError):
    """A text that is no value of an option."""

    def __init__(self, sentence: str, label: str = "", text: str = "") -> None:
        super().__init__(sentence)
        self.label = label
        self.text = text

    def of(self, command: str) -> UsageError:
        """The error with the command of this name; it says what to use if the value is one of another tool's option."""
        from .help.foreign_options import find_foreign

        row = find_foreign(self.label, self.text)
        return UsageError(row.sentence(row.option) if row and row.has_value else f"{self} (see {command} --help)")


def metavar_of(option: Option) -> str | None:
    """The placeholder of the value in the help; None where the choices or the type say it."""
    return option.metavar or (_METAVARS.get(option.unit) if option.unit else None)


def default_text(declared: DeclaredOption) -> Any:
    """The default as a person would type it; None if there is none."""
    value, unit = declared.default, declared.option.unit
    if value is REQUIRED or value in (None, [], {}):
        return None
    if unit in (Unit.SECONDS, Unit.MILLISECONDS):
        return common.write_duration(value / (1 if unit is Unit.SECONDS else 1000)) if value else None
    return common.write_size(value) if unit is Unit.BYTES else value


def from_text(declared: DeclaredOption, text: str) -> Any:
    """The value of one text, in the option's unit. Raises WrongValue and other UsageErrors."""
    if declared.option.read:
        return declared.option.read(text)
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
            return _plain(declared, text)
    if not is_within(declared, value):
        raise UsageError(f"invalid {_NOUNS[declared.option.unit]} '{cut(text, 40)}': use {allowed_range(declared)}")
    return value


def _plain(declared: DeclaredOption, text: str) -> Any:
    """The value of a text without a unit, by its type. Raises WrongValue."""
    kind = get_args(declared.type)[0] if get_origin(declared.type) is list else declared.type
    if words := choices(declared):
        if text not in words:
            raise _wrong(declared, text, f"'{cut(text, 40)}'", either(words) + did_you_mean(text, words))
        return text if get_origin(kind) is Literal else kind(text)
    if kind not in (int, float):
        return Path(text) if kind is Path else text
    try:
        number = kind(text)
    except ValueError:
        raise _wrong(declared, text, f"'{cut(text, 40)}'", "a whole number" if kind is int else "a number") from None
    if not is_within(declared, number):
        raise _wrong(declared, text, str(number), _bounds(declared))
    return number


def _wrong(declared: DeclaredOption, text: str, shown: str, expected: str) -> WrongValue:
    return WrongValue(f"invalid {declared.label} {shown}: use {expected}", declared.label, text)


def _bounds(declared: DeclaredOption) -> str:
    least, most = (_in_words(declared, bound) for bound in _limits(declared))
    if least and most:
        return f"a number from {least} to {most}"
    return f"at least {least}" if least else f"at most {most}"


def _limits(declared: DeclaredOption) -> tuple[float | None, float | None]:
    return (declared.bounds.ge, declared.bounds.le) if declared.bounds else (None, None)


def is_within(declared: DeclaredOption, value: float) -> bool:
    """Whether a number is within the option's bounds."""
    least, most = _limits(declared)
    return (least is None or value >= least) and (most is None or value <= most)


def allowed_range(declared: DeclaredOption) -> str:
    """The values that an option with numbers allows, in words: `a whole number from 1 to 1,024`."""
    unit = declared.option.unit
    noun = _NOUNS.get(unit, "whole number" if declared.type is int else "number")
    least, most = (_in_words(declared, bound) for bound in _limits(declared))
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
    """The texts to choose from; empty if any text will do."""
    kind: Any = declared.type
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    members: list[enum.Enum] = list(kind) if isinstance(kind, enum.EnumType) else []
    return [str(each.value) for each in members]


def arguments(
    function: Callable[..., Any], parameters: Iterable[DeclaredOption], given: Mapping[str, Any]
) -> dict[str, Any]:
    """The arguments of a function that declares these parameters. Raises UsageError for a wrong value.

    `given`: texts as typed and values as files have them, by parameter; for others the defaults hold.
    """
    values: dict[str, Any] = {}
    for declared in parameters:
        if declared.parameter in given:
            nested = values
            for name in declared.path[:-1]:
                nested = nested.setdefault(name, {})
            nested[declared.path[-1]] = _value(declared, given[declared.parameter])
    return values | {
        name: _construct(struct, values.get(name, {})) for name, struct in struct_parameters(function).items()
    }


def _value(declared: DeclaredOption, given: Any) -> Any:
    if get_origin(declared.type) is dict:
        return common.parse_options(given)
    if isinstance(given, list | tuple):
        return get_origin(declared.type)(_one(declared, text) for text in given)
    return _one(declared, given)


def _one(declared: DeclaredOption, given: Any) -> Any:
    if not isinstance(given, str):
        return given
    try:
        return from_text(declared, given)
    except UsageError as error:
        is_named = declared.option.unit or (declared.option.read and not declared.is_argument)
        raise error.within(declared.label) if is_named else error from None


def _construct(struct: type[_Struct], values: Mapping[str, Any]) -> _Struct:
    nested = struct_fields(struct)
    return struct(
        **{name: _construct(nested[name], value) if name in nested else value for name, value in values.items()}
    )
