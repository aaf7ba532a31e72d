"""How a game's states are shown to bots and people. Replaying needs none of this, so it is imported on demand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from .contract import Event, JournalEntry, State

if TYPE_CHECKING:
    import random

    from .features import Features

_SHOWING = Lock()


class PlayerGuide(NamedTuple):
    """Help for a person who plays. Most fields are by the observation's `phase`."""

    ask: Mapping[str, str]
    """One sentence that asks for the decision, by phase; `{colour}` stands for this field of the observation."""
    rules: Mapping[str, tuple[str, ...]]
    """The first words of the paragraphs in RULES.md that apply, by phase; a heading stands for its whole section."""
    legend: str
    """How to read the output of `render`."""
    palette: Mapping[str, str]
    """The name of the colour in which to print a word, or what a regular expression matches."""
    tie_breaks: tuple[str, ...] = ()
    """What ranks players with the same points, in the order of `State.standing`, in words."""
    endings: Mapping[str, str] = {}
    """Why the game ended, in words, by `State.reason`."""
    typed: Mapping[str, str] = {}
    """What the terminal says after `ask`: how an action is typed, by phase."""
    running: tuple[str, ...] = ()
    """The phases for which `brief` suffices even after other players have acted."""
    ask_instead: Callable[[Mapping[str, Any]], str] = lambda view: ""
    """What to ask in place of `ask` for this view; empty: nothing else."""

    def question(self, view: Mapping[str, Any]) -> str:
        """The sentence that asks the actor of this view for a decision."""
        asked = self.ask_instead(view) or self.ask.get(view.get("phase", ""), "It is your turn.")
        return asked.format_map(view)


class GamePresentation(NamedTuple):
    """The functions that show a game's states to bots and people."""

    observation: type[msgspec.Struct]
    observation_json: Callable[[Any, int], bytes]
    """(state, seat) -> everything that this seat may know, an `observation` as JSON. It never depends on anything that
    is hidden from the seat."""
    event_of: Callable[[JournalEntry, int | None], Event | None]
    """(journal entry, seat) -> the event as this seat sees it; None if it does not. Seat None sees everything. All
    seats but the entry's own see the same. ACTION entries are left to `Game.event_for`."""
    narrate: Callable[[Any, JournalEntry, Sequence[str]], str]
    """(state, entry, player names) -> the entry as a sentence, hidden information included."""
    render: Callable[[Any, int | None], str]
    """(state, seat) -> board and hands drawn as text; seat None shows every hand."""
    resample_from_infostate: Callable[[Any, int, random.Random], State]
    """(state, seat, generator) -> a copy in which everything hidden from the seat is drawn at random, consistently with
    what the seat observes."""
    sample_state: Callable[[Any, random.Random], State]
    """(observation, generator) -> a random state that would give its seat this observation, for bots that search."""
    features: Callable[[Any], Features]
    """(observation) -> the observation as numbers, for machine learning; see features.py."""
    brief: Callable[[Any, int], str]
    """(state, seat) -> the few lines of `render` that a player needs between two of his decisions."""
    guide: PlayerGuide
    if_ended: Callable[[Any], tuple[list[int], list[int]]] | None = None
    """(state) -> by seat the least and the most points if the game ended now, as everybody can know them. None: the
    points so far are these already."""
    board: Callable[[Any], msgspec.Struct] | None = None
    """(options) -> the constant part of the board, which `start` lines carry and observations omit. None if there is
    none."""


def presentation_of(package: str) -> GamePresentation:
    """Import a game's modules that show its states: view.py, observation.py and the others named below."""
    names = ("view", "view.observation", "determinization", "features", "text", "guide")
    view, observation, determinization, features, text, guide = (import_module(f"{package}.{name}") for name in names)
    return GamePresentation(
        observation=view.Observation,
        observation_json=_one_at_a_time(observation.observation_json),
        event_of=view.event_of,
        narrate=text.narrate,
        render=text.render,
        resample_from_infostate=determinization.resample_from_infostate,
        sample_state=determinization.sample_state,
        features=features.features,
        brief=text.brief,
        guide=guide.GUIDE,
        if_ended=getattr(text, "if_ended", None),
        board=getattr(view, "board", None),
    )


def _one_at_a_time(show: Callable[[Any, int], bytes]) -> Callable[[Any, int], bytes]:
    """Return the function for several threads: games keep the texts of the state that was shown last."""

    def shown(state: Any, seat: int) -> bytes:
        with _SHOWING:
            return show(state, seat)

    return shown
