"""The protocol's JSON Schema as records and fields, from which `type_writers/` generates the types of each language."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import Any

import msgspec

from ..protocol.messages import BOT_MESSAGES

Schema = dict[str, Any]
FROM_BOTS = frozenset(message.__name__ for message in BOT_MESSAGES)
"""The names of the records that a bot writes; it reads all others."""


class Text(msgspec.Struct, frozen=True):
    """A string. `words` are the allowed values; empty means any."""

    words: tuple[str, ...] = ()


class Whole(msgspec.Struct, frozen=True):
    """An integer that fits into 32 bits."""


class Flag(msgspec.Struct, frozen=True):
    """A boolean."""


class Items(msgspec.Struct, frozen=True):
    """An array."""

    of: Type


class Keyed(msgspec.Struct, frozen=True):
    """An object whose keys are data."""

    of: Type


class Named(msgspec.Struct, frozen=True):
    """A reference to a record."""

    name: str


class Some(msgspec.Struct, frozen=True):
    """One of several records; another field says which."""

    names: tuple[str, ...]


class Anything(msgspec.Struct, frozen=True):
    """Any JSON value."""


class Maybe(msgspec.Struct, frozen=True):
    """A value of this type, or null."""

    of: Type


Type = Text | Whole | Flag | Items | Keyed | Named | Some | Anything | Maybe


class Field(msgspec.Struct, frozen=True):
    """A field of a record. `default` is its value if it is missing, None if the schema has no default."""

    name: str
    type: Type
    required: bool
    default: Any
    doc: str

    @property
    def constant(self) -> str | None:
        """The field's only value, as of a message's `type`; None if it varies."""
        match self.type:
            case Text((word,)) if self.required:
                return word
        return None

    @property
    def decoded_type(self) -> Type:
        """The type after decoding, where every field has a value: missing fields are null, missing lists are empty."""
        has_value = self.required or self.default is not None or not isinstance(self.type, Text | Whole | Flag | Named)
        return self.type if has_value else Maybe(self.type)

    @property
    def is_nullable(self) -> bool:
        """Whether the value after decoding may be null."""
        return isinstance(self.decoded_type, Maybe)

    @property
    def whole_type(self) -> Type:
        """The type of a value that is not null."""
        return self.type.of if isinstance(self.type, Maybe) else self.type

    @property
    def about(self) -> str:
        """The documentation, with the allowed values."""
        words = self.whole_type.words if isinstance(self.whole_type, Text) else ()
        listed = f"One of {', '.join(words)}." if len(words) > 1 else ""
        return " ".join(filter(None, (self.doc, listed)))


class Record(msgspec.Struct, frozen=True):
    """A message or a part of messages. `name` is in CamelCase; a game's records begin with the game's name."""

    name: str
    doc: str
    fields: tuple[Field, ...]

    @property
    def variable_fields(self) -> tuple[Field, ...]:
        """The fields that are not constant."""
        return tuple(field for field in self.fields if field.constant is None)

    @property
    def from_bots(self) -> bool:
        """Whether bots write this record."""
        return self.name in FROM_BOTS


def records(schema: Schema) -> list[Record]:
    """All records of the schema, each after the records that it refers to."""
    by_name = {_camel(name): _record(_camel(name), definition) for name, definition in schema["$defs"].items()}
    ordered: dict[str, Record] = {}
    for name in by_name:
        _add_in_order(name, by_name, ordered)
    return list(ordered.values())


def games(schema: Schema) -> list[str]:
    """The names of the games whose observations the schema has."""
    return [name.removesuffix(".Observation") for name in schema["$defs"] if name.endswith(".Observation")]


def snake(name: str) -> str:
    """`FifthAvenuePlot` as `fifth_avenue_plot`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def camel(name: str) -> str:
    """`move_ms` as `moveMs`."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def wrapped(text: str, before: str) -> list[str]:
    """A text as lines of at most 120 characters that begin with `before`; blank lines separate paragraphs."""
    if not text:
        return []
    paragraphs = [" ".join(part.split()) for part in text.split("\n\n")]
    lines = "\n\n".join(textwrap.fill(part, 120 - len(before)) for part in paragraphs).split("\n")
    return [f"{before}{line}".rstrip() for line in lines]


def _add_in_order(name: str, by_name: dict[str, Record], ordered: dict[str, Record]) -> None:
    if name in ordered:
        return
    for field in by_name[name].fields:
        for reference in _references(field.type):
            _add_in_order(reference, by_name, ordered)
    ordered[name] = by_name[name]


def _references(kind: Type) -> Iterator[str]:
    match kind:
        case Items(of) | Keyed(of) | Maybe(of):
            yield from _references(of)
        case Named(name):
            yield name
        case Some(names):
            yield from names
        case _:
            pass


def _camel(name: str) -> str:
    """`fifth-avenue.Plot` as `FifthAvenuePlot`."""
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", name))


def _record(name: str, schema: Schema) -> Record:
    required = schema.get("required", ())
    fields = tuple(_field(key, part, key in required) for key, part in schema.get("properties", {}).items())
    return Record(name, schema.get("description", ""), fields)


def _field(name: str, schema: Schema, required: bool) -> Field:
    return Field(name, _type(schema), required, schema.get("default"), schema.get("description", ""))


def _type(schema: Schema) -> Type:
    match schema:
        case {"$ref": reference}:
            return Named(_camel(reference.removeprefix("#/$defs/")))
        case {"enum": words}:
            return Text(tuple(words))
        case {"anyOf": [part, {"type": "null"}] | [{"type": "null"}, part]}:  # the order depends on msgspec
            return Maybe(_type(part))
        case {"anyOf": parts}:
            return Some(tuple(_camel(part["$ref"].removeprefix("#/$defs/")) for part in parts))
        case {"type": "string"}:
            return Text()
        case {"type": "integer"}:
            return Whole()
        case {"type": "boolean"}:
            return Flag()
        case {"type": "array", "items": items}:
            return Items(_type(items))
        case {"type": "object", "additionalProperties": dict(items)}:
            return Keyed(_type(items))
    return Anything()
