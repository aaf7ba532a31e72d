"""Python TypedDicts: the types of what the JSON decoder returns."""

from __future__ import annotations

from collections.abc import Sequence

from ..model import Field, Record, wrapped
from .notation import Spelling

_TYPES = Spelling(
    text="Literal[{}]", whole="int", flag="bool", items="list[{}]", keyed="dict[str, {}]", maybe="{} | None", json="Any"
)


def write(records: Sequence[Record], about: str) -> str:
    """The file `messages.py`."""
    head = [f'"""{about}"""', "", "from __future__ import annotations", ""]
    head += ["from typing import Any, Literal, NotRequired, TypedDict"]
    return "\n".join([*head, *(line for record in records for line in _class(record))]) + "\n"


def _class(record: Record) -> list[str]:
    fields = [line for field in record.fields for line in _field(field)]
    return ["", "", f"class {record.name}(TypedDict):", *_doc(record.doc), *(["", *fields] if fields else ["    pass"])]


def _field(field: Field) -> list[str]:
    name = _TYPES.of(field.type).replace("Literal[]", "str")
    return [f"    {field.name}: {name if field.required else f'NotRequired[{name}]'}", *_doc(field.doc)]


def _doc(text: str) -> list[str]:
    lines = "\n".join(wrapped(text, "    ")).replace("    ", '    """', 1).splitlines()
    return [*lines[:-1], f'{lines[-1]}"""'] if len(lines) == 1 else [*lines, '    """'] if lines else []
