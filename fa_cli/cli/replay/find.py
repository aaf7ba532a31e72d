"""`fa replay find`: games by what happened in them."""

from __future__ import annotations

from functools import partial
from heapq import nlargest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from ...errors import LogError, UsageError
from ...game_result import have_all_failed
from ...option import Option, OptionGroup
from ...printing.columns import KEY, bad_if_any, number, numbers, text
from ...printing.text import counted, did_you_mean, quoted
from .. import common
from ..common import GameOption, LogNames, OptionFilterOption, logs_named, option_filter, say
from ..help import explained
from ..tables import TableOptions, show_rows
from .conditions import Condition, WhereOption, on_column, parse_conditions
from .records import entries_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...leaderboard.labels import OptionFilter
    from ...replay.log_entry import LogEntry


class FoundGame(msgspec.Struct):
    """A game; the lists have an entry per seat."""

    log: Annotated[str, text("log", "the path of the log", importance=KEY)]
    record: Annotated[int, number("game", "the record, from 1, for `--game`", importance=KEY)]
    variant: Annotated[
        str, text("variant", "the game, its options and the number of players", folds=True, importance=4)
    ]
    players: Annotated[list[str], text("players", "list: the players, by seat", " ".join, folds=True)]
    ranks: Annotated[list[int], numbers("ranks", "list: 1 + the number of seats ahead, by seat")]
    points: Annotated[list[int], numbers("points", "list: points, by seat", importance=5)]
    plies: Annotated[int, number("plies", "actions in the game, forced ones too", importance=6)]
    faults: Annotated[
        list[str],
        text(
            "faults",
            "list: the bots that failed or were suspended, how, and at which ply",
            ", ".join,
            folds=True,
            tone=bad_if_any,
        ),
    ]
    upset: Annotated[
        float | None,
        number(
            "upset",
            "how much stronger the strongest bot at the table is than the strongest winner, in strength; none if it is "
            "not, or without `--upsets`",
            1,
            if_any=True,
        ),
    ]


@explained(
    "watch-games",
    ("Games in which one bot ranked ahead of another", "fa replay find spring --beat greedy planner"),
    ("The ten biggest upsets on side six", "fa replay find --upsets --option side=six --limit 10"),
    ("Games in which a bot failed", "fa replay find spring --faults --with mine"),
    first="--beat greedy planner --with mine --faults --game manhattan --option side=six "
    "--where players=greedy --upsets --longest --limit 10",
)
def find(
    names: LogNames = None,
    *,
    beat: Annotated[
        tuple[str, str] | None, Option("Find games in which A ranks ahead of B. [default: all]", "A B")
    ] = None,
    with_: Annotated[
        list[str] | None, Option("Find games in which BOT plays; repeatable. [default: all]", "BOT", name="with")
    ] = None,
    faults: Annotated[bool, Option("Find games in which a bot failed.")] = False,
    game: GameOption = None,
    option: OptionFilterOption = None,
    where: WhereOption = None,
    upsets: Annotated[bool, Option("Find games that a weaker bot won, the biggest upset first.")] = False,
    longest: Annotated[bool, Option("Print the games with most plies first.", group=OptionGroup.TABLE)] = False,
    limit: Annotated[int, msgspec.Meta(ge=0), Option("Print N games; 0: all.", "N", group=OptionGroup.TABLE)] = 20,
    table: TableOptions,
) -> None:
    """Find games by who beat whom, upsets, faults, options and length, in logs and tournaments.

    All conditions must hold. Each row names a log and a game for `fa replay show LOG --game N`.
    """
    if upsets and longest:
        raise UsageError("--upsets and --longest are two orders; choose one")
    if beat and beat[0] == beat[1]:
        raise UsageError(f"{beat[0]} is named twice; name two different bots")
    conditions = [on_column("players", "=", bot) for bot in with_ or ()]
    conditions += [partial(_beat, *beat)] if beat else []
    conditions += [on_column("faults", ">", 0)] if faults else []
    conditions += [on_column("game", "=", game)] if game else []
    if options := option_filter(option, game):
        conditions.append(partial(_has_options, options))
    conditions += parse_conditions(where)
    common.check_game(game)
    logs = logs_named(names, skips_damaged=True)
    strengths = _strengths(logs if names else None) if upsets else None
    found, games = _found(logs, not names, [*(beat or ()), *(with_ or ())], conditions, strengths)
    if not games:
        raise common.no_games(names, None)
    rows = _first(found, limit, upsets, longest)
    show_rows(FoundGame, rows, table)
    shown = "" if len(rows) == len(found) else f"; {len(rows)} of them are shown (--limit 0 shows all)"
    say(f"{len(found):,} of {counted(games, 'game')} found{shown}")
    if rows:
        say(f"watch the first: fa replay show {quoted(rows[0].log)} --game {rows[0].record} --step")


