"""The planner's game of New York: it values chains, pieces that may join them, and jokers kept for good cells.

A set of cells is a bit mask with one bit per cell, avenue by avenue.
"""

from functools import lru_cache
from math import fsum

# These weights won games between planners with different weights.
JOKER = 1.5  # points that a joker in hand is worth with two players
JOKER_OF_MANY = 0.7  # with more
EXPOSED = 0.25  # with more players, the part of what a stone's loss costs its owner beyond the price that is expected
LINK = 0.25  # probability that an empty cell between a piece and the chain will join them
LINK_ROWS = 0.5  # the same if chains are rows
BUY = 0.1  # probability that a rival's cell between a piece and the chain will join them
ROOM = 0.1  # points for each empty cell next to the chain
BEST = 0.5  # the part of the opponents' weight that is on the best of them; all of them share the rest

ALL = (1 << 49) - 1
FIRST_STREET = sum(1 << 7 * avenue for avenue in range(7))
LAST_STREET = FIRST_STREET << 6
AVENUES = [127 << 7 * avenue for avenue in range(7)]
STREETS = [FIRST_STREET << street for street in range(7)]
LINES = ("avenue", "street")
MIDDLE = 1 << 17 | 1 << 23 | 1 << 24 | 1 << 25 | 1 << 31
CORNERS = 1 | 1 << 6 | 1 << 42 | 1 << 48


def choose(decide, start):
    seen = decide["observation"]
    if seen["phase"] == "first-stones":
        return decide["legal"][0]  # nobody knows yet who will own this colour
    return max(decide["legal"], key=Planner(seen).value)


def around(cells):
    """Return the cells orthogonally adjacent to any of these, which may be among them."""
    return (cells << 7 | cells >> 7 | (cells & ~LAST_STREET) << 1 | (cells & ~FIRST_STREET) >> 1) & ALL


@lru_cache(maxsize=1 << 14)
def groups(stones):
    """Return the connected groups of stones, each with the cells next to it."""
    pieces = []
    while stones:
        grown, group = stones & -stones, 0
        while grown != group:
            group = grown
            grown |= around(group) & stones
        pieces.append((group, around(group) & ~group))
        stones &= ~group
    return pieces


def rows(stones):
    """Return the rows of stones in each avenue and street, each with the cells at its ends."""
    return [(row, ends & line) for line in (*AVENUES, *STREETS) for row, ends in groups(stones & line)]


