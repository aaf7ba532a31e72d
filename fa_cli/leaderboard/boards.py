"""The leaderboard of some results: its rows are kept, and ratings are set when it is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from . import parts
from .parts import Kind, Part
from .rating.rating_states import Known, RatingStates
from .rating.ratings import Rating
from .selected_results import SelectedResults, Value
from .standings import Leaderboard


def board(results: SelectedResults, apart: str, rated: bool, anchors: Mapping[str, float] | None = None) -> Leaderboard:
    """The leaderboard, with its parts by `apart` unless that is empty.

    If not `rated`, ratings are those of the games that are folded already. `anchors` gives strengths to bots, which
    shift those of all connected ones. Raises UsageError for an unknown bot.
    """

    def compute() -> Leaderboard:
        from .sums.ranking import standings  # late: a leaderboard that is up to date needs no NumPy

        return standings(results.summary(Kind.BOTS), anchors)

    def compute_parts() -> tuple[Leaderboard, dict[str, Part]]:
        from .sums.ranking import part_rows, seat_part_rows

        found = kept("", Leaderboard, compute)
        summary = results.summary(Kind.BOTS)
        shown = parts.shown(summary.settings, apart, results.game)
        if apart == parts.SEAT:
            rows = seat_part_rows(results.summary(Kind.BOTS_IN_SEATS), shown, found)
        else:
            rows = part_rows(summary, shown, found, bool(anchors))
        by_bot = {label: {row.bot: row for row in of_part} for label, of_part in rows.items() if of_part}
        return msgspec.structs.replace(found, parts=by_bot, apart=apart), shown

    def kept(of: str, kind: type[Value], compute: Callable[[], Value]) -> Value:
        return compute() if anchors else results.remembered(f"leaderboard {of}".rstrip(), kind, compute)

    shown: dict[str, Part] = {}
    if apart:
        found, shown = kept(apart, tuple[Leaderboard, dict[str, Part]], compute_parts)
    else:
        found = kept("", Leaderboard, compute)
    ratings = _ratings(results, Kind.BOTS, rated)
    in_seats = _ratings(results, Kind.BOTS_IN_SEATS, rated) if apart == parts.SEAT else ratings
    whole = _of(ratings, Part(results.game or parts.ANY))
    found.rate(whole, {label: _of(in_seats, part) for label, part in shown.items()})
    return found


def _ratings(results: SelectedResults, kind: Kind, rated: bool) -> Known:
    states = RatingStates(results.of_all_games(), kind)
    return states.update() if rated else states.known()


def _of(ratings: Known, part: Part) -> dict[str, Rating]:
    """The ratings of a part, by bot."""
    if part.apart != parts.SEAT:
        return ratings.get(part, {})
    seat = int(part.label.removeprefix("seat "))
    return {bot: rating for (bot, place), rating in ratings.get(Part(part.game), {}).items() if place == seat}
