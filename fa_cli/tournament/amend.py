"""Changes to a tournament under way: bots join, retire or get a new version, or more games are played.

A change takes effect from the first game that is not in the log, so it never alters what was played.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from ..errors import BotError, FaError, Impossible, UsageError
from ..isolation.discovery import MAX_NAME, Bot, Skipped, find_bots, read_bot
from ..printing.text import counted, either, near_or_all
from ..replay.log_writer import LogWriter
from .changes import Change, active_bots
from .definition import Definition, TournamentPaths, load, replace
from .patience import once_more
from .request import MAX_GAMES, OPEN
from .running.run import schedule_from_log
from .setup import MOST_STARTED, check_enough_left, greet_all, greet_now, report_skipped

_VERSION = re.compile(r"(.*)\+([0-9]+)")


class Amendment(msgspec.Struct, frozen=True):
    """The changes that a user asks for."""

    add: list[str] = []
    """Paths of bots that join, in an open format."""
    retire: list[str] = []
    """Names of bots that leave, in an open format."""
    update: bool = False
    """Whether bots whose files have changed play on as new versions."""
    more_games: int = 0
    """Games in addition to those planned."""


def current_bots(definition: Definition) -> list[int]:
    """The indexes of the bots that are in the tournament now."""
    return active_bots(
        definition.changes, range(len(definition.bots)), max([change.at for change in definition.changes], default=0)
    )


def unchanged_bots(
    definition: Definition, absent: dict[int, Skipped] | None = None, may_start_later: bool = False
) -> Definition:
    """The definition ready to resume: each current bot is read again and started once.

    Bots that cannot be read, built or started go to `absent`, by index. Raises BotError if a bot's files have changed;
    without `absent` also if one of them cannot be read, built or started. Raises Shortage if the reason may be that the
    machine lacks something, also at a second attempt. `may_start_later`: very many bots are not started here, but for
    their first game, unless `absent` is None.
    """
    bots = list(definition.bots)
    current = current_bots(definition)
    for index in current:
        bot = bots[index]
        try:
            bots[index] = _read(definition, bot)
        except FaError as error:
            if absent is None or not isinstance(error, BotError):
                raise _cannot_resume(definition, bot, error) from None
            absent[index] = Skipped(bot.name, str(error), error.details)
            continue
        if bots[index].digest != bot.digest:
            compared = definition.stopping_rule and definition.stopping_rule.compares(index)
            raise BotError(
                f"{bot.path} has changed since {definition.name} began; its games would not be those of one bot "
                f"({'it is compared as it was' if compared else 'with --update it plays on as a new version'})"
            )
    index_of = {bots[index].name: index for index in current if index not in (absent or ())}
    not_started: list[Skipped] | None = None if absent is None else []
    started = [bots[index] for index in index_of.values()]
    is_later = may_start_later and absent is not None and len(started) > MOST_STARTED
    later = {bot.path for bot in started} if is_later else ()
    for greeted in greet_now(started, definition.limits, not_started, later, patient=True):
        index = index_of[greeted.name]
        bots[index] = msgspec.structs.replace(greeted, games=definition.bots[index].games)
    if absent is not None and not_started is not None:
        absent |= {index_of[skipped.name]: skipped for skipped in not_started}
        check_enough_left(list(absent.values()), len(current) - len(absent))
    return msgspec.structs.replace(definition, bots=bots)


def amend(
    paths: TournamentPaths,
    amendment: Amendment,
    report: Callable[[str], None],
    absent: dict[int, Skipped] | None = None,
    may_start_later: bool = False,
) -> Definition:
    """Write the changes to the tournament's file; returns the new definition, checked by `unchanged_bots`.

    `report` takes sentences for the user. Broken bots that were to join are skipped, unless all are broken or `absent`
    is None. Raises UsageError and Impossible if a change is impossible, BotError, LogError; then nothing is written.
    """
    with LogWriter(paths.log, private=True):  # locks the log, so that no run writes to it meanwhile
        definition = load(paths.definition)
        schedule = schedule_from_log(definition, paths.log)
        first_game = schedule.known_results
        if schedule.is_decided:
            raise Impossible(f"the test of {definition.name} has decided: begin another tournament", "more")
        amended = _with_more_games(definition, amendment.more_games)
        if not definition.format_spec.is_open and (amendment.add or amendment.retire):
            option = "add" if amendment.add else "retire"
            raise Impossible(
                f"--{option} is for a {either(OPEN)}: {definition.name} is a {definition.format_spec.name}", option
            )
        if amendment.update:
            amended = _with_new_versions(amended, first_game)
        for name in amendment.retire:
            amended = _without_bot(amended, first_game, name)
        if amendment.add:
            amended = _with_new_bots(amended, first_game, amendment.add, report, strict=absent is None)
        _check_tables_can_be_filled(amended, first_game)
        ready = unchanged_bots(amended, absent, may_start_later)
        if amended != definition:
            replace(paths, amended)
        for made in amended.changes[len(definition.changes) :]:
            report(made.describe([bot.name for bot in amended.bots]))
    return ready


def _with_more_games(definition: Definition, more_games: int) -> Definition:
    spec = definition.format_spec
    if more_games and spec.fixes_game_count:
        raise Impossible(f"--more is not for a {spec.name}: the format decides how many games it has", "more")
    if definition.games + more_games > MAX_GAMES:
        raise Impossible(
            f"{definition.name} has {counted(definition.games, 'game')}: --more can add at most "
            f"{MAX_GAMES - definition.games:,}, not {more_games:,}",
            "more",
        )
    if more_games:
        spec = spec.with_more_games(definition.games)
    return msgspec.structs.replace(definition, games=definition.games + more_games, format_spec=spec)


def _read(definition: Definition, bot: Bot) -> Bot:
    """Read the bot's files again. Raises BotError and other FaErrors."""
    return once_more(lambda: read_bot(Path(bot.path), bot.name, definition.limits.sandbox))


