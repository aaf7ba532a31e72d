"""A table: one game, played in a thread of its own by people and bots, saved after each action."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import msgspec

from ..errors import FaError, in_words
from ..game_result import RESIGNED, Failure, Fault, FaultKind
from ..games.contract import State
from ..games.game import Game
from ..isolation.bot_session import BotSession
from ..isolation.discovery import Bot
from ..isolation.limits import Limits
from ..match.player import Player
from ..match.scripted import ResumedPlayer, Script
from ..play.second_person import addressed, describe_to, second_person
from ..play.unfinished import GameSoFar
from ..printing.text import printable
from ..replay.log_entry import entry_of
from ..replay.log_writer import write_new_log
from ..replay.narrate import how_won
from ..replay.record import Record, fault_words
from ..viewer.drawing import closed
from .draft import colour_asked
from .messages import HandOver, Return
from .person_seat import Closed, PersonSeat
from .saved_table import SPECTATOR, Audience, SavedTable, save_table

NOBODY = -1
"""The seat of a viewer who has no cards: he sees what all see."""


class Moment(NamedTuple):
    """The deal, or the position after an action, for all who may see it."""

    ply: int
    """The number of actions so far."""
    actor: int
    """The seat to decide, -1 at the end."""
    views: dict[Audience, dict[str, Any]]
    """By audience: what it sees, as `Game.view` returns it."""
    told: dict[Audience, list[str]]
    """By audience: what has happened since the moment before, in sentences."""
    spent: list[float]
    """By seat: seconds for decisions so far; empty if unknown."""
    texts: dict[Audience, str]
    """By seat of a person: the position as text, as the terminal shows it."""


class Question(NamedTuple):
    """A person is to decide."""

    ply: int
    seat: int
    state: State
    """A copy, which is nobody else's."""
    asked_at: float
    """By `time.monotonic`."""


class Finish(NamedTuple):
    """The game is over."""

    record: Record
    won: dict[Audience, str]
    """By audience: who won, in a sentence."""


class Out(NamedTuple):
    """A person is out of the game: failed, or the stand-in did."""

    seat: int


class Broken(NamedTuple):
    """The game can't go on: a sentence for the terminal."""

    why: str


_UNSPOKEN = {FaultKind.ILLEGAL: "answered with an illegal action", FaultKind.PROTOCOL: "broke the protocol"}
"""What is told of faults whose details may name hidden cards."""
News = Moment | Question | Finish | Out | Broken
Tell = Callable[[News], None]


class Cast(NamedTuple):
    """What pages show of a game that does not change."""

    heading: str
    game: Game
    names: Sequence[str]
    """The players by seat."""
    people: Sequence[int] = ()
    """The seats of people."""
    came: Sequence[int] = ()
    """Those who have opened their page once; more may come."""
    handed_over: Sequence[int] = ()
    """Those for whom a bot plays; it changes."""
    resigned: Sequence[int] = ()
    """Those of people who are out of the game; more may come."""
    person_seconds: int | None = None
    """The time for a person's decision."""
    stand_in: str = ""
    """The bot that can play for a person; empty if none can."""

    @property
    def awaited(self) -> list[int]:
        """The seats of people who are still to come."""
        return [seat for seat in self.people if seat not in (*self.came, *self.handed_over, *self.resigned)]


class PacedBot(ResumedPlayer):
    """A bot's session that calls `wait` after each decision of its own; after a script, as `ResumedPlayer`."""

    def __init__(self, session: Player, script: Script, wait: Callable[[], None]) -> None:
        super().__init__(session, script)
        self._wait = wait

    def decide(self, *arguments: Any) -> Any:
        is_own = not self._script.answers
        answer = super().decide(*arguments)
        if is_own:
            self._wait()
        return answer


