"""One line to a bot and one back: the module in Python and the one in C."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from math import inf
from threading import Thread
from typing import Any

import pytest

from fa_cli.isolation import line_exchange
from fa_cli.isolation.line_exchange import ANSWERED, CLOSED, LATE, UNASKED
from tests.c_modules import both_forms

module = both_forms(line_exchange, "fa_cli/isolation/line_exchange.c")
MAX_LINE = 100


class Bot:
    """The other ends of a bot's pipes, without a process."""

    def __init__(self, module: Any) -> None:
        (self.stdin, there), (back, self.stdout), (errors, self.stderr) = os.pipe(), os.pipe(), os.pipe()
        for descriptor in (there, back, errors):
            os.set_blocking(descriptor, False)
        self.thread = Thread()
        self._open = {there, back, errors, self.stdin, self.stdout, self.stderr}
        self.exchange = module.LineExchange(there, back, errors, MAX_LINE)

    def close(self, *descriptors: int) -> None:
        """Close some of the ends; without arguments, all that are open."""
        for descriptor in descriptors or self._open:
            os.close(descriptor)
        self._open = self._open - set(descriptors) if descriptors else set()

    def answer(self, data: bytes, stderr: bytes = b"") -> None:
        """Answer the next line that is asked, in another thread; without data, close stdout instead."""
        self.thread = Thread(target=self._answer, args=(data, stderr))
        self.thread.start()

    def _answer(self, data: bytes, stderr: bytes) -> None:
        os.read(self.stdin, 1 << 16)
        if stderr:
            os.write(self.stderr, stderr)
        if data:
            os.write(self.stdout, data)
        else:
            self.close(self.stdout)


@pytest.fixture
def bot(module: Any) -> Iterator[Bot]:
    ends = Bot(module)
    yield ends
    if ends.thread.ident:
        ends.thread.join()
    ends.close()


@pytest.mark.parametrize("size", [1, 50, MAX_LINE])
def test_a_line(bot: Bot, size: int) -> None:
    line = b"x" * (size - 1) + b"\n"
    bot.answer(line)
    before = time.monotonic()
    outcome, answer, started, ended = bot.exchange.ask(b"now\n", 5.0, inf)
    assert (outcome, answer) == (ANSWERED, line)
    assert before <= started <= ended <= time.monotonic()


@pytest.mark.parametrize("data", [b"half", b"two\nlines\n", b"one\nand a half", b"y" * MAX_LINE + b"\n"])
def test_what_is_not_one_line(bot: Bot, data: bytes) -> None:
    bot.answer(data)
    assert bot.exchange.ask(b"now\n", 5.0, inf)[:2] == (4, data)


def test_no_answer_in_time(bot: Bot) -> None:
    outcome, answer, started, ended = bot.exchange.ask(b"now\n", 0.03, inf)
    assert (outcome, answer) == (4, None)
    assert 0.03 <= ended - started < 1


def test_too_late(bot: Bot) -> None:
    outcome, answer, started, ended = bot.exchange.ask(b"now\n", 5.0, time.monotonic() - 1)
    assert (outcome, answer, started) == (LATE, None, ended)
    os.set_blocking(bot.stdin, False)
    with pytest.raises(BlockingIOError):
        os.read(bot.stdin, 1)


@pytest.mark.parametrize("pipe", ["stdout", "stderr"])
def test_output_before_the_question(bot: Bot, pipe: str) -> None:
    os.write(getattr(bot, pipe), b"early\n")
    assert bot.exchange.ask(b"now\n", 5.0, inf)[:2] == (UNASKED, None)


def test_output_to_stderr_is_left_to_the_caller(bot: Bot) -> None:
    bot.answer(b"answer\n", stderr=b"a word\n")
    assert bot.exchange.ask(b"now\n", 5.0, inf)[0] == 4


def test_an_ended_stderr_is_ignored(bot: Bot) -> None:
    bot.close(bot.stderr)
    assert bot.exchange.ask(b"now\n", 5.0, inf)[0] == UNASKED
    bot.exchange.ignore_stderr()
    bot.answer(b"answer\n")
    assert bot.exchange.ask(b"now\n", 5.0, inf)[:2] == (ANSWERED, b"answer\n")


def test_closed_pipes(bot: Bot) -> None:
    bot.close(bot.stdin)
    assert bot.exchange.ask(b"now\n", 5.0, inf)[:2] == (CLOSED, None)
    bot.close(bot.stdout)
    assert bot.exchange.ask(b"now\n", 5.0, inf)[:2] == (UNASKED, None)


def test_output_that_ends_meanwhile(bot: Bot) -> None:
    bot.answer(b"")
    outcome, answer, _, _ = bot.exchange.ask(b"now\n", 5.0, inf)
    assert (outcome, answer) in ((4, None), (4, b""))  # a poll may find the end alone, or with room to read


def test_a_pipe_that_is_full(bot: Bot) -> None:
    written, answer, _, _ = bot.exchange.ask(b"x" * (1 << 20), 5.0, inf)
    assert 0 < written < 1 << 20
    assert answer is None
    assert bot.exchange.ask(b"now\n", 5.0, inf)[:2] == (0, None)


def test_a_signal_is_handled_at_once(bot: Bot) -> None:
    def interrupt(number: int, frame: object) -> None:
        raise InterruptedError("by the test")

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(InterruptedError, match="by the test"):
            bot.exchange.ask(b"now\n", 60.0, inf)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_both_modules_have_the_same_names_and_values(module: Any) -> None:
    for name in ("ANSWERED", "CLOSED", "LATE", "UNASKED"):
        assert getattr(module, name) == getattr(line_exchange, name)


@pytest.mark.parametrize("arguments", [(), ("line", 1.0, inf), (b"line\n", None, inf), (b"line\n", 1.0, "late")])
def test_wrong_arguments_raise(bot: Bot, arguments: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError):
        bot.exchange.ask(*arguments)
