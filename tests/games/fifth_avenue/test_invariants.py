"""Invariants at every step of every game: pieces are conserved, derived data is consistent, copies are independent."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fa_cli.games.fifth_avenue import GAME
from fa_cli.games.fifth_avenue.actions import BIDDING, BUSINESS
from fa_cli.games.fifth_avenue.board import CARDS, PLOTS
from fa_cli.games.fifth_avenue.state import State
from tests.conftest import further

from ..policies import BOTS
from .test_reference import POLICIES
from .test_view import VARIANTS, all_cards, check_derived, states

DECKS = Counter({3 * suit + value: count for suit in range(1, 6) for value, count in enumerate((5, 4, 3))})
DECKS += Counter({0: 20, 1: 16, 2: 14})
TILES = 7 + 20  # on the board and in the row; nine are not in play


class Watch:
    """Follows one game: what left it by building stops is counted here."""

    def __init__(self, players: int) -> None:
        self.gone = [0] * (players + 1)
        self.tiles_gone = 0
        self.last: State | None = None

    def look(self, state: State) -> None:
        """Check everything about this state; the one before it was seen, too."""
        if self.last is not None and state.stopped != self.last.stopped:
            self._count_stopped(self.last, (state.stopped ^ self.last.stopped).bit_length() - 1)
        self._pieces(state)
        self._tiles(state)
        assert Counter(all_cards(state)) == DECKS
        check_derived(state)
        self._board(state)
        self._commissioners(state)
        self._legal(state)
        self.last = state.copy()

    def _count_stopped(self, before: State, district: int) -> None:
        for plot in range(6 * district, 6 * district + 6):
            if before.height[plot]:
                self.gone[before.owner[plot]] += before.height[plot]
            self.tiles_gone += bool(before.tiles[plot] % 5) + bool(before.tiles[plot] // 5)

    def _pieces(self, state: State) -> None:
        placing = state.phase == 0
        for seat in range(state.players):
            on_board = sum(state.height[plot] for plot in range(PLOTS) if state.owner[plot] == seat)
            to_place = 2 - on_board if placing else 0
            used = on_board + to_place + state.supply[seat] + state.general[seat] + state.park_height[seat]
            assert 1 + used + self.gone[seat] == 18, "one counts points"
            assert min(state.supply[seat], state.general[seat]) >= 0
        alea = sum(state.height[plot] for plot in range(PLOTS) if state.owner[plot] == state.players)
        assert alea + state.alea_supply + self.gone[-1] == (18 if state.players == 2 else 0)

    def _tiles(self, state: State) -> None:
        on_board = sum(bool(content % 5) + bool(content // 5) for content in state.tiles)
        row = len(state.row) + len(state.shop)
        assert on_board + self.tiles_gone + row + len(state.park) == TILES
        assert state.placed == 12 - sum(size - 1 for size in sizes(state) if size)

    def _board(self, state: State) -> None:
        for plot in range(PLOTS):
            assert not (state.height[plot] and state.tiles[plot]), "businesses or skyscrapers, never both"
            assert bool(state.height[plot]) == (state.owner[plot] >= 0)
            assert state.tiles[plot] == 0 or state.tiles[plot] % 5, "a second business only on a first"
        for seat in range(state.players):
            for district in range(7):
                mine = [plot for plot in range(6 * district, 6 * district + 6) if state.owner[plot] == seat]
                assert len(mine) <= 1, "one plot per district"
                assert state.home[7 * seat + district] == (mine[0] if mine else -1)
                assert bool(state.districts[seat] >> district & 1) == bool(mine)
        width = 6 if state.options.side == "six" else 5
        free = [
            plot
            for plot in range(PLOTS)
            if plot % 6 < width
            and not state.stopped >> plot // 6 & 1
            and not state.height[plot]
            and state.tiles[plot] < 5
        ]
        assert state.sites == [[BUSINESS + PLOTS * tile + plot for plot in free] for tile in range(4)]

    def _commissioners(self, state: State) -> None:
        for at, marks in zip(state.commissioners, state.marks, strict=True):
            assert len(marks) <= 3, "each has three markers"
            assert len(set(marks)) == len(marks)
            assert not any(state.stopped >> district & 1 for district in marks)
            if at == 0:
                assert not marks, "whoever is at City Hall has marked nothing"
        assert bin(state.stopped).count("1") == (2 if state.reason() == "stops" else min(1, state.stopped))

    def _legal(self, state: State) -> None:
        legal = list(state.legal())
        assert legal == sorted(set(legal))
        assert bool(legal) == (not state.is_over()) == (state.actor >= 0)
        assert -1 <= state.actor < state.players
        if state.phase == BIDDING:
            assert all(
                sum(4 + card % 3 for card in laid) == bid for laid, bid in zip(state.laid, state.bids, strict=True)
            )


def sizes(state: State) -> list[int]:
    """Tiles left in each set that is not used up."""
    left, later = [len(state.shop)], list((3, 2, 3, 2, 3, 2, 3, 2)[len(state.park) + 1 :])
    return left + later


@pytest.mark.parametrize(("players", "side"), VARIANTS)
@pytest.mark.parametrize("policy", ["varied", *further("uniform", "building", "stopping", "hoarding", "passing")])
def test_invariants(players: int, side: str, policy: str) -> None:
    watch = Watch(players)
    for state in states(players, side, policy):
        watch.look(state)


def test_points_never_fall_and_the_final_scoring_is_in_them() -> None:
    for players, side in VARIANTS:
        before = [0] * players
        for state in states(players, side, "building"):
            assert all(now >= then for now, then in zip(state.points, before, strict=True))
            before = state.scores()


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(VARIANTS),
    st.sampled_from(["alea", "rio-grande"]),
    st.integers(1, 6),
    st.binary(min_size=32, max_size=32),
    st.data(),
)
def test_any_choices_keep_the_invariants_and_end(
    variant: tuple[int, str], setup: str, limit: int, seed: bytes, data: Any
) -> None:
    players, side = variant
    options = GAME.make_options({"side": side, "setup": setup, "turn_limit": limit})
    state: Any = GAME.start(options, players, seed)
    watch = Watch(players)
    choices = data.draw(st.randoms(use_true_random=False))
    policy = POLICIES[data.draw(st.sampled_from(sorted(set(POLICIES) - set(BOTS))))]
    for _ in range(3000):
        watch.look(state)
        if state.is_over():
            break
        state.apply(policy(GAME, state, choices))
    assert state.is_over() and state.reason() in ("businesses", "stops", "turn-limit")
    cards = [sum(state.hand[CARDS * seat : CARDS * seat + CARDS]) for seat in range(players)]
    assert state.standing() == list(zip(state.scores(), cards, strict=True))
