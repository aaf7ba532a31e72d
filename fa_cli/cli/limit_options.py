"""The options of commands that start bots: the sandbox, what bots may use, and whether their messages are printed."""

from __future__ import annotations

from typing import Annotated

import msgspec

from ..isolation.limits import SANDBOX, Limits, Sandbox
from ..option import Option, OptionGroup, Without
from . import common
from .common import warn

VerboseOption = Annotated[
    bool,
    Option("Print all messages to and from bots, and their stderr, with times.", short="v", group=OptionGroup.OUTPUT),
]
WholeOption = Annotated[
    bool, Option("With --verbose: print messages in full, with observations.", group=OptionGroup.OUTPUT)
]


class LimitOptions(msgspec.Struct, frozen=True):
    """How bots run outside of tournaments: the sandbox as asked for, and the limits."""

    sandbox: Annotated[Sandbox, SANDBOX] = Sandbox.AUTO
    limits: Annotated[Limits, Without("max-faults")] = Limits()

    def checked(self) -> Limits:
        """The limits with the sandbox settled; warns if there is none. Raises UsageError."""
        return checked_limits(self.sandbox, self.limits)


def checked_limits(sandbox: Sandbox, limits: Limits) -> Limits:
    """The limits with the choice of a sandbox settled; warns if there is none. Raises UsageError."""
    unsandboxed = choose_sandbox(sandbox)
    return msgspec.structs.replace(limits, sandbox=not unsandboxed, unsandboxed=unsandboxed)


def choose_sandbox(sandbox: Sandbox) -> str:
    """Choose the sandbox as `bubblewrap.choose` does; in it no bot sees the home from then on. Raises UsageError.

    From then on it is said which bots are built, too.
    """
    from ..isolation.sandbox.bubblewrap import choose
    from ..isolation.sandbox.hidden import hide_home
    from ..isolation.transport.remote import use_home

    say_builds()
    hide_home(common.SETTINGS.home)
    use_home(common.SETTINGS.home)
    return choose(sandbox, warn)


def say_builds() -> None:
    """From now on say which bot is built, before that takes its time."""
    from ..isolation import builds

    builds.on_build = lambda bot: common.say(f"building {bot} ...")


def warn_if_seen(anonymous: bool, sandboxed: bool) -> None:
    """Warn that --anonymous does not hide processes if there is no sandbox."""
    if anonymous and not sandboxed:
        warn("without the sandbox bots can look for each other among the machine's processes, --anonymous or not")


def warn_again(limits: Limits) -> None:
    """Repeat the warning of a tournament whose bots run without the sandbox."""
    if not limits.sandbox:
        from ..isolation.sandbox.bubblewrap import warning

        warn(warning(limits.unsandboxed or "no reason recorded"))
