"""Leaderboards of a folder of logs, by the index beside them: only games that it does not have yet are folded.

The numbers are those of `standings.stand`, to the last digit; the index only spares reading and rating again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import LogError
from ..replay.log_file import START, holds, read_log, read_on, starts_block
from ..results import By
from .boards import EVERY_GAME, FAULTS, GAMES, Boards, Leaderboard, Part
from .index import NAME, Index, IndexDamaged, IndexUnusable, Known, Progress, Signature, Step, place_of, remove
from .played import beginning, played_game
from .seat_boards import SeatBoards

ALL = ""
"""The ladder of all tournaments; each log's own has the log's file name."""
_IN_SEATS = "/seats"
"""Behind the name of a ladder that has each bot in each seat apart."""
_SAVE_SECONDS = 5.0
"""A long fold that is stopped has lost no more than that."""
_LOOK = 16
"""Games between two looks at the clock."""
_LAST = 4
"""So many logs at the end of a fold have a snapshot each: they are the likeliest to grow."""
_TRIES = 3
Tell = Callable[[str], None]


class _Log(NamedTuple):
    place: bytes
    path: Path
    signature: Signature


class Request(NamedTuple):
    """Which leaderboard: of a folder's tournaments together, or of one log in it; as `stand` takes the rest."""

    folder: Path
    log: Path | None = None
    by: By | None = None
    game: str | None = None
    in_seats: bool = False
    """Whether bots are told apart by seat."""
    seats: bool = False
    """Whether it is to have what seats are worth."""

    @property
    def ladder(self) -> str:
        """Its name in the index."""
        return (self.log.name if self.log else ALL) + (_IN_SEATS if self.in_seats else "")

    def boards(self) -> Boards:
        """Those in which its games are folded."""
        return SeatBoards() if self.in_seats else Boards()


def leaderboard(request: Request, tell: Tell) -> Leaderboard:
    """The leaderboard; the index is brought up to date for it, where that is possible.

    Raises LogError for a log that is damaged or none. What is wrong with the index is told in a sentence.
    """
    path = request.folder / NAME
    for _ in range(_TRIES):
        try:
            with Index(path) as index:
                return _indexed(index, request, tell)
        except IndexDamaged:
            tell(f"{path} was damaged; it is made anew from the logs")
            remove(path)
        except IndexUnusable:
            break
    boards = _fold(request.boards(), _logs(request, None, tell), None, _Saver(None, "", 0, _Plan(0)))
    return boards.show(request.by, request.game)


def rebuild(folder: Path, tell: Tell) -> tuple[int, int]:
    """Make the index anew from the logs alone; returns the numbers of games and of tournaments.

    Raises LogError, also if the index can't be written.
    """
    remove(folder / NAME)
    games = leaderboard(Request(folder), tell).games
    logs = tournament_logs(folder)
    for log in logs:
        leaderboard(Request(folder, log), tell)
    try:
        with Index(folder / NAME) as index:
            index.ladders()
    except (IndexDamaged, IndexUnusable) as error:
        raise LogError(f"{folder / NAME}: it can't be written: {error}") from None
    return games, len(logs)


def games_in(log: Path) -> int:
    """How many games a log holds; read only where the index does not know just this file. Raises LogError."""
    try:
        with Index(log.parent / NAME) as index:
            signature = _signature(log)
            for progress in index.progress(log.name):
                if progress.signature == signature:
                    return progress.end.index
    except (IndexDamaged, IndexUnusable):
        pass  # a leaderboard will say so
    return sum(1 for _ in read_log(log))


def tournament_logs(folder: Path) -> list[Path]:
    """The logs of tournaments in this folder, by name. Raises LogError for a file that is named so and is no log."""
    return [path for path in readable_logs(folder) if beginning(path) is not None]


def readable_logs(folder: Path, tell: Tell = lambda _: None) -> list[Path]:
    """The logs in this folder, by name, without those that another user keeps to himself while games are played."""
    logs = sorted(folder.glob("*.log"))
    hidden = [log for log in logs if not os.access(log, os.R_OK) and log.exists()]
    for log in hidden:
        tell(f"warning: {log} is skipped: only its owner may read it, as long as its tournament is unfinished")
    return [log for log in logs if log not in hidden]


def _indexed(index: Index, request: Request, tell: Tell) -> Leaderboard:
    logs = _logs(request, index, tell)
    with index.reading():
        generation = index.generation(request.ladder)
        plan = _plan(index.progress(request.ladder), logs, index.snapshots(request.ladder))
        if plan.whole == len(logs) and plan.back_to is None and not plan.refreshed:
            return _held(index, request)
        boards = request.boards()
        index.fill(boards, request.ladder, plan.back_to)
    saver = _Saver(index, request.ladder, generation, plan)
    _fold(boards, logs[plan.whole :], plan.part, saver)
    saver.save(boards)
    return boards.show(request.by, request.game)


