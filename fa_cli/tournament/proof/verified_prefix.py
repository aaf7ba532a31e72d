"""Remembers how far a log was verified, so that resuming a tournament verifies only the games after that.

The index keeps a position in the log with a tag that depends on all bytes before it. A log that was changed before that
position does not have the tag any more, and is verified from its beginning.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from ...errors import LogError
from ...leaderboard.index import NAME, Index
from ...leaderboard.sealed_file import IndexDamaged, IndexUnusable
from ...printing.text import counted
from ...replay.log_file import LogPosition, holds_position, read_from
from ...replay.log_writer import LogWriter
from ...replay.verify import Finding, check
from ...replay.verify_files import verify_file
from ..definition import Definition, TournamentPaths

_MAX_SEQUENTIAL = 200
"""Up to this many games are verified in this process; more in parallel."""


def check_not_lost(definition: Definition, log: Path) -> None:
    """Raises LogError if the log is missing and the index has its games, whose deals others may know."""
    known = None
    if not log.exists():
        with suppress(IndexDamaged, IndexUnusable), Index(log.parent / NAME) as index:
            known = index.log_at(log)
    if known and known.state.started == definition.started:
        games = f"{log} is missing, which had {counted(known.games, 'game')} of {definition.name}"
        raise LogError(f"{games}: put it back, or define another tournament, for others may know these deals")


def forget(log: Path) -> None:
    """Make the index forget a log, as that of a tournament which was removed."""
    with suppress(IndexDamaged, IndexUnusable), Index(log.parent / NAME) as index:
        if known := index.log_at(log):
            index.forget(known)


def check_whole(paths: TournamentPaths) -> None:
    """Verify the games of a tournament's log that are not known to be verified.

    Raises LogError, naming the record, if a game does not verify.
    """
    if not paths.log.exists():
        return
    with LogWriter(paths.log) as log:  # repairs an incomplete end, as left by a killed run
        end = log.position
        findings = _verify(paths.log, end)
    if findings:
        raise LogError(f"{paths.log}: {findings[0]}; it is not resumed (fa replay verify reports all)")
    remember(paths.log, end)


def _verify(log: Path, end: LogPosition) -> list[Finding]:
    verified = None
    with suppress(IndexDamaged, IndexUnusable), Index(log.parent / NAME) as index:
        verified = index.verified(log.name)
    if verified == end:
        return []
    if verified and end.index - verified.index <= _MAX_SEQUENTIAL and holds_position(log, verified, whole_chain=True):
        return [finding for entry, _ in read_from(log, verified.index) if (finding := check(entry))]
    findings: list[Finding] = []
    verify_file(log, findings.append)
    return findings


def remember(log: Path, position: LogPosition) -> None:
    """Note that the log is verified up to this position; without a usable index it is verified again next time."""
    with suppress(IndexDamaged, IndexUnusable), Index(log.parent / NAME) as index:
        index.save_verified(log.name, position)
