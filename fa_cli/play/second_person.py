"""Sentences about a game addressed to the person who plays: `You draw a 3`, not `Ann draws a 3`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..games.contract import ACTION, JournalEntry, State
from ..games.game import Game
from ..replay.narrate import describe_entry

_YOU = "@you"  # no player's name has an @
_SUBJECT = re.compile(rf"(?<!to ){_YOU} ([a-z']+)")
_SECOND_VERB = re.compile(r"( and )(discards|draws|is|moves)\b")
_IRREGULAR = {"has": "have", "is": "are", "does": "do"}


def describe_to(game: Game, state: State, entry: JournalEntry, names: Sequence[str], seat: int) -> str:
    """A journal entry as a sentence to the person in a seat, as that seat may know it."""
    return second_person(describe_entry(game, state, entry, addressed(names, seat), seat))


def addressed(names: Sequence[str], seat: int | None) -> list[str]:
    """The players in sentences for `second_person`, to the person in a seat; None: to nobody."""
    return [_YOU if other == seat else name for other, name in enumerate(names)]


def describe_choice(game: Game, state: State, action: int) -> str:
    """A legal action of the player whose turn it is, as an imperative: `build a red 3 on Cairo site 5`."""
    names = [_YOU] * (state.players + 1)
    sentence = second_person(game.narrate(state, (ACTION, state.actor, action), names))
    return sentence.removeprefix("You ")


def second_person(sentence: str) -> str:
    """The sentence with `@you` and its verbs in the second person."""
    if _YOU not in sentence:
        return sentence
    starts_with_you = sentence.startswith(_YOU)
    sentence = _SUBJECT.sub(lambda match: f"you {_without_s(match[1])}", sentence)
    if starts_with_you:
        sentence = _SECOND_VERB.sub(lambda match: match[1] + _without_s(match[2]), sentence)
    sentence = sentence.replace(f"{_YOU}'s", "your").replace(_YOU, "you")
    return sentence[0].upper() + sentence[1:] if starts_with_you else sentence


def _without_s(verb: str) -> str:
    """The verb of the third person in the second: `pass` for `passes`."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    return verb.removesuffix("es") if verb.endswith(("sses", "shes", "ches", "xes")) else verb.removesuffix("s")
