"""Reading lines for `fa_cli.bot`: plainly at first, with msgspec once a bot has played so long that its import pays.

A bot that receives everything answers about twice as many decisions a second this way: of each line no more is decoded
than the bot looks at. See docs/performance.md.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar

Message = dict[str, Any]
"""A line of the protocol as the JSON decoder gives it."""
Choose = Callable[[Message, Message], str]
"""Gets the `decide` line and the `start` line of its game, returns an action."""
_quoted = json.encoder.encode_basestring_ascii
_CHUNK = 1 << 16
# A `decide` line of a referee that says no more than it must begins with the first, and what comes after the second is
# last and by far the most of it.
_DECIDE = b'{"type":"decide"'
_OBSERVATION = b',"observation":'


class Lines:
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


@cache
def answer_loop() -> Callable[[Choose, Message, int], bytes] | None:
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
            write_answer(out, looked.id, choose(message, start))
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


def write_answer(out: int, number: int, action: object) -> None:
    """Answer the decision with this number."""
    if type(action) is str:
        os.write(out, f'{{"id": {number}, "action": {_quoted(action)}}}\n'.encode())
    else:
        write(out, {"id": number, "action": action})


def write(out: int, message: Message) -> None:
    """Write a line: at once and whole, which a pipe guarantees for a short one."""
    os.write(out, json.dumps(message).encode() + b"\n")
