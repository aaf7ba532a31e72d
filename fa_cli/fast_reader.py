"""Line reading for `fa_cli.bot`: a plain reader, and a fast one with msgspec for bots that play long enough.

The fast reader decodes only the part of each line that the bot looks at. A bot that receives everything answers about
twice as many decisions a second with it (docs/notes/performance.md).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar

Message = dict[str, Any]
"""A decoded line of the protocol."""
Choose = Callable[[Message, Message], str]
"""(`decide` line, `start` line of its game) -> an action."""
_quoted = json.encoder.encode_basestring_ascii
_CHUNK = 1 << 16
# How `fa` writes a `decide` line: it begins with _DECIDE, and the observation, by far its largest field, comes last.
_DECIDE = b'{"type":"decide"'
_OBSERVATION = b',"observation":'


class Lines:
    """The lines of stdin."""

    def __init__(self) -> None:
        self.buffer = b""
        """Bytes read but not yet returned."""

    def next(self) -> bytes:
        """Wait for the next line and return it; empty at the end of input."""
        while not (end := self.buffer.find(b"\n") + 1):
            chunk = os.read(0, _CHUNK)
            self.buffer += chunk
            if not chunk:
                end = len(self.buffer)
                break
        line, self.buffer = self.buffer[:end], self.buffer[end:]
        return line


@cache
def answer_loop() -> Callable[[Choose, Message, int], bytes] | None:
    """Return a fast loop for `decide` lines that arrive one at a time; None if msgspec is not installed.

    The loop ends at any other input and returns it. It touches little memory, because bots take turns on a core and
    evict each other's data from its caches.
    """
    try:
        from msgspec import UNSET, DecodeError, UnsetType, defstruct
        from msgspec.json import Decoder, decode
    except ImportError:
        return None
    # the fields that nearly every bot uses in every decision
    head_type: Any = defstruct("Head", [("id", int), ("legal", list[str] | UnsetType, UNSET)])
    decode_head, read = Decoder(head_type).decode, os.read
    _LazyDecide.decode = decode

    def answer_all(choose: Choose, start: Message, out: int) -> bytes:
        while (line := read(0, _CHUNK)).startswith(_DECIDE) and line.find(b"\n") + 1 == len(line):
            cut = line.find(_OBSERVATION)
            try:
                head = decode_head(line[:cut] + b"}" if cut > 0 else line)
            except DecodeError:  # the observation is not the last field
                head = decode_head(line)
            message = _LazyDecide()
            message.line = line
            if head.legal is not UNSET:
                message["legal"] = head.legal
            write_answer(out, head.id, choose(message, start))
            del message
        return line

    return answer_all


class _LazyDecide(dict[str, Any]):
    """A `decide` line with only its legal actions decoded. Any other access decodes the rest first."""

    __slots__ = ("line",)
    line: bytes | None
    """The line as received; None once it is decoded."""
    decode: ClassVar[Callable[[bytes], Any]]

    def __missing__(self, name: str) -> Any:
        if self.line is None:
            raise KeyError(name)
        self.decode_rest()
        return self[name]

    def decode_rest(self) -> None:
        """Decode the whole line; values that are already set stay."""
        if self.line is not None:
            present = dict(dict.items(self))
            dict.clear(self)  # so that the fields get the order of the line
            dict.update(self, _LazyDecide.decode(self.line))
            dict.update(self, present)
            self.line = None

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


def _decoding_first(name: str) -> Callable[..., Any]:
    method = getattr(dict, name)

    def decode_and_call(message: _LazyDecide, *args: Any, **kwargs: Any) -> Any:
        message.decode_rest()
        return method(message, *args, **kwargs)

    return decode_and_call


for _name in (
    *("__contains__", "__delitem__", "__eq__", "__ior__", "__iter__", "__len__", "__ne__", "__or__", "__repr__"),
    *("__reversed__", "__ror__", "clear", "copy", "get", "items", "keys", "pop", "popitem", "setdefault", "update"),
    "values",
):
    setattr(_LazyDecide, _name, _decoding_first(_name))


def write_answer(out: int, decision_id: int, action: object) -> None:
    """Answer the decision with this id."""
    if type(action) is str:
        os.write(out, f'{{"id": {decision_id}, "action": {_quoted(action)}}}\n'.encode())
    else:
        write(out, {"id": decision_id, "action": action})


def write(out: int, message: Message) -> None:
    """Write a message as one line, in one system call: pipes keep short writes whole."""
    os.write(out, json.dumps(message).encode() + b"\n")
