"""JavaScript types as JSDoc, for editors and `tsc --checkJs`."""

from __future__ import annotations

from collections.abc import Sequence

from ..model import Field, Record, wrapped
from .typescript import name_of


def write(records: Sequence[Record], about: str) -> str:
    """The file `messages.js`, which holds nothing but comments."""
    lines = [line for record in records for line in _typedef(record)]
    return "\n".join([*wrapped(about, "// "), '"use strict";', *lines, "", "module.exports = {};"]) + "\n"


def _typedef(record: Record) -> list[str]:
    fields = [line for field in record.fields for line in _field(field)]
    return ["", "/**", *wrapped(record.doc, " * "), f" * @typedef {{object}} {record.name}", *fields, " */"]


def _field(field: Field) -> list[str]:
    name = field.name if field.required else f"[{field.name}]"
    return wrapped(f"@property {{{name_of(field.type)}}} {name} {field.doc}".rstrip(), " * ")
