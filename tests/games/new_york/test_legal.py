"""The fast legal lists against the rules written plainly, and what must hold in every state."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from fa_cli.games.new_york import GAME
from fa_cli.games.new_york.actions import PLACING
from fa_cli.games.new_york.board import BACK, FULL, LINES, STOCK, STOCK_WITH_ACTIONS, STONES_OF, STOPS, UNITS_OF
from fa_cli.games.new_york.state import State
from tests.conftest import further, thinned
from tests.games.policies import POLICIES

from .plain import Plain
from .positions import VARIANTS, legal, position, random_states


@pytest.mark.parametrize("actions", ["off", "on"])
@pytest.mark.parametrize("players", GAME.players)
def test_legal_lists_are_those_of_the_plain_rules(players: int, actions: str) -> None:
    generator = Random(f"{players}{actions}")
    phases = Counter()
    for _ in range(2):
        state = GAME.start(GAME.make_options({"actions": actions, "turn_limit": 60}), players, generator.randbytes(32))
        last_action = ""
        while not state.is_over():
            seen = GAME.observe(state, state.actor)
            phases[seen.phase] += 1
            found = legal(state)
            assert found == Plain(seen, last_action).legal()
            last_action = generator.choice(found)
            state.apply(GAME.action_number(last_action))
    expected = {"first-stones", "turn"} | ({"colour"} if players == 2 else set())
    assert set(phases) == expected | ({"place", "remove"} if actions == "on" else set())


@pytest.mark.parametrize("players", [2, 5, *further(3, 4)])
def test_in_wild_positions_too(players: int) -> None:
    """Boards, hands and units that random play would seldom reach: few stones left, no units, hands all of one sort."""
    generator = Random(players)
    redraws = 0
    for _ in range(400):
        state = wild_position(players, generator)
        found = legal(state)
        assert found == Plain(GAME.observe(state, state.actor), "").legal()
        redraws += found == ["redraw"]
        if state.actor == state.turn and found[0].startswith("use"):
            state.apply(GAME.action_number(generator.choice(found)))
            assert legal(state) == Plain(GAME.observe(state, state.actor), "").legal() != ["redraw"]
    assert 5 < redraws < 300


def wild_position(players: int, generator: Random) -> State:
    colours = ["red", "blue", "yellow", "green", "black"][: {2: 4}.get(players, players)]
    left = {colour: generator.choice([STONES_OF[players], 9, 1]) for colour in colours}
    board: dict[str, list[str]] = {colour: [] for colour in colours}
    density = generator.choice([0.3, 0.9, 1])
    favourite = generator.choice(colours)
    for avenue in range(1, 8):
        for street in range(1, 8):
            colour = generator.choice([*colours, favourite, favourite])
            if generator.random() < density and left[colour]:
                left[colour] -= 1
                board[colour].append(f"a{avenue}s{street}")
    pool = [*(f"avenue {n}" for n in "1234567*"), *(f"street {n}" for n in "1234567*")]
    pool += [f"{kind} {back}" for kind in ("speculation", "developer", "statics") for back in ("red", "blue")] * 2
    state = position(
        players,
        {colour: " ".join(cells) for colour, cells in board.items()},
        [", ".join(generator.choices(pool, k=generator.choice([1, 2, 4, 5]))) for _ in range(players)],
        units=[generator.choice([0, 0, 1, 2, 3, 9]) for _ in range(players)],
        turn=generator.randrange(players),
        actions="on",
    )
    if generator.random() < 0.5:
        for colour in state.colours[state.turn]:
            state.stones[colour] = 0
    return state


WAYS = ("uniform", "varied", "hoarding", "passing", "first", "last")


@pytest.mark.parametrize(
    ("players", "options", "policy"), thinned([(*variant, way) for variant in VARIANTS for way in WAYS], 5)
)
def test_every_state_is_sound(players: int, options: dict[str, str], policy: str) -> None:
    """Stones, units and cards are conserved; the masks agree with one another; legal lists are in table order."""
    all_cards = Counter(STOCK_WITH_ACTIONS if options["actions"] == "on" else STOCK)
    for state in random_states(players, options | {"turn_limit": 30}, games=1, policy=POLICIES[policy]):
        found = state.legal() if not state.is_over() else [0]
        assert (state.chances > 0) == (state.phase == PLACING)
        assert state.chances <= 5 and (state.phase != PLACING or state.pending & ~state.empty == 0)
        assert found == sorted(set(found)) != []
        assert sum(state.board) | state.empty == FULL
        assert sum(stones.bit_count() for stones in state.board) + state.empty.bit_count() == 49
        assert state.free == state.empty.bit_count()
        for colour in range(state.in_play):
            assert state.stones[colour] + state.board[colour].bit_count() == STONES_OF[players]
            assert_counts(state, colour)
        assert sum(state.units) == players * UNITS_OF[players] and min(state.units) >= 0
        if state.phase:
            held = Counter(card for pile in (*state.hands, state.stock, state.discard) for card in pile)
            assert held == all_cards + Counter(STOPS if state.stops else b"")
            assert state.reds == [sum(BACK[card] == 0 for card in hand) for hand in state.hands]


def assert_counts(state: State, colour: int) -> None:
    """What is kept of a colour's stones by line is what is there."""
    for number, line in enumerate(LINES):
        assert state.lines[5 * number + colour] == (state.board[colour] & line).bit_count()
    for half, lines in enumerate((LINES[:7], LINES[7:])):
        for count in range(8):
            few = sum(line for line in lines if (state.board[colour] & line).bit_count() <= count)
            assert state.sparse[10 * count + 5 * half + colour] == few
