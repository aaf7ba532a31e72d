"""Importing later what a library imports at once and hardly ever needs: starting takes less."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType


class _Later(ModuleType):
    """Stands for the module of its name, which is imported when something of it is looked for."""

    def __getattr__(self, name: str) -> object:
        _take_away(self)
        return getattr(import_module(self.__name__), name)


@contextmanager
def put_off(*names: str) -> Iterator[None]:
    """Whoever imports one of these modules meanwhile, gets it later; those that are there already are left alone.

    What is imported afterwards is the module itself.
    """
    stand_ins = [_Later(name) for name in names if name not in sys.modules]
    sys.modules.update((stand_in.__name__, stand_in) for stand_in in stand_ins)
    try:
        yield
    finally:
        for stand_in in stand_ins:
            _take_away(stand_in)


def _take_away(stand_in: _Later) -> None:
    if sys.modules.get(stand_in.__name__) is stand_in:
        del sys.modules[stand_in.__name__]
