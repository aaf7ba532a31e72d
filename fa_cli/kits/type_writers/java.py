"""Java records, decoded from the kit's small `Json` class."""

from __future__ import annotations

from collections.abc import Sequence

from ..model import Field, Flag, Items, Record, Text, Whole, camel, wrapped
from .notation import Notation, Spelling

_BOXED = Spelling(
    text="String", whole="Integer", flag="Boolean", items="List<{}>", keyed="Map<String, {}>", maybe="{}", json="Json"
)
"""Types where null may stand for a value, and in lists and tables."""
_NOTATION = Notation(
    "{} -> {}",
    parameter="each{}",  # a nested lambda needs another name
    methods="Json::{}",
    identity="Function.identity()",
    record="{}.decode({})",
)


def write(records: Sequence[Record], about: str) -> str:
    """The file `Messages.java`: several records, none of them public, may stand in one file."""
    imports = [f"import java.util.{name};" for name in ("List", "Map", "StringJoiner", "function.Function")]
    head = [*wrapped(about, "// "), "", *imports]
    return "\n".join([*head, *(line for record in records for line in _record(record))]) + "\n"


def _record(record: Record) -> list[str]:
    parts = [f"{_type(field)} {camel(field.name)}" for field in record.variable_fields]
    one_line = f"record {record.name}({', '.join(parts)}) {{"
    head = [one_line] if len(one_line) <= 120 else [f"record {record.name}(", *_listed(parts), ") {"]
    code = _encode(record) if record.from_bots else _decode(record)
    return ["", "/**", *wrapped(record.doc, " * "), *_parameters(record), " */", *head, *code, "}"]


def _type(field: Field) -> str:
    return {Whole: "int", Flag: "boolean"}.get(type(field.decoded_type)) or _BOXED.of(field.decoded_type)


def _parameters(record: Record) -> list[str]:
    lines = []
    for field in record.variable_fields:
        doc = " ".join(filter(None, (field.about, "null where there is none." if field.is_nullable else "")))
        lines += wrapped(doc and f"@param {camel(field.name)} {doc}", " * ")
    return [" *", *lines] if lines else []


def _listed(parts: Sequence[str]) -> list[str]:
    return [f"        {part}{',' if number < len(parts) else ''}" for number, part in enumerate(parts, 1)]


def _decode(record: Record) -> list[str]:
    values = _listed([_NOTATION.decoded(field) for field in record.variable_fields])
    made = "\n".join([f"        return new {record.name}(", *(f"    {line}" for line in values)])
    return [f"    static {record.name} decode(Json json) {{", f"{made});", "    }"]


def _encode(record: Record) -> list[str]:
    """The method that encodes a record; it omits fields without a value."""
    lines = ["    String encode() {", '        StringJoiner fields = new StringJoiner(",", "{", "}");']
    for field in record.fields:
        name = camel(field.name)
        text = f"Json.quote({name})" if isinstance(field.whole_type, Text | Items) else name
        add = f'fields.add("\\"{field.name}\\":" + {text});'
        if field.constant is not None:
            lines.append(f'        fields.add("\\"{field.name}\\":\\"{field.constant}\\"");')
        elif field.is_nullable:
            lines += [f"        if ({name} != null) {{", f"            {add}", "        }"]
        else:
            lines.append(f"        {add}")
    return [*lines, "        return fields.toString();", "    }"]
