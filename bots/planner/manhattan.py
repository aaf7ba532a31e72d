"""How the planner plays Manhattan: towers count by how surely they stay its own.

A tower is the less sure the more blocks the others have left that would take it over. Those chosen for this round
threaten the points of this round's scoring, those in supply the points of later ones.
"""

# Weights, found by playing planners with different ones against each other.
NOW = 0.02  # how likely one block that could take a tower over before the next scoring will do it
LATER = 0.03  # the same before a later scoring
DISCOUNT = 0.4  # how much a later scoring counts
SOFT = 0.8  # how sure a lead of one tower makes the points for the most
BLOCK = 0.5  # points that a floor is worth while there are other blocks to place
TILT = -0.5  # how far it prefers high blocks in the first rounds
TILT_OF_TWO = 1.3  # the same with two players, whose high towers are hard to take over and score in every round
BEST = 0.5  # how much of what counts against me is the best of the others; the rest is all of them


def choose(decide, start):
    seen = decide["observation"]
    value = selecting(seen) if seen["phase"] == "select" else Board(seen).value
    return max(decide["legal"], key=value)


def selecting(seen):
    """An even share of the supply, tilted from the first round to the last: with two players high blocks come first."""
    supply = seen["stocks"][seen["colour"]]["supply"]
    tilt = TILT_OF_TWO if len(seen["seats"]) == 2 else TILT
    early = 0.5 - (seen["round"] - 1) / (seen["rounds"] - 1)
    weights = [max(0.01, count * (1 + tilt * early * (height - 1.5))) for height, count in enumerate(supply)]
    share = seen["blocks"] / sum(weights)

    def value(action):
        heights = action.split()[1:]
        return -sum((heights.count(str(height + 1)) - share * weights[height]) ** 2 for height in range(4))

    return value


def at_least(counts):
    """How many blocks have at least the height 0, 1, ... 4, of those counted by height."""
    return [sum(counts[max(0, height - 1) :]) for height in range(5)]


class Board:
    """The towers as floors by colour and the owner's colour, with what each city is worth to each seat."""

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
        # What may still threaten a tower before it is scored, how likely one such block is to take it, and how much
        # that scoring counts.
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
        """How much a point of each seat is worth to me: the others' count against me, the best one's most."""
        expected = [points[seat] + sum(worth[seat] for worth in self.worth.values()) for seat in range(self.seats)]
        others = [seat for seat in range(self.seats) if seat != self.me]
        share = [-(1 - BEST) / len(others)] * self.seats
        share[max(others, key=lambda seat: expected[seat])] -= BEST
        share[self.me] = 1.0
        return share

    def city(self, towers):
        """What a city is worth to each seat, in this round and later ones."""
        points = [0.0] * self.seats
        for blocks, chance, weight in self.scorings:
            counts = [0.0] * len(self.colours)
            for tower in towers:
                if tower:
                    floors, owner = tower
                    mine = floors[owner]
                    threats = 0
                    for rival in self.rivals[owner]:
                        missing = mine - floors[rival]
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
        worth = sum((new - old) * share for new, old, share in gains)
        worth += self.highest((city, site), sum(floors))
        return worth - BLOCK * height * min(1.0, (self.left - 1) / 3)

    def highest(self, place, height):
        """What the three points for the highest tower change by when mine there becomes so high."""
        rest = max([height for other, (height, _) in self.heights.items() if other != place], default=0)
        top = max([height for height, _ in self.heights.values()], default=0)
        holders = [owner for height, owner in self.heights.values() if height == top]
        before = 3 * self.share[self.seat_of[holders[0]]] if len(holders) == 1 else 0
        if height > rest:
            return 3 - before
        return -before if height == rest else 0
