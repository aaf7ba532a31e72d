"""New York before the first turn: the first stones, the colour cards and the hands."""

from __future__ import annotations

from ..contract import DREW
from .board import BACK, FIRST_STONES_OF, STOCK, STOCK_WITH_ACTIONS, beside
from .position import Position


def first_cells(position: Position, colour: int) -> int:
    """Return the mask of the cells where a first stone of this colour may be placed (NY-1)."""
    return position.empty & ~beside(position.board[colour])


def place_first(position: Position, cell: int) -> None:
    """Place the actor's first stone and pass on to the next colour."""
    position.put(position.stone, cell)
    position.placed += 1
    seek_first_stone(position)


def seek_first_stone(position: Position) -> None:
    """Find the next colour that has a legal cell; if no stone is left to place, deal and begin the first turn."""
    while position.placed < position.in_play * FIRST_STONES_OF[position.players]:
        colour = position.placed % position.in_play
        seat = colour % position.players
        if first_cells(position, colour):
            position.stone = colour
            position.actor = seat
            return
        position.placed += 1
        if position.journal is not None:
            position.journal.append(("skipped", seat, colour))
    position.stone = -1
    _deal_colours(position)
    _deal_hands(position)
    position.begin_turn(position.owner[0])  # NY-2


def _deal_colours(position: Position) -> None:
    """Deal the colour cards, one per seat; two players get two each, in turn."""
    cards = list(range(position.in_play))
    position.chance.stream("colours").shuffle(cards)
    players = position.players
    position.colours = [tuple(sorted(cards[seat::players])) for seat in range(players)]
    position.rivals = [
        tuple(colour for colour in range(position.in_play) if colour not in own) for own in position.colours
    ]
    position.owner = position.owner[:]
    for seat, own in enumerate(position.colours):
        for colour in own:
            position.owner[colour] = seat
        if position.journal is not None:
            position.journal.append(("colours", seat, *own))


def _deal_hands(position: Position) -> None:
    """Deal one card per round to each seat that needs cards, the starting seat first, while the stock lasts.

    A seat needs cards until it has two of each back.
    """
    cards = list(STOCK_WITH_ACTIONS if position.options.actions == "on" else STOCK)
    position.chance.stream("stock 0").shuffle(cards)
    position.shuffles = 1
    players, first = position.players, position.owner[0]
    hands: list[list[int]] = [[] for _ in range(players)]
    blues = [0] * players
    needing = [*range(first, players), *range(first)]
    index = 0
    while needing and index < len(cards):
        for seat in needing[: len(cards) - index]:
            card = cards[index]
            hands[seat].append(card)
            blues[seat] += BACK[card]
            index += 1
        needing = [seat for seat in needing if not 2 <= blues[seat] <= len(hands[seat]) - 2]
    position.stock = bytes(cards[index:])
    position.hands = [bytes(hand) for hand in hands]
    position.reds = [len(hand) - count for hand, count in zip(hands, blues, strict=True)]
    if position.journal is not None:
        for seat, hand in enumerate(hands):
            position.journal.append((DREW, seat, *hand))
