"""Recorded games for the tests of drawings and pages."""

from __future__ import annotations

import re

from fa_cli.game_result import Fault, FaultKind, GameResult, rank_seats
from fa_cli.games.contract import State
from fa_cli.match.simulate import make_simulation
from fa_cli.replay.narrate import Boards, narrate_game
from fa_cli.replay.reconstruct import deal_of
from fa_cli.replay.record import Record, digest_of

NAMES = ("fifth-avenue", "manhattan", "new-york")
SHORT = {"fifth-avenue": {"turn_limit": 6}, "manhattan": {}, "new-york": {"turn_limit": 8}}
"""By game: options that make it short."""
MARKUP = "</script><b>\u2028\u202e&amp;"
"""What a bot may write into its messages: markup, a line separator, a change of the direction of text."""


def recorded(game: str, players: int | None = None, seed: str = "viewer", number: int = 0) -> Record:
    """A short random game that has a time for each decision."""
    record = make_simulation(game, players, SHORT[game], 1, seed).play(number)[0]
    record.meta["times_us"] = [100 * ply for ply in range(len(record.actions))]
    return record


def with_fault(record: Record, seat: int = 1, detail: str = MARKUP) -> Record:
    """The same deal, in which a seat's bot fails at its third decision; the others choose as before where they can."""
    game, state = deal_of(record)
    actions, fault, turns = list[str](), None, 0
    wanted = iter(record.actions)
    while not state.is_over():
        legal = state.legal()
        turns += state.actor == seat
        if state.actor == seat and turns == 3:
            fault = Fault(seat, len(actions), FaultKind.PROTOCOL)
        number = game.action_numbers.get(next(wanted, ""), -1)
        if number not in legal or (fault and state.actor == seat):
            number = legal[0]
        actions.append(game.actions[number])
        state.apply(number)
    assert fault is not None
    record.actions, record.faults = actions, [fault]
    record.result = GameResult(state.scores(), rank_seats(state.standing(), [fault]), state.reason())
    record.meta |= {"times_us": [100] * len(actions)}
    record.meta["fault_details"] = [{"seat": seat, "ply": fault.ply, "detail": detail}]
    record.digest = digest_of(record)
    return record


def printed(record: Record) -> list[list[str]]:
    """By position: the sentences that `fa replay show` prints for it, the deal first."""
    told: list[list[str]] = [[]]
    faults: list[str] = []
    for line in narrate_game(record, Boards.END):
        ply, fault, more = (re.fullmatch(form, line) for form in (r" *(\d+)  (.+)", r" {7}! (.+)", r" {10}(.+)"))
        if line.startswith("The end: "):
            break
        if fault:
            faults.append(fault[1])
        elif ply and not more:
            assert int(ply[1]) == len(told) - 1
            told.append([*faults, ply[2]])
            faults = []
        elif more:
            told[-1].append(more[1])
        elif line and not line.startswith("    |"):
            told[0].append(line)
    return told


def states(record: Record) -> list[State]:
    """The state at each position."""
    game, state = deal_of(record)
    found = [state.copy()]
    for action in record.actions:
        state.apply(game.action_numbers[action])
        found.append(state.copy())
    return found
