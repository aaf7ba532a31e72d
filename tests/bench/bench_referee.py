"""How fast the referee is: whole games between instant bots, against bare lines to and fro through pairs of pipes.

A tournament with two workers, as it runs for everybody, is held against two pairs, each pinned to a core, as a worker
and its bots are; what a single game costs against one pair. Both are measured in turns. By the clock is what people
wait for, and right on an idle machine alone. There it is the same by processor time, since a referee and its bots take
turns; and others on the machine change that less. Needs a C compiler.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from msgspec.structs import asdict

from fa_cli.errors import BotCannotRun
from fa_cli.games import GAMES
from fa_cli.games.game import Game
from fa_cli.games.seed import Seed
from fa_cli.isolation.bot_session import BotSession
from fa_cli.isolation.discovery import Bot, read_bot
from fa_cli.match.referee import play
from fa_cli.protocol.messages import Clock
from fa_cli.replay.record import Record
from fa_cli.tournament.definition import Definition, Setting, TournamentPaths
from fa_cli.tournament.options import Duplicate
from fa_cli.tournament.running.run import Run

from .figures import Figure
from .ping_pong import Rate, cores, counting, keep_to, ping_pong_rate, rate_of_two_pairs

HERE = Path(__file__).parent
PLAYERS = 4
SKIPPED = 4
"""Games of a tournament in which bots start, and those in Python come to import what makes them faster."""
WARM = 500
"""Decisions of each bot that are enough for that."""
TWO_PAIRS = "bare lines to and fro, two pairs, each on a core"
ONE_PAIR = "bare lines to and fro on one core"
LEGAL_GOAL = 0.2
ALL_GOAL = 24_000 / 350_000
"""Twice what cutechess-cli does with an instant bot, two games at once, where two such pairs do 350,000."""


class _Enough(Exception):
    """It was measured for long enough."""


class _Counter:
    """Counts decisions from when the first games are in the log, for so many seconds."""

    def __init__(self, seconds: float) -> None:
        self._skipped, self._seconds = SKIPPED, seconds
        self._asked = 0
        self._until = 0.0
        self._counting = counting(lambda: self._asked)
        self._found: list[Rate] = []

    def played(self, record: Record) -> None:
        """A game was written."""
        assert not record.faults, record.meta
        self._skipped -= 1
        if self._skipped > 0:
            return
        if self._skipped == 0:
            self._until = time.perf_counter() + self._seconds
            self._found = self._counting.__enter__()
            return
        self._asked += sum(record.meta["asked"])
        if time.perf_counter() > self._until:
            self._counting.__exit__(None, None, None)
            raise _Enough

    @property
    def rate(self) -> Rate:
        """Decisions asked; the processor time is that of one core of two."""
        by_clock, by_cpu = self._found[0]
        return Rate(by_clock, 2 * by_cpu)

    def begin(self, done: int) -> None: ...

    def expect(self, games: int) -> None: ...

    def tick(self) -> None: ...

    def stopping(self, running: int) -> None: ...
    def warn(self, text: str) -> None: ...


def tournament_rate(folder: Path, game: Game, bot: Bot, seconds: float) -> Rate:
    """Decisions asked of a tournament of four such bots on two workers, once its bots are at work."""
    bots = [read_bot(Path(bot.path), name, False) for name in "abcd"]
    definition = Definition(
        name="bench",
        seed=Seed(bytes(32)),
        started="2026-01-01T00:00:00Z",
        bots=bots,
        settings=[Setting(game.name, asdict(game.options()), PLAYERS, [0, 1, 2, 3])],
        games=100_000,
        clock=Clock(10_000),
        duplicate=Duplicate.OFF,
    )
    counter = _Counter(seconds)
    log = folder / "bench.log"
    log.unlink(missing_ok=True)
    with suppress(_Enough):
        Run(definition, TournamentPaths(folder / "bench.json", log), jobs=2, listener=counter, resume="").play()
    return counter.rate


def play_one(game: Game, sessions: list[BotSession], number: int) -> int:
    """Play a game; how many decisions were asked."""
    record, _ = play(game, game.options(), sessions, list("abcd"), Seed(bytes(32)).of_game(number), Clock(10_000))
    assert not record.faults, record.meta
    return sum(record.meta["asked"])


def warm_up(game: Game, sessions: list[BotSession]) -> None:
    """Start the bots, and play until those in Python have imported what makes them faster."""
    asked = 0
    while asked < WARM * PLAYERS:
        asked += play_one(game, sessions, 0)
    play_one(game, sessions, 0)


def play_rate(game: Game, sessions: list[BotSession], seconds: float) -> Rate:
    """Decisions asked of whole games."""
    asked = number = 0
    with counting(lambda: asked) as found:
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            asked += play_one(game, sessions, number)
            number += 1
    return found[0]


def start_ratio(bot: Bot, plain: Bot, rounds: int) -> tuple[float, float]:
    """Milliseconds until a bot has greeted, and their ratio to another's; the shortest of several each."""

    def seconds(one: Bot) -> float:
        session = BotSession(one)
        begin = time.perf_counter()
        assert session.greet() is None
        taken = time.perf_counter() - begin
        session.close()
        return taken

    seconds(bot)  # the supervisor server starts with the first
    taken = [(seconds(bot), seconds(plain)) for _ in range(rounds)]
    fastest = min(taken)[0]
    return 1000 * fastest, fastest / min(other for _, other in taken)


