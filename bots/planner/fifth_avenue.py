"""The planner's game of Fifth Avenue: it values each choice by the points it should bring until the end of the game."""

from math import fsum

import fifth_avenue_auction as auction
from fifth_avenue_board import LAST_BUSINESS, POINTS, SCORINGS, SKYSCRAPER, SPECIAL, Board

# The weights of what a commissioner's move makes possible.
CHANCE = 0.22  # my gain by scoring a district where a commissioner stands
THREAT = 0.5  # the next player's gain by scoring one
ROUND = 0.3  # my prospects in a round of auctions that begins now
ARRIVAL = 0.06  # my prospects in a round of auctions that anybody can begin


def choose(decide, start):
    seen, legal = decide["observation"], decide["legal"]
    board, phase = Board(seen, start["board"]["rings"]), seen["phase"]
    if phase == "bid":
        return auction.bid(board, legal)
    return max(legal, key=lambda action: VALUES[phase](board, action))


def place(board, action):
    """Prefer plots of high value with room for businesses next to them, in a colour I have, away from others."""
    district, name = action.split()[1].split(".")
    plots = board.districts[district]
    mine = {homes[board.me] for homes in board.homes.values()}
    neighbours = [plots[plot] for plot in board.beside(district, name)]
    room = sum(1 for plot in neighbours if "owner" not in plot and len(plot.get("businesses", [])) < 2)
    taken = sum(1 for plot in plots.values() if "owner" in plot)
    return plots[name]["value"] + 0.5 * (name in mine) + 0.1 * room - 0.1 * taken


# -- the first action --------------------------------------------------------------------------------------------------


def act(board, action):
    """Value the points of the first action and the cards of the second."""
    kind, *what = action.split()
    if kind == "score":
        cards = [0 if home else board.black for home in board.homes[what[0]]]
        cards[board.me] += 2 * board.black
        return board.balance(board.points[what[0]]) + board.balance(cards)
    if kind == "business":
        return 2 * board.colour + business(board, *what)
    if kind == "skyscrapers":
        return 2 * board.colour + more_skyscrapers(board)
    return 2 * board.colour + board.black


def more_skyscrapers(board):
    """Return what three more skyscrapers in the supply are worth: less, the more there are already."""
    worth = fsum(max(0.0, 1 - number / 6) for number in range(board.supply, board.supply + 3))
    return SKYSCRAPER * worth * (board.horizon - 0.7)


def business(board, tile, where):
    """Return what a tile on that plot brings until the end of the game, which it brings nearer."""
    district, name = where.split(".")
    gains = custom(board, tile, district, name)
    placed = board.placed + 1
    worth = board.horizon_at(placed) * board.balance(gains)
    worth -= SCORINGS / LAST_BUSINESS * board.balance(board.total)
    for at, needed, points in SPECIAL:
        if placed == at:
            worth += board.balance([points if count >= needed else 0 for count in board.spread])
    if placed == LAST_BUSINESS:
        final = [now + gain for now, gain in zip(board.standing, gains, strict=True)]
        worth += 100 if board.wins_with(final) else -100
    return worth


def custom(board, tile, district, name):
    """Return by seat what a tile on that plot adds to a scoring."""
    plots = board.districts[district]
    gains = [0] * len(board.seats)
    for neighbour in board.beside(district, name):
        plot = plots[neighbour]
        types = {kind for other in board.beside(district, neighbour) for kind in plots[other].get("businesses", [])}
        if plot.get("owner", len(gains)) < len(gains) and tile not in types:
            gains[plot["owner"]] += plot["skyscrapers"] * (POINTS[len(types) + 1] - POINTS[len(types)])
    return gains


# -- the second and the third action -----------------------------------------------------------------------------------


def draw(board, action):
    """Prefer cards for my plots and for good empty ones, most of all where auctions are near; then 6s."""
    soon = {place for who in board.seen["commissioners"].values() for place in (who["at"], *who["marked"])}
    worth = 0.0
    for colour in action.split()[1:]:
        if colour == "none":
            continue
        for district, plots in board.districts.items():
            home = board.homes[district][board.me]
            if home == colour or (not home and colour in board.empty(district)):
                worth += plots[colour]["value"] * (0.2 if home else 0.1) * (2 if district in soon else 1)
        worth += (0.3, 0.3, 0.6)[board.seen["stacks"][colour]["top"] - 4]
    return worth


def move(board, action):
    """Prefer districts where I lead and the next player does not, and auctions when my hand is strong."""
    _, who, to = action.split()
    places = {name: commissioner["at"] for name, commissioner in board.seen["commissioners"].items()} | {who: to}
    scorable = [board.points[place] for place in set(places.values()) if place in board.points]
    next_seat = (board.me + 1) % len(board.seats)
    worth = CHANCE * max([0.0, *map(board.balance, scorable)])
    worth -= THREAT * max([0.0, *(gain_of(points, next_seat) for points in scorable)])
    if to in ("CityHall", "CentralPark"):
        lots = board.seen["commissioners"][who]["marked"]
        worth += (ROUND if to == "CityHall" else ARRIVAL) * fsum(auction.prospect(board, lot) for lot in lots)
    return worth


def gain_of(points, seat):
    """Return what these points by seat are worth to a seat, with half the weight on its best opponent."""
    others = points[:seat] + points[seat + 1 :]
    return points[seat] - 0.5 * max(others) - 0.5 * fsum(others) / len(others)


VALUES = {"place": place, "action": act, "draw": draw, "move": move, "build": auction.build}
