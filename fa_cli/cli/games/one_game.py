"""Code that commands which play games share: finding the bots, the log of one game, and its result."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec

from ...errors import BotError, LogError, UsageError, check_new, writing
from ...option import Option, OptionGroup
from ...printing.columns import KEY, bad_if_any, best_if_first, number, text
from ...printing.terminal import print_line
from ...printing.text import listed
from .. import common
from ..tables import TableOptions, show_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ...games.game import Game
    from ...games.seed import Seed
    from ...isolation.discovery import Bot
    from ...replay.record import Record

OptionOption = Annotated[list[str] | None, Option("Set an option of the game; repeatable.", "NAME=VALUE")]
SeedOption = Annotated[
    str | None,
    Option("Deal the same game for the same TEXT. [default: random]", "TEXT", group=OptionGroup.SEATS),
]
LogOption = Annotated[
    Path | None,
    Option("Write to LOG, a new file. [default: in logs/, numbered]", "LOG", short="o", group=OptionGroup.OUTPUT),
]


class SeatResult(msgspec.Struct):
    """How one seat fared in the game."""

    rank: Annotated[int, number("rank", "1 + the number of seats ahead", tone=best_if_first, importance=KEY)]
    seat: Annotated[int, number("seat", "from 0")]
    bot: Annotated[str, text("bot", "the player's name", importance=KEY)]
    points: Annotated[int, number("points", "the seat's points")]
    asked: Annotated[int, number("decisions", "decisions that the player was asked for", importance=2)]
    mean_ms: Annotated[float | None, number("mean ms", "mean time of a decision in milliseconds", 2, importance=3)]
    slowest_ms: Annotated[
        float | None,
        number(
            "slowest",
            "time of the slowest decision in milliseconds, rounded to five values per factor of ten",
            2,
            importance=1,
        ),
    ]
    fault: Annotated[str | None, text("fault", "the fault and its ply", folds=True, tone=bad_if_any)]


def find_seated(paths: list[str], game: Game, sandboxed: bool) -> list[Bot]:
    """A bot for each path, in order; a path may occur twice. `sandboxed`: build bots in the sandbox.

    Raises BotError for a path that is not a working bot, UsageError for a bot that does not play the game, or has
    no key for its model.
    """
    from ...isolation.discovery import Skipped, find_bots
    from ...models.model import check_models

    unique = list(dict.fromkeys(paths))
    broken: list[Skipped] = []
    bots, notes = find_bots(unique, sandboxed, broken)
    if broken:
        raise BotError(broken[0].reason).with_details(broken[0].details)
    if notes:
        for path in unique:
            find_bots([path], sandboxed)  # raises for a single path that is not a bot; among others it only notes it
        raise BotError(notes[0])
    for bot in bots:
        if not bot.plays(game.name):
            raise UsageError(f"{bot.name} plays {listed(bot.games)}, and not {game.name}")
    check_models(bots)
    by_path = dict(zip(unique, bots, strict=True))
    return [by_path[path] for path in paths]


def offered_bots(paths: list[str], sandboxed: bool) -> dict[str, str]:
    """By name: the absolute paths of the shipped bots and of these. Raises BotError."""
    from ...isolation.discovery import find_bots
    from ...isolation.shipped_bots import shipped_paths
    from ...models.model import check_models

    named = {name: str(path) for name, path in shipped_paths().items()}
    found, notes = find_bots(paths, sandboxed) if paths else ([], [])
    check_models(found)
    for note in notes:
        common.warn(note)
    return named | {bot.name: str(Path(bot.path).absolute()) for bot in found}


def deal_seed(text: str | None) -> Seed:
    """The game's seed: that of the first game of a tournament with this `--seed`; without a text the system's."""
    from ...games.seed import Seed

    return Seed.from_system() if text is None else Seed.from_text(text).of_game(0)


def new_log(output: Path | None, base: str) -> Path:
    """The path of the game's log: `output`, or the first free one of `logs/BASE-1.log`, `logs/BASE-2.log` ...

    A log with exchanges with models beside it, as a match that was stopped leaves them, is taken. Raises LogError if
    `output` is taken or its folder does not exist.
    """
    from itertools import count
    from os.path import lexists

    from ...models.model import exchanges_of
    from ...play.unfinished import unfinished_path

    def unfinished(log: Path) -> Path | None:
        return next(filter(lexists, (unfinished_path(log), exchanges_of(log))), None)

    if output is None:
        folder = common.logs_folder()
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        logs = (folder / f"{base}-{number}.log" for number in count(1))
        return next(log for log in logs if not lexists(log) and not unfinished(log))
    check_new(output, LogError)
    if file := unfinished(output):
        raise LogError(
            f"{file}: there is an unfinished game, and it is not overwritten; remove the file, or give another --output"
        )
    return output


def claim_log(output: Path | None, base: str) -> Path:
    """As `new_log`; nobody else gets the path, because the file of the game's exchanges is there from now on."""
    from ...models.model import exchanges_of

    while True:
        log = new_log(output, base)
        with writing(log, LogError), suppress(FileExistsError):
            exchanges_of(log).touch(0o600, exist_ok=False)
            return log


def write_log(path: Path, record: Record, packed: bytes) -> None:
    """Write the game to a new log. Raises LogError."""
    from ...replay.log_entry import entry_of
    from ...replay.log_writer import write_new_log

    write_new_log(path, [entry_of(record, packed)])


def write_numbered_log(path: Path, base: str, record: Record, packed: bytes, new: Callable[[None, str], Path]) -> Path:
    """Write the game to a new log, with the next free number if another command has taken the path; returns its path.

    `new`: `new_log` or `claim_log`. Raises LogError.
    """
    while True:
        try:
            write_log(path, record, packed)
            return path
        except LogError:
            if not path.exists():
                raise
            path = new(None, base)


def show_result(record: Record) -> None:
    """Print how a game ended: a row for each seat, the best first."""
    from ...games import find_game
    from ...replay.narrate import end_words

    print_line(f"The end: {end_words(find_game(record.game), record)}")
    show_rows(SeatResult, sorted(_rows(record), key=lambda row: (row.rank, row.seat)), TableOptions())


def _rows(record: Record) -> Iterator[SeatResult]:
    faults = {fault.seat: f"{fault.kind.value} at ply {fault.ply}" for fault in reversed(record.faults)}
    slowest = _slowest(record)
    for seat, name in enumerate(record.players):
        asked = record.meta["asked"][seat]
        yield SeatResult(
            record.result.ranks[seat],
            seat,
            name,
            record.result.scores[seat],
            asked,
            record.meta["time_us"][seat] / 1000 / asked if asked else None,
            slowest[seat] / 1000 if asked else None,
            faults.get(seat),
        )


def _slowest(record: Record) -> Sequence[int]:
    """The time of each seat's slowest decision, in microseconds."""
    from ...replay.reconstruct import acting_seats

    slowest = [0] * len(record.players)
    for seat, time in zip(acting_seats(record), record.meta["times_us"], strict=True):
        slowest[seat] = max(slowest[seat], time)
    return slowest
