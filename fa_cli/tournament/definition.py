"""What a tournament is: the bots, what they play, how often, by which clock and seed. Kept as tournaments/NAME.json.

The definition and the log beside it are all there is: the schedule follows from the definition alone, so a run can be
gone on with after any stop.
"""

from __future__ import annotations

import contextlib
import datetime
import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from .. import __version__
from ..errors import BadOption, BadPlayers, Impossible, LogError, UsageError
from ..games import find_game
from ..games.game import Game
from ..games.seed import Seed, decode_seed, encode_seed
from ..isolation.discovery import Bot, Skipped
from ..isolation.limits import Limits
from ..protocol.messages import Clock
from ..replay.log_writer import PRIVATE
from ..stats.stopping import StoppingRule
from ..system import write_atomically
from .format_specs import AnyFormatSpec, Gauntlet, Ladder, RoundRobin, check_spec
from .options import Duplicate


class Setting(msgspec.Struct, frozen=True):
    """One thing that is played: a game, all its options by name, how many play, and who of the bots does."""

    game: str
    options: dict[str, Any]
    players: int
    bots: list[int]
    """Places in the definition's list of bots."""


class Change(msgspec.Struct, frozen=True):
    """Who comes or goes in the course of a tournament; bots are places in the definition's list of bots.

    With both, it is a new version of a bot that stands in for the one before.
    """

    at: int
    """The index of the first game that it holds for."""
    left: int | None = None
    joined: int | None = None


class Definition(msgspec.Struct, frozen=True):
    """A whole tournament, before its first game, and who came and went since."""

    name: str
    seed: Seed
    """In the file 64 hex digits."""
    started: str
    """When it was defined: ISO 8601 in UTC, to the second. Empty without `times`."""
    bots: list[Bot]
    settings: list[Setting]
    games: int
    """How many are planned: a knockout's level tables play some more."""
    clock: Clock
    format_spec: AnyFormatSpec = msgspec.field(default_factory=RoundRobin, name="plan")
    duplicate: Duplicate = Duplicate.ROTATIONS
    limits: Limits = Limits()
    """What bots may take beside the clock."""
    times: bool = True
    """Whether the log keeps how long decisions took, and when the tournament was defined."""
    anonymous: bool = False
    """Whether bots are told nothing by which to know who sits with them."""
    skipped: list[Skipped] = []
    """Bots that were to play and could not be built or started."""
    version: str = __version__
    """The `fa` that defined it."""
    changes: list[Change] = []
    """In their order."""
    stopping_rule: StoppingRule | None = msgspec.field(default=None, name="until")
    """Where the tournament ends before its last game: when it is known which of two bots is better."""
    format: Literal["fa-tournament/1"] = "fa-tournament/1"

    def source(self) -> dict[str, str | bool]:
        """What each record's meta says of where it comes from; that there was no sandbox only where there was none."""
        source = {"name": self.name, "seed": self.seed.hex(), "started": self.started}
        return {**source, "sandbox": False} if self.limits.unsandboxed else {**source}

    @property
    def secret(self) -> str:
        """What the schedule's order depends on besides, where no bot may work out whom it meets by counting games."""
        return self.seed.hex() if self.anonymous else ""


class TournamentPaths(NamedTuple):
    """Where a tournament's two files are."""

    definition: Path
    log: Path


def utc_now() -> str:
    """The time as definitions have it."""
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def make_settings(
    games: Sequence[Game],
    bots: Sequence[Bot],
    *,
    options: Mapping[str, object] = {},
    players: int | None = None,
    repeats: bool = False,
    default_seats: int = 4,
    never_together: Collection[int] = (),
) -> list[Setting]:
    """All that a tournament plays: each game's own settings for tournaments, `options` put over them.

    `players` is `usual_seats` when nothing is said, fewer if there are fewer bots. With `repeats` the same bot may sit
    at a table more than once. The bots `apart` never sit at one table. Raises BadOption, BadPlayers, UsageError (fewer
    bots than seats).
    """
    for name in options:
        if not any(name in _option_names(game) for game in games):
            games[0].make_options({name: options[name]})  # raises, with what there is instead
    settings: list[Setting] = []
    for game in games:
        able = [place for place, bot in enumerate(bots) if bot.plays(game.name)]
        kept_apart = [place for place in able if place in never_together]
        at_once = [bots[place].name for place in able if place not in kept_apart[1:]]
        seats = _seats(game, len(at_once), players, default_seats)
        _check_enough(game, at_once, seats, repeats, has_apart=len(kept_apart) > 1)
        own = {name: value for name, value in options.items() if name in _option_names(game)}
        for variant in game.default_variants or ({},):
            made = game.make_options({**variant, **own})
            setting = Setting(game.name, msgspec.to_builtins(made), seats, able)
            if setting not in settings:
                settings.append(setting)
    return settings


def _option_names(game: Game) -> set[str]:
    return {field.name for field in msgspec.structs.fields(game.options)}


def _seats(game: Game, bots: int, players: int | None, usual: int) -> int:
    """How many play; what was asked for, or the most up to the usual that the game takes and that the bots fill."""
    if players is not None:
        game.check_players(players)
        return players
    return max((count for count in game.players if count <= min(usual, bots)), default=game.players[0])


