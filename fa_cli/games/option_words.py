"""The values that a game's option allows, in words."""

from __future__ import annotations

from typing import Literal, get_args, get_origin, get_type_hints

import msgspec

from ..printing.text import either


def describe_values(options: type[msgspec.Struct], name: str) -> str:
    """Describe the values of an option: `five or six`, `a number from 1 to 1000`.

    `options` is a game's frozen Struct of Literal or bounded int fields.
    """
    kind = get_type_hints(options, include_extras=True)[name]
    if get_origin(kind) is Literal:
        return either(get_args(kind))
    for extra in getattr(kind, "__metadata__", ()):
        if isinstance(extra, msgspec.Meta):
            return f"a number from {extra.ge} to {extra.le}"
    return getattr(kind, "__name__", str(kind))


def named_values(options: type[msgspec.Struct], name: str) -> list[str]:
    """The values of an option that has names for them; empty for a number."""
    kind = get_type_hints(options)[name]
    return [str(value) for value in get_args(kind)] if get_origin(kind) is Literal else []
