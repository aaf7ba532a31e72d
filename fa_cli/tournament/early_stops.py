"""Tournaments that can end early because of their results, which makes intervals hold less often."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from ..errors import FaError
from .definition import Definition, load


class _RuleAlone(msgspec.Struct):
    """The stopping rule of a definition; decoding only that is much faster."""

    until: object = None


def bots_compared_in(definition: Definition) -> set[str]:
    """The two bots whose results can end the tournament; empty without a stopping rule."""
    rule = definition.stopping_rule
    return {definition.bots[index].name for index in (rule.first, rule.second)} if rule else set()


def compared_bots(logs: Iterable[Path]) -> dict[Path, set[str]]:
    """The two bots whose results can end the tournament, for each log of a tournament with a stopping rule."""
    compared = {}
    for log in logs:
        path = log.parent.parent / "tournaments" / f"{log.stem}.json"
        try:
            if msgspec.json.decode(path.read_bytes(), type=_RuleAlone).until is not None:
                compared[log] = bots_compared_in(load(path))
        except (OSError, FaError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue  # a log without a readable definition
    return compared
