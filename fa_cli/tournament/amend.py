"""What changes while a tournament is under way: bots join, retire or have a new version, and there are more games.

Everything holds from the first game that is not in the log, so what was played stays what it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from ..errors import BotError, FaError, Impossible, UsageError
from ..isolation.discovery import MAX_NAME, Bot, Skipped, find_bots, read_bot
from ..replay.log_writer import LogWriter
from .definition import Change, Definition, TournamentPaths, load, replace
from .format_specs import Gauntlet, Ladder, RoundRobin
from .formats.ladder import active_bots
from .running.run import schedule_from_log
from .setup import check_enough_left, greet_all

_VERSION = re.compile(r"(.*)\+([0-9]+)")


class Amendment(msgspec.Struct, frozen=True):
    """What a person wants to be different from now on."""

    add: list[str] = []
    """Paths of bots that join a ladder."""
    retire: list[str] = []
    """Names of bots that leave it."""
    update: bool = False
    """Whether bots whose files have changed go on as new versions."""
    more: int = 0
    """Games beyond those planned."""


def current_bots(definition: Definition) -> list[int]:
    """The bots that are in the tournament now."""
    return active_bots(
        definition.changes, range(len(definition.bots)), max([change.at for change in definition.changes], default=0)
    )


def unchanged_bots(definition: Definition, absent: dict[int, Skipped] | None = None) -> Definition:
    """The definition with its bots as they are now, to go on with, each started once.

    `absent` takes those that can't be read, built or started. Raises BotError where one has changed, and without
    `absent` for these too.
    """
    bots = list(definition.bots)
    places = current_bots(definition)
    for place in places:
        bot = bots[place]
        try:
            bots[place] = _read(definition, bot)
        except FaError as error:
            if absent is None or not isinstance(error, BotError):
                raise _cant_go_on(definition, bot, error) from None
            absent[place] = Skipped(bot.name, str(error))
            continue
        if bots[place].digest != bot.digest:
            raise BotError(
                f"{bot.path} has changed since {definition.name} began; its games would not be those of one bot "
                "(with --update it goes on as a new version)"
            )
    there = {bots[place].name: place for place in places if place not in (absent or ())}
    mute: list[Skipped] | None = None if absent is None else []
    for greeted in greet_all([bots[place] for place in there.values()], definition.limits, mute):
        place = there[greeted.name]
        bots[place] = msgspec.structs.replace(greeted, games=definition.bots[place].games)
    if absent is not None and mute is not None:
        absent |= {there[one.name]: one for one in mute}
        check_enough_left(list(absent.values()), len(places) - len(absent))
    return msgspec.structs.replace(definition, bots=bots)


def amend(
    place: TournamentPaths, amendment: Amendment, tell: Callable[[str], None], absent: dict[int, Skipped] | None = None
) -> Definition:
    """Change the tournament's file; the definition as it is then, ready to go on with as by `same_bots`.

    Bots to be added that are broken are skipped, unless all are or `absent` is None.

    Raises UsageError and Impossible for what can't be, BotError, LogError; then nothing has changed.
    """
    with LogWriter(place.log, private=True):  # so that nobody plays meanwhile
        definition = load(place.definition)
        at = schedule_from_log(definition, place.log).known_results
        changed = _with_more(definition, amendment.more)
        if not isinstance(definition.format_spec, Ladder) and (amendment.add or amendment.retire):
            option = "add" if amendment.add else "retire"
            raise Impossible(
                f"--{option} is for a ladder: {definition.name} is a {definition.format_spec.name}", option
            )
        if amendment.update:
            changed = _with_new_versions(changed, at, tell)
        for name in amendment.retire:
            changed = _without(changed, at, name)
        if amendment.add:
            changed = _joined(changed, at, amendment.add, tell, strict=absent is None)
        _check_enough(changed, at)
        ready = unchanged_bots(changed, absent)
        if changed != definition:
            replace(place, changed)
    return ready


def _with_more(definition: Definition, more: int) -> Definition:
    if more and definition.format_spec.counts_itself:
        raise Impossible(
            f"--more is not for a {definition.format_spec.name}: how many games it has follows from itself", "more"
        )
    plan = definition.format_spec
    if more and isinstance(plan, RoundRobin | Gauntlet):
        plan = msgspec.structs.replace(plan, ends=[*plan.ends, definition.games])
    return msgspec.structs.replace(definition, games=definition.games + more, format_spec=plan)


def _read(definition: Definition, bot: Bot) -> Bot:
    """The bot as it is now. Raises BotError and others."""
    return read_bot(Path(bot.path), bot.name, definition.limits.sandbox)


def _cant_go_on(definition: Definition, bot: Bot, error: FaError) -> FaError:
    return error.within(f"{definition.name} can't go on without {bot.name}")


def _with_new_versions(definition: Definition, at: int, tell: Callable[[str], None]) -> Definition:
    for place in current_bots(definition):
        before = definition.bots[place]
        try:
            now = _read(definition, before)
        except FaError as error:
            raise _cant_go_on(definition, before, error) from None
        if now.digest != before.digest:
            if definition.stopping_rule and place in (definition.stopping_rule.first, definition.stopping_rule.second):
                raise Impossible(f"{definition.name} compares {before.name} as it was: begin another", "update")
            name = next_version(before.name, [bot.name for bot in definition.bots])
            tell(f"{before.name} goes on as {name}")
            now = msgspec.structs.replace(now, name=name)
            definition = _changed(definition, _greeted(definition, [now]), at, left=place)
    return definition


def next_version(name: str, taken: Sequence[str]) -> str:
    """`greedy+2` after `greedy`, `greedy+3` after that."""
    found = _VERSION.fullmatch(name)
    base, number = (found[1], int(found[2])) if found else (name, 1)
    while (wanted := f"{base[: MAX_NAME - len(str(number)) - 2]}+{number}") in taken or number == 1:
        number += 1
    return wanted


def _without(definition: Definition, at: int, name: str) -> Definition:
    names = {definition.bots[place].name: place for place in current_bots(definition)}
    if name not in names:
        raise UsageError(f"there is no bot {name!r} to retire; there are {', '.join(names)}")
    return msgspec.structs.replace(definition, changes=[*definition.changes, Change(at, left=names[name])])


def _joined(
    definition: Definition, at: int, paths: Sequence[str], tell: Callable[[str], None], strict: bool
) -> Definition:
    skipped: list[Skipped] = []
    bots, notes = find_bots(paths, definition.limits.sandbox, skipped)
    for note in notes:
        tell(note)
    taken = {bot.name for bot in definition.bots}
    for bot in bots:
        if bot.name in taken:
            raise UsageError(
                f"there is a bot {bot.name} in {definition.name} already; NAME={bot.path} gives this one another name, "
                "and --update takes new versions of bots that have changed"
            )
    absolute = [msgspec.structs.replace(bot, path=str(Path(bot.path).absolute())) for bot in bots]
    greeted = greet_all(absolute, definition.limits, skipped)
    if skipped and (strict or not greeted):
        raise BotError(skipped[0].reason)
    for one in skipped:
        tell(f"warning: {one}")
    definition = msgspec.structs.replace(definition, skipped=[*definition.skipped, *skipped])
    return _changed(definition, greeted, at)


def _greeted(definition: Definition, bots: Sequence[Bot]) -> list[Bot]:
    return greet_all(bots, definition.limits)


def _changed(definition: Definition, joined: Sequence[Bot], at: int, left: int | None = None) -> Definition:
    """With these bots, the first of them in place of `left`."""
    first = len(definition.bots)
    changes = [Change(at, left if place == 0 else None, first + place) for place in range(len(joined))]
    settings = definition.settings
    if isinstance(definition.format_spec, Ladder):
        settings = [
            msgspec.structs.replace(
                setting,
                bots=[*setting.bots, *(first + place for place, bot in enumerate(joined) if bot.plays(setting.game))],
            )
            for setting in settings
        ]
    return msgspec.structs.replace(
        definition, bots=[*definition.bots, *joined], settings=settings, changes=[*definition.changes, *changes]
    )


def _check_enough(definition: Definition, at: int) -> None:
    if not isinstance(definition.format_spec, Ladder):
        return
    for setting in definition.settings:
        left = active_bots(definition.changes, setting.bots, at)
        if len(left) < setting.players:
            raise Impossible(
                f"{setting.game} needs {setting.players} bots at a table, and {len(left)} would be left", "retire"
            )
