"""A bot that can't be started for want of something that the machine may lack for a moment is tried once more."""

from __future__ import annotations

import errno
from collections.abc import Callable
from time import sleep
from typing import TypeVar

from ..errors import FaError, Shortage, SupervisorLost, shortage
from ..game_result import Failure, FaultKind, Refused
from ..isolation.bot_process import REFUSED

PAUSE = 1.0
"""Seconds until the second attempt."""
_Result = TypeVar("_Result")


def once_more(attempt: Callable[[], _Result]) -> _Result:
    """The result of an attempt; of a second one, after `PAUSE`, if the machine may have lacked something.

    Raises what the attempt raises, and Shortage if the machine lacks something for the second one too. A build that
    only prints so twice has failed for its own reasons, else it could hold up a tournament for ever.
    """
    try:
        return attempt()
    except (FaError, OSError) as error:
        # or a build has failed and printed that it lacked something
        if not _lacks(error) and not any(REFUSED.search(line) for line in getattr(error, "details", ())):
            raise
    sleep(PAUSE)
    try:
        return attempt()
    except (FaError, OSError) as error:
        if not _lacks(error):
            raise
        raise Shortage(f"{shortage(error) or error} (tried twice); try again later") from None


def may_be_shortage(failure: Failure) -> bool:
    """Whether a bot that failed at its start may do better later, though it is unchanged."""
    return isinstance(failure, Refused) or failure.kind is FaultKind.TIMEOUT


def _lacks(error: FaError | OSError) -> bool:
    """Whether the machine lacked something, as this process itself has seen."""
    if isinstance(error, Shortage | SupervisorLost) or shortage(error):
        return True
    cause = error if isinstance(error, OSError) else error.__context__
    return isinstance(cause, OSError) and cause.errno == errno.ENOSPC
