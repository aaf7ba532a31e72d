"""Plays what brings the most points right now. The simplest bot that knows the rules.

Each game has a function that takes an observation and the `start` line and returns another function, which values an
action in points. The bot plays the first action with the highest value.
"""

from math import fsum

from fa_cli.bot import run


def choose(decide, start):
    values = GAMES[start["game"]](decide["observation"], start)
    return max(decide["legal"], key=values)


def lead(points, seat):
    """Return by how many points this seat leads the best opponent; negative if it is behind."""
    return points[seat] - max(points[:seat] + points[seat + 1 :])


# -- Fifth Avenue ------------------------------------------------------------------------------------------------------


def fifth_avenue(seen, start):
    me = seen["seats"][seen["seat"]]

    def act(kind, *what):
        if kind == "score":
            return 2 * lead(district_points(seen, what[0]), seen["seat"])
        if kind == "skyscrapers":
            return 1 if me["supply"] < 3 else 0
        if kind == "business":
            return business_gain(seen, start["board"]["rings"], *what) - 1
        return 0.5  # the commissioner brings a black card

    values = {
        "place": lambda kind, plot: plot_at(seen, plot)["value"],
        "action": act,
        "draw": lambda kind, *colours: sum(seen["stacks"][colour]["top"] for colour in colours if colour != "none"),
        "move": lambda kind, who, place: lead(district_points(seen, place), seen["seat"]),
        "bid": bidding(seen) if seen["auction"] else None,
        "build": lambda kind, count=-1: int(count),  # as many as allowed; a stop only if forced
    }[seen["phase"]]
    return lambda action: values(*action.split())


def plot_at(seen, name):
    district, plot = name.split(".")
    return seen["board"][district][plot]


def district_points(seen, district):
    """Return by seat the points if the district were scored now."""
    points = [0] * len(seen["seats"])
    for plot in seen["board"].get(district, {}).values():
        owner = plot.get("owner")
        if owner is not None and owner < len(points):  # with two players seat 2 is Alea, who has no points
            points[owner] += plot["value"] * plot["skyscrapers"]
    return points


def business_gain(seen, rings, tile, where):
    """Return what a tile on this plot adds to a scoring for me, less what it adds for others."""
    district, name = where.split(".")
    plots, ring = seen["board"][district], rings[district]
    at, gain = ring.index(name), 0
    for step in (-1, 1):
        plot = plots[ring[(at + step) % len(ring)]]
        beyond = plots[ring[(at + 2 * step) % len(ring)]]
        types = {*beyond.get("businesses", []), *plots[name].get("businesses", [])}
        if plot.get("skyscrapers") and tile not in types:
            gain += plot["skyscrapers"] * (1 + len(types)) * (1 if plot["owner"] == seen["seat"] else -1)
    return gain


def bidding(seen):
    """Bid up to four times the points that one scoring of the new skyscrapers would bring."""
    auction = seen["auction"]
    plots = seen["board"].get(auction["lot"], {})
    own = [plot for plot in plots.values() if plot.get("owner") == seen["seat"]]
    builds = min(3, seen["seats"][seen["seat"]]["supply"])

    def value(kind, suit="", card=""):
        if kind != "bid":
            return 100 if kind == "done" else 0
        plot = own[0] if own else plots.get(suit)
        worth = plot["value"] if plot else 2  # jokers, and Central Park
        if auction["high"] - auction["bids"][seen["seat"]]["total"] >= 4 * worth * builds:
            return -1
        # First the cards that allow more skyscrapers; colours before jokers.
        return worth + (6 - int(card)) / 10 - (suit == "black") / 20

    return value


# -- Manhattan ---------------------------------------------------------------------------------------------------------


def manhattan(seen, start):
    colours = seen["seats"][seen["seat"]]["colours"]
    sites = seen["seats"][seen["seat"]]["sites"]  # the site that a card means depends on the player's side of the table
    highest = sorted((tower["height"] for city in seen["cities"].values() for tower in city if tower), reverse=True)
    highest += [0, 0]

    def select(*heights):
        """Prefer the same mixture of heights in each round."""
        supply = seen["stocks"][seen["colour"]]["supply"]
        share = len(heights) / sum(supply)
        return -fsum(abs(heights.count(str(height)) - share * supply[height - 1]) for height in (1, 2, 3, 4))

    def build(card, city, height, colour=colours[0]):
        site, height = sites[int(card) - 1] - 1, int(height)
        towers = seen["cities"][city]
        before = [tower and tower["owner"] for tower in towers]
        after = [*before[:site], colour, *before[site + 1 :]]
        gains = [new - old for new, old in zip(city_points(seen, after), city_points(seen, before), strict=True)]
        old = towers[site]["height"] if towers[site] else 0
        rest = highest[1] if old == highest[0] else highest[0]
        gain = lead(gains, seen["seat"]) + 3 * (old + height > rest)
        return gain - height / 10  # small blocks first

    def value(action):
        kind, *what = action.split()
        if kind == "select":
            return select(*what)
        return build(*what) if kind == "build" else -int(what[1])

    return value


