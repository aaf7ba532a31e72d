"""What every layer shares: a game's result, its faults, a played game as statistics see it, and names of versions."""

from __future__ import annotations

import enum
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

_NUMBER = re.compile(r"\+[0-9]+\Z")


def base_name(bot: str) -> str:
    """The name of a bot without the number of its version: `greedy` of `greedy+2`."""
    return _NUMBER.sub("", bot)


class FaultKind(enum.Enum):
    """Why a bot lost control of its seat in a game (the `kind` of a record's fault)."""

    START = "start"
    TIMEOUT = "timeout"
    CRASH = "crash"
    PROTOCOL = "protocol"
    ILLEGAL = "illegal"
    RESOURCE = "resource"


class Failure(msgspec.Struct, frozen=True):
    """How a bot failed. `detail` is a sentence without its subject: `exited with status 3`."""

    kind: FaultKind
    detail: str


SUSPENDED = Failure(FaultKind.START, "is suspended after too many faults")
"""What records have for the seat of a suspended bot, which is not started: their kinds of faults are fixed, details are
free."""


ABSENT = Failure(FaultKind.START, "did not start when the run began")
"""What records have for the seat of a bot that was not there, or did not start, when the run began."""


RESIGNED = Failure(FaultKind.CRASH, "resigned")
"""What records have for a person who resigned."""


def is_suspension(kind: FaultKind, detail: object) -> bool:
    """Whether a fault of a record, with its detail in `meta`, is that of a suspended bot: no failure in this game."""
    return kind is FaultKind.START and detail == SUSPENDED.detail


class Loss(Failure, frozen=True):
    """A failure that is not the bot's: one of `fa`'s own processes around it was killed."""


class Refused(Failure, frozen=True):
    """A failure of a bot that was refused memory, processes, files or disk: by its limits, or for want of them."""


class Fault(msgspec.Struct, frozen=True):
    """A seat's bot failed: from `ply` (an index into the game's actions) on, the seat's actions are substitutes."""

    seat: int
    ply: int
    kind: FaultKind


class GameResult(msgspec.Struct, frozen=True):
    """How a game ended: one score and one rank per seat, and the game's word for the reason."""

    scores: list[int]
    ranks: list[int]
    reason: str


def have_all_failed(faults: Sequence[Fault], players: int) -> bool:
    """Whether every seat has a fault: then nobody wins."""
    return len({fault.seat for fault in faults}) == players


def rank_seats(standing: Sequence[tuple[int, ...]], faults: Sequence[Fault] = ()) -> list[int]:
    """One rank per seat: 1 + the number of seats ahead (1, 1, 3).

    `standing` has one key per seat, which includes the game's tie-breaks; a higher key is better. Seats with a fault
    rank behind all others, ordered among themselves by their first fault's ply: later is better, equal is a tie.
    """
    first_fault: dict[int, int] = {}
    for fault in faults:
        first_fault[fault.seat] = min(fault.ply, first_fault.get(fault.seat, fault.ply))
    keys: Sequence[tuple[Any, ...]] = standing
    if first_fault:
        keys = [(0, first_fault[seat]) if seat in first_fault else (1, *key) for seat, key in enumerate(standing)]
    falling = sorted(keys, reverse=True)
    return [1 + falling.index(key) for key in keys]


class By(enum.Enum):
    """What results can be split by."""

    SIDE = "side"
    VARIANT = "variant"
    PLAYERS = "players"
    GAME = "game"


class PlayedGame(msgspec.Struct, frozen=True):
    """One game's results, as statistics and leaderboards use them. Lists have an entry per seat."""

    log: str
    """The log's file name, without its extension."""
    index: int
    """The game's index in the log, from 0."""
    block: int
    """Games of a log with the same block share a deal; below 0: no other game has this deal."""
    stratum: int
    """A 32-bit number for the setting and the group of bots."""
    game: str
    side: str
    """The options whose values have ratings of their own, as `side=five`."""
    variant: str
    """The game, its options and the number of players."""
    bots: list[str]
    ranks: list[int]
    points: list[int]
    decisions: list[int]
    time_us: list[int]
    """Time for all decisions, in microseconds."""
    faults: list[Fault]
    fault_details: list[Mapping[str, Any]] = []
    """For each fault its `detail`, a sentence, and `stderr`, the end of the bot's output, if the log has them."""
    suspended: Collection[int] = ()
    """The seats with a fault only because their bots were suspended."""
    models: Sequence[Sequence[int]] = ()
    """For each seat the answers of its language model, those that were illegal or unreadable, the tokens, and the cost
    in millionths; empty if no seat has a model."""

    @property
    def deal(self) -> tuple[str, int]:
        """The block, unique across logs."""
        return self.log, self.block

    @property
    def faulted(self) -> set[int]:
        """The seats with a fault, those of suspended bots too."""
        return {fault.seat for fault in self.faults}

    @property
    def failed(self) -> set[int]:
        """The seats whose bots played and failed."""
        return self.faulted.difference(self.suspended)

    def label(self, by: By) -> str:
        """The part to which this game belongs when results are split."""
        if by is By.PLAYERS:
            return f"{len(self.bots)} players"
        return {By.GAME: self.game, By.SIDE: self.side, By.VARIANT: self.variant}[by]
