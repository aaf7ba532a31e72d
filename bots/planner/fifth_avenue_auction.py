"""The planner's auctions in Fifth Avenue: what winning is worth, what a bid costs, and when to stop a district."""

from math import fsum

from fifth_avenue_board import SKYSCRAPER

DENY = 0.3  # the weight of what an opponent would win otherwise
CARE = 1.5  # the weight of the cards that a bid costs


def prospect(board, lot):
    """Return what an auction should bring me, less what it should bring others.

    Each seat's chance to win is proportional to the square of its best hand.
    """
    power, prizes = [], []
    for seat, player in enumerate(board.seats):
        home = board.homes[lot][seat]
        plots = [home] if home else board.empty(lot)
        if not plots or not player["supply"]:
            power.append(0.0)
            prizes.append(0.0)
            continue
        hand, values = hand_strength(board, seat), board.districts[lot]
        best = max(plots, key=lambda plot: values[plot]["value"] + hand[plot] / 20)
        power.append((hand["black"] + hand[best]) ** 2)
        prizes.append(min(2, player["supply"]) * values[best]["value"] * board.horizon)
    total = fsum(power) or 1.0
    return board.balance([strength / total * prize for strength, prize in zip(power, prizes, strict=True)])


def hand_strength(board, seat):
    """Return by suit the sum of the cards in a hand; hidden cards count as average ones."""
    if seat == board.me:
        return {suit: 4 * fours + 5 * fives + 6 * sixes for suit, (fours, fives, sixes) in board.seen["hand"].items()}
    cards = board.seats[seat]["cards"].items()
    return {suit: 4 * fours + 5 * fives + 6 * sixes + 4.8 * hidden for suit, (fours, fives, sixes, hidden) in cards}


# -- bidding -----------------------------------------------------------------------------------------------------------


def bid(board, legal):
    """Return the next card of the best raise, `done` when all of its cards are laid, or `pass`."""
    auction = board.seen["auction"]
    laid = auction["bids"][board.me]["cards"]
    best, cards = 0.0 if "pass" in legal else None, None
    for suit in suits(laid, legal):
        for highest in (4, 5, 6):
            more = raise_with(board, suit, highest, laid, auction["high"])
            if more is None:
                continue
            whole = [*laid, *more]
            worth = win(board, suit, whole) - price(board, whole)
            if best is None or worth > best:
                best, cards = worth, more
    if cards is None:
        return "pass"
    return f"bid {cards[0]}" if cards else "done"


def suits(laid, legal):
    """Return the colour of my bid as a list, or the colours with which I may begin."""
    begun = [card.split()[0] for card in laid if not card.startswith("black")]
    offered = [action.split()[1] for action in legal if action.startswith("bid") and "black" not in action]
    return begun[:1] or list(dict.fromkeys(offered))


def raise_with(board, suit, highest, laid, high):
    """Return the further cards of a bid above `high` with no card above `highest`; None if there are not enough.

    The highest card limits the skyscrapers, so callers try each `highest`. Colours go before jokers.
    """
    total = sum(int(card[-1]) for card in laid)
    cards = []
    for name in (suit, "black"):
        for value in range(highest, 3, -1):
            for _ in range(board.seen["hand"][name][value - 4]):
                if total <= high:
                    cards.append(f"{name} {value}")
                    total += value
    begins = laid or (cards and cards[0].startswith(suit))
    return cards if total > high and begins else None


def price(board, cards):
    """Return what the cards of a bid could be worth later."""
    return CARE * fsum(board.black if card.startswith("black") else board.colour for card in cards)


def limit(cards):
    """Return how many skyscrapers a bid of these cards allows."""
    return min(7 - int(card[-1]) for card in cards)


# -- prizes ------------------------------------------------------------------------------------------------------------


def win(board, suit, cards):
    """Return what winning with these cards is worth, including that no opponent wins."""
    auction = board.seen["auction"]
    lot, count = auction["lot"], min(limit(cards), board.supply)
    if lot == "CentralPark":
        return building(board, lot, suit, count)
    home = board.homes[lot][board.me]
    if auction["full"]:
        gain = building(board, lot, suit, count) if home else 0
        return max(stop(board, lot), gain) if home else stop(board, lot)
    worth = building(board, lot, suit, count) + DENY * denied(board, lot) / len(board.others)
    return worth + board.new_district() if count and not home else worth


def building(board, lot, colour, count):
    """Return what this many more skyscrapers are worth on a plot, or at Central Park, where they score once."""
    each = board.park if lot == "CentralPark" else board.districts[lot][colour]["value"] * board.horizon
    return count * (each - SKYSCRAPER / 2)


def denied(board, lot):
    """Return the most that an opponent still in the auction could gain from it."""
    rivals = [seat for seat in board.others if not board.seen["auction"]["bids"][seat]["passed"]]
    values = [
        board.districts[lot][plot]["value"]
        for seat in rivals
        if board.seats[seat]["supply"]
        for plot in ([board.homes[lot][seat]] if board.homes[lot][seat] else board.empty(lot))
    ]
    return 2 * board.horizon * max(values, default=0)


def stop(board, lot):
    """Return the value of a building stop: its points now, less what the district would still have brought.

    The second stop ends the game.
    """
    normal = board.points[lot]
    gains = [points // 2 for points in normal]
    gains[board.me] = sum(plot.get("skyscrapers", 0) for plot in board.districts[lot].values())
    if len(board.districts) == 6:
        changes = zip(board.standing, normal, gains, strict=True)
        return 100.0 if board.wins_with([now - lost + gain for now, lost, gain in changes]) else -100.0
    return board.balance(gains) - board.horizon * board.balance(normal)


def build(board, action):
    """Value the number of skyscrapers to build, or a building stop."""
    auction = board.seen["auction"]
    if action == "stop":
        return stop(board, auction["lot"])
    colour = suits(auction["bids"][board.me]["cards"], [])[0]
    return building(board, auction["lot"], colour, int(action.split()[1]))
