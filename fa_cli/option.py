"""An option of a command, declared once: the annotation of a Struct's field.

The command line, the keys of tournament files with their checks, and the table in docs/tournaments.md follow from these
declarations (`cli/declared.py`). The field's type and default are the option's.
"""

from __future__ import annotations

import enum
import types
from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple, get_args, get_origin

import msgspec


class Unit(enum.Enum):
    """How a value is written where its field holds something else."""

    SECONDS = "seconds"
    """200ms, 1s or 2m for a float."""
    MILLISECONDS = "milliseconds"
    """The same for an int."""
    BYTES = "bytes"
    """1GB or 64KiB for an int."""
    COMMAS = "commas"
    """A,B for a list of texts."""


class Option(NamedTuple):
    """What a person reads of an option, and what its values may be beyond the field's type."""

    help: str
    metavar: str = ""
    """What stands for the value in the help; by default the unit's word."""
    name: str = ""
    """Without dashes; by default the field's, with dashes for underscores."""
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
    """What the documentation says in place of the help."""


class Declared(NamedTuple):
    """An option as a Struct's field declares it."""

    name: str
    """Without dashes in front."""
    path: tuple[str, ...]
    """From the Struct to the field."""
    type: Any
    """The field's, without None and annotations."""
    default: Any
    """`msgspec.NODEFAULT` for an option that has to be there."""
    option: Option

    @property
    def parameter(self) -> str:
        """The name as an identifier."""
        return self.name.replace("-", "_")

    def value(self, struct: msgspec.Struct) -> Any:
        """What a Struct has for it."""
        found: Any = struct
        for name in self.path:
            found = getattr(found, name)
        return found


def declared(struct: type[msgspec.Struct], path: tuple[str, ...] = ()) -> Iterator[Declared]:
    """The options that a Struct's fields declare, those of Structs within it in their place."""
    for field in msgspec.structs.fields(struct):
        option, kind = _parts(field.type)
        if option:
            default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
            yield Declared(option.name or field.name.replace("_", "-"), (*path, field.name), kind, default, option)
        elif isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            yield from declared(kind, (*path, field.name))


def _parts(annotation: Any) -> tuple[Option | None, Any]:
    """The Option among the annotations, and the type without any and without None."""
    option = None
    if get_origin(annotation) is Annotated:
        annotation, *more = get_args(annotation)
        option = next((one for one in more if isinstance(one, Option)), None)
    if isinstance(annotation, types.UnionType):
        annotation = next(one for one in get_args(annotation) if one is not type(None))
    return option, annotation
