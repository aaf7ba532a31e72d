"""`fa replay svg`: a position of a recorded game as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from ...errors import FaError, UsageError
from ...option import Option
from ...printing.text import cut
from ..common import say, warn
from ..help import explained
from .output_file import check_output, write_output
from .records import GameNumber, LogPath, record_of

if TYPE_CHECKING:
    from ...replay.record import Record


@explained(
    "watch-games",
    ("Draw the end of the first game of a tournament", "fa replay svg spring -o end.svg"),
    ("Draw ply 57 of game 3 as seat 2 sees it", "fa replay svg spring --game 3 --ply 57 --seat 2 -o board.svg"),
)
def svg(
    log: LogPath,
    game: GameNumber = 1,
    ply: Annotated[
        str,
        Option("Draw the board after ply K, numbered as in `fa replay show`, or deal, or end.", "K"),
    ] = "end",
    seat: Annotated[
        int | None, msgspec.Meta(ge=0), Option("Draw only what seat S sees. [default: all hands]", "S")
    ] = None,
    theme: Annotated[
        Literal["auto", "light", "dark"],
        Option("Use light or dark colours; auto: those of the reader's system."),
    ] = "auto",
    output: Annotated[
        Path | None,
        Option("Write to FILE; a picture may be replaced. [default: stdout]", "FILE", name="output", short="o"),
    ] = None,
) -> None:
    """Draw the board and the hands after a ply, as an SVG picture.

    A record that does not verify is drawn up to the first difference, with a warning.
    """
    from ...viewer.picture import picture

    position = _parse_ply(ply)
    if output is not None:
        check_output(output, "board.svg")
    record = record_of(log, game)
    try:
        drawn = picture(record, position, seat, theme)
    except FaError as error:
        raise error.within(f"{log}: record {game}") from None
    _warn(log, record, game, position)
    if output is None:
        print(drawn, end="")
    else:
        write_output(output, drawn.encode(), log)
        say(f"wrote {output} ({len(drawn) / 1000:,.0f} kB)")


def _parse_ply(text: str) -> int | None:
    """The ply that `picture` takes. Raises UsageError."""
    from ...viewer.picture import DEAL

    if text in ("deal", "end"):
        return DEAL if text == "deal" else None
    if text.isascii() and text.isdecimal() and len(text) < 10:
        return int(text)
    raise UsageError(f"invalid ply '{cut(text, 40)}': use a number from 0, deal or end")


def _warn(log: Path, record: Record, number: int, ply: int | None) -> None:
    """Warn if the record does not verify."""
    from ...replay.verify import check

    finding = check(record, number - 1)
    if finding is None:
        return
    is_cut = finding.ply is not None and (ply is None or ply >= finding.ply)
    warn(f"{log}: {finding}{'; the picture shows the position before that' if is_cut else ''}")
