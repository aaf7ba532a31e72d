"""States: copies are independent, pieces are conserved, legal lists are in table order."""

from __future__ import annotations

import pytest

from fa_cli.games.manhattan import GAME
from fa_cli.games.manhattan.board import unpack_blocks
from fa_cli.games.manhattan.view import towers
from tests.conftest import thinned

from .positions import NAMED, WAYS, hand, states


@pytest.mark.parametrize(
    ("players", "blocks", "policy"), thinned([(*variant, policy) for variant in NAMED for policy in WAYS], 4)
)
def test_cards_and_blocks_are_conserved(players: int, blocks: str, policy: str) -> None:
    for state in states(players, blocks, 8, WAYS[policy]):
        cards = [card for seat in range(players) for card in hand(state, seat)]
        cards += [int(GAME.actions[play >> 2].split()[1]) for play in state.plays()[state.pile_start() :]]
        cards += [card + 1 for card in state.deck[state.drawn :]]
        assert sorted(cards) == sorted(list(range(1, 10)) * 5)
        standing = b"".join(towers(state))
        for colour in sorted(colour for owned in state.table.owned for colour in owned):
            there = [standing.count(4 * colour + height) for height in range(4)]
            for packed in (state.supply[colour], state.chosen[colour], state.discarded[colour]):
                there = [some + more for some, more in zip(there, unpack_blocks(packed), strict=True)]
            assert there == [11, 6, 4, 3]
