"""The loop of a bot in Python: `run(choose)`. Only the standard library, and little of it, so that bots start fast; one
that has long played reads its lines with msgspec, if that can be imported.

from fa_cli.protocol.bot_side import run

run(lambda decide, start: decide["legal"][0], wants=["legal"])
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

Message = dict[str, Any]
"""A line of the protocol as the JSON decoder gives it."""
_LONG = 300
"""Decisions after which importing msgspec, at the next game's start, has paid: it takes as long as they save."""


def run(
    choose: Callable[[Message, Message], str],
    name: str | None = None,
    version: str | None = None,
    author: str | None = None,
    games: Sequence[str] | None = None,
    wants: Sequence[str] | None = None,
) -> None:
    """Play until the referee says `quit` or goes away.

    `choose(decide, start)` gets the `decide` line and the `start` line of its game (the same object during a game) and
    returns one of the legal actions. What it prints goes to stderr; what it raises ends the bot, traceback and all.
    `games` and `wants` as in `ready`: none means all.
    """
    said = {"name": name, "version": version, "author": author, "games": games, "wants": wants}
    ready = {"type": "ready"} | {key: value for key, value in said.items() if value is not None}
    out = _take_stdout()
    start: Message = {}
    loads: Callable[[bytes], Any] = json.loads
    left = _LONG
    for line in sys.stdin.buffer:
        message = loads(line)
        kind = message["type"]
        if kind == "decide":
            left -= 1
            _write(out, {"id": message["id"], "action": choose(message, start)})
        elif kind == "hello":
            _write(out, ready)
        elif kind == "start":
            start = message
            if left < 0 and loads is json.loads:
                loads = _quicker()
            _write(out, {"type": "ready"})
        elif kind == "quit":
            return


def _quicker() -> Callable[[bytes], Any]:
    """What reads a line of JSON fastest here."""
    try:
        from msgspec.json import decode
    except ImportError:
        return json.loads
    return decode


def generator(start: Message) -> Random:
    """A random generator from the game's `bot_seed`: the same game again finds the same bot."""
    from random import Random

    return Random(start["bot_seed"])


def _take_stdout() -> int:
    """A descriptor of our own for the protocol; whatever else is printed goes to stderr from here on."""
    out = os.dup(1)
    os.dup2(2, 1)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # what is printed is seen at once
    return out


def _write(out: int, message: Message) -> None:
    data = json.dumps(message).encode() + b"\n"
    while data:
        data = data[os.write(out, data) :]