def _found(
    logs: Sequence[Path],
    is_all: bool,
    required: Sequence[str],
    conditions: Sequence[Condition],
    strengths: dict[str, float] | None,
) -> tuple[list[FoundGame], int]:
    """The games that match, and the number of all. Of all logs those that can't be read are skipped with a warning.

    Raises UsageError for a required bot that did not play, LogError for a named log.
    """
    from ...leaderboard.leaderboards import skipped

    found, games, names = list[FoundGame](), 0, set[str]()
    for log in logs:
        try:
            rows, count, bots = _found_in(log, conditions, strengths)
        except LogError as error:
            if not is_all:
                raise
            common.say_once(skipped(error))
        else:
            found, games, names = found + rows, games + count, names | bots
    for name in required:
        if name not in names:
            raise UsageError(
                f"{name} has not played in {common.describe_logs([str(log) for log in logs])}"
                f"{did_you_mean(name, names)}"
            )
    return found, games


def _found_in(
    log: Path, conditions: Sequence[Condition], strengths: dict[str, float] | None
) -> tuple[list[FoundGame], int, set[str]]:
    """The games of a log that match, the number of all, and their bots. Raises LogError."""
    from ...leaderboard.labels import bots_of

    found, games, names = [], 0, set[str]()
    for entry in entries_of(log):
        bots = bots_of(entry.players)
        games += 1
        names.update(bots)
        has_winner = not have_all_failed(entry.faults, len(bots))
        upset = _upset(bots, entry.result.ranks, strengths) if strengths and has_winner else None
        if all(holds(entry) for holds in conditions) and (strengths is None or upset is not None):
            found.append(_row(log, entry, bots, upset))
    return found, games, names


def _row(log: Path, entry: LogEntry, bots: Sequence[str], upset: float | None) -> FoundGame:
    from ...leaderboard.labels import describe_variant
    from ...replay.record import fault_words

    return FoundGame(
        str(log),
        entry.index + 1,
        describe_variant(entry.game, entry.options, len(bots)),
        entry.players,
        entry.result.ranks,
        entry.result.scores,
        entry.decisions,
        [
            f"{entry.players[fault.seat]} {fault_words(entry.meta, fault)[0]} at ply {fault.ply}"
            for fault in entry.faults
        ],
        upset,
    )


def _beat(first: str, second: str, entry: LogEntry) -> bool:
    """Whether a seat of the first bot ranks ahead of one of the second."""
    from ...leaderboard.labels import bots_of

    seats = list(zip(bots_of(entry.players), entry.result.ranks, strict=True))
    ranks, others = ([rank for bot, rank in seats if bot == name] for name in (first, second))
    return bool(ranks and others) and min(ranks) < max(others)


def _has_options(options: OptionFilter, entry: LogEntry) -> bool:
    from ...leaderboard.labels import describe_variant

    return options.matches(entry.game, describe_variant(entry.game, entry.options, len(entry.players)))


def _strengths(logs: Sequence[Path] | None) -> dict[str, float]:
    """The fitted strength of each bot, over all games of these logs, or of all tournaments. Raises LogError."""
    from ...leaderboard.leaderboards import leaderboard

    rows = leaderboard(common.select_logs(logs)._replace(skips_damaged=True), rated=False).rows
    return {row.bot: row.strength for row in rows if row.strength is not None}


def _upset(bots: Sequence[str], ranks: Sequence[int], strengths: dict[str, float]) -> float | None:
    """The strength of the strongest bot less that of the strongest winner; None if a strongest bot won."""
    known = [strengths[bot] for bot in bots if bot in strengths]
    winners = [strengths[bot] for bot, rank in zip(bots, ranks, strict=True) if rank == 1 and bot in strengths]
    gap = max(known) - max(winners) if winners else 0.0
    return gap if gap > 0 else None


def _first(found: Sequence[FoundGame], limit: int, upsets: bool, longest: bool) -> list[FoundGame]:
    """The rows to print: by upset or length if asked for, else in the order of the logs; at most `limit`, 0 for all."""
    count = limit or len(found)

    def key(row: FoundGame) -> Any:
        return row.upset if upsets else row.plies

    return nlargest(count, found, key=key) if upsets or longest else list(found[:count])
