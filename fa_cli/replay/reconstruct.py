"""A record put through the engine again: the deal, the legal lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec

from ..errors import BadOption, FaError, LogError
from ..games import find_game
from ..games.chance import SEED_BYTES
from ..games.contract import State
from ..games.game import Game
from .record import Record


def exact_options(game: Game, options: Mapping[str, int | str]) -> msgspec.Struct:
    """The options of a record, in which every one has to be named, with a value of its own type. Raises BadOption."""
    names = {field.name for field in msgspec.structs.fields(game.options)}
    missing, unknown = sorted(names - options.keys()), sorted(options.keys() - names)
    if missing:
        raise BadOption(f"option {missing[0]} is not named")
    if unknown:
        raise BadOption(f"{game.name} has no option {unknown[0]!r}")
    made = game.make_options(options)
    for name, value in options.items():
        if type(getattr(made, name)) is not type(value):
            raise BadOption(f"option {name} is {getattr(made, name)!r}, not {value!r}")
    return made


@lru_cache(maxsize=256)
def _setting(name: str, options: tuple[tuple[str, int | str], ...]) -> tuple[Game, msgspec.Struct]:
    game = find_game(name)
    return game, exact_options(game, dict(options))


def deal_again(name: str, options: Mapping[str, int | str], players: int, seed: str) -> tuple[Game, State]:
    """The game and its state after the deal. Raises UnknownGame, BadOption, BadPlayers or LogError (the seed)."""
    game, made = _setting(name, tuple(options.items()))
    return game, game.start(made, players, parse_seed(seed))


def variant_of(name: str, options: Mapping[str, int | str]) -> str:
    """The rating's name for these options; all options, if the game or one of them is unknown here."""
    try:
        game, made = _setting(name, tuple(options.items()))
    except FaError:
        return " ".join(f"{option}={value}" for option, value in options.items())
    return game.variant(made)


def is_seed(seed: str) -> bool:
    """Whether this is a seed as a record has it: 64 hex digits, small letters."""
    return len(seed) == 2 * SEED_BYTES and not seed.strip("0123456789abcdef")


def parse_seed(seed: str) -> bytes:
    """The 32 bytes of a record's seed. Raises LogError."""
    if is_seed(seed):
        return bytes.fromhex(seed)
    raise LogError(f"a seed is {2 * SEED_BYTES} hex digits, not {seed[:80]!r}")


def seats_of(record: Record) -> list[int]:
    """The seat of each decision. Raises as `deal_again`; the actions have to be legal."""
    game, state = deal_again(record.game, record.options, len(record.players), record.seed)
    seats = []
    for action in record.actions:
        seats.append(state.actor)
        state.apply(game.action_numbers[action])
    return seats


def legal_lists(game: Game, state: State, actions: Sequence[str]) -> list[list[str]]:
    """For each of the actions all legal ones, in table order, as far as they can be played from this state."""
    lists: list[list[str]] = []
    for action in actions:
        if state.is_over():
            break
        legal = state.legal()
        lists.append([game.actions[number] for number in legal])
        number = game.action_numbers.get(action, -1)
        if number not in legal:
            break
        state.apply(number)
    return lists
