"""States: copies are independent, pieces are conserved, legal lists are in table order."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from fa_cli.games.manhattan import GAME
from fa_cli.games.manhattan.board import unpack_blocks
from fa_cli.games.manhattan.state import State
from fa_cli.games.manhattan.view import towers

from .positions import VARIANTS, WAYS, hand, hoarder, start, states


def everything(state: State) -> dict[str, Any]:
    """Return all attributes of a state, with copies of its lists."""
    values = {name: getattr(state, name) for name in dir(state) if not name.startswith("_")}
    kept = {name: value for name, value in values.items() if not callable(value) and name not in ("table", "chance")}
    assert len(kept) > 20
    return {name: list(value) if isinstance(value, list) else value for name, value in kept.items()}


@pytest.mark.parametrize(("players", "blocks"), VARIANTS)
def test_a_copy_and_its_source_go_their_own_ways(players: int, blocks: str) -> None:
    state, generator = start(players, blocks), Random(1)
    state.journal = []
    while not state.is_over():
        other, before = state.copy(), everything(state)
        assert other.journal is None and everything(other) == before | {"journal": None}
        for _ in range(20):
            if not other.is_over():
                other.apply(generator.choice(other.legal()))
        assert everything(state) == before
        after = everything(other)
        state.apply(generator.choice(state.legal()))
        assert everything(other) == after


@pytest.mark.parametrize(("players", "blocks"), VARIANTS)
@pytest.mark.parametrize("policy", WAYS)
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


@pytest.mark.parametrize(("players", "blocks"), VARIANTS)
def test_legal_lists_are_in_table_order_without_duplicates(players: int, blocks: str) -> None:
    for state in states(players, blocks, 9, hoarder):
        legal = list(state.legal())
        assert legal == sorted(set(legal))
        assert bool(legal) != state.is_over()
        assert legal == state.legal()


def test_nothing_is_written_when_nobody_listens() -> None:
    state = start()
    while not state.is_over():
        state.apply(state.legal()[0])
    assert state.journal is None
