"""A policy that looks at what the game's heuristics think well of, and judges positions in its own way."""

TAKEN_OVER = ("EXPLORE", "TRUST", "PAIRED", "WIDTH", "WIDEN", "SCALE", "searches", "opinions")


class ByHeuristics:
    """The policy for one decision; fa_cli.games.search says what its parts mean. Subclasses have the rest of them."""

    def __init__(self, heuristics):
        for name in TAKEN_OVER:
            setattr(self, name, getattr(heuristics, name))
