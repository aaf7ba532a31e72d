"""A person's seat: a player that asks in the terminal. Choices can be undone while they are held back.

The person is told the events of the game as the seat may know them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from itertools import product
from time import monotonic

from ..game_result import Failure, Fault
from ..games.contract import State
from ..match.player import InProcessPlayer
from ..printing.terminal import folded
from ..printing.text import printable
from ..protocol.messages import Json
from .held_back import hold, is_revealed
from .menu import Choice, Menu
from .paint import Painter
from .rulebook import paragraphs, whole
from .screenfuls import Terminal
from .second_person import describe_choice, describe_to
from .unfinished import GameSoFar, Unfinished

_MAX_MENU_ROWS = 14
HELP = (
    "Type a choice's number or letter, or how its words begin; Tab completes words.",
    "34E (4) stands for 4 actions: choose it to see them; back or q closes the list.",
    "  Enter  show all choices again",
    "  ?      rules for this decision      rules  all rules",
    "  board  show the board again         news   events since your last action",
    "  undo   take back your last move     quit   leave; the game is saved",
)
_COMMANDS = ("help", "?", "board", "news", "undo", "rules", "quit")
_BACK = ("back", "q")
"""Close a list of actions, unless a choice has the letter q."""
_IN_LIST = "Choose one, or type back."
_REVEALED = "your last move has already been revealed"
_NOT_MOVED = "you have not moved yet"


class Left(Exception):
    """The person leaves the game."""


def undone(held: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The choices, as (phase, action), without the last phase: undoing a raise takes back all its cards."""
    remaining = list(held)
    phase = remaining[-1][0]
    while remaining and remaining[-1][0] == phase:
        remaining.pop()
    return remaining


class NewsFeed(GameSoFar):
    """A referee's observer for the person: passes a sentence to `tell` for each event after the actions known."""

    def __init__(self, unfinished: Unfinished, tell: Callable[[str], None]) -> None:
        super().__init__(unfinished)
        self.news: list[str] = []
        """The sentences since the person's last action."""
        self.others = 0
        """The number of actions by other seats."""
        self.own = 0
        """The number of actions by this seat."""
        self.known = len(unfinished.actions)
        """The number of actions played before a resume; these are not passed to `tell`."""
        self._tell = tell

    def played(self) -> None:
        """An action was applied."""
        entries, seat = self.take_entries(), self.unfinished.seat
        if entries[0][1] == seat:
            self.own += 1
            self.news = []
            entries = entries[1:]  # the person knows his own action
        else:
            self.others += 1
        for entry in entries:
            self._note(describe_to(self.game, self.state, entry, self.names, seat))

    def failed(self, fault: Fault, detail: str, stderr: str) -> None:
        """A bot failed."""
        super().failed(fault, detail, stderr)
        name = printable(self.names[fault.seat])
        self._note(f"{name} is out of the game: it {printable(detail)}; its first legal action is played from now on")

    def _note(self, text: str) -> None:
        self.news.append(text)
        if len(self.actions) > self.known:
            self._tell(text)


