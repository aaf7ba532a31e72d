"""The action cards of New York: the legal actions with them, and their effects (NY-7, NY-8, NY-9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .actions import (
    CLEARS,
    DEVELOP,
    DEVELOPS,
    DEVELOPS_JOKER,
    FORMS_HELD,
    PER_STATICS,
    PLACING,
    REMOVING,
    SPECULATE,
    STUDY,
    clearing,
    development,
    speculation,
    study,
)
from .board import (
    COLOURS,
    CORNERS,
    DEVELOPER,
    JOKER,
    LINES,
    MIDDLE,
    ONE,
    RENOVATION,
    RUIN,
    SIZE,
    SPECULATION,
    SPECULATION_ABOVE,
    STATICS,
    STONES_OF,
    cells_in,
)

if TYPE_CHECKING:
    from .state import State


def add_special(legal: list[int], state: State, colour: int, held: int) -> None:
    """Append to `legal`, in table order, the actions with action cards that the player whose turn it is may play.

    `colour` is the colour in use, `held` the mask of the cards in the player's hand.
    """
    legal += CLEARS[held >> RENOVATION & 15]
    if held >> SPECULATION and state.stones[colour]:
        rivals = state.rivals[state.turn]
        if held >> SPECULATION & 3:
            _add_speculations(legal, state, rivals, held)
        if held >> DEVELOPER & 3:
            _add_developments(legal, state, rivals, held)
        if held >> STATICS:
            _add_studies(legal, state, rivals, held)


def _add_speculations(legal: list[int], state: State, rivals: tuple[int, ...], held: int) -> None:
    limit = STONES_OF[state.players] - SPECULATION_ABOVE
    victims = [SPECULATE + rival for rival in rivals if state.stones[rival] < limit]
    if victims:
        if held >> SPECULATION & 1:
            legal += victims
        if held >> SPECULATION + 1 & 1:
            legal += [len(COLOURS) + action for action in victims]


def _partners(held: int, back: int) -> int:
    """Return the ordinary cards held with the other back as a mask: 0-6 the lines' own cards, 7 the joker."""
    return held >> 8 * (1 - back) & 255


def _add_developments(legal: list[int], state: State, rivals: tuple[int, ...], held: int) -> None:
    foreign = 0
    for rival in rivals:
        foreign |= state.board[rival]
    for back in range(2):
        if held >> DEVELOPER + back & 1:
            partners = _partners(held, back)
            for partner in FORMS_HELD[partners & 127]:
                line = partner + SIZE * (1 - back)
                legal += DEVELOPS[line][foreign & LINES[line]]
            if partners >> JOKER:
                cells = foreign
                for by_streets in DEVELOPS_JOKER[back]:
                    legal += by_streets[cells & 127]
                    cells >>= SIZE


def _add_studies(legal: list[int], state: State, rivals: tuple[int, ...], held: int) -> None:
    counts = state.lines
    for back in range(2):
        partners = _partners(held, back)
        if held >> STATICS + back & 1 and partners:
            for form in FORMS_HELD[partners]:
                at = len(COLOURS) * (form % SIZE if back else SIZE + form % SIZE)
                line = counts[at : at + len(COLOURS)]
                most = max(line)
                if most:
                    first = STUDY + PER_STATICS * back + len(COLOURS) * form
                    for rival in rivals:
                        if line[rival] == most:
                            legal.append(first + rival)


def play_special(state: State, action: int) -> None:
    """Play an action card, with its partner card if it needs one."""
    if action < SPECULATE:
        _clear(state, clearing(action))
    elif action < DEVELOP:
        card, colour = speculation(action)
        state.spend(ONE[card])
        _ask_victim(state, colour, state.board[colour])
    elif action < STUDY:
        card, partner, cell = development(action)
        state.spend(bytes((card, partner)))
        _develop(state, cell)
    else:
        card, partner, line, colour = study(action)
        state.spend(bytes((card, partner)))
        _ask_victim(state, colour, state.board[colour] & LINES[line])


def _clear(state: State, card: int) -> None:
    """Play a renovation or ruin: take all stones off its cells, then give one chance per cell to place one (NY-7)."""
    state.spend(ONE[card])
    cells = MIDDLE if card < RUIN else CORNERS
    for colour, stones in enumerate(state.board):
        if stones & cells:
            for cell in cells_in(stones & cells):
                state.lift(colour, cell)
    state.pending = cells
    state.chances = cells.bit_count()
    if state.journal is not None:
        state.journal.append(("chances", state.turn, state.chances))
    _seek_chance(state, state.turn)


def _seek_chance(state: State, seat: int) -> None:
    """Give the next chance to a seat that has a stone to place, this seat first; after the last chance end the turn."""
    while state.chances:
        colours = (state.colour,) if seat == state.turn else state.colours[seat]
        able = [colour for colour in colours if state.stones[colour]]
        if able:
            state.phase = PLACING
            state.actor = seat
            state.stone = able[0] if len(able) == 1 else -1
            return
        if state.journal is not None:
            state.journal.append(("skipped", seat, *colours))
        state.chances -= 1
        seat = (seat + 1) % state.players
    _end_turn(state)


def place_again(state: State, cell: int) -> None:
    """Place a stone on a cleared cell."""
    state.put(state.stone, cell)
    state.pending ^= 1 << cell
    pass_chance(state)


def pass_chance(state: State) -> None:
    """End the actor's chance and pass the next one clockwise."""
    state.chances -= 1
    _seek_chance(state, (state.actor + 1) % state.players)


def _develop(state: State, cell: int) -> None:
    """Play a developer: replace a rival's stone without paying."""
    for rival in state.rivals[state.turn]:
        if state.board[rival] >> cell & 1:
            state.replace(rival, state.colour, cell)
            break
    state.end_turn()


def _ask_victim(state: State, colour: int, cells: int) -> None:
    """Play speculation or statics: let the colour's owner choose which stone on these cells to lose."""
    state.actor = state.owner[colour]
    state.phase = REMOVING
    state.stone = colour
    state.pending = cells


def remove_stone(state: State, cell: int) -> None:
    """Replace the stone that the victim has chosen by one of the player whose turn it is."""
    state.replace(state.stone, state.colour, cell)
    _end_turn(state)


def _end_turn(state: State) -> None:
    state.stone = -1
    state.pending = 0
    state.end_turn()
