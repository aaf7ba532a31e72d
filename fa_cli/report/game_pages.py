"""The games that a report links to, and their pages beside it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from ..errors import FaError, LogError
from ..leaderboard.overview.highlights import GameKey, Highlight, Why
from ..printing.text import counted
from ..replay.log_entry import LogEntry
from ..replay.log_file import entry_at
from ..viewer.replay_page import PageWriter, replay_page
from ..viewer.report_page import Link
from .read_content import Content

FOLDER = "games"
"""Beside the report."""
_REPORT = "../index.html"


class GamePage(NamedTuple):
    """The page of one game."""

    name: str
    content: bytes
    log: Path
    problem: str
    """The first difference to the rules, in a sentence, if the game does not verify; else empty."""


class GamePages:
    """Chooses games to watch, and says why.

    First faults come first, then the final, the closest game, the greatest upset, the longest, each bot's best win and
    worst loss, and games of pairs that have none yet. Further close and long games and upsets fill what is left.
    """

    def __init__(self, content: Content, most: int) -> None:
        """`most`: the largest number of games. Raises LogError."""
        self._content = content
        self.entries: dict[GameKey, LogEntry] = {}
        """The games as the logs have them."""
        self.reasons: dict[GameKey, list[str]] = {}
        """Why each is worth watching."""
        self._of_pairs: dict[tuple[str, str], GameKey] = {}
        for game, reason in self._wanted():
            if game in self.entries:
                self.reasons[game].append(reason)
            elif len(self.entries) < most:
                self._add(game, reason)
        for game, reason in self._more():
            if game not in self.entries and len(self.entries) < most:
                self._add(game, reason)

    def _add(self, game: GameKey, reason: str) -> None:
        log = self._content.logs[game.log]
        entry = entry_at(log, game.game_index)
        if not entry:
            raise LogError(f"{log}: game {game.game_index + 1} is missing; it was there before")
        self.entries[game], self.reasons[game] = entry, [reason]
        bots = {name.partition("#")[0] for name in entry.players}  # `greedy#1` is one of several copies
        for pair in itertools.combinations(sorted(bots), 2):
            self._of_pairs.setdefault(pair, game)

    def __len__(self) -> int:
        return len(self.entries)

    def _wanted(self) -> Iterator[tuple[GameKey, str]]:
        """All games worth a page, the most interesting ones first, each with a reason."""
        tables, found = self._content.tables, self._content.tables.highlights
        for bot, details in tables.fault_details.items():
            yield GameKey(details.log, details.game_index), f"first fault of {bot}"
        if self._content.bracket and self._content.is_over:
            (log,) = self._content.logs
            yield GameKey(log, tables.board.games - 1), "last game of the final"
        for why in (Why.CLOSEST, Why.UPSET, Why.LONGEST):
            yield from ((each.game, _reason(why, each, is_first=True)) for each in found.best(why)[:1])
        wins, losses = found.of_bots(Why.BEST_WIN), found.of_bots(Why.WORST_LOSS)
        for bot in self._content.bots:
            for what, highlights in (("best win", wins), ("worst loss", losses)):
                if bot in highlights:
                    yield highlights[bot].game, f"{what} of {bot}"
        meetings = found.meetings()
        for row in self._content.pairs:
            first, second = sorted((row.bot, row.rival))
            if (first, second) not in self._of_pairs:
                yield meetings[first, second], f"{row.bot} meets {row.rival}"

    def _more(self) -> Iterator[tuple[GameKey, str]]:
        """Further close games, upsets and long games, in turn."""
        found = self._content.tables.highlights
        kinds = [[(why, each) for each in found.best(why)[1:]] for why in (Why.CLOSEST, Why.UPSET, Why.LONGEST)]
        for why, each in filter(None, itertools.chain(*zip_longest(*kinds))):
            yield each.game, _reason(why, each)

    def meeting(self, bot: str, rival: str) -> str | Link:
        """A link to a game of the two; empty if none has a page."""
        game = self._of_pairs.get((min(bot, rival), max(bot, rival)))
        return self.link(game, f"{game.log} {game.game_index + 1}") if game else ""

    def fault(self, bot: str) -> str | Link:
        """Where the bot failed first: a link, if the game has a page."""
        details = self._content.tables.fault_details[bot]
        game = GameKey(details.log, details.game_index)
        return self.link(game, details.first, f"&ply={details.ply}") if game in self.entries else details.first

    def link(self, game: GameKey, text: str, place: str = "") -> Link:
        """A link to the page of a game."""
        return Link(text, f"{FOLDER}/{quote(_file_name(game))}#game={game.game_index + 1}{place}")

    def pages(self) -> Iterator[GamePage]:
        """The pages. Raises LogError for a game that can't be shown at all."""
        games = list(self.entries)
        for place, game in enumerate(games):
            writer, log = PageWriter(None), self._content.logs[game.log]
            try:
                writer.add(self.entries[game].record(), game.game_index + 1)
            except FaError as error:
                raise LogError(f"{log}: game {game.game_index + 1}: {error}") from None
            links = [(_REPORT, "Report")]
            for at, text in ((place - 1, "Previous game"), (place + 1, "Next game")):
                if 0 <= at < len(games):
                    links.append((quote(_file_name(games[at])), text))
            page = replay_page(game.log, writer, links=links, reason="; ".join(self.reasons[game])).encode()
            yield GamePage(_file_name(game), page, log, writer.games[0].problem)


def _reason(why: Why, found: Highlight, is_first: bool = False) -> str:
    """Why the game is worth watching, in words; `is_first`: no other game is more so."""
    if why is Why.CLOSEST:
        by = counted(-int(found.value), "point") if found.value else "the tie-break"
        return f"{'closest' if is_first else 'close'}: {found.bot} wins by {by}"
    if why is Why.UPSET:
        return f"{'greatest ' if is_first else ''}upset: {found.bot} beats a bot {found.value:.1f} stronger"
    return f"{'longest' if is_first else 'long'}: {counted(int(found.value), 'decision')}"


def _file_name(game: GameKey) -> str:
    return f"{game.log}-{game.game_index + 1}.html"
