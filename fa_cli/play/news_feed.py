"""What a person at the table hears of the game, as it goes on, and what is kept of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..games.contract import ACTION, DREW, JournalEntry, State
from ..games.game import Game
from ..results import Fault
from ..text import counted, printable


class NewsFeed:
    """An observer for one seat: `tell` takes a sentence for each thing that happens after the first `known` actions."""

    def __init__(self, game: Game, names: Sequence[str], seat: int, known: int, tell: Callable[[str], None]) -> None:
        self.state: State
        """The real one; dealt when the game begins."""
        self.actions: list[str] = []
        self.faults: list[Fault] = []
        self.details: list[dict[str, Any]] = []
        self.news: list[str] = []
        """What happened since the person's last action."""
        self.others = 0
        """Actions that others took."""
        self._game = game
        self._names = names
        self._seat = seat
        self.known = known
        """So many actions were played before: they are not told."""
        self._tell = tell
        self._told = 0

    def dealt(self, state: State) -> None:
        """The cards are dealt."""
        self.state = state

    def played(self) -> None:
        """An action was applied."""
        journal = self.state.journal or []
        entries, self._told = journal[self._told :], len(journal)
        self.actions.append(self._game.actions[entries[0][2]])
        if entries[0][1] == self._seat:
            self.news = []
            entries = entries[1:]  # nobody needs to be told what he did himself
        else:
            self.others += 1
        for entry in entries:
            self._note(sentence(self._game, self.state, entry, self._names, self._seat))

    def failed(self, fault: Fault, detail: str, stderr: str) -> None:
        """A bot is out of the game."""
        self.faults.append(fault)
        self.details.append({"seat": fault.seat, "ply": fault.ply, "detail": detail})
        name = printable(self._names[fault.seat])
        self._note(f"{name} is out of the game, and is played on without thinking: it {printable(detail)}")

    def _note(self, text: str) -> None:
        self.news.append(text)
        if len(self.actions) > self.known:
            self._tell(text)


def sentence(game: Game, state: State, entry: JournalEntry, names: Sequence[str], seat: int) -> str:
    """A journal entry in words, as a seat may know it: of cards that others draw hidden, how many."""
    if entry[0] != ACTION:
        heard = game.event_for(entry, seat)
        if heard != game.event_for(entry, None) and entry[0] == DREW and heard:
            backs = f" ({heard.what})" if heard.what else ""
            return printable(f"{names[entry[1]]} draws {counted(heard.count or 0, 'card')}{backs}")
    return printable(game.narrate(state, entry, names))
