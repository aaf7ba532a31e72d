"""A bot in Python: `run(choose)` speaks the protocol, `choose` picks an action. Only the standard library is needed.

from fa_cli.bot import run

run(lambda decide, start: decide["legal"][0], wants=["legal"])
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .fast_reader import Choose, Lines, Message, answer_loop, write, write_answer

if TYPE_CHECKING:
    from random import Random

__all__ = ["Choose", "Message", "generator", "run"]
FAST_AFTER = 300
"""Decisions after which the fast reader is imported, at the next game's start: its import takes what these save."""


def run(
    choose: Choose,
    name: str | None = None,
    version: str | None = None,
    author: str | None = None,
    games: Sequence[str] | None = None,
    wants: Sequence[str] | None = None,
) -> None:
    """Play until the referee sends `quit` or closes the input.

    `choose(decide, start)` gets the `decide` line and the `start` line of its game (the same object during a game) and
    returns one of the legal actions. What it prints goes to stderr; what it raises ends the bot, traceback and all.
    `games` and `wants` as in `ready`: none means all.
    """
    fields = {"name": name, "version": version, "author": author, "games": games, "wants": wants}
    ready = {"type": "ready"} | {key: value for key, value in fields.items() if value is not None}
    out, lines, start, decisions = _take_stdout(), Lines(), Message(), 0
    while line := lines.next():
        message = json.loads(line)
        kind = message["type"]
        if kind == "decide":
            decisions += 1
            write_answer(out, message["id"], choose(message, start))
            del message  # frees its many parts while they are in the cache
        elif kind == "hello":
            write(out, ready)
        elif kind == "start":
            start = message
            loop = answer_loop() if decisions > FAST_AFTER else None
            write(out, {"type": "ready"})
            if loop and not lines.held:
                lines.held = loop(choose, start, out)
        elif kind == "quit":
            return


def generator(start: Message) -> Random:
    """A random generator seeded with the game's `bot_seed`: the same game again gets the same numbers."""
    from random import Random

    return Random(start["bot_seed"])


def _take_stdout() -> int:
    """A descriptor of our own for the protocol; what a bot prints goes to stderr from here on."""
    out = os.dup(1)
    os.dup2(2, 1)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # what is printed is seen at once
    return out
