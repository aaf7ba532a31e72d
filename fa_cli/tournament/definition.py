"""The definition of a tournament: bots, settings, number of games, clock and seed. Stored as tournaments/NAME.json.

The definition and the log are the whole state of a tournament, so a run can be resumed after any stop.
"""

from __future__ import annotations

import contextlib
import datetime
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from .. import __version__
from ..decoding import built
from ..errors import BadOption, BadPlayers, BotError, Impossible, LogError, UsageError, writing
from ..games import find_game
from ..games.game import Game
from ..games.seed import Seed, decode_seed, encode_seed
from ..isolation.discovery import Bot, Skipped
from ..isolation.limits import Limits
from ..isolation.transport.remote import is_remote
from ..models.model import exchanges_of
from ..printing.text import cut, did_you_mean, either, printable
from ..protocol.messages import Clock
from ..replay.log_writer import PRIVATE
from ..stats.stopping import StoppingRule
from ..system import read_regular, remove_abandoned, write_atomically
from ..transparency.beacon import Beacon
from .bot_paths import portable, resolved, without_folders
from .changes import Change
from .formats import FORMATS
from .formats.block import ResultFeed
from .formats.format import FormatInput, TableSetting, TournamentFormat
from .names import same_name
from .pairing.seating import block_size
from .request import OPEN, Duplicate, GameCount

if TYPE_CHECKING:
    AnyFormat = TournamentFormat
else:
    AnyFormat = reduce(or_, FORMATS.values())

LARGEST = 1 << 26
"""The most bytes of a definition: 100,000 bots take less."""


