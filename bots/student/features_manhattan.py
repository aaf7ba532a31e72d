"""Manhattan positions as numbers for the network: `SIZE` numbers for each seat. Hands and cards are not among them.

Many positions are computed at once. Those after each legal build differ from the one before by a block and a tower, so
they share the work on all other towers. The game's tables.py explains a tower's cell.
"""

import numpy as np

from fa_cli.games.manhattan.board import CITIES, SITES, TOWERS
from fa_cli.games.manhattan.tables import GAPS, HEIGHT, OWNER

NOW = np.array([0, 1, 2, 3, 3, 4, 4, *[5] * 100])
"""By number of blocks that threaten a tower now: its class."""
LATER = np.array([0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 3, *[4] * 4, *[5] * 100])
"""By number of blocks in supply that threaten a tower: its class."""
STAYS = np.array([1.0, 0.88, 0.82, 0.75, 0.70, 0.60], np.float32)
"""By class of threats now: roughly the probability that a tower has the same owner at the end of the round."""
LASTS = np.array([0.96, 0.86, 0.8, 0.73, 0.69, 0.65], np.float32)
"""By class of threats from supply: roughly the probability that it then keeps its owner for another round."""

GAP = np.array([[gaps // 6**colour % 6 for colour in range(4)] for gaps in range(2048)])
"""By the gaps in a cell: the gap of each colour."""
CLOSES = np.array([[gap < 5 and height >= gap - 1 for gap in range(6)] for height in range(4)], np.float32)
"""By height of a block, from 0, and gap: 1 if it closes the gap."""
CITY = np.arange(TOWERS) // SITES
COLOURS = np.arange(4)
NOBODY = 4  # the owner of an empty site

# Where the numbers of a seat stand. Those named `_later` are multiplied by the fraction of rounds to come.
TOWERS_NOW, TOWERS_NOW_LATER, TOWERS_LATER = slice(0, 6), slice(6, 12), slice(12, 18)  # towers by class of threats
LEADS = 18  # its cities by lead in towers: -1, 0, 1, 2, more
MAJORITIES, MAJORITIES_LATER = 23, 24  # majorities that are likely to last
HIGHEST, HIGHEST_LATER = 25, 28  # 1 for the highest tower, by class of threats and by lead in floors
BELOW = 31  # how much lower than the highest tower its own highest is
TAKES, REACHES_LATER = slice(32, 36), slice(36, 40)  # rivals' towers that its blocks can take now, or any, by gap
CHOSEN, CHOSEN_LATER, SUPPLY = slice(40, 44), slice(44, 48), slice(48, 52)  # blocks by height
POINTS, NEXT, LAST, ORDER, ENDS = 52, 53, 54, 55, 56  # points, and who plays when
ROUNDS, BLOCKS, SELECTED, SELECTING, FINAL = 57, 58, 59, 60, 61  # how far the game is
SIZE = 62


def positions(states):
    """Return the numbers of these positions: by position, seat and number."""
    board = Board(states)
    sums = Sums(board, np.arange(len(states)), np.array([state.chosen for state in states]))
    progress = [(state.actor, state.left, state.selecting) for state in states]
    return numbers(board, sums, *np.array(progress).T)


def builds(states, legal):
    """Return the numbers of the positions after each legal build in each of these states; no build ends the round."""
    board = Board(states)
    kept, chosen, rows, towers, cells = [], [], [], [], []
    for base, (state, actions) in enumerate(zip(states, legal, strict=True)):
        table, before, spent = state.table, state.cells, {}
        moves = table.moves[state.actor]
        for action in actions:
            tower, _, _, block, colour, piece, _ = moves[action]
            if block not in spent:
                spent[block] = len(kept)
                kept.append(base)
                chosen.append(state.chosen[:])
                chosen[-1][colour] -= piece
            cell = before[tower]
            if tower >= 0:
                key = (cell & GAPS) << 4 | block
                cell = (cell >> HEIGHT << HEIGHT) + (table.steps[key] or table.step(key))[0]
            rows.append(spent[block])
            towers.append(tower)
            cells.append(cell)
    sums = Sums(board, np.array(kept), np.array(chosen))
    sums.build(np.array(rows), np.array(towers), np.array(cells))
    actors = np.array([state.table.next_seat[state.actor] for state in states])
    left = np.array([state.left - 1 for state in states])
    return numbers(board, sums, actors, left, np.zeros_like(left))


class Board:
    """What positions have in common with those that follow in the same round."""

    def __init__(self, states):
        self.players = players = states[0].players
        owned = 3 if players == 3 else 4  # nobody plays the fourth colour of three
        self.seat_of = np.array([colour % players if colour < owned else players for colour in COLOURS] + [players])
        self.rival = (self.seat_of[:, None] != self.seat_of[:4]).astype(np.float32)
        """By owner of a tower and colour: 1 if the colour is another seat's."""
        self.seats = (self.seat_of[:4] == np.arange(players + 1)[:, None]).astype(np.float32)
        """By seat and colour: 1 if the seat plays the colour."""
        self.in_play = (owned > COLOURS)[:, None]
        self.cells = np.array([state.cells for state in states])
        self.supply = self.blocks(np.array([state.supply for state in states]))
        self.points = np.array([state.points for state in states], np.float32)
        self.later = np.array([state.rounds() - state.round for state in states], np.float32) / 5
        self.start = np.array([state.start for state in states])

    def blocks(self, packed):
        """Return packed blocks by colour as numbers of blocks by colour and height."""
        return ((packed[..., None] >> np.array([0, 4, 8, 12]) & 15) * self.in_play).astype(np.float32)


class Sums:
    """Sums over the towers of positions. `base` is each one's index in the board, `blocks` what is left to place."""

    def __init__(self, board, base, chosen):
        self.board, self.base = board, base
        self.blocks = board.blocks(chosen)
        self.closes = self.blocks @ CLOSES
        self.supplies = board.supply @ CLOSES
        self.rows = rows = np.arange(len(base))
        low = board.cells[base]
        owner = (low >> OWNER & 7) - 1
        self.owner = np.where(owner < 0, NOBODY, owner)
        self.gaps = GAP[low & GAPS]
        self.now, self.later = self.threats(rows[:, None], self.owner, self.gaps)
        self.heights = low >> HEIGHT
        self.add_up()

    def threats(self, rows, owner, gaps):
        """Return the classes of threats, now and from supply, of towers with these owners and gaps."""
        rival, at = self.board.rival[owner], (rows[..., None], COLOURS, gaps)
        now = (self.closes[at] * rival).sum(-1)
        later = (self.supplies[(self.base[at[0]], *at[1:])] * rival).sum(-1)
        return NOW[now.astype(np.intp)], LATER[later.astype(np.intp)]

    def add_up(self):
        many, seats, rows = len(self.rows), self.board.players + 1, self.rows[:, None]
        seat = self.board.seat_of[self.owner]
        self.by_now = tally((many, seats, 6), rows, seat, self.now)
        self.by_later = tally((many, seats, 6), rows, seat, self.later)
        stays = STAYS[self.now]
        cities = (many, len(CITIES), 5), rows, CITY, self.owner
        self.towers = tally(*cities)
        self.soft = tally(*cities, weights=stays)
        self.then = tally(*cities, weights=stays * LASTS[self.later])
        takes, reaches, at = self.targets(rows, self.owner, self.gaps)
        self.takes = tally((many, 4, 5), rows[..., None], COLOURS, at, weights=takes)
        self.reaches = tally((many, 4, 5), rows[..., None], COLOURS, at, weights=reaches)
        order = np.argsort(self.heights, axis=1)[:, :-4:-1]
        self.order, self.tops = order, np.take_along_axis(self.heights, order, 1)
        own = np.where(seat[:, None] == np.arange(seats)[:, None], self.heights[:, None], 0)
        self.own_at, self.tallest = own.argmax(2), own.max(2)
        np.put_along_axis(own, self.own_at[..., None], 0, 2)
        self.own_second = own.max(2)
        self.peak, self.second = self.tops[:, 0], self.tops[:, 1]
        self.lord, self.peril = self.owner[self.rows, order[:, 0]], self.now[self.rows, order[:, 0]]

    def targets(self, rows, owner, gaps):
        """Return by colour whether it can take towers now, and whether any block could, and the height it needs."""
        rival = (self.board.rival[owner] > 0) & (owner != NOBODY)[..., None]
        return rival & (self.closes[rows[..., None], COLOURS, gaps] > 0), rival & (gaps < 5), np.maximum(gaps - 1, 0)

    def build(self, rows, where, cells):
        """Change one tower: from now on there is a row for each of `rows` where `cells` replaces the cell of a tower.

        A `where` of -1 changes nothing.
        """
        built = where >= 0
        old = self.owner[rows, where], self.now[rows, where], self.later[rows, where], self.gaps[rows, where]
        owner = np.where(built, (cells >> OWNER & 7) - 1, old[0])
        gaps = np.where(built[:, None], GAP[cells & GAPS], old[3])
        new = owner, *self.threats(rows, owner, gaps), gaps
        heights = np.where(built, cells >> HEIGHT, self.heights[rows, where])
        self.raise_tops(rows, where, heights, new)
        for name in ("by_now", "by_later", "towers", "soft", "then", "takes", "reaches"):
            setattr(self, name, getattr(self, name)[rows])
        for tower, sign in ((old, -1), (new, 1)):
            self.count(rows, CITY[where], tower, sign)
        self.blocks, self.base, self.rows = self.blocks[rows], self.base[rows], np.arange(len(rows))

    def count(self, rows, city, tower, sign):
        """Add towers to the sums, or take them away."""
        owner, now, later, gaps = tower
        every, seat = np.arange(len(rows)), self.board.seat_of[owner]
        self.by_now[every, seat, now] += sign
        self.by_later[every, seat, later] += sign
        self.towers[every, city, owner] += sign
        self.soft[every, city, owner] += sign * STAYS[now]
        self.then[every, city, owner] += sign * STAYS[now] * LASTS[later]
        takes, reaches, at = self.targets(rows, owner, gaps)
        corner = every[:, None], COLOURS, at
        self.takes[corner] += sign * takes
        self.reaches[corner] += sign * reaches

    def raise_tops(self, rows, where, heights, new):
        """Find the highest towers when one has changed: it, or the best of the others."""
        owner, now, _, _ = new
        order, tops = self.order[rows], self.tops[rows]
        first, second = order[:, 0] == where, order[:, 1] == where
        rest, rest_at = np.where(first, tops[:, 1], tops[:, 0]), np.where(first, order[:, 1], order[:, 0])
        third = np.where(first | second, tops[:, 2], tops[:, 1])
        mine = heights > rest
        self.peak = np.where(mine, heights, rest)
        self.second = np.where(mine, rest, np.maximum(heights, third))
        self.lord = np.where(mine, owner, self.owner[rows, rest_at])
        self.peril = np.where(mine, now, self.now[rows, rest_at])
        own = np.where(self.own_at[rows] == where[:, None], self.own_second[rows], self.tallest[rows])
        at = np.arange(len(rows)), self.board.seat_of[owner]
        own[at] = np.maximum(own[at], heights)
        self.tallest = own


def numbers(board, sums, actors, left, selecting):
    """Return the numbers of positions. `actors`, `left` and `selecting` are those of the states, by base."""
    base, every, players = sums.base, sums.rows, board.players
    later = board.later[base][:, None]
    x = np.zeros((len(every), players + 1, SIZE), np.float32)
    x[..., TOWERS_NOW] = sums.by_now
    x[..., TOWERS_NOW_LATER] = sums.by_now * later[..., None]
    x[..., TOWERS_LATER] = sums.by_later * later[..., None]
    by_colour(board, sums, x)
    x[..., MAJORITIES_LATER] *= later
    x[..., REACHES_LATER] *= later[..., None] / 4
    x[..., CHOSEN_LATER] = x[..., CHOSEN] * later[..., None]
    lead, seat = sums.peak - sums.second, board.seat_of[sums.lord]
    x[every, seat, HIGHEST + (sums.peril > 0) + (sums.peril > 2)] = lead > 0
    x[every, seat, HIGHEST_LATER + (lead > 2) + (lead > 4)] = (lead > 0) * later[:, 0]
    x[..., BELOW] = np.clip(sums.tallest - sums.peak[:, None], -8, 0) / 4
    x[:, :players, POINTS] = board.points[base] / 10
    seats = np.arange(players + 1)
    turn, order = (seats - actors[base][:, None]) % players, (seats - board.start[base][:, None]) % players
    x[..., NEXT], x[..., LAST] = turn == 0, turn == players - 1
    x[..., ORDER], x[..., ENDS] = order / players, order == players - 1
    x[..., ROUNDS], x[..., FINAL] = later, later == 0
    x[..., BLOCKS], x[..., SELECTING] = left[base][:, None] / 24, selecting[base][:, None] / 4
    x[..., SELECTED] = (x[..., CHOSEN].sum(-1) > 0) & (selecting[base] > 0)[:, None]
    return x[:, :players]


def by_colour(board, sums, x):
    """Give each seat the sums of what its colours have: with two players there are two for each."""
    leads, own = np.clip(leads_of(sums.towers), -2, 3), sums.towers[..., :4] > 0
    cities = [(own & (leads == lead)).sum(1) for lead in range(-1, 4)]
    cities += [np.clip(leads_of(held) * 0.8, 0, 1).sum(1) for held in (sums.soft, sums.then)]
    x[..., LEADS : MAJORITIES_LATER + 1] = board.seats @ np.stack(cities, -1).astype(np.float32)
    x[..., TAKES] = board.seats @ sums.takes[..., :4].astype(np.float32)
    x[..., REACHES_LATER] = board.seats @ sums.reaches[..., :4].astype(np.float32)
    x[..., CHOSEN] = board.seats @ sums.blocks
    x[..., SUPPLY] = (board.seats @ board.supply)[sums.base]


def leads_of(held):
    """Return by colour its lead over the best other colour in each city; `held` is by row, city and owner."""
    held = held[..., :4]
    ranked = np.sort(held, axis=-1)
    first, second = ranked[..., 3:], ranked[..., 2:3]
    return held - np.where(held == first, second, first)


def tally(shape, *index, weights=None):
    """Return an array of this shape with the number of times that each index occurs, or the sum of its weights."""
    first, second, third = index
    flat = (first * shape[1] + second) * shape[2] + third
    size = shape[0] * shape[1] * shape[2]
    return np.bincount(flat.ravel(), None if weights is None else weights.ravel(), minlength=size).reshape(shape)
