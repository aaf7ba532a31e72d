"""The events of a game as one seat may know them, in sentences to the person there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..game_result import Fault
from ..games.contract import State
from ..games.game import Game
from ..printing.text import printable
from .second_person import describe_to


class NewsFeed:
    """A referee's observer for one seat: passes a sentence to `tell` for each event after the first `known` actions."""

    def __init__(self, game: Game, names: Sequence[str], seat: int, known: int, tell: Callable[[str], None]) -> None:
        self.state: State
        """The referee's state, from the deal on."""
        self.actions: list[str] = []
        self.faults: list[Fault] = []
        self.details: list[dict[str, Any]] = []
        self.news: list[str] = []
        """The sentences since the person's last action."""
        self.others = 0
        """The number of actions by other seats."""
        self.own = 0
        """The number of actions by this seat."""
        self._game = game
        self._names = names
        self._seat = seat
        self.known = known
        """The number of actions played before a resume; these are not passed to `tell`."""
        self._tell = tell
        self._journal_length = 0

    def dealt(self, state: State) -> None:
        """The cards are dealt."""
        self.state = state

    def played(self) -> None:
        """An action was applied."""
        journal = self.state.journal or []
        entries, self._journal_length = journal[self._journal_length :], len(journal)
        self.actions.append(self._game.actions[entries[0][2]])
        if entries[0][1] == self._seat:
            self.own += 1
            self.news = []
            entries = entries[1:]  # the person knows his own action
        else:
            self.others += 1
        for entry in entries:
            self._note(describe_to(self._game, self.state, entry, self._names, self._seat))

    def failed(self, fault: Fault, detail: str, stderr: str) -> None:
        """A bot failed."""
        self.faults.append(fault)
        self.details.append({"seat": fault.seat, "ply": fault.ply, "detail": detail})
        name = printable(self._names[fault.seat])
        self._note(f"{name} is out of the game: it {printable(detail)}; its first legal action is played from now on")

    def _note(self, text: str) -> None:
        self.news.append(text)
        if len(self.actions) > self.known:
            self._tell(text)
