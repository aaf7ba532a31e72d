"""The options of every command that starts bots: their clock, and what they may use of the machine."""

from __future__ import annotations

from typing import Annotated

import msgspec
import typer

from ..isolation.limits import SANDBOX, Limits, Sandbox
from ..protocol.messages import BANK, MOVE_TIME, Clock
from ..tournament.options import ANONYMOUS
from .common import warn
from .declared import milliseconds, taking


class LimitOptions(msgspec.Struct):
    """How bots run: the sandbox as asked for, and the limits."""

    sandbox: Annotated[Sandbox, SANDBOX] = Sandbox.AUTO
    limits: Limits = Limits()


MoveTime = Annotated[str, typer.Option(metavar="TIME", help=MOVE_TIME.help)]
Bank = Annotated[str | None, typer.Option(metavar="TIME", help=BANK.help)]
SandboxOption = Annotated[Sandbox, typer.Option(help=SANDBOX.help)]
AnonymousOption = Annotated[bool, typer.Option("--anonymous", help=ANONYMOUS.help)]


def warn_if_seen(anonymous: bool, sandboxed: bool) -> None:
    """Say what --anonymous does not hide."""
    if anonymous and not sandboxed:
        warn("without the sandbox bots can look for each other among the machine's processes, --anonymous or not")


def warn_again(limits: Limits) -> None:
    """Repeat that a tournament's bots run without the sandbox, if they do."""
    if not limits.sandbox:
        from ..isolation.sandbox.bubblewrap import warning

        warn(warning(limits.unsandboxed or "no reason recorded"))


def make_clock(move_time: str, bank: str | None) -> Clock:
    """The clock that two options say. Raises UsageError."""
    return Clock(milliseconds(move_time), milliseconds(bank) if bank else 0)


def checked_limits(sandbox: Sandbox, limits: Limits) -> Limits:
    """The limits with what came of the choice of a sandbox; warns if there is none. Raises UsageError."""
    from ..isolation.sandbox.bubblewrap import choose

    unsandboxed = choose(sandbox, warn)
    return msgspec.structs.replace(limits, sandbox=not unsandboxed, unsandboxed=unsandboxed)


taking_limits = taking(
    "limited", LimitOptions, lambda options: checked_limits(options.sandbox, options.limits), without=("max-faults",)
)
"""For a command of single games: it has the options of LimitOptions in the place of its parameter `limited`."""
