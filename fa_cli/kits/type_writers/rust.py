"""Rust structs, decoded from the kit's small `Json` type."""

from __future__ import annotations

from collections.abc import Sequence

from ..model import Anything, Field, Flag, Items, Keyed, Maybe, Named, Record, Some, Text, Type, Whole, wrapped
from ..model import about as about_field

_KEYWORDS = frozenset(
    (
        "as",
        "box",
        "do",
        "enum",
        "fn",
        "if",
        "in",
        "let",
        "loop",
        "match",
        "mod",
        "move",
        "mut",
        "pub",
        "ref",
        "self",
        "static",
        "super",
        "trait",
        "type",
        "use",
    )
)
_HEAD = """\
#![allow(dead_code)] // what this bot does not use yet

use crate::json::{quote, quote_all, Json};
use std::collections::BTreeMap;"""


def write(records: Sequence[Record], about: str) -> str:
    """The file `messages.rs`."""
    blocks = [line for record in records for line in _struct(record)]
    return "\n".join([*wrapped(about, "//! "), _HEAD, *blocks]) + "\n"


def name_of(kind: Type) -> str:
    """A type as Rust writes it."""
    match kind:
        case Text():
            return "String"
        case Whole():
            return "i64"
        case Flag():
            return "bool"
        case Items(of):
            return f"Vec<{name_of(of)}>"
        case Keyed(of):
            return f"BTreeMap<String, {name_of(of)}>"
        case Named(name):
            return name
        case Maybe(of):
            return f"Option<{name_of(of)}>"
        case Some() | Anything():
            return "Json"


def _struct(record: Record) -> list[str]:
    fields = [line for field in record.variable_fields for line in _field(field)]
    code = _encode(record) if record.from_bots else _decode(record)
    head = ["", *wrapped(record.doc, "/// "), "#[derive(Clone, Debug, Default)]"]
    struct = [f"pub struct {record.name} {{", *fields, "}"] if fields else [f"pub struct {record.name};"]
    return [*head, *struct, "", f"impl {record.name} {{", *code, "}"]


def _field(field: Field) -> list[str]:
    doc = about_field(field)
    return [*(wrapped(doc, "    /// ") if doc else []), f"    pub {_safe(field.name)}: {name_of(field.decoded_type)},"]


def _safe(name: str) -> str:
    return f"r#{name}" if name in _KEYWORDS else name


def _decode(record: Record) -> list[str]:
    if not record.variable_fields:
        return [f"    pub fn decode(_: &Json) -> {record.name} {{", f"        {record.name}", "    }"]
    lines = [f"            {_safe(field.name)}: {_value(field)}," for field in record.variable_fields]
    head = [f"    pub fn decode(json: &Json) -> {record.name} {{", f"        {record.name} {{"]
    return [*head, *lines, "        }", "    }"]


def _value(field: Field) -> str:
    json = f'json.get("{field.name}")'
    match field.type, field.default:
        case Whole(), int(default) if default:
            return f"{json}.maybe(Json::whole).unwrap_or({default})"
        case Text(), str(default) if default:
            return f'{json}.maybe(Json::text).unwrap_or("{default}".to_string())'
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
            return f"{json}.clone()"


def _reader(kind: Type) -> str:
    """A function that decodes a type."""
    match kind:
        case Text():
            return "Json::text"
        case Whole():
            return "Json::whole"
        case Flag():
            return "Json::flag"
        case Named(name):
            return f"{name}::decode"
        case Some() | Anything():
            return "Json::clone"
        case Items() | Keyed() | Maybe():
            return f"|json| {_read(kind, 'json')}"


def _encode(record: Record) -> list[str]:
    """The method that encodes a record; it omits fields without a value."""
    lines = ["    pub fn encode(&self) -> String {", "        let mut fields: Vec<String> = Vec::new();"]
    for field in record.fields:
        if field.constant is not None:
            lines.append(f'        fields.push("\\"{field.name}\\":\\"{field.constant}\\"".to_string());')
        elif isinstance(field.decoded_type, Maybe):
            lines += [f"        if let Some(value) = &self.{_safe(field.name)} {{"]
            lines += [f"            {_push(field)}", "        }"]
        else:
            lines += [f"        let value = &self.{_safe(field.name)};", f"        {_push(field)}"]
    return [*lines, '        format!("{{{}}}", fields.join(","))', "    }"]


def _push(field: Field) -> str:
    kind = field.decoded_type.of if isinstance(field.decoded_type, Maybe) else field.decoded_type
    text = {Text: "quote(value)", Items: "quote_all(value)"}.get(type(kind), "value")
    return f'fields.push(format!("\\"{field.name}\\":{{}}", {text}));'
