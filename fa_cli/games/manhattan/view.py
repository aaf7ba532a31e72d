"""What one seat may see of Manhattan: the observation and the events. worlds.py has the states that it could be in.

Everybody sees all but the hands and the order of the deck. What can be worked out about those follows from the counts
here: which cards were in the deck when it was last shuffled, which have been played since and by whom, and which of
them this seat drew itself.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import msgspec

from ..core import DREW, POINTS, Entry, Event
from .board import CITIES, COLOURS, COPIES, HAND, SIDES, SITES, TOWERS, sides, unpack_blocks, unpack_cards
from .options import Options
from .scoring import FOR_HIGHEST, FOR_TOWERS
from .state import State, card_of

Phase = Literal["select", "build", "over"]


class Tower(msgspec.Struct, frozen=True):
    """What stands on one site."""

    height: int
    """Its floors, of all colours together."""
    owner: str
    """The colour of its top block."""
    floors: dict[str, int]
    """By colour, of all four."""
    blocks: list[str]
    """From the ground up: `red 3`."""


class Stock(msgspec.Struct, frozen=True):
    """The blocks of one colour that are not on the board: how many of height 1, 2, 3 and 4."""

    seat: int
    """Whose colour it is."""
    supply: list[int]
    """Not yet chosen for a round."""
    chosen: list[int]
    """Chosen for this round, still to be placed."""
    discarded: list[int]
    """Out of the game (MA-4)."""


class Seat(msgspec.Struct, frozen=True):
    """What everybody knows of one player."""

    points: int
    cards: int
    """How many cards this player holds."""
    side: str
    """The side of the table this player sits at."""
    sites: list[int]
    """The site that each card from 1 to 9 means to this player (MA-2)."""
    colours: list[str]


class Played(msgspec.Struct, frozen=True):
    """A card that has been played or discarded."""

    seat: int
    card: int


class Cards(msgspec.Struct, frozen=True):
    """What this seat knows of the cards. Counts are for the cards 1 to 9."""

    deck: int
    """How many cards are in the deck."""
    shuffles: int
    """How often the played cards have become a new deck."""
    shuffled: list[int]
    """What the deck consisted of when it was last shuffled: at first everything, the first hands too."""
    drawn: list[int]
    """The cards that this seat has drawn since then, in order; before the first new deck with its first hand."""
    played: list[Played]
    """The cards that everybody has played since then, in order: the played cards that a new deck is made of."""
    unseen: list[int]
    """What is now in the deck and in the other hands together."""
    held: list[int]
    """What of that is surely in the other hands: they had it at the last shuffle, and have not played it since."""


class Observation(msgspec.Struct, frozen=True):
    """Everything that a seat may know."""

    seat: int
    phase: Phase
    actor: int
    """The seat that decides; -1 when the game is over."""
    colour: str | None
    """The colour that the actor selects blocks for; null when it is not selecting."""
    round: int
    rounds: int
    blocks: int
    """Blocks of each colour that are chosen per round."""
    start: int
    """The seat that started this round."""
    options: Options
    cities: dict[str, list[Tower | None]]
    """By city: what stands on the sites 1 to 9, null for nothing."""
    stocks: dict[str, Stock]
    """By colour in play."""
    seats: list[Seat]
    hand: list[int]
    """This seat's cards, rising."""
    cards: Cards


def observe(state: State, seat: int) -> Observation:
    """Everything that this seat may know; it never depends on what the seat may not."""
    return Observation(
        seat,
        phase(state),
        state.actor,
        COLOURS[state.selecting_colour()] if state.selecting else None,
        state.round,
        state.rounds(),
        state.blocks,
        state.start,
        state.options,
        _cities(state),
        {COLOURS[colour]: _stock(state, owner, colour) for colour, owner in _owners(state)},
        [_seat(state, other) for other in range(state.players)],
        [card + 1 for card in unpack_cards(state.hands[seat])],
        _cards(state, seat),
    )


def phase(state: State) -> Phase:
    """What kind of decision comes next."""
    if state.actor < 0:
        return "over"
    return "select" if state.selecting else "build"


def towers(state: State) -> list[list[int]]:
    """By tower: its blocks from the ground up, each 4 * colour + height."""
    stacks: list[list[int]] = [[] for _ in range(TOWERS)]
    moves = state.table.moves
    for play in state.plays():
        move = moves[play & 3][play >> 2]
        if move[0] >= 0:
            stacks[move[0]].append(move[3])
    return stacks


