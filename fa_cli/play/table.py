"""Plays a game with a person in one seat to its end, or until the person leaves."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import FrameType

from ..isolation.bot_session import BotSession
from ..isolation.discovery import Bot
from ..isolation.limits import Limits
from ..match.player import Player
from ..match.scripted import ResumedPlayer
from ..replay.record import Record
from .person import Left, NewsFeed, Person
from .rollout_bot import RolloutBot
from .screenfuls import Terminal
from .unfinished import Unfinished, save


def play_on(
    game: Unfinished, path: Path, bots: Sequence[Bot | None], limits: Limits, terminal: Terminal
) -> tuple[Record, bytes]:
    """Play the game to its end; returns the record and its packed actions.

    `bots`: by seat; None is the person or the built-in opponent. The game is saved at `path` before each of the
    person's decisions, and when the person leaves. Raises Left if the person leaves.
    """
    feed = NewsFeed(game, lambda text: terminal.write(text, "  "))

    def save_progress() -> None:
        if feed.bring(players):
            save(path, game)

    person = Person(feed, terminal, save_progress)
    seated: list[Player] = [
        person if seat == game.seat else BotSession(bot, limits) if bot else RolloutBot(feed.game)
        for seat, bot in enumerate(bots)
    ]
    players = [ResumedPlayer(player, script) for player, script in zip(seated, game.scripts(), strict=True)]
    with ExitStack() as stack:
        for player in players:
            stack.callback(player.close)
        try:
            with _signals_leave():
                result = game.play(players, feed, {"person": game.seat})
        except (Left, KeyboardInterrupt, EOFError):
            save_progress()
            raise Left from None
    with suppress(KeyboardInterrupt, EOFError):  # at a pause: the game is over anyway
        person.show_end()
    return result


_WAKE_SECONDS = 0.2


@contextmanager
def _signals_leave() -> Iterator[None]:
    """Treats SIGHUP (a closed terminal) and SIGTERM as the person leaving."""

    def leave(number: int, frame: FrameType | None) -> None:
        raise Left

    def wake(number: int, frame: FrameType | None) -> None:
        """Wakes readline, which would notice a signal that came just before it waited only at the next key."""

    handlers = {signal.SIGHUP: leave, signal.SIGTERM: leave, signal.SIGALRM: wake}
    previous = [(number, signal.signal(number, handler)) for number, handler in handlers.items()]
    signal.setitimer(signal.ITIMER_REAL, _WAKE_SECONDS, _WAKE_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in previous:
            signal.signal(number, handler)
