"""What modules that mypyc compiles need to be told; without it, it does nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
else:
    _Class = TypeVar("_Class", bound=type)

    def mypyc_attr(**_: bool) -> Callable[[_Class], _Class]:
        """Decorate a class for mypyc, which removes this decorator: `allow_interpreted_subclasses=True`."""
        return lambda decorated: decorated


__all__ = ["mypyc_attr"]
