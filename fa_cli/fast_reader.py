"""Line reading for `fa_cli.bot`: of a `decide` line only what the bot looks at is decoded.

That is its legal actions, which nearly every bot uses in every decision; whoever looks at anything else has the rest
decoded too (docs/notes/performance.md). It touches little memory, because bots take turns on a core and evict each
other's data from its caches.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import lru_cache

TYPE_CHECKING = False  # importing typing would be a tenth of a bot's start
if TYPE_CHECKING:
    from typing import Any

    Message = dict[str, Any]
else:
    Message = dict
"""A decoded line of the protocol."""
Choose = Callable[[Message, Message], str]
"""(`decide` line, `start` line of its game) -> an action."""
FAST_AFTER = 300
"""Lines decoded as a whole with json before msgspec is imported, which takes as long as it saves over this many."""
_quoted = json.encoder.encode_basestring_ascii
_scan: Callable[[str, int], tuple[Any, int]] = json.JSONDecoder().scan_once  # type: ignore[attr-defined]
_CHUNK = 1 << 14
"""Bytes read at once, more than most lines have. Python allocates them for each read."""
# how `fa` writes a `decide` line: it begins with DECIDE and an id, and the legal actions come early
DECIDE = '{"type":"decide","id":'
_LEGAL = ',"legal":['


class Lines:
    """The lines of stdin."""

    def __init__(self) -> None:
        self._buffer = b""
        """Bytes read but not yet returned."""

    def next(self) -> str:
        """Wait for the next line and return it; empty at the end of input."""
        if not self._buffer:
            self._buffer = os.read(0, _CHUNK)
            if self._buffer.find(b"\n") + 1 == len(self._buffer):
                line, self._buffer = self._buffer, b""
                return line.decode()
        while not (end := self._buffer.find(b"\n") + 1):
            chunk = os.read(0, _CHUNK)
            self._buffer += chunk
            if not chunk:
                end = len(self._buffer)
                break
        line, self._buffer = self._buffer[:end], self._buffer[end:]
        return line.decode()


def read_decide(line: str) -> LazyDecide | None:
    """Decode the legal actions of a line that begins with DECIDE; None if it is not as `fa` writes it."""
    comma = line.find(",", len(DECIDE))
    legal = line.find(_LEGAL, comma)
    if comma < 0 or legal < 0 or not _are_fields(line[comma:legal]):
        return None
    message = LazyDecide()
    message.line = line
    message.number = line[len(DECIDE) : comma]
    message["legal"], _ = _scan(line, legal + len(_LEGAL) - 1)
    return message


@lru_cache(64)
def _are_fields(text: str) -> bool:
    """Whether these are whole fields, a comma before each, so that what follows is a field of the same object."""
    try:
        return "id" not in json.loads(f"{{{text[1:]}}}")
    except ValueError:
        return False


class _Whole:
    """Decodes whole lines: with json, and with msgspec, if that is installed, once that is worth its import."""

    def __init__(self) -> None:
        self._decoded = 0
        self._loads: Callable[[str], Any] = json.loads

    def decode(self, line: str) -> Any:
        """Return a line as plain data. Raises ValueError."""
        self._decoded += 1
        if self._decoded == FAST_AFTER:
            self._loads = _fast_loads()
        return self._loads(line)


def _fast_loads() -> Callable[[str], Any]:
    try:
        from msgspec.json import decode
    except ImportError:
        return json.loads
    return decode


_whole = _Whole()
decode_line: Callable[[str], Message] = _whole.decode


class LazyDecide(Message):
    """A `decide` line of which only some fields are decoded. Any other access decodes the rest first."""

    __slots__ = ("line", "number")
    line: str
    """The line as received; empty once it is decoded."""
    number: str
    """Its `id`."""

    def __missing__(self, name: str) -> Any:
        if not self.line:
            raise KeyError(name)
        self.decode_rest()
        return self[name]

    def decode_rest(self) -> None:
        """Decode the whole line; values that are already set stay."""
        if self.line:
            present = dict(dict.items(self))
            dict.clear(self)  # so that the fields get the order of the line
            dict.update(self, decode_line(self.line))
            dict.update(self, present)
            self.line = ""

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


def _decoding_first(name: str) -> Callable[..., Any]:
    method = getattr(dict, name)

    def decode_and_call(message: LazyDecide, *args: Any, **kwargs: Any) -> Any:
        message.decode_rest()
        return method(message, *args, **kwargs)

    return decode_and_call


for _name in (
    *("__contains__", "__delitem__", "__eq__", "__ior__", "__iter__", "__len__", "__ne__", "__or__", "__repr__"),
    *("__reversed__", "__ror__", "clear", "copy", "get", "items", "keys", "pop", "popitem", "setdefault", "update"),
    "values",
):
    setattr(LazyDecide, _name, _decoding_first(_name))


def write_answer(out: int, number: object, action: object) -> None:
    """Answer the decision with this id."""
    chosen = _quoted(action) if type(action) is str else json.dumps(action)
    os.write(out, f'{{"id": {number}, "action": {chosen}}}\n'.encode())


def write(out: int, message: Message) -> None:
    """Write a message as one line, in one system call: pipes keep short writes whole."""
    os.write(out, json.dumps(message).encode() + b"\n")