def _cities(state: State) -> dict[str, list[Tower | None]]:
    stacks = [_tower(bytes(stack)) if stack else None for stack in towers(state)]
    return {city: stacks[SITES * place : SITES * (place + 1)] for place, city in enumerate(CITIES)}


@lru_cache(maxsize=1 << 14)
def _tower(stack: bytes) -> Tower:
    """The tower of these blocks, each 4 * colour + height."""
    floors = dict.fromkeys(COLOURS, 0)
    for block in stack:
        floors[COLOURS[block >> 2]] += (block & 3) + 1
    blocks = [f"{COLOURS[block >> 2]} {(block & 3) + 1}" for block in stack]
    return Tower(sum(floors.values()), COLOURS[stack[-1] >> 2], floors, blocks)


def _owners(state: State) -> list[tuple[int, int]]:
    """Every colour in play and its seat, in the order of the colours."""
    return sorted((colour, seat) for seat, owned in enumerate(state.table.owned) for colour in owned)


def _stock(state: State, seat: int, colour: int) -> Stock:
    packed = (state.supply[colour], state.chosen[colour], state.gone[colour])
    return Stock(seat, *map(unpack_blocks, packed))


def _seat(state: State, seat: int) -> Seat:
    return Seat(
        state.points[seat],
        HAND,
        SIDES[sides(state.players)[seat]],
        [site + 1 for site in state.table.sites[seat]],
        [COLOURS[colour] for colour in state.table.owned[seat]],
    )


def _cards(state: State, seat: int) -> Cards:
    played = state.plays()[state.pile_start() :]
    drawn = [state.deck[place] for place in own_draws(state, seat)]
    shuffled = counts(state.deck[state.begun :])
    mine = counts(unpack_cards(state.hands[seat]))
    used = counts([card_of(play) for play in played])
    theirs = others_at_shuffle(state, seat)
    by_others = counts([card_of(play) for play in played if play & 3 != seat])
    return Cards(
        len(state.deck) - state.drawn,
        state.shuffles,
        shuffled,
        [card + 1 for card in drawn],
        [Played(play & 3, card_of(play) + 1) for play in played],
        [COPIES - own - gone for own, gone in zip(mine, used, strict=True)],
        [max(0, had - gone) for had, gone in zip(theirs, by_others, strict=True)],
    )


def counts(cards: list[int]) -> list[int]:
    """How many of each position, from 0."""
    return [cards.count(card) for card in range(SITES)]


def drawer(state: State, plays: list[int], place: int) -> int:
    """The seat that drew the card at that place of `State.deck`."""
    dealt = HAND * state.players
    return place // HAND if place < dealt else plays[place - dealt] & 3


def own_draws(state: State, seat: int) -> list[int]:
    """Where in `State.deck` the cards are that this seat has drawn since the last shuffle."""
    plays = state.plays()
    return [place for place in range(state.begun, state.drawn) if drawer(state, plays, place) == seat]


def others_at_shuffle(state: State, seat: int) -> list[int]:
    """Counts of what the other hands held together when the deck was last shuffled: at first nothing."""
    if not state.begun:
        return [0] * SITES
    mine = counts(unpack_cards(state.hands[seat]))
    played = counts([card_of(play) for play in state.plays()[state.pile_start() :] if play & 3 == seat])
    drawn = counts([state.deck[place] for place in own_draws(state, seat)])
    shuffled = counts(state.deck[state.begun :])
    return [
        COPIES - there - (now + gone - come)
        for there, now, gone, come in zip(shuffled, mine, played, drawn, strict=True)
    ]


def points_for(what: int) -> str:
    """What points are for, as events say it: `highest red`, `Cairo red`, `towers red`; see scoring.py."""
    kind, colour = divmod(what, len(COLOURS))
    return f"{_KINDS[kind]} {COLOURS[colour]}"


_KINDS = {**dict(enumerate(CITIES)), FOR_HIGHEST: "highest", FOR_TOWERS: "towers"}


def tell(entry: Entry, seat: int | None) -> Event | None:
    """The journal entry as this seat hears it; seat None sees everything."""
    kind, who = entry[0], entry[1]
    if kind == POINTS:
        return Event(kind, who, points=entry[2], what=points_for(entry[3]))
    if kind == DREW:
        return Event(kind, who, count=1, cards=[str(entry[2] + 1)] if seat is None or seat == who else None)
    if kind == "shuffled":
        return Event(kind, count=entry[2])
    return Event("round", who, count=entry[2])
