"""The boards of everything that results can be told apart by: all leaderboards over the same games at once.

Parts that have had the same games share one board, until a game counts in some of them only.

What it remembers can be taken out bot by bot (`take_changes`) and put back in (`fill`), so that a fold goes on where it
stopped. What was put in is thawed only where a game changes it; for the rest the row that it makes is at hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

from ..results import By, FaultKind, PlayedGame
from ..stats.block_means import BlockSums
from ..stats.seat_values import Seats
from .freeze import Freezer, seal, unsealed
from .ratings import Rating
from .standings import Board, BotFaults, Standing, add_faults, ranked, side_by_side

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


class Frozen(NamedTuple):
    """Row and state of a bot's, packed: the same in all parts in which it has had the same games."""

    row: bytes
    state: bytes


FREEZER = Freezer(Standing, BlockSums, BotFaults, Counter, FaultKind)


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


class SharedBoard:
    """The board of parts that have had the same games: most have, where few games and variants are played."""

    __slots__ = ("_board", "_changed", "_frozen")

    def __init__(self, frozen: Mapping[str, Frozen] | None = None) -> None:
        self._board = Board()
        self._frozen = dict(frozen or {})  # by bot, as it was put in, until a game changes it
        self._changed: dict[str, None] = {}

    def to_change(self, bots: Iterable[str]) -> Board:
        """The board for a game of these bots, in which they stand as they were put in."""
        self._changed.update(dict.fromkeys(bots))
        for bot in bots if self._frozen else ():
            if bot in self._frozen:
                rating, self._board.bots[bot] = FREEZER.unpack(self._frozen.pop(bot).state)
                if rating is not None:
                    self._board.ratings[bot] = Rating(*rating)
        return self._board

    def holds(self, frozen: Mapping[str, Frozen]) -> bool:
        """Whether this is what was put in, and all there is."""
        return self._frozen == frozen and not self._board.bots

    def take_changes(self) -> Iterator[tuple[str, Frozen]]:
        """What games have changed since the last time."""
        changed, self._changed = self._changed, {}
        for bot in changed:
            rating = tuple(self._board.ratings[bot]) if bot in self._board.ratings else None
            state = FREEZER.pack((rating, self._board.bots[bot]))
            yield bot, Frozen(FREEZER.pack(self._board.row(bot)), state)

    def rows(self) -> list[dict[str, Any]]:
        """Still without ranks, in any order."""
        thawed = [FREEZER.unpack(frozen.row) for frozen in self._frozen.values()]
        return [self._board.row(bot) for bot in self._board.bots] + thawed


