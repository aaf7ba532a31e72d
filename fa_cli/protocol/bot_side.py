"""The loop of a bot in Python: `run(choose)`. Only the standard library, and little of it, so that bots start fast; one
that has long played reads its lines with msgspec, if that can be imported, and of each no more than it looks at.

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

_quoted = json.encoder.encode_basestring_ascii
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
            action = choose(message, start)
            if type(action) is str:
                _write(out, f'{{"id": {message["id"]}, "action": {_quoted(action)}}}\n'.encode())
            else:
                _say(out, {"id": message["id"], "action": action})
            del message  # which has many parts, while they are at hand
        elif kind == "hello":
            _say(out, ready)
        elif kind == "start":
            start = message
            if left < 0 and loads is json.loads:
                loads = _quicker()
            _say(out, {"type": "ready"})
        elif kind == "quit":
            return


def _quicker() -> Callable[[bytes], Any]:
    """What reads a line of JSON fastest here."""
    try:
        from msgspec import Raw
        from msgspec.json import Decoder, decode
    except ImportError:
        return json.loads
    parts = Decoder(dict[str, Raw]).decode
    return lambda line: _Decide(parts(line), decode) if line.startswith(_DECIDE) else decode(line)


_DECIDE = b'{"type":"decide"'  # so a referee begins it that says no more than it must


class _Decide(dict[str, Any]):
    """A `decide` line, each field of which is read when it is first looked at: most bots do not look at all of them
    every time. Whatever else is done with it than looking at a field by its name reads all of it first."""

    __slots__ = ("_decode", "_unread")

    def __init__(self, unread: dict[str, Any], decode: Callable[[Any], Any]) -> None:
        self._unread = unread
        self._decode = decode

    def __missing__(self, name: str) -> Any:
        value = self[name] = self._decode(self._unread.pop(name))
        return value

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


def _reading_first(name: str) -> Callable[..., Any]:
    method = getattr(dict, name)

    def read_and_do(line: _Decide, *arguments: Any, **named: Any) -> Any:
        for field in tuple(line._unread):
            value = line._decode(line._unread.pop(field))
            dict.setdefault(line, field, value)
        return method(line, *arguments, **named)

    return read_and_do


for _name in (
    *("__contains__", "__delitem__", "__eq__", "__ior__", "__iter__", "__len__", "__ne__", "__or__", "__repr__"),
    *("__reversed__", "__ror__", "clear", "copy", "get", "items", "keys", "pop", "popitem", "setdefault", "update"),
    "values",
):
    setattr(_Decide, _name, _reading_first(_name))


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


def _say(out: int, message: Message) -> None:
    _write(out, json.dumps(message).encode() + b"\n")


def _write(out: int, data: bytes) -> None:
    while data:
        data = data[os.write(out, data) :]