def compared(
    name: str, to: str, taken: list[tuple[Rate, Rate]], goal: float | None = None, by_clock: bool = True
) -> Iterator[Figure]:
    """Two figures from rates measured in turns with others: the median of the ratios."""
    for kind, how in enumerate(("by the clock", "by processor time")):
        if kind or by_clock:
            ratio = statistics.median(one[kind] / other[kind] for one, other in taken)
            yield Figure(f"{name}, {how}", max(one[kind] for one, _ in taken), "decisions/s", ratio, to, goal=goal)


def of_tournaments(instant: Bot, first: Bot, short: bool) -> Iterator[Figure]:
    """Two workers against two pairs."""
    kinds: list[tuple[str, Bot, float | None]] = [
        ("bots in C that want legal", instant, LEGAL_GOAL),
        ("bots in Python that are told all", first, ALL_GOAL),
    ]
    if not short:
        kinds.append(("bots in Python that read all", read_bot(HERE / "reads_all.py"), None))
    game, seconds = GAMES[0], 0.7 if short else 1.5
    with tempfile.TemporaryDirectory() as folder:
        for title, bot, goal in kinds:
            taken = []
            for _ in range(1 if short else 3):
                rate = tournament_rate(Path(folder), game, bot, seconds)
                taken.append((rate, rate_of_two_pairs(HERE / "instant", seconds / 2)))
            name = f"{game.name} on two workers, four {title}"
            yield from compared(name, TWO_PAIRS, taken, goal, by_clock=not short)
    bare = rate_of_two_pairs(HERE / "instant", 0.5)
    yield Figure(TWO_PAIRS, bare.by_clock, "lines/s", 1.0, "itself")


def of_single_games(instant: Bot, first: Bot, short: bool) -> Iterator[Figure]:
    """One game after another in this process, against one pair."""
    seconds = 0.2 if short else 0.4
    for game in GAMES:
        for title, bot in (("in C that want legal", instant), ("in Python that are told all", first)):
            sessions = [BotSession(bot) for _ in range(PLAYERS)]
            try:
                warm_up(game, sessions)
                taken = [(play_rate(game, sessions, seconds), ping_pong_rate(instant, seconds)) for _ in range(4)]
            finally:
                for session in sessions:
                    session.close()
            yield from compared(f"{game.name}, four bots {title}", ONE_PAIR, taken, by_clock=False)


def figures(short: bool) -> Iterator[Figure]:
    """Tournaments, then single games, then how long bots take to start."""
    try:
        instant = read_bot(HERE / "instant")
    except BotCannotRun as error:
        print(f"the referee can't be measured here: {error}", file=sys.stderr)
        return
    first = read_bot(HERE / "first.py")
    yield from of_tournaments(instant, first, short)
    keep_to(cores()[-1])
    yield from of_single_games(instant, first, short)
    milliseconds, ratio = start_ratio(first, instant, 5 if short else 9)
    yield Figure("start of a bot in Python", milliseconds, "ms", ratio, "start of one in C", True)
