"""The versions of bots: which files a bot's name stood for in each tournament, by the digests in the definitions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from ..errors import FaError
from ..game_result import base_name
from ..leaderboard.labels import Renaming
from ..printing.text import listed
from .definition import definition_of, load

_DIGITS = 8
"""Digits of a digest that name a version."""
UNKNOWN = "unknown"
"""The version of a bot whose tournament has no readable definition."""


def versions_of(log: Path) -> dict[str, tuple[str, str]]:
    """The base name (`greedy` of `greedy+2`) and the version of each bot in a log, by name, from the definition.

    Empty if the definition cannot be read.
    """
    try:
        definition = load(definition_of(log))
    except FaError:
        return {}
    return {bot.name: (base_name(bot.name), bot.digest[:_DIGITS] or UNKNOWN) for bot in definition.bots}


def logs_by_version(logs: Iterable[Path]) -> dict[str, dict[str, list[str]]]:
    """For each name of a bot its versions, each with the names of the logs in which it played."""
    found: dict[str, dict[str, list[str]]] = {}
    for log in logs:
        for name, (_, version) in versions_of(log).items():
            found.setdefault(name, {}).setdefault(version, []).append(log.stem)
    return found


def several_versions(logs: Iterable[Path]) -> list[str]:
    """What is said below a leaderboard of each name that has more than one version in these logs."""
    found = sorted(logs_by_version(logs).items())
    return [f"{told_versions(name, len(each))}; its row is that of all" for name, each in found if len(each) > 1]


def told_versions(name: str, versions: int) -> str:
    """That a name stood for several versions, as the beginning of a sentence."""
    return f"{name} had {versions} versions, told apart by their files"


def same_files(digests: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The bots with the same files, of names with their digests, in sentences; not copies such as `greedy+2`."""
    names: dict[str, list[str]] = {}
    for name, digest in digests:
        names.setdefault(digest, []).append(name)
    for alike in names.values():
        if len({base_name(name) for name in alike}) > 1:
            yield f"{listed(alike)} have the same files"


def _versions_in(logs: Iterable[Path]) -> dict[str, dict[str, tuple[str, str]]]:
    """`versions_of` logs, by both names that an index may give them: the file name, and the path, which is unique."""
    found = {log: versions_of(log) for log in logs}
    return {log.name: bots for log, bots in found.items()} | {str(log): bots for log, bots in found.items()}


def version_finder(logs: Iterable[Path]) -> Callable[[str, str], str]:
    """A function that returns the version of a bot, given the names of a log in an index and of the bot."""
    versions_in = _versions_in(logs)
    return lambda log, bot: versions_in.get(log, {}).get(bot, (bot, UNKNOWN))[1]


def by_version(logs: Iterable[Path]) -> Renaming:
    """Renames the bots of games to their versions, such as `greedy@1a2b3c4d`.

    Versions are compared by their files, so a bot updated in one tournament can be a plain bot in another.
    """
    versions_in = _versions_in(logs)

    def rename(log: str, bot: str) -> str:
        return "@".join(versions_in.get(log, {}).get(bot, (bot, UNKNOWN)))

    rule = sorted((Path(log).stem, sorted(bots.items())) for log, bots in versions_in.items())
    return Renaming("version", rename, str(rule))
