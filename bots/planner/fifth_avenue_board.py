"""What the planner makes of an observation of Fifth Avenue: who gets what, and what that is worth to it."""

POINTS = (1, 2, 3, 5, 8)  # of a skyscraper, by the number of different types of business beside it
PARK_POINTS = (3.3, 2.0, 2.6, 3.2, 3.8)  # expected at Central Park, by the number of types that lie there so far
SPECIAL = ((3, 3, 4), (6, 4, 6), (9, 5, 8))  # businesses placed, districts needed, points
LAST_BUSINESS = 12

# Weights, found by playing planners with different ones against each other.
SCORINGS = 1.34  # how often a district is scored in a whole game, the end not counted
BLACK = 2.25  # points that a black card is worth at the start of the game
COLOUR = 1.5  # and a coloured one
LATE = 0.3  # how much of that is left at the end
SKYSCRAPER = 2.0  # points that the first one in an empty supply is worth


class Board:
    """Points and homes by district and seat; how much each seat's gains are worth to me."""

    def __init__(self, seen, rings):
        self.seen = seen
        self.rings = rings
        self.me = seen["seat"]
        self.seats = seen["seats"]
        self.others = [seat for seat in range(len(self.seats)) if seat != self.me]
        self.districts = seen["board"]
        self.placed = seen["placed"]
        self.supply = self.seats[self.me]["supply"]
        self._read_districts()
        self.total = [sum(points[seat] for points in self.points.values()) for seat in range(len(self.seats))]
        self.spread = [sum(1 for homes in self.homes.values() if homes[seat]) for seat in range(len(self.seats))]
        self.park = PARK_POINTS[len(set(seen["park_tiles"]))]
        # What each would have if the game ended now.
        self.standing = [
            seat["points"] + total + self.park * seat["central_park"]
            for seat, total in zip(self.seats, self.total, strict=True)
        ]
        self.horizon = self.horizon_at(self.placed)
        self.card_value = LATE + (1 - LATE) * (LAST_BUSINESS - self.placed) / LAST_BUSINESS
        self.black, self.colour = BLACK * self.card_value, COLOUR * self.card_value
        self.share = self._shares()

    def _read_districts(self):
        """Points of each seat if a district were scored now, and the colour of its plot there."""
        self.points, self.homes = {}, {}
        for name, plots in self.districts.items():
            points, homes = [0] * len(self.seats), [None] * len(self.seats)
            for colour, plot in plots.items():
                owner = plot.get("owner")
                if owner is not None and owner < len(points):  # with two players seat 2 is Alea
                    points[owner] = plot["value"] * plot["skyscrapers"]
                    homes[owner] = colour
            self.points[name], self.homes[name] = points, homes

    def _shares(self):
        """How much a point of each seat counts for me: the others' against me, half on them all, half on the best."""
        future = [now + (self.horizon - 1) * again for now, again in zip(self.standing, self.total, strict=True)]
        share = [-0.5 / len(self.others)] * len(self.seats)
        share[max(self.others, key=lambda seat: future[seat])] -= 0.5
        share[self.me] = 1.0
        return share

    def horizon_at(self, placed):
        """How often a skyscraper can expect to be scored when so many businesses lie."""
        return 1 + SCORINGS * (LAST_BUSINESS - placed) / LAST_BUSINESS

    def balance(self, gains):
        """What gains of all seats are worth to me."""
        return sum(gain * share for gain, share in zip(gains, self.share, strict=True))

    def wins_with(self, standing):
        return standing[self.me] > max(standing[seat] for seat in self.others)

    def beside(self, district, name):
        """The two plots that a plot of this district touches."""
        ring = self.rings[district]
        at = ring.index(name)
        return ring[at - 1], ring[(at + 1) % len(ring)]

    def empty(self, district):
        """The colours that a player without a plot there may build on."""
        plots = self.districts[district].items()
        return [name for name, plot in plots if name != "dashed" and "owner" not in plot and "businesses" not in plot]

    def new_district(self):
        """What skyscrapers in one more district bring in special scorings to come."""
        have = self.spread[self.me]
        return sum(
            0.4 * points / (needed - have) for at, needed, points in SPECIAL if self.placed < at and have < needed
        )
