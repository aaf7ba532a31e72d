"""The tables of a server: what can be played, new tables, and those that were saved."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import cached_property, partial
from itertools import count
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import msgspec

from ..errors import BadPlayers, FaError, LogError, NotFound, UsageError, in_words
from ..games import GAMES, find_game
from ..games.game import Game
from ..games.option_words import named_values
from ..games.seed import Seed
from ..isolation.discovery import Bot, description_of, invalid_name, read_bot
from ..isolation.limits import Limits
from ..play.unfinished import Opponent, Unfinished, locked, same_opponents
from ..printing.terminal import print_line
from ..printing.text import listed, printable
from ..protocol.messages import Clock
from ..replay.log_file import entry_at
from ..replay.record import NAME_LENGTH, is_player_name, seat_names
from ..tournament.definition import utc_now
from .room import Room
from .saved_table import ENDING, SavedTable, load_table, new_token, number_of, save_table
from .table import Broken, News, Table

Bots = Sequence[Bot | None]
"""By seat, None for people."""
_Text = Annotated[str, msgspec.Meta(max_length=200)]
_MOST_FINISHED = 100
"""Finished tables of earlier servers that are listed."""


class SeatChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who sits in a seat: a person, or the bot of this name."""

    kind: Literal["person", "bot"]
    name: Annotated[str, msgspec.Meta(max_length=NAME_LENGTH)]


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The deal of a recorded game."""

    log: _Text
    """The name of a log in logs/."""
    game: Annotated[int, msgspec.Meta(ge=1, lt=1 << 31)]
    """The game's number in it, from 1."""


class NewTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table that somebody asks for."""

    game: _Text
    seats: Annotated[list[SeatChoice], msgspec.Meta(min_length=1, max_length=10)]
    options: dict[_Text, _Text] = {}
    seed: _Text = ""
    """The deal follows from it; empty: a new deal."""
    deal: Deal | None = None
    """Takes the place of game, options and seed."""
    move_ms: Annotated[int, msgspec.Meta(ge=100, le=600_000)] = 5000
    """The time of a bot for a decision."""
    pace_ms: Annotated[int, msgspec.Meta(ge=0, le=10_000)] = 700
    person_seconds: Annotated[int, msgspec.Meta(ge=10, le=86_400)] | None = None
    mine: Annotated[int, msgspec.Meta(ge=0, lt=10)] | None = None
    """The seat of who asks; None for one who only watches."""


class Opened(msgspec.Struct, frozen=True):
    """A new table, with the secrets of its links."""

    table: int
    tokens: dict[int, str]
    """By seat of a person."""
    spectators: str


class GameOffer(msgspec.Struct, frozen=True):
    """A game, its numbers of players, and by option its values, the default first."""

    name: str
    title: str
    players: Sequence[int]
    options: dict[str, list[str]]


class BotOffer(msgspec.Struct, frozen=True):
    """A bot, and how it plays."""

    name: str
    description: str


class TableRow(msgspec.Struct, frozen=True):
    """A table in the lobby."""

    table: int
    title: str
    players: list[str]
    state: str
    ply: int
    spectators: str
    """The secret of the link for spectators, for the owner; else empty."""
    tokens: dict[int, str] | None
    """By seat of a person, for the owner who has opened the table: the secrets of all links; else None."""
    mine: int | None
    """The seat of this owner."""


class Settings(NamedTuple):
    """What the command decides."""

    logs: Path
    """The folder of the logs."""
    bots: Mapping[str, str]
    """By name: the paths of the bots that tables may have."""
    stand_in: str
    """The name of the bot that plays for people who leave; empty if none does."""
    limits: Limits
    most_tables: int
    """The most tables whose games go on."""
    kind: str = "table"
    """The first word of the names of files: `table-1.log`."""
    make_room: Callable[[Table], Room] = Room
    """Makes the room of a new table."""


class Lobby:
    """All tables of a server. Its methods run in the event loop; what takes long, in threads."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._rooms: dict[int, Room] = {}
        self._finished: dict[int, TableRow | None] = {}
        """By number: tables that were finished before the server began, as far as they have been looked for."""
        self._opening = asyncio.Lock()

    def room(self, number: int) -> Room | None:
        """The room of a table that is open or was finished since the server began; None if there is none."""
        return self._rooms.get(number)

    def log(self, number: int) -> Path:
        """The log of a finished table."""
        return self._file(number, ".log")

    def games(self) -> list[GameOffer]:
        """The games to choose from."""
        return [GameOffer(game.name, game.title, game.players, _options_of(game)) for game in GAMES]

    def bots(self) -> list[str]:
        """The names of the bots to choose from."""
        return list(self._settings.bots)

    @cached_property
    def bot_offers(self) -> list[BotOffer]:
        """The bots to choose from, with how they play."""
        return [BotOffer(name, printable(description_of(Path(path)))) for name, path in self._settings.bots.items()]

    async def tables(self, is_owner: bool) -> list[TableRow]:
        """All tables, the newest first."""
        rows = await asyncio.to_thread(self._finished_before)
        for number, room in self._rooms.items():
            saved, state = room.table.saved, "over" if room.finish else "stopped" if room.stopped else "playing"
            spectators, names = saved.spectators if is_owner else "", list(map(printable, saved.game.names))
            own = (saved.tokens, saved.mine) if is_owner and saved.is_owners else (None, None)
            rows[number] = TableRow(number, room.table.game.title, names, state, room.ply, spectators, *own)
        return [rows[number] for number in sorted(rows, reverse=True)]

    def _finished_before(self) -> dict[int, TableRow]:
        """By number: the newest tables that are not open here and have a log; each log is read once."""
        found = map(number_of, self._settings.logs.glob(f"{self._settings.kind}-*.log"))
        numbers = sorted({number for number in found if number is not None} - self._rooms.keys())[-_MOST_FINISHED:]
        for number in set(numbers) - self._finished.keys():
            self._finished[number] = None
            with suppress(FaError, OSError):  # the replay says what is wrong
                entry = entry_at(self.log(number), 0)
                if entry and "people" in entry.meta:  # a tournament may have such a name
                    title, names = find_game(entry.game).title, list(map(printable, entry.players))
                    self._finished[number] = TableRow(number, title, names, "over", entry.decisions, "", None, None)
        return {number: row for number in numbers if (row := self._finished[number])}

    async def open(self, wanted: NewTable, is_owner: bool) -> Opened:
        """Open a table and begin its game. Raises FaError, whose sentence is fit for a page."""
        async with self._opening:
            if len(self._playing()) >= self._settings.most_tables:
                raise UsageError(f"no table is free, of {self._settings.most_tables}: finish a game first")
            if not is_owner and (wanted.deal or any(seat.kind == "bot" for seat in wanted.seats)):
                what = "choose the deal of a log" if wanted.deal else "seat bots"
                raise UsageError(f"only the owner of this server may {what}: open the link that `fa serve` printed")
            saved, bots = await asyncio.to_thread(self._new, wanted, is_owner)
            number, lock = self._claim(saved)
            with lock:
                await self._begin(number, saved, bots, lock)
            return Opened(number, saved.tokens, saved.spectators)

    def _new(self, wanted: NewTable, is_owner: bool) -> tuple[SavedTable, Bots]:
        """The table before its first decision, and its bots. Raises FaError."""
        game, options, seed = self._deal(wanted)
        game.check_players(len(wanted.seats))
        names = [_checked_name(seat) for seat in wanted.seats]
        paths = ["" if seat.kind == "person" else self._path(seat.name) for seat in wanted.seats]
        people = [seat for seat, path in enumerate(paths) if not path]
        stand_in = self._settings.bots.get(self._settings.stand_in, "") if is_owner and people else ""
        *bots, _ = self._read([*paths, stand_in])
        for bot in bots:
            if bot and not bot.plays(game.name):
                raise UsageError(f"{bot.name} plays {listed(bot.games)}, and not {game.name}")
        seats = [
            Opponent(name, path, bot.digest if bot else "")
            for name, path, bot in zip(seat_names(names), paths, bots, strict=True)
        ]
        unfinished = Unfinished(game.name, options, seed, people[0] if people else 0, seats, started=utc_now())
        unfinished.clock = Clock(wanted.move_ms)
        unfinished.sandbox = self._settings.limits.sandbox
        saved = SavedTable(
            unfinished,
            {seat: new_token() for seat in people},
            new_token(),
            wanted.pace_ms,
            wanted.person_seconds,
            stand_in,
            is_owners=is_owner,
            mine=wanted.mine,
            reveals_seed=not (wanted.deal or wanted.seed),
        )
        return saved, bots

    def _read(self, paths: Iterable[str]) -> Bots:
        """The bots at these paths, None for an empty one. Raises BotError."""
        sandboxed = self._settings.limits.sandbox
        return [read_bot(path, sandboxed=sandboxed) if path else None for path in paths]

    def _deal(self, wanted: NewTable) -> tuple[Game, dict[str, int | str], Seed]:
        """The game with its options and seed. Raises FaError."""
        if wanted.deal:
            return self._recorded_deal(wanted.deal, len(wanted.seats))
        game = find_game(wanted.game)
        options = msgspec.structs.asdict(game.make_options(wanted.options))
        return game, options, Seed.from_text(wanted.seed).of_game(0) if wanted.seed else Seed.from_system()

    def _recorded_deal(self, deal: Deal, seats: int) -> tuple[Game, dict[str, int | str], Seed]:
        path = self._settings.logs / f"{deal.log}.log"
        if path.parent != self._settings.logs or not path.is_file():
            raise UsageError(f"no log named {deal.log[:80]!r}")
        entry = entry_at(path, deal.game - 1)
        if not entry:
            raise UsageError(f"{deal.log} has no game {deal.game}")
        if len(entry.players) != seats:
            raise BadPlayers(f"game {deal.game} of {deal.log} has {len(entry.players)} players, not {seats}")
        return find_game(entry.game), dict(entry.options), Seed.from_hex(entry.seed)

    def _path(self, name: str) -> str:
        """The path of the bot with this name. Raises UsageError."""
        if name not in self._settings.bots:
            raise UsageError(f"no bot named {name[:80]!r}: choose one of {listed(self.bots())}")
        return self._settings.bots[name]

    def _claim(self, saved: SavedTable) -> tuple[int, ExitStack]:
        """Save a new table under the first free number; returns it with the lock that keeps others away."""
        self._settings.logs.mkdir(parents=True, exist_ok=True)
        taken = {number_of(path) for path in self._settings.logs.glob(f"{self._settings.kind}-*")}
        for number in count(1):
            path = self._file(number, ENDING)
            if number in taken or number in self._rooms:
                continue
            try:
                with ExitStack() as stack:
                    stack.enter_context(locked(path))
                    save_table(path, saved, replace=False)
                    return number, stack.pop_all()
            except (FileExistsError, LogError):
                continue
        raise AssertionError

    def _file(self, number: int, ending: str) -> Path:
        return self._settings.logs / f"{self._settings.kind}-{number}{ending}"

    async def restore(self) -> list[str]:
        """Play all saved tables on; returns a sentence for each that can't be."""
        problems = []
        for number in self.saved():
            try:
                await self.resume(number)
            except (FaError, OSError) as error:
                problems.append(in_words(error))
        return problems

    def saved(self) -> list[int]:
        """The numbers of the saved tables that are not open here."""
        found = map(number_of, self._settings.logs.glob(f"{self._settings.kind}-*{ENDING}"))
        return sorted(number for number in found if number is not None and number not in self._rooms)

    async def resume(self, number: int) -> None:
        """Play a table on, if it is not open already. Warns of bots that have changed. Raises FaError, OSError."""
        async with self._opening:
            if number in self._rooms:
                return
            path = self._file(number, ENDING)
            if not path.exists():
                raise NotFound(f"no unfinished table {number}")
            with ExitStack() as lock:
                lock.enter_context(locked(path))
                if self._file(number, ".log").exists():
                    raise LogError(f"{path}: its log exists already; remove one of them")
                saved = await asyncio.to_thread(load_table, path)
                sandboxed, warn = self._settings.limits.sandbox, partial(_warn, number)
                bots = await asyncio.to_thread(same_opponents, saved.game, sandboxed, warn)
                await self._begin(number, saved, bots, lock)

    async def _begin(self, number: int, saved: SavedTable, bots: Bots, lock: ExitStack) -> None:
        """Begin to play a table, or to play it on; the table keeps the lock to its end. Raises BotError."""
        loop = asyncio.get_running_loop()
        files = self._file(number, ENDING), self._file(number, ".log")

        def tell(news: News) -> None:
            if isinstance(news, Broken):
                _warn(number, news.why)
            loop.call_soon_threadsafe(room.hear, news)

        (stand_in,) = await asyncio.to_thread(self._read, [saved.stand_in])
        limits = self._settings.limits
        table = await asyncio.to_thread(Table, number, saved, files, bots, stand_in, limits, tell)
        room = self._rooms[number] = self._settings.make_room(table)
        table.begin(lock.pop_all())

    async def drop(self, number: int) -> None:
        """Stop a game and forget it. Raises NotFound."""
        room = self._rooms.get(number)
        if not room or room.finish:
            raise NotFound(f"no unfinished table {number}")
        await asyncio.to_thread(room.table.close)
        self._file(number, ENDING).unlink(missing_ok=True)
        self._rooms.pop(number, None)
        room.stop("The owner of this server has closed the table.")

    async def close(self) -> int:
        """Stop all games; returns how many are saved."""
        playing = self._playing()
        await asyncio.gather(*(asyncio.to_thread(room.table.close) for room in playing))
        return len(playing)

    def _playing(self) -> list[Room]:
        """The tables whose games go on."""
        return [room for room in self._rooms.values() if room.goes_on]


def _warn(number: int, sentence: str) -> None:
    """Say something about a table in the terminal."""
    print_line(f"table {number}: {sentence}", sys.stderr, flush=True)


def _checked_name(seat: SeatChoice) -> str:
    if not is_player_name(seat.name) or "#" in seat.name:
        raise UsageError(invalid_name(seat.name, NAME_LENGTH))
    return seat.name


def _options_of(game: Game) -> dict[str, list[str]]:
    """By option with named values: these, the default first."""
    found = {}
    for field in msgspec.structs.fields(game.options):
        values = named_values(game.options, field.name)
        if values:
            found[field.name] = sorted(values, key=lambda value: value != str(field.default))
    return found