def price(stones, cell):
    """Return what the owner of these stones gets for the one on the cell."""
    at = cell.bit_length() - 1
    return min((stones & line).bit_count() for line in (AVENUES[at // 7], STREETS[at % 7]))


class Board:
    """Stones by colour, purchase units by seat, and the colours' values computed so far."""

    def __init__(self, stones, empty, units):
        self.stones = stones
        self.empty = empty
        self.units = units
        self.worth = {}

    def put(self, cell, colour, owners, free):
        """Return the board after a stone of this colour is placed on the cell, or taken back from it."""
        stones, units = self.stones.copy(), self.units
        occupant = next((other for other, cells in stones.items() if cells & cell), None)
        if occupant is not None:
            stones[occupant] &= ~cell
            if occupant != colour and not free:
                paid = price(self.stones[occupant], cell)
                units = units[:]
                units[owners[colour]] -= paid
                units[owners[occupant]] += paid
        if occupant != colour:
            stones[colour] |= cell
        new = Board(stones, self.empty | cell if occupant == colour else self.empty & ~cell, units)
        new.worth = {other: worth for other, worth in self.worth.items() if other not in (occupant, colour)}
        return new


class Planner:
    def __init__(self, seen):
        self.seen = seen
        self.me = seen["seat"]
        self.owners = {name: colour["owner"] for name, colour in seen["colours"].items()}
        self.colour = seen["stone"] or seen["colour"]
        stones = dict.fromkeys(seen["colours"], 0)
        empty = 0
        for cell, colour in enumerate(colour for row in seen["board"] for colour in row):
            if colour is None:
                empty |= 1 << cell
            else:
                stones[colour] |= 1 << cell
        self.board = Board(stones, empty, [seat["units"] for seat in seen["seats"]])
        self.two = len(seen["seats"]) == 2
        self.joker = JOKER if self.two else JOKER_OF_MANY
        self.pieces, self.link = (groups, LINK) if seen["options"]["chain"] == "group" else (rows, LINK_ROWS)
        self.time = min(1, max(0, empty.bit_count() - 4) / 20)
        self.share = self.shares([seat["points"] for seat in seen["seats"]])
        self.now = self.total(self.board)

    def shares(self, points):
        """Return by seat what a point of it is worth to me: 1 for mine, -1 in sum for the opponents'."""
        others = [seat for seat in range(len(points)) if seat != self.me]
        share = [-(1 - BEST) / len(others)] * len(points)
        share[max(others, key=lambda seat: points[seat])] -= BEST
        share[self.me] = 1.0
        return share

    def total(self, board):
        """Return what a board is worth to me."""
        total = fsum(units * share for units, share in zip(board.units, self.share, strict=True))
        for colour, stones in board.stones.items():
            if colour not in board.worth:
                board.worth[colour] = self.points(stones, board.empty)
            total += self.share[self.owners[colour]] * board.worth[colour]
        return total

    def points(self, stones, empty):
        """Return the points of these stones; with two players also what pieces may still add to the longest chain.

        With more players every stone scores, and rivals together buy more: what they may take from the chain counts.
        """
        pieces = sorted(self.pieces(stones), key=lambda piece: piece[0].bit_count(), reverse=True)
        if not pieces:
            return 0.0
        chain, beside = pieces[0]
        length = chain.bit_count() if chain.bit_count() > 1 else 0
        if not self.two:
            return length + stones.bit_count() - EXPOSED * self.exposed(stones, chain, length)
        points = 2 * length + ROOM * (beside & empty).bit_count() * self.time
        for piece, edge in pieces[1:]:
            between = edge & beside
            free, taken = (between & empty).bit_count(), (between & ~empty).bit_count()
            points += 2 * piece.bit_count() * (1 - (1 - self.link) ** free * (1 - BUY) ** taken)
        return points

    def exposed(self, stones, chain, length):
        """Return what buyers could take from a chain: for each of its stones, what its loss costs beyond its price."""
        total = 0
        for cell in each(chain):
            rest = max((piece.bit_count() for piece, _ in self.pieces(stones & ~cell)), default=0)
            lost = 1 + length - (rest if rest > 1 else 0)
            total += max(0, lost - price(stones, cell))
        return total

    # -- decisions ---------------------------------------------------------------------------------------------------

    def value(self, action):
        kind, *what = action.split()
        if kind == "use":
            return self.best_place(what[0]) if self.seen["phase"] == "place" else self.best_play(what[0])
        if kind == "play":
            return self.play(*what)
        if kind == "place":
            return self.change(cell_of(what[0]), self.colour)
        if kind == "remove":
            return self.change(cell_of(what[0]), self.seen["colour"])
        if kind == "developer":
            return self.change(cell_of(what[2]), self.colour) - (self.joker if what[1] == "*" else 0)
        if kind in ("speculation", "statics"):
            return self.taking(what[-1], self.line_of(*what[:2]) if kind == "statics" else ALL)
        return self.clearing(kind) if kind in ("renovation", "ruin") else 0

    def change(self, cell, colour):
        """Return the gain from placing a stone there without paying."""
        return self.total(self.board.put(cell, colour, self.owners, True)) - self.now

    def best_place(self, colour):
        """Return a colour's best gain from a chance in a renovation or ruin; 0 to pass."""
        return max(0, *(self.change(cell_of(cell), colour) for cell in self.seen["cells"]))

    def play(self, avenue, street):
        cell = 1 << 7 * int(avenue.strip("*")) + int(street.strip("*")) - 8
        board = self.board.put(cell, self.colour, self.owners, False)
        return self.total(board) - self.now - self.joker * (avenue[0] == "*") - self.joker * (street[0] == "*")

    def best_play(self, colour):
        """Return a colour's best gain from the cards in hand, without jokers."""
        hand = [card.split() for card in self.seen["hand"]]
        avenues, streets = ([int(what) - 1 for kind, what in hand if kind == line and what != "*"] for line in LINES)
        best = -9.0
        for cell in {1 << 7 * avenue + street for avenue in avenues for street in streets}:
            if not self.board.stones[colour] & cell:
                after = self.board.put(cell, colour, self.owners, False)
                if after.units[self.me] >= 0:
                    best = max(best, self.total(after) - self.now)
        return best

    @staticmethod
    def line_of(back, form):
        """Return the avenue or street of a card that is played with an action card of this back."""
        return (STREETS if back == "red" else AVENUES)[int(form.strip("*")) - 1]

    def taking(self, victim, where):
        """Return the gain from speculation or statics: the victim gives up its least valuable stone for one of mine."""
        stones, empty = self.board.stones[victim], self.board.empty
        cell = max(each(stones & where), key=lambda cell: self.points(stones & ~cell, empty))
        return self.change(cell, self.colour)

    def clearing(self, kind):
        """Return the gain from a renovation or ruin: its cells are cleared, then all players place stones in turn."""
        cleared = MIDDLE if kind == "renovation" else CORNERS
        stones = {colour: stones & ~cleared for colour, stones in self.board.stones.items()}
        board, seats = Board(stones, self.board.empty | cleared, self.board.units), len(self.share)
        for chance in range(cleared.bit_count()):
            seat = (self.me + chance) % seats
            colours = [self.colour] if seat == self.me else self.seen["seats"][seat]["colours"]
            cells = each(cleared & board.empty)
            choices = [(self.gain(board, cell, colour), cell, colour) for cell in cells for colour in colours]
            _, cell, colour = max(choices)
            board = board.put(cell, colour, self.owners, True)
        return self.total(board) - self.now

    def gain(self, board, cell, colour):
        """Return what a colour's owner gains from a stone on this empty cell."""
        stones = board.stones[colour]
        return self.points(stones | cell, board.empty & ~cell) - self.points(stones, board.empty)


def each(cells):
    """List the cells of a set, each as a mask."""
    return [1 << at for at in range(49) if cells >> at & 1]


def cell_of(name):
    """Return the cell `a1s1` to `a7s7` as a mask."""
    return 1 << 7 * int(name[1]) + int(name[3]) - 8
