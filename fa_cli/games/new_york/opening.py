"""New York before its first turn: the stones placed before the game, the colour cards, the hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..contract import DREW
from .board import FIRST_STONES_OF, beside
from .cards import BACK, STOCK, STOCK_WITH_ACTIONS

if TYPE_CHECKING:
    from .state import State


def first_cells(state: State, colour: int) -> int:
    """Mask of the cells allowed to a stone of this colour before the game (NY-1)."""
    return state.empty & ~beside(state.board[colour])


def place_first(state: State, cell: int) -> None:
    """The actor's stone; then the next colour's turn."""
    state.put(state.stone, cell)
    state.placed += 1
    seek_first_stone(state)


def seek_first_stone(state: State) -> None:
    """On to the next colour that has a cell to go to, or to the first turn."""
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
    """A colour card to each seat; with two players each gets every second one."""
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
    """One card a round to each who still needs one, the beginner first, until nobody does or the stock is empty."""
    cards = list(STOCK_WITH_ACTIONS if state.options.actions == "on" else STOCK)
    state.chance.stream("stock 0").shuffle(cards)
    state.shuffles = 1
    players, first = state.players, state.owner[0]
    hands: list[list[int]] = [[] for _ in range(players)]
    needy = [*range(first, players), *range(first)]
    at = 0
    while needy and at < len(cards):
        for seat, card in zip(needy, cards[at:], strict=False):
            hands[seat].append(card)
            at += 1
        needy = [seat for seat in needy if not 2 <= sum(BACK[card] for card in hands[seat]) <= len(hands[seat]) - 2]
    state.stock = bytes(cards[at:])
    state.hands = [bytes(hand) for hand in hands]
    state.reds = [len(hand) - sum(BACK[card] for card in hand) for hand in hands]
    if state.journal is not None:
        for seat, hand in enumerate(hands):
            state.journal.append((DREW, seat, *hand))
