"""From what a person asks for to a tournament that can begin: bots found and started once, settings, games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from ..errors import BotError, FaError, UsageError
from ..games import GAMES, find_game
from ..games.core import Game
from ..protocol.bots import Bot, find_bots, read_bot
from ..protocol.limits import Limits
from ..protocol.messages import Clock
from ..protocol.session import Session
from .config import Definition, Duplicate, Setting, describe_variant, make_settings, new_seed, now
from .fairness import Fairness, default_games, fairness, next_even

ALL_GAMES = "all"
_LAST_WORDS = 200


class Wishes(msgspec.Struct, frozen=True):
    """What a person may say of a new tournament; None where nothing was said."""

    bots: list[str]
    game: str = "fifth-avenue"
    """A game's name, or `all`."""
    options: dict[str, str] = {}
    players: int | None = None
    games: int | None = None
    seed: str | None = None
    clock: Clock = Clock()
    duplicate: Duplicate = Duplicate.ROTATIONS
    repeats: bool = False
    """Whether the same bot may sit at a table twice."""
    limits: Limits = Limits()
    times: bool = False
    """Whether the log keeps how long each decision took."""


def prepare(name: str, wishes: Wishes, tell: Callable[[str], None]) -> Definition:
    """The tournament; what a person should know of it is told in sentences on the way.

    Raises UsageError (and its kinds), BotError: what was asked for can't be.
    """
    games = find_games(wishes.game)
    bots, notes = find_bots(list(dict.fromkeys(wishes.bots)) if wishes.repeats else wishes.bots)
    for note in notes:
        tell(note)
    bots = greet_all(bots, wishes.limits)
    for bot in bots:
        if not any(bot.plays(game.name) for game in games):
            tell(f"{bot.name} plays {' and '.join(bot.games)} only; it is left out")
    bots = [bot for bot in bots if any(bot.plays(game.name) for game in games)]
    settings = make_settings(games, bots, options=wishes.options, players=wishes.players, repeats=wishes.repeats)
    if wishes.games is not None and wishes.games < 1:
        raise UsageError(f"a tournament has at least one game, not {wishes.games}")
    count = wishes.games or default_games(settings)
    tell(describe_fairness(settings, count))
    return Definition(
        name=name,
        seed=new_seed(wishes.seed),
        started=now(),
        bots=[msgspec.structs.replace(bot, path=str(Path(bot.path).absolute())) for bot in bots],
        settings=settings,
        games=count,
        clock=wishes.clock,
        duplicate=wishes.duplicate,
        limits=wishes.limits,
        times=wishes.times,
    )


def find_games(name: str) -> tuple[Game, ...]:
    """The game of that name, or all. Raises UnknownGame."""
    return GAMES if name == ALL_GAMES else (find_game(name),)


def greet_all(bots: Sequence[Bot], limits: Limits) -> list[Bot]:
    """Start each bot once; what it says of the games that it plays is taken over. Raises BotError."""
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(lambda bot: _greet(bot, limits), bots))


def _greet(bot: Bot, limits: Limits) -> Bot:
    session = Session(bot, limits)
    try:
        failure = session.greet()
        if failure:
            words = session.stderr_tail.strip()[-_LAST_WORDS:]
            said = f"; its last words: {words}" if words else ""
            raise BotError(f"{bot.path} does not start: it {failure.detail}{said}")
        games = session.ready.games
        return msgspec.structs.replace(bot, games=tuple(games)) if games else bot
    finally:
        session.close()


def describe_fairness(settings: Sequence[Setting], games: int) -> str:
    """One sentence on how even so many games are."""
    counts = fairness(settings, games)
    if counts is None:
        return f"{games} games; every bot plays and sits everywhere about equally often"
    parts = list(dict.fromkeys(_describe(one) for one in counts))
    text = f"{games} games; in each setting {parts[0]}" if len(parts) == 1 else f"{games} games; {'; '.join(parts)}"
    even = next_even(settings, games)
    if even == games:
        return text
    return f"{text}: not a whole number of fair cycles" + (f" ({even} games are)" if even else "")


def _describe(one: Fairness) -> str:
    text = f"each bot plays {_range(one.games)}, {_range(one.seats)} in each seat"
    return text if one.pairs == (0, 0) else f"{text}, each pair meets {_range(one.pairs)} times"


def _range(extremes: tuple[int, int]) -> str:
    low, high = extremes
    return str(low) if low == high else f"{low} to {high}"


def same_bots(definition: Definition) -> list[Bot]:
    """The definition's bots as they are now, to go on with, each started once.

    Raises BotError where one is gone, has changed or does not start.
    """
    bots = []
    for bot in definition.bots:
        try:
            now = read_bot(Path(bot.path), bot.name)
        except FaError as error:
            raise error.within(f"{definition.name} can't go on without {bot.name}") from None
        if now.digest != bot.digest:
            raise BotError(
                f"{bot.path} has changed since {definition.name} began; its games would not be those of one bot"
            )
        bots.append(now)
    greeted = greet_all(bots, definition.limits)
    return [msgspec.structs.replace(now, games=bot.games) for now, bot in zip(greeted, definition.bots, strict=True)]


def describe_settings(definition: Definition) -> list[str]:
    """Each setting in words."""
    return [describe_variant(one.game, one.options, one.players) for one in definition.settings]