class Table(GameSoFar):
    """A game from its deal or where it was saved to its end. `tell` gets the news, in the game's thread.

    It observes the referee, and says what has happened, to each audience what it may know.

    `bots`: by seat, None for people; `stand_in`: the bot that plays for people who leave.
    """

    def __init__(
        self,
        number: int,
        saved: SavedTable,
        files: tuple[Path, Path],
        bots: Sequence[Bot | None],
        stand_in: Bot | None,
        limits: Limits,
        tell: Tell,
    ) -> None:
        super().__init__(saved.game)
        self.saved = saved
        self._path, self._log = files
        self._limits = limits
        self._stand_in = stand_in
        self._tell = tell
        self._closing = threading.Event()
        self._saving = threading.Lock()
        self._is_over = False
        self._shown_at = 0.0
        """When the last action was shown, by `time.monotonic`."""
        self.people: dict[int, PersonSeat] = {}
        """By seat."""
        self._players = self._seat(bots)
        self._audiences: list[Audience] = [SPECTATOR, *self.people]
        self.cast = Cast(
            f"{self.game.title}, table {number}",
            self.game,
            self.names,
            list(self.people),
            saved.came,
            saved.handed_over,
            saved.resigned,
            saved.person_seconds,
            stand_in=stand_in.name if stand_in else "",
        )
        self._reasons: dict[int, str] = {}
        """By seat that was left to a bot: words to tell with it."""
        self._colour = ""
        """As `colour_asked` returns it, of the decision to be made."""
        self._news: list[tuple[str, int, str]] = []
        """What to tell besides actions: the words before a player's name, the seat, and those after it."""
        self._replaced: set[int] = set()
        """The seats of people whose last decision a bot took."""
        self._untold: dict[Audience, list[str]] = {}
        self._lock: ExitStack
        self._thread = threading.Thread(target=self._play, name=f"table {number}", daemon=True)

    def _seat(self, bots: Sequence[Bot | None]) -> list[Player]:
        players: list[Player] = []
        for seat, (bot, script) in enumerate(zip(bots, self.saved.game.scripts(), strict=True)):
            if bot:
                players.append(self._session(bot, script))
                continue
            is_away = seat in self.saved.handed_over
            person = PersonSeat(seat, self._ask, lambda: self._session(self._stand_in), script, is_away)
            self.people[seat] = person
            if seat in self.saved.resigned:
                person.give(RESIGNED)
            players.append(person)
        return players

    def _session(self, bot: Bot | None, script: Script | None = None) -> Player:
        """A session of a bot, at the table's pace, so that people can follow."""
        assert bot
        return PacedBot(BotSession(bot, self._limits), script or Script(deque()), self._wait)

    def _wait(self) -> None:
        """Wait until the last action has been seen for long enough. Raises Closed if the table is closed."""
        left = self._shown_at + self.saved.pace_ms / 1000 - monotonic()
        if self._closing.wait(max(0.0, left)):
            raise Closed

    def begin(self, lock: ExitStack) -> None:
        """Play, in the game's own thread; at its end it releases the lock of the table's file."""
        self._lock = lock
        self._thread.start()

    def close(self) -> None:
        """Stop playing; what was played is saved. Waits for the thread."""
        self._closing.set()
        for person in self.people.values():
            person.give(Closed())
        if self._thread.is_alive():
            self._thread.join(10)

    def leave(self, seat: int, spent: float, failure: Failure | None, why: str) -> None:
        """Let the stand-in play on for a person, or the person fail at the next decision.

        `spent`: seconds of a decision that the person leaves open; `why`: words to tell with it.
        """
        (self.saved.resigned if failure else self.saved.handed_over).append(seat)
        with suppress(OSError):  # the next position is saved, too, or says why it is not
            self._save()
        self._reasons[seat] = why
        self.people[seat].give(failure or HandOver(), spent)

    def take_back(self, seat: int) -> None:
        """Let a person for whom the stand-in plays decide again."""
        self.saved.handed_over.remove(seat)
        self.saved.returned.add(seat)
        if seat not in self.saved.came:
            self.saved.came.append(seat)
        with suppress(OSError):
            self._save()
        self.people[seat].give(Return())

    def drop(self, seat: int) -> None:
        """Keep that a person, or the stand-in, is out of the game."""
        if seat in self.saved.handed_over:
            self.saved.handed_over.remove(seat)
            self.saved.returned.add(seat)
        if seat not in self.saved.resigned:
            self.saved.resigned.append(seat)
        with suppress(OSError):
            self._save()

    def _save(self, has_played: bool = False) -> bool:
        """Save the table, after an action with the game as it is, unless that is no news; whether it was saved.

        The game's thread and that of the pages save: one at a time, and never after the end.
        """
        with self._saving:
            is_new = not self._is_over and (not has_played or self.bring(self._players))
            if is_new:
                save_table(self._path, self.saved)
        return is_new

    def _ask(self, seat: int) -> None:
        self._tell(Question(len(self.actions), seat, self.state.copy(), monotonic()))

    def _play(self) -> None:
        try:
            with self._lock:
                record, packed = self._play_to_end()
                with self._saving:
                    self._is_over = True
                    write_new_log(self._log, [entry_of(record, packed)])
                    self._path.unlink(missing_ok=True)
        except Closed:
            return
        except (FaError, OSError) as error:
            self._tell(Broken(in_words(error)))
            return
        self._tell(Finish(record, self._won(record)))

    def _play_to_end(self) -> tuple[Record, bytes]:
        saved = self.saved
        with ExitStack() as stack:
            for player in self._players:
                stack.callback(player.close)
            people = {"people": [*saved.tokens]}
            record, packed = saved.game.play(self._players, self, people, saved.reveals_seed)
        if stood_in := saved.returned.union(saved.handed_over):
            record.meta["stand_ins"] = {str(seat): self.cast.stand_in for seat in sorted(stood_in)}
            failed = [fault.seat for fault in record.faults if fault_words(record.meta, fault)[0] != "resigned"]
            record.meta["returned"] = sorted(saved.returned.difference(saved.handed_over, failed))
        return record, packed

    def _note(self, told: dict[Audience, list[str]]) -> None:
        """A position is reached: save the game, then show it. What was played before it was saved is told at once."""
        for audience, sentences in told.items():
            sentences[:0] = self._untold.pop(audience, [])
        if not self._save(has_played=True):
            self._untold = told
            return
        views = {audience: self.game.view(self.state, audience) for audience in told}
        views[SPECTATOR] = closed(views[SPECTATOR])
        texts: dict[Audience, str] = {seat: self.game.render(self.state, seat) for seat in self.people}
        self._shown_at = monotonic()
        self._tell(Moment(len(self.actions), self.state.actor, views, told, self.unfinished.spent, texts))

    def dealt(self, state: State) -> None:
        super().dealt(state)
        self._colour = colour_asked(self.game.view(state, 0))
        self._note({audience: [] for audience in self._audiences})

    def played(self) -> None:
        entries = self.take_entries()
        mark = self._colour + self._played_by(entries[0][1])
        told = {}
        for audience in self._audiences:
            viewer = NOBODY if audience is SPECTATOR else audience
            sentences = [describe_to(self.game, self.state, entry, self.names, viewer) for entry in entries]
            sentences[0] += mark
            names = addressed(list(map(printable, self.names)), audience)
            news = [second_person(f"{before}{names[seat]}{after}") for before, seat, after in self._news]
            told[audience] = [*news, *sentences]
        self._news.clear()
        self._colour = colour_asked(self.game.view(self.state, 0))
        self._note(told)

    def _played_by(self, seat: int) -> str:
        """Who has just played for this seat, as an addition to a sentence; empty for itself."""
        if any(fault.seat == seat for fault in self.faults):
            return " (the first legal action)"
        if seat not in self.people or not self.people[seat].is_replaced:
            if seat in self._replaced:
                self._replaced.remove(seat)
                self._news.append(("", seat, " is back"))
            return ""
        if seat not in self._replaced:
            self._replaced.add(seat)
            why = self._reasons.get(seat, "")
            self._news.append((f"{self.cast.stand_in} plays on for ", seat, why))
        return f" (played by {self.cast.stand_in})"

    def _won(self, record: Record) -> dict[Audience, str]:
        """By audience: who won, in a sentence."""
        won = {}
        for audience in self._audiences:
            told = msgspec.structs.replace(record, players=addressed(record.players, audience))
            won[audience] = second_person(how_won(self.game, self.state, told))
        return won

    def failed(self, fault: Fault, detail: str, stderr: str) -> None:
        super().failed(fault, detail, stderr)
        if fault.seat in self.people:
            self._tell(Out(fault.seat))
        # an answer may quote what the bot holds
        what = _UNSPOKEN.get(fault.kind, printable(detail))
        after = f" {what} and is out of the game; the first legal action is played from now on"
        self._news.append(("", fault.seat, after))
