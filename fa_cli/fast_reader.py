"""Line reading for `fa_cli.bot`: of a `decide` line only what the bot looks at is decoded.

That is its legal actions, which nearly every bot uses in every decision; whoever looks at anything else has the rest
decoded too (docs/notes/performance.md). It touches little memory, because bots take turns on a core and evict each
other's data from its caches.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable

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
# how `fa` writes lines; a `decide` line begins with DECIDE and an id, and the legal actions come early
END = b'{"type":"end",'
DECIDE = b'{"type":"decide","id":'
_LEGAL = b',"legal":["'
_QUOTE = ord('"')
_MOST_FIELDS = 64
_fields: set[bytes] = set()
"""Texts that were found to be whole fields between the id and the legal actions; a few of these."""
_set_item = dict.__setitem__
_decoded = 0
_loads: Callable[[bytes], Message] = json.loads


class Lines:
    """The lines of stdin."""

    def __init__(self) -> None:
        self._buffer = b""
        """Bytes read but not yet returned."""

    def next(self) -> bytes:
        """Wait for the next line and return it; empty at the end of input."""
        if not self._buffer:
            line = os.read(0, _CHUNK)
            if line.find(b"\n") + 1 == len(line):
                return line
            self._buffer = line
        while not (end := self._buffer.find(b"\n") + 1):
            chunk = os.read(0, _CHUNK)
            self._buffer += chunk
            if not chunk:
                end = len(self._buffer)
                break
        line, self._buffer = self._buffer[:end], self._buffer[end:]
        return line


def read_decide(line: bytes) -> LazyDecide | None:
    """Decode the legal actions of a line that begins with DECIDE; None if it is not as `fa` writes it."""
    comma = line.find(b",", len(DECIDE))
    legal = line.find(_LEGAL, comma)
    if comma < 0 or legal < 0:
        return None
    fields = line[comma:legal]
    if fields not in _fields and not _are_fields(fields):
        return None
    message = LazyDecide()
    message.line = line
    message.number = line[len(DECIDE) : comma]
    _set_item(message, "legal", _read_actions(line, legal + len(_LEGAL)))
    return message


def _read_actions(line: bytes, begin: int) -> list[Any]:
    """Decode the array whose first text begins here. It is split, unless it has anything but texts without escapes."""
    end = line.find(b"]", begin + 1) - 1
    if line[end] == _QUOTE:
        text = line[begin:end].decode()
        actions: list[Any] = text.split('","')
        if text.count('"') == 2 * len(actions) - 2 and "\\" not in text:
            return actions
    actions, _ = _scan(line[begin - 2 :].decode(), 0)
    return actions


def _are_fields(text: bytes) -> bool:
    """Whether these are whole fields, a comma before each, so that what follows is a field of the same object."""
    try:
        if "id" in json.loads(b"{%b}" % text[1:]):
            return False
    except ValueError:
        return False
    if len(_fields) == _MOST_FIELDS:
        _fields.clear()
    _fields.add(text)
    return True


def decode_line(line: bytes) -> Message:
    """Return a line as plain data. Raises ValueError."""
    global _decoded, _loads
    _decoded += 1
    if _decoded == FAST_AFTER:
        _loads = _fast_loads()
    return _loads(line)


def _fast_loads() -> Callable[[bytes], Message]:
    """Return msgspec's decoder, if that is installed, else that of json."""
    try:
        from msgspec.json import decode
    except ImportError:
        return json.loads
    return decode


class LazyDecide(Message):
    """A `decide` line of which only some fields are decoded. Any other access decodes the rest first."""

    __slots__ = ("line", "number")
    line: bytes
    """The line as received; empty once it is decoded."""
    number: bytes
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
            self.line = b""

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


def write_answer(out: int, number: bytes, action: object) -> None:
    """Answer the decision with this id, as JSON."""
    chosen = _quoted(action) if type(action) is str else json.dumps(action)
    os.write(out, b'{"id": ' + number + b', "action": ' + chosen.encode() + b"}\n")


def write(out: int, message: Message) -> None:
    """Write a message as one line, in one system call: pipes keep short writes whole."""
    os.write(out, json.dumps(message).encode() + b"\n")