def _held(index: Index, request: Request) -> Leaderboard:
    """What the index has."""
    game, ladder = request.game or EVERY_GAME, request.ladder
    return request.boards().shown_as(
        lambda part: list(index.held(ladder, part).values()),
        index.parts(ladder) if request.by or request.in_seats or request.seats else [],
        request.by,
        game,
        games=index.held(ladder, Part(game, GAMES), "state").get("", 0),
        faults=index.held(ladder, Part(game, FAULTS), "state"),
    )


def _logs(request: Request, index: Index | None, tell: Tell) -> list[_Log]:
    """The request's logs in their order. Of a file that the index knows to be the same nothing is read."""
    paths = [request.log] if request.log else readable_logs(request.folder, tell)
    known = index.known_logs() if index else {}
    now: dict[str, Known] = {}
    for path in paths:
        signature = _signature(path)
        before = known.get(path.name)
        now[path.name] = before if before and before.signature == signature else Known(signature, beginning(path))
    if index and any(known.get(name) != one for name, one in now.items()):
        index.know_logs(now)
    logs = [(path, *now[path.name]) for path in paths if request.log or now[path.name].started is not None]
    return sorted(_Log(place_of(started or "", path.name), path, signature) for path, signature, started in logs)


def _signature(path: Path) -> Signature:
    try:
        found = path.stat()
    except OSError as error:
        raise LogError(f"{path}: {error.strerror}") from None
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


class _Plan(NamedTuple):
    """From where a fold goes on."""

    whole: int
    """So many logs, from the first, are folded to their end."""
    part: Progress | None = None
    """How far the next one is folded, if it has grown since."""
    back_to: bytes | None = None
    """The place of the log whose snapshot is gone on from; no log's: from nothing. None: from what is held."""
    refreshed: Sequence[Progress] = ()
    """Of logs whose files were touched and are the same."""


def _plan(progress: Sequence[Progress], logs: Sequence[_Log], snapshots: Sequence[bytes]) -> _Plan:
    whole, part, refreshed = 0, None, []
    for one, log in zip(progress, logs, strict=False):
        if one.place != log.place:
            break
        size = log.signature[1]
        if one.signature == log.signature:
            whole += 1
        elif size == one.end.end and holds(log.path, one.end, wholly=True):
            refreshed.append(one._replace(signature=log.signature))
            whole += 1
        else:
            part = one if size > one.end.end and holds(log.path, one.end) else None
            break
    if len(progress) == whole + (part is not None):
        return _Plan(whole, part, None, refreshed)
    if part and part.place in snapshots:
        return _Plan(whole, part, part.place, refreshed)
    while whole and progress[whole - 1].place not in snapshots:
        whole -= 1
    back_to = progress[whole - 1].place if whole else b""
    return _Plan(whole, None, back_to, [one for one in refreshed if one.place <= back_to])


class _Saver:
    """Writes what a fold has come to into the index, as long as that is possible and nobody else does."""

    def __init__(self, index: Index | None, ladder: str, generation: int, plan: _Plan) -> None:
        self._index = index
        self._ladder = ladder
        self._generation = generation
        self._back_to = plan.back_to
        self._refreshed = plan.refreshed
        self._progress: list[Progress] = []
        self._next = time.monotonic() + _SAVE_SECONDS

    def reach(self, progress: Progress, boards: Boards, is_last: bool) -> None:
        """The boards are those after this; save that if it is time, or if it is the end of one of the last logs."""
        if progress.signature is not None:
            self._progress.append(progress)
        if time.monotonic() >= self._next:
            self._save(self._progress if progress.signature else [*self._progress, progress], boards)
        elif is_last:
            self._save(self._progress, boards)

    def save(self, boards: Boards) -> None:
        """Save what was not saved yet."""
        if self._progress or self._refreshed or self._back_to is not None:
            self._save(self._progress, boards)

    def _save(self, progress: list[Progress], boards: Boards) -> None:
        """Raises IndexDamaged."""
        self._progress = []
        self._next = time.monotonic() + _SAVE_SECONDS
        if self._index is None:
            return
        try:
            step = Step(self._back_to, progress, boards.take_changes(), self._refreshed)
            if not self._index.save(self._ladder, self._generation, step):
                self._index = None
        except IndexUnusable:
            self._index = None
        self._generation += 1
        self._back_to, self._refreshed = None, ()


def _fold(boards: Boards, logs: Sequence[_Log], part: Progress | None, saver: _Saver) -> Boards:
    """Fold in the logs, the first of them from where `part` has come to."""
    for left, log in zip(range(len(logs), 0, -1), logs, strict=True):
        block, end = (part.block, part.end) if part else (START, START)
        done, part = end.index, None
        for entry, mark in read_on(log.path, block):
            if starts_block(mark):
                block = mark
            if mark.index <= done:
                continue
            boards.add(played_game(entry, log.path.stem, entry.index))
            end = mark
            if mark.index % _LOOK == 0:
                saver.reach(Progress(log.place, None, end, block), boards, False)
        saver.reach(Progress(log.place, log.signature, end, block), boards, left <= _LAST)
    return boards
