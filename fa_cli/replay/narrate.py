"""Describes a game in plain text, decision by decision, with drawings of the board and all hands."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, pairwise
from typing import TYPE_CHECKING

from ..game_result import have_all_failed, rank_seats
from ..games.contract import ACTION, DREW, JournalEntry, State
from ..games.game import Game
from ..printing.text import both_ends, counted, listed, printable, printable_lines
from .reconstruct import deal_of, play_again
from .record import Record, fault_details, fault_words, names_of_who_played
from .verify import check

if TYPE_CHECKING:
    from .evaluation import Evaluation


class Boards(enum.Enum):
    """When to draw the board and all hands, besides at the start and the end."""

    ALL = "all"
    TURNS = "turns"
    ROUNDS = "rounds"
    END = "end"


class Narrator:
    """Describes a game that is being played on `state`, from the state's journal; `ply` counts the decisions.

    All methods yield lines that are safe for a terminal.
    """

    def __init__(self, game: Game, state: State, players: Sequence[str], boards: Boards = Boards.ROUNDS) -> None:
        self._game = game
        self._state = state
        self._players = players
        self._boards = boards
        self._period = _current_period(state, boards)
        self._failed: set[int] = set()  # seats
        self._narrated = 0  # journal entries
        self.ply = 0
        state.journal = []

    def heading(self, options: Mapping[str, object], players: Sequence[str] = ()) -> Iterator[str]:
        """The game, its options, the players, and the board."""
        yield from describe_setting(self._game, options, players or self._players)
        yield from self.board()

    def board(self) -> Iterator[str]:
        """The board and all hands."""
        yield ""
        for line in printable_lines(self._game.render(self._state, None)).split("\n"):
            yield f"    | {line}".rstrip()
        yield ""

    def fault(self, seat: int, kind: str, detail: str) -> Iterator[str]:
        """Report that a seat's bot failed; from here on its actions are substitutes."""
        yield f"       ! {self.describe_fault(seat, kind, detail)}"

    def action(self) -> Iterator[str]:
        """Describe the action just applied and its consequences; draw the board if `boards` asks for it here."""
        journal = self._state.journal or []
        entries, self._narrated = journal[self._narrated :], len(journal)
        first, *others = self.describe(entries)
        yield f"{self.ply:5}  {first}"
        for sentence in others:
            yield f"          {sentence}"
        self.ply += 1
        before, self._period = self._period, _current_period(self._state, self._boards)
        if not self._state.is_over() and (self._boards is Boards.ALL or before != self._period):
            yield from self.board()

    def describe_fault(self, seat: int, kind: str, detail: str) -> str:
        """A sentence on the failure of a seat's bot; its later actions are described as substitutes."""
        self._failed.add(seat)
        name, reason = printable(self._players[seat]), printable(detail)
        return f"{name} is out of the game: {kind}{': ' if reason else ''}{reason}"

    def describe(self, entries: Sequence[JournalEntry], viewer: int | None = None) -> list[str]:
        """An action and its consequences, a sentence each, as a seat may know them; viewer None knows everything."""
        sentences = [describe_entry(self._game, self._state, entry, self._players, viewer) for entry in entries]
        if entries[0][1] in self._failed:
            sentences[0] += " (played for it)"
        if self._state.is_over():
            sentences[0] += ": the game ends"
        return sentences

    def describe_action(self, action: int) -> str:
        """A legal action in words, as if its player had just chosen it."""
        return describe_entry(self._game, self._state, (ACTION, self._state.actor, action), self._players)


def describe_setting(game: Game, options: Mapping[str, object], players: Sequence[str]) -> Iterator[str]:
    """The game with its options, and the player in each seat."""
    settings = ", ".join(f"{name} {value}" for name, value in options.items())
    yield f"{game.title} ({printable(settings)})"
    for seat, name in enumerate(players):
        yield f"seat {seat}: {printable(name)}"


def describe_entry(
    game: Game, state: State, entry: JournalEntry, players: Sequence[str], viewer: int | None = None
) -> str:
    """A journal entry as a sentence, as a seat may know it: of cards that others draw face down, only their number.

    Viewer None knows everything.
    """
    if viewer is not None and entry[0] == DREW:
        event = game.event_for(entry, viewer)
        if event and event != game.event_for(entry, None):
            backs = f" ({event.what})" if event.what else ""
            return printable(f"{players[entry[1]]} draws {counted(event.count or 0, 'card')}{backs}")
    return printable(game.narrate(state, entry, players))


def narrate_game(record: Record, boards: Boards = Boards.ROUNDS, evaluation: Evaluation | None = None) -> Iterator[str]:
    """Describe a record, as far as it can be played, in lines that are safe for a terminal.

    With an evaluation also what each player could expect, and the worst decisions. Raises UnknownGame, BadOption,
    BadPlayers or LogError if the record can't be dealt.
    """
    game, state = deal_of(record)
    narrator = Narrator(game, state, record.players, boards)
    yield from narrator.heading(record.options, names_of_who_played(record))
    for decision in play_again(game, state, record):
        for fault in decision.faults:
            yield from narrator.fault(fault.seat, *fault_words(record.meta, fault))
            yield from stderr_lines(str(fault_details(record.meta, fault).get("stderr", "")))
        yield from narrator.action()
        if evaluation:
            yield f"          {evaluation.expected(decision.ply + 1)}"
    yield from narrator.board()
    yield from narrate_end(game, state, record)
    if evaluation:
        yield from evaluation.summary()


