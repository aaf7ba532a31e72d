"""The engine against the plain implementation: the same legal lists, hands, boards and points at every step."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fa_cli.games.contract import POINTS, JournalEntry
from fa_cli.games.manhattan import GAME
from fa_cli.games.manhattan.board import CITIES, COLOURS, GREW, SITES, TIED
from fa_cli.games.manhattan.state import State
from fa_cli.games.manhattan.tables import HEIGHT, OWNER
from fa_cli.games.manhattan.view import towers
from tests.conftest import thinned
from tests.games.policies import EVERY, Policy, uniform

from .plain import Plain, site_of
from .positions import NAMED, VARIANTS, hand, hoarder, start, texts


def compare(state: State, plain: Plain) -> None:
    """Check everything that both implementations have."""
    assert texts(state) == plain.legal()
    assert state.is_over() == (plain.round > plain.rounds)
    assert state.scores() == plain.points
    assert [hand(state, seat) for seat in range(plain.players)] == [sorted(cards) for cards in plain.hands]
    assert [card + 1 for card in state.deck[state.drawn :]] == plain.deck
    stacks = towers(state)
    for place, ((city, site), tower) in enumerate(plain.towers.items()):
        assert place == SITES * CITIES.index(city) + site - 1
        assert [(COLOURS[block >> 2], (block & 3) + 1) for block in stacks[place]] == tower
        assert state.cells[place] >> HEIGHT == sum(height for _, height in tower)
        owner = COLOURS.index(tower[-1][0]) + 1 if tower else 0
        assert state.cells[place] >> OWNER & 7 == owner


def grown(plain: Plain, action: str) -> list[tuple[str, int, int, int, int]]:
    """What the journal has of a block that is about to go on a tower: its new height, and who owned it."""
    kind, *words = action.split()
    if kind != "build":
        return []
    tower = plain.towers[words[1], site_of(int(words[0]), plain.sides[plain.actor])]
    colour = words[3] if plain.players == 2 else plain.colours[plain.actor][0]
    height = sum(floors for _, floors in tower) + int(words[2])
    return [(GREW, plain.actor, height, COLOURS.index(tower[-1][0]), COLOURS.index(colour))] if tower else []


def tied(plain: Plain, journal: Sequence[JournalEntry]) -> list[tuple[str, int, int, int]]:
    """What the journal has to say of several highest towers, if it has been scored."""
    heights = [sum(floors for _, floors in tower) for tower in plain.towers.values()]
    count = heights.count(max(heights))
    return [(TIED, -1, max(heights), count)] if count > 1 and any(entry[0] == POINTS for entry in journal) else []


def run(players: int, blocks: str, seed: bytes, policy: Policy, generator: Random) -> int:
    """Play both; the number of discards."""
    state, plain = start(players, blocks, seed), Plain(players, blocks, seed)
    discards = 0
    while not state.is_over():
        compare(state, plain)
        assert state.actor == plain.actor
        action = policy(GAME, state, generator)
        discards += GAME.actions[action].startswith("discard")
        state.journal = []
        expected = grown(plain, GAME.actions[action])
        state.apply(action)
        plain.apply(GAME.actions[action])
        expected += tied(plain, state.journal)
        assert [entry for entry in state.journal if entry[0] in (GREW, TIED)] == expected
    compare(state, plain)
    return discards


@pytest.mark.parametrize(
    ("players", "blocks", "policy"), thinned([(*variant, policy) for variant in NAMED for policy in EVERY], 4)
)
def test_however_it_is_played(players: int, blocks: str, policy: str) -> None:
    run(players, blocks, bytes(32), EVERY[policy], Random(0))


@given(variant=st.sampled_from(VARIANTS), seed=st.binary(min_size=32, max_size=32), choice=st.randoms())
@settings(max_examples=25, deadline=None)
def test_random_games(variant: tuple[int, str], seed: bytes, choice: Random) -> None:
    run(*variant, seed, uniform, choice)


@pytest.mark.parametrize(("players", "number"), [(2, 13), (2, 25), (3, 6), (3, 13), (4, 1), (4, 8)])
def test_games_in_which_nothing_fits(players: int, number: int) -> None:
    """Players who keep like cards and leave no site empty come to discard (MA-4)."""
    assert run(players, "four", number.to_bytes(32, "big"), hoarder, Random(number)) > 0
