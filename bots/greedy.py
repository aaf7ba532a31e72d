"""Takes what looks best right now, one decision at a time: the simplest bot that knows the rules.

Each game has a function that gives an action a number; the first action with the highest number is played.
"""

from fa_cli.protocol.bot_side import run

# -- Fifth Avenue ------------------------------------------------------------------------------------------------------


def fifth_avenue(decide):
    """A function from actions to numbers, by what kind of decision this is."""
    seen = decide["observation"]
    return {"place": place, "action": act, "draw": draw, "move": move, "bid": bid, "build": build}[seen["phase"]](seen)


def district_points(seen, district):
    """What each seat would get if the district were scored now."""
    points = [0] * len(seen["seats"])
    for plot in seen["board"].get(district, {}).values():
        owner = plot.get("owner")
        if owner is not None and owner < len(points):  # with two players seat 2 is Alea, who has no points
            points[owner] += plot["value"] * plot["skyscrapers"]
    return points


def lead(seen, points):
    """How much more this seat gets than the best of the others."""
    return points[seen["seat"]] - max(points[: seen["seat"]] + points[seen["seat"] + 1 :])


def place(seen):
    def value(action):
        district, plot = action.split()[1].split(".")
        return seen["board"][district][plot]["value"]

    return value


def act(seen):
    me = seen["seats"][seen["seat"]]

    def value(action):
        kind, *what = action.split()
        if kind == "score":
            return 2 * lead(seen, district_points(seen, what[0]))
        if kind == "skyscrapers":
            return 1 if me["supply"] < 3 else 0
        if kind == "business":
            return neighbours_gain(seen, *what) - 1
        return 0.5  # the commissioner brings a black card

    return value


RING = ["orange", "green", "gray", "brown", "violet", "dashed"]


def neighbours_gain(seen, tile, where):
    """What a tile on this plot adds to my skyscrapers beside it, less what it adds to those of others."""
    district, name = where.split(".")
    plots = seen["board"][district]
    ring = [plot for plot in RING if plot in plots]
    at = ring.index(name)
    gain = 0
    for side in (-1, 1):
        plot = plots[ring[(at + side) % len(ring)]]
        beyond = plots[ring[(at + 2 * side) % len(ring)]]
        types = {*beyond.get("businesses", []), *plots[name].get("businesses", [])}
        if plot.get("skyscrapers") and tile not in types:
            gain += plot["skyscrapers"] * (1 if plot["owner"] == seen["seat"] else -1) * (1 + len(types))
    return gain


def draw(seen):
    def value(action):
        return sum(seen["stacks"][colour]["top"] for colour in action.split()[1:] if colour != "none")

    return value


def move(seen):
    def value(action):
        return lead(seen, district_points(seen, action.split()[2]))

    return value


def bid(seen):
    """Up to four points of bid for each point that one scoring of the new skyscrapers would bring."""
    auction = seen["auction"]
    mine = auction["bids"][seen["seat"]]
    builds = min(3, seen["seats"][seen["seat"]]["supply"])
    plots = seen["board"].get(auction["lot"], {})
    own = [plot for plot in plots.values() if plot.get("owner") == seen["seat"]]

    def value(action):
        if action == "done":
            return 1000
        if action == "pass":
            return 0
        suit, card = action.split()[1:]
        plot = own[0] if own else plots.get(suit)
        worth = plot["value"] if plot else 2
        if auction["high"] - mine["total"] >= 4 * worth * builds:
            return -1
        # Cards that allow more skyscrapers first, colours before jokers.
        return worth + (6 - int(card)) / 10 - (suit == "black") / 20

    return value


def build(seen):
    def value(action):
        return 0 if action == "stop" else 1 + int(action.split()[1])

    return value


GAMES = {"fifth-avenue": fifth_avenue}


def choose(decide, start):
    if start["game"] not in GAMES:
        return decide["legal"][0]
    return max(decide["legal"], key=GAMES[start["game"]](decide))


if __name__ == "__main__":
    run(choose, name="greedy", wants=["legal", "observation"])
