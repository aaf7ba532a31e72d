"""Which files stood behind a bot's name in each tournament: versions, by the digests that definitions hold."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from ..errors import FaError
from ..results import PlayedGame
from .definition import load

_DIGITS = 8
"""Of a digest, to tell versions apart by."""
_LINE = re.compile(r"(.+)\+[0-9]+")
UNKNOWN = "unknown"
"""The version of a bot whose tournament's definition is not there."""


def versions_of(log: Path) -> dict[str, tuple[str, str]]:
    """For each bot's name in this log its line (`greedy` of `greedy+2`) and its version, from the definition.

    Nothing where the definition is not there or can't be read.
    """
    try:
        definition = load(log.parent.parent / "tournaments" / f"{log.stem}.json")
    except FaError:
        return {}
    return {bot.name: (_line(bot.name), bot.digest[:_DIGITS] or UNKNOWN) for bot in definition.bots}


def several_versions(logs: Iterable[Path]) -> dict[str, int]:
    """The names that stood for different files in these logs, each with how many."""
    found: dict[str, set[str]] = {}
    for log in logs:
        for name, (_, version) in versions_of(log).items():
            found.setdefault(name, set()).add(version)
    return {name: len(versions) for name, versions in sorted(found.items()) if len(versions) > 1}


def _line(name: str) -> str:
    found = _LINE.fullmatch(name)
    return found[1] if found else name


def version_finder(logs: Iterable[Path]) -> Callable[[str, str], str]:
    """The version of a bot in a log, by the log's name and the bot's."""
    versions_in = {log.stem: versions_of(log) for log in logs}
    return lambda log, bot: versions_in.get(log, {}).get(bot, (bot, UNKNOWN))[1]


def by_version(logs: Iterable[Path]) -> Callable[[PlayedGame], PlayedGame]:
    """What gives a game's bots the names of their versions, as `greedy@1a2b3c4d`.

    The same files are the same bot, whatever the tournament called them.
    """
    versions_in = {log.stem: versions_of(log) for log in logs}

    def rename(game: PlayedGame) -> PlayedGame:
        versions = versions_in.get(game.log, {})
        bots = ["@".join(versions.get(name, (name, UNKNOWN))) for name in game.bots]
        stratum = zlib.crc32(repr((game.variant, sorted(bots))).encode())
        return msgspec.structs.replace(game, bots=bots, stratum=stratum)

    return rename
