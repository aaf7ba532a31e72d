"""A game with a person in one seat, from where it stands to its end, or to where the person leaves."""

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
from ..match.referee import play
from ..match.scripted import Scripted, scripts_of
from ..match.single_game import anonymity_meta
from ..replay.record import Record
from .news_feed import NewsFeed
from .person import Left, Person
from .rollout_bot import RolloutBot
from .terminal import Terminal
from .unfinished import Unfinished, save


def play_on(
    game: Unfinished, path: Path, bots: Sequence[Bot | None], limits: Limits, terminal: Terminal
) -> tuple[Record, bytes]:
    """Play it to its end; returns the record and its packed actions.

    `bots`: by seat; None is the person, or the house. The game is kept at `path`, as far as it came, before each of the
    person's decisions, and when the person leaves. Raises Left then.
    """
    rules, state = game.deal()
    meta = {"fault_details": game.fault_details}
    scripts = scripts_of(rules, state, game.actions, game.faults, meta)
    names = [seat.name for seat in game.seats]
    watch = NewsFeed(rules, names, game.seat, len(game.actions), lambda text: terminal.tell(text, "  "))

    def keep() -> None:
        if len(watch.actions) >= len(game.actions):
            game.actions, game.faults, game.fault_details = watch.actions[:], watch.faults, watch.details
            save(path, game)

    person = Person(rules, names, game.seat, watch, terminal, keep)
    seated: list[Player] = [
        person if seat == game.seat else BotSession(bot, limits) if bot else RolloutBot(rules)
        for seat, bot in enumerate(bots)
    ]
    players = [Scripted(player, script) for player, script in zip(seated, scripts, strict=True)]
    with ExitStack() as stack:
        for player in players:
            stack.callback(player.close)
        try:
            with _hanging_up_leaves():
                played = play(
                    rules,
                    rules.make_options(game.options),
                    players,
                    names,
                    bytes.fromhex(game.seed),
                    game.clock,
                    meta={"started": game.started, "person": game.seat, **anonymity_meta(game.anonymous)},
                    anonymous=game.anonymous,
                    keep_times=True,
                    observer=watch,
                )
        except (Left, KeyboardInterrupt, EOFError):
            keep()
            raise Left from None
    with suppress(KeyboardInterrupt, EOFError):  # at a pause; the game is over all the same
        person.show_end()
    return played


_WAKE = 0.2  # seconds


@contextmanager
def _hanging_up_leaves() -> Iterator[None]:
    """A terminal that is closed, and a polite end from outside, leave the table as the person would."""

    def leave(number: int, frame: FrameType | None) -> None:
        raise Left

    def wake(number: int, frame: FrameType | None) -> None:
        """A signal that came just before readline began to wait is else not seen before the next key."""

    handlers = {signal.SIGHUP: leave, signal.SIGTERM: leave, signal.SIGALRM: wake}
    before = [(number, signal.signal(number, handler)) for number, handler in handlers.items()]
    signal.setitimer(signal.ITIMER_REAL, _WAKE, _WAKE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before:
            signal.signal(number, handler)
