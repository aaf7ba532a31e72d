"""How the planner plays New York: chains, pieces that will join them, and cards that go well together.

A set of cells is a number with 49 bits, one for each cell, avenue by avenue.
"""

W = {
    "room": 0.1,
    "link": 0.25,
    "buy": 0.1,
    "joker": 1.0,
    "next": 0.4,
    "best": 0.7,
}

ALL = (1 << 49) - 1
FIRST_STREET = sum(1 << 7 * avenue for avenue in range(7))
LAST_STREET = FIRST_STREET << 6
AVENUES = [127 << 7 * avenue for avenue in range(7)]
STREETS = [FIRST_STREET << street for street in range(7)]
MIDDLE = 1 << 17 | 1 << 23 | 1 << 24 | 1 << 25 | 1 << 31
CORNERS = 1 | 1 << 6 | 1 << 42 | 1 << 48


def choose(decide, start):
    seen = decide["observation"]
    if seen["phase"] == "first-stones":
        return decide["legal"][0]  # nobody knows yet whose stones these will be
    return max(decide["legal"], key=Planner(seen).value)


def around(cells):
    """The cells beside these, orthogonally; some of these may be among them."""
    return (cells << 7 | cells >> 7 | (cells & ~LAST_STREET) << 1 | (cells & ~FIRST_STREET) >> 1) & ALL


def groups(stones):
    """The sets of stones that hang together."""
    found = []
    while stones:
        grown, group = stones & -stones, 0
        while grown != group:
            group = grown
            grown |= around(group) & stones
        found.append(group)
        stones &= ~group
    return found


def rows(stones):
    """The rows of stones in one avenue or one street."""
    return [row for line in (*AVENUES, *STREETS) for row in groups(stones & line)]


