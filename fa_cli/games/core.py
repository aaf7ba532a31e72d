"""The contract every game keeps, and the helpers that know no game.

A game is one `Game`: its names, its options, its action table, and the functions that deal, show and tell it. A
`State` is small and mutable, numbers inside; text is made at the edges, here and in each game's view.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache, wraps
from importlib import import_module
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    NamedTuple,
    ParamSpec,
    Protocol,
    Self,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec

from ..errors import ActionError, BadOption, BadPlayers
from .chance import Chance, Source

if TYPE_CHECKING:
    import random

    from .features import Features

# Kinds of journal entries that every game writes alike; a game's own kinds are strings of its own.
ACTION = "action"
POINTS = "points"
DREW = "drew"

_encode = msgspec.json.Encoder().encode
_P = ParamSpec("_P")
_T = TypeVar("_T")

Entry = tuple[Any, ...]
"""One journal entry: `(kind, seat, ...)`. ACTION: `(ACTION, seat, action number)`, written by whoever applies it."""


class State(Protocol):
    """A game under way. `apply` is deterministic given the chance source; `copy` shares nothing that changes."""

    players: int
    actor: int
    """The seat that decides; -1 when the game is over."""
    journal: list[Entry] | None
    """None: nothing is written. A list: what happens is appended, as entries for `Game.tell`."""

    def legal(self) -> Sequence[int]:
        """All legal actions, in table order, without duplicates; never empty before the end. Not to be changed."""

    def apply(self, action: int) -> None:
        """Play one of `legal()`. Nothing is checked: what an illegal action does is undefined."""

    def copy(self) -> Self:
        """An independent state; its journal is None."""

    def is_over(self) -> bool:
        """Whether the game has ended (`scores`, `standing` and `reason` are final)."""

    def scores(self) -> list[int]:
        """Points per seat."""

    def standing(self) -> list[tuple[int, ...]]:
        """Per seat what it is ranked by, tie-breaks included; higher is better."""

    def reason(self) -> str:
        """The game's word for why it ended; empty before."""


class Event(msgspec.Struct, omit_defaults=True, frozen=True):
    """Something that happened, as a bot hears of it. Which fields are there depends on `event`.

    `event` is `action` (a seat's action), `points` (points a seat scored, and what for), `drew` (cards that a seat
    drew: the seat itself hears which, the others how many), or a game's own word (see the game's page).
    """

    event: str
    seat: int | None = None
    action: str | None = None
    points: int | None = None
    count: int | None = None
    cards: list[str] | None = None
    what: str | None = None


def raw(shown: object) -> msgspec.Raw:
    """What is shown, as the JSON that it is in whatever it is put into."""
    return msgspec.Raw(_encode(shown))


def members(part: object) -> bytes:
    """The fields of a Struct or dictionary as members of a JSON object, without its braces: `"placed":3,"shop":[1]`."""
    return _encode(part)[1:-1]


def joined(*parts: bytes) -> msgspec.Raw:
    """An object of all these members, in this order."""
    return msgspec.Raw(b"{%b}" % b",".join(parts))


def kept(make: Callable[_P, object]) -> Callable[_P, Any]:
    """`make`, which returns a part of an observation, so that it returns that part as JSON and remembers it by its
    arguments. To a type checker it is still what `make` returns."""

    @lru_cache(maxsize=1 << 11)
    def keep(*parts: Any, **named: Any) -> msgspec.Raw:
        return raw(make(*parts, **named))

    return cast(Callable[_P, Any], keep)


def latest(make: Callable[_P, _T]) -> Callable[_P, _T]:
    """`make`, so that what it last returned is returned again as long as its arguments are equal. That costs little for
    lists which are never changed in place but replaced; others must not be among them."""
    last: tuple[object, ...] | None = None
    made: Any = None

    @wraps(make)
    def keep(*parts: _P.args, **named: _P.kwargs) -> _T:
        nonlocal last, made
        if parts != last:
            last, made = parts, make(*parts, **named)
        return cast(_T, made)

    return keep


class Guide(NamedTuple):
    """What a person who plays is told, by the observation's `phase`."""

    ask: Mapping[str, str]
    """What is to be decided, in a sentence."""
    rules: Mapping[str, tuple[str, ...]]
    """The rules that apply: how their paragraphs in RULES.md begin; of a heading, the whole section."""
    legend: str
    """How the picture is to be read."""
    palette: Mapping[str, str]
    """What is painted in which colour: a whole word, or a regular expression, and the colour's name."""
    running: tuple[str, ...] = ()
    """The phases in which `brief` is enough, whatever the others have done meanwhile."""


class Edges(NamedTuple):
    """How a game's states are shown: to a seat, to a bot, to people. A replay needs none of it."""

    observation: type[msgspec.Struct]
    show: Callable[[Any, int], msgspec.Raw]
    """(state, seat) -> everything that this seat may know, an `observation` as JSON; never depends on what it may
    not."""
    tell: Callable[[Entry, int | None], Event | None]
    """(journal entry, seat) -> the event as this seat hears it; None: it does not. Seat None sees everything. All seats
    but the entry's own hear the same. It may leave ACTION entries to `hear`."""
    narrate: Callable[[Any, Entry, Sequence[str]], str]
    """(state, entry, player names) -> the entry as a plain sentence for people, who see everything."""
    render: Callable[[Any, int | None], str]
    """(state, seat) -> board and hands drawn as text; seat None shows every hand."""
    determinise: Callable[[Any, int, random.Random], State]
    """(state, seat, generator) -> a copy in which all that the seat can't know is drawn anew, consistently."""
    imagine: Callable[[Any, random.Random], State]
    """(observation, generator) -> a state in which its seat would see exactly this, drawn likewise: for bots that
    search, which have nothing but what they see."""
    features: Callable[[Any], Features]
    """(observation) -> the same in numbers, for programs that learn; see features.py."""
    brief: Callable[[Any, int], str]
    """(state, seat) -> the few lines of `render` that a seat looks at between two decisions."""
    guide: Guide
    board: Callable[[Any], msgspec.Struct] | None = None
    """(options) -> what never changes on the board and no observation has: bots get it in `start`. None: nothing."""


