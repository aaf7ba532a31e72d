"""New York before the first turn: the first stones, the colour cards and the hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..contract import DREW
from .board import BACK, FIRST_STONES_OF, STOCK, STOCK_WITH_ACTIONS, beside

if TYPE_CHECKING:
    from .state import State


def first_cells(state: State, colour: int) -> int:
    """Return the mask of the cells where a first stone of this colour may be placed (NY-1)."""
    return state.empty & ~beside(state.board[colour])


def place_first(state: State, cell: int) -> None:
    """Place the actor's first stone and pass on to the next colour."""
    state.put(state.stone, cell)
    state.placed += 1
    seek_first_stone(state)


def seek_first_stone(state: State) -> None:
    """Find the next colour that has a legal cell; if no stone is left to place, deal and begin the first turn."""
    while state.placed < state.in_play * FIRST_STONES_OF[state.players]:
        colour = state.placed % state.in_play
        seat = colour % state.players
        if first_cells(state, colour):
            state.stone = colour
            state.actor = seat
            return
        state.placed += 1
        if state.journal is not None:
            state.journal.append(("skipped", seat, colour))
    state.stone = -1
    _deal_colours(state)
    _deal_hands(state)
    state.begin_turn(state.owner[0])  # NY-2


def _deal_colours(state: State) -> None:
    """Deal the colour cards, one per seat; two players get two each, in turn."""
    cards = list(range(state.in_play))
    state.chance.stream("colours").shuffle(cards)
    players = state.players
    state.colours = [tuple(sorted(cards[seat::players])) for seat in range(players)]
    state.rivals = [tuple(colour for colour in range(state.in_play) if colour not in own) for own in state.colours]
    state.owner = state.owner[:]
    for seat, own in enumerate(state.colours):
        for colour in own:
            state.owner[colour] = seat
        if state.journal is not None:
            state.journal.append(("colours", seat, *own))


def _deal_hands(state: State) -> None:
    """Deal one card per round to each seat that needs cards, the starting seat first, while the stock lasts.

    A seat needs cards until it has two of each back.
    """
    cards = list(STOCK_WITH_ACTIONS if state.options.actions == "on" else STOCK)
    state.chance.stream("stock 0").shuffle(cards)
    state.shuffles = 1
    players, first = state.players, state.owner[0]
    hands: list[list[int]] = [[] for _ in range(players)]
    needing = [*range(first, players), *range(first)]
    index = 0
    while needing and index < len(cards):
        for seat, card in zip(needing, cards[index:], strict=False):
            hands[seat].append(card)
            index += 1
        needing = [seat for seat in needing if not 2 <= sum(BACK[card] for card in hands[seat]) <= len(hands[seat]) - 2]
    state.stock = bytes(cards[index:])
    state.hands = [bytes(hand) for hand in hands]
    state.reds = [len(hand) - sum(BACK[card] for card in hand) for hand in hands]
    if state.journal is not None:
        for seat, hand in enumerate(hands):
            state.journal.append((DREW, seat, *hand))
