"""A game that a person has left before its end, in a file beside the log that it will have."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import msgspec

from ..errors import FaError, LogError
from ..games.contract import State
from ..games.game import Game
from ..protocol.messages import Clock
from ..replay.reconstruct import deal_again
from ..replay.record import is_player_name
from ..results import Fault

ENDING = ".unfinished"


class Opponent(msgspec.Struct, frozen=True):
    """Who sits in a seat; without a path it is the house."""

    name: str
    path: str = ""
    digest: str = ""


class Unfinished(msgspec.Struct):
    """All that is needed to go on: the deal, who plays, and what was played so far."""

    game: str
    options: dict[str, int | str]
    seed: str
    """64 hex digits."""
    seat: int
    """The person's."""
    seats: list[Opponent]
    """By seat; the person's has only a name."""
    clock: Clock = Clock()
    sandbox: bool = False
    anonymous: bool = False
    started: str = ""
    actions: list[str] = []
    faults: list[Fault] = []
    fault_details: list[dict[str, Any]] = []
    format: Literal["fa-play/1"] = "fa-play/1"

    def deal(self) -> tuple[Game, State]:
        """The game, dealt anew. Raises FaError for a file that was changed by hand."""
        return deal_again(self.game, self.options, len(self.seats), self.seed)


def place_of(log: Path) -> Path:
    """Where the game is kept until it has this log."""
    return log.with_suffix(ENDING)


def save(path: Path, game: Unfinished) -> None:
    """Write it; the file is whole at any moment. Raises OSError."""
    aside = path.with_name(f"{path.name}.{os.getpid()}.part")
    aside.write_bytes(msgspec.json.format(msgspec.json.encode(game), indent=1) + b"\n")
    aside.replace(path)


@contextmanager
def kept_alone(path: Path) -> Iterator[None]:
    """While it is played, nobody else plays it. Raises LogError if somebody does; OSError."""
    lock = path.with_name(f".{path.name}.lock")
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise LogError(f"{path}: it is being played in another terminal") from None
        try:
            yield
        finally:
            lock.unlink(missing_ok=True)


def load(path: Path) -> Unfinished:
    """The game in this file. Raises LogError for a file that has none that can be played on; OSError."""
    try:
        game = msgspec.json.decode(path.read_bytes(), type=Unfinished)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise LogError(f"{path} is not an unfinished game: {error}") from None
    try:
        _check(game)
    except FaError as error:
        raise LogError(f"{path} can't be resumed: {error}") from None
    return game


def _check(game: Unfinished) -> None:
    played, state = game.deal()
    if not 0 <= game.seat < len(game.seats):
        raise LogError(f"there is no seat {game.seat}")
    for seat in game.seats:
        if not is_player_name(seat.name):
            raise LogError(f"no player is called {seat.name[:80]!r}")
    if game.clock.move_ms < 1 or game.clock.bank_ms < 0:
        raise LogError(f"a clock has at least 1 ms, not {min(game.clock.move_ms, game.clock.bank_ms)}")
    for fault in game.faults:
        if not 0 <= fault.seat < len(game.seats):
            raise LogError(f"there is no seat {fault.seat}")
    for ply, action in enumerate(game.actions):
        number = played.action_numbers.get(action, -1)
        if state.is_over() or number not in state.legal():
            raise LogError(f"ply {ply}: {action[:80]!r} is not legal there")
        state.apply(number)
