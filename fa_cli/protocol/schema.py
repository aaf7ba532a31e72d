"""The protocol as a JSON Schema, including the observations, boards and events of all games."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import msgspec

from .messages import BOT_MESSAGES, REFEREE_MESSAGES, Decide, End, Start

Schema = dict[str, Any]


Types = Mapping[str, type[msgspec.Struct]]
"""A type for each game, by the game's name."""


def protocol_schema(observations: Types, boards: Types, event: type[msgspec.Struct]) -> Schema:
    """A JSON Schema (draft 2020-12) for every line of the protocol.

    `observations`: the types of the games' observations. `boards`: the types of `board` in `start`, for games that have
    it. `event`: the type of an event. `$defs` has every message under its name, and the types of a game under
    `GAME.NAME`, such as `GAME.Observation`.
    """
    messages = (*REFEREE_MESSAGES, *BOT_MESSAGES)
    definitions = _definitions((*messages, event), "")
    for game, kind in (*observations.items(), *boards.items()):
        definitions |= _definitions((kind,), f"{game}.")
    events = {"type": "array", "items": _ref(event.__name__)}
    decide, end = definitions[Decide.__name__]["properties"], definitions[End.__name__]["properties"]
    decide["events"] |= events
    end["events"] |= events
    decide["observation"]["anyOf"] = _refs(observations)
    start = definitions[Start.__name__]["properties"]
    if boards:
        start["board"]["anyOf"] = _refs(boards)
    else:
        del start["board"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "fa/1",
        "description": "A line between the referee and a bot.",
        "anyOf": [_ref(message.__name__) for message in messages],
        "$defs": definitions,
    }


def _refs(types: Types) -> list[Schema]:
    return [_ref(f"{game}.{kind.__name__}") for game, kind in types.items()]


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _definitions(types: tuple[type[msgspec.Struct], ...], prefix: str) -> dict[str, Schema]:
    """The schemas of these types and of all types in their fields, by prefix and name, with field descriptions."""
    _, schemas = msgspec.json.schema_components(types, ref_template=f"#/$defs/{prefix}{{name}}")
    for node in msgspec.inspect.multi_type_info(types):
        for kind in _structs(node):
            schema = schemas[kind.__name__]
            schema["description"] = inspect.cleandoc(kind.__doc__ or "")
            for part in reversed(kind.__mro__):  # inherited fields, too
                for name, text in _field_docs(part).items():
                    schema["properties"][name]["description"] = text
    return {prefix + name: schema for name, schema in schemas.items()}


def _structs(node: object) -> Iterator[type[msgspec.Struct]]:
    """All Structs in a type's tree, the type itself included."""
    if isinstance(node, msgspec.inspect.StructType):
        yield node.cls
    if isinstance(node, msgspec.Struct):
        for value in msgspec.structs.asdict(node).values():
            yield from _structs(value)
    elif isinstance(node, tuple):
        for value in node:
            yield from _structs(value)


def _field_docs(kind: type) -> dict[str, str]:
    """The docstring below each field in the source; empty if the source is not available."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(kind)))
    except (OSError, SyntaxError, TypeError):
        return {}
    docs = {}
    for field, below in pairwise(tree.body[0].body):  # type: ignore[attr-defined]
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(below, ast.Expr):
            docs[field.target.id] = inspect.cleandoc(ast.literal_eval(below.value))
    return docs
