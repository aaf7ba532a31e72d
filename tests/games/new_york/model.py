"""A second, plain and slow implementation of New York, straight from the rules, with lists and dicts of texts.

With plain.py, which has what is legal, it is the game a second time: it shares nothing with the package but the
generator of chance and the texts of cards and actions. `view` is what a seat sees, to be compared with the package's
observation.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from fa_cli.games.chance import ChanceSource

from .plain import CELLS, COLOURS, CORNERS, MIDDLE, Plain, name

CELL = {name(cell): cell for cell in CELLS}
KINDS = ["renovation", "ruin", "speculation", "developer", "developer", "statics"]
COUNT = {2: 4, 3: 3, 4: 4, 5: 5}
STONES = {2: 20, 3: 25, 4: 20, 5: 15}
UNITS = {2: 12, 3: 8, 4: 6, 5: 5}
FIRST = {2: 6, 3: 8, 4: 6, 5: 5}

Cell = tuple[int, int]


def is_red(card: str) -> bool:
    """Whether the card's back is red."""
    return card.startswith("avenue") or card.endswith("red")


def neighbours(cell: Cell) -> list[Cell]:
    avenue, street = cell
    return [(avenue - 1, street), (avenue + 1, street), (avenue, street - 1), (avenue, street + 1)]


def whole_stock(actions: str) -> list[str]:
    """The cards in the order of the setup's list."""
    lines = [
        f"{kind} {number}"
        for kind in ("avenue", "street")
        for number in [*(n for n in range(1, 8) for _ in range(4)), *"*****"]
    ]
    return lines + [f"{kind} {back}" for back in ("red", "blue") for kind in KINDS if actions == "on"]


