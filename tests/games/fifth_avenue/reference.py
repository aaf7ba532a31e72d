"""A second, slow implementation of Fifth Avenue, straight from the rules, that shares nothing with the engine.

A game is a generator: it yields who decides and what he may do, and is sent the action. `events` collects the rare
things that happened, so that a test can see that its games came there.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from itertools import combinations
from typing import TypeVar

DISTRICTS = ["34E", "34W", "42E", "42W", "TS", "52E", "52W"]
COLOURS = ["orange", "green", "gray", "brown", "violet"]
BUSINESSES = ["boutique", "jeweler", "gallery", "perfumery"]
COMMISSIONERS = ["white", "beige"]
ROUTE = {
    "CityHall": ["34E", "34W"],
    "34E": ["42E", "TS"],
    "34W": ["42W", "TS"],
    "42E": ["52E"],
    "42W": ["52W"],
    "TS": ["52E", "52W"],
    "52E": ["CentralPark"],
    "52W": ["CentralPark"],
    "CentralPark": ["CityHall"],
}
# The dashed plot of side six lies between these (FA-2).
DASHED_BETWEEN = {
    "34E": ("orange", "green"),
    "34W": ("green", "gray"),
    "42E": ("gray", "brown"),
    "42W": ("brown", "violet"),
    "TS": ("violet", "orange"),
    "52E": ("orange", "green"),
    "52W": ("gray", "brown"),
}
POINTS = {0: 1, 1: 2, 2: 3, 3: 5, 4: 8}
SPECIAL = {3: (3, 4), 6: (4, 6), 9: (5, 8)}
LIMIT = {4: 3, 5: 2, 6: 1}
ALEA = 2

T = TypeVar("T")
Ask = Generator[tuple[int, set[str]], str, None]


def words(seed: bytes, label: str) -> Iterator[int]:
    """The words of a label's stream."""
    block = 0
    while True:
        digest = hashlib.sha256(seed + label.encode("ascii") + b"\0" + block.to_bytes(8, "big")).digest()
        for at in range(0, 32, 8):
            yield int.from_bytes(digest[at : at + 8], "big")
        block += 1


def below(stream: Iterator[int], n: int) -> int:
    """A number from 0 to n - 1: a word from the greatest multiple of n upwards is passed over."""
    for word in stream:
        if word < 2**64 - 2**64 % n:
            return word % n
    raise AssertionError("a stream has no end")


def shuffled(seed: bytes, label: str, items: Iterable[T]) -> list[T]:
    """The items, shuffled by the label's stream."""
    result, stream = list(items), words(seed, label)
    for i in range(len(result) - 1, 0, -1):
        j = below(stream, i + 1)
        result[i], result[j] = result[j], result[i]
    return result


class Over(Exception):
    """The game has ended; the text says why."""


