"""What the records of a block define by number, for those that follow them."""

from __future__ import annotations

from typing import TypeVar

from ...errors import LogError
from ..record import META_DEPTH, is_too_deep
from .loose_actions import MOST_BASES, WordedActions
from .payloads import MOST_SEATS, Setting, decode_setting

LONGEST_TEXT = 64
MOST_TEXTS = 8192
LONGEST_SETTING = 1 << 16
MOST_SETTING_BYTES = 1 << 25
"""Of all settings that share a numbering."""

MOST_BASE_BYTES = 1 << 18
"""Of all words and packed actions that later ones may build on."""


class Definitions:
    """Texts, settings, line-ups and bases by number, as the records read so far have defined them."""

    def __init__(self) -> None:
        self.texts: dict[int, str] = {}
        self.settings: dict[int, bytes] = {}
        self.lineups: dict[int, list[str]] = {}
        self.bases: dict[int, tuple[str, WordedActions]] = {}
        """Actions on which those of later records build, with their game."""
        self.doubtful: Definitions | None = None
        """What payloads have defined that may have been changed; it stands where there is nothing else."""
        self._settings: dict[int, Setting] = {}
        self._setting_bytes = 0
        self._base_bytes = 0

    def define(self, number: int, value: object) -> None:
        """Give a number to a text, or to a setting as bytes. Raises LogError."""
        fits = 0 <= number < MOST_TEXTS
        if fits and isinstance(value, str) and len(value) <= LONGEST_TEXT:
            fits = self.texts.setdefault(number, value) == value
        elif fits and isinstance(value, bytes):
            self._count_setting(value)
            fits = self.settings.setdefault(number, value) == value
            self._settings[number] = setting = decode_setting(value)
            if is_too_deep(setting.tournament, META_DEPTH - 1):
                raise LogError("its tournament is nested too deep")
        else:
            fits = False
        if not fits:
            raise LogError(f"{number} can't be the number of {value!r}"[:200])

    def _count_setting(self, setting: bytes) -> None:
        """Raises LogError for more settings than a numbering may have."""
        if not has_room_for_setting(setting, self._setting_bytes):
            raise LogError(f"a setting of {len(setting)} bytes is more than may get a number there")
        self._setting_bytes += len(setting)

    def add_base(self, number: int, game: str, actions: WordedActions) -> None:
        """Give a number to actions on which others build. Raises LogError."""
        if not has_room_for_base(actions, len(self.bases), self._base_bytes):
            raise LogError(
                f"its words are more than may get a number there ({MOST_BASES} records, {MOST_BASE_BYTES:,} bytes)"
            )
        self._base_bytes += base_size(actions)
        self.bases[number] = (game, actions)

    def base(self, number: int) -> WordedActions:
        """The actions of this number. Raises LogError."""
        return _shared(self.bases, self.doubtful.bases if self.doubtful else None, "the words of record", number)[1]

    def add_lineup(self, number: int, players: list[str]) -> None:
        """Give a number to a line-up, unless it is too long to be checked for each record that refers to it."""
        if len(players) <= MOST_SEATS:
            self.lineups[number] = players

    def setting(self, number: int) -> Setting:
        """The setting of this number. Raises LogError."""
        return _shared(self._settings, self.doubtful._settings if self.doubtful else None, "setting", number)

    def text(self, text: int | str) -> str:
        """The text of this number, or the text itself. Raises LogError."""
        if isinstance(text, str):
            return text
        return _shared(self.texts, self.doubtful.texts if self.doubtful else None, "text", text)

    def lineup(self, number: int) -> list[str]:
        """The line-up of this number. Raises LogError."""
        return _shared(self.lineups, self.doubtful.lineups if self.doubtful else None, "line-up", number)


def has_room_for_setting(setting: bytes, before: int) -> bool:
    """Whether a setting gets a number after others of so many bytes."""
    return len(setting) <= LONGEST_SETTING and before + len(setting) <= MOST_SETTING_BYTES


def base_size(actions: WordedActions) -> int:
    """How much of `MOST_BASE_BYTES` the actions take."""
    return len(actions.packed) + sum(len(word.encode()) + 1 for word in actions.words)


def has_room_for_base(actions: WordedActions, bases: int, size: int) -> bool:
    """Whether later records can build on the actions, after so many others that take so many bytes."""
    return bases < MOST_BASES and size + base_size(actions) <= MOST_BASE_BYTES


_T = TypeVar("_T")


def _shared(defined: dict[int, _T], doubtful: dict[int, _T] | None, kind: str, number: int) -> _T:
    """What earlier records defined as this number of its kind. Raises LogError."""
    found = defined.get(number)
    if found is None and doubtful is not None:
        found = doubtful.get(number)
    if found is None:
        raise LogError(f"it refers to {kind} {number}, which no record before it that can be read has")
    return found
