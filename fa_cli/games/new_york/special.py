"""The action cards of New York: the legal actions with them, and their effects (NY-7, NY-8, NY-9)."""

from __future__ import annotations

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
    list_cells,
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
from .position import Position
from .turn import end_turn


def add_special(legal: list[int], position: Position, colour: int, held: int) -> None:
    """Append to `legal`, in table order, the actions with action cards that the player whose turn it is may play.

    `colour` is the colour in use, `held` the mask of the cards in the player's hand.
    """
    legal += CLEARS[held >> RENOVATION & 15]
    if held >> SPECULATION and position.stones[colour]:
        rivals = position.rivals[position.turn]
        if held >> SPECULATION & 3:
            _add_speculations(legal, position, rivals, held)
        if held >> DEVELOPER & 3:
            _add_developments(legal, position, rivals, held)
        if held >> STATICS:
            _add_studies(legal, position, rivals, held)


def _add_speculations(legal: list[int], position: Position, rivals: tuple[int, ...], held: int) -> None:
    limit = STONES_OF[position.players] - SPECULATION_ABOVE
    victims = [SPECULATE + rival for rival in rivals if position.stones[rival] < limit]
    if victims:
        if held >> SPECULATION & 1:
            legal += victims
        if held >> SPECULATION + 1 & 1:
            legal += [len(COLOURS) + action for action in victims]


def _partners(held: int, back: int) -> int:
    """Return the ordinary cards held with the other back as a mask: 0-6 the lines' own cards, 7 the joker."""
    return held >> 8 * (1 - back) & 255


def _add_developments(legal: list[int], position: Position, rivals: tuple[int, ...], held: int) -> None:
    foreign = 0
    for rival in rivals:
        foreign |= position.board[rival]
    for back in range(2):
        if held >> DEVELOPER + back & 1:
            partners = _partners(held, back)
            for partner in FORMS_HELD[partners & 127]:
                line = partner + SIZE * (1 - back)
                legal += DEVELOPS[line][foreign & LINES[line]]
            if partners >> JOKER:
                legal += list_cells(DEVELOPS_JOKER[back], foreign)


def _add_studies(legal: list[int], position: Position, rivals: tuple[int, ...], held: int) -> None:
    counts = position.lines
    colours = len(COLOURS)
    for back in range(2):
        partners = _partners(held, back)
        if held >> STATICS + back & 1 and partners:
            for form in FORMS_HELD[partners]:
                at = colours * (form % SIZE if back else SIZE + form % SIZE)
                most = 1
                for index in range(at, at + colours):
                    if counts[index] > most:
                        most = counts[index]
                first = STUDY + PER_STATICS * back + colours * form
                for rival in rivals:
                    if counts[at + rival] == most:
                        legal.append(first + rival)


def play_special(position: Position, action: int) -> None:
    """Play an action card, with its partner card if it needs one."""
    if action < SPECULATE:
        _clear(position, clearing(action))
    elif action < DEVELOP:
        card, colour = speculation(action)
        position.spend(ONE[card])
        _ask_victim(position, colour, position.board[colour])
    elif action < STUDY:
        card, partner, cell = development(action)
        position.spend(bytes((card, partner)))
        _develop(position, cell)
    else:
        card, partner, line, colour = study(action)
        position.spend(bytes((card, partner)))
        _ask_victim(position, colour, position.board[colour] & LINES[line])


def _clear(position: Position, card: int) -> None:
    """Play a renovation or ruin: take all stones off its cells, then give one chance per cell to place one (NY-7)."""
    position.spend(ONE[card])
    cells = MIDDLE if card < RUIN else CORNERS
    for colour, stones in enumerate(position.board):
        if stones & cells:
            for cell in cells_in(stones & cells):
                position.lift(colour, cell)
    position.pending = cells
    position.chances = cells.bit_count()
    if position.journal is not None:
        position.journal.append(("chances", position.turn, position.chances))
    _seek_chance(position, position.turn)


def _seek_chance(position: Position, seat: int) -> None:
    """Give the next chance to a seat that has a stone to place, this seat first; after the last chance end the turn."""
    while position.chances:
        colours = (position.colour,) if seat == position.turn else position.colours[seat]
        able = [colour for colour in colours if position.stones[colour]]
        if able:
            position.phase = PLACING
            position.actor = seat
            position.stone = able[0] if len(able) == 1 else -1
            return
        if position.journal is not None:
            position.journal.append(("skipped", seat, *colours))
        position.chances -= 1
        seat = (seat + 1) % position.players
    _end_choices(position)


def place_again(position: Position, cell: int) -> None:
    """Place a stone on a cleared cell."""
    position.put(position.stone, cell)
    position.pending ^= 1 << cell
    pass_chance(position)


def pass_chance(position: Position) -> None:
    """End the actor's chance and pass the next one clockwise."""
    position.chances -= 1
    _seek_chance(position, (position.actor + 1) % position.players)


def _develop(position: Position, cell: int) -> None:
    """Play a developer: replace a rival's stone without paying."""
    for rival in position.rivals[position.turn]:
        if position.board[rival] >> cell & 1:
            position.replace(rival, position.colour, cell)
            break
    end_turn(position)


def _ask_victim(position: Position, colour: int, cells: int) -> None:
    """Play speculation or statics: let the colour's owner choose which stone on these cells to lose."""
    position.actor = position.owner[colour]
    position.phase = REMOVING
    position.stone = colour
    position.pending = cells


def remove_stone(position: Position, cell: int) -> None:
    """Replace the stone that the victim has chosen by one of the player whose turn it is."""
    position.replace(position.stone, position.colour, cell)
    _end_choices(position)


def _end_choices(position: Position) -> None:
    position.stone = -1
    position.pending = 0
    end_turn(position)
