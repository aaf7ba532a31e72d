"""What can be wrong with an index."""

from __future__ import annotations

from typing import ClassVar


class IndexUnusable(Exception):
    """The index can't be read or written at present."""


class IndexBusy(IndexUnusable):
    """Another process has changed the same rows meanwhile; try again."""


class IndexDamaged(Exception):
    """The index does not hold what was written to it."""

    what: ClassVar[str] = "was damaged"


class IndexForeign(IndexDamaged):
    """The index was made with the key of another user or machine."""

    what: ClassVar[str] = "was not made by you on this machine"