def _cannot_resume(definition: Definition, bot: Bot, error: FaError) -> FaError:
    return error.within(f"{definition.name} can't be resumed without {bot.name}")


def _with_new_versions(definition: Definition, first_game: int) -> Definition:
    for index in current_bots(definition):
        before = definition.bots[index]
        try:
            now = _read(definition, before)
        except FaError as error:
            raise _cannot_resume(definition, before, error) from None
        if now.digest != before.digest:
            if definition.stopping_rule and definition.stopping_rule.compares(index):
                raise Impossible(f"{definition.name} compares {before.name} as it was: begin another", "update")
            name = next_version(before.name, [bot.name for bot in definition.bots])
            greeted = greet_all([msgspec.structs.replace(now, name=name)], definition.limits)
            definition = _with_changes(definition, greeted, first_game, replaced=index)
    return definition


def next_version(name: str, taken: Sequence[str]) -> str:
    """`greedy+2` after `greedy`, `greedy+3` after that."""
    match = _VERSION.fullmatch(name)
    base, number = (match[1], int(match[2])) if match else (name, 1)
    while (candidate := f"{base[: MAX_NAME - len(str(number)) - 2]}+{number}") in taken or number == 1:
        number += 1
    return candidate


def _without_bot(definition: Definition, first_game: int, name: str) -> Definition:
    index_of = {definition.bots[index].name: index for index in current_bots(definition)}
    if name not in index_of:
        raise UsageError(f"no bot named {name!r} to retire{near_or_all(name, list(index_of), 'bots')}")
    return msgspec.structs.replace(definition, changes=[*definition.changes, Change(first_game, left=index_of[name])])


def _with_new_bots(
    definition: Definition, first_game: int, paths: Sequence[str], report: Callable[[str], None], strict: bool
) -> Definition:
    skipped: list[Skipped] = []
    bots, notes = find_bots(paths, definition.limits.sandbox, skipped)
    for note in notes:
        report(note)
    taken = {bot.name.casefold() for bot in definition.bots}
    for bot in bots:
        if bot.name.casefold() in taken:
            raise UsageError(
                f"there is a bot {bot.name} in {definition.name} already; NAME={bot.path} gives this one another name, "
                "and --update takes new versions of bots that have changed"
            )
    absolute = [msgspec.structs.replace(bot, path=str(Path(bot.path).absolute())) for bot in bots]
    greeted = greet_all(absolute, definition.limits, skipped)
    if skipped and (strict or not greeted):
        raise BotError(skipped[0].reason).with_details(skipped[0].details)
    definition = msgspec.structs.replace(definition, skipped=[*definition.skipped, *report_skipped(skipped, report)])
    return _with_changes(definition, greeted, first_game)


def _with_changes(
    definition: Definition, joined: Sequence[Bot], first_game: int, replaced: int | None = None
) -> Definition:
    """The definition with these bots from `first_game` on; the first of them takes the place of bot `replaced`."""
    start = len(definition.bots)
    changes = [Change(first_game, replaced if i == 0 else None, start + i) for i in range(len(joined))]
    settings = definition.settings
    if definition.format_spec.is_open:
        settings = [
            msgspec.structs.replace(
                setting,
                bots=[*setting.bots, *(start + i for i, bot in enumerate(joined) if bot.plays(setting.game))],
            )
            for setting in settings
        ]
    return msgspec.structs.replace(
        definition, bots=[*definition.bots, *joined], settings=settings, changes=[*definition.changes, *changes]
    )


def _check_tables_can_be_filled(definition: Definition, first_game: int) -> None:
    if not definition.format_spec.is_open:
        return
    for setting in definition.settings:
        remaining = active_bots(definition.changes, setting.bots, first_game)
        if len(remaining) < setting.players:
            raise Impossible(
                f"{setting.game} needs {setting.players} bots at a table, and {len(remaining)} would be left", "retire"
            )
