"""What the commands share: where data lives, and how durations, options and names are read from the command line."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..text import printable, quoted

if TYPE_CHECKING:
    from ..tournament.definition import TournamentPaths

_UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_AMOUNT = r"([0-9]+(?:\.[0-9]+)?)\s*([a-z]*)"  # compiled when first needed: few commands read one
_SIZE_UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 2**10, "mib": 2**20, "gib": 2**30}
_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}"


class Settings:
    """The root's options. No dataclass: making one takes longer than all else here."""

    def __init__(self, home: Path = Path(), quiet: bool = False, debug: bool = False) -> None:
        self.home = home
        """The folder that holds logs/ and tournaments/."""
        self.quiet = quiet
        self.debug = debug


SETTINGS = Settings()
"""Those of the command that runs; read at call time as `common.SETTINGS`."""


def say(line: str) -> None:
    """For people, so on stderr; --quiet leaves it out."""
    if not SETTINGS.quiet:
        print(printable(line), file=sys.stderr)


def warn(line: str) -> None:
    """A warning on stderr, also with --quiet."""
    print(printable(f"warning: {line}"), file=sys.stderr)


def fa() -> str:
    """The command, with the home that this one was given."""
    return "fa" if SETTINGS.home == Path() else f"fa --home {quoted(SETTINGS.home)}"


def logs_folder() -> Path:
    """Where logs are: logs/ below the current folder, `--home` or FA_HOME. It may not be there yet."""
    return SETTINGS.home / "logs"


def tournaments_folder() -> Path:
    """Where tournaments are described: tournaments/ below the same. It may not be there yet."""
    return SETTINGS.home / "tournaments"


def log_path(name: str) -> Path:
    """The log of the tournament of this name. Raises UsageError for what can't be a name."""
    return logs_folder() / f"{check_name(name)}.log"


def place_of(name: str) -> TournamentPaths:
    """Where the tournament's files are."""
    from ..tournament.definition import TournamentPaths

    return TournamentPaths(tournaments_folder() / f"{check_name(name)}.json", log_path(name))


def check_name(name: str) -> str:
    """The name itself if it can name a tournament and its files. Raises UsageError."""
    if not re.fullmatch(_NAME, name):
        raise UsageError(f"a name is letters, digits and . _ - (at most 100, a letter or digit first), not {name!r}")
    return name


def parse_duration(text: str) -> float:
    """Seconds from `1s`, `200ms`, `1.5s`, `2m`, `1h`; a bare number is seconds. Raises UsageError."""
    found = re.fullmatch(_AMOUNT, text.strip().lower())
    unit = _UNITS.get(found[2] or "s") if found else None
    if found is None or unit is None or float(found[1]) == 0:
        raise UsageError(f"a duration is more than nothing and looks like 200ms, 1s or 2m, not {text!r}")
    return float(found[1]) * unit


def parse_size(text: str) -> int:
    """Bytes from `1GB`, `500MB`, `64KiB`; a bare number is bytes. Raises UsageError."""
    found = re.fullmatch(_AMOUNT, text.strip().lower())
    unit = _SIZE_UNITS.get(found[2]) if found else None
    if found is None or unit is None or float(found[1]) * unit < 1:
        raise UsageError(f"a size is more than nothing and looks like 1GB, 500MB or 64KiB, not {text!r}")
    return int(float(found[1]) * unit)


def write_duration(seconds: float) -> str:
    """A text that parse_duration reads as these seconds: `1s`, `200ms`, `10h`."""
    for unit in ("h", "m", "s"):
        if seconds % _UNITS[unit] == 0:
            return f"{seconds / _UNITS[unit]:g}{unit}"
    return f"{seconds * 1000:g}ms"


def write_size(size: int) -> str:
    """A text that parse_size reads as these bytes, in the largest unit that leaves a whole number: `4GiB`, `1500B`."""
    for unit in ("GiB", "MiB", "KiB"):
        if size % _SIZE_UNITS[unit.lower()] == 0:
            return f"{size // _SIZE_UNITS[unit.lower()]}{unit}"
    return f"{size}B"


def parse_options(given: list[str] | None) -> dict[str, str]:
    """`["side=six", "setup=alea"]` as names and values, for `Game.make_options`. Raises UsageError."""
    options: dict[str, str] = {}
    for text in given or ():
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            raise UsageError(f"an option is NAME=VALUE, for example side=six, not {text!r}")
        if name in options:
            raise UsageError(f"option {name} is given twice: {options[name]!r} and {value!r}")
        options[name] = value
    return options
