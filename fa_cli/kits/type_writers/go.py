"""Go structs, with tags for encoding/json."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ..model import Field, Record, camel, wrapped
from .notation import Spelling

_TYPES = Spelling(
    text="string", whole="int", flag="bool", items="[]{}", keyed="map[string]{}", maybe="*{}", json="json.RawMessage"
)


def write(records: Sequence[Record], about: str) -> str:
    """The file `messages.go`."""
    head = [*wrapped(about, "// "), "", "package main", "", 'import "encoding/json"']
    return "\n".join([*head, *(line for record in records for line in _struct(record))]) + "\n"


def _struct(record: Record) -> list[str]:
    head = ["", *wrapped(f"{record.name}: {record.doc}", "// ")]
    if not record.fields:
        return [*head, f"type {record.name} struct{{}}"]
    fields = [line for field in record.fields for line in ["", *_field(field)]]
    return [*head, f"type {record.name} struct {{", *fields[1:], "}", *_defaults(record)]


def _field(field: Field) -> list[str]:
    doc = field.about if field.constant is None else f'Always "{field.constant}".'
    tag = field.name if field.required else f"{field.name},omitempty"
    kind = _TYPES.of(field.decoded_type).replace("*[]", "[]").replace("*map", "map")  # nil stands for null
    return [*wrapped(doc, "\t// "), f'\t{_name(field)} {kind} `json:"{tag}"`']


def _name(field: Field) -> str:
    name = camel(field.name)
    return name[:1].upper() + name[1:]


def _defaults(record: Record) -> list[str]:
    """The value of a missing field, if it is not Go's zero value."""
    given = [field for field in record.fields if field.default and not record.from_bots]
    if not given:
        return []
    values = ", ".join(f"{_name(field)}: {json.dumps(field.default)}" for field in given)
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
