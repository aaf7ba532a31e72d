"""Labels of a game in tables: its bots, side and variant; and the variants with some options.

Loads a game's module only when needed.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from ..errors import BadOption
from ..games import MODULES, find_game
from ..printing.text import did_you_mean
from ..replay.reconstruct import describe_options
from ..replay.record import seat_names


class Renaming(NamedTuple):
    """How bots are renamed before their games count, as to their versions."""

    name: str
    rename: Callable[[str, str], str]
    """The new name of a bot, given the names of the log in its index and of the bot."""
    rule: str
    """Two renamings with the same text do the same."""


def bots_of(players: Sequence[str]) -> list[str]:
    """The bot in each seat: `greedy` twice for `greedy#1` and `greedy#2`."""
    return list(_bots_of(tuple(players)))


@functools.lru_cache(maxsize=4096)
def _bots_of(players: tuple[str, ...]) -> list[str]:
    bots = [player.rpartition("#")[0] or player for player in players]
    return bots if seat_names(bots) == list(players) else list(players)


def describe_side(name: str, options: Mapping[str, Any]) -> str:
    """The options that the game is rated apart by, as `side=five`; the game's name if there are none."""
    return (describe_options(name, options) if name in MODULES else "") or name


def describe_variant(name: str, options: Mapping[str, Any], players: int) -> str:
    """The game, its options, and the number of players, as `new-york actions=off players=4`.

    Names the options that the game is rated apart by and those that differ from the default; for a game that is unknown
    here, all options.
    """
    game = find_game(name) if name in MODULES else None
    defaults = msgspec.structs.asdict(game.options()) if game else {}
    rated_apart = game.variant_options if game else tuple(options)
    named = [
        f"{key}={value}" for key, value in options.items() if key in rated_apart or value != defaults.get(key, value)
    ]
    return " ".join([name, *named, f"players={players}"])


class OptionFilter:
    """The variants in which all of some options have the values that are asked for."""

    def __init__(self, values: Mapping[str, str], game: str | None = None) -> None:
        """`values` by option, as typed; only the games that have all these options can match, or only `game`.

        Raises BadOption if there is none, or for a value that none of them allows.
        """
        self.values = dict(values)
        self.rule = f"{self} of {game}" if game else str(self)
        """Two filters with the same text select the same."""
        self._wanted: dict[str, dict[str, tuple[str, bool]]] = {}  # by game, then option: value, is it the default
        errors = []
        for name in [game] if game else MODULES:
            try:
                self._wanted[name] = _wanted(name, self.values)
            except BadOption as error:
                errors.append(error)
        if not self._wanted:
            raise errors[0] if game else _explained(self.values, errors)

    def __str__(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.values.items())

    def matches(self, game: str, variant: str) -> bool:
        """Whether a variant of this game, named as by `describe_variant`, has the options."""
        if game not in self._wanted:
            return False
        named = dict(word.split("=", 1) for word in variant.split() if "=" in word)
        return all(
            named[name] == value if name in named else is_default
            for name, (value, is_default) in self._wanted[game].items()
        )


def _wanted(game: str, values: Mapping[str, str]) -> dict[str, tuple[str, bool]]:
    """For each option its value as variants name it, and whether that is the default. Raises BadOption."""
    rules = find_game(game)
    wanted, defaults = (msgspec.structs.asdict(rules.make_options(each)) for each in (values, {}))
    return {name: (str(wanted[name]), wanted[name] == defaults[name]) for name in values}


def _explained(values: Mapping[str, str], errors: Iterable[BadOption]) -> BadOption:
    """The error for options that no game has."""
    by_game = {name: msgspec.structs.fields(find_game(name).options) for name in MODULES}
    known = {field.name: name for name, fields in by_game.items() for field in fields}
    for name in values:
        if name not in known:
            listed = ", ".join(sorted(known))
            return BadOption(f"no game has an option {name!r}{did_you_mean(name, known)} (options: {listed})")
    if len(values) > 1 and not any({field.name for field in fields} >= values.keys() for fields in by_game.values()):
        return BadOption(f"no game has all of these options: {', '.join(values)}")
    return next(error for error in errors if "has no option" not in str(error))
