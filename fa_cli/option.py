"""An option of a command, declared once: the annotation of a function's parameter or of a Struct's field.

The command line, the keys of tournament files with their checks, and the table in docs/reference/tournaments.md follow
from these declarations (`cli/declared_options.py`). The annotated type and default are the option's; `msgspec.Meta` in
the type has the bounds, which also hold where a field is read from a file.
"""

from __future__ import annotations

import enum
import inspect
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from keyword import iskeyword
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Union, get_args, get_origin

if TYPE_CHECKING:
    import msgspec  # the help of `fa` does not import it

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


class OptionGroup(enum.StrEnum):
    """The sections of a command's help, in their order."""

    PLAYERS = "Players and games"
    TIME = "Time"
    SEATS = "Seats and deals"
    STOPPING = "Stopping early"
    LIMITS = "Limits of bots"
    RUNNING = "Running"
    TABLE = "Table"
    OUTPUT = "Output"
    GENERAL = "General"
    """Options that every command has."""


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
    read: Callable[[str], Any] | None = None
    """Reads the value from its text, where the type does not say how. Raises FaError."""


class Argument(Option):
    """A word of a command that is known by its place, not by a name in front."""


class Without:
    """The options that a command lacks, by name: in the annotation of a parameter that is a Struct."""

    def __init__(self, *names: str) -> None:
        self.names = names


REQUIRED: Any = ...
"""The default of what has none."""


class DeclaredOption(NamedTuple):
    """An option or argument with the parameter or field that declares it."""

    name: str
    """Without dashes in front."""
    path: tuple[str, ...]
    """The name of the parameter, or of the fields from the Struct to this one."""
    type: Any
    """The type, without None and annotations."""
    default: Any
    """`REQUIRED` if there is none."""
    option: Option
    bounds: msgspec.Meta | None
    """The least and the largest value: its `ge` and `le`, in the option's unit."""

    @property
    def parameter(self) -> str:
        """The name as an identifier."""
        name = self.name.replace("-", "_")
        return f"{name}_" if iskeyword(name) else name

    @property
    def is_argument(self) -> bool:
        """Whether it is known by its place."""
        return isinstance(self.option, Argument)

    @property
    def is_flag(self) -> bool:
        """Whether it takes no value."""
        return self.type is bool

    @property
    def words(self) -> int:
        """The number of words that a value is."""
        return len(get_args(self.type)) if get_origin(self.type) is tuple else 1

    @property
    def is_repeated(self) -> bool:
        """Whether it may be given several times."""
        return get_origin(self.type) in (list, dict) and self.option.unit is None

    @property
    def names(self) -> Sequence[str]:
        """`-j` and `--jobs`, as typed, what turns it off last; empty for an argument."""
        short = [f"-{self.option.short}"] if self.option.short else []
        unless = [f"--{self.option.unless}"] if self.option.unless else []
        return [] if self.is_argument else [*short, f"--{self.name}", *unless]

    @property
    def label(self) -> str:
        """`--jobs` or, of an argument, its placeholder."""
        return self.option.metavar if self.is_argument else f"--{self.name}"

    def value(self, struct: msgspec.Struct) -> Any:
        """The option's value in a Struct."""
        value: Any = struct
        for name in self.path:
            value = getattr(value, name)
        return value


def declared_parameters(function: Callable[..., Any]) -> Iterator[DeclaredOption]:
    """The options and arguments that a function's parameters declare, those of Structs in their place."""
    for name, (annotation, default) in _parameters(function).items():
        yield from _declared(name, annotation, default)


def struct_parameters(function: Callable[..., Any]) -> dict[str, type[msgspec.Struct]]:
    """The parameters of a function that are Structs."""
    return _structs({name: annotation for name, (annotation, _) in _parameters(function).items()})


def struct_fields(struct: type[msgspec.Struct]) -> dict[str, type[msgspec.Struct]]:
    """The fields of a Struct that are Structs."""
    from msgspec.structs import fields

    return _structs({field.name: field.type for field in fields(struct)})


def _structs(annotations: Mapping[str, Any]) -> dict[str, type[msgspec.Struct]]:
    kinds = {name: _split_annotation(annotation)[0] for name, annotation in annotations.items()}
    return {name: kind for name, kind in kinds.items() if hasattr(kind, "__struct_fields__")}


def _parameters(function: Callable[..., Any]) -> dict[str, tuple[Any, Any]]:
    """The evaluated annotations and the defaults."""
    found = {}
    for each in inspect.signature(function).parameters.values():
        annotation = each.annotation
        if isinstance(annotation, str):  # by `from __future__ import annotations`
            annotation = eval(annotation, function.__globals__)
        found[each.name] = annotation, REQUIRED if each.default is each.empty else each.default
    return found


def declared_options(struct: type[msgspec.Struct], path: tuple[str, ...] = ()) -> Iterator[DeclaredOption]:
    """The options that a Struct's fields declare, with those of nested Structs in their place."""
    from msgspec import NODEFAULT
    from msgspec.structs import fields

    for field in fields(struct):
        default = field.default if field.default_factory is NODEFAULT else field.default_factory()
        yield from _declared(field.name, field.type, REQUIRED if default is NODEFAULT else default, path)


def _declared(name: str, annotation: Any, default: Any, path: tuple[str, ...] = ()) -> Iterator[DeclaredOption]:
    kind, metadata = _split_annotation(annotation)
    if option := next((item for item in metadata if isinstance(item, Option)), None):
        bounds = next((item for item in metadata if hasattr(item, "ge")), None)
        shown = option.name or name.replace("_", "-")
        yield DeclaredOption(shown, (*path, name), kind, default, option, bounds)
    elif hasattr(kind, "__struct_fields__"):
        lacking = [name for item in metadata if isinstance(item, Without) for name in item.names]
        yield from (each for each in declared_options(kind, (*path, name)) if each.name not in lacking)


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
