"""Python TypedDicts: the types of what the JSON decoder returns."""

from __future__ import annotations

from collections.abc import Sequence

from ..model import Anything, Field, Flag, Items, Keyed, Maybe, Named, Record, Some, Text, Type, Whole, wrapped


def write(records: Sequence[Record], about: str) -> str:
    """The file `messages.py`."""
    head = [f'"""{about}"""', "", "from __future__ import annotations", ""]
    head += ["from typing import Any, Literal, NotRequired, TypedDict"]
    return "\n".join([*head, *(line for record in records for line in _class(record))]) + "\n"


def name_of(kind: Type) -> str:
    """A type as Python writes it."""
    match kind:
        case Text(()):
            return "str"
        case Text(words):
            return "Literal[" + ", ".join(f'"{word}"' for word in words) + "]"
        case Whole():
            return "int"
        case Flag():
            return "bool"
        case Items(of):
            return f"list[{name_of(of)}]"
        case Keyed(of):
            return f"dict[str, {name_of(of)}]"
        case Named(name):
            return name
        case Some():
            return "Any"
        case Maybe(of):
            return f"{name_of(of)} | None"
        case Anything():
            return "Any"


def _class(record: Record) -> list[str]:
    fields = [line for field in record.fields for line in _field(field)]
    return ["", "", f"class {record.name}(TypedDict):", *_doc(record.doc), *(["", *fields] if fields else ["    pass"])]


def _field(field: Field) -> list[str]:
    name = name_of(field.type)
    return [f"    {field.name}: {name if field.required else f'NotRequired[{name}]'}", *_doc(field.doc)]


def _doc(text: str) -> list[str]:
    if not text:
        return []
    lines = wrapped(text, "    ")
    lines[0] = f'    """{lines[0][4:]}'
    return [*lines[:-1], f'{lines[-1]}"""'] if len(lines) == 1 else [*lines, '    """']
