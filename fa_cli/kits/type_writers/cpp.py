"""C++ structs, decoded from the kit's small `Json` class."""

from __future__ import annotations

from collections.abc import Sequence

from ..model import Anything, Field, Flag, Items, Keyed, Maybe, Named, Record, Some, Text, Type, Whole, wrapped
from ..model import about as about_field

_KEYWORDS = frozenset(
    (
        "auto",
        "bool",
        "case",
        "char",
        "class",
        "const",
        "default",
        "delete",
        "do",
        "else",
        "enum",
        "for",
        "if",
        "int",
        "new",
        "this",
        "union",
    )
)
_HEAD = """\
#pragma once

#include "json.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>"""


def write(records: Sequence[Record], about: str) -> str:
    """The file `messages.hpp`."""
    blocks = [line for record in records for line in _struct(record)]
    return "\n".join([*wrapped(about, "// "), _HEAD, *blocks]) + "\n"


def name_of(kind: Type) -> str:
    """A type as C++ writes it."""
    match kind:
        case Text():
            return "std::string"
        case Whole():
            return "int"
        case Flag():
            return "bool"
        case Items(of):
            return f"std::vector<{name_of(of)}>"
        case Keyed(of):
            return f"std::map<std::string, {name_of(of)}>"
        case Named(name):
            return name
        case Maybe(of):
            return f"std::optional<{name_of(of)}>"
        case Some() | Anything():
            return "Json"


def _struct(record: Record) -> list[str]:
    fields = [line for field in record.variable_fields for line in _field(field)]
    code = _encode(record) if record.from_bots else _decode(record)
    gap = [""] if fields else []
    return ["", *wrapped(record.doc, "// "), f"struct {record.name} {{", *fields, *gap, *code, "};"]


def _field(field: Field) -> list[str]:
    doc = about_field(field)
    start = {Whole: " = 0", Flag: " = false"}.get(type(field.decoded_type), "")
    line = f"    {name_of(field.decoded_type)} {_safe(field.name)}{start};"
    return [*(wrapped(doc, "    // ") if doc else []), line]


def _safe(name: str) -> str:
    return f"{name}_" if name in _KEYWORDS else name


def _decode(record: Record) -> list[str]:
    if not record.variable_fields:
        return [f"    static {record.name} decode(const Json&) {{ return {{}}; }}"]
    lines = [f"        read.{_safe(field.name)} = {_value(field)};" for field in record.variable_fields]
    head = [f"    static {record.name} decode(const Json& json) {{", f"        {record.name} read;"]
    return [*head, *lines, "        return read;", "    }"]


def _value(field: Field) -> str:
    json = f'json.get("{field.name}")'
    match field.type, field.default:
        case Whole(), int(default) if default:
            return f"{json}.whole({default})"
        case Text(), str(default) if default:
            return f'{json}.text("{default}")'
    return _read(field.decoded_type, json)


def _read(kind: Type, json: str) -> str:
    match kind:
        case Text():
            return f"{json}.text()"
        case Whole():
            return f"{json}.whole()"
        case Flag():
            return f"{json}.flag()"
        case Items(of):
            return f"{json}.items({_reader(of)})"
        case Keyed(of):
            return f"{json}.table({_reader(of)})"
        case Maybe(of):
            return f"{json}.maybe({_reader(of)})"
        case Named(name):
            return f"{name}::decode({json})"
        case Some() | Anything():
            return json


def _reader(kind: Type) -> str:
    """A function that decodes a type."""
    if isinstance(kind, Named):
        return f"{kind.name}::decode"
    return f"[](const Json& json) {{ return {_read(kind, 'json')}; }}"


def _encode(record: Record) -> list[str]:
    """The function that encodes a record; it omits fields without a value."""
    lines = ["    std::string encode() const {", "        std::vector<std::string> fields;"]
    for field in record.fields:
        name = _safe(field.name)
        if field.constant is not None:
            lines.append(f'        fields.push_back("\\"{field.name}\\":\\"{field.constant}\\"");')
        elif isinstance(field.decoded_type, Maybe):
            lines.append(f"        if ({name}) {_push(field, f'*{name}')}")
        else:
            lines.append(f"        {_push(field, name)}")
    return [*lines, '        return "{" + join(fields) + "}";', "    }"]


def _push(field: Field, value: str) -> str:
    kind = field.decoded_type.of if isinstance(field.decoded_type, Maybe) else field.decoded_type
    text = f"quote({value})" if isinstance(kind, Text | Items) else f"std::to_string({value})"
    return f'fields.push_back("\\"{field.name}\\":" + {text});'
