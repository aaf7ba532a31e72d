"""Nothing that a bot does makes us wait for it without an end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fa_cli.protocol.channel import Channel, Failure
from fa_cli.protocol.limits import Limits
from fa_cli.protocol.sandbox import why_not
from fa_cli.results import FaultKind

from ..fakes import compiled, within

SANDBOXED = [
    False,
    pytest.param(True, marks=pytest.mark.skipif(bool(why_not()), reason=f"there is no sandbox here: {why_not()}")),
]
DECIDE = b'{"type":"decide","legal":["a"]}\n'


@contextmanager
def thief(target: int, folder: Path, sandboxed: bool) -> Iterator[Channel]:
    """A bot that steals what it wrote to this descriptor, at its second decision and from then on."""
    program = compiled("thief.c", folder)
    folder.chmod(0o755)
    running = Channel((program, str(target)), str(folder), limits=Limits(sandbox=sandboxed), spread=True)
    try:
        yield running
    finally:
        running.stop()


@pytest.mark.parametrize("sandboxed", SANDBOXED)
def test_a_bot_that_takes_back_what_it_wrote_to_stderr(tmp_path: Path, sandboxed: bool) -> None:
    with within(30), thief(2, tmp_path, sandboxed) as bot:
        for _ in range(300):
            assert bot.ask(DECIDE, 5) == b'{"action":"a"}\n'


@pytest.mark.parametrize("sandboxed", SANDBOXED)
def test_a_bot_that_takes_back_what_it_wrote_to_stdout(tmp_path: Path, sandboxed: bool) -> None:
    """A byte that we get first is half a line, too early or too late; whatever it is, it costs only its own time."""
    kinds = set()
    for _ in range(5):
        with within(30), thief(1, tmp_path, sandboxed) as bot:
            assert bot.ask(DECIDE, 5) == b'{"action":"a"}\n'
            for _ in range(50):
                answer = bot.ask(DECIDE, 0.2)
                if isinstance(answer, Failure):
                    kinds.add(answer.kind)
                    break
                assert answer == b"\n"
    assert kinds <= {FaultKind.TIMEOUT, FaultKind.PROTOCOL}
    assert kinds
