"""What the records of a block define by number, for those that follow them."""

from __future__ import annotations

from typing import TypeVar

from ...errors import LogError
from ..record import META_DEPTH, is_too_deep
from .payloads import MOST_SEATS, RecordSetting, decode_setting

LONGEST_TEXT = 64
MOST_TEXTS = 8192
LONGEST_SETTING = 1 << 16
MOST_SETTING_BYTES = 1 << 25
"""The most bytes of all settings that share a numbering."""


class Definitions:
    """Texts, settings and line-ups by number, as the records read so far have defined them."""

    def __init__(self) -> None:
        self.texts: dict[int, str] = {}
        self.settings: dict[int, bytes] = {}
        self.lineups: dict[int, list[str]] = {}
        self.doubtful: Definitions | None = None
        """What payloads have defined that may have been changed; it stands where there is nothing else."""
        self._settings: dict[int, RecordSetting] = {}
        self._setting_bytes = 0

    def define(self, number: int, value: object) -> None:
        """Give a number to a text, or to a setting as bytes. Raises LogError."""
        fits = 0 <= number < MOST_TEXTS
        if fits and isinstance(value, str) and len(value) <= LONGEST_TEXT:
            fits = self.texts.setdefault(number, value) == value
        elif fits and isinstance(value, bytes):
            if not has_room_for_setting(value, self._setting_bytes):
                raise LogError(f"a setting of {len(value)} bytes is more than may get a number there")
            self._setting_bytes += len(value)
            fits = self.settings.setdefault(number, value) == value
            self._settings[number] = setting = decode_setting(value)
            if is_too_deep(setting.tournament, META_DEPTH - 1):
                raise LogError("its tournament is nested too deep")
        else:
            fits = False
        if not fits:
            raise LogError(f"{number} can't be the number of {value!r}"[:200])

    def add_lineup(self, number: int, players: list[str]) -> None:
        """Give a number to a line-up, unless it is too long to be checked for each record that refers to it."""
        if len(players) <= MOST_SEATS:
            self.lineups[number] = players

    def setting(self, number: int) -> RecordSetting:
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


_T = TypeVar("_T")


def _shared(defined: dict[int, _T], doubtful: dict[int, _T] | None, kind: str, number: int) -> _T:
    """What earlier records defined as this number of its kind. Raises LogError."""
    found = defined.get(number)
    if found is None and doubtful is not None:
        found = doubtful.get(number)
    if found is None:
        raise LogError(f"it refers to {kind} {number}, which no record before it that can be read has")
    return found
