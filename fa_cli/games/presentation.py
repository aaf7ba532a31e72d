"""How a game's states are shown to bots and to people. A replay needs none of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from .contract import Event, JournalEntry, State

if TYPE_CHECKING:
    import random

    from .features import Features


class PlayerGuide(NamedTuple):
    """What a person who plays is told, by the observation's `phase`."""

    ask: Mapping[str, str]
    """What is to be decided, in a sentence."""
    rules: Mapping[str, tuple[str, ...]]
    """The rules that apply: how their paragraphs in RULES.md begin; of a heading, the whole section."""
    legend: str
    """How the picture is to be read."""
    palette: Mapping[str, str]
    """What is painted in which colour: a whole word, or a regular expression, and the colour's name."""
    running: tuple[str, ...] = ()
    """The phases in which `brief` is enough, whatever the others have done meanwhile."""


class GamePresentation(NamedTuple):
    """How a game's states are shown: to a seat, to a bot, to people. A replay needs none of it."""

    observation: type[msgspec.Struct]
    observation_json: Callable[[Any, int], msgspec.Raw]
    """(state, seat) -> everything that this seat may know, an `observation` as JSON; never depends on what it may
    not."""
    event_of: Callable[[JournalEntry, int | None], Event | None]
    """(journal entry, seat) -> the event as this seat hears it; None: it does not. Seat None sees everything. All seats
    but the entry's own hear the same. It may leave ACTION entries to `hear`."""
    narrate: Callable[[Any, JournalEntry, Sequence[str]], str]
    """(state, entry, player names) -> the entry as a plain sentence for people, who see everything."""
    render: Callable[[Any, int | None], str]
    """(state, seat) -> board and hands drawn as text; seat None shows every hand."""
    resample_from_infostate: Callable[[Any, int, random.Random], State]
    """(state, seat, generator) -> a copy in which all that the seat can't know is drawn anew, consistently."""
    sample_state: Callable[[Any, random.Random], State]
    """(observation, generator) -> a state in which its seat would see exactly this, drawn likewise: for bots that
    search, which have nothing but what they see."""
    features: Callable[[Any], Features]
    """(observation) -> the same in numbers, for programs that learn; see features.py."""
    brief: Callable[[Any, int], str]
    """(state, seat) -> the few lines of `render` that a seat looks at between two decisions."""
    guide: PlayerGuide
    board: Callable[[Any], msgspec.Struct] | None = None
    """(options) -> what never changes on the board and no observation has: bots get it in `start`. None: nothing."""


def presentation_of(package: str) -> GamePresentation:
    """Import view.py, determinization.py, features.py, text.py and guide.py of a game's package."""
    view, determinization, features, text, guide = (
        import_module(f"{package}.{name}") for name in ("view", "determinization", "features", "text", "guide")
    )
    return GamePresentation(
        observation=view.Observation,
        observation_json=view.observation_json,
        event_of=view.event_of,
        narrate=text.narrate,
        render=text.render,
        resample_from_infostate=determinization.resample_from_infostate,
        sample_state=determinization.sample_state,
        features=features.features,
        brief=text.brief,
        guide=guide.GUIDE,
        board=getattr(view, "board", None),
    )
