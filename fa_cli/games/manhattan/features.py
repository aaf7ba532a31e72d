"""Observations of Manhattan as numbers. Colours are in the order of their seats, the observer's first."""

from __future__ import annotations

from ..features import Features, count, from_observer, one_hot, seat_one_hot
from .board import CITIES, SITES
from .view import Observation, Tower

PHASES = ("select", "build", "over")


def features(observation: Observation) -> Features:
    """Encode the observation. Only the order in which cards were drawn and played is lost."""
    seen, me, players = observation, observation.seat, len(observation.seats)
    colours = [colour for seat in from_observer(seen.seats, me) for colour in seat.colours]
    return {
        "phase": one_hot(PHASES, seen.phase),
        "actor": seat_one_hot(players, me, seen.actor),
        "colour": one_hot(colours, seen.colour),
        "round": [seen.round, seen.rounds],
        "blocks": [seen.blocks],
        "start": seat_one_hot(players, me, seen.start),
        "towers": [number for city in CITIES for tower in seen.cities[city] for number in _tower(tower, colours)],
        "stocks": [
            number
            for colour in colours
            for stock in (seen.stocks[colour],)
            for number in (*stock.supply, *stock.chosen, *stock.discarded)
        ],
        "seats": [number for seat in from_observer(seen.seats, me) for number in (seat.points, seat.cards)],
        "sites": [site for seat in from_observer(seen.seats, me) for site in seat.sites],
        "hand": count(range(1, SITES + 1), seen.hand),
        "deck": [seen.cards.deck, seen.cards.shuffles],
        "shuffled": seen.cards.shuffled,
        "drawn": count(range(1, SITES + 1), seen.cards.drawn),
        "played": [
            number
            for seat in from_observer(range(players), me)
            for number in count(range(1, SITES + 1), [play.card for play in seen.cards.played if play.seat == seat])
        ],
        "unseen": seen.cards.unseen,
        "held": seen.cards.held,
    }


def _tower(tower: Tower | None, colours: list[str]) -> list[int]:
    """Return the owner's colour one-hot, the floors of every colour in play, and the number of blocks."""
    if tower is None:
        return [0] * (2 * len(colours) + 1)
    return [*one_hot(colours, tower.owner), *(tower.floors[colour] for colour in colours), len(tower.blocks)]
