"""The options of every command that starts bots: their clock, and what they may use of the machine."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from enum import Enum
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import UsageError
from . import common
from .common import warn

if TYPE_CHECKING:
    from ..protocol.limits import Limits
    from ..protocol.messages import Clock


class SandboxChoice(Enum):
    """What `--sandbox` takes."""

    AUTO = "auto"
    BWRAP = "bwrap"
    NONE = "none"


LIMITS: dict[str, Any] = {"rich_help_panel": "Limits of bots"}
MoveTime = Annotated[str, typer.Option(metavar="TIME", help="For each decision: 200ms, 1s, 2m.")]
Bank = Annotated[str | None, typer.Option(metavar="TIME", help="What a bot has beyond that in each game; nothing.")]
StartTime = Annotated[str, typer.Option(metavar="TIME", help="For a bot to start.")]
SandboxOption = Annotated[
    SandboxChoice, typer.Option(help="Run bots in a sandbox: where that works, always, never.", **LIMITS)
]
AnonymousOption = Annotated[
    bool, typer.Option("--anonymous", help="Tell bots nothing by which to know who sits with them.")
]
Memory = Annotated[str, typer.Option(metavar="SIZE", help="For a bot's processes together.", **LIMITS)]
Processes = Annotated[int, typer.Option(min=1, metavar="N", help="Processes and threads of a bot at a time.", **LIMITS)]
FileSize = Annotated[
    str, typer.Option(metavar="SIZE", help="Of the largest file; of all in /tmp in the sandbox.", **LIMITS)
]
OpenFiles = Annotated[int, typer.Option(min=8, metavar="N", help="Open files of a process.", **LIMITS)]
Cpu = Annotated[str, typer.Option(metavar="TIME", help="Processor time of a bot's processes in a game.", **LIMITS)]
IdleCpu = Annotated[str, typer.Option(metavar="TIME", help="The same on others' turns, or between games.", **LIMITS)]
Line = Annotated[str, typer.Option(metavar="SIZE", help="Of the longest line that is read.", **LIMITS)]
OutputSize = Annotated[str, typer.Option(metavar="SIZE", help="Of all output for one decision, stderr too.", **LIMITS)]
StderrSize = Annotated[str, typer.Option(metavar="SIZE", help="Of stderr kept: the last.", **LIMITS)]


def warn_if_seen(anonymous: bool, sandboxed: bool) -> None:
    """Say what --anonymous does not hide."""
    if anonymous and not sandboxed:
        warn("without the sandbox bots can look for each other among the machine's processes, --anonymous or not")


def warn_again(limits: Limits) -> None:
    """Repeat that a tournament's bots run without the sandbox, if they do."""
    if not limits.sandbox:
        from ..protocol.sandbox import warning

        warn(warning(limits.unsandboxed or "no reason recorded"))


def make_clock(move_time: str, bank: str | None) -> Clock:
    """The clock that two options say. Raises UsageError."""
    from ..protocol.messages import Clock

    return Clock(_milliseconds(move_time), _milliseconds(bank) if bank else 0)


def _milliseconds(text: str) -> int:
    milliseconds = round(common.parse_duration(text) * 1000)
    if milliseconds < 1:
        raise UsageError(f"a bot has at least 1ms, not {text}")
    return milliseconds


def make_limits(
    start_time: StartTime = "10s",
    sandbox: SandboxOption = SandboxChoice.AUTO,
    memory: Memory = "4GiB",
    processes: Processes = 512,
    file_size: FileSize = "256MiB",
    open_files: OpenFiles = 1024,
    cpu: Cpu = "10h",
    idle_cpu: IdleCpu = "5s",
    line: Line = "64KiB",
    output_size: OutputSize = "16MiB",
    stderr_size: StderrSize = "8KiB",
) -> Limits:
    """The limits that the options say; warns if there is no sandbox. Raises UsageError."""
    from ..protocol.limits import Limits
    from ..protocol.sandbox import Sandbox, choose

    unsandboxed = choose(Sandbox(sandbox.value), warn)
    return Limits(
        start=common.parse_duration(start_time),
        line=common.parse_size(line),
        output=common.parse_size(output_size),
        stderr=common.parse_size(stderr_size),
        memory=common.parse_size(memory),
        processes=processes,
        file_size=common.parse_size(file_size),
        open_files=open_files,
        cpu=common.parse_duration(cpu),
        idle_cpu=common.parse_duration(idle_cpu),
        sandbox=not unsandboxed,
        unsandboxed=unsandboxed,
    )


def taking_limits(command: Callable[..., None]) -> Callable[..., None]:
    """The command, with the options of `make_limits` in the place of its parameter `limited`, which is made of them."""
    options, own = (
        inspect.signature(function, locals={"Limits": object}, eval_str=True).parameters
        for function in (make_limits, command)
    )
    parameters: list[inspect.Parameter] = []
    for parameter in own.values():
        parameters += options.values() if parameter.name == "limited" else [parameter]

    @wraps(command)
    def run(**given: Any) -> None:
        chosen = {name: given.pop(name) for name in options}
        command(**given, limited=make_limits(**chosen))

    by_name = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters]
    # what Typer reads
    run.__signature__ = inspect.Signature(by_name)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in by_name}
    return run
