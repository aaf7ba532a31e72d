"""Observations as JSON, joined from parts that are encoded once and cached."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar, cast

import msgspec

_encode = msgspec.json.Encoder().encode
_P = ParamSpec("_P")
_T = TypeVar("_T")


def to_json(value: object) -> bytes:
    """Encode a value as JSON."""
    return _encode(value)


def to_raw(value: object) -> msgspec.Raw:
    """Encode a value as JSON that an encoder later copies verbatim."""
    return msgspec.Raw(_encode(value))


def json_members(part: object) -> bytes:
    """Encode a Struct or dictionary as the members of a JSON object, without the braces: `"placed":3,"shop":[1]`."""
    return _encode(part)[1:-1]


def join_members(*parts: bytes) -> bytes:
    """Join members from `json_members`, in this order, into one JSON object."""
    return b"{%b}" % b",".join(parts)


def json_cached(make: Callable[_P, object]) -> Callable[_P, Any]:
    """Decorate a function so that it returns its result as JSON, cached by its arguments.

    The type of the result is `Any`, so that the JSON can stand in for the Struct field that it encodes.
    """

    @lru_cache(maxsize=1 << 11)
    def cached(*args: Any, **kwargs: Any) -> msgspec.Raw:
        return to_raw(make(*args, **kwargs))

    return cast(Callable[_P, Any], cached)


def cache_last(make: Callable[_P, _T]) -> Callable[_P, _T]:
    """Decorate a function so that it returns its last result again while its arguments are equal.

    Lists among the arguments must never be changed in place. Comparing a list with itself is then cheap.
    """
    last_args: tuple[object, ...] | None = None
    result: Any = None

    @wraps(make)
    def cached(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        nonlocal last_args, result
        if args != last_args:
            last_args, result = args, make(*args, **kwargs)
        return cast(_T, result)

    return cached
