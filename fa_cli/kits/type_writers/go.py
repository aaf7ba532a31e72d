"""Go structs, with tags for encoding/json."""

from __future__ import annotations

from collections.abc import Sequence

from ..model import Anything, Field, Flag, Items, Keyed, Maybe, Named, Record, Some, Text, Type, Whole, camel, wrapped
from ..model import about as about_field


def write(records: Sequence[Record], about: str) -> str:
    """The file `messages.go`."""
    head = [*wrapped(about, "// "), "", "package main", "", 'import "encoding/json"']
    return "\n".join([*head, *(line for record in records for line in _struct(record))]) + "\n"


def name_of(kind: Type) -> str:
    """A type as Go writes it; nil lists and maps stand for null."""
    match kind:
        case Text():
            return "string"
        case Whole():
            return "int"
        case Flag():
            return "bool"
        case Items(of):
            return f"[]{name_of(of)}"
        case Keyed(of):
            return f"map[string]{name_of(of)}"
        case Named(name):
            return name
        case Maybe(Items() | Keyed() as of):
            return name_of(of)
        case Maybe(of):
            return f"*{name_of(of)}"
        case Some() | Anything():
            return "json.RawMessage"


def _struct(record: Record) -> list[str]:
    head = ["", *wrapped(f"{record.name}: {record.doc}", "// ")]
    if not record.fields:
        return [*head, f"type {record.name} struct{{}}"]
    fields = [line for number, field in enumerate(record.fields) for line in _field(field, first=number == 0)]
    return [*head, f"type {record.name} struct {{", *fields, "}", *_defaults(record)]


def _field(field: Field, first: bool) -> list[str]:
    doc = about_field(field) if field.constant is None else f'Always "{field.constant}".'
    tag = field.name if field.required else f"{field.name},omitempty"
    line = f'\t{_name(field)} {name_of(field.decoded_type)} `json:"{tag}"`'
    return [*([] if first else [""]), *(wrapped(doc, "\t// ") if doc else []), line]


def _name(field: Field) -> str:
    name = camel(field.name)
    return name[:1].upper() + name[1:]


def _defaults(record: Record) -> list[str]:
    """The value of a missing field, if it is not Go's zero value."""
    given = [field for field in record.fields if field.default and not record.from_bots]
    if not given:
        return []
    values = ", ".join(f"{_name(field)}: {_literal(field.default)}" for field in given)
    return [
        "",
        "// UnmarshalJSON fills in what is left out.",
        f"func (value *{record.name}) UnmarshalJSON(data []byte) error {{",
        f"\ttype plain {record.name}",
        f"\tread := plain{{{values}}}",
        "\tif err := json.Unmarshal(data, &read); err != nil {",
        "\t\treturn err",
        "\t}",
        f"\t*value = {record.name}(read)",
        "\treturn nil",
        "}",
    ]


def _literal(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
