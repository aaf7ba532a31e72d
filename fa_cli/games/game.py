"""`Game`: what every game provides. Its options, its action table, how it is dealt and how it is presented.

States hold small numbers. Text is made at the edges: here, and in each game's view.py and text.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import msgspec

from ..decoding import built
from ..errors import ActionError, BadOption, BadPlayers, UsageError
from ..printing.text import either, html_table, near_or_all
from .chance import Chance, ChanceSource
from .contract import ACTION, Event, JournalEntry, State, to_json
from .option_words import describe_values
from .presentation import GamePresentation
from .seed import SEED_BYTES

if TYPE_CHECKING:
    import random

    from .features import Features


class _Hand(msgspec.Struct):
    """What is read of an observation of which the rest is known from another seat's."""

    hand: Any


class Game(msgspec.Struct, frozen=True, kw_only=True, dict=True, eq=False):
    """A complete description of one game. Code that works for any game takes a `Game`."""

    name: str
    title: str
    players: tuple[int, ...]
    """The supported numbers of players, rising."""
    options: type[msgspec.Struct]
    """A frozen Struct with a default for every option; Literal or bounded int fields."""
    variant_options: tuple[str, ...]
    """The options whose values are rated separately (Fifth Avenue: the side of the board)."""
    default_variants: tuple[Mapping[str, Any], ...]
    """The settings that a tournament plays by default (Fifth Avenue: both sides)."""
    actions: tuple[str, ...]
    """The action table: an action's number is its index here."""
    deal: Callable[[Any, int, ChanceSource], State]
    """(options, players, chance) -> the state after the deal, before the first decision."""
    load_presentation: Callable[[], GamePresentation]
    """Imports the presentation. Called once, when a state is first shown."""
    rules: str
    """The package that holds this game's RULES.md."""

    def __repr__(self) -> str:
        return f"find_game({self.name!r})"  # the action table has thousands of texts

    def __reduce__(self) -> tuple[Callable[[str], Game], tuple[str]]:
        return import_module(__package__).find_game, (self.name,)  # pickled as its name

    def _repr_html_(self) -> str:
        """Return the game's options as an HTML table: how a notebook shows the game."""
        rows = [
            (field.name, describe_values(self.options, field.name), str(field.default))
            for field in msgspec.structs.fields(self.options)
        ]
        caption = f"{self.title}, {either(self.players)} players"
        return html_table(("option", "values", "default"), rows, caption=caption)

    @cached_property
    def presentation(self) -> GamePresentation:
        """How states are shown. The properties below are its fields; see `GamePresentation`."""
        return self.load_presentation()

    @property
    def observation(self) -> type[msgspec.Struct]:
        return self.presentation.observation

    @cached_property
    def observation_json(self) -> Callable[[Any, int], bytes]:
        return self.presentation.observation_json

    @property
    def event_of(self) -> Callable[[JournalEntry, int | None], Event | None]:
        return self.presentation.event_of

    @property
    def narrate(self) -> Callable[[Any, JournalEntry, Sequence[str]], str]:
        return self.presentation.narrate

    @property
    def sample_state(self) -> Callable[[Any, random.Random], State]:
        return self.presentation.sample_state

    @property
    def features(self) -> Callable[[msgspec.Struct], Features]:
        return self.presentation.features

    def board(self, options: msgspec.Struct) -> msgspec.Struct | None:
        """Return the constant part of the board, which observations omit; None if the game has none."""
        return self.presentation.board(options) if self.presentation.board else None

    @cached_property
    def board_json(self) -> Callable[[msgspec.Struct], bytes | None]:
        """`board` as JSON, cached because each seat of each game gets it."""

        @lru_cache(maxsize=16)
        def encode(options: msgspec.Struct) -> bytes | None:
            board = self.board(options)
            return None if board is None else to_json(board)

        return encode

    @cached_property
    def action_numbers(self) -> dict[str, int]:
        """The number of each action, by its text."""
        return {text: number for number, text in enumerate(self.actions)}

    @cached_property
    def actions_json(self) -> list[bytes]:
        """The text of each action as JSON."""
        return list(map(to_json, self.actions))

    def start(self, options: msgspec.Struct, players: int, seed: bytes) -> State:
        """Deal from a seed of 32 bytes. Raises BadPlayers, BadOption or UsageError for what this game does not take."""
        self.check_players(players)
        if not isinstance(options, self.options):
            raise BadOption(f"{self.name}: options are what its make_options returns, not {options!r:.80}")
        self._check_options(options)
        if not isinstance(seed, bytes) or len(seed) != SEED_BYTES:
            raise UsageError(f"a seed is {SEED_BYTES} bytes, as from Seed.from_text, not {seed!r:.80}")
        return self.deal(options, int(players), Chance(seed))

    @cached_property
    def _check_options(self) -> Callable[[msgspec.Struct], msgspec.Struct]:
        """Raises BadOption for a value that an option does not allow; cached for `start`."""
        return lru_cache(maxsize=64)(lambda options: self.make_options(msgspec.structs.asdict(options)))

    def check_players(self, players: int) -> None:
        """Raises BadPlayers if the game does not support this number of players."""
        if players not in self.players:
            raise BadPlayers(f"{self.name} is for {either(self.players)} players, not {players!r}")

    def action_number(self, action: str) -> int:
        """Return the number of the action with this text. Raises ActionError if it is not in the table."""
        try:
            return self.action_numbers[action]
        except KeyError:
            raise ActionError(f"{self.name} has no action {action!r}") from None

    def play(self, state: State, action: int) -> None:
        """Check an action, then apply it. Raises ActionError if it is not legal, as none is when the game is over."""
        if action not in state.legal():
            where = "when the game is over" if state.is_over() else f"for seat_{state.actor} here"
            raise ActionError(f"{self.name}: action {action!r} is not legal {where}")
        state.apply(int(action))  # numbers of NumPy too

    def observe(self, state: State, seat: int) -> Any:
        """Return everything that this seat may know, as an `observation`. Raises UsageError for another seat."""
        return msgspec.json.decode(self.observation_json(state, _seat_of(state, seat)), type=built(self.observation))

    def render(self, state: State, seat: int | None) -> str:
        """Return board and hands drawn as text; seat None shows every hand. Raises UsageError for another seat."""
        return self.presentation.render(state, None if seat is None else _seat_of(state, seat))

    def resample_from_infostate(self, state: State, seat: int, generator: random.Random) -> State:
        """Return a copy in which what the seat can't know is drawn again. Raises UsageError for another seat."""
        return self.presentation.resample_from_infostate(state, _seat_of(state, seat), generator)

    @cached_property
    def events_json(self) -> EventTexts:
        """The event of each journal entry as JSON."""
        return EventTexts(self)

    def view(self, state: State, seat: int | None) -> dict[str, Any]:
        """Return what a seat sees as plain data. Seat None sees everything: `hands`, by seat, replaces `hand`.

        Raises UsageError for another seat.
        """
        view: dict[str, Any] = msgspec.json.decode(self.observation_json(state, _seat_of(state, seat or 0)))
        if seat is not None:
            return view
        others = (self.observation_json(state, other) for other in range(1, state.players))
        hands = [view.pop("hand"), *(msgspec.json.decode(other, type=built(_Hand)).hand for other in others)]
        return view | {"seat": None, "hands": hands}

    def event_for(self, entry: JournalEntry, seat: int | None) -> Event | None:
        """Return the event as this seat sees it, None if it does not. Seat None sees everything.

        All seats see actions. `event_of` decides on all other entries.
        """
        if entry[0] == ACTION:
            return Event(ACTION, entry[1], action=self.actions[entry[2]])
        return self.event_of(entry, seat)

    def make_options(self, values: Mapping[str, object]) -> msgspec.Struct:
        """Make options from values by name, with defaults for the rest. Strings are converted to the option's type.

        Raises BadOption for an unknown name or a value that the option does not allow.
        """
        known = self.options.__struct_fields__
        for name, value in values.items():
            if name not in known:
                near = near_or_all(name, sorted(known), "options")
                raise BadOption(f"{self.name} has no option {name!r}{near}")
            try:
                made = msgspec.convert({name: value}, built(self.options), strict=not isinstance(value, str))
                is_allowed = str(getattr(made, name)) == str(value)  # msgspec takes "1e2" for 100
            except msgspec.ValidationError:
                is_allowed = False
            if not is_allowed:
                raise BadOption(f"{self.name}: option {name} is {describe_values(self.options, name)}, not {value!r}")
        return msgspec.convert(dict(values), built(self.options), strict=False)

    def variant(self, options: msgspec.Struct) -> str:
        """Return the name of the variant that these options select: `side=five`; empty if the game has no variants."""
        return " ".join(f"{name}={getattr(options, name)}" for name in self.variant_options)


def _seat_of(state: State, seat: int) -> int:
    """Return the number of a seat. Raises UsageError if the state has no such seat."""
    if seat not in range(state.players):
        raise UsageError(f"the seats of this game are 0 to {state.players - 1}, not {seat!r}")
    return int(seat)


class EventTexts(dict[JournalEntry, tuple[bytes, bytes]]):
    """The event of each journal entry as JSON for the entry's own seat, and for all others, a comma before each.

    Empty for those who do not see it. The two are the same object if all seats see the same. Events are encoded when
    they are looked up first, and kept because the same events occur again and again.
    """

    def __init__(self, game: Game) -> None:
        self._event_for = game.event_for

    def __missing__(self, entry: JournalEntry) -> tuple[bytes, bytes]:
        if len(self) == MOST_EVENTS:
            self.clear()
        events = (self._event_for(entry, seat) for seat in (entry[1], -1))
        own, others = (b"" if event is None else b"," + to_json(event) for event in events)
        self[entry] = texts = (others if own == others else own, others)
        return texts


MOST_EVENTS = 1 << 14
"""Events of a game that are kept."""
