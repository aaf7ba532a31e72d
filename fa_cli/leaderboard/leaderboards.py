"""Tables over logs, computed from the index beside them, which reads only the games that it does not have yet.

A log elsewhere has an index of its own (`index_paths.py`). For several named logs that are not all in the folder, and
if the index can't be used, a temporary index is filled instead. So every table is computed in the same way.
"""

from __future__ import annotations

import os
import stat
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

from ..errors import LogError, WrongResult
from ..game_result import By, PlayedGame
from ..printing.text import counted
from ..replay.log_file import LogPosition, holds_position, read_log
from ..replay.log_writer import is_being_written
from ..stats.faults import FaultRow
from ..stats.head_to_head import HeadToHead
from ..stats.lack_of_fit.verdict import LackOfFit
from ..system import files_in
from . import boards, parts, queries
from .index import NAME, Index, IndexedLog, signature_of
from .index_paths import index_of
from .labels import OptionFilter, Renaming
from .parts import Kind
from .played_games import tournament_start
from .sealed_file import IndexBusy, IndexDamaged, IndexUnusable, remove
from .selected_results import SelectedResults
from .standings import Leaderboard

_ATTEMPTS = 8
Warn = Callable[[str], None]
Value = TypeVar("Value")


class Progress(Protocol):
    """Receives the progress of work that may take long."""

    def report(self, text: str, done: int, total: int) -> None:
        """`done` parts of `total` are done of what the text names."""

    def close(self) -> None:
        """The work is done."""


class Selection(NamedTuple):
    """The games to use: those of all tournaments in a folder, or those of named logs."""

    folder: Path
    warn: Warn
    """Called with a sentence about each problem with the index, and about each log that is skipped."""
    logs: Sequence[Path] | None = None
    game: str | None = None
    renaming: Renaming | None = None
    """How games change before they are used, as for the versions of a bot."""
    options: OptionFilter | None = None
    """Selects the games that have these options."""
    progress: Progress | None = None
    warn_of_cut: Warn | None = None
    """Called with a sentence about each log that ends within a record; by default `warn` is, as with a warning."""

    skips_damaged: bool = False
    """Whether logs of the folder that can't be read are skipped with a warning; by default LogError is raised."""

    def index_path(self, paths: Sequence[Path]) -> Path | None:
        """The index with the results of the logs at `paths`; None if there is none."""
        if all(log.parent == self.folder and log.suffix == ".log" for log in paths):
            return self.folder / NAME
        return index_of(*paths) if len(paths) == 1 else None


def read_selection(selection: Selection, read: Callable[[SelectedResults], Value]) -> Value:
    """The result of `read`, such as a function of `queries.py`, on the results of the selection. Raises LogError.

    Among the logs of a folder those with a wrong result are skipped, and with `skips_damaged` all that can't be read.
    """
    logs = readable_logs(selection.folder, selection.warn) if selection.logs is None else [*selection.logs]
    try:
        while True:
            try:
                return _read_reporting(selection, logs, read)
            except LogError as error:
                is_skipped = selection.skips_damaged or isinstance(error, WrongResult)
                if selection.logs is not None or error.log not in logs or not is_skipped:
                    raise
                selection.warn(skipped(error))
                logs.remove(error.log)
    finally:
        if selection.progress:
            selection.progress.close()


def leaderboard(
    selection: Selection, by: By | None = None, *, rated: bool = True, anchors: Mapping[str, float] | None = None
) -> Leaderboard:
    """The leaderboard, and with `by` one for each part of the results. Raises LogError.

    `anchors` gives strengths to bots, which shift those of all connected ones. Raises UsageError for an unknown bot.

    If not `rated`, new games are not folded into TrueSkill's ratings, which takes about half of the time that new games
    take: `rating`, `mu` and `sigma` are those of an earlier call or of a new bot.
    """
    apart = by.value if by else parts.ANY
    return read_selection(selection, lambda results: boards.board(results, apart, rated, anchors))


