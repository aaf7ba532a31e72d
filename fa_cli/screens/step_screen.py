"""A recorded game, step by step, on the full screen."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from textwrap import wrap
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import ScrollableContainer, Vertical
from textual.widgets import Input, Static

from ..errors import UsageError
from ..play.paint import Painter
from ..viewer.stepper import Jump, Stepper, score_table
from .changed_words import Span, changed_words
from .full_screen import FullScreen

_DRAWING = 76
"""Columns of the widest drawing of a board. Narrower terminals scroll to the side, wider lines are folded."""
_BOARD = 82
"""Columns of the board where the sentences stand beside it."""
_WIDE = 126
"""The least width at which the sentences stand beside the board."""
_LEAST_NEWS = 2
"""Lines for sentences below the board; a step with more of them gets up to a third of the screen."""
_HANDS = re.compile(r"hand \d| #\d holds")
"""Begins the hands, which end the drawing, with the bids: they stay in view."""
_HISTORY = 50
"""Steps before this one whose sentences are there to scroll back to."""
_HELP = """\
→  space          next decision            ←  backspace   previous decision
Page down         next {0:20}Page up        previous {0}
End               end of the game          Home           the deal
r  R              next, previous round
a  A              next, previous auction
s  S              next, previous scoring
f  F              next, previous fault
g                 go to a ply, as `fa replay show` numbers them
/                 search the sentences;    n  N           next, previous match
v                 see the game from each seat in turn, then all hands again
↑ ↓  j k          scroll the board         Shift ← →      scroll it sideways
Shift ↑ ↓  J K    scroll the sentences
Tab               board and sentences, the board alone, the sentences alone
?                 this help                q  Ctrl-C      quit"""
_JUMPS = {
    "pagedown": (Jump.TURN, 1), "pageup": (Jump.TURN, -1), "r": (Jump.ROUND, 1), "R": (Jump.ROUND, -1),
    "a": (Jump.AUCTION, 1), "A": (Jump.AUCTION, -1), "s": (Jump.SCORING, 1), "S": (Jump.SCORING, -1),
    "f": (Jump.FAULT, 1), "F": (Jump.FAULT, -1),
}  # fmt: skip
_ACTIONS = {
    **{key: f"jump('{key}')" for key in _JUMPS},
    "right,space,l": "move(1)", "left,backspace,h": "move(-1)", "end": "end(1)", "home": "end(-1)",
    "down,j": "scroll(0, 1)", "up,k": "scroll(0, -1)", "shift+right": "scroll(8, 0)", "shift+left": "scroll(-8, 0)",
    "shift+down,J": "scroll(0, 1, 'news')", "shift+up,K": "scroll(0, -1, 'news')",
    "slash": "prompt('search')", "n": "search(1)", "N": "search(-1)", "g": "prompt('go to ply')",
    "v": "view", "tab": "layout", "question_mark": "help", "escape": "close_prompt",
}  # fmt: skip


class StepScreen(FullScreen):
    """Shows a game that a stepper walks through; `name` says which it is."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key, action, priority=True)  # or keys that are typed quickly would reach the prompt out of order
        for key, action in _ACTIONS.items()
    ]
    CSS = """
    #title, #players, #keys { height: 1; }
    #banner { height: auto; color: ansi_red; text-style: bold; }
    #panes { height: 1fr; layout: vertical; }
    #board, #hands, #news { scrollbar-size: 0 1; }
    #drawn { height: auto; }
    #news { border-top: solid ansi_default; }
    .wide #panes { layout: horizontal; }
    .wide #drawn { width: 82; }
    .wide #news { width: 1fr; border-top: none; border-left: solid ansi_default; }
    #panes Static { width: auto; height: auto; }
    #prompt { height: 1; border: none; padding: 0; display: none; background: ansi_default; }
    """

    def __init__(self, name: str, stepper: Stepper) -> None:
        super().__init__()
        self._name = name
        self._stepper = stepper
        self._sought = ""
        self._message = ""
        self._layouts = ["both", "board", "news"]
        self._shows_help = False
        self._scrolled = 0  # lines by which the user scrolled the sentences

    def compose(self) -> ComposeResult:
        """The widgets from the top: problem, place and game, players, board, hands, sentences, keys or a prompt."""
        yield Static(id="banner", markup=False)
        yield Static(id="title", markup=False)
        yield Static(id="players", markup=False)
        with ScrollableContainer(id="panes"):
            with Vertical(id="drawn"):
                for part in ("board", "hands"):
                    with ScrollableContainer(id=part, can_focus=False):
                        yield Static(markup=False)
            with ScrollableContainer(id="news", can_focus=False):
                yield Static(markup=False)
        yield Static(id="keys", markup=False)
        prompt = Input(id="prompt", select_on_focus=False)
        prompt.cursor_blink = False
        yield prompt

    def on_mount(self) -> None:
        """Show the deal."""
        self.screen.set_focus(None)

    def on_resize(self) -> None:
        """Arrange everything for the new size."""
        self.call_later(self._draw)  # Textual sets its size after this

    @property
    def _is_wide(self) -> bool:
        return self.size.width >= _WIDE

    @property
    def _turn(self) -> Jump:
        """What Page down leads to: in games without turns, rounds."""
        return Jump.TURN if self._stepper.has(Jump.TURN) else Jump.ROUND

    # -- what is shown -------------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        self.screen.set_class(self._is_wide, "wide")
        banner = self.query_one("#banner", Static)
        banner.update(self._stepper.problem)
        banner.display = bool(self._stepper.problem)
        self.query_one("#title", Static).update(self._title())
        self.query_one("#players", Static).update(self._players())
        line = self._cut(Text(self._message, "reverse") if self._message else Text(self._keys(), "dim"))
        self.query_one("#keys", Static).update(line)
        board, hands = self._board()
        now = self._now()
        heights = self._heights(len(board), len(hands), len(now))
        if heights[0] < len(board):
            board = [text for text in board if text.plain.strip()]  # blank lines go first
            heights = self._heights(len(board), len(hands), len(now))
        for pane, lines, height in zip(("#board", "#hands"), (board, hands), heights, strict=False):
            self.query_one(pane).styles.height = height
            self.query_one(f"{pane} > Static", Static).update(Text("\n").join(lines))
        self.query_one("#drawn").display = self._layouts[0] != "news" or self._shows_help
        self._draw_news(now, heights[2])

    def _heights(self, board: int, hands: int, now: int) -> tuple[int, int, int]:
        """The lines of the board, the hands and the sentences, whose pane has one more; these get what is free."""
        room = self.size.height - 3 - len(wrap(self._stepper.problem, max(1, self.size.width)))
        is_alone, is_beside = self._layouts[0] == "board" or self._shows_help, self._is_wide
        news = 0 if is_alone or is_beside else 1 + min(max(_LEAST_NEWS, now), room // 3)
        hands = max(0, min(hands, (room - news) * 2 // 3))
        board = max(0, min(board, room - news - hands))
        if self._layouts[0] == "news":
            board = hands = 0
        return board, hands, max(1, room if is_beside else room - board - hands - 1)

    def _cut(self, line: Text) -> Text:
        line.truncate(self.size.width, overflow="ellipsis")
        return line

    def _title(self) -> Text:
        """`ply 57 of 191  turn 12  view of #1  first.log game 3: Fifth Avenue (side five)`."""
        stepper, step = self._stepper, self._stepper.step
        place = f"ply {step.ply} of {stepper.steps[-1].ply}" if step.ply >= 0 else "the deal"
        period = f"turn {step.turn}" if step.turn else f"round {step.round}" if step.round else ""
        view = "" if stepper.viewer is None else f"view of #{stepper.viewer}"
        line = Text("  ".join(filter(None, (place, period, view))), "bold")
        return self._cut(line + Text(f"  {self._name}: {stepper.title}", "not bold"))

    def _players(self) -> Text:
        """The players with their points: ` #0 greedy 12 *#1 planner 9`; the star is for who decides next."""
        line, step = Text(), self._stepper.step
        for seat, (name, points) in enumerate(zip(self._stepper.players, step.points, strict=True)):
            is_next = seat == step.actor
            line.append(f"{'*' if is_next else ' '}#{seat} {name} {points} ", "bold" if is_next else "")
        return self._cut(line)

    def _keys(self) -> str:
        """The most important keys; of the jumps only those that lead somewhere."""
        jumps = {"a": Jump.AUCTION, "f": Jump.FAULT}
        useful = [f"{key} {what.value}" for key, what in jumps.items() if self._stepper.has(what)]
        return "  ".join(
            ["q quit", "? help", "←→ step", f"PgDn {self._turn.value}", *useful, "/ search", "g ply", "v view"]
        )

    def _board(self) -> tuple[list[Text], list[Text]]:
        """The lines of the board, and those of the hands."""
        if self._shows_help:
            lines = _HELP.format(self._turn.value).split("\n")
            return [Text(line) for line in lines if "auction" not in line or self._stepper.has(Jump.AUCTION)], []
        width = max(_DRAWING, (_BOARD if self._is_wide else self.size.width) - 1)  # one for the scrollbar
        stepper = self._stepper
        steps = stepper.steps[max(0, stepper.index - 1)], stepper.step
        before, lines = ([part for line in step.board for part in _folded(line, width)] for step in steps)
        marks = changed_words(before, lines)
        texts = [self._marked(line, spans) for line, spans in zip(lines, marks, strict=True)]
        first = next((number for number, line in enumerate(lines) if _HANDS.match(line)), len(lines))
        return texts[:first], texts[first:]

    def _marked(self, line: str, spans: list[Span]) -> Text:
        """The line, painted; what has changed is reversed, which needs no colours."""
        painted = self._painted(line)
        for start, stop in spans:
            painted.stylize("reverse", start, stop)
        return painted

    def _painted(self, line: str) -> Text:
        """The line with the words that name colours in these."""
        many = "256" in os.environ.get("TERM", "") or "COLORTERM" in os.environ
        painter = Painter(self._stepper.palette, str(self._stepper.step.actor), not self.no_color, many)
        return Text.from_ansi(painter.picture(line)) if line else Text()

    def _news_width(self) -> int:
        beside = _BOARD + 1 if self._is_wide and self._layouts[0] == "both" else 0
        return max(20, self.size.width - beside - 1)

    def _now(self) -> list[str]:
        """The lines about this step: points as a table, if it fits, then the sentences."""
        step, width = self._stepper.step, self._news_width()
        table = [f"  {line}" for line in score_table(step)]
        return (table if max(map(len, table), default=0) <= width else []) + _numbered(step.ply, step.sentences, width)

    def _draw_news(self, now: list[str], height: int) -> None:
        """The lines about this step, below the sentences of the steps before.

        Only the lines that fit are drawn: Textual would scroll to a line before it knows the new text.
        """
        stepper, width = self._stepper, self._news_width()
        earlier = [
            line
            for step in stepper.steps[max(0, stepper.index - _HISTORY) : stepper.index]
            for line in _numbered(step.ply, step.sentences, width)
        ]
        first = self._first_line(len(earlier), len(now), height)
        texts = [*(Text(line, "dim") for line in earlier), *map(self._painted, now)]
        news = self.query_one("#news", ScrollableContainer)
        self.query_one("#news > Static", Static).update(Text("\n").join(texts[first : first + height]))
        news.display = self._layouts[0] != "board" and not self._shows_help
        news.styles.height = "100%" if self._is_wide else height + 1

    def _first_line(self, earlier: int, now: int, shown: int) -> int:
        """The first line to show, so that the last one fits; or the first of a long step, unless it is the last step.

        The user may have scrolled from there, at most to the first and last line.
        """
        last = max(0, earlier + now - shown)
        is_end = self._stepper.step is self._stepper.steps[-1]
        usual = last if is_end else min(earlier, last)
        self._scrolled = min(max(-usual, self._scrolled), last - usual)
        return usual + self._scrolled

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        """While something is typed into the prompt, keys stand for themselves."""
        return action in ("close_prompt", "interrupt") or not self.query_one("#prompt").display

    # -- keys ----------------------------------------------------------------------------------------------------------

    def action_move(self, by: int) -> None:
        """Go on or back by decisions."""
        self._stepper.move(by)
        self._finish()

    def action_end(self, direction: int) -> None:
        """Go to the end or to the deal."""
        self._stepper.move(direction * len(self._stepper.steps))
        self._finish()

    def action_jump(self, key: str) -> None:
        """Go to what the key stands for."""
        what, direction = _JUMPS[key]
        if what is Jump.TURN:
            what = self._turn
        self._try(lambda: self._stepper.jump(what, direction))

    def action_search(self, direction: int) -> None:
        """Search again."""
        if not self._sought:
            self.action_prompt("search")
            return
        self._try(lambda: self._stepper.search(self._sought, direction))
        found = (number for number, line in enumerate(self._now()) if self._sought.casefold() in line.casefold())
        self._scrolled = next(found, 0)  # as far as needed to show it
        self._draw()

    def action_view(self) -> None:
        """See the game from the next seat."""
        self._stepper.change_view()
        self._finish()

    def action_layout(self) -> None:
        """Show both panes, one of them, or the other."""
        self._layouts = [*self._layouts[1:], self._layouts[0]]
        self._finish()

    def action_help(self) -> None:
        """Show or hide the help."""
        self._shows_help = not self._shows_help
        self._draw()

    def action_scroll(self, columns: int, lines: int, pane: str = "board") -> None:
        """Scroll a pane; if only the sentences are shown, these."""
        if "news" in (pane, self._layouts[0]):
            self._scrolled += lines
            self._draw()
        else:
            self.query_one("#board").scroll_relative(columns, lines, animate=False, immediate=True)

    def _try(self, go: Callable[[], None]) -> None:
        """Go to another step, or show why there is none."""
        try:
            go()
        except UsageError as error:
            self._finish(str(error))
        else:
            self._finish()

    def _finish(self, message: str = "") -> None:
        self._message, self._shows_help, self._scrolled = message, False, 0
        self._draw()

    # -- the prompt ----------------------------------------------------------------------------------------------------

    def action_prompt(self, what: str) -> None:
        """Ask for a text to search or a ply."""
        prompt = self.query_one("#prompt", Input)
        prompt.placeholder, prompt.value = what, ""
        self.query_one("#keys").display, prompt.display = False, True
        self.screen.set_focus(prompt)  # at once: the text may be typed already

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Search, or go to the ply."""
        text, is_search = event.value, event.input.placeholder == "search"
        self.action_close_prompt()
        if is_search and (text or self._sought):
            self._sought = text or self._sought
            self.action_search(1)
        elif not is_search and text.strip():
            self._try(lambda: self._stepper.go_to(text))

    def action_close_prompt(self) -> None:
        """Close the prompt, whatever was typed; a message goes too."""
        self._finish()
        prompt = self.query_one("#prompt", Input)
        self.query_one("#keys").display, prompt.display = True, False
        self.screen.set_focus(None)


def _folded(line: str, width: int) -> list[str]:
    """The line of a board or hand as lines of at most this width."""
    return [line] if len(line) <= width else wrap(line, width, subsequent_indent=" " * 9)


def _numbered(ply: int, sentences: list[str], width: int) -> list[str]:
    """The sentences of a step as lines; the first has the ply in front."""
    lines = []
    for number, sentence in enumerate(sentences):
        start = f"{ply:4}  " if number == 0 and ply >= 0 else " " * (6 if number == 0 else 8)
        lines += wrap(sentence, width, initial_indent=start, subsequent_indent=" " * 10)
    return lines
