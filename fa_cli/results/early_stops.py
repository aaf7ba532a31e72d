"""Tournaments that can end early because of their results, which makes intervals and p-values invalid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from ..decoding import built
from ..errors import FaError
from ..game_result import By
from ..leaderboard.labels import OptionFilter, describe_side, describe_variant
from ..leaderboard.leaderboards import Selection, readable_logs
from ..leaderboard.standings import Leaderboard
from ..printing.columns import Caveat
from ..stats.head_to_head import HeadToHeadRow
from ..system import read_regular
from ..tournament.definition import LARGEST, Definition, Setting, definition_of, load
from ..tournament.versions import versions_of


class _RuleAlone(msgspec.Struct):
    """The stopping rule of a definition; decoding only that is much faster."""

    until: object = None


class EarlyStop(NamedTuple):
    """A tournament with a stopping rule."""

    log: Path
    definition: Definition
    settings: list[Setting]
    """The settings whose games count."""

    @property
    def names(self) -> set[str]:
        """The names of all bots that play in it."""
        return {bot.name for bot in self.definition.bots}

    def labels(self, by: By) -> set[str]:
        """The parts of split results that have games of this tournament, as `side=five`."""
        return {_label(setting, by) for setting in self.settings}


def mark_stopped_bots(board: Leaderboard, selection: Selection, by: By | None, with_versions: bool = False) -> None:
    """Mark the rows of bots whose results could end one of the tournaments early, where its games count.

    `by` splits the leaderboard into parts; `with_versions`: its rows are versions of bots.
    """
    for stop in _stops_of(selection):
        versions = versions_of(stop.log) if with_versions else {}
        bots = {"@".join(versions[bot]) if versions else bot for bot in stop.definition.bots_compared}
        board.mark_stopped(bots, stop.labels(by) if by else None)


def mark_stopped_pairs(rows: Sequence[HeadToHeadRow], selection: Selection) -> None:
    """Mark the pairs of which one bot's results could end one of the tournaments early."""
    for stop in _stops_of(selection):
        for row in rows:
            pair = {row.bot, row.rival}
            if (
                pair & stop.definition.bots_compared
                and pair <= stop.names
                and Caveat.STOPPED_EARLY.value not in row.caveats
            ):
                row.caveats.append(Caveat.STOPPED_EARLY.value)


def _stops_of(selection: Selection) -> Iterator[EarlyStop]:
    """The tournaments with a stopping rule among the selected games."""
    logs = readable_logs(selection.folder) if selection.logs is None else selection.logs
    return early_stops(logs, selection.game, selection.options)


def early_stops(
    logs: Iterable[Path], game: str | None = None, options: OptionFilter | None = None
) -> Iterator[EarlyStop]:
    """The tournaments with a stopping rule among these logs that play `game`, with these options."""
    for log in logs:
        path = definition_of(log)
        try:
            if msgspec.json.decode(read_regular(path, LARGEST), type=built(_RuleAlone)).until is None:
                continue
            definition = load(path)
            settings = [each for each in definition.settings if game in (None, each.game)]
            if options:
                settings = [each for each in settings if options.matches(each.game, _label(each, By.VARIANT))]
        except (OSError, FaError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue  # a log without a readable definition
        if settings:
            yield EarlyStop(log, definition, settings)


def _label(setting: Setting, by: By) -> str:
    if by is By.GAME:
        return setting.game
    if by is By.PLAYERS:
        return f"{setting.players} players"
    if by is By.SIDE:
        return describe_side(setting.game, setting.options)
    return describe_variant(setting.game, setting.options, setting.players)
