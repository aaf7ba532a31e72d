"""A tiny game that keeps the whole contract: hidden cards, chance, forced and free decisions, 2 to 4 players.

A deck of six 1s to six 6s is shuffled; everyone is dealt four. In his turn a player draws a card from the deck or plays
one for its points. Who drew has to say `ok`, a forced decision. Who played a 5 or a 6 keeps all the points or shares:
every other player gets one. It ends after so many rounds, or at once when somebody has no card left. About twenty
decisions.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Annotated, Literal, Self

import msgspec

from fa_cli.games.chance import ChanceSource
from fa_cli.games.contract import ACTION, DREW, POINTS, Event, JournalEntry, State, to_json
from fa_cli.games.features import Features, count, from_observer, one_hot
from fa_cli.games.game import Game
from fa_cli.games.presentation import GamePresentation, PlayerGuide

ACTIONS = ("draw", *(f"play {value}" for value in range(1, 7)), "ok", "keep", "share")
DRAW, OK, KEEP, SHARE = 0, 7, 8, 9
HAND = 4


class Options(msgspec.Struct, frozen=True):
    """`wild`: an extra point for every share; `rounds`: how long it lasts."""

    rule: Literal["plain", "wild"] = "plain"
    rounds: Annotated[int, msgspec.Meta(ge=1, le=50)] = 4


class Toy(State):
    """The state. `step`: 0 the turn's action, 1 having drawn, 2 having played a 5 or a 6."""

    __slots__ = ("deck", "hands", "last", "options", "points", "round", "step", "why")

    def __init__(self, options: Options, players: int, deck: list[int]) -> None:
        self.options = options
        self.players = players
        self.hands = [sorted(deck[seat * HAND : (seat + 1) * HAND]) for seat in range(players)]
        self.deck = deck[players * HAND :]  # element 0 is the top
        self.points = [0] * players
        self.actor = 0
        self.round = 0
        self.step = 0
        self.last = 0
        self.why = ""
        self.journal: list[JournalEntry] | None = None

    def legal(self) -> Sequence[int]:
        """All legal actions in table order."""
        if self.actor < 0:
            return []
        if self.step:
            return [OK] if self.step == 1 else [KEEP, SHARE]
        return [DRAW, *sorted(set(self.hands[self.actor]))] if self.deck else sorted(set(self.hands[self.actor]))

    def apply(self, action: int) -> None:
        """Play a legal action."""
        if action == DRAW:
            self._draw()
        elif action <= 6:
            self._play(action)
        elif action == SHARE:
            self._share()
        else:
            self._next()

    def _draw(self) -> None:
        card, self.deck = self.deck[0], self.deck[1:]
        self._swap_hand(sorted([*self.hands[self.actor], card]))
        if self.journal is not None:
            self.journal.append((DREW, self.actor, card))
        self.step = 1

    def _play(self, value: int) -> None:
        hand = list(self.hands[self.actor])
        hand.remove(value)
        self._swap_hand(hand)
        self._score(self.actor, value, "card")
        self.last = value
        if value >= 5:
            self.step = 2
        else:
            self._next()

    def _share(self) -> None:
        for seat in range(self.players):
            if seat != self.actor:
                self._score(seat, 1, "share")
        if self.options.rule == "wild":
            self._score(self.actor, 1, "share")
        self._next()

    def _swap_hand(self, hand: list[int]) -> None:
        self.hands = [*self.hands[: self.actor], hand, *self.hands[self.actor + 1 :]]

    def _score(self, seat: int, points: int, what: str) -> None:
        self.points[seat] += points
        if self.journal is not None:
            self.journal.append((POINTS, seat, points, what))

    def _next(self) -> None:
        self.step = 0
        if not self.hands[self.actor]:
            self.why, self.actor = "empty", -1
            return
        self.actor += 1
        if self.actor == self.players:
            self.actor = 0
            self.round += 1
        if self.round == self.options.rounds:
            self.why, self.actor = "rounds", -1

    def copy(self) -> Self:
        """Hands and deck are replaced, never changed in place."""
        other = type(self).__new__(type(self))
        other.options, other.players, other.deck, other.hands = self.options, self.players, self.deck, self.hands
        other.points = self.points[:]
        other.actor, other.round, other.step, other.last = self.actor, self.round, self.step, self.last
        other.why, other.journal = self.why, None
        return other

    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.actor < 0

    def scores(self) -> list[int]:
        """Points per seat."""
        return self.points[:]

    def standing(self) -> list[tuple[int, ...]]:
        """Points, then cards in hand."""
        return [(points, len(hand)) for points, hand in zip(self.points, self.hands, strict=True)]

    def reason(self) -> str:
        """`rounds` or `empty`."""
        return self.why


