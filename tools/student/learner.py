"""A value network that learns: gradients of the cross-entropy by hand, and Adam."""

from __future__ import annotations

import numpy as np

from .bot import NAMES, Network, softmax

Arrays = dict[str, np.ndarray]
HIDDEN = 64
DECAY = 1e-5


class Learner:
    """The arrays of one network, with Adam's moments. `scale` makes numbers comparable; networks include it."""

    def __init__(self, seats: int, scale: np.ndarray, generator: np.random.Generator) -> None:
        size = len(scale)
        self.seats, self.scale, self.steps = seats, scale, 0
        self.arrays: Arrays = {
            "direct": np.zeros(size),
            "own": generator.normal(size=(size, HIDDEN)) / np.sqrt(2 * size),
            "others": generator.normal(size=(size, HIDDEN)) / np.sqrt(2 * size),
            "bias": np.zeros(HIDDEN),
            "out": generator.normal(size=HIDDEN) / 100,
        }
        self.arrays = {name: array.astype(np.float32) for name, array in self.arrays.items()}
        self.means = {name: np.zeros_like(array) for name, array in self.arrays.items()}
        self.squares = {name: np.zeros_like(array) for name, array in self.arrays.items()}

    def network(self) -> Network:
        """Return the network as it is now."""
        return Network(self.scaled(), self.seats)

    def scaled(self) -> Arrays:
        """Return the arrays for numbers as they are."""
        scale = {"direct": self.scale, "own": self.scale[:, None], "others": self.scale[:, None]}
        return {name: self.arrays[name] * scale.get(name, 1) for name in NAMES}

    def learn(self, numbers: np.ndarray, target: np.ndarray, rate: float) -> float:
        """Make one step towards these shares, and return the cross-entropy before it."""
        own = numbers.astype(np.float32) * self.scale
        others = (own.sum(1, keepdims=True) - own) / (self.seats - 1)
        arrays = self.arrays
        hidden = np.maximum(own @ arrays["own"] + others @ arrays["others"] + arrays["bias"], 0)
        shares = softmax(own @ arrays["direct"] + hidden @ arrays["out"])
        error = (shares - target) / len(target)
        back = error[..., None] * arrays["out"] * (hidden > 0)
        self.step(
            {
                "direct": np.tensordot(error, own, 2),
                "own": np.tensordot(own, back, ((0, 1), (0, 1))),
                "others": np.tensordot(others, back, ((0, 1), (0, 1))),
                "bias": back.sum((0, 1)),
                "out": np.tensordot(error, hidden, 2),
            },
            rate,
        )
        return float(-(target * np.log(shares + 1e-9)).sum(1).mean())

    def step(self, gradients: Arrays, rate: float) -> None:
        """Adam (Kingma and Ba 2015)."""
        self.steps += 1
        for name, array in self.arrays.items():
            gradient = gradients[name] + DECAY * array
            self.means[name] = 0.9 * self.means[name] + 0.1 * gradient
            self.squares[name] = 0.999 * self.squares[name] + 0.001 * gradient**2
            mean = self.means[name] / (1 - 0.9**self.steps)
            square = self.squares[name] / (1 - 0.999**self.steps)
            self.arrays[name] = (array - rate * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)

    def saved(self) -> Arrays:
        """Return all that `restore` needs."""
        kept = {"steps": np.array(self.steps)}
        for kind, arrays in (("array", self.arrays), ("mean", self.means), ("square", self.squares)):
            kept |= {f"{kind}.{name}": array for name, array in arrays.items()}
        return kept

    def restore(self, kept: Arrays) -> None:
        """Go on from what `saved` returned."""
        self.steps = int(kept["steps"])
        for kind, arrays in (("array", self.arrays), ("mean", self.means), ("square", self.squares)):
            arrays.update({name: kept[f"{kind}.{name}"] for name in NAMES})
