"""The events of a game as one seat may know them, in sentences to the person there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..game_result import Fault
from ..games.game import Game
from ..printing.text import printable
from .second_person import describe_to
from .unfinished import GameSoFar


class NewsFeed(GameSoFar):
    """A referee's observer for one seat: passes a sentence to `tell` for each event after the first `known` actions."""

    def __init__(self, game: Game, names: Sequence[str], seat: int, known: int, tell: Callable[[str], None]) -> None:
        super().__init__(game)
        self.news: list[str] = []
        """The sentences since the person's last action."""
        self.others = 0
        """The number of actions by other seats."""
        self.own = 0
        """The number of actions by this seat."""
        self._names = names
        self._seat = seat
        self.known = known
        """The number of actions played before a resume; these are not passed to `tell`."""
        self._tell = tell

    def played(self) -> None:
        """An action was applied."""
        entries = self.take_entries()
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
        super().failed(fault, detail, stderr)
        name = printable(self._names[fault.seat])
        self._note(f"{name} is out of the game: it {printable(detail)}; its first legal action is played from now on")

    def _note(self, text: str) -> None:
        self.news.append(text)
        if len(self.actions) > self.known:
            self._tell(text)
