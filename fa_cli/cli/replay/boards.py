"""`--boards`: when a narrated game draws its board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ...option import Option
from ...option_group import OptionGroup

if TYPE_CHECKING:
    from ...replay.narrate import Boards

BoardsOption = Annotated[
    str,
    Option(
        "Draw the board after all decisions, turns, rounds, or at the end.",
        "all|turns|rounds|end",
        group=OptionGroup.OUTPUT,
    ),
]


def parse_boards(boards: str) -> Boards:
    """The value of `--boards`. Raises UsageError."""
    from ...errors import UsageError
    from ...replay.narrate import Boards

    try:
        return Boards(boards)
    except ValueError:
        raise UsageError(f"--boards is all, turns, rounds or end, not {boards!r}") from None
