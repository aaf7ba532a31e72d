"""`fa replay html`: a page on which to watch games in a browser."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec

from ...errors import FaError, LogError, UsageError
from ...option import Option
from ...printing.text import counted
from ..common import parse_range, say, warn
from ..help import explained
from .output_file import check_output, write_output
from .records import EvaluateOption, LogPath, chosen_items, evaluation_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...replay.log_entry import LogEntry
    from ...replay.log_file import Damage
    from ...viewer.replay_page import PageWriter

_MOST_GAMES = 500
"""On one page: about 8 MB, which a browser still opens quickly."""


@explained(
    "watch-games",
    ("Watch game 3 of a tournament", "fa replay html spring --game 3 -o game.html"),
    ("Show only what seat 2 may know", "fa replay html spring --game 3 --seat 2 -o seat2.html"),
)
def html(
    log: LogPath,
    output: Annotated[Path, Option("Write to FILE; a page may be replaced.", "FILE", name="output", short="o")],
    game: Annotated[
        list[str] | None,
        Option("Show game N, from 1, or games N-M; repeatable. [default: 1]", "N"),
    ] = None,
    all_games: Annotated[bool, Option("Show all games of the log.", name="all")] = False,
    seat: Annotated[
        int | None, msgspec.Meta(ge=0), Option("Show only what seat S may know. [default: all seats]", "S")
    ] = None,
    evaluate: EvaluateOption = False,
) -> None:
    """Write a page on which to watch games in a browser, offline and from one file.

    With --seat the page has nothing that this seat could not know. `#game=3&ply=57&seat=2` after the page's address
    leads to a position.

    A record that does not verify is shown up to the first difference, with a warning.
    """
    from ...viewer.replay_page import PageWriter, replay_page

    check_output(output, "game.html")
    if game and all_games:
        raise UsageError("choose games with --game or with --all, not with both")
    if evaluate and seat is not None:
        raise UsageError("--evaluate looks at all hands, and --seat shows one")
    chosen = _chosen(log, None if all_games else [parse_range(text) for text in game or ["1"]])
    writer, unreadable = PageWriter(seat), list[int]()
    for item in chosen:
        try:
            _add(writer, item, seat, log, evaluate)
        except LogError as error:
            unreadable.append(item.index + 1)
            warn(f"{log}: game {item.index + 1} is skipped: {error}")
    for shown in writer.games:
        if shown.problem:
            warn(f"{log}: game {shown.record}: {shown.problem}")
    if not writer.games:
        raise LogError(f"{log}: none of these games can be shown")
    page = replay_page(log.stem, writer, unreadable).encode()
    write_output(output, page, log)
    say(f"wrote {counted(len(writer.games), 'game')} to {output} ({len(page) / 1000:,.0f} kB)")


def _chosen(log: Path, ranges: Sequence[range] | None) -> list[LogEntry | Damage]:
    """The games of a log with these numbers, from 1; None means all. Raises UsageError if one is missing."""
    from ...replay.log_file import scan_log

    items = list(islice(scan_log(log) if ranges is None else chosen_items(log, ranges), _MOST_GAMES + 1))
    if len(items) > _MOST_GAMES:
        raise UsageError(f"too many games for a page: choose at most {_MOST_GAMES} with --game N-M")
    return items


def _add(writer: PageWriter, item: LogEntry | Damage, seat: int | None, log: Path, evaluates: bool) -> None:
    """Add a game to the page. Raises UsageError if it has no such seat, LogError if it can't be dealt."""
    from ...models.exchanges import read_exchanges
    from ...models.model import exchanges_of
    from ...replay.log_file import Damage

    if isinstance(item, Damage):
        raise LogError(item.text)
    if seat is not None and seat >= len(item.players):
        raise UsageError(f"game {item.index + 1} has no seat {seat}: its seats are 0 to {len(item.players) - 1}")
    exchanges = {}
    try:
        exchanges = read_exchanges(exchanges_of(log), {item.index: item.meta}).get(item.index, {})
    except LogError as error:
        warn(str(error))
    try:
        record = item.record()
        writer.add(record, item.index + 1, exchanges, evaluation_of(record, evaluates))
    except FaError as error:
        raise LogError(str(error)) from None
