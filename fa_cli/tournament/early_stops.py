"""Tournaments that can end early because of their results, which makes intervals hold less often."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..errors import FaError
from .definition import Definition, load


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
            if b'"until"' in path.read_bytes():  # loading every definition would take longer
                compared[log] = bots_compared_in(load(path))
        except (OSError, FaError):
            continue  # a log without a readable definition
    return {log: bots for log, bots in compared.items() if bots}
