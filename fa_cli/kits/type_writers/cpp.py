"""C++ structs, decoded from the kit's small `Json` class."""

from __future__ import annotations

from collections.abc import Sequence

from ..model import Field, Flag, Items, Record, Text, Whole, wrapped
from .notation import Notation, Spelling

_HEAD = """\
#pragma once

#include "json.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>"""
_TYPES = Spelling(
    text="std::string",
    whole="int",
    flag="bool",
    items="std::vector<{}>",
    keyed="std::map<std::string, {}>",
    maybe="std::optional<{}>",
    json="Json",
)
_NOTATION = Notation("[](const Json& {}) {{ return {}; }}")


def write(records: Sequence[Record], about: str) -> str:
    """The file `messages.hpp`."""
    blocks = [line for record in records for line in _struct(record)]
    return "\n".join([*wrapped(about, "// "), _HEAD, *blocks]) + "\n"


def _struct(record: Record) -> list[str]:
    fields = [line for field in record.variable_fields for line in _field(field)]
    code = _encode(record) if record.from_bots else _decode(record)
    gap = [""] if fields else []
    return ["", *wrapped(record.doc, "// "), f"struct {record.name} {{", *fields, *gap, *code, "};"]


def _field(field: Field) -> list[str]:
    start = {Whole: " = 0", Flag: " = false"}.get(type(field.decoded_type), "")
    return [*wrapped(field.about, "    // "), f"    {_TYPES.of(field.decoded_type)} {field.name}{start};"]


def _decode(record: Record) -> list[str]:
    if not record.variable_fields:
        return [f"    static {record.name} decode(const Json&) {{ return {{}}; }}"]
    lines = [f"        read.{field.name} = {_NOTATION.decoded(field)};" for field in record.variable_fields]
    head = [f"    static {record.name} decode(const Json& json) {{", f"        {record.name} read;"]
    return [*head, *lines, "        return read;", "    }"]


def _encode(record: Record) -> list[str]:
    """The function that encodes a record; it omits fields without a value."""
    lines = ["    std::string encode() const {", "        std::vector<std::string> fields;"]
    for field in record.fields:
        value = f"*{field.name}" if field.is_nullable else field.name
        text = f"quote({value})" if isinstance(field.whole_type, Text | Items) else f"std::to_string({value})"
        added = f'"\\"{field.name}\\":\\"{field.constant}\\""' if field.constant else f'"\\"{field.name}\\":" + {text}'
        lines.append(f"        {f'if ({field.name}) ' if field.is_nullable else ''}fields.push_back({added});")
    return [*lines, '        return "{" + join(fields) + "}";', "    }"]
