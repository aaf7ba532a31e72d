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
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from random import Random

_quoted = json.encoder.encode_basestring_ascii
Message = dict[str, Any]
"""A line of the protocol as the JSON decoder gives it."""
Choose = Callable[[Message, Message], str]
_LONG = 300
"""Decisions after which importing msgspec, at the next game's start, has paid: it takes as long as they save."""


def run(
    choose: Choose,
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
    out, lines = _take_stdout(), _Lines()
    start: Message = {}
    left = _LONG
    while line := lines.next():
        message = json.loads(line)
        kind = message["type"]
        if kind == "decide":
            left -= 1
            _answer(out, message["id"], choose(message, start))
            del message  # which has many parts, while they are at hand
        elif kind == "hello":
            _say(out, ready)
        elif kind == "start":
            start = message
            quickly = _quickly() if left < 0 else None
            _say(out, {"type": "ready"})
            if quickly and not lines.held:
                lines.held = quickly(choose, start, out)
        elif kind == "quit":
            return


class _Lines:
    """The lines of stdin."""

    def __init__(self) -> None:
        self.held = b""
        """What was read and not yet passed on."""

    def next(self) -> bytes:
        """The next line, waited for; empty at the end of input."""
        while not (end := self.held.find(b"\n") + 1):
            more = os.read(0, _CHUNK)
            self.held += more
            if not more:
                end = len(self.held)
                break
        line, self.held = self.held[:end], self.held[end:]
        return line


_CHUNK = 1 << 16
# A `decide` line of a referee that says no more than it must begins with the first, and what comes after the second is
# last and by far the most of it.
_DECIDE = b'{"type":"decide"'
_OBSERVATION = b',"observation":'


@cache
def _quickly() -> Callable[[Choose, Message, int], bytes] | None:
    """The same loop, for nothing but `decide` lines that come one at a time, with msgspec; None without msgspec.

    It returns what it last read, which is something else. Its memory is kept small: bots take turns on a core, and each
    finds its caches emptied by the others.
    """
    try:
        from msgspec import UNSET, DecodeError, UnsetType, defstruct
        from msgspec.json import Decoder, decode
    except ImportError:
        return None
    # what nearly every bot looks at every time
    looked_at: Any = defstruct("LookedAt", [("id", int), ("legal", list[str] | UnsetType, UNSET)])
    look, read = Decoder(looked_at).decode, os.read
    _Decide.decode = decode

    def answer_all(choose: Choose, start: Message, out: int) -> bytes:
        while (line := read(0, _CHUNK)).startswith(_DECIDE) and line.find(b"\n") + 1 == len(line):
            cut = line.find(_OBSERVATION)
            try:
                looked = look(line[:cut] + b"}" if cut > 0 else line)
            except DecodeError:  # it is not so
                looked = look(line)
            message = _Decide()
            message.line = line
            if looked.legal is not UNSET:
                message["legal"] = looked.legal
            _answer(out, looked.id, choose(message, start))
            del message
        return line

    return answer_all


class _Decide(dict[str, Any]):
    """A `decide` line, of which only the legal actions are read at first, and the rest when something else is done with
    it than looking at those: many bots do so now and then."""

    __slots__ = ("line",)
    line: bytes | None
    """As it came; None once all of it is read."""
    decode: ClassVar[Callable[[bytes], Any]]

    def __missing__(self, name: str) -> Any:
        if self.line is None:
            raise KeyError(name)
        self.read()
        return self[name]

    def read(self) -> None:
        """Read the rest."""
        if self.line is not None:
            so_far = dict(dict.items(self))
            dict.clear(self)  # the fields are in the order of the line
            dict.update(self, _Decide.decode(self.line))
            dict.update(self, so_far)
            self.line = None

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


def _reading_first(name: str) -> Callable[..., Any]:
    method = getattr(dict, name)

    def read_and_do(line: _Decide, *arguments: Any, **named: Any) -> Any:
        line.read()
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


def _answer(out: int, number: int, action: object) -> None:
    if type(action) is str:
        os.write(out, f'{{"id": {number}, "action": {_quoted(action)}}}\n'.encode())
    else:
        _say(out, {"id": number, "action": action})


def _say(out: int, message: Message) -> None:
    os.write(out, json.dumps(message).encode() + b"\n")  # all of it: a pipe takes a short line whole or not at all
