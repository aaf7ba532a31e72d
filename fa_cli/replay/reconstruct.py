"""Rebuilds a game from its record: the deal, the acting seats, the legal actions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec

from ..errors import BadOption, LogError, UnknownGame
from ..game_result import Fault
from ..games import find_game
from ..games.contract import ACTION, JournalEntry, State
from ..games.game import Game
from ..games.seed import Seed
from .record import Record


class Decision(msgspec.Struct, frozen=True):
    """A decision that was just played again."""

    ply: int
    seat: int
    """The seat that made it."""
    faults: list[Fault]
    """The failures of bots at this ply, just before the decision."""
    entries: list[JournalEntry]
    """The action and its consequences."""
    had_choice: bool
    """Whether another action was legal: without one no bot is asked."""


def exact_options(game: Game, options: Mapping[str, int | str]) -> msgspec.Struct:
    """The options of a record as the game's Struct. Raises BadOption unless all are named and have the right type."""
    names = set(game.options.__struct_fields__)
    missing, unknown = sorted(names - options.keys()), sorted(options.keys() - names)
    if missing:
        raise BadOption(f"option {missing[0]} is not named")
    if unknown:
        raise BadOption(f"{game.name} has no option {unknown[0]!r}")
    parsed = game.make_options(options)
    for name, value in options.items():
        if type(getattr(parsed, name)) is not type(value):
            raise BadOption(f"option {name} is {getattr(parsed, name)!r}, not {value!r}")
    return parsed


@lru_cache(maxsize=256)
def _game_and_options(name: str, options: tuple[tuple[str, int | str], ...]) -> tuple[Game, msgspec.Struct]:
    game = find_game(name)
    return game, exact_options(game, dict(options))


def deal_again(name: str, options: Mapping[str, int | str], players: int, seed: Seed) -> tuple[Game, State]:
    """The game, and its state after the deal. Raises UnknownGame, BadOption or BadPlayers."""
    game, parsed = _game_and_options(name, tuple(options.items()))
    return game, game.start(parsed, players, seed)


def describe_options(name: str, options: Mapping[str, int | str]) -> str:
    """The options that a game is rated apart by, as `side=five`; all options if the game is unknown here."""
    try:
        rated_apart: Iterable[str] = find_game(name).variant_options
    except UnknownGame:
        rated_apart = options
    return " ".join(f"{option}={options.get(option)}" for option in rated_apart)


def deal_of(record: Record) -> tuple[Game, State]:
    """The record's game, and its state after the deal. Raises as `deal_again` does, and LogError for a bad seed."""
    return deal_again(record.game, record.options, len(record.players), read_seed(record.seed))


def read_seed(digits: str) -> Seed:
    """The seed of a record. Raises LogError unless it is 64 hex digits."""
    try:
        return Seed.from_hex(digits)
    except ValueError as error:
        raise LogError(str(error)) from None


def play_again(game: Game, state: State, record: Record) -> Iterator[Decision]:
    """Play a record's actions on the state after the deal, and yield after each. Stops before the first illegal one.

    The state needs a journal, which must be empty.
    """
    players, journal = range(len(record.players)), state.journal
    assert journal is not None
    for ply, action in enumerate(record.actions):
        seat, number, length = state.actor, game.action_numbers.get(action, -1), len(journal)
        if state.is_over() or number not in (legal := state.legal()):
            return
        had_choice = len(legal) > 1
        journal.append((ACTION, seat, number))
        state.apply(number)
        faults = [fault for fault in record.faults if fault.ply == ply and fault.seat in players]
        yield Decision(ply, seat, faults, journal[length:], had_choice)


def acting_seats(record: Record) -> list[int]:
    """The seat that makes each decision. The actions must be legal. Raises as `deal_of` does."""
    game, state = deal_of(record)
    state.journal = []
    return [decision.seat for decision in play_again(game, state, record)]


def legal_lists(game: Game, state: State, actions: Sequence[str]) -> list[list[str]]:
    """For each action, all actions legal at that point, in table order; stops at the first illegal action.

    Changes `state`.
    """
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
