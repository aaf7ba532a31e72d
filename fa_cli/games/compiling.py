"""A mark that mypyc reads when it compiles a class. Running needs no package of mypyc's."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
else:

    def mypyc_attr(**_):
        """Return a decorator that changes nothing."""
        return lambda kind: kind


__all__ = ["mypyc_attr"]
