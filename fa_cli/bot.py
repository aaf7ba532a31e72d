"""Write a bot in Python: `run(choose)` speaks the protocol, `choose` picks an action. Needs only the standard library.

from fa_cli.bot import run

run(lambda decide, start: decide["legal"][0], wants=["legal"])
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence

from .fast_reader import DECIDE, END, Choose, Lines, Message, decode_line, read_decide, write, write_answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from random import Random

__all__ = ["Choose", "Message", "generator", "run"]


def run(
    choose: Choose,
    name: str | None = None,
    version: str | None = None,
    author: str | None = None,
    games: Sequence[str] | None = None,
    wants: Sequence[str] | None = None,
) -> None:
    """Play until the referee sends `quit` or closes the input.

    `choose(decide, start)` gets the `decide` line and the `start` line of its game and returns one of the legal
    actions. `start` is the same object throughout a game. Whatever `choose` prints goes to stderr. An exception ends
    the bot with a traceback. `games` and `wants` are fields of the `ready` line: by default the bot plays all games and
    receives everything.
    """
    fields = {"name": name, "version": version, "author": author, "games": games, "wants": wants}
    ready = {"type": "ready"} | {key: value for key, value in fields.items() if value is not None}
    out, lines, start = _take_stdout(), Lines(), Message()
    while line := lines.next():
        if line.startswith(DECIDE) and (asked := read_decide(line)) is not None:
            write_answer(out, asked.number, choose(asked, start))
            del asked  # freeing its many objects is cheap while they are still in the processor's cache
            continue
        if line.startswith(END):
            continue
        message = decode_line(line)
        kind = message["type"]
        if kind == "decide":
            write_answer(out, json.dumps(message["id"]).encode(), choose(message, start))
        elif kind == "hello":
            write(out, ready)
        elif kind == "start":
            start = message
            write(out, {"type": "ready"})
        elif kind == "quit":
            return


def generator(start: Message) -> Random:
    """Return a random generator seeded with the game's `bot_seed`, so that the same game gets the same numbers."""
    from random import Random

    return Random(start["bot_seed"])


def _take_stdout() -> int:
    """Keep stdout for the protocol and return its new descriptor; redirect everything printed to stderr."""
    out = os.dup(1)
    os.dup2(2, 1)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # printed lines appear at once
    return out