def stderr_lines(stderr: str) -> list[str]:
    """A failed bot's stderr, indented and fit for a terminal."""
    lines = both_ends(stderr)
    return ["         on stderr:", *(f"         | {line}" for line in lines)] if lines else []


def narrate_end(game: Game, state: State, record: Record) -> Iterator[str]:
    """Describe the result, best player first, and the record's first error if it does not verify.

    `state` is that in which the record ends.
    """
    won, ahead = _outcome(game, state, record)
    yield f"The end: {end_words(game, record)}"
    yield from ranked_seats(record, ahead)
    if won:
        yield f"     {won}"
    finding = check(record)
    if finding is not None:
        where = "" if finding.ply is None else f" at ply {finding.ply}"
        yield f"This record is bad{where}: {printable(finding.text)}"


def end_words(game: Game, record: Record) -> str:
    """Why the game ended; what a bad record has instead."""
    reason = record.result.reason
    return game.presentation.guide.endings.get(reason) or printable(reason)


def ranked_seats(record: Record, ahead: Mapping[int, str] = {}) -> Iterator[str]:
    """A line for each seat, best first: rank, name, points, and since when and why its bot was out of the game.

    `ahead`: by seat, how a tie was resolved, in words.
    """
    result = record.result
    out = {each.seat: f" (out since ply {each.ply}: {fault_words(record.meta, each)[0]})" for each in record.faults}
    rows = zip(result.ranks, count(), record.players, result.scores, strict=False)  # a bad record may lack some
    for rank, seat, name, points in sorted(rows, key=lambda row: row[0]):
        tie = f", {ahead[seat]}" if seat in ahead else ""
        yield f"{rank:3}. {printable(name)}, {counted(points, 'point')}{tie}{out.get(seat, '')}"


def how_won(game: Game, state: State, record: Record) -> str:
    """A sentence as the rules have it, whatever the record claims; empty if its last `state` is not the game's end.

    `planner wins with 42 points, as many as greedy, by cards in hand: 5 to 3`. Other ties that a tie-break resolves
    follow: `; ann is ahead of bob by cards in hand: 2 to 1`.
    """
    won, ahead = _outcome(game, state, record)
    return "; ".join([won, *(f"{printable(record.players[seat])} is {how}" for seat, how in ahead.items())])


def _outcome(game: Game, state: State, record: Record) -> tuple[str, dict[int, str]]:
    """The parts of `how_won`: on the first two seats, and by seat on the others, `ahead of bob by ...`."""
    if not state.is_over():
        return "", {}
    if have_all_failed(record.faults, len(record.players)):
        return "nobody wins, because all are out of the game", {}
    standing, names = state.standing(), list(map(printable, record.players))
    ranks = rank_seats(standing, record.faults)
    first, *others = sorted(range(len(ranks)), key=ranks.__getitem__)
    ahead = {
        seat: f"ahead of {names[behind]} {tie_break}"
        for seat, behind in pairwise(others)
        if (tie_break := _tie_break(game, standing[seat], standing[behind]))
    }
    return _first_words(game, standing, ranks, names, first, others[0]), ahead


def _first_words(
    game: Game, standing: list[tuple[int, ...]], ranks: list[int], names: list[str], first: int, second: int
) -> str:
    """What `how_won` says of the first two seats."""
    best, next_best = standing[first], standing[second]
    won = f"with {counted(best[0], 'point')}"
    if ranks[first] == ranks[second]:
        return f"{listed([name for name, rank in zip(names, ranks, strict=True) if rank == 1])} share the win {won}"
    start, other = f"{names[first]} wins {won}", names[second]
    if next_best >= best:
        return f"{start}, because {other} is out of the game"
    if next_best[0] < best[0]:
        return f"{start}, {best[0] - next_best[0]} more than {other}"
    return f"{start}, as many as {other}, {_tie_break(game, best, next_best)}"


def _tie_break(game: Game, better: tuple[int, ...], worse: tuple[int, ...]) -> str:
    """`by cards in hand: 5 to 3`; empty if nothing or the points decide."""
    if better <= worse or better[0] != worse[0]:
        return ""
    decided = next(at for at, pair in enumerate(zip(better, worse, strict=True)) if pair[0] != pair[1])
    return f"by {game.presentation.guide.tie_breaks[decided - 1]}: {better[decided]} to {worse[decided]}"


def _current_period(state: State, boards: Boards) -> object:
    """A value that changes when the turn or round changes that `boards` names. Games count turns or rounds."""
    turns, rounds = getattr(state, "turns", None), getattr(state, "round", None)
    if boards is Boards.END or boards is Boards.ALL:
        return None
    if rounds is None and isinstance(turns, int) and boards is Boards.ROUNDS:
        return turns // state.players
    return turns, rounds
