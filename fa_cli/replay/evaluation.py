"""What each player could expect at every ply of a recorded game, and the decisions that cost their players most.

A share of the win is what the policy of a search (games/search.py) expects in a position, with all hands known. Whether
a decision was bad is judged by what its player knew: the search chooses again, and both actions are compared in the
same worlds, dealt so that the player would see what it saw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import fsum, inf
from typing import Any, NamedTuple

from ..game_result import rank_seats
from ..games.contract import ACTION, JournalEntry, State
from ..games.dice import Dice
from ..games.game import Game
from ..games.search import Policy, Search
from ..printing.text import printable
from .reconstruct import deal_of, play_again
from .record import Record

_POWERS = {("manhattan", 2): 0.55}
"""The power of the shares that predicts best who wins, where no network learned it: heuristics are too sure."""
_SEARCHED = 12
"""Decisions that are searched: those that lost the greatest shares at once."""
_ITERATIONS = 200
_WORLDS = 60
"""Worlds in which two actions are compared."""
_WORST = 3
_LEAST = 0.02
"""The smallest loss that counts; chance in the worlds explains smaller ones."""


class Slip(NamedTuple):
    """A decision after which its player could expect less than after another one."""

    ply: int
    seat: int
    played: str
    """The action in words, as the next."""
    better: str
    kept: float
    """The expected share of the win after the action, and after the better one."""
    possible: float


class Evaluation(NamedTuple):
    """What the search makes of a game."""

    players: list[str]
    shares: list[list[float]]
    """By position, the deal first: by seat the expected share of the win, 0 to 1."""
    slips: list[Slip]
    """The worst decisions, the worst first."""

    def expected(self, position: int) -> str:
        """A position's shares in words: `Expected: ann 61%, ben 39%`."""
        shares = zip(self.players, self.shares[position], strict=True)
        return f"Expected: {', '.join(f'{printable(name)} {share:.0%}' for name, share in shares)}"

    def remarks(self, ply: int) -> list[str]:
        """What is to be said of a decision."""
        return [
            f"One of the worst decisions: {slip.kept:.0%} of the win expected; {slip.possible:.0%} if {slip.better}"
            for slip in self.slips
            if slip.ply == ply
        ]

    def plain(self) -> dict[str, Any]:
        """What a record's `meta` has of it."""
        return {"shares": self.shares, "worst": [slip._asdict() for slip in self.slips]}

    def summary(self) -> Iterator[str]:
        """The worst decisions, a line each."""
        yield "The worst decisions:" if self.slips else "No decision lost much."
        for slip in self.slips:
            yield f"{slip.ply:5}  {slip.played}: {slip.kept:.0%} of the win expected from what this player knew"
            yield f"       {slip.possible:.0%} if {slip.better}"


def evaluate(record: Record, policy_of: Callable[[str, int], Policy], player: str | None = None) -> Evaluation:
    """Judge a record as far as it can be played; the same record gets the same answer.

    `policy_of(game, players)` returns the policy that judges it. The worst decisions are those of `player`, or of all.
    Raises UnknownGame, BadOption, BadPlayers or LogError if the record can't be dealt.
    """
    game, state = deal_of(record)
    policy = policy_of(game.name, state.players)
    state.journal = []
    before, shares, lost = [state.copy()], [_shares(game, policy, state.copy())], list[tuple[float, int]]()
    for decision in play_again(game, state, record):
        before.append(state.copy())
        shares.append(_shares(game, policy, state.copy()))
        if player in (None, record.players[decision.seat]):
            lost.append((shares[-2][decision.seat] - shares[-1][decision.seat], decision.ply))
    searched = [ply for _, ply in sorted(lost, reverse=True) if len(before[ply].legal()) > 1][:_SEARCHED]
    slips = filter(None, (_slip(game, policy, before[ply], ply, record) for ply in searched))
    worst = sorted(slips, key=lambda slip: slip.kept - slip.possible)[:_WORST]
    return Evaluation(record.players, shares, worst)


def _slip(game: Game, policy: Policy, state: State, ply: int, record: Record) -> Slip | None:
    """What a decision lost; None if the search would have decided in the same way, or nothing was lost."""
    seat, dice = state.actor, Dice(f"{record.seed} {ply}")
    played = game.action_numbers[record.actions[ply]]
    search = Search(policy, lambda: game.resample_from_infostate(state, seat, dice))
    better = search.run(_ITERATIONS, inf)
    if better == played:
        return None
    worlds = [game.resample_from_infostate(state, seat, dice) for _ in range(_WORLDS)]
    kept, possible = (_expected(game, policy, worlds, seat, action) for action in (played, better))
    if possible - kept < _LEAST:
        return None

    def words(action: int) -> str:
        entry: JournalEntry = (ACTION, seat, action)
        return printable(game.narrate(state, entry, record.players))

    return Slip(ply, seat, words(played), words(better), kept, possible)


def _expected(game: Game, policy: Policy, worlds: list[State], seat: int, action: int) -> float:
    """The mean of the seat's share after an action."""
    shares = []
    for world in worlds:
        after = world.copy()
        after.apply(action)
        shares.append(_shares(game, policy, after)[seat])
    return fsum(shares) / len(shares)


def _shares(game: Game, policy: Policy, state: State) -> list[float]:
    """By seat its share of the win: the expected one, or that of the result. May play the state on."""
    if state.is_over():
        ranks = rank_seats(state.standing())
        return [(rank == 1) / ranks.count(1) for rank in ranks]
    power = _POWERS.get((game.name, state.players), 1.0)
    weights = [share**power for share in policy.expect(state)]
    return [weight / fsum(weights) for weight in weights]