class Model:
    """A game; `apply` takes the texts of actions."""

    def __init__(self, players: int, options: dict[str, Any], chance: ChanceSource) -> None:
        self.players = players
        self.options = options
        self.chance = chance
        self.colours = COLOURS[: COUNT[players]]
        self.first_stones = [colour for _ in range(FIRST[players]) for colour in self.colours]
        self.left = dict.fromkeys(self.colours, STONES[players])
        self.board: dict[Cell, str] = {}
        self.units = [UNITS[players]] * players
        self.owner: dict[str, int] = {}
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.stock: list[str] = []
        self.discard: list[str] = []
        self.stops = "aside"
        self.shuffles = self.turns = 0
        self.turn = -1
        self.chances: list[int] = []  # the seats that still have one, in order
        self.cells: list[Cell] = []
        self.colour: str | None = None
        self.stone: str | None = None
        self.reason = ""
        self.next_first_stone()

    def apply(self, action: str) -> None:
        kind, *what = action.split()
        getattr(self, f"do_{kind}")(*what)

    # -- before the game ---------------------------------------------------------------------------------------------

    def next_first_stone(self) -> None:
        while self.first_stones:
            self.stone = self.first_stones.pop(0)
            self.cells = [
                cell
                for cell in CELLS
                if cell not in self.board and self.stone not in [self.board.get(other) for other in neighbours(cell)]
            ]
            if self.cells:
                self.phase, self.actor = "first-stones", self.colours.index(self.stone) % self.players
                return
        cards = self.shuffled("colours", self.colours)
        self.owner = {colour: number % self.players for number, colour in enumerate(cards)}
        self.stock = self.shuffled("stock 0", whole_stock(self.options["actions"]))
        self.shuffles = 1
        order = [(self.owner["red"] + step) % self.players for step in range(self.players)]
        while self.stock and any(map(self.needs_cards, order)):
            for seat in filter(self.needs_cards, order):
                if self.stock:
                    self.hands[seat].append(self.stock.pop(0))
        self.begin(order[0])

    def shuffled(self, label: str, cards: list[str]) -> list[str]:
        order = list(range(len(cards)))  # the compiled generator shuffles numbers only
        self.chance.stream(label).shuffle(order)
        return [cards[number] for number in order]

    def of(self, seat: int) -> list[str]:
        return [colour for colour in self.colours if self.owner.get(colour) == seat]

    def needs_cards(self, seat: int) -> bool:
        reds = sum(map(is_red, self.hands[seat]))
        return min(reds, len(self.hands[seat]) - reds) < 2

    # -- turns -------------------------------------------------------------------------------------------------------

    def begin(self, seat: int) -> None:
        self.turn = self.actor = seat
        self.stone, self.cells = None, []
        self.phase = "colour" if self.players == 2 else "turn"
        self.colour = None if self.players == 2 else self.of(seat)[0]

    def end_turn(self) -> None:
        """Played cards are on the pile already: NY-6, NY-5, NY-12."""
        if self.stops == "aside" and len(self.board) >= 45:
            self.stops = "in"
            self.discard += ["stop", "stop"]
        stopped = self.draw()
        self.turns += 1
        if stopped or self.turns == self.options["turn_limit"] * self.players:
            self.reason = "stop-card" if stopped else "turn-limit"
            self.phase, self.actor, self.colour, self.stone, self.cells = "over", -1, None, None, []
        else:
            self.begin((self.turn + 1) % self.players)

    def draw(self) -> bool:
        """Whether a stop card came."""
        while self.needs_cards(self.turn):
            if not self.stock:
                if not self.discard:
                    return False
                self.stock, self.discard = self.shuffled(f"stock {self.shuffles}", self.discard), []
                self.shuffles += 1
            if self.stock[0] == "stop":
                return True
            self.hands[self.turn].append(self.stock.pop(0))
        return False

    def spend(self, *cards: str) -> None:
        for card in cards:
            self.hands[self.turn].remove(card)
            self.discard.append(card)

    def put(self, cell: Cell, colour: str | None) -> None:
        """The colour's stone comes to the cell; what was there goes back."""
        self.lift(cell)
        assert colour is not None
        self.board[cell] = colour
        self.left[colour] -= 1

    def lift(self, cell: Cell) -> None:
        if cell in self.board:
            self.left[self.board.pop(cell)] += 1

    def do_redraw(self) -> None:
        self.spend(*self.hands[self.turn][:])
        self.end_turn()

    def do_use(self, colour: str) -> None:
        if self.phase == "place":
            self.stone = colour
        else:
            self.colour, self.phase = colour, "turn"

    def do_play(self, avenue: str, street: str) -> None:
        self.spend(f"avenue {avenue[0]}", f"street {street[0]}")
        cell = int(avenue.strip("*")), int(street.strip("*"))
        there = self.board.get(cell)
        if there == self.colour:
            self.lift(cell)
        else:
            if there is not None:
                in_avenue = sum(self.board.get((cell[0], at)) == there for at in range(1, 8))
                in_street = sum(self.board.get((at, cell[1])) == there for at in range(1, 8))
                self.units[self.turn] -= min(in_avenue, in_street)
                self.units[self.owner[there]] += min(in_avenue, in_street)
            self.put(cell, self.colour)
        self.end_turn()

    # -- action cards ------------------------------------------------------------------------------------------------

    def do_renovation(self, back: str) -> None:
        self.clear(f"renovation {back}", MIDDLE)

    def do_ruin(self, back: str) -> None:
        self.clear(f"ruin {back}", CORNERS)

    def clear(self, card: str, cells: list[Cell]) -> None:
        self.spend(card)
        for cell in cells:
            self.lift(cell)
        self.cells = cells[:]
        self.chances = [(self.turn + step) % self.players for step in range(len(cells))]
        self.next_chance()

    def next_chance(self) -> None:
        while self.chances:
            seat = self.chances[0]
            colours = [self.colour] if seat == self.turn else self.of(seat)
            able = [colour for colour in colours if colour is not None and self.left[colour] > 0]
            if able:
                self.phase, self.actor = "place", seat
                self.stone = able[0] if len(able) == 1 else None
                return
            self.chances.pop(0)
        self.end_turn()

    def do_place(self, text: str) -> None:
        self.put(CELL[text], self.stone)
        if self.phase == "first-stones":
            self.next_first_stone()
        else:
            self.cells.remove(CELL[text])
            self.do_pass()

    def do_pass(self) -> None:
        self.chances.pop(0)
        self.next_chance()

    def do_developer(self, back: str, partner: str, text: str) -> None:
        self.spend(f"developer {back}", f"{'street' if back == 'red' else 'avenue'} {partner}")
        self.put(CELL[text], self.colour)
        self.end_turn()

    def do_speculation(self, back: str, victim: str) -> None:
        self.spend(f"speculation {back}")
        self.ask(victim, CELLS)

    def do_statics(self, back: str, form: str, victim: str) -> None:
        self.spend(f"statics {back}", f"{'street' if back == 'red' else 'avenue'} {form[0]}")
        self.ask(victim, [cell for cell in CELLS if Plain.on_line(cell, back, form)])

    def ask(self, victim: str, cells: list[Cell]) -> None:
        self.phase, self.actor, self.stone = "remove", self.owner[victim], victim
        self.cells = [cell for cell in cells if self.board.get(cell) == victim]

    def do_remove(self, text: str) -> None:
        self.put(CELL[text], self.colour)
        self.end_turn()

    # -- what is seen, and the end -----------------------------------------------------------------------------------

    def view(self, seat: int) -> dict[str, Any]:
        """The seat's observation."""
        stops = self.stops
        if stops == "in":
            stops = "drawn" if self.reason == "stop-card" else "discard" if "stop" in self.discard else "stock"
        return {
            "seat": seat,
            "phase": self.phase,
            "actor": self.actor,
            "turn": self.turn,
            "turns": self.turns,
            "options": self.options,
            "colour": self.colour,
            "stone": self.stone,
            "cells": [name(cell) for cell in self.cells],
            "chances": len(self.chances),
            "board": [[self.board.get((avenue, street)) for street in range(1, 8)] for avenue in range(1, 8)],
            "colours": {
                colour: {"owner": self.owner.get(colour), "stock": self.left[colour], "board": self.on_board(colour)}
                for colour in self.colours
            },
            "seats": [self.seat(other) for other in range(self.players)],
            "hand": self.hands[seat],
            "stock": len(self.stock),
            "discard": self.discard,
            "shuffles": self.shuffles,
            "stop_cards": stops,
        }

    def seat(self, seat: int) -> dict[str, Any]:
        hand, (points, chain, units) = self.hands[seat], self.standing(seat)
        reds = sum(map(is_red, hand))
        shown = {"colours": self.of(seat), "units": units, "red": reds, "blue": len(hand) - reds}
        return {**shown, "points": points, "chain": chain}

    def on_board(self, colour: str) -> int:
        return list(self.board.values()).count(colour)

    def standing(self, seat: int) -> tuple[int, int, int]:
        """NY-10, NY-11: points, longest chain, purchase units."""
        colours, units = self.of(seat), self.units[seat]
        chains = [self.chain(colour) for colour in colours]
        points = 2 * sum(chains) + units
        if self.players > 2:
            points += sum(map(self.on_board, colours)) - sum(chains)
        return points, max(chains, default=0), units

    def chain(self, colour: str) -> int:
        cells = frozenset(cell for cell, there in self.board.items() if there == colour)
        found = self.longest(self.options["chain"], cells)
        return found if found > 1 else 0

    @staticmethod
    @cache
    def longest(shape: str, cells: frozenset[Cell]) -> int:
        """Kept, as all seats are shown those of all colours after each decision."""
        find = Model.group if shape == "group" else Model.run
        return max((find(cells, cell) for cell in cells), default=0)

    @staticmethod
    def group(cells: frozenset[Cell], cell: Cell) -> int:
        found = [cell]
        for at in found:
            found += [other for other in neighbours(at) if other in cells and other not in found]
        return len(found)

    @staticmethod
    def run(cells: frozenset[Cell], cell: Cell) -> int:
        """The longer of the runs that begin here, along the avenue and along the street."""
        lengths = []
        for avenue, street in ((0, 1), (1, 0)):
            length = 0
            while (cell[0] + length * avenue, cell[1] + length * street) in cells:
                length += 1
            lengths.append(length)
        return max(lengths)
