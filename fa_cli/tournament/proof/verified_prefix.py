"""How far a tournament's log was played again already, so that going on with it need not do all of that each time.

What is known of that lies in the index: a mark, whose tag depends on all that is before it. A log that was changed
before it does not hold it any more, and is checked from its beginning.
"""

from __future__ import annotations

from pathlib import Path

from ...errors import LogError
from ...leaderboard.database import IndexDamaged, IndexUnusable
from ...leaderboard.index import NAME, Index
from ...replay.log_file import START, LogPosition, read_after
from ...replay.log_writer import LogWriter
from ...replay.verify import Finding, check
from ...replay.verify_files import verify_file
from ..definition import TournamentPaths

_FEW = 200
"""Games that are checked here; more on all cores."""


def check_whole(place: TournamentPaths) -> None:
    """Play the games of its log again, but for those of which is known that they are right.

    Raises LogError, naming the record, if one is not what it was.
    """
    if not place.log.exists():
        return
    with LogWriter(place.log) as log:  # mends what was being written when a run was killed
        end = log.position
        findings = _check(place.log, end)
    if findings:
        raise LogError(f"{place.log}: {findings[0]}; it is not gone on with (fa replay verify tells all)")
    remember(place.log, end)


def _check(log: Path, end: LogPosition) -> list[Finding]:
    known = _known(log)
    if known == end:
        return []
    findings: list[Finding] = []
    if known is not None and 0 <= end.index - known.index <= _FEW:
        holds = known == START
        for entry, mark in read_after(log, START):
            holds = holds or mark == known
            finding = check(entry) if holds and mark.index > known.index else None
            findings += [finding] if finding else []
        if holds:
            return findings
    verify_file(log, findings.append)
    return findings


def _known(log: Path) -> LogPosition | None:
    try:
        with Index(log.parent / NAME) as index:
            return index.verified(log.name)
    except (IndexDamaged, IndexUnusable):
        return None


def remember(log: Path, mark: LogPosition) -> None:
    """All up to this mark is right; where that can't be kept it is checked again."""
    try:
        with Index(log.parent / NAME) as index:
            index.save_verified(log.name, mark)
    except (IndexDamaged, IndexUnusable):
        pass