class Boards:
    """The boards of all parts, as far as the fold has come."""

    shown_as = Leaderboard

    def __init__(self) -> None:
        self._boards: dict[Part, SharedBoard] = {}
        self._settings: dict[Hashable, list[list[SharedBoard]]] = {}
        self._faults: dict[str, dict[str, BotFaults]] = {}
        self._counts: Counter[str] = Counter()
        self._seats = Seats()
        self._changed: dict[tuple[Part, str], None] = {}  # of what is kept beside the boards

    def fill(self, changes: Iterable[Change]) -> None:
        """Remember what was taken out; before the first game. Raises ValueError for what is not as it was."""
        boards: dict[Part, dict[str, Frozen]] = {}
        same: dict[Frozen, Frozen] = {}
        for change in changes:
            part, key = change.part, (*change.part, change.bot)
            if part.by == GAMES:
                self._counts[part.game] = FREEZER.thaw(change.state, *key)
            elif part.by == FAULTS:
                self._faults.setdefault(part.game, {})[change.bot] = FREEZER.thaw(change.state, *key)
            elif part.by == SEATS:
                self._seats.of[part.game, int(part.label), int(change.bot)] = FREEZER.thaw(change.state, *key)
            else:
                frozen = Frozen(unsealed(change.row, *key), unsealed(change.state, *key))
                boards.setdefault(part, {})[change.bot] = same.setdefault(frozen, frozen)
        for part, bots in boards.items():
            alike = (board for board in self._boards.values() if board.holds(bots))
            self._boards[part] = next(alike, None) or SharedBoard(bots)

    def add(self, result: PlayedGame) -> None:
        """Fold in one game; games in their logs' order."""
        names = result.bots
        self._add_to_boards(result)
        self._seats.add(result)
        worth = Part(result.game, SEATS, str(len(names)))
        self._changed.update(dict.fromkeys((worth, str(seat)) for seat in range(len(names))))
        self._count(result)
        for game in (EVERY_GAME, result.game) if result.faults else ():
            add_faults(self._faults.setdefault(game, {}), result)
            self._changed.update(dict.fromkeys((Part(game, FAULTS), names[fault.seat]) for fault in result.faults))

    def _add_to_boards(self, result: PlayedGame) -> None:
        bots = dict.fromkeys(result.bots)
        (boards,) = self._of_setting(result, lambda: [_parts_of(result)])
        for board in boards:
            board.to_change(bots).add(result)

    def _count(self, result: PlayedGame) -> None:
        for game in (EVERY_GAME, result.game):
            self._counts[game] += 1
            self._changed[Part(game, GAMES), ""] = None

    def _of_setting(self, result: PlayedGame, groups: Callable[[], list[list[Part]]]) -> list[list[SharedBoard]]:
        """The boards of groups of parts; all games of the result's setting count alike in all parts of a group."""
        setting = result.variant, result.side
        if setting not in self._settings:
            self._settings[setting] = [self._apart(group) for group in groups()]
        return self._settings[setting]

    def _apart(self, parts: Sequence[Part]) -> list[SharedBoard]:
        """The boards of these parts, from now on shared by no others; a new one for those that are new."""
        fresh = SharedBoard()
        for part in parts:
            self._boards.setdefault(part, fresh)
        others = {id(board) for part, board in self._boards.items() if part not in parts}
        own = {id(self._boards[part]): self._boards[part] for part in parts}
        for place, board in own.items():
            if place in others:
                own[place] = deepcopy(board)
                self._settings.clear()  # settings that count in both have a board more
        self._boards.update({part: own[id(self._boards[part])] for part in parts})
        return list(own.values())

    def take_changes(self) -> Iterator[Change]:
        """What games have changed since the last time."""
        sharing: dict[int, list[Part]] = {}
        for part, board in self._boards.items():
            sharing.setdefault(id(board), []).append(part)
        for parts in sharing.values():
            for bot, frozen in self._boards[parts[0]].take_changes():
                for part in parts:
                    yield Change(part, bot, *(seal(data, *part, bot) for data in frozen))
        changed, self._changed = self._changed, {}
        for part, bot in changed:
            if part.by == GAMES:
                yield Change(part, bot, b"", FREEZER.freeze(self._counts[part.game], *part, bot))
            elif part.by == FAULTS:
                yield Change(part, bot, b"", FREEZER.freeze(self._faults[part.game][bot], *part, bot))
            else:
                key = part.game, int(part.label), int(bot)
                row = FREEZER.freeze(self._seats.row(*key), *part, bot)
                yield Change(part, bot, row, FREEZER.freeze(self._seats.of[key], *part, bot))

    def show(self, by: By | None = None, game: str | None = None) -> Leaderboard:
        """The leaderboard over all games, or one game's."""
        which = game or EVERY_GAME
        return self.shown_as(self._rows_of, self._all_parts(), by, which, self._counts[which], self._faults.get(which))

    def _all_parts(self) -> Iterable[Part]:
        worth = [Part(game, SEATS, str(players)) for game, players, _ in self._seats.of]
        return dict.fromkeys([*self._boards, *worth])

    def _rows_of(self, part: Part) -> list[dict[str, Any]]:
        if part.by == SEATS:
            return [self._seats.row(*key) for key in self._seats.of if (key[0], str(key[1])) == (part.game, part.label)]
        return self._boards[part].rows() if part in self._boards else []


def _parts_of(result: PlayedGame) -> list[Part]:
    """The parts that a result counts in. Variants name their game, so they are the same over every game."""
    parts = [Part(EVERY_GAME), Part(result.game)]
    for by in By:
        games = {By.GAME: (), By.VARIANT: (result.game,)}.get(by, (EVERY_GAME, result.game))
        parts += [Part(game, by.value, result.label(by)) for game in games]
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
