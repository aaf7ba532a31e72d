"""Lines of decisions as bytes: `decide` joined from its parts, plain answers read. decision_lines.c does the same."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .messages import Json

_ID = r'"id": ?(0|[1-9][0-9]{0,17})'
_ACTION = r'"action": ?"([ !#-\[\]-~]*)"'
_PLAIN_ANSWER = re.compile(rf"\{{(?:{_ID}, ?)?{_ACTION}(?:, ?{_ID})?\}}\n".encode())


def legal_json(texts: Sequence[bytes], legal: Sequence[int], /) -> bytes:
    """Return the legal actions as a JSON array. `texts`: each action by number as JSON."""
    return b"[%b]" % b",".join([texts[action] for action in legal])


def place_of(texts: Sequence[bytes], legal: Sequence[int], action: str, /) -> int:
    """Return the index in `legal` of the action with this text, -1 if it is not there. No text has an escape."""
    try:
        return [texts[number] for number in legal].index(b'"%b"' % action.encode())
    except ValueError:  # not there, or not Unicode
        return -1


def decide_line(number: int, clock: bytes, legal: Json, events: Json, observation: Json, /) -> bytes:
    """Join a line `Decide` from its fields as JSON."""
    parts = [b'{"type":"decide","id":%d,"clock":' % number, clock]
    if legal is not None:
        parts += b',"legal":', legal
    if events is not None:
        parts += b',"events":', events
    if observation is not None:
        parts += b',"observation":', observation
    parts.append(b"}\n")
    return b"".join(parts)


def plain_action(line: bytes, number: int, /) -> str | None:
    """Return the action that answers the decision with this number, if the line is an answer in its usual form.

    None for any other line, right or wrong, as one with two `id` or with an escape: it needs a JSON decoder.
    """
    match = _PLAIN_ANSWER.fullmatch(line)
    if not match or (match[1] and match[3]):
        return None
    found = match[1] or match[3]
    return match[2].decode("ascii") if found is None or int(found) == number else None
