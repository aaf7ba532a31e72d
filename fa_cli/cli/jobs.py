"""`--jobs` of commands that share work among processes."""

from __future__ import annotations

from typing import Annotated

import msgspec

from ..option import Option, OptionGroup

MAX_JOBS = 1024
"""The most processes, or games at the same time."""
Jobs = Annotated[int, msgspec.Meta(ge=0, le=MAX_JOBS)]
ProcessesOption = Annotated[
    Jobs, Option("Use N processes; 0: one per core.", "N", short="j", group=OptionGroup.RUNNING)
]
