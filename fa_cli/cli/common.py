"""Code that commands share: folders, logs by name, common options, and the texts of durations, sizes and options."""

from __future__ import annotations

import os
import re
import sys
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from ..errors import LogError, UsageError
from ..option import Argument, Option, OptionGroup
from ..printing.terminal import print_line
from ..printing.text import cut, did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..isolation.discovery import Skipped
    from ..leaderboard.labels import OptionFilter
    from ..leaderboard.leaderboards import Selection
    from ..tournament.definition import TournamentPaths

_UNITS = {"": 1.0, "us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_AMOUNT = r"([0-9]+(?:\.[0-9]+)?)\s*([a-z]*)"  # not compiled here: few commands need it
_SIZE_UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 2**10, "mib": 2**20, "gib": 2**30}
_PLAIN_NAME = r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}"  # most names: no need to import what checks others

LogNames = Annotated[
    list[str] | None,
    Argument("Names, or paths of their files or logs. [default: all]", "[TOURNAMENT]..."),
]
GameOption = Annotated[str | None, Option("Count only this game. [default: all]", "GAME")]
OptionFilterOption = Annotated[
    list[str] | None,
    Option("Count only games with this option, such as side=six; repeatable. [default: all]", "NAME=VALUE"),
]
BoardsOption = Annotated[
    Literal["all", "turns", "rounds", "end"],
    Option("Draw the board after all decisions, turns, rounds, or at the end.", group=OptionGroup.OUTPUT),
]


class Settings:
    """The root's options. Not a dataclass: creating one would take longer than the rest of this module."""

    def __init__(
        self, home: Path = Path(), quiet: bool = False, debug: bool = False, words: Sequence[str] = ()
    ) -> None:
        self.words = words
        """What was typed after `fa`."""
        self.home = home
        """The folder that holds logs/ and tournaments/."""
        self.quiet = quiet
        self.debug = debug
        self.said = set[str]()
        """The lines that `say_once` has printed."""


SETTINGS = Settings()
"""The running command's settings. It is replaced for each command line, so read it as `common.SETTINGS`."""


def say(line: str) -> None:
    """Print a line on stderr, unless --quiet."""
    if not SETTINGS.quiet:
        print_line(line, sys.stderr)


def say_once(line: str) -> None:
    """Print a line as `say` does, but once; a command that reads the same logs several times repeats no warning."""
    if line not in SETTINGS.said:
        SETTINGS.said.add(line)
        say(line)


def say_command(purpose: str, command: str) -> None:
    """Print a command and what it does on stderr, unless --quiet."""
    if not SETTINGS.quiet:
        print_line(f"{purpose}: {command}", sys.stderr, is_command=True)


def warn(line: str) -> None:
    """Print a warning on stderr, also with --quiet."""
    print_line(f"warning: {line}", sys.stderr)


def warn_once(line: str) -> None:
    """Print a warning as `warn` does, but once."""
    if line not in SETTINGS.said:
        SETTINGS.said.add(line)
        warn(line)


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


def use_tournament(text: str) -> str:
    """The name of a tournament that is given by name or path; the home of a path becomes the home of this command.

    Raises UsageError for a path that is neither tournaments/NAME.json nor logs/NAME.log.
    """
    if not _is_path(text):
        return text
    path = Path(text)
    folder = path.absolute().parent
    if (folder.name, path.suffix) not in (("tournaments", ".json"), ("logs", ".log")):
        raise UsageError(f"{text} is not a tournament: its files are tournaments/NAME.json and logs/NAME.log")
    SETTINGS.home = _home_of(path)
    return path.stem


def _home_of(path: Path) -> Path:
    """The home of a tournament's file or log, relative if the path is."""
    home = path.absolute().parent.parent
    return home if path.is_absolute() else Path(os.path.relpath(home))


def _is_path(text: str) -> bool:
    """Whether a tournament or log is given by its path."""
    return "/" in text or text.endswith((".log", ".json"))


TournamentArgument = Annotated[
    str,
    Argument("Its name, or the path of its file or log.", "TOURNAMENT", read=use_tournament),
]


def use_published(text: str) -> str:
    """As `use_tournament`, also for a published folder, which becomes the home; empty if it has no definition yet."""
    folder = Path(text)
    if not folder.is_dir() or (tournaments_folder() / f"{text}.json").exists():
        return use_tournament(text)
    if not (folder / "checkpoint").is_file():
        raise UsageError(f"{text} is not a published folder: it has no file named checkpoint")
    SETTINGS.home = folder
    return next((path.stem for path in sorted((folder / "tournaments").glob("*.json"))), "")


def use_published_log(text: str) -> str:
    """As `use_published`. Raises UsageError for a folder without its log."""
    if name := use_published(text):
        return name
    raise UsageError(f"{text} has no log yet: it is published after the last game")


_PUBLISHED = "Its name, the path of its file or log, or a published folder."
PublishedArgument = Annotated[str, Argument(_PUBLISHED, "TOURNAMENT|FOLDER", read=use_published)]
PublishedLogArgument = Annotated[str, Argument(_PUBLISHED, "TOURNAMENT|FOLDER", read=use_published_log)]


def logs_named(names: Sequence[str] | None, skips_damaged: bool = False) -> list[Path]:
    """The logs of tournaments or paths, without repetitions; of all tournaments if there are no names.

    Raises UsageError if a tournament has no log, LogError if any of all is not a log and not skipped with a warning.
    """
    if not names:
        from ..leaderboard.leaderboards import tournament_logs

        return tournament_logs(logs_folder(), say_once if skips_damaged else None)
    return list(dict.fromkeys(_log_named(name) for name in names))