class Reference:
    """One game; `run` plays it."""

    def __init__(self, players: int, side: str, setup: str, turn_limit: int, seed: bytes) -> None:
        self.seed, self.n, self.turn_limit = seed, players, turn_limit
        self.events: Counter[str] = Counter()
        self.reason = ""
        tiles = shuffled(seed, "tiles", [business for business in BUSINESSES for _ in range(9)])
        names = [*COLOURS, "dashed"] if side == "six" else COLOURS
        self.plots, self.side = names, side
        # a plot: the businesses on it, or one owner's skyscrapers
        self.shops: dict[str, dict[str, list[str]]] = {d: {plot: [] for plot in names} for d in DISTRICTS}
        self.houses: dict[str, dict[str, list[int]]] = {d: {plot: [] for plot in names} for d in DISTRICTS}
        for district, plot, tile in zip(DISTRICTS, self.first_plots(side, setup), tiles, strict=False):
            self.shops[district][plot].append(tile)
        row = iter(tiles[7:27])
        self.sets = [[next(row) for _ in range(size)] for size in (3, 2, 3, 2, 3, 2, 3, 2)]
        self.park: list[str] = []
        self.placed = 0
        self.hands: list[dict[str, list[int]]] = [{suit: [] for suit in ["black", *COLOURS]} for _ in range(players)]
        self.known: list[Counter[tuple[str, int]]] = [Counter() for _ in range(players)]
        self.decks: dict[str, list[int]] = {}
        for colour in COLOURS:
            self.decks[colour] = shuffled(seed, f"cards {colour}", [4] * 5 + [5] * 4 + [6] * 3)
            for seat in range(players):
                self.hands[seat][colour].append(self.decks[colour].pop(0))
        self.black = shuffled(seed, "black 0", [4] * 20 + [5] * 16 + [6] * 14)
        for seat in range(players):
            for _ in range(4):
                self.hands[seat]["black"].append(self.black.pop(0))
        self.returned: list[int] = []
        self.shuffles = 0
        self.general = [12] * players
        self.supply = [3] * players
        self.at_park = [0] * players
        self.alea = 18 if players == 2 else 0
        self.points = [0] * players
        self.at = {"white": "CityHall", "beige": "CityHall"}
        self.marks: dict[str, list[str]] = {"white": [], "beige": []}
        self.stopped: list[str] = []

    def first_plots(self, side: str, setup: str) -> list[str]:
        """Where the first seven businesses lie."""
        if side == "six":
            return ["dashed"] * 7
        stream = words(self.seed, "plots")
        while True:
            plots = [COLOURS[below(stream, 5)] for _ in range(7)]
            often = Counter(plots)
            if max(often.values()) <= 2 and (setup == "alea" or len(often) == 5):
                return plots

    # -- the course of the game

    def run(self) -> Ask:
        """The whole game."""
        try:
            yield from self.place_first()
            for _ in range(self.turn_limit):
                for seat in range(self.n):
                    yield from self.turn(seat)
            self.reason = "turn-limit"
        except Over as over:
            self.reason = str(over)
        self.score_at_the_end()

    def place_first(self) -> Ask:
        """Two skyscrapers each."""
        first_round = [0, *range(self.n - 1, 0, -1)]
        for seat in first_round + first_round[::-1]:
            legal = set()
            for district in DISTRICTS:
                if self.plot_of(seat, district) is None:
                    for plot in COLOURS:
                        if self.is_empty(district, plot):
                            legal.add(f"place {district}.{plot}")
            action = yield seat, legal
            district, plot = action.removeprefix("place ").split(".")
            self.houses[district][plot].append(seat)

    def turn(self, seat: int) -> Ask:
        """The three actions of a turn."""
        action = yield seat, self.first_actions(seat)
        word, *rest = action.split()
        if word == "score":
            self.score_for(seat, rest[0])
        else:
            if word == "skyscrapers":
                self.general[seat] -= 3
                self.supply[seat] += 3
            elif word == "business":
                self.place_business(rest[0], *rest[1].split("."))
            else:
                if not self.black:
                    self.events["no black card to be had"] += 1
                self.draw_black(seat)
                yield from self.move(seat, "first")
            yield from self.draw(seat)
        yield from self.move(seat, "third")

    def first_actions(self, seat: int) -> set[str]:
        """A, B, C and D, where they can be chosen."""
        legal = {"commissioner"}
        if self.general[seat] > 0:
            legal.add("skyscrapers")
        else:
            self.events["no skyscrapers left"] += 1
        for where in self.at.values():
            if where in DISTRICTS and where not in self.stopped:
                legal.add(f"score {where}")
        for tile in self.sets[0]:
            for district in DISTRICTS:
                if district in self.stopped:
                    continue
                for plot in self.plots:
                    if not self.houses[district][plot] and len(self.shops[district][plot]) < 2:
                        legal.add(f"business {tile} {district}.{plot}")
        return legal

    def place_business(self, tile: str, district: str, plot: str) -> None:
        """B, with the special scoring and the end."""
        self.shops[district][plot].append(tile)
        self.sets[0].remove(tile)
        self.placed += 1
        if len(self.sets[0]) == 1:
            self.park.append(self.sets[0][0])
            del self.sets[0]
        if self.placed == 12:
            raise Over("businesses")
        if self.placed in SPECIAL:
            needed, points = SPECIAL[self.placed]
            for seat in range(self.n):
                if sum(self.plot_of(seat, district) is not None for district in DISTRICTS) >= needed:
                    self.points[seat] += points
                    self.events["special scoring"] += 1

    def draw(self, seat: int) -> Ask:
        """Two colour cards of different colours."""
        stacks = [colour for colour in COLOURS if self.decks[colour]]
        if len(stacks) >= 2:
            legal = {f"draw {a} {b}" for a, b in combinations(stacks, 2)}
        elif stacks:
            legal = {f"draw {stacks[0]}"}
            self.events["one colour stack"] += 1
        else:
            legal = {"draw none"}
            self.events["no colour stack"] += 1
        action = yield seat, legal
        for colour in action.split()[1:]:
            if colour != "none":
                value = self.decks[colour].pop(0)
                self.hands[seat][colour].append(value)
                self.known[seat][colour, value] += 1

    def move(self, seat: int, which: str) -> Ask:
        """A commissioner's move, and the auctions that it may bring."""
        legal = {f"move {who} {place}" for who in COMMISSIONERS for place in self.next_places(self.at[who])}
        action = yield seat, legal
        _, who, place = action.split()
        left, self.at[who] = self.at[who], place
        if left in DISTRICTS:
            if left in self.stopped:
                self.events["left a stopped district"] += 1
            else:
                self.marks[who].append(left)
        if place == "CityHall":
            visited, self.marks[who] = self.marks[who], []
            self.events[f"auctions after the {which} action"] += 1
            for lot in [*visited, "CentralPark"]:
                assert lot not in self.stopped
                yield from self.auction(lot, seat)

    def next_places(self, place: str) -> set[str]:
        """A stopped district is skipped: its successors take its place."""
        places = set()
        for after in ROUTE[place]:
            places |= self.next_places(after) if after in self.stopped else {after}
        return places

    # -- black cards

    def draw_black(self, seat: int) -> None:
        """One card from the stack, if there is one."""
        card = self.pop_black()
        if card is not None:
            self.hands[seat]["black"].append(card)

    def pop_black(self) -> int | None:
        """The top card of the black stack."""
        if not self.black:
            return None
        card = self.black.pop(0)
        self.turn_black_over()
        return card

    def turn_black_over(self) -> None:
        """Shuffle as soon as a card lying face up would be on top."""
        if not self.black and self.returned:
            self.shuffles += 1
            self.events["shuffle of one card" if len(self.returned) == 1 else "shuffle"] += 1
            self.black = shuffled(self.seed, f"black {self.shuffles}", self.returned)
            self.returned = []

    # -- auctions

    def auction(self, lot: str, starter: int) -> Ask:
        """One auction, and what is built after it."""
        order = [(starter + i) % self.n for i in range(self.n)]
        empty = [] if lot == "CentralPark" else [plot for plot in COLOURS if self.is_empty(lot, plot)]
        full = lot != "CentralPark" and not empty
        # as the auction stands
        self.laid: list[list[tuple[str, int]]] = [[] for _ in range(self.n)]
        self.passed: set[int] = set()
        self.high, self.leader = 0, -1
        self.park_colour, self.park_first = "", -1
        alea: list[int] = []

        for seat in order:
            yield from self.bid(seat, lot)
        if self.n == 2:
            while len(alea) == len(set(alea)):
                card = self.pop_black()
                if card is None:
                    self.events["no card for Alea" if not alea else "Alea ran out of cards"] += 1
                    break
                alea.append(card)
            if sum(alea) > self.high:
                self.high, self.leader = sum(alea), ALEA
                self.events["Alea is highest"] += 1
        while not self.is_decided():
            for seat in order:
                if seat not in self.passed and not self.is_decided():
                    yield from self.bid(seat, lot)

        winner = self.leader
        bid = self.laid[winner] if 0 <= winner < self.n else []
        for suit, value in bid:
            (self.returned if suit == "black" else self.decks[suit]).append(value)
        self.returned += alea
        self.turn_black_over()
        if winner < 0:
            self.events["nobody bid"] += 1
        elif winner < self.n:
            yield from self.build(winner, lot, full, bid)
        elif lot != "CentralPark":
            self.build_for_alea(lot, empty)

    def is_decided(self) -> bool:
        """All but one have passed and he leads, or all have."""
        left = [seat for seat in range(self.n) if seat not in self.passed]
        return not left or left == [self.leader]

    def first_colours(self, seat: int, lot: str) -> list[str]:
        """The colours that a player may begin his bid with."""
        if lot == "CentralPark":
            return [self.park_colour] if self.park_colour else COLOURS
        mine = self.plot_of(seat, lot)
        if mine is not None:  # situation 1
            return [mine]
        empty = [colour for colour in COLOURS if self.is_empty(lot, colour)]
        if empty:  # situation 2
            return empty
        return [colour for colour in COLOURS if self.shops[lot][colour]]  # situation 3

    def bid(self, seat: int, lot: str) -> Ask:
        """A player's turn in an auction: he passes, or lays cards until he is done."""
        hand, laid = self.hands[seat], self.laid[seat]
        before = len(laid)
        while True:
            total = sum(value for _, value in laid)
            begun = len(laid) > before
            colours = [laid[0][0]] if laid else self.first_colours(seat, lot)
            legal = set() if begun else {"pass"}
            if begun and total > self.high:
                legal.add("done")
            for colour in colours:
                if begun or total + sum(hand[colour]) + sum(hand["black"]) > self.high:
                    legal |= {f"bid {colour} {value}" for value in hand[colour]}
                    if laid:
                        legal |= {f"bid black {value}" for value in hand["black"]}
            action = yield seat, legal
            if action == "pass":
                if self.park_colour and laid and seat == self.park_first:
                    self.events["who set the colour at Central Park passed"] += 1
                self.passed.add(seat)
                for suit, value in laid:
                    hand[suit].append(value)
                    self.known[seat][suit, value] += 1
                laid.clear()
                return
            if action == "done":
                self.high, self.leader = total, seat
                return
            _, suit, number = action.split()
            value = int(number)
            hand[suit].remove(value)
            self.known[seat] -= Counter([(suit, value)])
            laid.append((suit, value))
            if lot == "CentralPark" and not self.park_colour:
                self.park_colour, self.park_first = suit, seat

    def build(self, seat: int, lot: str, full: bool, bid: list[tuple[str, int]]) -> Ask:
        """What a player who won does."""
        mine = None if lot == "CentralPark" else self.plot_of(seat, lot)
        legal = set()
        if not full or mine is not None:
            most = min(LIMIT[value] for _, value in bid)
            legal |= {f"build {count}" for count in range(min(most, self.supply[seat]) + 1)}
        if full:
            legal.add("stop")
        action = yield seat, legal
        if action == "stop":
            self.stop(seat, lot)
            return
        count = int(action.split()[1])
        self.supply[seat] -= count
        if lot == "CentralPark":
            self.at_park[seat] += count
        else:
            self.houses[lot][mine or bid[0][0]] += [seat] * count

    def build_for_alea(self, lot: str, empty: list[str]) -> None:
        """One skyscraper on each of the most valuable empty plots; without one a stop."""
        if not empty:
            self.events["Alea stops a district" if self.alea else "Alea stops a district without pieces"] += 1
            self.stop(ALEA, lot)
        else:
            best = max(self.value(lot, plot) for plot in empty)
            for plot in empty:
                if self.value(lot, plot) == best:
                    if self.alea:
                        self.alea -= 1
                        self.houses[lot][plot].append(ALEA)
                    else:
                        self.events["Alea runs out of pieces"] += 1

    def stop(self, winner: int, district: str) -> None:
        """A building stop."""
        houses = sum(len(houses) for houses in self.houses[district].values())
        half = [points // 2 for points in self.district_points(district)]
        for seat in range(self.n):
            self.points[seat] += houses if seat == winner else half[seat]
        for plot in self.plots:
            self.houses[district][plot] = []
            self.shops[district][plot] = []
        for who in COMMISSIONERS:
            if district in self.marks[who]:
                self.events["a marker goes home"] += 1
                self.marks[who].remove(district)
        self.stopped.append(district)
        if len(self.stopped) == 2:
            raise Over("stops")

    # -- the board and its points

    def is_empty(self, district: str, plot: str) -> bool:
        """Nothing on it, and not closed."""
        return not self.houses[district][plot] and not self.shops[district][plot]

    def plot_of(self, seat: int, district: str) -> str | None:
        """Where the player has his skyscrapers in the district."""
        for plot, houses in self.houses[district].items():
            if seat in houses:
                return plot
        return None

    def value(self, district: str, plot: str) -> int:
        """Points for a skyscraper there: by the different businesses on the two plots beside it."""
        beside = self.neighbours(district, plot)
        return POINTS[len({business for name in beside for business in self.shops[district][name]})]

    def neighbours(self, district: str, plot: str) -> list[str]:
        """The two plots that it touches: the next colours, but the dashed plot comes between two of them."""
        between = DASHED_BETWEEN[district]
        if plot == "dashed":
            return list(between)
        at = COLOURS.index(plot)
        touched = [COLOURS[(at + 1) % 5], COLOURS[(at + 4) % 5]]
        if self.side == "six" and plot in between:
            touched = ["dashed" if other in between else other for other in touched]
        return touched

    def district_points(self, district: str) -> list[int]:
        """A normal scoring."""
        points = [0] * self.n
        for plot, houses in self.houses[district].items():
            for seat in houses:
                if seat < self.n:
                    points[seat] += self.value(district, plot)
        return points

    def score_for(self, turn: int, district: str) -> None:
        """D: the points, then the black cards."""
        for seat, points in enumerate(self.district_points(district)):
            self.points[seat] += points
        order = [turn, turn]
        for i in range(self.n):
            seat = (turn + i) % self.n
            if self.plot_of(seat, district) is None:
                order.append(seat)
        for seat in order:
            if not self.black:
                self.events["too few black cards for D"] += 1
            self.draw_black(seat)
        if self.at["white"] == self.at["beige"]:
            self.events["both commissioners in the scored district"] += 1

    def score_at_the_end(self) -> None:
        """Every district that is open, then Central Park."""
        for district in DISTRICTS:
            if district not in self.stopped:
                for seat, points in enumerate(self.district_points(district)):
                    self.points[seat] += points
        types = len(set(shuffled(self.seed, "park", self.park)[:3]))
        for seat in range(self.n):
            self.points[seat] += max(2, POINTS[types]) * self.at_park[seat]

    def ranks(self) -> list[int]:
        """By points, then cards in hand."""
        cards = [sum(len(values) for values in hand.values()) for hand in self.hands]
        standing = list(zip(self.points, cards, strict=True))
        return [1 + sum(other > mine for other in standing) for mine in standing]
