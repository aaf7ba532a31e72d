"""How the planner plays Fifth Avenue: every choice as the points it should bring until the end of the game."""

RING = ("orange", "green", "gray", "brown", "violet", "dashed")
POINTS = (1, 2, 3, 5, 8)  # of a skyscraper, by the number of different types of business beside it
SPECIAL = ((3, 3, 4), (6, 4, 6), (9, 5, 8))  # businesses placed, districts needed, points
LAST_BUSINESS = 12

W = {
    "scorings": 1.34,
    "black": 2.25,
    "colour": 1.5,
    "piece": 2.01,
    "potential": 0.15,
    "special": 0.4,
    "threat": 0.5,
    "chance": 0.22,
    "round": 0.3,
    "park_move": 0.2,
    "deny": 0.3,
    "price": 1.5,
    "late": 0.3,
    "same": 0.5,
    "clock": 1.0,
    "four": 0.3,
    "margin": 0.0,
}


class Position:
    def __init__(self, seen):
        self.seen = seen
        self.me = seen["seat"]
        self.seats = seen["seats"]
        self.count = len(self.seats)
        self.others = [seat for seat in range(self.count) if seat != self.me]
        self.board = seen["board"]
        self.left = LAST_BUSINESS - seen["placed"]
        self.horizon = 1 + W["scorings"] * self.left / LAST_BUSINESS
        self.points = {}
        self.homes = {}
        for district, plots in self.board.items():
            points = [0] * self.count
            homes = [None] * self.count
            for colour, plot in plots.items():
                owner = plot.get("owner")
                if owner is not None and owner < self.count:
                    points[owner] = plot["value"] * plot["skyscrapers"]
                    homes[owner] = colour
            self.points[district] = points
            self.homes[district] = homes
        self.total = [sum(points[seat] for points in self.points.values()) for seat in range(self.count)]
        park = (3.3, 2.0, 2.6, 3.2, 3.8)[len(set(seen["park_tiles"]))]
        self.park = park
        self.standing = [
            seat["points"] + total + park * seat["central_park"]
            for seat, total in zip(self.seats, self.total, strict=True)
        ]
        # What the gains of each other seat count against mine.
        future = [a + (self.horizon - 1) * b for a, b in zip(self.standing, self.total, strict=True)]
        best = max(self.others, key=lambda seat: future[seat])
        self.share = [0.5 / len(self.others)] * self.count
        self.share[best] += 0.5
        self.share[self.me] = -1
        self.ahead = self.standing[self.me] - max(self.standing[seat] for seat in self.others)
        self.districts = [sum(1 for homes in self.homes.values() if homes[seat]) for seat in range(self.count)]
        self.late = W["late"] + (1 - W["late"]) * self.left / LAST_BUSINESS

    def balance(self, gains, seat=None):
        if seat is None:
            return -sum(gain * share for gain, share in zip(gains, self.share, strict=True))
        others = [gain for other, gain in enumerate(gains) if other != seat]
        return gains[seat] - 0.5 * max(others) - 0.5 * sum(others) / len(others)

    def empty(self, district):
        return [
            colour
            for colour, plot in self.board[district].items()
            if "owner" not in plot and "businesses" not in plot and colour != "dashed"
        ]


def choose(decide, start):
    seen = decide["observation"]
    position = Position(seen)
    value = PHASES[seen["phase"]](position, decide["legal"])
    return max(decide["legal"], key=value)


def place(position, legal):
    mine = {homes[position.me] for homes in position.homes.values()} - {None}

    def value(action):
        district, colour = action.split()[1].split(".")
        plots = position.board[district]
        return (
            plots[colour]["value"]
            + (W["same"] if colour in mine else 0)
            + 0.1 * room(plots, colour)
            - 0.1 * sum(1 for plot in plots.values() if plot.get("skyscrapers"))
        )

    return value


def beside(plots, colour):
    ring = [name for name in RING if name in plots]
    if colour not in ring:
        return []
    at = ring.index(colour)
    return [ring[at - 1], ring[(at + 1) % len(ring)]]


def room(plots, colour):
    return sum(
        1
        for name in beside(plots, colour)
        if not plots[name].get("skyscrapers") and len(plots[name].get("businesses", [])) < 2
    )


# -- the first action --------------------------------------------------------------------------------------------------


def act(position, legal):
    colours = 2 * W["colour"] * position.late
    black = W["black"] * position.late

    def value(action):
        kind, *what = action.split()
        if kind == "score":
            cards = [0 if position.homes[what[0]][seat] else black for seat in range(position.count)]
            cards[position.me] += 2 * black
            return position.balance(position.points[what[0]]) + position.balance(cards)
        if kind == "business":
            return colours + business(position, *what)
        if kind == "skyscrapers":
            return colours + pieces(position)
        return colours + black

    return value


