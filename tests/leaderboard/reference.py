"""Leaderboards computed game by game in memory, as a reference for the index."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any

import msgspec
import numpy

from fa_cli.game_result import By, PlayedGame
from fa_cli.leaderboard.compared_games import ranked_bots
from fa_cli.leaderboard.played_games import played_game, tournament_start
from fa_cli.leaderboard.rating.ratings import Ratings
from fa_cli.replay.log_file import read_log
from fa_cli.stats.block_means import BlockMean, caveats_of
from fa_cli.stats.strength.groups import fit_groups, placed
from fa_cli.stats.strength.pair_sums import PairRows, none, pair_sums, stacked, stratum_pairs


class _Board:
    """The results of bots over some games."""

    def __init__(self) -> None:
        self.ratings = Ratings()
        self.counts: dict[str, list[int]] = {}
        self.values: dict[str, list[tuple[tuple[Any, int], tuple[float, float, float]]]] = {}
        """By bot: deal and stratum of each game, with wins, points and rank."""

    def add(self, game: PlayedGame, seats: Iterable[int]) -> None:
        for seat in seats:
            bot, ranks = game.bots[seat], game.ranks
            most, faults, asked, time_us = self.counts.get(bot, [1, 0, 0, 0])
            failed = seat in game.faulted
            self.counts[bot] = [
                max(most, len(ranks)),
                faults + failed,
                asked + game.decisions[seat],
                time_us + game.time_us[seat],
            ]
            won = 0.0 if failed or ranks[seat] != 1 else 1 / ranks.count(1)
            shared = ranks[seat] + (ranks.count(ranks[seat]) - 1) / 2
            values = won, game.points[seat], shared
            self.values.setdefault(bot, []).append(((game.deal, game.stratum), values))

    def rows(self) -> dict[str, dict[str, Any]]:
        found = {}
        for bot, values in self.values.items():
            wins, points, ranks = means_of(values)
            rating, (most, faults, asked, time_us) = self.ratings[bot], self.counts[bot]
            points_interval = points.interval()
            found[bot] = {
                "games": wins.count,
                "rating": rating.mu - 3 * rating.sigma,
                "mu": rating.mu,
                "sigma": rating.sigma,
                "wins": wins.mean,
                "wins_interval": wins.share_interval(),
                "points": points.mean,
                "points_interval": points_interval,
                "mean_rank": ranks.mean,
                "mean_rank_interval": ranks.bounded_interval(1, most),
                "faults": faults,
                "ms": time_us / asked / 1000 if asked else None,
                "caveats": caveats_of(points.blocks, points_interval),
            }
        return found


def means_of(values: Iterable[tuple[tuple[Any, int], tuple[float, float, float]]]) -> list[BlockMean]:
    """The means of wins, points and ranks; the games of one deal and stratum are a block."""
    means = [BlockMean() for _ in range(3)]
    for (_, stratum), games in itertools.groupby(values, key=itemgetter(0)):
        for mean, column in zip(means, zip(*(own for _, own in games), strict=True), strict=True):
            mean.add_block(sum(column), len(column), stratum)
    return means


def rows(games: Iterable[PlayedGame], by: By | None = None, game: str | None = None) -> dict[str, dict[str, Any]]:
    """Rows by bot for each part, and for all games under the label ""; with `game`, only of that game."""
    boards: dict[str, _Board] = {"": _Board()}
    in_parts: dict[str, list[PlayedGame]] = {"": []}
    for played in games:
        for label in ("", played.label(by)) if by else ("",) if game in (None, played.game) else ():
            if game in (None, played.game):
                in_parts.setdefault(label, []).append(played)
                board = boards.setdefault(label, _Board())
                board.ratings.add(played.bots, played.ranks, played.faulted)
                board.add(played, range(len(played.bots)))
    overall = strengths(in_parts[""])
    found = {}
    for label, board in boards.items():
        own = strengths(in_parts[label]) if label else overall
        fitted, rows = {bot: dict(one) for bot, one in own.items()}, board.rows()
        leads: dict[int | None, list[float]] = {}
        for bot in rows:
            leads.setdefault(fitted[bot]["group"], []).append(overall[bot]["strength"] - fitted[bot]["strength"])
        for one in fitted.values():
            shift = sum(leads[one["group"]]) / len(leads[one["group"]])
            one["strength"] += shift
            one["strength_interval"] = one["strength_interval"] and tuple(numpy.add(one["strength_interval"], shift))
        found[label] = {bot: row | fitted[bot] for bot, row in rows.items()}
    return found


STRENGTHS: dict[bytes, dict[str, dict[str, Any]]] = {}
"""What was fitted: the same games are part of several tables."""


def strengths(games: Sequence[PlayedGame]) -> dict[str, dict[str, Any]]:
    """The fitted strength of each bot with its interval, rank and rank range, at the games' own level."""
    key = msgspec.json.encode(games)
    if key not in STRENGTHS:
        STRENGTHS[key] = _strengths(games)
    return STRENGTHS[key]


