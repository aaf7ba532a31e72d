"""An option of a command, declared once: the annotation of a Struct's field.

The command line, the keys of tournament files with their checks, and the table in docs/reference/tournaments.md follow
from these declarations (`cli/declared_options.py`). The field's type and default are the option's.
"""

from __future__ import annotations

import enum
import types
from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple, get_args, get_origin

import msgspec


class Unit(enum.Enum):
    """How an option's text stands for the value of its field."""

    SECONDS = "seconds"
    """`200ms`, `1s` or `2m` for a float."""
    MILLISECONDS = "milliseconds"
    """`200ms`, `1s` or `2m` for an int."""
    BYTES = "bytes"
    """`1GB` or `64KiB` for an int."""
    COMMAS = "commas"
    """`A,B` for a list of texts."""


class Option(NamedTuple):
    """The texts about an option, and limits of its values beyond the field's type."""

    help: str
    metavar: str = ""
    """The placeholder of the value in the help; by default the unit's."""
    name: str = ""
    """Without dashes; by default the field's name, with dashes for underscores."""
    short: str = ""
    """One letter."""
    unless: str = ""
    """The name, without dashes, of the flag that turns it off."""
    unit: Unit | None = None
    least: int | None = None
    group: str = ""
    formats: tuple[enum.Enum, ...] = ()
    """The tournament formats that have it; none means all."""
    example: object = None
    """A value for new tournament files, where there is no default."""
    docs: str = ""
    """The text in the documentation, if it is not the help."""


class DeclaredOption(NamedTuple):
    """An option with the field that declares it."""

    name: str
    """Without dashes in front."""
    path: tuple[str, ...]
    """The names of the fields from the Struct to this one."""
    type: Any
    """The field's type, without None and annotations."""
    default: Any
    """`msgspec.NODEFAULT` if the option is required."""
    option: Option

    @property
    def parameter(self) -> str:
        """The name as an identifier."""
        return self.name.replace("-", "_")

    def value(self, struct: msgspec.Struct) -> Any:
        """The option's value in a Struct."""
        value: Any = struct
        for name in self.path:
            value = getattr(value, name)
        return value


def declared_options(struct: type[msgspec.Struct], path: tuple[str, ...] = ()) -> Iterator[DeclaredOption]:
    """The options that a Struct's fields declare, with those of nested Structs in their place."""
    for field in msgspec.structs.fields(struct):
        option, kind = _split_annotation(field.type)
        if option:
            default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
            name = option.name or field.name.replace("_", "-")
            yield DeclaredOption(name, (*path, field.name), kind, default, option)
        elif isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            yield from declared_options(kind, (*path, field.name))


def _split_annotation(annotation: Any) -> tuple[Option | None, Any]:
    """The Option in an annotation, and the type without annotations and None."""
    option = None
    if get_origin(annotation) is Annotated:
        annotation, *metadata = get_args(annotation)
        option = next((item for item in metadata if isinstance(item, Option)), None)
    if isinstance(annotation, types.UnionType):
        annotation = next(kind for kind in get_args(annotation) if kind is not type(None))
    return option, annotation
