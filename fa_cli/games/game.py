"""The contract that every game keeps: one `Game` with its options, its actions, and functions to deal and to show it.

A `State` is small and mutable, numbers inside; text is made at the edges, here and in each game's view.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from ..errors import ActionError, BadOption, BadPlayers
from ..text import either
from .chance import Chance, ChanceSource
from .contract import ACTION, Event, JournalEntry, State
from .json_parts import to_raw
from .options import describe_values
from .presentation import GamePresentation

if TYPE_CHECKING:
    import random

    from .features import Features


class Game(msgspec.Struct, frozen=True, kw_only=True, dict=True, eq=False):
    """One game, whole. Everything that knows no game takes one of these."""

    name: str
    title: str
    players: tuple[int, ...]
    """The numbers of players it takes, rising."""
    options: type[msgspec.Struct]
    """A frozen Struct with a default for every option; Literal or bounded int fields."""
    variant_options: tuple[str, ...]
    """The options that make a rating of their own (Fifth Avenue: the side of the board)."""
    default_variants: tuple[Mapping[str, Any], ...]
    """The settings that a tournament plays when nothing is said (Fifth Avenue: both sides)."""
    actions: tuple[str, ...]
    """The action table: an action's number is its place."""
    deal: Callable[[Any, int, ChanceSource], State]
    """(options, players, chance) -> the state after the deal, before the first decision."""
    load_presentation: Callable[[], GamePresentation]
    """Asked once, when a state is first to be shown: what it imports is not loaded before."""
    rules: str
    """The name of the package that holds this game's RULES.md."""

    @cached_property
    def presentation(self) -> GamePresentation:
        """The edges; the properties after this are what is in them."""
        return self.load_presentation()

    @property
    def observation(self) -> type[msgspec.Struct]:
        return self.presentation.observation

    @cached_property
    def observation_json(self) -> Callable[[Any, int], msgspec.Raw]:
        return self.presentation.observation_json

    @property
    def event_of(self) -> Callable[[JournalEntry, int | None], Event | None]:
        return self.presentation.event_of

    @property
    def narrate(self) -> Callable[[Any, JournalEntry, Sequence[str]], str]:
        return self.presentation.narrate

    @property
    def render(self) -> Callable[[Any, int | None], str]:
        return self.presentation.render

    @property
    def resample_from_infostate(self) -> Callable[[Any, int, random.Random], State]:
        return self.presentation.resample_from_infostate

    @property
    def sample_state(self) -> Callable[[Any, random.Random], State]:
        return self.presentation.sample_state

    @property
    def features(self) -> Callable[[Any], Features]:
        return self.presentation.features

    def board(self, options: msgspec.Struct) -> msgspec.Struct | None:
        """What never changes on the board with these options and no observation has; None: nothing."""
        return self.presentation.board(options) if self.presentation.board else None

    @cached_property
    def action_numbers(self) -> dict[str, int]:
        """The action table the other way round."""
        return {text: number for number, text in enumerate(self.actions)}

    def start(self, options: msgspec.Struct, players: int, seed: bytes) -> State:
        """Deal from a seed of 32 bytes. Raises BadPlayers."""
        self.check_players(players)
        return self.deal(options, players, Chance(seed))

    def check_players(self, players: int) -> None:
        """Raises BadPlayers unless the game takes so many."""
        if players not in self.players:
            raise BadPlayers(f"{self.name} is for {either(self.players)} players, not {players}")

    def action_number(self, action: str) -> int:
        """The action's number. Raises ActionError for a text that is not in the table."""
        try:
            return self.action_numbers[action]
        except KeyError:
            raise ActionError(f"{self.name} has no action {action!r}") from None

    def observe(self, state: State, seat: int) -> Any:
        """Everything that this seat may know, as an `observation`."""
        return msgspec.json.decode(self.observation_json(state, seat), type=self.observation)

    @cached_property
    def event_json(self) -> Callable[[JournalEntry, int], msgspec.Raw | None]:
        """`hear`, its events as JSON: a game says the same again and again."""

        @lru_cache(maxsize=1 << 14)
        def told(entry: JournalEntry, seat: int) -> msgspec.Raw | None:
            event = self.event_for(entry, seat)
            return None if event is None else to_raw(event)

        def say(entry: JournalEntry, seat: int) -> msgspec.Raw | None:
            return told(entry, seat if seat == entry[1] else -1)  # all the others hear the same

        return say

    def event_for(self, entry: JournalEntry, seat: int | None) -> Event | None:
        """What `tell` tells, and actions, which everybody hears alike."""
        if entry[0] == ACTION:
            return Event(ACTION, entry[1], action=self.actions[entry[2]])
        return self.event_of(entry, seat)

    def make_options(self, given: Mapping[str, object]) -> msgspec.Struct:
        """Options from names and values (texts are converted), defaults for the rest. Raises BadOption."""
        known = {field.name for field in msgspec.structs.fields(self.options)}
        for name, value in given.items():
            if name not in known:
                raise BadOption(f"{self.name} has no option {name!r}; it has {', '.join(sorted(known))}")
            try:
                msgspec.convert({name: value}, self.options, strict=not isinstance(value, str))
            except msgspec.ValidationError:
                raise BadOption(
                    f"{self.name}: option {name} is {describe_values(self.options, name)}, not {value!r}"
                ) from None
        return msgspec.convert(dict(given), self.options, strict=False)

    def variant(self, options: msgspec.Struct) -> str:
        """The rating's name for these options: `side=five`, or empty for a game without variants."""
        return " ".join(f"{name}={getattr(options, name)}" for name in self.variant_options)
