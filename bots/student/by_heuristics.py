"""A policy that looks at what the game's heuristics think well of, and judges positions in its own way."""

TAKEN_OVER = ("EXPLORE", "TRUST", "PAIRED", "WIDTH", "WIDEN", "SCALE", "searches", "opinions")


class ByHeuristics:
    """The policy for one decision; fa_cli.games.search says what its parts mean. Subclasses have the rest of them."""

    def __init__(self, heuristics):
        self.heuristics = heuristics
        for name in TAKEN_OVER:
            setattr(self, name, getattr(heuristics, name))

    def with_heuristics(self, shares, state):
        """Return by seat the mean of these shares and those that the heuristics expect."""
        return [(own + known) / 2 for own, known in zip(shares, self.heuristics.expect(state), strict=True)]
