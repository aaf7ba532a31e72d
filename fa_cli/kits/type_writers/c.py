"""C types that point into the line that was read: a struct for each record, an accessor function for each field.

Only records that a bot reads have types; a bot writes its few messages with printf.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..model import Anything, Field, Flag, Items, Keyed, Maybe, Named, Record, Some, Text, Type, Whole, snake, wrapped

_HEAD = """\
#ifndef MESSAGES_H
#define MESSAGES_H

#include "json.h"

/* Each type is a piece of the line that was read, so nothing has to be freed, and nothing lives longer than the line.
   Fields that are texts, lists or tables are a Json; their comment says of what. */"""


def write(records: Sequence[Record], about: str) -> str:
    """The file `messages.h`."""
    blocks = [line for record in records if not record.from_bots for line in _struct(record)]
    return "\n".join([*_comment(about), _HEAD, *blocks, "", "#endif"]) + "\n"


def _struct(record: Record) -> list[str]:
    name = snake(record.name)
    head = ["", *_comment(record.doc), f"typedef struct {{ Json json; }} {name};", ""]
    made = [f"static inline {name} as_{name}(Json json) {{", f"    {name} made = {{json}};", "    return made;", "}"]
    return [*head, *made, *(line for field in record.variable_fields for line in _field(name, field))]


def _field(record: str, field: Field) -> list[str]:
    json, asked = f'json_field(of.json, "{field.name}")', f"{record} of"
    match field.whole_type:
        case Whole() if field.is_nullable:
            result, asked, value = "int", f"{asked}, int otherwise", f"json_whole({json}, otherwise)"
        case Whole():
            result, value = "int", f"json_whole({json}, {field.default or 0})"
        case Flag():
            result, value = "int", f"json_flag({json})"
        case Named(name):
            result, value = snake(name), f"as_{snake(name)}({json})"
        case _:
            result, value = "Json", json
    function = [f"static inline {result} {record}_{field.name}({asked}) {{", f"    return {value};", "}"]
    return ["", *_comment(_about(field)), *function]


def _about(field: Field) -> str:
    match field.decoded_type:
        case Whole() | Flag() | Named():
            return field.about
        case Maybe(Whole()):
            held = "`otherwise` where it is null."
        case Maybe(Named()):
            held = "Its `json` may be null."
        case kind:
            held = f"{_words(kind)[:1].upper()}{_words(kind)[1:]}."
    return f"{field.about} {held}".lstrip()


def _words(kind: Type, many: bool = False) -> str:
    """`a list of tables of fifth_avenue_plot`."""
    match kind:
        case Text():
            return "texts" if many else "a text"
        case Whole():
            return "whole numbers" if many else "a whole number"
        case Flag():
            return "true or false"
        case Items(of):
            return f"{'lists' if many else 'a list'} of {_words(of, many=True)}"
        case Keyed(of):
            return f"{'tables' if many else 'a table'} of {_words(of, many=True)}"
        case Named(name):
            return snake(name)
        case Some(names):
            return " or ".join(map(snake, names))
        case Maybe(of):
            return f"{_words(of, many=many)}, or null"
        case Anything():
            return "any JSON"


def _comment(text: str) -> list[str]:
    lines = "\n".join(wrapped(text, "   "))
    return f"/* {lines[3:]} */".split("\n") if text else []
