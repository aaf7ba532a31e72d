"""How a language spells types and, with the `Json` of its kit, what decodes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from ..model import Anything, Field, Flag, Items, Keyed, Maybe, Named, Some, Text, Type, Whole

_METHODS: Mapping[Any, str] = {
    Text: "text",
    Whole: "whole",
    Flag: "flag",
    Items: "items",
    Keyed: "table",
    Maybe: "maybe",
}
"""The methods of `Json`, which have the same names in each language; the last three take a function."""


class Spelling(msgspec.Struct, frozen=True, kw_only=True):
    """How a language spells each kind of type; {} stands for the type or words in it. Records have their names."""

    text: str
    whole: str
    flag: str
    items: str
    keyed: str
    maybe: str
    json: str
    """Any JSON, and one of several records."""

    def of(self, kind: Type) -> str:
        """A type as the language spells it."""
        match kind:
            case Items(of):
                return self.items.format(self.of(of))
            case Keyed(of):
                return self.keyed.format(self.of(of))
            case Maybe(of):
                return self.maybe.format(self.of(of))
            case Named(name):
                return name
            case Text(words):
                return self.text.format(", ".join(f'"{word}"' for word in words))
        return {Whole: self.whole, Flag: self.flag}.get(type(kind), self.json)


class Notation(msgspec.Struct, frozen=True):
    """The expressions of a language that decode values; {} stands for their parts."""

    function: str
    """A function, by its parameter and its result."""
    parameter: str = "json"
    """The parameter's name; {} is the depth of the function among nested ones, from 1."""
    methods: str = ""
    """A function that calls a method without parameters, by the method; empty: it is written as other functions are."""
    identity: str = ""
    """The function that returns a `Json` as it is; empty as above."""
    kept: str = "{}"
    """A `Json` as a value of its own."""
    record: str = "{}::decode({})"
    """A record, by its name and a `Json`."""
    default: str = "{}.{}({})"
    """A value with a default, by a `Json`, the method and the default."""
    text: str = '"{}"'
    """A text as a default."""

    def decoded(self, field: Field) -> str:
        """The value of a field of the record `json`."""
        json = f'json.get("{field.name}")'
        if isinstance(field.type, Text | Whole) and field.default:
            default = self.text.format(field.default) if isinstance(field.default, str) else field.default
            return self.default.format(json, _METHODS[type(field.type)], default)
        return self._value(field.decoded_type, json, 1)

    def _value(self, kind: Type, json: str, depth: int) -> str:
        match kind:
            case Items(of) | Keyed(of) | Maybe(of):
                return f"{json}.{_METHODS[type(kind)]}({self._reader(of, depth)})"
            case Named(name):
                return self.record.format(name, json)
            case Some() | Anything():
                return self.kept.format(json)
        return f"{json}.{_METHODS[type(kind)]}()"

    def _reader(self, kind: Type, depth: int) -> str:
        """A function that decodes a type."""
        if isinstance(kind, Named):
            return f"{kind.name}::decode"
        if isinstance(kind, Text | Whole | Flag) and self.methods:
            return self.methods.format(_METHODS[type(kind)])
        if isinstance(kind, Some | Anything) and self.identity:
            return self.identity
        parameter = self.parameter.format(depth)
        return self.function.format(parameter, self._value(kind, parameter, depth + 1))