def pieces(position):
    """What three more skyscrapers in my supply are worth."""
    me = position.seats[position.me]
    more = min(3, me["general"])
    worth = 0.0
    for piece in range(me["supply"], me["supply"] + more):
        worth += W["piece"] * max(0.0, 1 - piece / 6)
    return worth * (position.horizon - 0.7)


def business(position, tile, where):
    district, name = where.split(".")
    plots = position.board[district]
    gains = [0.0] * position.count
    potential = 0.0
    for colour in beside(plots, name):
        plot = plots[colour]
        types = set(plots[name].get("businesses", []))
        for other in beside(plots, colour):
            if other != name:
                types |= set(plots[other].get("businesses", []))
        more = 0 if tile in types else POINTS[len(types) + 1] - POINTS[len(types)]
        owner = plot.get("owner")
        if owner is not None and owner < position.count:
            gains[owner] += more * plot["skyscrapers"]
        elif owner is None and not plot.get("businesses") and not position.homes[district][position.me]:
            potential += more
    placed = LAST_BUSINESS - position.left + 1
    horizon = 1 + W["scorings"] * (position.left - 1) / LAST_BUSINESS
    worth = horizon * position.balance(gains) + W["potential"] * potential * (horizon - 1)
    worth -= W["clock"] * W["scorings"] / LAST_BUSINESS * position.balance(position.total)
    for at, needed, points in SPECIAL:
        if placed == at:
            worth += position.balance([points if count >= needed else 0 for count in position.districts])
    if placed == LAST_BUSINESS:
        ahead = position.standing[position.me] + gains[position.me]
        behind = max(position.standing[seat] + gains[seat] for seat in position.others)
        worth += 100 if ahead > behind + W["margin"] else -100
    return worth


# -- drawing -----------------------------------------------------------------------------------------------------------


def draw(position, legal):
    need = {}
    soon = {district for who in position.seen["commissioners"].values() for district in [who["at"], *who["marked"]]}
    for colour in RING[:5]:
        need[colour] = 0.0
        for district, plots in position.board.items():
            home = position.homes[district][position.me]
            plot = plots[colour]
            if home == colour or (not home and "owner" not in plot and "businesses" not in plot):
                need[colour] += plot["value"] * (1.0 if home else 0.5) * (2 if district in soon else 1)

    def value(action):
        worth = 0.0
        for colour in action.split()[1:]:
            if colour != "none":
                top = position.seen["stacks"][colour]["top"]
                worth += need[colour] * 0.2 + (top - 4) * 0.3 + W["four"] * (top == 4)
        return worth

    return value


# -- moving ------------------------------------------------------------------------------------------------------------


def move(position, legal):
    places = {who: commissioner["at"] for who, commissioner in position.seen["commissioners"].items()}
    following = (position.me + 1) % position.count

    def value(action):
        _, who, to = action.split()
        after = {**places, who: to}
        worth = 0.0
        standing = [position.points[at] for at in set(after.values()) if at in position.points]
        worth += W["chance"] * max([0.0, *(position.balance(points) for points in standing)])
        worth -= W["threat"] * max([0.0, *(position.balance(points, following) for points in standing)])
        if to == "CityHall":
            worth += W["round"] * auctions(position, who)
        elif to == "CentralPark":
            worth += W["park_move"] * W["round"] * auctions(position, who)
        return worth

    return value


def strengths(position):
    result = []
    for seat, player in enumerate(position.seats):
        if seat == position.me:
            hand = {suit: 4 * a + 5 * b + 6 * c for suit, (a, b, c) in position.seen["hand"].items()}
        else:
            hand = {suit: 4 * a + 5 * b + 6 * c + 4.8 * d for suit, (a, b, c, d) in player["cards"].items()}
        result.append(hand)
    return result


def auctions(position, who):
    """What a round of auctions would bring me now, less what it would bring the others."""
    hands = strengths(position)
    worth = 0.0
    for lot in position.seen["commissioners"][who]["marked"]:
        if lot not in position.board:
            continue
        empty = position.empty(lot)
        power, prize = [], []
        for seat in range(position.count):
            home = position.homes[lot][seat]
            suits = [home] if home else empty
            if not suits or not position.seats[seat]["supply"]:
                power.append(0.0)
                prize.append(0.0)
                continue
            best = max(suits, key=lambda suit: position.board[lot][suit]["value"] + hands[seat][suit] / 20)
            power.append((hands[seat]["black"] + hands[seat][best]) ** 2)
            prize.append(min(2, position.seats[seat]["supply"]) * position.board[lot][best]["value"] * position.horizon)
        whole = sum(power) or 1.0
        worth += position.balance([p / whole * q for p, q in zip(power, prize, strict=True)])
    return worth


# -- auctions ----------------------------------------------------------------------------------------------------------