def _log_named(name: str) -> Path:
    if _is_path(name):
        path = Path(name)
        return _home_of(path) / "logs" / f"{path.stem}.log" if path.suffix == ".json" else path
    path = log_path(name)
    if not os.path.lexists(path):
        if tournament_paths(name).definition.exists():
            raise UsageError(f"{name} has no games yet: play them with {fa()} tournament resume {name}")
        near = did_you_mean(name, (log.stem for log in logs_folder().glob("*.log")))
        raise UsageError(f"no tournament named {name} ({path} not found){near}")
    return path


def find_log(text: str) -> Path:
    """The log at a path, or of the tournament with this name. Raises UsageError if no tournament has it."""
    path = Path(text)
    is_file = path.exists() and not path.is_dir()
    if is_file or _is_path(text):
        return path
    try:
        name = check_name(text)
    except UsageError:
        return path
    return _log_named(name)


def select(names: Sequence[str] | None, game: str | None = None, options: OptionFilter | None = None) -> Selection:
    """The games of these tournaments or paths, or of all tournaments; with `options` only those that have them.

    Raises UsageError, UnknownGame.
    """
    check_game(game)
    return select_logs(logs_named(names) if names else None, game)._replace(options=options)


def option_filter(texts: Sequence[str] | None, game: str | None) -> OptionFilter | None:
    """The filter of `--option`; None without one. Raises UsageError, UnknownGame, BadOption."""
    if not texts:
        return None
    from ..leaderboard.labels import OptionFilter

    check_game(game)
    return OptionFilter(parse_options(texts), game)


def select_logs(logs: Sequence[Path] | None, game: str | None = None) -> Selection:
    """The games of these logs; None means the logs of all tournaments."""
    from ..leaderboard.leaderboards import Selection
    from .waiting import WaitingBar

    return Selection(logs_folder(), say_once, logs, game, progress=WaitingBar(SETTINGS.quiet), warn_of_cut=warn_once)


def fail_if_cut(cuts: Sequence[str]) -> None:
    """Raises LogError with these sentences about logs that end within a record, once their games have been written."""
    if cuts:
        raise LogError("; ".join(dict.fromkeys(cuts)))


def check_game(name: str | None) -> None:
    """Raises UnknownGame if a game is named and does not exist."""
    if name is not None:
        from ..games import find_game

        find_game(name)


def no_games(names: Sequence[str] | None, game: str | None, options: OptionFilter | None = None) -> UsageError:
    """The error for a selection without games."""
    which = (f" of {game}" if game else "") + (f" with {options}" if options else "")
    return UsageError(f"no games{which} in {describe_logs(names)}")


def describe_logs(names: Sequence[str] | None) -> str:
    """The names of logs for a sentence."""
    if names:
        return " ".join(names)
    folder = logs_folder()
    return "the logs" if folder.exists() else f"{folder}, which does not exist"


def check_name(name: str) -> str:
    """The name in Unicode's form NFC, if a tournament and its files can have it. Raises UsageError."""
    if re.fullmatch(_PLAIN_NAME, name):
        return name
    from ..tournament.names import normalized_name

    return normalized_name(name)


def parse_duration(text: str) -> float:
    """Seconds from `1s`, `200ms`, `1.5s`, `2m`, `1h`; a bare number is seconds. Raises UsageError."""
    if seconds := _amount(text, _UNITS):
        return seconds
    raise UsageError(f"invalid duration '{cut(text, 40)}': use e.g. 200ms, 1s or 2m")


def parse_size(text: str) -> int:
    """Bytes from `1GB`, `500MB`, `64KiB`; a bare number is bytes. Raises UsageError."""
    if size := int(_amount(text, _SIZE_UNITS)):
        return size
    raise UsageError(f"invalid size '{cut(text, 40)}': use e.g. 1GB, 500MB or 64KiB")


def _amount(text: str, units: Mapping[str, float]) -> float:
    """The amount that a text names in one of these units; 0 if it names none."""
    match = re.fullmatch(_AMOUNT, text.strip().lower())
    amount = float(match[1]) * units.get(match[2], 0) if match else 0.0
    return amount if amount < inf else 0.0


def write_duration(seconds: float) -> str:
    """The inverse of `parse_duration`: `1s`, `200ms`, `10h`."""
    unit = next((unit for unit in ("h", "m", "s") if seconds % _UNITS[unit] == 0), "ms")
    return f"{seconds / _UNITS[unit]:.10g}{unit}"


def write_size(size: int) -> str:
    """The inverse of `parse_size`, in the largest binary unit that gives a whole number: `4GiB`, `1500B`."""
    unit = next((unit for unit in ("GiB", "MiB", "KiB") if size % _SIZE_UNITS[unit.lower()] == 0), "B")
    return f"{size // _SIZE_UNITS[unit.lower()]}{unit}"


def parse_range(text: str) -> range:
    """The numbers of games in `7` or `3-9`, from 1. Raises UsageError."""
    first, dash, last = text.partition("-")
    if first.isdecimal() and (last.isdecimal() or not dash) and len(text) < 20:
        chosen = range(int(first), int(last or first) + 1)
        if 0 < chosen.start < chosen.stop:
            return chosen
    raise UsageError(f"invalid --game {text!r}: use a game's number from 1, such as 7, or a range, such as 3-9")


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


def skipped_bots(names: Sequence[str]) -> list[Skipped]:
    """The bots that these tournaments skipped; warns of definitions that can't be read."""
    from ..tournament.definition import definition_of, load

    skipped: list[Skipped] = []
    for path in map(definition_of, logs_named(names) if names else ()):
        try:
            skipped += load(path).skipped if path.exists() else ()
        except LogError as error:
            warn_once(f"no skipped bots: {error}")
    return skipped
