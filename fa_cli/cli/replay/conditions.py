"""`--where`: conditions on the games of a log, by the columns of `fa replay list` and the options of games."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from ...errors import UsageError
from ...option import Option
from ...printing.text import cut, did_you_mean

if TYPE_CHECKING:
    from ...replay.log_entry import LogEntry

WhereOption = Annotated[
    list[str] | None,
    Option(
        "Take only games for which this holds, such as winner=greedy, 'plies>300' or side=six; repeatable. "
        "NAME is winner, a column or an option of the game. Of a list by seat, any one entry is enough; with != none "
        "may be VALUE. [default: all]",
        "NAME=VALUE",
    ),
]
Condition = Callable[["LogEntry"], bool]
"""Whether it holds for a game."""
_CONDITION = r"\s*([A-Za-z][\w-]*)\s*(!=|<=|>=|=|<|>)\s*(.*?)\s*"
_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def _players(entry: LogEntry) -> list[str]:
    """The players, and the bots behind names such as greedy#1."""
    from ...leaderboard.labels import bots_of

    return [*entry.players, *bots_of(entry.players)]


def _winners(entry: LogEntry) -> list[str]:
    """Those of them who won."""
    from ...game_result import have_all_failed

    if have_all_failed(entry.faults, len(entry.players)):
        return []
    return [name for name, rank in zip(_players(entry), 2 * entry.result.ranks, strict=False) if rank == 1]


def _failures(entry: LogEntry) -> int:
    """The faults of bots that were not suspended."""
    from ...replay.record import failures_of

    return len(failures_of(entry.meta, entry.faults))


_NUMBERS: Mapping[str, Callable[[LogEntry], Sequence[int]]] = {
    "record": lambda entry: [entry.index + 1],
    "number": lambda entry: [] if entry.number is None else [entry.number],
    "points": lambda entry: entry.result.scores,
    "ranks": lambda entry: entry.result.ranks,
    "plies": lambda entry: [entry.decisions],
    "faults": lambda entry: [_failures(entry)],
    "suspended": lambda entry: [len(entry.faults) - _failures(entry)],
}
_TEXTS: Mapping[str, Callable[[LogEntry], Sequence[str]]] = {
    "game": lambda entry: [entry.game],
    "variant": lambda entry: [entry.variant],
    "players": _players,
    "winner": _winners,
    "reason": lambda entry: [entry.result.reason],
}


def on_column(name: str, sign: str, value: str | int) -> Condition:
    """A condition on a column of `fa replay list`: of a list by seat, one entry has to fulfil it; with != none."""
    return _condition(_NUMBERS.get(name) or _TEXTS[name], sign, value)


def _condition(values: Callable[[LogEntry], Sequence[Any]], sign: str, value: str | int) -> Condition:
    if sign == "!=":
        return lambda entry: value not in values(entry)
    compare = _COMPARE[sign]
    return lambda entry: any(compare(each, value) for each in values(entry))


def parse_conditions(texts: Sequence[str] | None) -> list[Condition]:
    """The conditions of `--where`. Raises UsageError, BadOption."""
    return [_parsed(text) for text in texts or ()]


def _parsed(text: str) -> Condition:
    match = re.fullmatch(_CONDITION, text)
    if match is None or not match[3]:
        examples = "NAME=VALUE, such as players=greedy or 'plies>300'"
        raise UsageError(f"invalid --where '{cut(text, 40)}': use {examples}")
    name, sign, value = match.groups()
    if name in _NUMBERS:
        return on_column(name, sign, _whole_number(name, value))
    if name not in _TEXTS:
        return _option_condition(name, sign, value)
    if sign not in ("=", "!="):
        raise UsageError(f"--where {name}{sign}: {name} is a text, compare it with = or !=")
    return on_column(name, sign, value)


def _whole_number(name: str, value: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,18}", value):
        raise UsageError(f"--where {name}: '{cut(value, 40)}' is not a whole number")
    return int(value)


def _option_condition(name: str, sign: str, value: str) -> Condition:
    """A condition on an option of the game. Raises UsageError, BadOption."""
    from ...games import GAMES
    from ...leaderboard.labels import OptionFilter

    known = dict.fromkeys(field.name for game in GAMES for field in msgspec.structs.fields(game.options))
    if name not in known:
        names = [*_NUMBERS, *_TEXTS, *known]
        near = did_you_mean("plies" if name == "decisions" else name, names)
        raise UsageError(f"--where: no column or option '{cut(name, 40)}'{near} (there are {', '.join(names)})")
    if sign in ("=", "!="):
        OptionFilter({name: value})  # which raises BadOption if no game allows this value
        return _condition(lambda entry: [str(entry.options[name])] if name in entry.options else [], sign, value)
    bound = _whole_number(name, value)
    return _condition(lambda entry: [each for each in [entry.options.get(name)] if isinstance(each, int)], sign, bound)
