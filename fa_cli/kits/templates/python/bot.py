"""A bot with a few simple rules. Change them, and see with `fa tournament run` whether it has become better.

For each decision the referee sends a line with an observation (all that this seat may know) and the legal actions.
Each game below has a function that gives an action a value, in whole numbers; of the actions with the highest value
one is played. Which words an action is made of, and what they mean: `fa rules GAME`.
"""

from __future__ import annotations  # the types are there for editors and type checkers, and are not looked at here

from typing import TYPE_CHECKING, Any

from fa_cli.bot import run

if TYPE_CHECKING:
    from collections.abc import Callable

    from messages import Decide, FifthAvenueObservation, ManhattanObservation, NewYorkObservation, Start


# -- Fifth Avenue ------------------------------------------------------------------------------------------------------


def fifth_avenue(seen: FifthAvenueObservation, words: list[str], start: Start) -> int:
    """`seen` is the observation, `words` are those of the action: `score TS` is ["score", "TS"].

    `start` is the game's first line: `start["board"]["rings"]` has the plots of each district in a circle.
    """
    me = seen["seats"][seen["seat"]]
    match words:
        case ["place", where]:  # the first skyscrapers: where there is business next door
            district, plot = where.split(".")
            return seen["board"][district][plot]["value"]
        case ["score", district]:  # worth it if I get more than the others
            return 2 * lead(seen, district)
        case ["skyscrapers"]:
            return 3 if me["supply"] < 3 else 0
        case ["commissioner"]:  # brings a black card, which is a joker
            return 1
        case ["draw", *colours]:  # high cards win auctions
            return sum(seen["stacks"][colour]["top"] or 0 for colour in colours if colour != "none")
        case ["move", _, place]:  # to where a scoring would be good for me
            return lead(seen, place)
        case ["bid", suit, card]:
            auction = seen["auction"]
            missing = auction["high"] - auction["bids"][seen["seat"]]["total"] if auction else 0
            if missing >= 12 or me["supply"] == 0:
                return -1  # too dear, or nothing to build with
            # Low cards allow more skyscrapers; jokers are worth keeping.
            return 10 - int(card) - (3 if suit == "black" else 0)
        case ["done"]:
            return 100
        case ["build", count]:
            return int(count)
        case ["stop"]:
            return -1
    return 0  # business, pass


def lead(seen: FifthAvenueObservation, district: str) -> int:
    """What I would get if the district were scored now, less what the best of the others would."""
    points = [0] * len(seen["seats"])
    for plot in seen["board"].get(district, {}).values():
        owner = plot.get("owner")  # fields that would be empty are left out
        if owner is not None and owner < len(points):  # with two players seat 2 is Alea, who gets no points
            points[owner] += plot["value"] * plot.get("skyscrapers", 0)
    mine = points.pop(seen["seat"])
    return mine - max(points)


# -- Manhattan ---------------------------------------------------------------------------------------------------------


def manhattan(seen: ManhattanObservation, words: list[str], start: Start) -> int:
    me = seen["seats"][seen["seat"]]
    match words:
        case ["select", *heights]:  # something of everything
            return len(set(heights))
        case ["build", card, city, height, *_]:
            site = me["sites"][int(card) - 1]  # which site a card means depends on where one sits
            tower = seen["cities"][city][site - 1]
            if tower is None:
                return 6 - int(height)
            if tower["owner"] in me["colours"]:
                return 0
            # Its owner loses a point and I win one, with the lowest block that will do.
            return 8 + tower["height"] - int(height)
        case ["discard", _, height, *_]:
            return -int(height)
    return 0


# -- New York ----------------------------------------------------------------------------------------------------------


def new_york(seen: NewYorkObservation, words: list[str], start: Start) -> int:
    if seen["phase"] == "first-stones":
        return 0  # nobody knows yet whose stones these will be
    match words:
        case ["use", colour]:
            return seen["colours"][colour]["board"]
        case ["play", avenue, street]:  # a star marks a joker, which is worth keeping
            jokers = (avenue + street).count("*")
            return crossing(seen, int(avenue.lstrip("*")), int(street.lstrip("*"))) - jokers
        case ["place", cell]:  # a3s5 is where avenue 3 crosses street 5
            return crossing(seen, int(cell[1]), int(cell[3]))
        case ["remove", cell]:
            return -touching(seen, int(cell[1]), int(cell[3]))
        case ["developer", _, _, cell]:
            return crossing(seen, int(cell[1]), int(cell[3])) + 2
        case ["speculation" | "statics", *_]:
            return 4
    return 0  # renovation, ruin, redraw, pass


def crossing(seen: NewYorkObservation, avenue: int, street: int) -> int:
    """What a stone of mine there is worth: the longest chain counts double, so it should touch others of mine."""
    there = at(seen, avenue, street)
    if there == mine(seen):
        return -10  # it would go back to my stock
    return 3 * touching(seen, avenue, street) + (3 if there is None else 1)  # what is free costs nothing


def touching(seen: NewYorkObservation, avenue: int, street: int) -> int:
    """How many stones of mine are beside it."""
    beside = ((avenue - 1, street), (avenue + 1, street), (avenue, street - 1), (avenue, street + 1))
    return sum(at(seen, *place) == mine(seen) for place in beside)


def mine(seen: NewYorkObservation) -> str | None:
    """The colour that I place or give up."""
    return seen["stone"] or seen["colour"]


def at(seen: NewYorkObservation, avenue: int, street: int) -> str | None:
    """The colour that stands there; None for nothing, "" beyond the edge of the board."""
    return seen["board"][avenue - 1][street - 1] if 1 <= avenue <= 7 and 1 <= street <= 7 else ""


# -- the choice --------------------------------------------------------------------------------------------------------

GAMES: dict[str, Callable[[Any, list[str], Start], int]] = {
    "fifth-avenue": fifth_avenue,
    "manhattan": manhattan,
    "new-york": new_york,
}


def unknown(seen: Any, words: list[str], start: Start) -> int:
    """For a game that came later: all actions are worth the same."""
    return 0


class Dice:
    """Chance from `bot_seed`, so that the same game played again is the same game; `random.Random` would do as well."""

    def __init__(self, bot_seed: str) -> None:
        self._state = int(bot_seed[-7:], 16)

    def pick(self, actions: list[str]) -> str:
        self._state = (self._state * 1103515245 + 12345) % 2**31
        return actions[(self._state >> 16) % len(actions)]


class Player:
    """What is remembered during a game."""

    start: Start | None = None
    dice: Dice

    def choose(self, decide: Decide, start: Start) -> str:
        """One of the legal actions."""
        if start is not self.start:  # a new game: nothing is left of the last one
            self.start, self.dice = start, Dice(start["bot_seed"])
        value = GAMES.get(start["game"], unknown)
        values = [value(decide["observation"], action.split(), start) for action in decide["legal"]]
        best = max(values)
        return self.dice.pick([action for action, worth in zip(decide["legal"], values, strict=True) if worth == best])


if __name__ == "__main__":
    # `run` reads the lines of the protocol and writes the answers. What is printed elsewhere goes to standard error.
    run(Player().choose, wants=["legal", "observation"])  # type: ignore[arg-type]  # its dictionaries have our types
