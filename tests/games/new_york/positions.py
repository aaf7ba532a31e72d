"""Hand-made positions of New York, and queries of states in the terms of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from fa_cli.games.chance import ChanceSource
from fa_cli.games.new_york import GAME
from fa_cli.games.new_york.board import BACK, CARDS_TEXT, CELLS_TEXT, COLOURS
from fa_cli.games.new_york.state import State
from tests.games.policies import Policy, uniform

VARIANTS = [
    (players, {"actions": actions, "chain": chain})
    for players in GAME.players
    for actions in ("off", "on")
    for chain in ("group", "line")
]
SEED = bytes(range(32))
CARD = {text: number for number, text in enumerate(CARDS_TEXT)}
SAFE_HAND = "avenue 1, avenue 2, street 1, street 2"


class Rigged:
    """Chance that leaves every list as it is and notes which labels were asked for."""

    def __init__(self) -> None:
        self.labels: list[str] = []

    def stream(self, label: str) -> Rigged:
        self.labels.append(label)
        return self

    def below(self, n: int) -> int:
        return 0

    def shuffle(self, items: list[int]) -> None:
        """As they are."""


def cards(text: str) -> bytes:
    """`avenue 3, street *` as a pile."""
    return bytes(CARD[name] for name in text.split(", ") if name)


def start(players: int = 3, chance: ChanceSource | None = None, **options: object) -> State:
    """A game before its first stone."""
    return GAME.deal(GAME.make_options(options), players, chance or Rigged())  # type: ignore[return-value]


def place_first(state: State, generator: Random | None = None) -> State:
    """The stones before the game, each on the first cell allowed or on a random one."""
    while GAME.observe(state, 0).phase == "first-stones":  # type: ignore[attr-defined]
        legal = state.legal()
        state.apply(generator.choice(legal) if generator else legal[0])
    return state


def position(
    players: int = 3,
    board: Mapping[str, str] | None = None,
    hands: Sequence[str] = (),
    stock: str = "",
    discard: str = "",
    units: Sequence[int] | None = None,
    turn: int = 0,
    **options: object,
) -> State:
    """A turn's beginning: seat i has colour i (two players: seat 0 red and yellow, seat 1 blue and green).

    `board` has the cells by colour (`{"red": "a1s1 a3s4"}`); seats without a hand get SAFE_HAND. Nothing is shuffled.
    """
    state = place_first(start(players, **options))
    for colour in range(5):
        for cell in range(49):
            if state.board[colour] >> cell & 1:
                state.lift(colour, cell)
    for name, cells in (board or {}).items():
        for cell in cells.split():
            state.put(COLOURS.index(name), CELLS_TEXT.index(cell))
    state.hands = [cards(hand) for hand in (*hands, *[SAFE_HAND] * (players - len(hands)))]
    state.reds = [len(hand) - sum(BACK[card] for card in hand) for hand in state.hands]
    state.stock = cards(stock)
    state.discard = cards(discard)
    if units is not None:
        state.units = list(units)
    state.begin_turn(turn)
    return state


def legal(state: State) -> list[str]:
    """The legal actions."""
    return [GAME.actions[action] for action in state.legal()]


def play(state: State, *actions: str) -> State:
    """Play these, each of which must be legal."""
    for action in actions:
        assert action in legal(state), f"{action} is not among {legal(state)}"
        state.apply(GAME.action_number(action))
    return state


def stones(state: State, colour: str) -> str:
    """The colour's cells, in order."""
    mask = state.board[COLOURS.index(colour)]
    return " ".join(name for cell, name in enumerate(CELLS_TEXT) if mask >> cell & 1)


def hand(state: State, seat: int) -> str:
    """The seat's cards."""
    return pile(state.hands[seat])


def pile(cards_: bytes) -> str:
    """`avenue 3, street *`."""
    return ", ".join(CARDS_TEXT[card] for card in cards_)


def random_states(
    players: int, options: Mapping[str, object], games: int, seed: int = 0, policy: Policy = uniform
) -> Iterator[State]:
    """Every state of some games, ends included; not to be changed."""
    generator = Random(f"{players} {options} {seed}")
    for _ in range(games):
        state: State = GAME.start(GAME.make_options(options), players, generator.randbytes(32))  # type: ignore[assignment]
        while not state.is_over():
            yield state
            state.apply(policy(GAME, state, generator))
        yield state
