"""The games in progress of tournaments, for spectators: one decision late, and without any hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence

from ...errors import FaError, LogError
from ...games.contract import ACTION
from ...play.second_person import describe_to
from ...replay.narrate import how_won
from ...replay.record import Record
from ...tournament.live import WatchedGame
from ...viewer.drawing import closed
from ..saved_table import SPECTATOR
from ..stage import Follower, Stage
from ..table import NOBODY, Cast, Finish, Moment
from .overview import Contests

_PERIOD = 1.0
"""Seconds between two looks at a game."""


class LiveGame(Stage):
    """A game in progress."""

    def __init__(self, heading: str, watched: WatchedGame) -> None:
        super().__init__(Cast(heading, watched.game, watched.names))
        self.watched = watched
        self._deal()

    def _deal(self) -> None:
        """Begin with the deal."""
        self.begin_again()
        game, options, names, seed, *_ = self.watched
        self._state, self._ahead = (game.start(options, len(names), seed) for _ in range(2))
        self._state.journal = []
        self._seen: list[int] = []
        self._late = self._played = 0
        self.show(self._now([]))

    def bring(self, actions: Sequence[int], is_over: bool = False) -> Iterator[Moment]:
        """Play what is new up to the last decision, or to the end if the game is over; yield each new moment.

        Raises LogError if an action is not legal.
        """
        seen = min(len(self._seen), len(actions))
        if list(actions[:seen]) != self._seen[:seen]:
            self._deal()  # the game is played again
        for action in actions[len(self._seen) :]:
            legal = self._ahead.legal() if self._ahead.actor >= 0 else ()
            if action not in legal:
                raise LogError(f"{self.cast.heading}: action {action} is not legal")
            if len(legal) > 1:
                self._late = len(self._seen)
            self._seen.append(action)
            self._ahead.apply(action)
        while self._played < (len(self._seen) if is_over else self._late):
            yield self._play(self._seen[self._played])

    def _play(self, action: int) -> Moment:
        state, journal = self._state, self._state.journal
        assert journal is not None
        begin = len(journal)
        journal.append((ACTION, state.actor, action))
        state.apply(action)
        self._played += 1
        game, names = self.cast.game, self.cast.names
        return self._now([describe_to(game, state, entry, names, NOBODY) for entry in journal[begin:]])

    def _now(self, told: list[str]) -> Moment:
        view = closed(self.cast.game.view(self._state, NOBODY))
        return Moment(self._played, self._state.actor, {SPECTATOR: view}, {SPECTATOR: told}, [], {})

    def show_last(self, moments: Iterable[Moment]) -> None:
        """Show the last of these moments, if there are any, and tell what happened in all of them."""
        seen = list(moments)
        if seen:
            told = [sentence for moment in seen for sentence in moment.told[SPECTATOR]]
            self.show(seen[-1]._replace(told={SPECTATOR: told}))

    def finish_with(self, record: Record) -> None:
        """Show the rest of the game, and how it ended."""
        game = self.cast.game
        self.show_last(self.bring([game.action_numbers[text] for text in record.actions], is_over=True))
        self.end(Finish(record, {SPECTATOR: how_won(game, self._state, record)}))


class LiveGames:
    """The games that somebody watches; each is followed once, for all who watch. `say` tells the terminal."""

    def __init__(self, contests: Contests, say: Callable[[str], None]) -> None:
        self._contests = contests
        self._say = say
        self._games: dict[tuple[str, int], LiveGame] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def join(self, name: str, number: int, is_owner: bool) -> tuple[LiveGame, Follower] | None:
        """Follow a game of a tournament; None if it is not being played, or its deal is not the guest's to see.

        Raises FaError.
        """
        watched = await asyncio.to_thread(self._contests.watch, name, number)
        key = name, number
        if key in self._games:
            watched = self._games[key].watched
        if not watched or not (is_owner or watched.is_open):
            return None
        if key not in self._games:
            self._games[key] = LiveGame(f"{watched.game.title}, game {number} of {name}", watched)
            task = asyncio.create_task(self._follow(name, number))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return self._games[key], self._games[key].join(SPECTATOR)

    async def _follow(self, name: str, number: int) -> None:
        """Bring a game up to date as long as somebody watches."""
        live = self._games[name, number]
        try:
            while live.followers and live.goes_on:
                await self._look(name, number, live)
                await asyncio.sleep(_PERIOD)
        except FaError as error:
            self._say(str(error))
            live.stop("This game can't be watched; the terminal of the server says why.")
        finally:
            del self._games[name, number]

    async def _look(self, name: str, number: int, live: LiveGame) -> None:
        watched = await asyncio.to_thread(self._contests.watch, name, number)
        if watched:
            live.show_last(live.bring(watched.actions))
        elif record := await asyncio.to_thread(self._contests.finished, name, number):
            live.finish_with(record)
        elif not await asyncio.to_thread(self._contests.is_running, name):  # else games before it are awaited
            live.stop("The run has stopped before the end of this game; it is played again when the run is resumed.")
