"""The tournaments of a home, as they are played: their files alone are read, so no run is disturbed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic, thread_time

import msgspec

from ...errors import FaError, NotFound, UsageError
from ...game_result import have_all_failed
from ...leaderboard.standings import StandingRow
from ...printing.columns import columns_of
from ...printing.rows import cell_text, fields_of, meanings_of_marks, used_columns
from ...printing.text import printable
from ...replay.log_file import entry_at, position_before, read_after
from ...replay.record import Record
from ...stats.faults import by_kind
from ...system import Signature, file_signature
from ...tournament.definition import TournamentPaths
from ...tournament.live import (
    LiveGame,
    LiveTournament,
    Snapshot,
    State,
    WatchedGame,
    others_await,
    watched_game,
)

_FRESH = 1.0
"""Seconds for which a look at a tournament is kept, however many pages ask."""
_SHARE = 0.01
"""The most that looks, and reports, may use of a core: one that took long is kept for longer."""
_LATEST = 10
"""Finished games that a page lists."""
_FIELDS = ("rank", "rank_range", "bot", "games", "strength", "strength_interval", "wins", "points", "mean_rank")
"""The columns of the standings."""


class ContestRow(msgspec.Struct, frozen=True):
    """A tournament in the lobby."""

    name: str
    state: str


class FaultLine(msgspec.Struct, frozen=True):
    """The faults of one bot."""

    bot: str
    faults: int
    kinds: str
    suspended: int
    """Games that it did not play."""


class Finished(msgspec.Struct, frozen=True):
    """A game that is in the log."""

    game: int
    """Its number in the log, from 1."""
    players: list[str]
    ranks: list[int]
    nobody_won: bool
    """Whether all of them failed."""


class Contest(msgspec.Struct, frozen=True):
    """A tournament at one moment."""

    name: str
    state: str
    done: int
    games: int
    rate: float | None
    seconds_left: float | None
    headings: list[str]
    rows: list[list[str]]
    notes: list[str]
    faults: list[FaultLine]
    playing: list[LiveGame]
    latest: list[Finished]
    """The games that ended last, the newest first."""


_IDLE = (State.NOT_BEGUN.value, State.STOPPED.value, State.FINISHED.value)
"""The states that only a change of a file ends."""


class _Followed:
    """A tournament, and the last look at it."""

    def __init__(self, paths: TournamentPaths) -> None:
        self.live = LiveTournament(paths)
        self.lock = threading.Lock()
        self.seen: Contest | None = None
        self.fresh_until = 0.0
        self.files: tuple[Signature | None, ...] = ()
        """Its files as they were then."""
        self.reporting = threading.Lock()
        self.report = -1, ""
        """The number of games in the last report, and its page."""
        self.report_kept_until = 0.0


class Contests:
    """All tournaments of a home. Its methods may take long, and are safe for threads.

    `report` makes the report of a tournament, given its name.
    """

    def __init__(self, definitions: Path, logs: Path, report: Callable[[str], str]) -> None:
        self._definitions = definitions
        self._logs = logs
        self._report = report
        self._followed: dict[str, _Followed] = {}
        self._lock = threading.Lock()

    def names(self) -> list[str]:
        """The names of all tournaments."""
        return sorted(path.stem for path in self._definitions.glob("*.json"))

    def rows(self) -> list[ContestRow]:
        """All tournaments, with what they are doing."""
        rows = []
        for name in self.names():
            try:
                rows.append(ContestRow(name, self.look(name).state))
            except FaError:
                rows.append(ContestRow(name, "unreadable"))
        return rows

    def logs(self) -> Sequence[str]:
        """The names of all logs."""
        return sorted(path.stem for path in self._logs.glob("*.log"))

    def log(self, name: str) -> Path:
        """The log of a tournament. Raises NotFound if there is none of this name."""
        return self._paths(name).log

    def look(self, name: str) -> Contest:
        """A tournament as it was a moment ago, usually a second. Raises NotFound, LogError, UsageError.

        One that is not being played is looked at again only if its files have changed.
        """
        paths = self._paths(name)
        with self._lock:
            if name not in self._followed:
                self._followed[name] = _Followed(paths)
            followed = self._followed[name]
        with followed.lock:
            files = tuple(map(_signature, (paths.definition, paths.log, paths.status)))
            is_idle = followed.seen is not None and followed.seen.state in _IDLE and followed.files == files
            if followed.seen is None or not (is_idle or monotonic() < followed.fresh_until):
                began = thread_time()
                followed.seen, followed.files = _contest(followed.live.look(), paths.log), files
                followed.fresh_until = monotonic() + max(_FRESH, (thread_time() - began) / _SHARE)
            return followed.seen

    def is_running(self, name: str) -> bool:
        """Whether the tournament is being played."""
        return self.look(name).state in (State.RUNNING.value, State.STOPPING.value)

    def watch(self, name: str, number: int) -> WatchedGame | None:
        """The game that will be the record of this number, from 1; None if it can't be watched. Raises FaError."""
        return watched_game(self._paths(name), number)

    def check_deal(self, name: str, number: int) -> None:
        """Raises UsageError if others have yet to play the deal of this record, from 1; NotFound, LogError."""
        if others_await(self._paths(name), number) and self.look(name).state != State.FINISHED.value:
            raise UsageError(f"others have yet to play the deal of game {number}, and its replay shows all hands")

    def finished(self, name: str, number: int) -> Record | None:
        """The record of this number, from 1; None if it isn't in the log yet. Raises NotFound, LogError."""
        return record_in(self.log(name), number)

    def report(self, name: str) -> str:
        """The report of a tournament as a page; it is made again when games have been added, and kept as a look is."""
        seen, followed = self.look(name), self._followed[name]
        with followed.reporting:
            is_due = seen.state in _IDLE or monotonic() >= followed.report_kept_until
            if followed.report[0] != seen.done and is_due:
                began = monotonic()
                followed.report = seen.done, self._report(name)
                followed.report_kept_until = monotonic() + (monotonic() - began) / _SHARE
            return followed.report[1]

    def _paths(self, name: str) -> TournamentPaths:
        if name not in self.names():
            raise NotFound(f"no tournament named {name[:80]!r}")
        return TournamentPaths(self._definitions / f"{name}.json", self._logs / f"{name}.log")