def head_to_head(selection: Selection) -> tuple[HeadToHead, LackOfFit | None]:
    """How often each bot ranks ahead of each other, and whether one number per bot fits. Raises LogError."""

    def read(results: SelectedResults) -> tuple[HeadToHead, LackOfFit | None]:
        from .sums import sum_tables  # late: it needs NumPy

        board = boards.board(results, parts.ANY, rated=False)
        return sum_tables.head_to_head(results.summary(Kind.BOTS)), board.fit

    return read_selection(selection, read)


def read_games(selection: Selection, read: Callable[[Iterator[PlayedGame]], Value]) -> Value:
    """The result of `read` over all games, in the order of their logs. Raises LogError.

    If a log is replaced meanwhile, `read` is called again from the start.
    """
    return read_selection(selection, lambda results: read(queries.games(results)))


def collect(selection: Selection, new: Callable[[], Value], add: Callable[[Value, PlayedGame], None]) -> Value:
    """What `new` makes, with all games added in the order of their logs. Raises LogError."""

    def read(games: Iterator[PlayedGame]) -> Value:
        collected = new()
        for game in games:
            add(collected, game)
        return collected

    return read_games(selection, read)


class LogFollower:
    """The tables of one log that may grow; each reading takes only the games since the last one.

    They are computed in a temporary index, so that neither the log nor the index beside it is locked or written.
    """

    def __init__(self, log: Path) -> None:
        self._log = log
        self._index = Index(None)
        weakref.finalize(self, self._index.close)

    def read(self) -> tuple[Leaderboard, list[FaultRow]]:
        """The leaderboard and the faults as of now; without rows as long as there is no log. Raises LogError."""
        if not self._log.exists():
            return Leaderboard(0, [], {}), []
        self._index.refresh([self._log], only_tournaments=False)
        results = SelectedResults(self._index, [*self._index.logs().values()], "")
        return boards.board(results, parts.ANY, rated=False), queries.faults(results)


def rebuild(folder: Path, warn: Warn, progress: Progress | None = None) -> tuple[int, int]:
    """Rebuild the index from the logs; returns the numbers of games and of tournaments.

    Raises LogError if a log can't be read or the index can't be written.
    """
    remove(folder / NAME)
    selection = Selection(folder, warn, progress=progress)
    games = leaderboard(selection).games
    tournaments = 0
    for log in tournament_logs(folder):
        with suppress(WrongResult):  # reported above
            leaderboard(selection._replace(logs=[log]))
            tournaments += 1
    try:
        with Index(folder / NAME) as index:
            index.logs()
    except (IndexDamaged, IndexUnusable) as error:
        raise LogError(f"cannot write {folder / NAME}: {error}") from None
    return games, tournaments


def games_in(log: Path) -> int:
    """The number of games in a log; reads the log only if the index does not have it. Raises LogError."""
    try:
        with Index(log.parent / NAME) as index:
            known = index.log_at(log)
            if known and known.state.complete and known.state.signature == signature_of(log):
                return known.games
    except (IndexDamaged, IndexUnusable):
        pass  # commands that need the index report this
    return sum(1 for _ in read_log(log))


def tournament_logs(folder: Path, warn: Warn | None = None) -> list[Path]:
    """The logs of tournaments in a folder, by name; skips those that can't be read, with a warning.

    Without `warn` raises LogError if a `*.log` file is not a log.
    """
    found = []
    for log in readable_logs(folder, warn or (lambda _: None)):
        try:
            found += [log] if tournament_start(log) is not None else []
        except LogError as error:
            if not warn:
                raise
            warn(skipped(error))
    return found


def skipped(error: LogError) -> str:
    """The warning of a log that can't be read when all logs are."""
    return f"warning: {error}; the log is skipped"