def _check_enough(game: Game, names: Sequence[str], seats: int, repeats: bool, has_apart: bool) -> None:
    if len(names) >= seats or (repeats and names):
        return
    there = f"there is only {names[0]}" if len(names) == 1 else f"there are only {' and '.join(names)}"
    raise Impossible(
        f"{game.name} with {seats} players needs {seats} bots that play it, and "
        f"{there if names else 'there is none'} ({'challengers never meet; ' if has_apart else ''}with --allow-repeats "
        "the same bot may sit twice)",
        "players",
    )


def create(paths: TournamentPaths, definition: Definition) -> None:
    """Write a new definition; what exists is never replaced. Raises UsageError if the name exists or can't be written.

    Only its owner may read it: the seed is a secret until the last game.
    """
    try:
        for path in paths:
            path.parent.mkdir(parents=True, exist_ok=True)
        check_name_is_free(paths, definition.name)
        try:
            write_atomically(paths.definition, _encoded(definition), replace=False, mode=PRIVATE)
        except FileExistsError:
            check_name_is_free(paths, definition.name)
            raise
    except OSError as error:
        raise UsageError(f"{paths.definition}: it can't be written: {error.strerror}") from None


def replace(paths: TournamentPaths, definition: Definition) -> None:
    """Write a definition over the existing one, which is whole at any moment. Raises UsageError."""
    try:
        write_atomically(paths.definition, _encoded(definition), replace=True, mode=PRIVATE)
    except OSError as error:
        raise UsageError(f"{paths.definition}: it can't be written: {error.strerror}") from None


def _encoded(definition: Definition) -> bytes:
    return msgspec.json.format(msgspec.json.encode(definition, enc_hook=encode_seed), indent=2) + b"\n"


def make_private(paths: TournamentPaths) -> None:
    """Let only their owner read a tournament's files, as long as its seed is a secret."""
    _set_mode(paths, PRIVATE)


def make_public(paths: TournamentPaths) -> None:
    """Let others read a tournament's files after its last game, as far as the umask allows."""
    umask = os.umask(0o077)
    os.umask(umask)
    _set_mode(paths, 0o666 & ~umask)


def _set_mode(paths: TournamentPaths, mode: int) -> None:
    for path in paths:
        with contextlib.suppress(OSError):  # it may be somebody else's
            path.chmod(mode)


def check_name_is_free(paths: TournamentPaths, name: str) -> None:
    """Raises UsageError for the name of a tournament that exists."""
    if paths.definition.exists():
        raise UsageError(
            f"there is a tournament {name} already ({paths.definition}); choose another --name, or go on with it: "
            f"fa tournament resume {name}"
        )
    if paths.log.exists():
        raise UsageError(f"there is a log {paths.log} already; choose another --name")


def load(path: Path) -> Definition:
    """The definition in this file. Raises UsageError where there is none, LogError for a file that is none."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise UsageError(f"there is no tournament {path.stem} ({path} is not there)") from None
    except OSError as error:
        raise LogError(f"{path}: {error.strerror}") from None
    try:
        definition = msgspec.json.decode(content, type=Definition, dec_hook=decode_seed)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        why = "it is nested too deep" if isinstance(error, RecursionError) else error
        raise LogError(f"{path} is no definition of a tournament: {why}") from None
    _check(path, definition)
    return definition


def _check(path: Path, definition: Definition) -> None:
    """What the types don't hold: the file may have been changed by hand."""
    wrong = ""
    for setting in definition.settings:
        try:
            game = find_game(setting.game)
            game.make_options(setting.options)
            game.check_players(setting.players)
        except (BadOption, BadPlayers, UsageError) as error:
            raise LogError(f"{path}: {error}") from None
        if not setting.bots or not set(setting.bots) <= set(range(len(definition.bots))):
            wrong = f"its settings name bots {setting.bots}, and it has {len(definition.bots)}"
        elif not isinstance(definition.format_spec, RoundRobin | Gauntlet) and len(set(setting.bots)) < setting.players:
            wrong = f"its settings have {len(setting.bots)} bots for tables of {setting.players}"
    for change in definition.changes:
        if not {change.left, change.joined} <= {None, *range(len(definition.bots))}:
            wrong = f"bots {change.left} and {change.joined} change, and it has {len(definition.bots)}"
        elif not isinstance(definition.format_spec, Ladder) and None in (change.left, change.joined):
            wrong = "bots come and go, and it is no ladder"
    until = definition.stopping_rule
    if until and not {until.first, until.second} <= set(range(len(definition.bots))):
        wrong = f"it compares bots {until.first} and {until.second}, and it has {len(definition.bots)}"
    if wrong or not definition.settings or definition.games < 1:
        raise LogError(f"{path} is no definition of a tournament: {wrong or 'it plays nothing'}")
    try:
        check_format(definition)
    except UsageError as error:
        raise LogError(f"{path} is no definition of a tournament: {error}") from None


def check_format(definition: Definition) -> None:
    """Whether its settings can be played in its format. Raises Impossible."""
    settings = definition.settings
    check_spec(
        definition.format_spec,
        [bot.name for bot in definition.bots],
        [setting.players for setting in settings],
        [setting.bots for setting in settings],
    )


def free_name(base: str, taken: Sequence[Path]) -> str:
    """`base-1`, or the first number beyond that of which neither of the files is there in the folders `taken`."""
    number = 1
    while any((folder / f"{base}-{number}{ending}").exists() for folder in taken for ending in (".json", ".log")):
        number += 1
    return f"{base}-{number}"
