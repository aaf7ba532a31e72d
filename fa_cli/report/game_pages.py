"""The games that a report links to, and their pages beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from ..errors import FaError, LogError
from ..leaderboard.overview.all_tables import GameKey
from ..replay.log_entry import LogEntry
from ..replay.log_file import read_log
from ..viewer.replay_data import PageWriter
from ..viewer.replay_page import replay_page
from ..viewer.report_page import Link
from .content import Content

FOLDER = "games"
"""Beside the report."""


class GamePage(NamedTuple):
    """The page of one game."""

    name: str
    content: bytes
    log: Path
    problem: str
    """The first difference to the rules, in a sentence, if the game does not verify; else empty."""


class GamePages:
    """Chooses games to watch: the first fault of each bot, then the first meeting of pairs in order of their ranks."""

    def __init__(self, content: Content, most: int) -> None:
        """`most`: the largest number of games."""
        self._content = content
        self._games = list(dict.fromkeys(self._wanted()))[:most]

    def __len__(self) -> int:
        return len(self._games)

    def _wanted(self) -> Iterator[GameKey]:
        """All games worth a page, the most interesting ones first."""
        tables = self._content.tables
        yield from (GameKey(details.log, details.game_index) for details in tables.fault_details.values())
        yield from (self._first_meeting(row.bot, row.rival) for row in self._content.pairs)

    def _first_meeting(self, bot: str, rival: str) -> GameKey:
        return self._content.tables.meetings[min(bot, rival), max(bot, rival)]

    def meeting(self, bot: str, rival: str) -> str | Link:
        """A link to the first meeting of the two; empty if it has no page."""
        game = self._first_meeting(bot, rival)
        return self._link(game, f"{game.log} {game.game_index + 1}") if game in self._games else ""

    def fault(self, bot: str) -> str | Link:
        """Where the bot failed first: a link, if the game has a page."""
        details = self._content.tables.fault_details[bot]
        game = GameKey(details.log, details.game_index)
        return self._link(game, details.first, f"&ply={details.ply}") if game in self._games else details.first

    def _link(self, game: GameKey, text: str, place: str = "") -> Link:
        return Link(text, f"{FOLDER}/{quote(_file_name(game))}#game={game.game_index + 1}{place}")

    def pages(self) -> Iterator[GamePage]:
        """The pages, by log. Raises LogError for a game that can't be shown at all."""
        for game, entry in self._entries():
            writer, log = PageWriter(None), self._content.logs[game.log]
            try:
                writer.add(entry.record(), game.game_index + 1)
            except FaError as error:
                raise LogError(f"{log}: game {game.game_index + 1}: {error}") from None
            page = replay_page(game.log, writer).encode()
            yield GamePage(_file_name(game), page, log, writer.games[0].problem)

    def _entries(self) -> Iterator[tuple[GameKey, LogEntry]]:
        """The chosen games as the logs have them, each log read once and no further than needed."""
        for name in dict.fromkeys(game.log for game in self._games):
            wanted = {game.game_index for game in self._games if game.log == name}
            for entry in read_log(self._content.logs[name]):
                if entry.index in wanted:
                    wanted.remove(entry.index)
                    yield GameKey(name, entry.index), entry
                if not wanted:
                    break


def _file_name(game: GameKey) -> str:
    return f"{game.log}-{game.game_index + 1}.html"