def record_in(log: Path, number: int) -> Record | None:
    """The record of a log with this number, from 1; None if it isn't there. Raises LogError."""
    entry = entry_at(log, number - 1) if number > 0 and log.is_file() else None
    return entry.record() if entry else None


def _signature(path: Path) -> Signature | None:
    """None for a file that is not there."""
    try:
        return file_signature(path.stat())
    except OSError:
        return None


def _latest(log: Path, done: int) -> list[Finished]:
    """The last games of a log."""
    if not done:
        return []
    entries = [entry for entry, _ in read_after(log, position_before(log, max(0, done - _LATEST)))]
    return [
        Finished(
            entry.index + 1,
            list(map(printable, entry.players)),
            entry.result.ranks,
            have_all_failed(entry.faults, len(entry.players)),
        )
        for entry in entries[: -_LATEST - 1 : -1]
    ]


def _contest(snapshot: Snapshot, log: Path) -> Contest:
    board = snapshot.standings
    rows = [fields_of(row) for row in board.rows]
    columns = used_columns(rows, [column for column in columns_of(StandingRow) if column.field in _FIELDS])
    return Contest(
        name=snapshot.name,
        state=snapshot.state.value,
        done=snapshot.done,
        games=snapshot.games,
        rate=snapshot.rate,
        seconds_left=snapshot.seconds_left,
        headings=[column.heading for column in columns],
        rows=[[printable(cell_text(row, column)) for column in columns] for row in rows],
        notes=[*board.notes, *filter(None, [board.points_note]), *meanings_of_marks(rows, columns)],
        faults=[FaultLine(printable(row.bot), row.faults, by_kind(row), row.suspended) for row in snapshot.faults],
        playing=snapshot.playing,
        latest=_latest(log, snapshot.done),
    )
