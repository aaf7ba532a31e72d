"""What a person clicks for an action: parts of the drawing, and buttons for what is not drawn.

A target is the key of a part (`viewer.drawing.Piece`), `place.CityHall` or another of `AREAS`, or `word:` and the text
of a button. An action is chosen by clicking its targets in any order, until no other action has them all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..viewer.drawing import Spot

View = dict[str, Any]
WORD = "word:"
AREAS: Mapping[str, Mapping[str, Spot]] = {
    "fifth-avenue": {"place.CityHall": (248, 892, 224, 88), "place.CentralPark": (12, 84, 696, 108)},
    "manhattan": {},
    "new-york": {},
}
"""By game: targets that are no part of the drawing, with their place on it."""


def targets(game: str, view: View, action: str) -> list[str]:
    """What to click for a legal action of the seat that has this view. Raises KeyError for an unknown game."""
    kind, *words = action.split()
    return _GAMES[game](view, kind, words)


def same_targets(game: str, view: View) -> dict[str, str]:
    """Parts that stand for another one: equal cards of a hand."""
    if game != "manhattan":
        return {}
    seat, hand = view["seat"], view["hand"]
    return {f"hand.{seat}.{at}": f"hand.{seat}.{hand.index(card)}" for at, card in enumerate(hand)}


def _fifth_avenue(view: View, kind: str, words: list[str]) -> list[str]:
    match kind, words:
        case "place", [plot]:
            return [f"plot.{plot}"]
        case "business", [tile, plot]:
            return [WORD + tile, f"plot.{plot}"]
        case "draw", colours if colours != ["none"]:
            return [f"stack.{colour}" for colour in colours]
        case "bid", [colour, value]:
            return [f"hand.{view['seat']}.{colour}.{value}"]
        case "move", [who, place]:
            at = f"place.{place}" if f"place.{place}" in AREAS["fifth-avenue"] else f"district.{place}"
            return [f"commissioner.{who}", at]
        case "score", [district]:
            return [f"district.{district}"]
    return [WORD + " ".join([kind, *words])]


def _manhattan(view: View, kind: str, words: list[str]) -> list[str]:
    seat = view["seat"]
    if kind == "select":
        return [f"supply.{view['colour']}.{height}" for height in words]
    card, *rest = words
    city = rest.pop(0) if kind == "build" else None
    height, colour = rest[0], rest[1] if rest[1:] else view["seats"][seat]["colours"][0]
    number = int(card)
    site = f"site.{city}.{view['seats'][seat]['sites'][number - 1]}" if city else WORD + kind
    return [f"hand.{seat}.{view['hand'].index(number)}", site, f"chosen.{colour}.{height}"]


def _new_york(view: View, kind: str, words: list[str]) -> list[str]:
    seat = view["seat"]

    def card(line: str, form: str) -> str:
        return f"hand.{seat}.{line} {'*' if form.startswith('*') else form}"

    def stones(colour: str) -> str:
        """The colour beside its player."""
        for owner, shown in enumerate(view["seats"]):
            if colour in shown["colours"]:
                return f"seat.{owner}.stones.{shown['colours'].index(colour)}"
        return WORD + colour

    match kind, words:
        case "place" | "remove", [cell]:
            return [f"stone.{cell}"]
        case "use", [colour]:
            return [stones(colour)]
        case "play", [avenue, street]:
            cell = f"stone.a{avenue.lstrip('*')}s{street.lstrip('*')}"
            return [card("avenue", avenue), card("street", street), cell]
        case "renovation" | "ruin", [back]:
            return [f"hand.{seat}.{kind} {back}"]
        case "speculation", [back, colour]:
            return [f"hand.{seat}.{kind} {back}", stones(colour)]
        case "developer", [back, partner, cell]:
            return [f"hand.{seat}.{kind} {back}", card(_PARTNER[back], partner), f"stone.{cell}"]
        case "statics", [back, partner, colour]:
            line = [WORD + f"{_PARTNER[back]} {partner.lstrip('*')}"] if partner.startswith("*") else []
            return [f"hand.{seat}.{kind} {back}", card(_PARTNER[back], partner), *line, stones(colour)]
    return [WORD + kind]


_PARTNER = {"red": "street", "blue": "avenue"}
"""By back of a developer or statics: the line of the card that is played with it."""
_GAMES: dict[str, Callable[[View, str, list[str]], list[str]]] = {
    "fifth-avenue": _fifth_avenue,
    "manhattan": _manhattan,
    "new-york": _new_york,
}
