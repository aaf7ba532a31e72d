"""Sums of floats must be the same on every Python: since 3.12 `sum` rounds otherwise, and mypyc's loop as before.

`add_up` adds in the same way everywhere. Folders of tests whose modules add floats import `no_float_sums`.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

_sum = builtins.sum


def _checked_sum(items: Iterable[Any], /, start: Any = 0) -> Any:
    """As `sum`, but not for fractions that a module of fa_cli adds up."""
    values = list(items)
    if sys._getframe(1).f_globals["__name__"].startswith("fa_cli."):
        fractions = [value for value in values if isinstance(value, float) and not value.is_integer()]
        assert not fractions or len(values) == 1, "sum() of floats differs between versions of Python: use add_up()"
    return _sum(values, start)


@pytest.fixture(scope="module", autouse=True)
def no_float_sums() -> Iterator[None]:
    """Modules of fa_cli that pass fractions to `sum` fail."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(builtins, "sum", _checked_sum)
        yield
