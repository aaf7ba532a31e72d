"""A game told in plain words, decision by decision, with the board and the hands drawn now and then."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence

from ..games.contract import ACTION, JournalEntry, State
from ..games.game import Game
from ..text import counted, printable, printable_lines
from .reconstruct import deal_again
from .record import Record, fault_detail
from .verify import check


class Boards(enum.Enum):
    """When the board and all hands are drawn, besides at the start and the end."""

    ALL = "all"
    TURNS = "turns"
    ROUNDS = "rounds"
    END = "end"


class Narrator:
    """Tells a game from its state and the journal in it, while somebody else plays on; `ply` counts the decisions."""

    def __init__(self, game: Game, state: State, players: Sequence[str], boards: Boards = Boards.ROUNDS) -> None:
        self._game = game
        self._state = state
        self._players = players
        self._boards = boards
        self._stage = _stage(state, boards)
        self._failed: set[int] = set()
        self._narrated = 0  # entries of the journal
        self.ply = 0
        state.journal = []

    def heading(self, options: Mapping[str, object]) -> Iterator[str]:
        """What is played, and by whom."""
        told = ", ".join(f"{name} {value}" for name, value in options.items())
        yield f"{self._game.title} ({printable(told)})"
        for seat, name in enumerate(self._players):
            yield f"seat {seat}: {printable(name)}"
        yield from self.board()

    def board(self) -> Iterator[str]:
        """The board and all hands."""
        yield ""
        for line in printable_lines(self._game.render(self._state, None)).split("\n"):
            yield f"    | {line}".rstrip()
        yield ""

    def failed(self, seat: int, kind: str, detail: str) -> Iterator[str]:
        """A seat's bot is out of the game from here on."""
        self._failed.add(seat)
        name, told = printable(self._players[seat]), printable(detail)
        yield f"       ! {name} is out of the game: {kind}{': ' if told else ''}{told}"

    def played(self) -> Iterator[str]:
        """An action that was applied, with what followed from it; the board when it is time for it."""
        journal = self._state.journal or []
        entries, self._narrated = journal[self._narrated :], len(journal)
        substitute = " (played for it)" if entries[0][1] in self._failed else ""
        yield f"{self.ply:5}  {self._sentence(entries[0])}{substitute}"
        for entry in entries[1:]:
            yield f"          {self._sentence(entry)}"
        self.ply += 1
        before, self._stage = self._stage, _stage(self._state, self._boards)
        if not self._state.is_over() and (self._boards is Boards.ALL or before != self._stage):
            yield from self.board()

    def words(self, action: int) -> str:
        """An action that could be played now, as what its player would do."""
        return self._sentence((ACTION, self._state.actor, action))

    def _sentence(self, entry: JournalEntry) -> str:
        return printable(self._game.narrate(self._state, entry, self._players))


def narrate_game(record: Record, boards: Boards = Boards.ROUNDS) -> Iterator[str]:
    """The lines of the story, fit for a terminal; as far as the record can be played.

    Raises UnknownGame, BadOption, BadPlayers or LogError for a record that can't be dealt.
    """
    game, state = deal_again(record.game, record.options, len(record.players), record.seed)
    teller = Narrator(game, state, record.players, boards)
    yield from teller.heading(record.options)
    for ply, action in enumerate(record.actions):
        for fault in record.faults:
            if fault.ply == ply and 0 <= fault.seat < len(record.players):
                yield from teller.failed(fault.seat, fault.kind.value, fault_detail(record.meta, fault))
        number = game.action_numbers.get(action, -1)
        if state.is_over() or number not in state.legal():
            break
        assert state.journal is not None
        state.journal.append((ACTION, state.actor, number))
        state.apply(number)
        yield from teller.played()
    yield from teller.board()
    yield from narrate_end(record)


def narrate_end(record: Record) -> Iterator[str]:
    """How it ended, the best first; what is wrong with the record, if anything is."""
    result = record.result
    yield f"The end: {printable(result.reason)}"
    ended = zip(result.ranks, record.players, result.scores, strict=False)  # a bad record may lack some
    for rank, name, points in sorted(ended, key=lambda row: row[0]):
        yield f"{rank:3}. {printable(name)}, {counted(points, 'point')}"
    finding = check(record)
    if finding is not None:
        where = "" if finding.ply is None else f" at ply {finding.ply}"
        yield f"This record is bad{where}: {printable(finding.text)}"


def _stage(state: State, boards: Boards) -> object:
    """What changes when a turn, or a round, is over: a game counts one of these."""
    turns, rounds = getattr(state, "turns", None), getattr(state, "round", None)
    if boards is Boards.END or boards is Boards.ALL:
        return None
    if rounds is None and isinstance(turns, int) and boards is Boards.ROUNDS:
        return turns // state.players
    return turns, rounds
