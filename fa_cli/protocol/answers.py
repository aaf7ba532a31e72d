"""What a bot answers, decoded; every mistake becomes a `Failure`."""

from __future__ import annotations

import json
import re
from typing import Final

import msgspec
from msgspec import UNSET

from ..decoding import is_not_utf8
from ..game_result import Failure, FaultKind
from ..printing.text import cut
from . import decision_lines
from .messages import Answer, Ready

# Final: compiled code looks up other names of a module in a dict, each time
_plain_action: Final = decision_lines.plain_action
_decode_ready: Final = msgspec.json.Decoder(Ready).decode
_decode_answer: Final = msgspec.json.Decoder(Answer).decode
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_QUOTES = 6
"""Quotation marks of an answer with `id` and `action`. An answer with a field twice has more."""
MOST_LEVELS = 500
"""The deepest nesting of arrays and objects in a line of a bot: the same on every machine.

The decoders' own limits are those of Python and of the stack: some 990 levels in CPython 3.11, 260,000 in 3.14.
"""
_BRACKETS = b"[]{}"
_OTHERS = bytes(byte for byte in range(256) if byte not in _BRACKETS)
# The closing quotation mark is optional, so that a line of nothing but `\"` takes no quadratic time.
_TEXT = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)


def read_ready(line: bytes, what: str) -> Ready | Failure:
    """Decode a bot's answer to `what`: `hello` or `start`."""
    try:
        line.decode()
        check_nesting(line)
        return _decode_ready(line)
    except _UNREADABLE as error:
        return _unreadable(f"answer to {what}", line, error)


def read_answer(line: bytes, number: int) -> str | Failure:
    """The action in a bot's answer to the decision with this number."""
    action = _plain_action(line, number)
    if action is not None:
        return action
    try:
        check_nesting(line)
        answer = _decode_answer(line)
        if not line.isascii():
            line.decode()  # the decoder does not look into fields that it skips
        if line.count(b'"') > _QUOTES and (field := _repeated_field(line)):
            return Failure(FaultKind.PROTOCOL, f"gave two fields {field!r} in one answer: {_quoted(line)}")
    except _UNREADABLE as error:
        return _unreadable("answer", line, error)
    if answer.id != number and answer.id is not UNSET:
        return Failure(FaultKind.PROTOCOL, f"answered decision {answer.id} when asked for decision {number}")
    return answer.action


def _repeated_field(line: bytes) -> str:
    """`action` or `id` if an answer has that field more than once; else ""."""
    if line.count(b'"action"') <= 1 and line.count(b'"id"') <= 1 and b"\\" not in line:
        return ""
    names: list[str] = []

    def note(pairs: list[tuple[str, object]]) -> None:
        names[:] = [name for name, _ in pairs]  # the outermost object comes last

    json.loads(line, object_pairs_hook=note, parse_int=str, parse_float=str)
    return next((name for name in ("action", "id") if names.count(name) > 1), "")


def _unreadable(what: str, line: bytes, error: Exception) -> Failure:
    why = cut(str(error))
    if is_not_utf8(error):
        why = "it is not UTF-8"
    elif isinstance(error, RecursionError):
        why = f"it is nested more than {MOST_LEVELS} deep"
    return Failure(FaultKind.PROTOCOL, f"gave an {what} that can't be read: {why}: {_quoted(line)}")


def _quoted(line: bytes) -> str:
    return repr(line[:80].rstrip(b"\r\n").decode(errors="replace"))


def check_nesting(line: bytes) -> None:
    """Raise RecursionError, as decoders do, if a line is nested too deep. The line need not be JSON."""
    if line.count(b"[") + line.count(b"{") <= MOST_LEVELS:
        return
    levels = 0
    for bracket in _TEXT.sub(b"", line).translate(None, _OTHERS):
        levels += 1 if bracket in b"[{" else -1
        if levels > MOST_LEVELS:
            raise RecursionError(f"nested more than {MOST_LEVELS} deep")
