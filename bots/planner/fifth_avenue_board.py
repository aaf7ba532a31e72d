"""An observation of Fifth Avenue as the planner uses it: points by district, and what each seat's gains are worth."""

from math import fsum

POINTS = (1, 2, 3, 5, 8)  # of a skyscraper, by the number of types of business next to it
PARK_POINTS = (3.3, 2.0, 2.6, 3.2, 3.8)  # expected per skyscraper at Central Park, by the number of types there so far
SPECIAL = ((3, 3, 4), (6, 4, 6), (9, 5, 8))  # businesses placed, districts required, points
LAST_BUSINESS = 12

# These weights won games between planners with different weights.
SCORINGS = 1.34  # scorings of a district in a whole game, without the one at the end
BLACK = 2.25  # points that a black card is worth at the start of the game
COLOUR = 1.5  # points that a colour card is worth at the start of the game
LATE = 0.3  # the fraction of a card's worth that is left at the end
SKYSCRAPER = 2.0  # points that the first skyscraper in an empty supply is worth


class Board:
    """The board from my point of view: points and plots by district and seat, and weights of the seats' gains."""

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
        # points if the game ended now
        self.standing = [
            seat["points"] + total + self.park * seat["central_park"]
            for seat, total in zip(self.seats, self.total, strict=True)
        ]
        self.horizon = self.horizon_at(self.placed)
        self.card_value = LATE + (1 - LATE) * (LAST_BUSINESS - self.placed) / LAST_BUSINESS
        self.black, self.colour = BLACK * self.card_value, COLOUR * self.card_value
        self.share = self._shares()

    def _read_districts(self):
        """Find by district and seat the points of a scoring now (`points`) and the colour of its plot (`homes`)."""
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
        """Return by seat what a point of it is worth to me: 1 for mine.

        Opponents' points count -1 in sum: half is spread over all of them, half is on the one who is ahead.
        """
        future = [now + (self.horizon - 1) * more for now, more in zip(self.standing, self.total, strict=True)]
        share = [-0.5 / len(self.others)] * len(self.seats)
        share[max(self.others, key=lambda seat: future[seat])] -= 0.5
        share[self.me] = 1.0
        return share

    def horizon_at(self, placed):
        """Return how often a skyscraper will still be scored, on average, when this many businesses are placed."""
        return 1 + SCORINGS * (LAST_BUSINESS - placed) / LAST_BUSINESS

    def balance(self, gains):
        """Return what gains by seat are worth to me."""
        return fsum(gain * share for gain, share in zip(gains, self.share, strict=True))

    def wins_with(self, standing):
        return standing[self.me] > max(standing[seat] for seat in self.others)

    def beside(self, district, name):
        """Return the two plots next to a plot of this district."""
        ring = self.rings[district]
        at = ring.index(name)
        return ring[at - 1], ring[(at + 1) % len(ring)]

    def empty(self, district):
        """Return the colours where a player without a plot in the district may build."""
        plots = self.districts[district].items()
        return [name for name, plot in plots if name != "dashed" and "owner" not in plot and "businesses" not in plot]

    def new_district(self):
        """Return what skyscrapers in one more district bring in later special scorings."""
        have = self.spread[self.me]
        return fsum(
            0.4 * points / (needed - have) for at, needed, points in SPECIAL if self.placed < at and have < needed
        )
