"""Games of Manhattan and hand-made positions for tests, in the terms of the action table."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from fa_cli.games.contract import State as AnyState
from fa_cli.games.game import Game
from fa_cli.games.manhattan import GAME
from fa_cli.games.manhattan.board import COLOURS, pack_blocks, pack_cards, unpack_blocks, unpack_cards
from fa_cli.games.manhattan.scoring import awards
from fa_cli.games.manhattan.state import State
from fa_cli.games.manhattan.tables import OWNER
from fa_cli.games.manhattan.view import points_for
from tests.games.policies import EVERY, Policy, uniform

VARIANTS = [(players, blocks) for players in GAME.players for blocks in ("auto", "four", "six")]
NAMED = [variant for variant in VARIANTS if variant[1] != "auto"]
"""Without `auto`, whose games are those of `four` or `six` (MA-6)."""
SEED = bytes(range(32))


def start(players: int = 4, blocks: str = "auto", seed: bytes = SEED) -> State:
    """Return a newly dealt game."""
    state = GAME.start(GAME.make_options({"blocks": blocks}), players, seed)
    assert isinstance(state, State)
    return state


def texts(state: State) -> list[str]:
    """Return the legal actions as texts."""
    return [GAME.actions[number] for number in state.legal()]


def play(state: State, *actions: str) -> State:
    """Play legal actions."""
    for action in actions:
        assert action in texts(state), f"{action} is not legal"
        state.apply(GAME.action_number(action))
    return state


def building(players: int = 4, blocks: str = "auto") -> State:
    """Return a game in which each player has selected the first legal blocks for the first round."""
    state = start(players, blocks)
    while state.selecting:
        state.apply(state.legal()[0])
    return state


def give(state: State, seat: int, *cards: int) -> None:
    """Give a seat a hand of these cards, 1 to 9."""
    state.hands[seat] = pack_cards([card - 1 for card in cards])


def have(state: State, colour: str, *heights: int) -> None:
    """Set the blocks of that colour that are still to be placed in this round."""
    state.chosen[COLOURS.index(colour)] = pack_blocks(tuple(heights.count(height) for height in (1, 2, 3, 4)))


def tower(state: State, city: str, site: int, *blocks: str) -> None:
    """Build a tower of blocks such as `red 3` from the ground up, by legal plays out of turn; nothing else changes."""
    before = state.copy()
    for block in blocks:
        colour, height = block.split()
        seat = COLOURS.index(colour) % state.players
        card = state.table.sites[seat].index(site - 1) + 1
        state.actor, state.left = seat, 99
        give(state, seat, card, 1, 2, 3)
        have(state, colour, int(height))
        play(state, f"build {card} {city} {height}" + (f" {colour}" if state.players == 2 else ""))
    state.actor, state.left, state.drawn = before.actor, before.left, before.drawn
    state.hands, state.chosen = before.hands, before.chosen


def hand(state: State, seat: int) -> list[int]:
    """Return the cards of a seat, 1 to 9."""
    return [card + 1 for card in unpack_cards(state.hands[seat])]


def blocks_left(state: State, colour: str) -> int:
    """Return how many blocks of that colour are still to be placed in this round."""
    return sum(unpack_blocks(state.chosen[COLOURS.index(colour)]))


def scored(state: State) -> dict[str, int]:
    """Return the points that the board would score now, by reason (`highest red`, `Cairo red`, `towers red`)."""
    return {
        points_for(what * len(COLOURS) + colour): points for points, colour, what in awards(state.cells, state.cities)
    }


def hoarder(game: Game, state: AnyState, dice: Random) -> int:
    """Play high blocks early on empty sites and keep identical cards, until no card can be played and MA-4 applies."""
    assert isinstance(state, State)
    table, cells, seat = state.table, state.cells, state.actor
    cards = hand(state, seat)

    def value(number: int) -> tuple[int, bool, bool, int, float]:
        words = game.actions[number].split()
        if words[0] != "build":
            return (number, False, False, 0, dice.random())
        tower = table.moves[seat][number][0]
        owner = (cells[tower] >> OWNER & 7) - 1
        foreign = owner not in table.owned[seat]
        return (-cards.count(int(words[1])), owner < 0, foreign, int(words[3]), dice.random())

    return max(state.legal(), key=value)


WAYS: dict[str, Policy] = {**EVERY, "until nothing fits": hoarder}
"""All policies of the tests by name."""


def states(players: int, blocks: str, seed: int, policy: Policy = uniform) -> Iterator[State]:
    """Yield a copy of the state before every decision of a game and one after the last."""
    generator = Random(seed)
    state = start(players, blocks, seed.to_bytes(32, "big"))
    while not state.is_over():
        yield state.copy()
        state.apply(policy(GAME, state, generator))
    yield state
