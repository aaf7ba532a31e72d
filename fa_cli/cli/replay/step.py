"""`fa replay show --step`: a recorded game on the full screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .records import record_of

if TYPE_CHECKING:
    from pathlib import Path


def walk_through(log: Path, number: int) -> None:
    """Show a game step by step until the user quits.

    Raises UsageError without a terminal or such a game, LogError if it is damaged, KeyboardInterrupt after Ctrl-C.
    """
    from ...errors import FaError
    from ...screens import check_terminal

    check_terminal("without --step the game is printed")
    record = record_of(log, number)

    from ...screens.step_screen import StepScreen  # takes a quarter of a second
    from ...viewer.stepper import Stepper

    try:
        stepper = Stepper(record)
    except FaError as error:
        raise error.within(f"{log}: record {number}") from None
    StepScreen(f"{log} game {number}", stepper).show()