def bid(position, legal):
    """Plan the whole raise, and lay its next card."""
    if len(legal) == 1:
        return lambda action: 0
    auction = position.seen["auction"]
    laid = auction["bids"][position.me]["cards"]
    suits = suits_now(laid, legal)
    must = "pass" not in legal
    best, plan = None, []
    for suit in suits:
        for limit in (3, 2, 1):
            cards = raise_by(position, suit, limit, laid, auction["high"])
            if cards is None:
                continue
            worth = win(position, suit, [*laid, *cards]) - price(position, [*laid, *cards])
            if best is None or worth > best:
                best, plan = worth, cards
    if best is None or (best <= 0 and not must):
        wanted = "pass"
    else:
        wanted = f"bid {plan[0]}" if plan else "done"
    if wanted not in legal:
        wanted = "done" if "done" in legal else legal[0]
    return lambda action: action == wanted


def suits_now(laid, legal):
    for card in laid:
        if not card.startswith("black"):
            return [card.split()[0]]
    return list(
        dict.fromkeys(action.split()[1] for action in legal if action.startswith("bid") and "black" not in action)
    )


def raise_by(position, suit, limit, laid, high):
    """The fewest further cards that make a bid above `high` with cards of this limit or a higher one; None: can't."""
    total = sum(int(card.split()[1]) for card in laid)
    hand = position.seen["hand"]
    values = {3: (4,), 2: (5, 4), 1: (6, 5, 4)}[limit]
    cards = []
    for name in (suit, "black"):
        stock = hand[name]
        for value in values:
            count = stock[value - 4]
            while count and (total <= high):
                cards.append(f"{name} {value}")
                total += value
                count -= 1
    if total <= high:
        return None
    if cards and not laid and not cards[0].startswith(suit):
        return None
    return cards


def price(position, cards):
    """What the cards of a bid are worth to me later."""
    each = {"black": W["black"]}
    return W["price"] * position.late * sum(each.get(card.split()[0], W["colour"]) for card in cards)


def win(position, suit, cards):
    """What winning the auction with these cards is worth."""
    auction = position.seen["auction"]
    lot = auction["lot"]
    limit = min(7 - int(card.split()[1]) for card in cards)
    count = min(limit, position.seats[position.me]["supply"])
    if lot == "CentralPark":
        return count * position.park - count * W["piece"] * 0.5
    home = position.homes[lot][position.me]
    worth = 0.0
    if auction["full"]:
        stop = stop_value(position, lot)
        if not home:
            return stop
        return max(stop, count * position.board[lot][suit]["value"] * position.horizon)
    worth = count * position.board[lot][suit]["value"] * position.horizon
    if not home and count:
        worth += new_district(position)
    # The others would take it if I did not.
    rival = 0.0
    for seat in position.others:
        if not auction["bids"][seat]["passed"]:
            theirs = position.homes[lot][seat]
            empty = position.empty(lot)
            plots = [theirs] if theirs else empty
            if plots and position.seats[seat]["supply"]:
                rival = max(rival, max(position.board[lot][plot]["value"] for plot in plots) * 2 * position.horizon)
    return worth + W["deny"] * rival / len(position.others) - count * W["piece"] * 0.5


def new_district(position):
    """What skyscrapers in one more district bring in special scorings to come."""
    have = position.districts[position.me]
    worth = 0.0
    for at, needed, points in SPECIAL:
        if LAST_BUSINESS - position.left < at and have < needed:
            worth += W["special"] * points / (needed - have)
    return worth


def stop_value(position, lot):
    """What a building stop there is worth: points now, less what the district would still have brought."""
    plots = position.board[lot].values()
    skyscrapers = sum(plot.get("skyscrapers", 0) for plot in plots)
    normal = position.points[lot]
    gains = [points // 2 for points in normal]
    gains[position.me] = skyscrapers
    worth = position.balance(gains) - position.horizon * position.balance(normal)
    if len(position.board) == 6:  # the second stop ends the game
        after = [s - n + g for s, n, g in zip(position.standing, normal, gains, strict=True)]
        win = after[position.me] > max(after[seat] for seat in position.others) + W["margin"]
        return 100.0 if win else -100.0
    return worth


def build(position, legal):
    auction = position.seen["auction"]
    lot = auction["lot"]

    def value(action):
        if action == "stop":
            return stop_value(position, lot)
        count = int(action.split()[1])
        if lot == "CentralPark":
            return count * (position.park - W["piece"] * 0.5)
        home = position.homes[lot][position.me] or next(
            card.split()[0] for card in auction["bids"][position.me]["cards"] if "black" not in card
        )
        return count * (position.board[lot][home]["value"] * position.horizon - W["piece"] * 0.5)

    return value


PHASES = {"place": place, "action": act, "draw": draw, "move": move, "bid": bid, "build": build}