class View(msgspec.Struct, frozen=True):
    """What a seat may know."""

    seat: int
    actor: int
    round: int
    points: list[int]
    hand: list[int]
    cards: list[int]
    """How many cards each seat holds."""
    deck: int
    played: list[int]
    """Rising."""
    step: int
    last: int
    options: Options


FULL_DECK = [value for value in range(1, 7) for _ in range(6)]


def _without(cards: list[int], gone: Sequence[int]) -> list[int]:
    left = list(cards)
    for card in gone:
        left.remove(card)
    return left


def _deal(options: Options, players: int, chance: ChanceSource) -> Toy:
    deck = FULL_DECK[:]
    chance.stream("deck").shuffle(deck)
    return Toy(options, players, deck)


def _observe(state: Toy, seat: int) -> View:
    sizes = [len(hand) for hand in state.hands]
    played = _without(FULL_DECK, [*state.deck, *(card for hand in state.hands for card in hand)])
    return View(
        seat,
        state.actor,
        state.round,
        state.points,
        state.hands[seat],
        sizes,
        len(state.deck),
        played,
        state.step,
        state.last,
        state.options,
    )


def _tell(entry: JournalEntry, seat: int | None) -> Event | None:
    kind, actor = entry[0], entry[1]
    if kind == ACTION:
        return Event("action", actor, action=ACTIONS[entry[2]])
    if kind == POINTS:
        return Event("points", actor, points=entry[2], what=entry[3])
    cards = [str(card) for card in entry[2:]] if seat in (None, actor) else None
    return Event("drew", actor, count=len(entry) - 2, cards=cards)


def _narrate(state: Toy, entry: JournalEntry, names: Sequence[str]) -> str:
    kind, name = entry[0], names[entry[1]]
    if kind == ACTION:
        return f"{name} says {ACTIONS[entry[2]]!r}."
    if kind == POINTS:
        return f"{name} scores {entry[2]} ({entry[3]})."
    return f"{name} draws a {entry[2]}."


def _render(state: Toy, seat: int | None) -> str:
    lines = [f"round {state.round + 1}, {len(state.deck)} cards in the deck"]
    for owner, hand in enumerate(state.hands):
        cards = " ".join(map(str, hand)) if seat in (None, owner) else f"{len(hand)} cards"
        lines.append(f"seat {owner}: {state.points[owner]} points, {cards}")
    return "\n".join(lines)


def _resample_from_infostate(state: Toy, seat: int, generator: random.Random) -> Toy:
    unseen = state.deck + [card for owner, hand in enumerate(state.hands) if owner != seat for card in hand]
    generator.shuffle(unseen)
    other = state.copy()
    hands = []
    for owner, hand in enumerate(state.hands):
        hands.append(hand if owner == seat else sorted(unseen.pop() for _ in hand))
    other.hands, other.deck = hands, unseen
    return other


def _sample_state(view: View, generator: random.Random) -> Toy:
    unseen = _without(FULL_DECK, [*view.hand, *view.played])
    state = Toy(view.options, len(view.cards), FULL_DECK)
    state.hands = [
        view.hand if seat == view.seat else [unseen.pop() for _ in range(size)] for seat, size in enumerate(view.cards)
    ]
    state.deck, state.points = unseen, list(view.points)
    state.actor, state.round, state.step, state.last = view.actor, view.round, view.step, view.last
    return _resample_from_infostate(state, view.seat, generator)


def _features(view: View) -> Features:
    mine = from_observer(view.points, view.seat)
    hand, played = count(range(1, 7), view.hand), count(range(1, 7), view.played)
    step = one_hot(range(3), view.step)
    return {"points": mine, "hand": hand, "played": played, "deck": [view.deck], "step": step, "last": [view.last]}


_EDGES = GamePresentation(
    observation=View,
    observation_json=lambda state, seat: to_json(_observe(state, seat)),
    event_of=_tell,
    narrate=_narrate,
    render=_render,
    resample_from_infostate=_resample_from_infostate,
    sample_state=_sample_state,
    features=_features,
    brief=_render,
    guide=PlayerGuide({}, {}, "", {}),
)

GAME = TOY = Game(
    name="toy",
    title="Toy",
    players=(2, 3, 4),
    options=Options,
    variant_options=("rule",),
    default_variants=({"rule": "plain"}, {"rule": "wild"}),
    actions=ACTIONS,
    deal=_deal,
    load_presentation=lambda: _EDGES,
    rules="tests",
)
