"""What `fa match` and `fa play` share: the bots at a table, the log of one game, and its result."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...columns import Column
from ...errors import BotError, LogError, UsageError
from ...text import listed
from .. import common
from ..tables import number, show

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...games.game import Game
    from ...isolation.discovery import Bot
    from ...replay.record import Record

OptionOption = Annotated[
    list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the game; may be repeated.")
]
SeedOption = Annotated[str | None, typer.Option(metavar="TEXT", help="The same text deals the same game.")]
LogOption = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="LOG", help="The log to write; a new file in logs/.")
]
_COLUMNS = (
    number("rank", "rank"),
    number("seat", "seat"),
    Column("bot", "bot"),
    number("points", "points"),
    number("asked", "decisions"),
    number("mean_ms", "mean ms", 2),
    number("slowest_ms", "slowest", 2),
    Column("fault", "fault"),
)


def find_seated(paths: list[str], game: Game, sandboxed: bool) -> list[Bot]:
    """A bot for each path, in order; the same one may be named twice. `sandboxed`: they are built in the sandbox.

    Raises BotError, UsageError.
    """
    from ...isolation.discovery import find_bots

    different = list(dict.fromkeys(paths))
    bots, notes = find_bots(different, sandboxed)
    if notes:
        for path in different:
            find_bots([path], sandboxed)  # raises for what is no bot, and would be passed over in company
        raise BotError(notes[0])
    for bot in bots:
        if not bot.plays(game.name):
            raise UsageError(f"{bot.name} plays {listed(bot.games)}, and not {game.name}")
    by_path = dict(zip(different, bots, strict=True))
    return [by_path[path] for path in paths]


def deal_seed(text: str | None) -> bytes:
    """The game's seed: that of the first game of a tournament with this `--seed`; without a text the system's."""
    import secrets

    from ...games.chance import SEED_BYTES, game_seed, seed_from_text

    return secrets.token_bytes(SEED_BYTES) if text is None else game_seed(seed_from_text(text), 0)


def new_log(output: Path | None, base: str) -> Path:
    """Where the game's log goes: what was asked for, or `logs/base-1.log` and so on. Raises LogError if it is taken."""
    from itertools import count

    from ...play.unfinished import place_of

    if output is None:
        folder = common.logs_folder()
        folder.mkdir(parents=True, exist_ok=True)
        logs = (folder / f"{base}-{number}.log" for number in count(1))
        return next(log for log in logs if not log.exists() and not place_of(log).exists())
    if output.exists():
        raise LogError(f"{output}: it is there already, and is not overwritten")
    if place_of(output).exists():
        raise LogError(f"{place_of(output)}: there is an unfinished game, and it is not overwritten")
    if not output.parent.is_dir():
        raise LogError(f"{output}: there is no folder {output.parent}")
    return output


def keep(path: Path, record: Record, packed: bytes) -> None:
    """Write a game to a log of its own. Raises LogError."""
    from ...replay.log_entry import entry_of
    from ...replay.log_file import write_aside

    write_aside(path, [entry_of(record, packed)])


def tell_result(record: Record) -> None:
    """Print how a game ended: a row for each seat, the best first."""
    print(f"The end: {record.result.reason}")
    show(sorted(_rows(record), key=lambda row: (row["rank"], row["seat"])), _COLUMNS)


def _rows(record: Record) -> Iterator[dict[str, Any]]:
    faults = {fault.seat: f"{fault.kind.value} at ply {fault.ply}" for fault in reversed(record.faults)}
    slowest = _slowest(record)
    for seat, name in enumerate(record.players):
        asked = record.meta["asked"][seat]
        yield {
            "rank": record.result.ranks[seat],
            "seat": seat,
            "bot": name,
            "points": record.result.scores[seat],
            "asked": asked,
            "mean_ms": record.meta["time_us"][seat] / 1000 / asked if asked else None,
            "slowest_ms": slowest[seat] / 1000 if asked else None,
            "fault": faults.get(seat),
        }


def _slowest(record: Record) -> Sequence[int]:
    """By seat: the microseconds of its longest decision."""
    from ...replay.reconstruct import seats_of

    slowest = [0] * len(record.players)
    for seat, time in zip(seats_of(record), record.meta["times_us"], strict=True):
        slowest[seat] = max(slowest[seat], time)
    return slowest
