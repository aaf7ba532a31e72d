"""What the workers of a cluster can play: `fa cluster check`.

A run checks its workers itself, as they ask for batches.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from ..decoding import built
from ..isolation.limits import GIB
from ..isolation.spawn import run_to_end
from ..kits.languages import LANGUAGES
from ..printing.columns import KEY, ON_REQUEST, Column, bad_if_any, number, percent, text
from ..printing.text import cut, printable
from .batch_messages import engine_version
from .probe import MachineFacts

if TYPE_CHECKING:
    from distributed import Client

ANSWER_SECONDS = 20.0
"""A worker that has not answered by then does not take part."""
_NOT_INSTALLED = re.compile(r"(ModuleNotFound|Import)Error.*fa_cli", re.DOTALL)
_MISSING = "fa is not installed there, or is too old: pip install 'fa-cli[cluster]'"
_MOST_READ = 4096
"""Characters of an answer that are looked at for a sentence."""
_PROBE_SECONDS = 15.0
"""Less, so that a worker can report that it took too long."""


def _gibibytes(heading: str, meaning: str, importance: int) -> Column:
    """A column of numbers of bytes, in GiB in tables."""
    return Column("", heading, lambda size: f"{size / GIB:.0f} GiB", True, meaning, importance)


def _in_words(languages: Sequence[str]) -> str:
    """`all`, or the languages that there are, or the few that are missing."""
    missing = [name for name in LANGUAGES if name not in languages]
    if not missing:
        return "all"
    return f"all but {' '.join(missing)}" if len(missing) <= len(languages) else " ".join(languages) or "none"


class WorkerRow(msgspec.Struct, frozen=True, kw_only=True):
    """A worker of a cluster."""

    worker: Annotated[str, text("worker", "the address of the Dask worker, without its protocol", importance=KEY)]
    name: Annotated[str, text("name", "the name of the Dask worker", importance=ON_REQUEST)]
    host: Annotated[str, text("host", "the name of its machine", importance=3)] = ""
    threads: Annotated[int, number("threads", "games that it plays at a time (`--nthreads`)", importance=6)]
    cores: Annotated[int | None, number("cores", "cores that it may use", importance=4)] = None
    engine: Annotated[
        str | None,
        text("engine", "version of `fa`, and a digest of the files that play games", importance=7),
    ] = None
    build: Annotated[
        str | None, text("build", "how the engines run: `compiled` or `Python`; both play the same", importance=2)
    ] = None
    python: Annotated[str | None, text("python", "version of Python", importance=1)] = None
    languages: Annotated[
        list[str] | None,
        text(
            "languages",
            "list: the languages of `fa bot new` whose interpreters and compilers are installed",
            _in_words,
            folds=True,
            importance=8,
        ),
    ] = None
    sandbox: Annotated[
        bool | None,
        text("sandbox", "whether the sandbox works", lambda works: "yes" if works else "no", importance=9),
    ] = None
    memory: Annotated[
        int | None, _gibibytes("memory", "memory of its machine, in bytes; GiB in tables", importance=5)
    ] = None
    disk: Annotated[
        int | None,
        _gibibytes("disk", "free where bots are unpacked and built, in bytes; GiB in tables", importance=5),
    ] = None
    games_per_second: Annotated[
        float | None,
        number("games/s", "calibration games per second of processor time, one at a time", 0, importance=ON_REQUEST),
    ] = None
    speed: Annotated[
        float | None,
        percent("speed", "games_per_second as a share of those of the fastest worker", 0, importance=9),
    ] = None
    problems: Annotated[
        list[str],
        text(
            "verdict",
            "list: why the worker is rejected, in sentences; empty if it can play",
            lambda problems: "rejected" if problems else "ready",
            tone=bad_if_any,
        ),
    ] = []

    def rejection(self) -> str:
        """A sentence that names the worker and its first problem; empty if it can play."""
        return f"worker {self.worker}: {self.problems[0]}" if self.problems else ""


def probe_workers(client: Client, sandboxed: bool = True) -> list[WorkerRow]:
    """A row for each worker that the scheduler knows, by address, all examined at the same time.

    `sandboxed`: whether workers without the sandbox are rejected. A worker that can't play has `problems`; nothing
    raises. Takes about a second, and `ANSWER_SECONDS` at most.
    """
    workers: Mapping[str, Mapping[str, Any]] = client.scheduler_info(n_workers=-1)["workers"]
    answers: Mapping[str, MachineFacts | str] = client.sync(_ask_all, client, sorted(workers))
    rows = [_row(address, workers[address], answer, sandboxed) for address, answer in answers.items()]
    fastest = max((row.games_per_second or 0.0 for row in rows), default=0.0)
    return [
        msgspec.structs.replace(row, speed=row.games_per_second / fastest) if row.games_per_second else row
        for row in rows
    ]


async def _ask_all(client: Client, addresses: Sequence[str]) -> dict[str, MachineFacts | str]:
    """The facts of each worker, or a phrase on why there are none."""
    return dict(zip(addresses, await asyncio.gather(*(_ask(client, address) for address in addresses)), strict=True))


async def _ask(client: Client, address: str) -> MachineFacts | str:
    from distributed.protocol.pickle import dumps

    message = {"op": "run", "function": dumps(report), "args": dumps(()), "kwargs": dumps({}), "wait": True}
    broadcast: Any = client.scheduler.broadcast  # type: ignore[union-attr] # unlike `Client.run` it loads no answer
    try:
        answers = await asyncio.wait_for(
            broadcast(msg=message, workers=[address], on_error="return_pickle"), ANSWER_SECONDS
        )
    except TimeoutError:
        return f"it does not answer within {ANSWER_SECONDS:.0f} seconds"
    except Exception as error:  # whatever a library raises about a connection
        return f"it can't be asked: {cut(printable(f'{type(error).__name__}: {error}'))}"
    return _read_answer(answers.get(address) if isinstance(answers, dict) else None)


def _read_answer(answer: object) -> MachineFacts | str:
    """The facts in an answer of Dask: a dict with its `result` or the text of an exception, or a pickled exception."""
    if isinstance(answer, bytes):
        is_missing = _NOT_INSTALLED.search(answer[:_MOST_READ].decode("latin-1"))
        return _MISSING if is_missing else "the scheduler can't reach it"
    fields = answer if isinstance(answer, dict) else {}
    if fields.get("status") != "OK":
        reason = str(fields.get("exception_text", "it answers in a form that is not read"))[:_MOST_READ]
        return _MISSING if _NOT_INSTALLED.search(reason) else f"it fails: {cut(printable(reason))}"
    result = fields.get("result")
    try:
        return msgspec.json.decode(result if isinstance(result, str) else "", type=built(MachineFacts))
    except (msgspec.DecodeError, RecursionError):
        return f"the check fails there: {cut(printable(str(result)[:_MOST_READ]))}"


async def report() -> str:
    """Runs on a worker: what `fa_cli.cluster.probe` prints there. Must stay importable by this name."""
    return await asyncio.to_thread(_run_probe)


def _run_probe() -> str:
    """The last line that the probe prints, or a phrase on why there is none. It runs in a process of its own."""
    package = Path(__file__).parents[1]
    command = [sys.executable, "-m", f"{package.name}.cluster.probe"]
    try:
        status, output = run_to_end(command, package.parent, _PROBE_SECONDS)
    except OSError as error:
        return f"no process can be started: {error.strerror}"
    if status is None:
        return f"it takes more than {_PROBE_SECONDS:.0f} seconds"
    return (output.strip().splitlines() or ["it prints nothing"])[-1]


def _row(address: str, info: Mapping[str, Any], answer: MachineFacts | str, sandboxed: bool) -> WorkerRow:
    worker, threads = address.partition("://")[2], info["nthreads"]
    if isinstance(answer, str):
        return WorkerRow(worker=worker, name=str(info["name"]), threads=threads, problems=[answer])
    return WorkerRow(
        worker=worker,
        name=str(info["name"]),
        threads=threads,
        sandbox=not answer.no_sandbox,
        problems=_problems(answer, sandboxed),
        **{name: fact for name, fact in msgspec.structs.asdict(answer).items() if name in WorkerRow.__struct_fields__},
    )


def _problems(facts: MachineFacts, sandboxed: bool) -> list[str]:
    """Why a machine can't take part, the most serious reason first."""
    problems = []
    if facts.engine != engine_version():
        problems.append(f"it has fa {facts.engine}, and this machine {engine_version()}: install the same version")
    if sandboxed and facts.no_sandbox:
        problems.append(f"bots can't be sandboxed there: {facts.no_sandbox}")
    if facts.no_cache:
        problems.append(f"it can't store bots: {facts.no_cache}")
    return problems
