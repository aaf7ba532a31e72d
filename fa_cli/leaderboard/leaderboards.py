"""Tables over logs, computed from the index beside them, which reads only the games that it does not have yet.

A log elsewhere has an index of its own, and so have games that a rule selects or renames (`index_paths.py`). For
several named logs, and if the index can't be used, a temporary index is filled instead. So every table is computed in
the same way.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from ..errors import LogError, WrongResult
from ..game_result import By, PlayedGame
from ..printing.text import counted
from ..replay.log_file import read_log
from ..replay.log_writer import is_being_written
from ..stats.faults import FaultRow
from ..stats.head_to_head import HeadToHead
from ..stats.lack_of_fit.verdict import LackOfFit
from ..stats.luck.seat_values import SeatRow
from . import block_sums, parts, queries, standings
from .block_sums import Kind
from .index import ALL, NAME, Index, Renaming, signature_of
from .index_file.database import IndexBusy, IndexDamaged, IndexUnusable, remove, translated_errors
from .index_paths import index_of
from .labels import OptionFilter
from .played_games import tournament_start
from .queries import BotFaults, ResultRow
from .rating.rating_fold import RatingFold
from .standings import Leaderboard

if TYPE_CHECKING:
    from .overview.all_tables import Overview

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

    def index_path(self, paths: Sequence[Path]) -> Path | None:
        """The index that has a scope with exactly these games, of the logs at `paths`; None if there is none."""
        if self.logs is not None and len(self.logs) != 1:
            return None
        rules = [f"{self.options} of {self.game}"] if self.options else []
        rule = "; ".join([*rules, self.renaming.rule] if self.renaming else rules)
        if self.logs is None:
            return index_of(self.folder, paths, rule) if rule else self.folder / NAME
        (log,) = self.logs
        is_at_home = log.parent == self.folder and log.suffix == ".log"
        return self.folder / NAME if is_at_home and not rule else index_of(log, paths, rule)

    def open_index(self, path: Path | None) -> Index:
        """The index at this path, or a temporary one, for these games."""
        return Index(path, self.renaming, self.options, report=self.progress.report if self.progress else None)


def leaderboard(
    selection: Selection, by: By | None = None, *, rated: bool = True, anchors: Mapping[str, float] | None = None
) -> Leaderboard:
    """The leaderboard, and with `by` one for each part of the results. Raises LogError.

    `anchors` gives strengths to bots, which shift those of all connected ones. Raises UsageError for an unknown bot.

    If not `rated`, new games are not folded into TrueSkill's ratings, which takes about half of the time that new games
    take: `rating`, `mu` and `sigma` are those of an earlier call or of a new bot.
    """
    apart = by.value if by else parts.ANY
    rated_kinds = [Kind.BOTS] if rated else []
    return _read(
        selection,
        [Kind.BOTS],
        rated_kinds,
        lambda index, scope: standings.show(index, scope, apart, selection.game, anchors),
    )


def leaderboard_in_seats(selection: Selection) -> Leaderboard:
    """The leaderboard, and one for each seat, where each seat of a bot is rated as a separate bot. Raises LogError."""
    kinds = [Kind.BOTS, Kind.BOTS_IN_SEATS]
    return _read(selection, kinds, kinds, lambda index, scope: standings.show(index, scope, parts.SEAT, selection.game))


def seat_values(selection: Selection) -> list[SeatRow]:
    """The results of each seat over all bots. Raises LogError."""
    return _read(selection, [Kind.SEATS], [], lambda index, _: queries.seat_values(index, selection.game))


def head_to_head(selection: Selection) -> tuple[HeadToHead, LackOfFit | None]:
    """How often each bot ranks ahead of each other, and whether one number per bot fits. Raises LogError."""
    from .comparisons import head_to_head  # late: it needs NumPy

    def read(index: Index, scope: int) -> tuple[HeadToHead, LackOfFit | None]:
        return head_to_head(index, selection.game), standings.fit_of(index, scope, selection.game)

    return _read(selection, [Kind.BOTS], [], read)


def faults(selection: Selection) -> list[FaultRow]:
    """The faults of each bot by kind. Raises LogError."""
    return _read(selection, [], [], lambda index, _: queries.faults(index, selection.game))


def bot_faults(selection: Selection) -> dict[str, BotFaults]:
    """For each bot with faults, their kinds and the details of the first one. Raises LogError."""
    return _read(selection, [], [], lambda index, _: queries.bot_faults(index))


def read_games(selection: Selection, read: Callable[[Iterator[PlayedGame]], Value]) -> Value:
    """The result of `read` over all games, in the order of their logs. Raises LogError.

    If the index changes meanwhile, `read` is called again from the start.
    """
    return _read(selection, [], [], lambda index, _: read(queries.games(index, selection.game)))


def read_results(
    selection: Selection, version_of: Callable[[str, str], str], read: Callable[[Iterator[ResultRow]], Value]
) -> Value:
    """The result of `read` over all rows, one for each game and seat. Raises LogError.

    `version_of(log, bot)` gives the version of a bot in the log of that name.
    """
    return _read(selection, [], [], lambda index, _: read(queries.result_rows(index, selection.game, version_of)))


def overview(selection: Selection, first_two: Sequence[str] = ()) -> Overview:
    """Every table about the games at once. Raises LogError.

    `first_two` are the bots to compare; by default those with the best ranks.
    """
    from .overview import all_tables  # late: it needs NumPy

    kinds = [Kind.BOTS, Kind.SEATS]
    return _read(selection, kinds, [], lambda index, scope: all_tables.read(index, scope, selection.game, first_two))


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
        return _read_current(
            self._index,
            ALL,
            [Kind.BOTS],
            [],
            lambda index, scope: (standings.show(index, scope, parts.ANY, None), queries.faults(index, None)),
        )


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
        raise LogError(f"{folder / NAME}: it can't be written: {error}") from None
    return games, tournaments


def games_in(log: Path) -> int:
    """The number of games in a log; reads the log only if the index does not have it. Raises LogError."""
    try:
        with Index(log.parent / NAME) as index:
            known = index.log_at(log)
            if known and known.complete and known.signature == signature_of(log):
                return known.end.index
    except (IndexDamaged, IndexUnusable):
        pass  # commands that need the index report this
    return sum(1 for _ in read_log(log))


def tournament_logs(folder: Path) -> list[Path]:
    """The logs of tournaments in a folder, by name. Raises LogError if a `*.log` file is not a log."""
    return [path for path in readable_logs(folder) if tournament_start(path) is not None]


def readable_logs(folder: Path, warn: Warn = lambda _: None) -> list[Path]:
    """The logs in a folder, by name; skips with a warning empty ones and those that only another user may read."""
    reasons = {log: _why_skipped(log) for log in sorted(folder.glob("*.log"))}
    for log, reason in reasons.items():
        if reason:
            warn(f"warning: {log} is skipped: {reason}")
    return [log for log, reason in reasons.items() if not reason]


def _why_skipped(log: Path) -> str:
    """Why a log is not read when all logs are; "" if it is."""
    if not os.access(log, os.R_OK) and log.exists():
        return "only its owner may read it, as long as its tournament is unfinished"
    return "it is empty" if log.is_file() and not log.stat().st_size else ""


def _read(
    selection: Selection, summed: Sequence[Kind], rated: Sequence[Kind], read: Callable[[Index, int], Value]
) -> Value:
    """The result of `read(index, scope)` on an index with all results of the selection.

    `summed` and `rated` name the sums and ratings that must be up to date. Among the logs of a folder those with a
    wrong result are skipped.
    """
    logs = readable_logs(selection.folder, selection.warn) if selection.logs is None else [*selection.logs]
    try:
        while True:
            try:
                return _read_reporting(selection, logs, summed, rated, read)
            except WrongResult as error:
                if selection.logs is not None or error.log not in logs:
                    raise
                selection.warn(f"warning: {error}; the log is skipped")
                logs.remove(error.log)
    finally:
        if selection.progress:
            selection.progress.close()


def _read_reporting(
    selection: Selection,
    paths: Sequence[Path],
    summed: Sequence[Kind],
    rated: Sequence[Kind],
    read: Callable[[Index, int], Value],
) -> Value:
    path = selection.index_path(paths)
    for _ in range(_ATTEMPTS):
        if path is None:
            break
        try:
            with selection.open_index(path) as index, translated_errors():
                index.refresh(paths, only_tournaments=selection.logs is None)
                _warn_of_cuts(selection, index, paths)
                scope = ALL if selection.logs is None else index.logs()[index.name_of(paths[0])].id
                return _read_current(index, scope, summed, rated, read)
        except IndexDamaged as error:
            selection.warn(f"{path} {error.what}; it is rebuilt from the logs")
            remove(path)
            if path.exists():  # others may be the only ones who can remove it
                break
        except IndexBusy:
            continue
        except IndexUnusable:
            break
    with selection.open_index(None) as index:
        if selection.logs is None:
            paths = [log for log in paths if tournament_start(log) is not None]
        index.refresh(paths, only_tournaments=False)
        _warn_of_cuts(selection, index, paths)
        return _read_current(index, ALL, summed, rated, read)


def _warn_of_cuts(selection: Selection, index: Index, paths: Sequence[Path]) -> None:
    """Warn of logs that are cut off within a record: what comes before it counts."""
    logs = index.logs()
    for path in paths:
        log = logs.get(index.name_of(path))
        if log and log.is_cut and not is_being_written(path):
            before = counted(log.end.index, "game")
            text = (
                f"{path}: record {log.end.index + 1} is cut off by the end of the file; {before} before it counted "
                "(`fa replay repair` mends the log)"
            )
            (selection.warn_of_cut or (lambda text: selection.warn(f"warning: {text}")))(text)


def _read_current(
    index: Index, scope: int, summed: Sequence[Kind], rated: Sequence[Kind], read: Callable[[Index, int], Value]
) -> Value:
    """The result of `read` once all sums and ratings are up to date; all of it sees one state of the index."""
    folds = [RatingFold(index, scope, kind) for kind in rated]
    for _ in range(2):
        with index.reading():
            index.select(scope)
            is_summed = not any(block_sums.outdated(index, kind) for kind in summed)
            is_shown = all(standings.is_current(index, scope, kind) for kind in summed)
            if is_summed and is_shown and all(fold.is_complete() for fold in folds):
                return read(index, scope)
        with index.writing():
            index.select(scope)
            for kind in summed:
                block_sums.update(index, kind)
                standings.update(index, scope, kind)
        for fold in folds:
            fold.update()
    raise IndexBusy("another process adds games")
