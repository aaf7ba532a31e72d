"""The strip under the board of a replay page: points over time by seat, times per decision, faults. Drawn as SVG.

With an evaluation it has the expected shares of the win too, and marks mistakes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import log

from ..game_result import Fault
from .drawing.shapes import MARGIN, WIDTH, group, moved, path, piece, text

LEFT, RIGHT = MARGIN, WIDTH - 84
"""Between which the positions are, in user units; web/replay/replay.css has the same numbers."""
TOP, BASE = 26, 150
"""Where the highest points are, and where no points are."""
_SHARES = 150
"""The height of the shares, if there are any; they are drawn as points are, below these."""
_TIMES = 50
"""The height of the times, if there are any."""
_LONGEST = 36
"""The height of the bar of the longest time."""
_QUICK = 10
"""Microseconds below which a time has no bar; above, the height is logarithmic."""
_LABELS = 24
"""The least distance of two labels."""


def strip(
    points: Sequence[Sequence[int]],
    colours: Sequence[str],
    times: Sequence[int] | None,
    faults: Sequence[Fault],
    unit: str = "points",
    expected: Sequence[Sequence[int]] = (),
    mistakes: Sequence[tuple[int, int]] = (),
) -> str:
    """Draw a game whose `points` are by position and seat; `unit` says in words what they are.

    `colours` are those of the seats' pieces, `times` the microseconds by ply, `expected` the shares of the win in per
    cent by position and seat, `mistakes` plies with their seats.
    """
    step = (RIGHT - LEFT) / max(1, len(points) - 1)
    most, bottom = max(1, *(max(row) for row in points)), BASE
    parts = [*_lines(points, colours, step, most, f"{most} {unit}" if most > 1 else unit)]
    parts += [_mark(step, fault.ply, colours[fault.seat], "!") for fault in faults]
    if expected:
        marks = [_mark(step, ply, colours[seat], "?") for ply, seat in mistakes]
        parts.append(moved(0, _SHARES, *_lines(expected, colours, step, 100, "100% of the win expected"), *marks))
        bottom += _SHARES
    if times:
        bottom += _TIMES
        parts += _times(times, step, bottom)
    return f'<svg class="fa-board" viewBox="0 0 {WIDTH} {bottom + 6}" aria-hidden="true">{"".join(parts)}</svg>'


def sign(colour: str) -> str:
    """Draw a piece of this colour, to stand beside a name."""
    return f'<svg class="fa-board" viewBox="0 0 24 24" aria-hidden="true">{piece(colour, 12, 12, 11)}</svg>'


def _lines(
    rows: Sequence[Sequence[int]], colours: Sequence[str], step: float, most: int, heading: str
) -> Iterator[str]:
    """Yield the numbers of each seat, at most `most`, as a line; its path is in plies and numbers, scaled."""
    rise = (BASE - TOP) / most
    yield path(f"M{LEFT} {TOP}H{RIGHT}M{LEFT} {BASE}H{RIGHT}", "grid")
    yield text(LEFT, TOP - 5, heading, "soft")
    scaled = f'transform="translate({LEFT} {BASE})scale({step:.4g} {-rise:.4g})" vector-effect="non-scaling-stroke"'
    for seat, colour in enumerate(colours):
        *before, end = (row[seat] for row in rows)
        yield f'<path class="line line-{seat} {colour}-line" {scaled} d="M0 0{_steps(before, end)}"/>'
    yield from _labels(rows[-1], colours, rise)


def _steps(values: Sequence[int], end: int) -> str:
    """Return the values one after the other as horizontal steps of length 1, from zero and at last to `end`."""
    steps, height = "", 0
    for value, run in groupby(values):
        steps += f"v{value - height}h{len(list(run))}"
        height = value
    return f"{steps}v{end - height}"


def _labels(points: Sequence[int], colours: Sequence[str], rise: float) -> Iterator[str]:
    """Yield the piece and the number of each seat beside the end of its line, the labels apart from each other."""
    seats = sorted(range(len(points)), key=lambda seat: -points[seat])
    y = TOP - _LABELS - 8.0
    for rank, seat in enumerate(seats):
        lowest = BASE - _LABELS * (len(seats) - 1 - rank)
        y = min(max(BASE - rise * points[seat], y + _LABELS), lowest)
        yield group(piece(colours[seat], RIGHT + 18, y, 11), text(RIGHT + 34, y + 7, points[seat], "bold"))


def _mark(step: float, ply: int, colour: str, sign: str) -> str:
    """Return the piece of the seat that decided this ply, and a sign, on the line of zero."""
    x = LEFT + step * (ply + 1)
    return group(piece(colour, x, BASE, 10), text(x + 12, BASE + 7, sign, "bold"))


def _times(times: Sequence[int], step: float, bottom: int) -> Iterator[str]:
    """Yield the times as an area of columns, each over the step that leads to the position after the decision."""
    longest = max(*times, 100)
    heights = [round(_LONGEST * log(max(time, _QUICK) / _QUICK) / log(longest / _QUICK)) for time in times]
    columns = _steps(heights, 0)
    yield f'<path class="times" transform="translate({LEFT} {bottom})scale({step:.4g} -1)" d="M0 0{columns}z"/>'
    yield text(RIGHT + 8, bottom, "time", "soft")
