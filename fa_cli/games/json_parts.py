"""What observations as JSON are made with."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

import msgspec

_P = ParamSpec("_P")
_T = TypeVar("_T")

to_json: Callable[[object], bytes] = msgspec.json.Encoder().encode
"""Encode a value as JSON."""


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
