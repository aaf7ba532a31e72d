"""The legal actions of New York, straight from the rules, plain and slow, from a seat's observation.

It shares nothing with the package but the texts, and so it proves two things: that the package's fast lists are right,
and that an observation is enough to know them.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

NUMBERS = [str(number) for number in range(1, 8)]
FORMS = [*NUMBERS, *("*" + number for number in NUMBERS)]
COLOURS = ["red", "blue", "yellow", "green", "black"]
CELLS = [(avenue, street) for avenue in range(1, 8) for street in range(1, 8)]
MIDDLE = [(3, 4), (4, 3), (4, 4), (4, 5), (5, 4)]
CORNERS = [(1, 1), (1, 7), (7, 1), (7, 7)]
OTHER_BACK = {"red": "street", "blue": "avenue"}


def name(cell: tuple[int, int]) -> str:
    return f"a{cell[0]}s{cell[1]}"


class Plain:
    """The legal actions of an observation's own seat, which must be the actor."""

    def __init__(self, seen: Any, last_action: str) -> None:
        self.seen = seen
        self.last_action = last_action
        self.hand = Counter(seen.hand)
        self.at = {(avenue, street): seen.board[avenue - 1][street - 1] for avenue, street in CELLS}
        self.mine = seen.seats[seen.seat].colours
        self.theirs = [colour for colour in COLOURS if colour in seen.colours and colour not in self.mine]

    def legal(self) -> list[str]:
        phase = self.seen.phase
        if phase == "first-stones":
            return [f"place {name(cell)}" for cell in CELLS if self.may_begin_at(cell)]
        if phase == "place":
            return self.chance()
        if phase == "remove":
            return [f"remove {name(cell)}" for cell in CELLS if self.may_lose(cell)]
        if phase == "colour":
            return [f"use {colour}" for colour in self.mine if self.turn(colour)] or ["redraw"]
        return self.turn(self.seen.colour) or ["redraw"]

    def may_begin_at(self, cell: tuple[int, int]) -> bool:
        avenue, street = cell
        beside = [(avenue - 1, street), (avenue + 1, street), (avenue, street - 1), (avenue, street + 1)]
        return self.at[cell] is None and all(self.at.get(other) != self.seen.stone for other in beside)

    def chance(self) -> list[str]:
        """NY-7: a stone on a vacated cell, or pass; who may choose between two colours does so first."""
        in_stock = [colour for colour in self.mine if self.seen.colours[colour].stock]
        if len(in_stock) == 2 and self.seen.seat != self.seen.turn and not self.last_action.startswith("use"):
            return [f"use {colour}" for colour in in_stock]
        cells = MIDDLE if self.seen.discard[-1].startswith("renovation") else CORNERS
        return [*(f"place {name(cell)}" for cell in cells if self.at[cell] is None), "pass"]

    def may_lose(self, cell: tuple[int, int]) -> bool:
        if self.at[cell] != self.seen.stone:
            return False
        words = self.last_action.split()
        return words[0] == "speculation" or self.on_line(cell, words[1], words[2])

    @staticmethod
    def on_line(cell: tuple[int, int], back: str, form: str) -> bool:
        """Whether the cell is on the line of an action card's partner."""
        return form == "*" or cell[1 if back == "red" else 0] == int(form.strip("*"))

    def turn(self, colour: str) -> list[str]:
        able = self.seen.colours[colour].stock > 0
        actions = [
            f"play {avenue} {street}"
            for avenue, street in product(FORMS, FORMS)
            if self.holds("avenue", avenue) and self.holds("street", street) and self.may_play(colour, avenue, street)
        ]
        for kind, back in product(("renovation", "ruin"), ("red", "blue")):
            if self.hand[f"{kind} {back}"]:
                actions.append(f"{kind} {back}")
        if not able:
            return actions
        for back, rival in product(("red", "blue"), self.theirs):
            if self.hand[f"speculation {back}"] and self.seen.colours[rival].board > 8:
                actions.append(f"speculation {back} {rival}")
        for back, form in product(("red", "blue"), [*NUMBERS, "*"]):
            if self.hand[f"developer {back}"] and self.hand[f"{OTHER_BACK[back]} {form}"]:
                for cell in CELLS:
                    if self.on_line(cell, back, form) and self.at[cell] in self.theirs:
                        actions.append(f"developer {back} {form} {name(cell)}")
        for back, form in product(("red", "blue"), FORMS):
            if self.hand[f"statics {back}"] and self.holds(OTHER_BACK[back], form):
                actions += [f"statics {back} {form} {rival}" for rival in self.most(back, form)]
        return actions

    def holds(self, kind: str, form: str) -> bool:
        return self.hand[f"{kind} {'*' if form[0] == '*' else form}"] > 0

    def may_play(self, colour: str, avenue: str, street: str) -> bool:
        cell = (int(avenue.strip("*")), int(street.strip("*")))
        there = self.at[cell]
        if there == colour:
            return True
        if self.seen.colours[colour].stock == 0 or there in self.mine:
            return False
        if there is None:
            return True
        in_avenue = sum(self.at[(cell[0], street)] == there for street in range(1, 8))
        in_street = sum(self.at[(avenue, cell[1])] == there for avenue in range(1, 8))
        return min(in_avenue, in_street) <= self.seen.seats[self.seen.seat].units

    def most(self, back: str, form: str) -> list[str]:
        counts = Counter(self.at[cell] for cell in CELLS if self.on_line(cell, back, form) and self.at[cell])
        return [colour for colour in self.theirs if counts[colour] and counts[colour] == max(counts.values())]
