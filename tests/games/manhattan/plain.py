"""A second, plain and slow implementation of Manhattan, straight from the rules, with texts for all pieces.

It shares nothing with the package but the generator of chance, and so it proves that the package's tables are right.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

from fa_cli.games.chance import Chance

CITIES = ["Sydney", "Manhattan", "Frankfurt", "Hongkong", "SaoPaulo", "Cairo"]
COLOURS = ["red", "blue", "yellow", "green"]
BLOCKS = [1] * 11 + [2] * 6 + [3] * 4 + [4] * 3

Tower = list[tuple[str, int]]


def site_of(card: int, side: str) -> int:
    """Return the site, 1 to 9, that a card means at that side of the table."""
    row, column = (card - 1) // 3, (card - 1) % 3
    turned = {
        "south": (row, column),
        "west": (column, 2 - row),
        "north": (2 - row, 2 - column),
        "east": (2 - column, row),
    }[side]
    return 3 * turned[0] + turned[1] + 1


class Plain:
    """A game in progress."""

    def __init__(self, players: int, blocks: str, seed: bytes) -> None:
        self.chance = Chance(seed)
        self.players = players
        self.sides = ["south", "north"] if players == 2 else ["south", "west", "north", "east"][:players]
        self.colours = (
            [["red", "yellow"], ["blue", "green"]] if players == 2 else [[name] for name in COLOURS[:players]]
        )
        self.per_round = {"auto": 6 if players == 4 else 4, "four": 4, "six": 6}[blocks]
        self.rounds = 24 // self.per_round
        self.towers: dict[tuple[str, int], Tower] = {(city, site): [] for city in CITIES for site in range(1, 10)}
        self.supply = {colour: list(BLOCKS) for hues in self.colours for colour in hues}
        self.chosen: dict[str, list[int]] = {colour: [] for colour in self.supply}
        self.points = [0] * players
        self.shuffles = 0
        self.deck = [card for card in range(1, 10) for _ in range(5)]
        self.chance.stream("deck 0").shuffle(self.deck)
        self.hands = [[self.deck.pop(0) for _ in range(4)] for _ in range(players)]
        self.played: list[int] = []
        self.round = 0
        self.starter = -1
        self.actor = -1
        self.begin_round()

    def begin_round(self) -> None:
        self.round += 1
        self.starter = self.actor = (self.starter + 1) % self.players
        order = [(self.starter + step) % self.players for step in range(self.players)]
        self.to_select = [(seat, colour) for seat in order for colour in self.colours[seat]]

    def legal(self) -> list[str]:
        if self.round > self.rounds:
            return []
        if self.to_select:
            return self.selections(self.supply[self.to_select[0][1]])
        return self.builds() or self.discards()

    def selections(self, supply: list[int]) -> list[str]:
        found = []
        for heights in combinations_with_replacement([1, 2, 3, 4], self.per_round):
            if all(heights.count(height) <= supply.count(height) for height in heights):
                found.append("select " + " ".join(map(str, heights)))
        return found

    def owned(self) -> list[str]:
        return [colour for colour in COLOURS if colour in self.colours[self.actor]]

    def suffix(self, colour: str) -> str:
        return f" {colour}" if self.players == 2 else ""

    def builds(self) -> list[str]:
        found = []
        for card in range(1, 10):
            for city in CITIES:
                for height in (1, 2, 3, 4):
                    for colour in self.owned():
                        if card in self.hands[self.actor] and height in self.chosen[colour]:
                            tower = self.towers[city, site_of(card, self.sides[self.actor])]
                            if self.may_build(tower, colour, height):
                                found.append(f"build {card} {city} {height}{self.suffix(colour)}")
        return found

    def may_build(self, tower: Tower, colour: str, height: int) -> bool:
        if not tower or tower[-1][0] == colour:
            return True
        return self.floors(tower, colour) + height >= self.floors(tower, tower[-1][0])

    def floors(self, tower: Tower, colour: str) -> int:
        return sum(height for owner, height in tower if owner == colour)

    def discards(self) -> list[str]:
        return [
            f"discard {card} {height}{self.suffix(colour)}"
            for card in range(1, 10)
            for height in (1, 2, 3, 4)
            for colour in self.owned()
            if card in self.hands[self.actor] and height in self.chosen[colour]
        ]

    def apply(self, action: str) -> None:
        kind, *words = action.split()
        if kind == "select":
            self.select([int(word) for word in words])
            return
        seat = self.actor
        colour = words.pop() if self.players == 2 else self.colours[seat][0]
        card, height = int(words[0]), int(words[-1])
        if kind == "build":
            self.towers[words[1], site_of(card, self.sides[seat])].append((colour, height))
        self.chosen[colour].remove(height)
        self.hands[seat].remove(card)
        self.played.append(card)
        if not self.deck:
            self.shuffles += 1
            self.chance.stream(f"deck {self.shuffles}").shuffle(self.played)
            self.deck, self.played = self.played, []
        self.hands[seat].append(self.deck.pop(0))
        self.actor = (seat + 1) % self.players
        if not any(self.chosen.values()):
            self.score()
            self.begin_round()

    def select(self, heights: list[int]) -> None:
        _, colour = self.to_select.pop(0)
        for height in heights:
            self.supply[colour].remove(height)
        self.chosen[colour] = heights
        self.actor = self.to_select[0][0] if self.to_select else self.starter

    def score(self) -> None:
        for seat, colours in enumerate(self.colours):
            self.points[seat] += sum(self.worth(colour) for colour in colours)

    def worth(self, colour: str) -> int:
        """Return the points of the colour at the end of a round."""
        heights = {place: sum(height for _, height in tower) for place, tower in self.towers.items()}
        top = max(heights.values())
        highest = [place for place, height in heights.items() if height == top]
        points = 0
        if len(highest) == 1 and self.towers[highest[0]][-1][0] == colour:
            points += 3
        for city in CITIES:
            counts = {hue: self.count(hue, city) for hue in COLOURS}
            if all(counts[colour] > count for hue, count in counts.items() if hue != colour):
                points += 2
            points += counts[colour]
        return points

    def count(self, colour: str, city: str) -> int:
        towers = (self.towers[city, site] for site in range(1, 10))
        return sum(1 for tower in towers if tower and tower[-1][0] == colour)
