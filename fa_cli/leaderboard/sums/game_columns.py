"""Results of games as columns: a value for each game or each seat, packed into a blob."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec
import numpy
from numpy.typing import NDArray

from ...decoding import built
from ...game_result import SUSPENDED, Fault, FaultKind, PlayedGame
from ...stats.strength.pair_sums import Ints, runs, starts_of, summed
from ..parts import Setting
from ..played_games import LARGEST, SUSPENSION

Table = TypeVar("Table")
FAULTS = (*(kind.value for kind in FaultKind), SUSPENSION)
"""How a bot fails: the column of faults has 1 + the place in here, or 0."""
_GAMES = 3_000
"""The number of games that are summed at once."""
_TYPES = [numpy.dtype(name) for name in ("u1", "i1", "<u2", "<i2", "<u4", "<i4", "<i8")]
_RANGES = [(int(numpy.iinfo(kind).min), int(numpy.iinfo(kind).max), kind) for kind in _TYPES]


class FaultDetails(NamedTuple):
    """The details of a fault."""

    detail: str | None
    """What the bot did, beginning with a verb."""
    stderr: str | None
    """The end of what it wrote to stderr."""


class GameColumns(NamedTuple):
    """Games that follow each other in a log. Columns hold whole numbers of any width."""

    settings: list[Setting]
    bots: list[str]
    first: int
    """The index of the first game in its log."""
    details: dict[str, dict[int, FaultDetails]]
    """Of the first fault of each bot in each setting: by bot, then by the index of the game."""
    setting: Ints
    """Of each game, as a place in `settings`."""
    block: Ints
    stratum: Ints
    bot: Ints
    """Of each seat, game after game, as a place in `bots`."""
    rank: Ints
    points: Ints
    decisions: Ints
    time_us: Ints
    fault: Ints
    ply: Ints
    """The ply of the fault."""
    answers: Ints
    """Those of its language model, as `PlayedGame.models`; all 0 without one."""
    refused: Ints
    tokens: Ints
    cost: Ints
    game: Ints | None = None
    """The index of each game; None if none is left out."""

    @property
    def indices(self) -> Ints:
        """The index of each game in its log."""
        return self.first + numpy.arange(len(self.setting)) if self.game is None else self.game

    @property
    def seats(self) -> Ints:
        """The number of seats of each game."""
        return numpy.array([one.players for one in self.settings], dtype=numpy.int64)[self.setting]

    def until(self, game: int) -> GameColumns:
        """The games before this one; none is left out so far."""
        return self if game >= self.first + len(self.setting) else self._some(self.indices < game)

    def renamed(self, rename: Callable[[str], str]) -> GameColumns:
        """The same games of bots with other names; a stratum is that of its variant and its bots."""
        renamed = [rename(bot) for bot in self.bots]
        names = sorted(set(renamed))
        bot = renumbered(renamed, {name: place for place, name in enumerate(names)}, self.bot)
        stratum = numbers_of([setting.variant for setting in self.settings])[self.setting]
        stratum += summed([numbers_of(names)[bot]], self.starts)[0]
        details: dict[str, dict[int, FaultDetails]] = {}
        for name, by_game in self.details.items():
            details[rename(name)] = by_game | details.get(rename(name), {})
        return self._replace(bots=names, bot=bot, stratum=stratum, details=details)

    @property
    def starts(self) -> Ints:
        """The first seat of each game."""
        seats = self.seats
        return numpy.cumsum(seats) - seats

    def games(self, log: str, wanted: NDArray[numpy.bool_]) -> Iterator[PlayedGame]:
        """The games for which `wanted` is true, of the log of this name."""
        columns = [getattr(self, name).tolist() for name in _OF_SEATS]
        of_games = (self.indices, self.setting, self.block, self.stratum, self.starts)
        for index, number, block, stratum, start in zip(*(column[wanted].tolist() for column in of_games), strict=True):
            setting = self.settings[number]
            seats = slice(start, start + setting.players)
            bots, ranks, points, decisions, times, faults, plies, *models = (column[seats] for column in columns)
            yield PlayedGame(
                *(log, index, block, stratum),
                *(setting.game, setting.side, setting.variant),
                *([self.bots[bot] for bot in bots], ranks, points, decisions, times),
                faults=[_fault(seat, *both) for seat, both in enumerate(zip(faults, plies, strict=True)) if both[0]],
                suspended=[seat for seat, fault in enumerate(faults) if fault == len(FAULTS)],
                models=list(zip(*models, strict=True)) if any(models[0]) else (),
            )

    def rows(self, log: str, versions: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """The fields of a `ResultRow` for each game and seat; `versions` are those of the bots."""
        seats, faults = self.seats, (None, *FAULTS)
        of_games = (self.indices + 1, self.block, self.stratum, self.setting, self.starts)
        record, block, stratum, number, start = (numpy.repeat(column, seats) for column in of_games)
        settings = [self.settings[place] for place in number.tolist()]
        bots = self.bot.tolist()
        return zip(
            [log] * len(bots),
            record.tolist(),
            [deal if deal >= 0 else None for deal in block.tolist()],
            stratum.tolist(),
            [setting.game for setting in settings],
            [setting.variant for setting in settings],
            [setting.players for setting in settings],
            (numpy.arange(len(bots)) - start).tolist(),
            [self.bots[bot] for bot in bots],
            [versions[bot] for bot in bots],
            *(column.tolist() for column in (self.rank, self.points, self.decisions, self.time_us)),
            [faults[fault] for fault in self.fault.tolist()],
            strict=True,
        )

    def has(self, bots: Collection[str]) -> NDArray[numpy.bool_]:
        """Which games have one of these bots, if there are any."""
        if not bots or not len(self.setting):
            return numpy.ones(len(self.setting), dtype=bool)
        has_bot = numpy.array([bot in bots for bot in self.bots], dtype=bool)[self.bot]
        found: NDArray[numpy.bool_] = numpy.logical_or.reduceat(has_bot, self.starts)
        return found

    def faults(self) -> list[tuple[int, int, int, str, int]]:
        """The game, ply and seat of each fault, with its bot and its number in `FAULTS`, from 1; in this order."""
        seats = numpy.flatnonzero(self.fault)
        games = numpy.searchsorted(self.starts, seats, "right") - 1
        places = (self.indices[games], self.ply[seats], seats - self.starts[games], self.bot[seats], self.fault[seats])
        rows = zip(*(column.tolist() for column in places), strict=True)
        return sorted((game, ply, seat, self.bots[bot], fault) for game, ply, seat, bot, fault in rows)

    def select(self, counts: Callable[[Setting], bool]) -> GameColumns:
        """The games of some settings."""
        wanted = numpy.array([counts(setting) for setting in self.settings], dtype=bool)[self.setting]
        return self if wanted.all() else self._some(wanted)._replace(game=self.indices[wanted])

    def _some(self, wanted: NDArray[numpy.bool_]) -> GameColumns:
        of_seats = numpy.repeat(wanted, self.seats)
        columns = {name: getattr(self, name)[wanted] for name in _OF_GAMES}
        return self._replace(**columns, **{name: getattr(self, name)[of_seats] for name in _OF_SEATS})

    def tables(self) -> Iterator[Tables]:
        """The games of each setting, those of a block one after the other and together."""
        starts = self.starts
        for number, setting in enumerate(self.settings):
            games = numpy.flatnonzero(self.setting == number)
            games = games[numpy.lexsort((self.block[games], self.stratum[games]))]
            blocks = starts_of(runs(self.stratum[games], self.block[games]))
            for part in numpy.split(games, blocks[numpy.flatnonzero(numpy.diff(blocks // _GAMES)) + 1]):
                if len(part):
                    seats = starts[part][:, None] + numpy.arange(setting.players)
                    of_games = (getattr(self, name).take(part).astype(numpy.int64) for name in ("stratum", "block"))
                    of_seats = (getattr(self, name).take(seats).astype(numpy.int64) for name in Tables._fields[5:])
                    index = self.first + part if self.game is None else self.game[part]
                    yield Tables(number, part, index, *of_games, *of_seats)


class Tables(NamedTuple):
    """Whole blocks of games of one setting: a number for each game, or a row for each with a number for each seat."""

    setting: int
    place: Ints
    """The place among the games, of all settings."""
    game: Ints
    """The index in the log."""
    stratum: Ints
    block: Ints
    bot: Ints
    rank: Ints
    points: Ints
    decisions: Ints
    time_us: Ints
    fault: Ints
    answers: Ints
    refused: Ints
    tokens: Ints
    cost: Ints

    @property
    def run(self) -> Ints:
        """The block of each game, from 0."""
        return runs(self.stratum, self.block)


_OF_GAMES = ("setting", "block", "stratum")
_OF_MODELS = ("answers", "refused", "tokens", "cost")
_OF_SEATS = ("bot", "rank", "points", "decisions", "time_us", "fault", "ply", *_OF_MODELS)


def _fault(seat: int, kind: int, ply: int) -> Fault:
    return Fault(seat, ply, SUSPENDED.kind if kind == len(FAULTS) else FaultKind(FAULTS[kind - 1]))


def numbers_of(names: Sequence[str]) -> Ints:
    """A number for each text: the sum of those of a variant and of the bots at a table is a stratum of renamed bots."""
    digests = (hashlib.blake2b(name.encode("utf-8", "surrogateescape"), digest_size=7).digest() for name in names)
    return numpy.array([int.from_bytes(digest, "big") for digest in digests], dtype=numpy.int64)


def columns_of(games: Sequence[PlayedGame], first: int) -> GameColumns:
    """The columns of games of which the first has this index in its log. Raises ValueError if results are missing."""
    settings: dict[Setting, int] = {}
    bots: dict[str, int] = {}
    details: dict[str, dict[int, FaultDetails]] = {}
    detailed: set[tuple[str, Setting]] = set()
    of_games: list[list[int]] = [[] for _ in _OF_GAMES]
    of_seats: list[list[int]] = [[] for _ in _OF_SEATS]
    setting, block, stratum = of_games
    bot, rank, points, decisions, time_us, fault, ply, *of_models = of_seats
    for index, game in enumerate(games, first):
        seats = len(game.bots)
        if not seats == len(game.ranks) == len(game.points) == len(game.decisions) == len(game.time_us):
            raise ValueError("a game lacks results of its seats")
        key = Setting(game.game, game.side, game.variant, seats)
        setting.append(settings.setdefault(key, len(settings)))
        block.append(game.block)
        stratum.append(game.stratum)
        bot += [bots.setdefault(name, len(bots)) for name in game.bots]
        rank += game.ranks
        points += game.points
        decisions += game.decisions
        time_us += game.time_us
        fault += [0] * seats
        ply += [0] * seats
        for column, counts in zip(
            of_models, zip(*game.models, strict=True) if game.models else [[0] * seats] * 4, strict=True
        ):
            column += counts
        for each in reversed(game.faults):  # of each seat the first one counts
            number = FAULTS.index(SUSPENSION if each.seat in game.suspended else each.kind.value)
            fault[each.seat - seats], ply[each.seat - seats] = 1 + number, each.ply
        for each, texts in zip(game.faults, game.fault_details, strict=False):
            name = game.bots[each.seat]
            if (name, key) not in detailed:
                detailed.add((name, key))
                found = [str(texts[kind]) if kind in texts else None for kind in ("detail", "stderr")]
                details.setdefault(name, {})[index] = FaultDetails(*found)
    columns = [*map(_column, of_games), *map(_limited, of_seats)]
    return GameColumns(list(settings), list(bots), first, details, *columns)


def _limited(values: list[int]) -> Ints:
    if values and not -LARGEST < min(values) <= max(values) < LARGEST:
        values = [max(-LARGEST, min(LARGEST, value)) for value in values]
    return _column(values)


def _column(values: list[int]) -> Ints:
    return numpy.array(values, dtype=numpy.int64)


def joined(parts: Iterable[GameColumns]) -> GameColumns:
    """The games of several together, which follow each other. Beside them only one part is in memory at a time."""
    settings: dict[Setting, int] = {}
    bots: dict[str, int] = {}
    details: dict[str, dict[int, FaultDetails]] = {}
    columns: dict[str, NDArray[Any]] = {name: numpy.zeros(0, dtype="u1") for name in (*_OF_GAMES, *_OF_SEATS)}
    first, game = 0, None
    for part in parts:
        count = len(columns["setting"])
        first = first if count else part.first
        for name, by_game in part.details.items():
            details[name] = details.get(name, {}) | by_game
        if part.game is not None and game is None:
            game = first + numpy.arange(count)  # none is left out so far
        if game is not None:
            game = _appended(game, part.indices)
        setting, bot = renumbered(part.settings, settings, part.setting), renumbered(part.bots, bots, part.bot)
        for name, values in part._replace(setting=setting, bot=bot)._asdict().items():
            if name in columns:
                columns[name] = _appended(columns[name], values)
    return GameColumns(list(settings), list(bots), first, details, **columns, game=game)


def _appended(column: NDArray[Any], more: NDArray[Any]) -> NDArray[Any]:
    """The column with more values, in the same place in memory if they are of its type; zeros alone take no memory."""
    if (column.strides == (0,) or not len(column)) and not more.any():
        return numpy.broadcast_to(numpy.uint8(0), len(column) + len(more))
    column = numpy.array(column) if column.strides == (0,) else column
    column, count = column.astype(numpy.promote_types(column.dtype, more.dtype), copy=False), len(column)
    column.resize(count + len(more), refcheck=False)
    column[count:] = more
    return column


def renumbered(before: Sequence[Table], after: dict[Table, int], column: Ints) -> Ints:
    """A column of places in a list as places in one of all, to which what is new is added."""
    places = [after.setdefault(value, len(after)) for value in before]
    return numpy.array(places, dtype=_least_type(0, len(after)))[column] if places else column


def pack(table: object) -> bytes:
    """A NamedTuple of columns as bytes, in as little space as its numbers need."""
    return zlib.compress(msgspec.msgpack.encode(table, enc_hook=_packed_column), 1)


def unpack(packed: bytes, kind: type[Table], wide: bool = False) -> Table:
    """The table of this kind; `wide`: with columns to calculate with. Raises ValueError for other bytes."""
    hook = _wide_column if wide else _unpacked_column
    try:
        return msgspec.msgpack.decode(zlib.decompress(packed), type=built(kind), dec_hook=hook)
    except zlib.error as error:
        raise ValueError(str(error)) from None


def _packed_column(column: NDArray[Any]) -> tuple[str, bytes]:
    values = column
    if column.dtype.kind == "f":
        with numpy.errstate(invalid="ignore"):  # sums of what no game gives have no whole numbers
            values = column.astype(numpy.int64)
        if not numpy.array_equal(values, column):
            return column.dtype.str, column.tobytes()
    values = values.astype(_least_type(int(values.min(initial=0)), int(values.max(initial=0))))
    return values.dtype.str, values.tobytes()


def _least_type(least: int, most: int) -> numpy.dtype[Any]:
    return next(kind for first, last, kind in _RANGES if first <= least and most <= last)


def _unpacked_column(_: type, packed: tuple[str, bytes]) -> NDArray[Any]:
    return numpy.frombuffer(packed[1], packed[0])


def _wide_column(kind: type, packed: tuple[str, bytes]) -> NDArray[Any]:
    column = _unpacked_column(kind, packed)
    return column if column.dtype.kind == "f" else column.astype(numpy.int64)
