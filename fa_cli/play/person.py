"""A person's seat: asks in the terminal, where a bot's session asks a process.

What a person chooses is tried on a copy of the game, and held back as long as nobody else acts and nothing comes of it:
so long it can be taken back, and nothing hidden was seen meanwhile. A raise in an auction is the usual case.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from itertools import product
from time import monotonic

import msgspec

from ..games.contract import ACTION, JournalEntry, State
from ..games.game import Game
from ..match.player import InProcessPlayer
from ..protocol.messages import Start
from ..protocol.session import EventsJSON, LegalActions, ObservationJSON
from ..results import Failure
from .menu import Entry as Choice
from .menu import Menu
from .news_feed import NewsFeed
from .paint import Painter
from .rulebook import paragraphs, whole
from .terminal import Terminal, folded

_MOST_ROWS = 14  # of a menu
HELP = (
    "Type a choice's number or letter, or how its words begin; Tab completes words.",
    "(12) after a choice: it leaves 12 to choose from.",
    "  Enter  all choices again",
    "  ?      the rules for this decision        rules  all rules",
    "  board  the board again                    news   what the others have done",
    "  undo   take back your last move           quit   leave; the game is saved",
)
_COMMANDS = ("help", "?", "board", "news", "undo", "rules", "quit")


class Left(Exception):
    """The person leaves the table."""


def taken_back(held: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """What is left of choices, each with its phase, when the last is taken back: of a raise all its cards."""
    left = list(held)
    phase = left[-1][0]
    while left and left[-1][0] == phase:
        left.pop()
    return left


class Person(InProcessPlayer):
    """The person's session. Raises Left where the person leaves."""

    def __init__(
        self,
        game: Game,
        names: Sequence[str],
        seat: int,
        watch: NewsFeed,
        terminal: Terminal,
        save: Callable[[], None],
    ) -> None:
        super().__init__()
        self._game = game
        self._watch = watch
        self._terminal = terminal
        self._save = save
        self._seat = seat
        self._names = names  # also where bots are not told them
        self._paint: Painter
        self._ready: deque[str] = deque()
        self._stage: object = None

    def start(self, message: Start) -> Failure | None:
        """Begin the game."""
        terminal = self._terminal
        palette = self._game.presentation.guide.palette
        self._paint = Painter(palette, str(self._seat), terminal.colours, terminal.many_colours)
        return None

    def decide(
        self,
        observation: ObservationJSON = msgspec.UNSET,
        legal: LegalActions = msgspec.UNSET,
        events: EventsJSON = msgspec.UNSET,
    ) -> str | Failure:
        """What the person chooses."""
        if not self._ready:
            self._save()
            if self._watch.known and self._stage is None:
                self._terminal.say(["", "Since your last action:", *(f"  {text}" for text in self._watch.news)])
            began = monotonic()
            self._ready.extend(self._choose_all())
            self.spent += monotonic() - began
        self.asked += 1
        return self._ready.popleft()

    def _choose_all(self) -> list[str]:
        """The choices until something comes of them."""
        held: list[tuple[str, str]] = []  # each with its phase
        state = self._watch.state.copy()
        while not self._is_out(state):
            phase = self._phase(state)
            action = self._choose(state, phase, bool(held))
            if action is None:
                held = taken_back(held)
                state = self._watch.state.copy()
                for _, before in held:
                    self._try(state, before)
                self._terminal.tell("Taken back.")
            else:
                held.append((phase, action))
                self._try(state, action)
        return [action for _, action in held]

    def _try(self, state: State, action: str) -> None:
        """Apply a choice to a copy, and what then has to be done without a choice; its journal has what came of it."""
        journal: list[JournalEntry] = []
        state.journal = journal
        state.apply(self._game.action_numbers[action])
        while not self._is_out(state) and len(legal := state.legal()) == 1:
            state.apply(legal[0])

    def _is_out(self, state: State) -> bool:
        """Whether what was tried can't be held back: somebody else acts, or something came of it."""
        return bool(state.journal) or state.actor != self._seat

    def _choose(self, state: State, phase: str, may_undo: bool) -> str | None:
        """One choice; None: take back what was chosen before."""
        everything = left = self._menu(state, [self._game.actions[number] for number in state.legal()])
        above = self._above(state, phase, may_undo)
        while True:
            entries = self._show(above, left)
            above = [[]]
            typed = self._ask(left)
            if typed == "undo" and may_undo:
                return None
            if typed in _COMMANDS:
                self._obey(typed, state, phase)
                continue
            found = (left.find(typed, entries) or everything.find(typed, [])) if typed else everything.actions
            if len(found) == 1:
                self._terminal.say([self._paint.strong(f"-> {found[0]}")])
                return found[0]
            if found:
                left = self._menu(state, found)
            else:
                self._terminal.tell(f"No legal action starts with {typed[:40]!r}. Type help for help.")

    def _menu(self, state: State, actions: Sequence[str]) -> Menu:
        return Menu(actions, lambda action: self._words(state, action))

    def _above(self, state: State, phase: str, may_undo: bool) -> list[list[str]]:
        """What is to be seen before a choice, the roomiest first: the board, or if it is known, what matters of it."""
        guide = self._game.presentation.guide
        others = 0 if phase in guide.running else self._watch.others
        stage = (phase, getattr(state, "turns", None), getattr(state, "round", None), others)
        asked = guide.ask.get(phase, "It is your turn.") + (" Or undo." if may_undo else "")
        below = ["", *(self._paint.strong(line) for line in folded(asked, self._terminal.width))]
        brief = [*self._brief(state), *below]
        if stage == self._stage:
            return [brief]
        self._stage = stage
        board = [*self._board(state, self._seat), *below]
        return [board, [line for line in board if line], *([brief] if phase in guide.running else [])]

    def _show(self, above: Sequence[Sequence[str]], menu: Menu) -> list[Choice]:
        """Draw the menu below what is above it: if it can be, beside what is there already, and at least on one screen.

        Returns the menu's entries.
        """
        terminal = self._terminal
        for rows, lines in product((terminal.room(), terminal.height - 1), above):
            room = rows - len(lines)
            entries, choices = menu.draw(max(1, min(_MOST_ROWS, room)), terminal.width)
            if len(choices) <= room:
                terminal.block([*lines, *map(self._paint.picture, choices)])
                return entries
        terminal.block(above[-1])
        entries, choices = menu.draw(_MOST_ROWS, terminal.width)
        terminal.block([self._paint.picture(line) for line in choices])
        return entries

    def _ask(self, menu: Menu) -> str:
        def complete(before: str, begun: str) -> list[str]:
            commands = [] if before.strip() else [word for word in _COMMANDS if word.startswith(begun)]
            return [*menu.complete(before, begun), *commands]

        try:
            return self._terminal.ask("Your choice, or help > ", complete).strip()
        except (EOFError, KeyboardInterrupt):
            raise Left from None

    def _obey(self, command: str, state: State, phase: str) -> None:
        terminal = self._terminal
        if command == "quit":
            raise Left
        if command == "help":
            legend = self._game.presentation.guide.legend
            terminal.block(
                [*HELP, *(self._paint.faint(line) for line in folded(legend, terminal.width, hanging=False))]
            )
        elif command == "board":
            terminal.block(self._board(state, self._seat))
        elif command == "news":
            terminal.say([f"  {text}" for text in self._watch.news] or ["Nothing."])
        elif command == "undo":
            terminal.tell("Nothing to undo: your last move has already been revealed.")
        elif command == "rules":
            terminal.say(whole(self._game, terminal.width))
        else:
            starts = self._game.presentation.guide.rules.get(phase, ())
            terminal.say(paragraphs(self._game, starts, terminal.width) or ["fa rules has them."])

    def show_end(self) -> None:
        """The board at the end, with everybody's hand."""
        self._terminal.block(self._board(self._watch.state, None))

    def _board(self, state: State, seat: int | None) -> list[str]:
        you = ["" if number != self._seat else " (you)" for number in range(len(self._names))]
        names = ", ".join(f"#{number} {name}{you[number]}" for number, name in enumerate(self._names))
        return self._picture("", f"{self._game.title}: {names}", *self._game.render(state, seat).split("\n"))

    def _brief(self, state: State) -> list[str]:
        return self._picture("", *self._game.presentation.brief(state, self._seat).split("\n"))

    def _picture(self, *lines: str) -> list[str]:
        """The lines, coloured; those that are too long are folded."""
        width = self._terminal.width
        fitting = (part for line in lines for part in ([line] if len(line) <= width else folded(line, width)))
        return [self._paint.picture(line) for line in fitting]

    def _phase(self, state: State) -> str:
        """What kind of decision it is, in the game's word."""
        seen = msgspec.json.decode(self._game.observation_json(state, self._seat), type=self._game.observation)
        return getattr(seen, "phase", "")

    def _words(self, state: State, action: str) -> str:
        """What an action does, without who does it."""
        names = [""] * (len(self._names) + 1)
        return self._game.narrate(state, (ACTION, self._seat, self._game.action_numbers[action]), names).strip()
