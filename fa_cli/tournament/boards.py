"""The boards of everything that results can be told apart by: all leaderboards over the same games at once.

What it remembers can be taken out bot by bot (`take_changes`) and put back in (`put`), so that a fold goes on where it
stopped. What was put in is thawed only where a game changes it; for the rest the row that it makes is at hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, NamedTuple

from ..ratings import Rating
from ..results import FaultKind
from .freeze import Freezer
from .names import bots_of
from .seats import Seat, Seats
from .standings import Board, BotFaults, By, Result, Standing, add_faults, block_of, label, ranked, side_by_side
from .stats import BlockMean

EVERY_GAME = ""
_ANY = ""
FAULTS = "faults"
GAMES = "games"
SEATS = "seats"
"""What each seat is worth: of one game, by the number of players; the seat's number stands in a bot's place."""


class Part(NamedTuple):
    """Which of all results: those of one game, or of all; and of them those with this label."""

    game: str
    by: str = _ANY
    """A value of `By`; nothing for all; or what is kept beside the boards."""
    label: str = ""


class Change(NamedTuple):
    """What is remembered of one bot in one part, and the row that this makes."""

    part: Part
    bot: str
    row: bytes
    state: bytes


FREEZER = Freezer(Standing, BlockMean, BotFaults, Counter, FaultKind, Seat)


class Leaderboard:
    """What is shown of a ladder, of all games or one: the overall board, and its parts if results are told apart."""

    def __init__(
        self,
        rows_of: Callable[[Part], list[dict[str, Any]]],
        parts: Iterable[Part],
        by: By | None,
        game: str,
        games: int,
        faults: dict[str, BotFaults] | None,
    ) -> None:
        parts = list(parts)
        labels = {label: part for part in parts if (label := self.label(part, by, game)) is not None}
        self.games = games
        self.faults = faults or {}
        self._overall = ranked(rows_of(Part(game)))
        self._parts = {label: ranked(rows_of(labels[label])) for label in sorted(labels)}
        worth = [row for part in parts if part.by == SEATS and game in (EVERY_GAME, part.game) for row in rows_of(part)]
        self.seats = sorted(worth, key=lambda row: (row["game"], row["players"], row["seat"]))
        """As the rows of `Seats`."""

    def label(self, part: Part, by: By | None, game: str) -> str | None:
        """How this part is headed; None if it is not shown."""
        return label_of(part, by, game)

    def rows(self) -> list[dict[str, Any]]:
        """As those of `Standings`."""
        return side_by_side(list(map(dict, self._overall)), self._parts)

    def parts(self) -> list[str]:
        """The names of the parts, in order."""
        return list(self._parts)


class Boards:
    """The boards of all parts, as far as the fold has come."""

    shown_as = Leaderboard

    def __init__(self) -> None:
        self._boards: dict[Part, Board] = {}
        self._parts: dict[Hashable, list[Part]] = {}
        self._faults: dict[str, dict[str, BotFaults]] = {}
        self._counts: Counter[str] = Counter()
        self._seats = Seats()
        self._frozen: dict[Part, dict[str, Change]] = {}
        self._changed: dict[tuple[Part, str], None] = {}

    def put(self, change: Change) -> None:
        """Remember what was taken out; before the first game."""
        if change.part.by == GAMES:
            self._counts[change.part.game] = FREEZER.thaw(change.state, *change.part, change.bot)
        elif change.part.by == FAULTS:
            self._faults.setdefault(change.part.game, {})[change.bot] = FREEZER.thaw(
                change.state, *change.part, change.bot
            )
        elif change.part.by == SEATS:
            seat = FREEZER.thaw(change.state, *change.part, change.bot)
            self._seats.of[change.part.game, int(change.part.label), int(change.bot)] = seat
        else:
            self._frozen.setdefault(change.part, {})[change.bot] = change

    def add(self, result: Result, log: str, index: int) -> None:
        """Fold in game `index` of this log; games in their logs' order."""
        block = block_of(result, log, index)
        bots = dict.fromkeys(bots_of(result.players))
        setting = result.game, tuple(result.options.items()), len(result.players)
        parts = self._parts.get(setting) or self._parts.setdefault(setting, _parts_of(result))
        for part in parts:
            self._board(part, bots).add(result, block)
            for bot in bots:
                self._changed[part, bot] = None
        self._seats.add(result, log, index)
        worth = Part(result.game, SEATS, str(len(result.players)))
        self._changed.update(dict.fromkeys((worth, str(seat)) for seat in range(len(result.players))))
        for game in (EVERY_GAME, result.game):
            self._counts[game] += 1
            self._changed[Part(game, GAMES), ""] = None
            if result.faults:
                add_faults(self._faults.setdefault(game, {}), result, log, index)
                for fault in result.faults:
                    self._changed[Part(game, FAULTS), bots_of(result.players)[fault.seat]] = None

    def _board(self, part: Part, bots: dict[str, None]) -> Board:
        """The board of this part, in which these bots stand as they were put in."""
        board = self._boards.get(part)
        if board is None:
            board = self._boards[part] = Board()
        frozen = self._frozen.get(part)
        if frozen:
            for bot in bots:
                if bot in frozen:
                    rating, board.bots[bot] = FREEZER.thaw(frozen.pop(bot).state, *part, bot)
                    if rating is not None:
                        board.ratings[bot] = Rating(*rating)
        return board

    def take_changes(self) -> Iterator[Change]:
        """What games have changed since the last time."""
        changed, self._changed = self._changed, {}
        for part, bot in changed:
            if part.by == GAMES:
                yield Change(part, bot, b"", FREEZER.freeze(self._counts[part.game], *part, bot))
            elif part.by == FAULTS:
                yield Change(part, bot, b"", FREEZER.freeze(self._faults[part.game][bot], *part, bot))
            elif part.by == SEATS:
                key = part.game, int(part.label), int(bot)
                row = FREEZER.freeze(self._seats.row(*key), *part, bot)
                yield Change(part, bot, row, FREEZER.freeze(self._seats.of[key], *part, bot))
            else:
                board = self._boards[part]
                rating = tuple(board.ratings[bot]) if bot in board.ratings else None
                state = FREEZER.freeze((rating, board.bots[bot]), *part, bot)
                yield Change(part, bot, FREEZER.freeze(board.row(bot), *part, bot), state)

    def show(self, by: By | None = None, game: str | None = None) -> Leaderboard:
        """The leaderboard over all games, or one game's."""
        which = game or EVERY_GAME
        return self.shown_as(self._rows_of, self._all_parts(), by, which, self._counts[which], self._faults.get(which))

    def _all_parts(self) -> Iterable[Part]:
        worth = [Part(game, SEATS, str(players)) for game, players, _ in self._seats.of]
        return dict.fromkeys([*self._boards, *self._frozen, *worth])

    def _rows_of(self, part: Part) -> list[dict[str, Any]]:
        if part.by == SEATS:
            return [self._seats.row(*key) for key in self._seats.of if (key[0], str(key[1])) == (part.game, part.label)]
        board = self._boards.get(part)
        rows = [board.row(bot) for bot in board.bots] if board else []
        return rows + [FREEZER.thaw(change.row, *part, change.bot) for change in self._frozen.get(part, {}).values()]


def _parts_of(result: Result) -> list[Part]:
    """The parts that a result counts in. Variants name their game, so they are the same over every game."""
    parts = [Part(EVERY_GAME), Part(result.game)]
    for by in By:
        games = {By.GAME: (), By.VARIANT: (result.game,)}.get(by, (EVERY_GAME, result.game))
        parts += [Part(game, by.value, label(result, by)) for game in games]
    return parts


def label_of(part: Part, by: By | None, game: str) -> str | None:
    """How this part is headed when results of `game` are told apart by `by`; None if it is not among them."""
    if by is None or (game != EVERY_GAME and part.game != game):
        return None
    if by is By.GAME:
        return part.game if not part.by and part.game != EVERY_GAME else None
    if part.by != by.value or (by is not By.VARIANT and part.game != game):
        return None
    return part.label