def city_points(seen, owners):
    """Return by seat the points for a city whose towers have these owners: one per tower, two for the majority."""
    points = [0] * len(seen["seats"])
    counts = {colour: owners.count(colour) for colour in seen["stocks"]}
    most = max(counts.values())
    for colour, count in counts.items():
        alone = count == most and list(counts.values()).count(most) == 1
        points[seen["stocks"][colour]["seat"]] += count + 2 * alone
    return points


# -- New York ----------------------------------------------------------------------------------------------------------
# A set of cells is a bit mask with one bit per cell, avenue by avenue.

FIRST_STREET = sum(1 << 7 * avenue for avenue in range(7))
LAST_STREET = FIRST_STREET << 6


def new_york(seen, start):
    me, board = seen["seat"], stones_on(seen["board"])
    mine = seen["stone"] or seen["colour"]
    units = [seat["units"] for seat in seen["seats"]]

    def worth(board, units):
        """Return my lead over the best opponent if the game ended like this."""
        return lead(ny_points(seen, board, units), me)

    def put(where, free=True):
        """Put a stone of mine there: on an empty cell or in place of a rival's. A stone of my own is taken back."""
        cell = 1 << where
        new, paid = {colour: stones & ~cell for colour, stones in board.items()}, units[:]
        owner = next((colour for colour, stones in board.items() if stones & cell), None)
        if owner != mine:
            new[mine] |= cell
        if owner not in (None, mine) and not free:
            price = min((board[owner] & line).bit_count() for line in lines(where))
            paid[me] -= price
            paid[seen["colours"][owner]["owner"]] += price
        return worth(new, paid)

    def value(action):
        kind, *what = action.split()
        if kind == "use":
            return seen["colours"][what[0]]["stock"]
        if seen["phase"] == "first-stones":
            return 0  # nobody knows yet who will own this colour
        if kind == "play":
            avenue, street = (int(card.strip("*")) for card in what)
            return put(7 * avenue + street - 8, free=False) - 0.4 * action.count("*")  # a joker is worth keeping
        if kind == "place":
            return put(cell_number(what[0]))
        if kind == "remove":
            return worth({**board, mine: board[mine] & ~(1 << cell_number(what[0]))}, units)
        if kind == "developer":
            return put(cell_number(what[2])) - 0.4
        # The rest replaces a stone that the opponent chooses, or clears cells for everybody.
        return worth(board, units) + (1 if kind in ("speculation", "statics") else 0)

    return value


def cell_number(name):
    """Return 0 to 48 for `a1s1` to `a7s7`."""
    return 7 * int(name[1]) + int(name[3]) - 8


def stones_on(rows):
    """Return by colour the cells with its stones."""
    board = {}
    for cell, colour in enumerate(colour for row in rows for colour in row):
        board[colour] = board.get(colour, 0) | 1 << cell
    board.pop(None, None)
    return board


def lines(cell):
    """Return the avenue and the street of a cell."""
    return 127 << cell // 7 * 7, FIRST_STREET << cell % 7


def ny_points(seen, board, units):
    points = units[:]
    for colour, about in seen["colours"].items():
        stones = board.get(colour, 0)
        chain = longest_chain(stones, seen["options"]["chain"])
        others = 0 if len(points) == 2 else stones.bit_count() - chain
        points[about["owner"]] += 2 * chain + others
    return points


def longest_chain(stones, kind):
    """Return the size of the largest connected group, or with `line` the longest row; a single stone is not a chain."""
    best = 0
    if kind == "line":
        for step, stay in ((7, 0), (1, FIRST_STREET)):
            left, length = stones, 0
            while left:
                length += 1
                left = stones & (left & ~stay) >> step
            best = max(best, length)
    while stones and kind == "group":
        grown, group = stones & -stones, 0
        while grown != group:
            group = grown
            grown |= (group << 7 | group >> 7 | (group & ~LAST_STREET) << 1 | (group & ~FIRST_STREET) >> 1) & stones
        best = max(best, group.bit_count())
        stones &= ~group
    return best if best > 1 else 0


GAMES = {"fifth-avenue": fifth_avenue, "manhattan": manhattan, "new-york": new_york}

if __name__ == "__main__":
    run(choose, name="greedy", wants=["legal", "observation"])
