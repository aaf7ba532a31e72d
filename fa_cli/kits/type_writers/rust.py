"""Rust structs, decoded from the kit's small `Json` type."""

from __future__ import annotations

from collections.abc import Sequence

from ..model import Field, Items, Record, Text, wrapped
from .notation import Notation, Spelling

_HEAD = """\
#![allow(dead_code)] // what this bot does not use yet

use crate::json::{quote, quote_all, Json};
use std::collections::BTreeMap;"""
_TYPES = Spelling(
    text="String",
    whole="i64",
    flag="bool",
    items="Vec<{}>",
    keyed="BTreeMap<String, {}>",
    maybe="Option<{}>",
    json="Json",
)
_NOTATION = Notation(
    "|{}| {}",
    methods="Json::{}",
    identity="Json::clone",
    kept="{}.clone()",
    default="{}.maybe(Json::{}).unwrap_or({})",
    text='"{}".to_string()',
)


def write(records: Sequence[Record], about: str) -> str:
    """The file `messages.rs`."""
    blocks = [line for record in records for line in _struct(record)]
    return "\n".join([*wrapped(about, "//! "), _HEAD, *blocks]) + "\n"


def _struct(record: Record) -> list[str]:
    fields = [line for field in record.variable_fields for line in _field(field)]
    code = _encode(record) if record.from_bots else _decode(record)
    head = ["", *wrapped(record.doc, "/// "), "#[derive(Clone, Debug, Default)]"]
    struct = [f"pub struct {record.name} {{", *fields, "}"] if fields else [f"pub struct {record.name};"]
    return [*head, *struct, "", f"impl {record.name} {{", *code, "}"]


def _field(field: Field) -> list[str]:
    return [*wrapped(field.about, "    /// "), f"    pub {field.name}: {_TYPES.of(field.decoded_type)},"]


def _decode(record: Record) -> list[str]:
    if not record.variable_fields:
        return [f"    pub fn decode(_: &Json) -> {record.name} {{", f"        {record.name}", "    }"]
    lines = [f"            {field.name}: {_NOTATION.decoded(field)}," for field in record.variable_fields]
    head = [f"    pub fn decode(json: &Json) -> {record.name} {{", f"        {record.name} {{"]
    return [*head, *lines, "        }", "    }"]


def _encode(record: Record) -> list[str]:
    """The method that encodes a record; it omits fields without a value."""
    lines = ["    pub fn encode(&self) -> String {", "        let mut fields: Vec<String> = Vec::new();"]
    for field in record.fields:
        text = {Text: "quote(value)", Items: "quote_all(value)"}.get(type(field.whole_type), "value")
        push = f'fields.push(format!("\\"{field.name}\\":{{}}", {text}));'
        if field.constant is not None:
            lines.append(f'        fields.push("\\"{field.name}\\":\\"{field.constant}\\"".to_string());')
        elif field.is_nullable:
            lines += [f"        if let Some(value) = &self.{field.name} {{", f"            {push}", "        }"]
        else:
            lines += [f"        let value = &self.{field.name};", f"        {push}"]
    return [*lines, '        format!("{{{}}}", fields.join(","))', "    }"]