class Person(InProcessPlayer):
    """The person as a player. `decide` raises Left if the person leaves."""

    def __init__(self, feed: NewsFeed, terminal: Terminal, save: Callable[[], None]) -> None:
        super().__init__()
        self._game = feed.game
        self._feed = feed
        self._terminal = terminal
        self._save = save
        self._seat = feed.unfinished.seat
        palette = feed.game.presentation.guide.palette
        self._paint = Painter(palette, str(self._seat), terminal.colours, terminal.many_colours)
        self._chosen: deque[str] = deque()
        self._stage: object = None

    def decide(self, observation: Json = None, legal: Json = None, events: Json = None) -> str | Failure:
        """The person's next action."""
        if not self._chosen:
            self._save()
            if self._feed.known and self._stage is None:
                self._terminal.say(["", "Since your last action:"])
                self._say_news()
            started = monotonic()
            self._chosen.extend(self._choose_all())
            self.spent += monotonic() - started
        self.asked += 1
        return self._chosen.popleft()

    def _choose_all(self) -> list[str]:
        """The actions up to the first one that can't be undone."""
        held: list[tuple[str, str]] = []  # (phase, action)
        state = self._feed.state.copy()
        while not is_revealed(state, self._seat):
            phase = self._phase(state)
            action = self._choose(state, phase, bool(held))
            if action is None:
                held = undone(held)
                state = self._feed.state.copy()
                for _, earlier in held:
                    hold(state, self._game.action_numbers[earlier])
                self._terminal.write("Your last move is undone.")
            else:
                held.append((phase, action))
                hold(state, self._game.action_numbers[action])
        return [action for _, action in held]

    def _choose(self, state: State, phase: str, may_undo: bool) -> str | None:
        """One action; None means undo."""
        all_actions = menu = self._menu(state, [self._game.actions[number] for number in state.legal()])
        headers = self._headers(state, phase, may_undo)
        lists: list[Menu] = []
        while True:
            choices = self._show(headers, menu)
            headers = [[]]
            typed = self._ask(menu)
            if typed == "undo" and may_undo:
                return None
            if typed in _COMMANDS:
                self._obey(typed, state, phase)
                continue
            matches = (menu.find(typed, choices) or all_actions.find(typed, [])) if typed else all_actions.actions
            if typed in _BACK and not matches:
                if lists:
                    menu = lists.pop()
                else:
                    self._terminal.write("This is the first list. Type quit to leave; the game is saved.")
                continue
            if len(matches) == 1:
                self._terminal.say([self._paint.strong(f"-> {matches[0]}")])
                return matches[0]
            if matches:
                lists = [*lists, menu] if typed else []
                menu = self._menu(state, matches)
                headers = [[self._paint.faint(_IN_LIST)]] if lists else [[]]
            else:
                self._terminal.write(f"No legal action starts with {typed[:40]!r}. Type help for help.")

    def _menu(self, state: State, actions: Sequence[str]) -> Menu:
        return Menu(actions, lambda action: describe_choice(self._game, state, self._game.action_numbers[action]))

    def _headers(self, state: State, phase: str, may_undo: bool) -> list[list[str]]:
        """The texts that may stand above a menu, the longest first: the board, or a summary if the board is known."""
        guide = self._game.presentation.guide
        others = 0 if phase in guide.running else self._feed.others
        stage = (phase, getattr(state, "turns", None), getattr(state, "round", None), others)
        wanted = guide.question(self._game.view(state, self._seat))
        asked = [wanted, guide.typed.get(phase, ""), "Or undo." if may_undo else ""]
        question = " ".join(filter(None, asked))
        question_lines = ["", *(self._paint.strong(line) for line in folded(question, self._terminal.width))]
        brief = [*self._brief(state), *question_lines]
        if stage == self._stage:
            return [brief]
        self._stage = stage
        board = [*self._board(state, self._seat), *question_lines]
        return [board, [line for line in board if line], *([brief] if phase in guide.running else [])]

    def _show(self, headers: Sequence[Sequence[str]], menu: Menu) -> list[Choice]:
        """Print a header and the menu: on the rest of this screen if possible, else on one new screen, else on more.

        Returns the menu's choices.
        """
        terminal = self._terminal
        for rows, header in product((terminal.room(), terminal.height - 1), headers):
            room = rows - len(header)
            choices, lines = menu.draw(max(1, min(_MAX_MENU_ROWS, room)), terminal.width)
            if len(lines) <= room:
                terminal.block([*header, *map(self._paint.picture, lines)])
                return choices
        terminal.block(headers[-1])
        choices, lines = menu.draw(_MAX_MENU_ROWS, terminal.width)
        terminal.block([self._paint.picture(line) for line in lines])
        return choices

    def _ask(self, menu: Menu) -> str:
        def complete(before: str, prefix: str) -> list[str]:
            commands = [] if before.strip() else [word for word in _COMMANDS if word.startswith(prefix)]
            return [*menu.complete(before, prefix), *commands]

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
            terminal.block([*HELP, *(self._paint.faint(line) for line in folded(legend, terminal.width, hanging=0))])
        elif command == "board":
            terminal.block(self._board(state, self._seat))
        elif command == "news":
            self._say_news()
        elif command == "undo":
            terminal.write(f"Nothing to undo: {_REVEALED if self._feed.own else _NOT_MOVED}.")
        elif command == "rules":
            terminal.say(whole(self._game, terminal.width, terminal.colours))
        else:
            starts = self._game.presentation.guide.rules.get(phase, ())
            terminal.say(
                paragraphs(self._game, starts, terminal.width, terminal.colours) or ["Type rules for all rules."]
            )

    def _say_news(self) -> None:
        for text in self._feed.news or ["Nothing has happened since your last action."]:
            self._terminal.write(text, "  ")

    def show_end(self) -> None:
        """Print the board at the end, with all hands."""
        self._terminal.block(self._board(self._feed.state, None))

    def _board(self, state: State, viewer: int | None) -> list[str]:
        names = ", ".join(
            f"#{seat} {name}{' (you)' if seat == self._seat else ''}" for seat, name in enumerate(self._feed.names)
        )
        return self._picture("", f"{self._game.title}: {names}", *self._game.render(state, viewer).split("\n"))

    def _brief(self, state: State) -> list[str]:
        return self._picture("", *self._game.presentation.brief(state, self._seat).split("\n"))

    def _picture(self, *lines: str) -> list[str]:
        """The lines in colour; long ones are folded."""
        width = self._terminal.width
        parts = (part for line in lines for part in folded(line, width))
        return [self._paint.picture(part) for part in parts]

    def _phase(self, state: State) -> str:
        """The phase of the game, as in its observation."""
        observation = self._game.observe(state, self._seat)
        return getattr(observation, "phase", "")