def _strengths(games: Iterable[PlayedGame]) -> dict[str, dict[str, Any]]:
    met: dict[tuple[Any, ...], dict[tuple[int, int, str, str], list[int]]] = {}
    bots: set[str] = set()
    deals: set[tuple[Any, ...]] = set()
    for played in games:
        bots.update(played.bots)
        for bot in played.bots:
            deals.add((bot, played.game, played.variant, played.side, len(played.bots), played.deal, played.stratum))
        block = met.setdefault((played.log, played.variant, played.side, len(played.bots)), {})
        for (i, own), (j, rival) in itertools.permutations(enumerate(played.bots), 2):
            if own != rival:
                pair = block.setdefault((played.stratum, played.block, own, rival), [0, 0])
                pair[0] += 1
                pair[1] += 2 * (played.ranks[i] < played.ranks[j]) + (played.ranks[i] == played.ranks[j])
    if not bots:
        return {}
    order = sorted(bots)
    rows = [[(*key[:2], *map(order.index, key[2:]), *pair) for key, pair in one.items()] for one in met.values()]
    sums = [pair_sums(stratum_pairs(PairRows(*numpy.array(one).T))) for one in rows if one]
    empty = pair_sums(stratum_pairs(none(PairRows)))
    groups = fit_groups(len(order), stacked([part.apart(number) for number, part in enumerate([empty, *sums])]))
    counts: dict[str, Counter[str]] = {bot: Counter() for bot in bots}
    for bot, game, *_ in deals:
        counts[bot][game] += 1
    places = placed(groups, {order.index(bot) for bot in ranked_bots(counts)[1]})
    return {
        bot: {
            "group": places[place].group if len(groups) > 1 else None,
            "strength": places[place].strength,
            "strength_interval": places[place].interval,
            "rank": places[place].rank,
            "rank_range": places[place].rank_range,
        }
        for place, bot in enumerate(order)
    }


def rows_in_seats(games: Iterable[PlayedGame], game: str | None = None) -> dict[str, dict[str, Any]]:
    """Rows by bot for each seat, where each seat of a bot is rated as a separate bot."""
    boards: dict[str, _Board] = {}
    ratings = Ratings()
    for played in games:
        if game in (None, played.game):
            in_seats = [(bot, seat) for seat, bot in enumerate(played.bots)]
            ratings.add(in_seats, played.ranks, played.faulted)
            for bot, seat in in_seats:
                board = boards.setdefault(f"seat {seat}", _Board())
                board.add(played, [seat])
                board.ratings[bot] = ratings[bot, seat]
    return {label: board.rows() for label, board in boards.items()}


def games_of(logs: Iterable[Path]) -> Iterator[PlayedGame]:
    """The games of these logs, in order of the start of their tournaments."""
    for path in sorted(logs, key=lambda path: (tournament_start(path) or "", path.name)):
        for entry in read_log(path):
            yield played_game(entry, path.stem, entry.index)
