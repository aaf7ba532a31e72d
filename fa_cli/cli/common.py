"""What commands share: folders, logs by name, common options, and the texts of durations, sizes and options."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import UsageError
from ..terminal import print_line
from ..text import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..leaderboard.leaderboards import Selection
    from ..tournament.definition import TournamentPaths

_UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_AMOUNT = r"([0-9]+(?:\.[0-9]+)?)\s*([a-z]*)"  # not compiled here: few commands need it
_SIZE_UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 2**10, "mib": 2**20, "gib": 2**30}
_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}"

LogNames = Annotated[
    list[str] | None, typer.Argument(metavar="[NAME]...", help="Tournaments, or paths of logs. [default: all]")
]
GameOption = Annotated[str | None, typer.Option(metavar="GAME", help="Only games of this one.")]
ProcessesOption = Annotated[int, typer.Option(min=0, help="How many processes; 0: one per core.")]


class Settings:
    """The root's options. Not a dataclass: creating one would take longer than the rest of this module."""

    def __init__(self, home: Path = Path(), quiet: bool = False, debug: bool = False) -> None:
        self.home = home
        """The folder that holds logs/ and tournaments/."""
        self.quiet = quiet
        self.debug = debug


SETTINGS = Settings()
"""The running command's settings. It is replaced for each command line, so read it as `common.SETTINGS`."""


def say(line: str) -> None:
    """Print a line on stderr, unless --quiet."""
    if not SETTINGS.quiet:
        print_line(line, sys.stderr)


def warn(line: str) -> None:
    """Print a warning on stderr, also with --quiet."""
    print_line(f"warning: {line}", sys.stderr)


def fa() -> str:
    """The text of a command that uses the same home as this one."""
    return "fa" if SETTINGS.home == Path() else f"fa --home {quoted(SETTINGS.home)}"


def logs_folder() -> Path:
    """logs/ in the home (`--home`, FA_HOME or the current folder). It may not exist."""
    return SETTINGS.home / "logs"


def tournaments_folder() -> Path:
    """tournaments/ in the home. It may not exist."""
    return SETTINGS.home / "tournaments"


def log_path(name: str) -> Path:
    """The path of a tournament's log. Raises UsageError if `name` is not a valid name."""
    return logs_folder() / f"{check_name(name)}.log"


def tournament_paths(name: str) -> TournamentPaths:
    """The paths of a tournament's files. Raises UsageError if `name` is not a valid name."""
    from ..tournament.definition import TournamentPaths

    return TournamentPaths(tournaments_folder() / f"{check_name(name)}.json", log_path(name))


def logs_named(names: Sequence[str] | None) -> list[Path]:
    """The logs of tournaments or paths, without repetitions; of all tournaments if there are no names.

    Raises UsageError if a tournament has no log.
    """
    if not names:
        from ..leaderboard.leaderboards import tournament_logs

        return tournament_logs(logs_folder())
    return list(dict.fromkeys(_log_named(name) for name in names))


def _log_named(name: str) -> Path:
    if "/" in name or name.endswith(".log"):
        return Path(name)
    path = log_path(name)
    if not path.exists():
        raise UsageError(f"no tournament named {name} ({path} not found)")
    return path


def select(names: Sequence[str] | None, game: str | None = None) -> Selection:
    """The games of these tournaments or paths, or of all tournaments. Raises UsageError, UnknownGame."""
    check_game(game)
    return select_logs(logs_named(names) if names else None, game)


def select_logs(logs: Sequence[Path] | None, game: str | None = None) -> Selection:
    """The games of these logs; None means the logs of all tournaments."""
    from ..leaderboard.leaderboards import Selection

    return Selection(logs_folder(), say, logs, game)


def check_game(name: str | None) -> None:
    """Raises UnknownGame if a game is named and does not exist."""
    if name is not None:
        from ..games import find_game

        find_game(name)


def no_games(names: Sequence[str] | None, game: str | None) -> UsageError:
    """The error for a selection without games."""
    return UsageError(f"there are no games{f' of {game}' if game else ''} in {describe_logs(names)}")


def describe_logs(names: Sequence[str] | None) -> str:
    """The names of logs for a sentence."""
    return " ".join(names or ["the logs"])


def check_name(name: str) -> str:
    """The name itself, if a tournament and its files can have it. Raises UsageError."""
    if not re.fullmatch(_NAME, name):
        raise UsageError(f"a name is letters, digits and . _ - (at most 100, a letter or digit first), not {name!r}")
    return name


def parse_duration(text: str) -> float:
    """Seconds from `1s`, `200ms`, `1.5s`, `2m`, `1h`; a bare number is seconds. Raises UsageError."""
    match = re.fullmatch(_AMOUNT, text.strip().lower())
    unit = _UNITS.get(match[2] or "s") if match else None
    if match is None or unit is None or float(match[1]) == 0:
        raise UsageError(f"a duration is more than nothing and looks like 200ms, 1s or 2m, not {text!r}")
    return float(match[1]) * unit


def parse_size(text: str) -> int:
    """Bytes from `1GB`, `500MB`, `64KiB`; a bare number is bytes. Raises UsageError."""
    match = re.fullmatch(_AMOUNT, text.strip().lower())
    unit = _SIZE_UNITS.get(match[2]) if match else None
    if match is None or unit is None or float(match[1]) * unit < 1:
        raise UsageError(f"a size is more than nothing and looks like 1GB, 500MB or 64KiB, not {text!r}")
    return int(float(match[1]) * unit)


def write_duration(seconds: float) -> str:
    """The inverse of `parse_duration`: `1s`, `200ms`, `10h`."""
    for unit in ("h", "m", "s"):
        if seconds % _UNITS[unit] == 0:
            return f"{seconds / _UNITS[unit]:g}{unit}"
    return f"{seconds * 1000:g}ms"


def write_size(size: int) -> str:
    """The inverse of `parse_size`, in the largest binary unit that gives a whole number: `4GiB`, `1500B`."""
    for unit in ("GiB", "MiB", "KiB"):
        if size % _SIZE_UNITS[unit.lower()] == 0:
            return f"{size // _SIZE_UNITS[unit.lower()]}{unit}"
    return f"{size}B"


def parse_options(texts: Sequence[str] | None) -> dict[str, str]:
    """`["side=six", "setup=alea"]` as names and values, for `Game.make_options`. Raises UsageError."""
    options: dict[str, str] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            raise UsageError(f"an option is NAME=VALUE, for example side=six, not {text!r}")
        if name in options:
            raise UsageError(f"option {name} is given twice: {options[name]!r} and {value!r}")
        options[name] = value
    return options
