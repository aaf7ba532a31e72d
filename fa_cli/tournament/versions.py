"""The versions of bots: which files a bot's name stood for in each tournament, by the digests in the definitions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from ..errors import FaError
from ..leaderboard.labels import Renaming
from .definition import load

_DIGITS = 8
"""Digits of a digest that name a version."""
_VERSION = re.compile(r"\+[0-9]+\Z")
UNKNOWN = "unknown"
"""The version of a bot whose tournament has no readable definition."""


def versions_of(log: Path) -> dict[str, tuple[str, str]]:
    """The base name (`greedy` of `greedy+2`) and the version of each bot in a log, by name, from the definition.

    Empty if the definition cannot be read.
    """
    try:
        definition = load(log.parent.parent / "tournaments" / f"{log.stem}.json")
    except FaError:
        return {}
    return {bot.name: (_VERSION.sub("", bot.name), bot.digest[:_DIGITS] or UNKNOWN) for bot in definition.bots}


def several_versions(logs: Iterable[Path]) -> dict[str, int]:
    """The number of versions of each name that has more than one in these logs."""
    versions_by_name: dict[str, set[str]] = {}
    for log in logs:
        for name, (_, version) in versions_of(log).items():
            versions_by_name.setdefault(name, set()).add(version)
    return {name: len(versions) for name, versions in sorted(versions_by_name.items()) if len(versions) > 1}


def version_finder(logs: Iterable[Path]) -> Callable[[str, str], str]:
    """A function that returns the version of a bot, given the names of a log and of the bot."""
    versions_in = {log.stem: versions_of(log) for log in logs}
    return lambda log, bot: versions_in.get(log, {}).get(bot, (bot, UNKNOWN))[1]


def by_version(logs: Iterable[Path]) -> Renaming:
    """Renames the bots of games to their versions, such as `greedy@1a2b3c4d`.

    Versions are compared by their files, so a bot updated in one tournament can be a plain bot in another.
    """
    versions_in = {log.stem: versions_of(log) for log in logs}

    def rename(log: str, bot: str) -> str:
        return "@".join(versions_in.get(log, {}).get(bot, (bot, UNKNOWN)))

    rule = sorted((log, sorted(bots.items())) for log, bots in versions_in.items())
    return Renaming("version", rename, str(rule))
