"""Parts of observations as JSON: encoded once, then joined."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar, cast

import msgspec

_encode = msgspec.json.Encoder().encode
_P = ParamSpec("_P")
_T = TypeVar("_T")


def to_raw(shown: object) -> msgspec.Raw:
    """What is shown, as the JSON that it is in whatever it is put into."""
    return msgspec.Raw(_encode(shown))


def json_members(part: object) -> bytes:
    """The fields of a Struct or dictionary as members of a JSON object, without its braces: `"placed":3,"shop":[1]`."""
    return _encode(part)[1:-1]


def join_members(*parts: bytes) -> msgspec.Raw:
    """An object of all these members, in this order."""
    return msgspec.Raw(b"{%b}" % b",".join(parts))


def json_cached(make: Callable[_P, object]) -> Callable[_P, Any]:
    """`make`, which returns a part of an observation, so that it returns that part as JSON and remembers it by its
    arguments. To a type checker it is still what `make` returns."""

    @lru_cache(maxsize=1 << 11)
    def keep(*parts: Any, **named: Any) -> msgspec.Raw:
        return to_raw(make(*parts, **named))

    return cast(Callable[_P, Any], keep)


def cache_last(make: Callable[_P, _T]) -> Callable[_P, _T]:
    """`make`, so that what it last returned is returned again as long as its arguments are equal. That costs little for
    lists which are never changed in place but replaced; others must not be among them."""
    last: tuple[object, ...] | None = None
    made: Any = None

    @wraps(make)
    def keep(*parts: _P.args, **named: _P.kwargs) -> _T:
        nonlocal last, made
        if parts != last:
            last, made = parts, make(*parts, **named)
        return cast(_T, made)

    return keep
