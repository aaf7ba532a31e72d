"""TypeScript interfaces."""

from __future__ import annotations

from collections.abc import Sequence

from ..model import Anything, Field, Flag, Items, Keyed, Maybe, Named, Record, Some, Text, Type, Whole, wrapped


def write(records: Sequence[Record], about: str) -> str:
    """The file `messages.ts`."""
    return "\n".join([*wrapped(about, "// "), *(line for record in records for line in _interface(record))]) + "\n"


def name_of(kind: Type) -> str:
    """A type as TypeScript, and JSDoc, write it."""
    match kind:
        case Text(words):
            return " | ".join(f'"{word}"' for word in words) or "string"
        case Whole():
            return "number"
        case Flag():
            return "boolean"
        case Items(of):
            inner = name_of(of)
            return f"({inner})[]" if "|" in inner else f"{inner}[]"
        case Keyed(of):
            return f"Record<string, {name_of(of)}>"
        case Named(name):
            return name
        case Some(names):
            return " | ".join(names)
        case Maybe(of):
            return f"{name_of(of)} | null"
        case Anything():
            return "any"


def _interface(record: Record) -> list[str]:
    fields = [line for field in record.fields for line in _field(field)]
    return ["", *_comment(record.doc, ""), f"export interface {record.name} {{", *fields, "}"]


def _field(field: Field) -> list[str]:
    mark = "" if field.required else "?"
    return [*_comment(field.doc, "  "), f"  {field.name}{mark}: {name_of(field.type)};"]


def _comment(doc: str, indent: str) -> list[str]:
    lines = wrapped(doc, f"{indent} * ")
    if len(lines) == 1:
        return [f"{indent}/**{lines[0][len(indent) + 2 :]} */"]
    return [f"{indent}/**", *lines, f"{indent} */"] if lines else []
