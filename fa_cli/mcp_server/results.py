"""The results of a home for assistants: tournaments, leaderboards, comparisons and recorded games."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ..errors import UsageError
from ..leaderboard.leaderboards import Selection, games_in, leaderboard, tournament_logs
from ..printing.columns import columns_of, p_in_words
from ..printing.formats import as_markdown
from ..printing.rows import fields_of, meanings_of_marks, used_columns
from ..printing.text import counted, did_you_mean
from ..replay.narrate import Boards, narrate_game
from ..replay.verify import Finding
from ..replay.verify_files import verify_file
from ..results.early_stops import mark_stopped_bots
from ..results.pair import check_pair, compare_pair, mark_versions
from ..results.sequential_tests import SequentialTests
from ..results.verdict import headlines
from ..serve.contests.overview import Contests, record_in

_LINES = 200
"""Lines of a narrated game in one answer."""
_FIELDS = ("group", "rank", "rank_range", "bot", "games", "strength", "strength_interval", "wins", "points", "faults")
"""The columns of a leaderboard's text; the structured content has all."""


class Answer(NamedTuple):
    """The answer of a tool: for people, and the same for programs."""

    text: str
    content: dict[str, Any]


class Results:
    """Reads the logs and tournaments of a home. What takes long belongs into a thread."""

    def __init__(self, contests: Contests, logs: Path) -> None:
        self._contests = contests
        self._logs = logs

    def tournaments(self) -> Answer:
        """All tournaments and what they are doing, and the names of all logs."""
        rows, logs = self._contests.rows(), self._contests.logs()
        lines = [f"{row.name}: {row.state}" for row in rows] or ["No tournaments."]
        return Answer(
            "\n".join([*lines, f"Logs: {', '.join(logs) or 'none'}"]), {"tournaments": plain(rows), "logs": logs}
        )

    def leaderboard(self, tournament: str | None, game: str | None) -> Answer:
        """The leaderboard of one tournament or all. Raises UsageError, LogError."""
        notes: list[str] = []
        selection = self._selection(tournament, game, notes)
        board = leaderboard(selection)
        if not board.games:
            raise UsageError(f"no games{f' of {game}' if game else ''} in {tournament or 'the logs'}")
        mark_stopped_bots(board, selection, None)
        rows = [fields_of(row) for row in board.rows]
        notes += filter(None, [*board.notes, board.points_note])
        columns = used_columns(rows, [each for each in columns_of(type(board.rows[0])) if each.field in _FIELDS])
        text = as_markdown(rows, columns, [*notes, *meanings_of_marks(rows, columns)])
        return Answer(text, {"games": board.games, "rows": plain(rows), "notes": notes})

    def compare(self, first: str, second: str, tournament: str | None, game: str | None) -> Answer:
        """Which of two bots is better, and how surely. Raises UsageError, LogError."""
        check_pair(first, second)
        notes: list[str] = []
        comparison = compare_pair(
            self._selection(tournament, game, notes), first, second, None, tournament or "the logs"
        )
        logs = self._chosen(tournament) or tournament_logs(self._logs)
        tests = SequentialTests(logs, (first, second))
        rows = comparison.rows()
        for row in rows:
            tests.mark(row, comparison.logs_of(row))
        sentences = headlines(rows)
        sentences += tests.sentences(comparison.logs_of(rows[-1]))
        sentences += mark_versions(rows, comparison, logs)
        for row in rows:
            low, high = row.difference_interval
            certainty = f" ({low:+.3f} to {high:+.3f}), {p_in_words(row.p_value)}" if row.fixed_sample else ""
            sentences.append(
                f"{row.part}: {row.first} less {row.second} in place score {row.difference:+.3f}{certainty}, "
                f"{counted(row.blocks, 'deal')}."
            )
        sentences += notes
        return Answer("\n".join(sentences), {"rows": plain([fields_of(row) for row in rows]), "sentences": sentences})

    def show(self, log: str, game: int, boards: str, line: int) -> Answer:
        """A part of a narrated game, from a line on. Raises UsageError, LogError."""
        path = self._log(log)
        record = record_in(path, game)
        if not record:
            raise UsageError(f"{log} has no game {game}: it has {counted(games_in(path), 'game')}")
        lines = list(narrate_game(record, Boards(boards)))
        shown = lines[line - 1 : line - 1 + _LINES]
        if not shown:
            raise UsageError(f"the game has {counted(len(lines), 'line')}, so none from {line} on")
        following = line + len(shown)
        rest = following if following <= len(lines) else None
        result = record.result
        content = {"game": record.game, "players": record.players, "points": result.scores, "ranks": result.ranks}
        text = "\n".join([*shown, *([f"(go on with line {rest} of {len(lines)})"] if rest else [])])
        return Answer(text, {**content, "reason": result.reason, "lines": shown, "next_line": rest})

    def verify(self, log: str) -> Answer:
        """Deal every game of a log again and replay every action. Raises UsageError, LogError."""
        findings: list[Finding] = []
        summary = verify_file(self._log(log), findings.append, jobs=1)
        totals = f"{log}: {counted(summary.records, 'game')}, {summary.plies:,} plies"
        sentences = [f"{totals}: {f'{summary.bad:,} bad' if summary.bad else 'all good'}"]
        sentences += map(str, findings[:20])
        return Answer("\n".join(sentences), {**plain(summary), "findings": sentences[1:]})

    def _selection(self, tournament: str | None, game: str | None, notes: list[str]) -> Selection:
        """The games of a tournament or of all; warnings go to `notes`."""
        return Selection(self._logs, notes.append, self._chosen(tournament), game)

    def _chosen(self, tournament: str | None) -> list[Path] | None:
        return [self._log(tournament)] if tournament else None

    def _log(self, name: str) -> Path:
        """The log of this name. Raises UsageError if there is none."""
        names = self._contests.logs()
        if name not in names:
            raise UsageError(f"no log named {name[:80]!r}{did_you_mean(name[:80], names)}")
        return self._logs / f"{name}.log"


def plain(value: object) -> Any:
    """The value as JSON has it."""
    return msgspec.json.decode(msgspec.json.encode(value))
