"""An option of a command, declared once: the annotation of a Struct's field.

The command line, the keys of tournament files with their checks, and the table in docs/reference/tournaments.md follow
from these declarations (`cli/declared_options.py`). The field's type and default are the option's; `msgspec.Meta` in
the type has the bounds, which also hold where the field is read from a file.
"""

from __future__ import annotations

import enum
import types
from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin

import msgspec

from .option_group import OptionGroup

WEEK = 7 * 86_400.0
"""The longest duration of any option, in seconds; the system's waiting calls take at most 24 days."""


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
    """The texts about an option, and what a field's type does not say about it."""

    help: str
    metavar: str = ""
    """The placeholder of the value in the help; by default the unit's."""
    name: str = ""
    """Without dashes; by default the field's name, with dashes for underscores."""
    short: str = ""
    """One letter."""
    unless: str = ""
    """The name, without dashes, of the flag that turns it off."""
    unless_help: str = ""
    """The text about that flag."""
    unit: Unit | None = None
    group: OptionGroup = OptionGroup.PLAYERS
    formats: tuple[str, ...] = ()
    """The names of the tournament formats that have it; none means all."""
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
    bounds: msgspec.Meta
    """The least and the largest value: its `ge` and `le`, in the field's unit."""

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
        kind, metadata = _split_annotation(field.type)
        option = next((item for item in metadata if isinstance(item, Option)), None)
        if option:
            default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
            name = option.name or field.name.replace("_", "-")
            bounds = next((item for item in metadata if isinstance(item, msgspec.Meta)), msgspec.Meta())
            yield DeclaredOption(name, (*path, field.name), kind, default, option, bounds)
        elif isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            yield from declared_options(kind, (*path, field.name))


def _split_annotation(annotation: Any) -> tuple[Any, list[Any]]:
    """The type without annotations and None, and the metadata of the annotations."""
    metadata: list[Any] = []
    while True:
        if get_origin(annotation) is Annotated:
            annotation, *more = get_args(annotation)
            metadata += more
        elif get_origin(annotation) in (Union, types.UnionType):
            annotation = next(kind for kind in get_args(annotation) if kind is not type(None))
        else:
            return annotation, metadata
