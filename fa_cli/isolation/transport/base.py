"""How a session reaches a bot's program: a line there, the line that answers it back, within a deadline."""

from __future__ import annotations

from ... import mypyc_attr
from ...game_result import Failure


@mypyc_attr(allow_interpreted_subclasses=True)
class Transport:
    """What `BotSession` needs of a program, wherever it runs. `stop` or `quit` must be called."""

    def __init__(self) -> None:
        self.spent = 0.0
        """Seconds that the last question took on the bot's clock."""
        self.refund = 0.0
        """Seconds by which earlier questions were counted too long."""
        self.fault = ""
        """The bot's fault that is the reason to stop, for its author; set before `stop`."""
        self.network: float | None = None
        """Seconds for a line and its answer on the network, which are not on the clock; None on this machine."""

    @property
    def stderr_tail(self) -> str:
        """The end of what the program wrote to stderr, also after it has ended."""
        return ""

    def begin_game(self) -> None:
        """A new game begins."""

    def ask(self, line: bytes, seconds: float) -> bytes | Failure:
        """Write a line and return the line that answers it, or the failure. After a failure call `stop`."""
        raise NotImplementedError

    def send(self, line: bytes, seconds: float) -> Failure | None:
        """Write a line that is not answered."""
        raise NotImplementedError

    def is_idle(self) -> bool:
        """Whether the program runs and has written nothing since its last answer."""
        raise NotImplementedError

    def quit(self, line: bytes, seconds: float) -> str | None:
        """Write a last line and let the program exit in time; returns how it exited, None if it was stopped."""
        raise NotImplementedError

    def stop(self) -> None:
        """Stop the program at once."""
        raise NotImplementedError

    def _is_given_up(self) -> bool:
        """Whether the caller no longer wants the answer; for subclasses."""
        return False

    def _drain_stderr(self) -> None:
        """Read what is left of stderr."""

    def _unasked_output(self) -> Failure | None:
        """What the program wrote before it was asked, as a failure."""
        return None