def edges_of(package: str) -> Edges:
    """The edges of a game whose package has view.py, worlds.py, features.py, text.py and guide.py, imported now."""
    view, worlds, features, text, guide = (
        import_module(f"{package}.{name}") for name in ("view", "worlds", "features", "text", "guide")
    )
    return Edges(
        observation=view.Observation,
        show=view.show,
        tell=view.tell,
        narrate=text.narrate,
        render=text.render,
        determinise=worlds.determinise,
        imagine=worlds.imagine,
        features=features.features,
        brief=text.brief,
        guide=guide.GUIDE,
        board=getattr(view, "board", None),
    )


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
    tour: tuple[Mapping[str, Any], ...]
    """The settings that a tournament plays when nothing is said (Fifth Avenue: both sides)."""
    actions: tuple[str, ...]
    """The action table: an action's number is its place."""
    deal: Callable[[Any, int, Source], State]
    """(options, players, chance) -> the state after the deal, before the first decision."""
    edges: Callable[[], Edges]
    """Asked once, when a state is first to be shown: what it imports is not loaded before."""
    rules: str
    """The name of the package that holds this game's RULES.md."""

    @cached_property
    def shown(self) -> Edges:
        """The edges; the properties after this are what is in them."""
        return self.edges()

    @property
    def observation(self) -> type[msgspec.Struct]:
        return self.shown.observation

    @cached_property
    def show(self) -> Callable[[Any, int], msgspec.Raw]:
        return self.shown.show

    @property
    def tell(self) -> Callable[[Entry, int | None], Event | None]:
        return self.shown.tell

    @property
    def narrate(self) -> Callable[[Any, Entry, Sequence[str]], str]:
        return self.shown.narrate

    @property
    def render(self) -> Callable[[Any, int | None], str]:
        return self.shown.render

    @property
    def determinise(self) -> Callable[[Any, int, random.Random], State]:
        return self.shown.determinise

    @property
    def imagine(self) -> Callable[[Any, random.Random], State]:
        return self.shown.imagine

    @property
    def features(self) -> Callable[[Any], Features]:
        return self.shown.features

    def board(self, options: msgspec.Struct) -> msgspec.Struct | None:
        """What never changes on the board with these options and no observation has; None: nothing."""
        return self.shown.board(options) if self.shown.board else None

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The action table the other way round."""
        return {text: number for number, text in enumerate(self.actions)}

    def start(self, options: msgspec.Struct, players: int, seed: bytes) -> State:
        """Deal from a seed of 32 bytes. Raises BadPlayers."""
        self.check_players(players)
        return self.deal(options, players, Chance(seed))

    def check_players(self, players: int) -> None:
        """Raises BadPlayers unless the game takes so many."""
        if players not in self.players:
            raise BadPlayers(f"{self.name} is for {_either(self.players)} players, not {players}")

    def number(self, action: str) -> int:
        """The action's number. Raises ActionError for a text that is not in the table."""
        try:
            return self.numbers[action]
        except KeyError:
            raise ActionError(f"{self.name} has no action {action!r}") from None

    def observe(self, state: State, seat: int) -> Any:
        """Everything that this seat may know, as an `observation`."""
        return msgspec.json.decode(self.show(state, seat), type=self.observation)

    @cached_property
    def say(self) -> Callable[[Entry, int], msgspec.Raw | None]:
        """`hear`, its events as JSON: a game says the same again and again."""

        @lru_cache(maxsize=1 << 14)
        def told(entry: Entry, seat: int) -> msgspec.Raw | None:
            event = self.hear(entry, seat)
            return None if event is None else raw(event)

        def say(entry: Entry, seat: int) -> msgspec.Raw | None:
            return told(entry, seat if seat == entry[1] else -1)  # all the others hear the same

        return say

    def hear(self, entry: Entry, seat: int | None) -> Event | None:
        """What `tell` tells, and actions, which everybody hears alike."""
        if entry[0] == ACTION:
            return Event(ACTION, entry[1], action=self.actions[entry[2]])
        return self.tell(entry, seat)

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


def describe_values(options: type[msgspec.Struct], name: str) -> str:
    """What an option can be, in words: `five or six`, `a number from 1 to 1000`."""
    kind = get_type_hints(options, include_extras=True)[name]
    if get_origin(kind) is Literal:
        return _either(get_args(kind))
    for extra in getattr(kind, "__metadata__", ()):
        if isinstance(extra, msgspec.Meta):
            return f"a number from {extra.ge} to {extra.le}"
    return getattr(kind, "__name__", str(kind))


def _either(values: Sequence[object]) -> str:
    """`2`, `2 or 3`, `2, 3 or 4`."""
    texts = [str(value) for value in values]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} or {texts[-1]}"