class Setting(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game with all its options by name, the number of seats at a table, and the bots that play it."""

    game: str
    options: dict[str, Any]
    players: int
    bots: list[int]
    """Indexes in the definition's list of bots."""
    duplicate: Duplicate | None = None
    """The seatings of a deal in this setting; None: those of the definition."""


class Definition(msgspec.Struct, frozen=True):
    """A whole tournament as planned, with the changes since its first game."""

    name: str
    seed: Seed
    """The file has it as 64 hex digits."""
    started: str
    """The time at which it was defined: ISO 8601 in UTC, to the second. Empty without `times`."""
    bots: list[Bot]
    settings: list[Setting]
    games: GameCount
    """The planned number of games; a format may add some, as for tied tables of a knockout."""
    clock: Clock
    format_spec: AnyFormat = msgspec.field(default_factory=next(iter(FORMATS.values())), name="plan")
    duplicate: Duplicate = Duplicate.ROTATIONS
    limits: Limits = Limits()
    """The limits on bots other than the clock."""
    times: bool = True
    """Whether the log keeps the times of decisions and the time at which the tournament was defined."""
    anonymous: bool = False
    """Whether the names and identities of opponents are hidden from bots."""
    skipped: list[Skipped] = []
    """Bots that were asked for but could not be built or started."""
    version: str = __version__
    """The version of `fa` that made the definition."""
    changes: list[Change] = []
    """The changes in the order in which they were made."""
    stopping_rule: StoppingRule | None = msgspec.field(default=None, name="until")
    """Ends the tournament early, once it is decided which of two bots is better, or of all."""
    beacon: Beacon | None = None
    """A public random value that is mixed into the seed."""
    format: Literal["fa-tournament/1"] = "fa-tournament/1"

    def source(self) -> dict[str, str | bool]:
        """The field `tournament` of each record's meta; `sandbox` is included only if bots ran without one."""
        source = {"name": self.name, "seed": self.deal_seed.hex(), "started": self.started}
        return {**source, "sandbox": False} if self.limits.unsandboxed else {**source}

    @property
    def bots_compared(self) -> set[str]:
        """The names of the bots whose results can end the tournament; empty without a stopping rule."""
        rule = self.stopping_rule
        return {bot.name for index, bot in enumerate(self.bots) if rule and rule.compares(index)}

    @property
    def bots_are_cut_off(self) -> bool:
        """Whether nobody can tell a bot anything while it plays: all are in the sandbox, and none is remote."""
        return self.limits.sandbox and not any(is_remote(bot.path) for bot in self.bots)

    @property
    def deal_seed(self) -> Seed:
        """What all deals follow from. Raises UsageError if that needs a public random value that is not known yet."""
        return self.seed if self.beacon is None else self.beacon.mixed(self.seed)

    def duplicate_of(self, setting: Setting) -> Duplicate:
        """The seatings in which a deal is played in one of the settings."""
        return setting.duplicate or self.duplicate

    def for_format(self, results: ResultFeed | None = None) -> FormatInput:
        """What its format may read: parts of the definition, and the results."""
        settings = [
            TableSetting(setting.players, setting.bots, block_size(self.duplicate_of(setting), setting.players))
            for setting in self.settings
        ]
        names = [bot.name for bot in self.bots]
        return FormatInput(names, settings, self.games, self.secret, self.changes, results or ResultFeed(False))

    @property
    def numbers_by_index(self) -> bool:
        """Whether a set of games has the number of its first game, so that fresh deals of other settings fit between.

        Else it has its own number among all sets.
        """
        return any(setting.duplicate for setting in self.settings)

    @property
    def secret(self) -> str:
        """Mixed into the pairing of anonymous tournaments, so that bots cannot work out their opponents; else empty.

        Empty too before a public random value is known: nothing can be played until then.
        """
        is_known = self.beacon is None or self.beacon.signature
        return self.deal_seed.hex() if self.anonymous and is_known else ""


class TournamentPaths(NamedTuple):
    """The paths of a tournament's two files."""

    definition: Path
    log: Path

    @property
    def status(self) -> Path:
        """The status of the run that writes the log; there is none while no run does (`running/run_status.py`)."""
        return self.log.with_suffix(".status")


def utc_now() -> str:
    """The current time in UTC, such as `2026-11-22T06:00:00Z`."""
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
    """The settings of a tournament: the default variants of each game, changed by `options`.

    Without `players`, tables have `default_seats` seats, or fewer if there are fewer bots. With `repeats` the same bot
    may sit at a table more than once. The bots `never_together` (indexes) never sit at one table. Raises BadOption,
    BadPlayers, Impossible (fewer bots than seats).
    """
    for name in options:
        if not any(name in game.options.__struct_fields__ for game in games):
            games[0].make_options({name: options[name]})  # raises BadOption, which lists the options that exist
    settings: list[Setting] = []
    for game in games:
        able = [index for index, bot in enumerate(bots) if bot.plays(game.name)]
        kept_apart = [index for index in able if index in never_together]
        at_one_table = [bots[index].name for index in able if index not in kept_apart[1:]]
        seats = _seats(game, len(at_one_table), players, default_seats)
        _check_enough_bots(game, at_one_table, seats, repeats, players, has_apart=len(kept_apart) > 1)
        own_options = {name: value for name, value in options.items() if name in game.options.__struct_fields__}
        for variant in game.default_variants or ({},):
            game_options = game.make_options({**variant, **own_options})
            setting = Setting(game.name, msgspec.to_builtins(game_options), seats, able)
            if setting not in settings:
                settings.append(setting)
    return settings


def _seats(game: Game, bots: int, players: int | None, default: int) -> int:
    """`players` if given, else the most seats that the game allows, up to `default` and to the number of bots."""
    if players is not None:
        game.check_players(players)
        return players
    return max((count for count in game.players if count <= min(default, bots)), default=game.players[0])


def _check_enough_bots(
    game: Game, names: Sequence[str], seats: int, repeats: bool, players: int | None, has_apart: bool
) -> None:
    if len(names) >= seats or (repeats and names):
        return
    there = f"there is only {names[0]}" if len(names) == 1 else f"there are only {' and '.join(names)}"
    raise Impossible(
        f"{game.name} with {seats} players needs {seats} bots that play it, and "
        f"{there if names else 'there is none'} ({'challengers never meet; ' if has_apart else ''}with --allow-repeats "
        "the same bot may sit twice)",
        "players" if players else "bots",
    )


def create(paths: TournamentPaths, definition: Definition) -> None:
    """Write a new definition; never replaces a file. Raises UsageError if the name is taken or cannot be written.

    Only its owner may read it: the seed is a secret until the last game.
    """
    with writing(paths.definition):
        for path in paths:
            path.parent.mkdir(parents=True, exist_ok=True)
        check_name_is_free(paths, definition.name)
        remove_abandoned(paths.definition)
        try:
            write_atomically(paths.definition, _encoded(paths, definition), replace=False, mode=PRIVATE)
        except FileExistsError:
            check_name_is_free(paths, definition.name)
            raise


def replace(paths: TournamentPaths, definition: Definition) -> None:
    """Replace a definition atomically. Raises UsageError if it cannot be written."""
    with writing(paths.definition):
        write_atomically(paths.definition, _encoded(paths, definition), replace=True, mode=PRIVATE)


def _encoded(paths: TournamentPaths, definition: Definition) -> bytes:
    """The definition as JSON, without paths that hold only on this machine."""
    changed, folder = msgspec.structs.replace, _folder(paths.definition)
    bots = [changed(bot, path=_stored_path(bot, folder), command=(), folder="", model=None) for bot in definition.bots]
    skipped = [changed(bot, reason=printable(without_folders(bot.reason, folder))) for bot in definition.skipped]
    definition = changed(definition, bots=bots, skipped=skipped)
    return msgspec.json.format(msgspec.json.encode(definition, enc_hook=encode_seed), indent=2) + b"\n"


def _stored_path(bot: Bot, folder: Path) -> str:
    """A bot's path as JSON has it. Raises BotError if it is not UTF-8."""
    path = portable(bot.path, folder)
    if not path.isascii() and os.fsencode(path).decode("utf-8", "ignore") != path:
        raise BotError(f"{printable(path)}: the path of a bot in a tournament must be UTF-8; rename the file or folder")
    return path


def _folder(definition: Path) -> Path:
    """The folder to which a definition's paths are relative: that of tournaments/."""
    return definition.absolute().parent.parent


def make_private(paths: Iterable[Path]) -> None:
    """Let only the owner read a tournament's files, while its seed is secret."""
    _set_mode(paths, PRIVATE)


def make_public(paths: Iterable[Path]) -> None:
    """Let others read files, if the umask allows it: a tournament's after its last game, and what is published."""
    umask = os.umask(0o077)
    os.umask(umask)
    _set_mode(paths, 0o666 & ~umask)


def _set_mode(paths: Iterable[Path], mode: int) -> None:
    for path in paths:
        with contextlib.suppress(OSError):  # another user may own the file
            path.chmod(mode)


def check_name_is_free(paths: TournamentPaths, name: str) -> None:
    """Raises UsageError if a tournament or a log has this name, or one that differs only in upper and lower case."""
    if paths.definition.exists():
        raise UsageError(
            f"there is a tournament {name} already ({paths.definition}); choose another --name, or resume it with: "
            f"fa tournament resume {name}"
        )
    if paths.log.exists():
        raise UsageError(f"there is a log {paths.log} already; choose another --name")
    if exchanges_of(paths.log).exists():
        raise UsageError(f"there are exchanges with models in {exchanges_of(paths.log)} already; choose another --name")
    names = [file.stem for path in paths for file in sorted(path.parent.glob(f"*{path.suffix}"))]
    if similar := same_name(name, names):
        raise UsageError(
            f"there is a tournament {similar} already, and {name} differs from it only in upper and lower case; "
            "choose another --name"
        )


def definition_of(log: Path) -> Path:
    """Where the definition of a log's tournament is, if it has one."""
    return log.absolute().parent.parent / "tournaments" / f"{log.stem}.json"


def load(path: Path) -> Definition:
    """Read and check a definition. Raises UsageError if no such file, LogError if it is not a definition."""
    try:
        content = read_regular(path, LARGEST)
    except FileNotFoundError:
        if path.is_symlink():
            raise LogError(f"{path}: it is a link that leads nowhere") from None
        near = did_you_mean(path.stem, (other.stem for other in path.parent.glob("*.json")))
        raise UsageError(f"no tournament named {path.stem} ({path} not found){near}") from None
    except OSError as error:
        raise LogError(f"{path}: {error.strerror}") from None
    try:
        definition = msgspec.json.decode(content, type=built(Definition), dec_hook=decode_seed)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        reason = "it is nested too deep" if isinstance(error, RecursionError) else error
        raise LogError(f"{path} is not a definition of a tournament: {reason}") from None
    _check(path, definition)
    bots = [msgspec.structs.replace(bot, path=resolved(bot.path, _folder(path))) for bot in definition.bots]
    return msgspec.structs.replace(definition, bots=bots)


def _check(path: Path, definition: Definition) -> None:
    """Check what the types cannot express: somebody may have edited the file. Raises LogError."""
    problem = ""
    names = {bot.name for bot in definition.bots}
    if len(names) < len(definition.bots):
        problem = "two of its bots have the same name"
    for setting in definition.settings:
        try:
            game = find_game(setting.game)
            game.make_options(setting.options)
            game.check_players(setting.players)
        except (BadOption, BadPlayers, UsageError) as error:
            raise LogError(f"{path}: {error}") from None
        if not setting.bots or not set(setting.bots) <= set(range(len(definition.bots))):
            problem = f"its settings name bots {cut(str(setting.bots))}, and it has {len(definition.bots)}"
        elif len(set(setting.bots)) < len(setting.bots):
            problem = "its settings name a bot twice"
        elif definition.format_spec.uses_results and len(set(setting.bots)) < setting.players:
            problem = f"its settings have {len(setting.bots)} bots for tables of {setting.players}"
    for change in definition.changes:
        if not {change.left, change.joined} <= {None, *range(len(definition.bots))}:
            problem = f"bots {change.left} and {change.joined} change, and it has {len(definition.bots)}"
        elif not definition.format_spec.is_open and None in (change.left, change.joined):
            problem = f"bots come and go, and it is not a {either(OPEN)}"
    if definition.stopping_rule:
        problem = definition.stopping_rule.problem(len(definition.bots)) or problem
    if problem or not definition.settings:
        raise LogError(f"{path} is not a definition of a tournament: {problem or 'it plays nothing'}")
    try:
        definition.format_spec.check(definition.for_format())
    except UsageError as error:
        raise LogError(f"{path} is not a definition of a tournament: {error}") from None


def free_name(base: str, taken: Sequence[Path]) -> str:
    """`base-1`, `base-2` and so on: the first name for which no folder in `taken` has a definition or a log."""
    number = 1
    while any((folder / f"{base}-{number}{suffix}").exists() for folder in taken for suffix in (".json", ".log")):
        number += 1
    return f"{base}-{number}"