def readable_logs(folder: Path, warn: Warn = lambda _: None) -> list[Path]:
    """The logs in a folder, by name; skips with a warning empty ones and those that only another user may read.

    Raises OSError if the folder can't be read.
    """
    reasons = {log: _why_skipped(log) for log in files_in(folder, ".log")}
    for log, reason in reasons.items():
        if reason:
            warn(f"warning: {log} is skipped: {reason}")
    return [log for log, reason in reasons.items() if not reason]


def _why_skipped(log: Path) -> str:
    """Why a log is not read when all logs are; "" if it is."""
    try:
        status = log.stat()
    except OSError:  # such as a link that leads nowhere
        return ""
    if status.st_mode & stat.S_IRUSR and not os.access(log, os.R_OK):
        return "only its owner may read it, as long as its tournament is unfinished"
    return "it is empty" if stat.S_ISREG(status.st_mode) and not status.st_size else ""


def _read_reporting(selection: Selection, paths: Sequence[Path], read: Callable[[SelectedResults], Value]) -> Value:
    path = selection.index_path(paths)
    for _ in range(_ATTEMPTS):
        if path is None:
            break
        try:
            return _read_from(path, selection, paths, read)
        except IndexDamaged as error:
            selection.warn(f"{path} {error.what}; it is rebuilt from the logs")
            remove(path)
            if path.exists():  # others may be the only ones who can remove it
                break
        except IndexBusy:
            continue
        except IndexUnusable:
            break
    if selection.logs is None:
        warn = selection.warn if selection.skips_damaged else None
        paths = [log for log in tournament_logs(selection.folder, warn) if log in paths]
    return _read_from(None, selection, paths, read)


def _read_from(
    path: Path | None, selection: Selection, paths: Sequence[Path], read: Callable[[SelectedResults], Value]
) -> Value:
    """The result of `read` on the results in this index, once it has all games of the logs."""
    is_all = selection.logs is None
    with Index(path, report=selection.progress.report if selection.progress else None) as index:
        index.refresh(paths, only_tournaments=is_all and path is not None)
        known = index.logs()
        _warn_of_cuts(selection, [(log, known.get(index.name_of(log))) for log in paths])
        logs = [log for log in known.values() if log.state.started is not None]
        scope: str | None = ""
        if path and not is_all:
            logs = [known[name] for name in dict.fromkeys(map(index.name_of, paths))]
            scope = logs[0].name if len(logs) == 1 else None
        logs = _without_copies(selection, logs, {index.name_of(log): log for log in paths})
        return read(SelectedResults(index, logs, scope, selection.renaming, selection.options, selection.game))


def _without_copies(selection: Selection, logs: Sequence[IndexedLog], paths: Mapping[str, Path]) -> list[IndexedLog]:
    """The logs but for those whose games another one begins with, with a warning: no game counts twice."""
    kept = [log for log in logs if not log.games]
    by_end: dict[LogPosition, IndexedLog] = {}
    by_start: dict[str | None, list[IndexedLog]] = {}
    played = [log for log in logs if log.games]
    for log in sorted(played, key=lambda log: (-log.games, len(log.name), log.name)):
        end, alike = log.state.end, by_start.setdefault(log.state.started, [])
        original = by_end.get(end)
        if not original and log.state.started:  # a shorter copy
            original = next((other for other in alike if holds_position(paths[other.name], end)), None)
        if original:
            selection.warn(f"warning: {paths[log.name]} is skipped: its games are in {paths[original.name]}, too")
            continue
        kept.append(log)
        alike.append(log)
        by_end[end] = log
    return kept


def _warn_of_cuts(selection: Selection, logs: Sequence[tuple[Path, IndexedLog | None]]) -> None:
    """Warn of logs that are cut off within a record: what comes before it counts."""
    for path, log in logs:
        if log and log.is_cut and not is_being_written(path):
            before = counted(log.games, "game")
            text = (
                f"{path}: record {log.games + 1} is cut off by the end of the file; {before} before it counted "
                "(`fa replay repair` mends the log)"
            )
            (selection.warn_of_cut or (lambda text: selection.warn(f"warning: {text}")))(text)