class Board:
    """Stones by colour, and purchase units by seat."""

    def __init__(self, stones, empty, units):
        self.stones = stones
        self.empty = empty
        self.units = units
        self.worth = {}

    def put(self, cell, colour, owners, free):
        """The board after a stone of this colour came to the cell, or was taken back from there."""
        stones, units = self.stones.copy(), self.units
        there = next((other for other, cells in stones.items() if cells & cell), None)
        if there is not None:
            stones[there] &= ~cell
            if there != colour and not free:
                at = cell.bit_length() - 1
                price = min((self.stones[there] & line).bit_count() for line in (AVENUES[at // 7], STREETS[at % 7]))
                units = units[:]
                units[owners[colour]] -= price
                units[owners[there]] += price
        if there != colour:
            stones[colour] |= cell
        new = Board(stones, self.empty | cell if there == colour else self.empty & ~cell, units)
        new.worth = {other: worth for other, worth in self.worth.items() if other not in (there, colour)}
        return new


class Planner:
    def __init__(self, seen):
        self.seen = seen
        self.me = seen["seat"]
        self.owners = {colour: about["owner"] for colour, about in seen["colours"].items()}
        self.mine = seen["stone"] or seen["colour"]
        stones = dict.fromkeys(seen["colours"], 0)
        empty = 0
        for cell, colour in enumerate(colour for row in seen["board"] for colour in row):
            if colour is None:
                empty |= 1 << cell
            else:
                stones[colour] |= 1 << cell
        self.board = Board(stones, empty, [seat["units"] for seat in seen["seats"]])
        self.two = len(seen["seats"]) == 2
        self.pieces = groups if seen["options"]["chain"] == "group" else rows
        self.left = max(0, empty.bit_count() - 4) / 20
        self.share = self.shares([seat["points"] for seat in seen["seats"]])
        self.now = self.total(self.board)

    def shares(self, points):
        """How much a point of each seat is worth to me: the others' count against me, the best one's most."""
        others = [seat for seat in range(len(points)) if seat != self.me]
        share = [-(1 - W["best"]) / len(others)] * len(points)
        share[max(others, key=lambda seat: points[seat])] -= W["best"]
        share[self.me] = 1.0
        return share

    def total(self, board):
        """What a board is worth to me."""
        total = sum(units * share for units, share in zip(board.units, self.share, strict=True))
        for colour, stones in board.stones.items():
            if colour not in board.worth:
                board.worth[colour] = self.points(stones, board.empty)
            total += self.share[self.owners[colour]] * board.worth[colour]
        return total

    def points(self, stones, empty):
        """What these stones will bring: as if it ended now, and for what may still join the longest chain."""
        if not stones:
            return 0.0
        pieces = sorted(self.pieces(stones), key=int.bit_count, reverse=True)
        chain = pieces[0]
        length = chain.bit_count() if chain.bit_count() > 1 else 0
        points = 2 * length + (0 if self.two else stones.bit_count() - length)
        beside = around(chain) & ~stones
        free = beside & empty
        gain = 0.0
        for piece in pieces[1:]:
            touched = around(piece)
            if touched & beside:
                links, bought = (touched & free).bit_count(), (touched & beside & ~empty).bit_count()
                gain += piece.bit_count() * (1 - (1 - W["link"]) ** links * (1 - W["buy"]) ** bought)
        return points + gain * (2 if self.two else 1) + W["room"] * free.bit_count() * min(1, self.left)

    # -- decisions ---------------------------------------------------------------------------------------------------

    def value(self, action):
        kind, *what = action.split()
        if kind == "use":
            return self.best_play(self.board, what[0], self.seen["hand"])
        if kind == "play":
            return self.play(*what)
        if kind == "place":
            return self.change(cell_of(what[0]))
        if kind == "remove":
            return self.total(self.board.put(cell_of(what[0]), self.mine, self.owners, True))
        if kind == "developer":
            return self.change(cell_of(what[2])) - (W["joker"] if what[1] == "*" else 0)
        if kind in ("speculation", "statics"):
            return 1.5
        return self.clearing(kind) if kind != "redraw" else 0

    def change(self, cell):
        """What it brings to put a stone there without paying."""
        return self.total(self.board.put(cell, self.mine, self.owners, True)) - self.now

    def play(self, avenue, street):
        """A play now, and the best one that the rest of the hand allows after it."""
        cell = 1 << 7 * int(avenue.strip("*")) + int(street.strip("*")) - 8
        board = self.board.put(cell, self.mine, self.owners, False)
        worth = self.total(board) - self.now
        rest = self.seen["hand"][:]
        for back, card in (("avenue", avenue), ("street", street)):
            rest.remove(f"{back} *" if "*" in card else f"{back} {card}")
            worth -= W["joker"] * ("*" in card)
        if W["next"]:
            worth += W["next"] * max(0.0, self.best_play(board, self.mine, rest, self.total(board)))
        return worth

    def best_play(self, board, colour, hand, now=None):
        """The best that a colour can do with the number cards of a hand."""
        now = self.now if now is None else now
        avenues = {int(card[-1]) - 1 for card in hand if card.startswith("avenue") and card[-1] != "*"}
        streets = {int(card[-1]) - 1 for card in hand if card.startswith("street") and card[-1] != "*"}
        best = 0.0
        for avenue in avenues:
            for street in streets:
                cell = 1 << 7 * avenue + street
                if not board.stones[colour] & cell:
                    after = board.put(cell, colour, self.owners, False)
                    if after.units[self.me] >= 0:
                        best = max(best, self.total(after) - now)
        return best

    def clearing(self, kind):
        """All stones in the middle or in the corners go, and the players fill the gaps in turn, I first."""
        gone = MIDDLE if kind == "renovation" else CORNERS
        stones = {colour: stones & ~gone for colour, stones in self.board.stones.items()}
        return 1 + self.total(Board(stones, self.board.empty | gone, self.board.units)) - self.now


def cell_of(name):
    """The cell of `a1s1` to `a7s7`."""
    return 1 << 7 * int(name[1]) + int(name[3]) - 8
