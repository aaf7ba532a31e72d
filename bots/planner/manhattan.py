"""The planner's game of Manhattan: it values a tower by how likely its owner keeps it.

Opponents' blocks that could take a tower over are threats. Blocks chosen for this round threaten this round's scoring,
blocks in supply later scorings.
"""

from math import fsum

# These weights won games between planners with different weights.
NOW = 0.02  # probability that one threat takes a tower over before the next scoring
LATER = 0.03  # probability that one threat takes it over before a later scoring
DISCOUNT = 0.4  # weight of each later scoring
SOFT = 0.8  # probability that a lead of one tower brings the points for the majority
BLOCK = 0.5  # points that a floor is worth while there are other blocks to place
TILT = -0.5  # preference for high blocks in the first rounds
TILT_OF_TWO = 1.3  # with two players high towers are hard to take over and score in every round
BEST = 0.5  # the part of the opponents' weight that is on the best of them; all of them share the rest


def choose(decide, start):
    seen = decide["observation"]
    value = selecting(seen) if seen["phase"] == "select" else Board(seen).value
    return max(decide["legal"], key=value)


def selecting(seen):
    """Return a function that prefers an even share of the supply, tilted towards high or low blocks in early rounds."""
    supply = seen["stocks"][seen["colour"]]["supply"]
    tilt = TILT_OF_TWO if len(seen["seats"]) == 2 else TILT
    early = 0.5 - (seen["round"] - 1) / (seen["rounds"] - 1)
    weights = [max(0.01, count * (1 + tilt * early * (height - 1.5))) for height, count in enumerate(supply)]
    share = seen["blocks"] / fsum(weights)

    def value(action):
        heights = action.split()[1:]
        return -fsum((heights.count(str(height + 1)) - share * weights[height]) ** 2 for height in range(4))

    return value


def at_least(counts):
    """Return how many blocks have at least the height 0, 1, ... 4, from counts by height."""
    return [sum(counts[max(0, height - 1) :]) for height in range(5)]


class Board:
    """The board from my point of view.

    `cities` has each tower as its floors by colour and its owner's colour, `worth` each city's points by seat.
    """

    def __init__(self, seen):
        self.me = seen["seat"]
        self.seats = len(seen["seats"])
        self.sites = seen["seats"][self.me]["sites"]
        self.own = seen["seats"][self.me]["colours"]
        self.colours = list(seen["stocks"])
        stocks = seen["stocks"].values()
        self.seat_of = [stock["seat"] for stock in stocks]
        self.rivals = [[rival for rival, seat in enumerate(self.seat_of) if seat != own] for own in self.seat_of]
        later = seen["rounds"] - seen["round"]
        # for each kind of scoring: blocks that can threaten a tower, the probability per threat, the scoring's weight
        self.scorings = [([at_least(stock["chosen"]) for stock in stocks], NOW, 1.0)]
        if later:
            all_blocks = [
                at_least([a + b for a, b in zip(stock["chosen"], stock["supply"], strict=True)]) for stock in stocks
            ]
            self.scorings.append((all_blocks, LATER, DISCOUNT * later))
        self.left = sum(sum(stock["chosen"]) for stock in stocks if stock["seat"] == self.me)
        self.cities = {name: [self.tower(tower) for tower in towers] for name, towers in seen["cities"].items()}
        self.worth = {name: self.city(towers) for name, towers in self.cities.items()}
        self.share = self.shares([seat["points"] for seat in seen["seats"]])
        self.heights = {
            (name, site): (sum(tower[0]), tower[1])
            for name, towers in self.cities.items()
            for site, tower in enumerate(towers)
            if tower
        }

    def tower(self, tower):
        if tower is None:
            return None
        return [tower["floors"][colour] for colour in self.colours], self.colours.index(tower["owner"])

    def shares(self, points):
        """Return by seat what a point of it is worth to me: 1 for mine, -1 in sum for the opponents'."""
        expected = [points[seat] + fsum(worth[seat] for worth in self.worth.values()) for seat in range(self.seats)]
        others = [seat for seat in range(self.seats) if seat != self.me]
        share = [-(1 - BEST) / len(others)] * self.seats
        share[max(others, key=lambda seat: expected[seat])] -= BEST
        share[self.me] = 1.0
        return share

    def city(self, towers):
        """Return by seat what a city is worth, in this round and later ones."""
        points = [0.0] * self.seats
        for blocks, chance, weight in self.scorings:
            counts = [0.0] * len(self.colours)
            for tower in towers:
                if tower:
                    floors, owner = tower
                    threats = 0
                    for rival in self.rivals[owner]:
                        missing = floors[owner] - floors[rival]
                        if missing < 5:
                            threats += blocks[rival][missing]
                    counts[owner] += (1 - chance) ** threats
            for colour, count in enumerate(counts):
                if count:
                    rest = max(counts[:colour] + counts[colour + 1 :])
                    most = min(1.0, max(0.0, (count - rest) * SOFT))
                    points[self.seat_of[colour]] += weight * (count + 2 * most)
        return points

    def value(self, action):
        kind, *what = action.split()
        if kind == "discard":
            return -int(what[1])
        card, city, height = int(what[0]), what[1], int(what[2])
        colour = self.colours.index(what[3] if len(what) > 3 else self.own[0])
        site = self.sites[card - 1] - 1
        towers = self.cities[city][:]
        floors = towers[site][0][:] if towers[site] else [0] * len(self.colours)
        floors[colour] += height
        towers[site] = (floors, colour)
        gains = zip(self.city(towers), self.worth[city], self.share, strict=True)
        worth = fsum((new - old) * share for new, old, share in gains)
        worth += self.highest((city, site), sum(floors))
        return worth - BLOCK * height * min(1.0, (self.left - 1) / 3)

    def highest(self, tower, height):
        """Return how the value of the highest tower's three points changes if mine there becomes this high."""
        rest = max([height for other, (height, _) in self.heights.items() if other != tower], default=0)
        top = max([height for height, _ in self.heights.values()], default=0)
        holders = [owner for height, owner in self.heights.values() if height == top]
        before = 3 * self.share[self.seat_of[holders[0]]] if len(holders) == 1 else 0
        if height > rest:
            return 3 - before
        return -before if height == rest else 0
