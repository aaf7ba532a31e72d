"""Observations of New York as numbers. Colours keep their order, since stones to be placed are named by colour."""

from __future__ import annotations

from typing import get_args

from ..features import Features, count, from_observer, one_hot, seat_one_hot
from .board import CARDS_TEXT, CELLS_TEXT, COLOURS, STOP
from .view import PHASES, Observation, StopCards


def features(observation: Observation) -> Features:
    """Encode the observation. Lost are the turn limit, and the order of the hand and of the discard pile."""
    seen, me, players = observation, observation.seat, len(observation.seats)
    colours = COLOURS[: len(seen.colours)]
    return {
        "phase": one_hot(PHASES, seen.phase),
        "actor": seat_one_hot(players, me, seen.actor),
        "turn": seat_one_hot(players, me, seen.turn),
        "turns": [seen.turns],
        "options": [int(seen.options.actions == "on"), int(seen.options.chain == "line")],
        "colour": one_hot(colours, seen.colour),
        "stone": one_hot(colours, seen.stone),
        "cells": count(CELLS_TEXT, seen.cells),
        "chances": [seen.chances],
        "board": [number for avenue in seen.board for cell in avenue for number in one_hot(colours, cell)],
        "colours": [
            number
            for name in colours
            for colour in (seen.colours[name],)
            for number in (*seat_one_hot(players, me, colour.owner), colour.stock, colour.board)
        ],
        "seats": [
            number
            for seat in from_observer(seen.seats, me)
            for number in (seat.units, seat.red, seat.blue, seat.points, seat.chain)
        ],
        "hand": count(CARDS_TEXT[:STOP], seen.hand),
        "stock": [seen.stock, seen.shuffles],
        "discard": count(CARDS_TEXT[: STOP + 1], seen.discard),
        "stop_cards": one_hot(get_args(StopCards), seen.stop_cards),
    }
