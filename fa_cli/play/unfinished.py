"""An unfinished game of a person, saved in a file beside its future log."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from ..decoding import built
from ..errors import FaError, LogError
from ..game_result import Fault
from ..games.contract import JournalEntry, State
from ..games.game import Game
from ..games.seed import Seed, decode_seed, encode_seed
from ..isolation.discovery import Bot, read_bot
from ..match.player import Player
from ..match.referee import GameObserver, play
from ..match.scripted import Script, scripts_of
from ..match.single_game import anonymity_meta
from ..protocol.messages import Clock
from ..replay.reconstruct import deal_again
from ..replay.record import Record, is_player_name
from ..system import lock, read_regular, write_atomically

Saved = TypeVar("Saved", bound=msgspec.Struct)
ENDING = ".unfinished"
_LARGEST = 1 << 23
"""The most bytes of an unfinished game."""


class Opponent(msgspec.Struct, frozen=True):
    """The player of a seat; without a path the built-in opponent or the person."""

    name: str
    path: str = ""
    digest: str = ""


class Unfinished(msgspec.Struct):
    """All that is needed to resume a game: the deal, the players, and the actions so far."""

    game: str
    options: dict[str, int | str]
    seed: Seed
    """It is 64 hex digits in the file."""
    seat: int
    """The person's seat."""
    seats: list[Opponent]
    """The players by seat; the person has only a name."""
    clock: Clock = Clock()
    sandbox: bool = False
    anonymous: bool = False
    started: str = ""
    actions: list[str] = []
    faults: list[Fault] = []
    fault_details: list[dict[str, Any]] = []
    spent: list[Annotated[float, msgspec.Meta(ge=0, le=1e9)]] = []
    """By seat: seconds for decisions so far; empty if unknown."""
    format: Literal["fa-play/1"] = "fa-play/1"

    @property
    def names(self) -> list[str]:
        """The players by seat."""
        return [seat.name for seat in self.seats]

    def deal(self) -> tuple[Game, State]:
        """The game and its state before the first action. Raises FaError for a file that was edited into nonsense."""
        return deal_again(self.game, self.options, len(self.seats), self.seed)

    def scripts(self) -> list[Script]:
        """By seat: what has been answered so far."""
        scripts = scripts_of(*self.deal(), self.actions, self.faults, {"fault_details": self.fault_details})
        for script, seconds in zip(scripts, self.spent, strict=False):
            script.spent = seconds
        return scripts

    def play(
        self, players: Sequence[Player], observer: GameObserver, people: Mapping[str, Any], reveal_seed: bool = True
    ) -> tuple[Record, bytes]:
        """Play to the end, as `play` does; `people` is what the record's `meta` says of them."""
        game = self.deal()[0]
        return play(
            game,
            game.make_options(self.options),
            players,
            self.names,
            self.seed,
            self.clock,
            meta={"started": self.started, **people, **anonymity_meta(self.anonymous)},
            reveal_seed=reveal_seed,
            anonymous=self.anonymous,
            observer=observer,
        )


def unfinished_path(log: Path) -> Path:
    """The file of the unfinished game that will have this log."""
    return log.with_suffix(ENDING)


def save(path: Path, game: msgspec.Struct, replace: bool = True, mode: int = 0o666) -> None:
    """Save a Struct with a game; the file is complete at any moment. Raises OSError; FileExistsError unless `replace`.

    `mode`: that of the file, as in `write_atomically`.
    """
    content = msgspec.json.format(msgspec.json.encode(game, enc_hook=encode_seed), indent=1) + b"\n"
    write_atomically(path, content, replace=replace, mode=mode)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Holds the game's lock. Raises LogError if the game is being played in another terminal, OSError."""
    locked_file = path.with_name(f".{path.name}.lock")
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # a pipe there would block
    file = os.open(locked_file, flags, 0o666)
    try:
        if not lock(file):
            raise LogError(f"{path}: it is being played in another terminal")
        try:
            yield
        finally:
            locked_file.unlink(missing_ok=True)
    finally:
        os.close(file)


def load(path: Path) -> Unfinished:
    """Load a game. Raises LogError if the file does not hold a game that can be resumed, OSError."""
    return load_as(path, Unfinished, "an unfinished game", "resumed", check)


def load_as(path: Path, kind: type[Saved], what: str, used: str, check: Callable[[Saved], None]) -> Saved:
    """Load a Struct that `save` wrote.

    Raises LogError if the file is not `what`, or can't be `used` because `check` raises FaError; OSError.
    """
    try:
        saved = msgspec.json.decode(read_regular(path, _LARGEST), type=built(kind), dec_hook=decode_seed)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise LogError(f"{path} is not {what}: {error}") from None
    try:
        check(saved)
    except FaError as error:
        raise LogError(f"{path} can't be {used}: {error}") from None
    return saved


def check(game: Unfinished) -> None:
    """Check that the game can be played on. Raises FaError."""
    rules, state = game.deal()
    if not 0 <= game.seat < len(game.seats):
        raise LogError(f"no seat {game.seat}")
    for seat in game.seats:
        if not is_player_name(seat.name):
            raise LogError(f"no player is called {seat.name[:80]!r}")
    for fault in game.faults:
        if not 0 <= fault.seat < len(game.seats):
            raise LogError(f"no seat {fault.seat}")
    for ply, action in enumerate(game.actions):
        number = rules.action_numbers.get(action, -1)
        if state.is_over() or number not in state.legal():
            raise LogError(f"ply {ply}: {action[:80]!r} is not legal there")
        state.apply(number)


def same_opponents(game: Unfinished, sandboxed: bool, warn: Callable[[str], None]) -> list[Bot | None]:
    """The bots of a saved game as they are now, by seat; None for a seat without a program.

    `warn` gets a sentence for each that has changed. Raises BotError.
    """
    bots: list[Bot | None] = []
    for seat in game.seats:
        bot = read_bot(seat.path, sandboxed=sandboxed) if seat.path else None
        if bot and bot.digest != seat.digest:
            warn(f"{seat.name} has changed since the game was saved ({seat.path})")
        bots.append(bot)
    return bots


class GameSoFar:
    """The part of a referee's observer that knows what an unfinished game is saved with."""

    def __init__(self, unfinished: Unfinished) -> None:
        self.unfinished = unfinished
        self.game = unfinished.deal()[0]
        """The rules."""
        self.names = unfinished.names
        self.state: State
        """The referee's state, from the deal on."""
        self.actions: list[str] = []
        self.faults: list[Fault] = []
        self.details: list[dict[str, Any]] = []
        self._journal_length = 0

    def dealt(self, state: State) -> None:
        """The cards are dealt."""
        self.state = state

    def take_entries(self) -> list[JournalEntry]:
        """The journal's entries of the action that was just applied: the action, then its consequences."""
        journal = self.state.journal or []
        entries, self._journal_length = journal[self._journal_length :], len(journal)
        self.actions.append(self.game.actions[entries[0][2]])
        return entries

    def failed(self, fault: Fault, detail: str, stderr: str) -> None:
        """A bot failed."""
        self.faults.append(fault)
        self.details.append({"seat": fault.seat, "ply": fault.ply, "detail": detail})

    def bring(self, players: Sequence[Player]) -> bool:
        """Bring the unfinished game up to date; false while what it was saved with is being played again."""
        saved = self.unfinished
        if len(self.actions) < len(saved.actions):
            return False
        saved.actions, saved.faults, saved.fault_details = self.actions[:], self.faults[:], self.details[:]
        saved.spent = [player.spent for player in players]
        return True
