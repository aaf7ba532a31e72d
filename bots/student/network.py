"""The value network: what share of the win each seat can expect. All seats have the same weights.

A seat's score is a linear function of its numbers, and of what a hidden layer makes of them and of the mean of its
opponents' numbers. The softmax of the scores is the shares.

Processors add in different orders. So numbers and weights are rounded to fractions that are added without an error,
and the same position is worth the same everywhere.
"""

import numpy as np

NAMES = ("direct", "own", "others", "bias", "out")
"""The arrays of a network; `own` and `others` are the halves of the hidden layer's weights."""


BLEND = 0.3  # the part of the target that counts points, which are less a matter of luck than the win
TEMPERATURE = 5.0  # points that multiply the odds by e in that part
NUMBER_BITS, WEIGHT_BITS = 10, 14  # of the fractions
DECIMALS = 9  # of shares: exponentials differ after some fifteen


class Network:
    """A network with these arrays."""

    def __init__(self, arrays, seats):
        self.seats = seats
        self.direct, own, others, self.bias, self.out = (rounded(arrays[name], WEIGHT_BITS) for name in NAMES)
        self.all = rounded(others / (seats - 1), WEIGHT_BITS)
        self.own = own - self.all

    def shares(self, numbers):
        """Return the shares by position and seat; `numbers` are by position, seat and number."""
        numbers = rounded(numbers, NUMBER_BITS)
        hidden = numbers @ self.own + (numbers.sum(1) @ self.all)[:, None] + self.bias
        return softmax(numbers @ self.direct + np.maximum(hidden, 0) @ self.out)


def rounded(numbers, bits):
    """Return these numbers with so many binary digits after the point."""
    return np.rint(numbers * 2.0**bits, dtype=np.float64) / 2.0**bits


def softmax(scores):
    weights = np.exp(scores - scores.max(1, keepdims=True))
    return (weights / weights.sum(1, keepdims=True)).round(DECIMALS)


def blended(won, points):
    """Return the target by game and seat: the share of the win, blended with a softmax of the points."""
    return (1 - BLEND) * won / won.sum(1, keepdims=True) + BLEND * softmax(points / TEMPERATURE)


def outcomes(states):
    """Return what finished games were worth, by game and seat."""
    standings = [state.standing() for state in states]
    won = np.array([[float(own == max(standing)) for own in standing] for standing in standings])
    return blended(won, np.array([[float(own[0]) for own in standing] for standing in standings]))


def load(path, seats):
    """Return the networks of a file by name; the file has arrays named `NETWORK.ARRAY`."""
    with np.load(path) as arrays:
        names = {name.split(".")[0] for name in arrays}
        return {name: Network({part: arrays[f"{name}.{part}"] for part in NAMES}, seats) for name in names}
