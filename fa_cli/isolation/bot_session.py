"""A session with one bot: `hello`, then `start`, `decide` and `end` for each game, finally `quit`.

Nothing that a bot does raises an exception. A fault is a `Failure`; the bot's process is then stopped at once and
restarted for its next game, so no late or extra line can be taken for a later answer.
"""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

import msgspec

from .. import mypyc_attr
from ..errors import StartRefused, SupervisorLost
from ..game_result import Failure, FaultKind, Loss, Refused
from ..models.model import ModelRun
from ..printing.text import listed
from ..protocol import decision_lines
from ..protocol.answers import read_answer, read_ready
from ..protocol.messages import Clock, End, Hello, Json, Quit, Ready, Start
from .bot_process import BotProcess
from .discovery import Bot
from .limits import DEFAULT_LIMITS, Limits
from .stderr_tail import StderrFile
from .transport.base import Transport
from .transport.remote import NOT_CONNECTED, RemoteTransport, is_remote

if TYPE_CHECKING:
    from ..models.exchanges import SeatTotals
    from ..models.gateway import Gateway

# Final: compiled code looks up other names of a module in a dict, each time
_decide_line: Final = decision_lines.decide_line
_encode: Final = msgspec.json.Encoder().encode
_HELLO = _encode(Hello()) + b"\n"
_QUIT = _encode(Quit()) + b"\n"
_OUR_SHORTAGE = (errno.EMFILE, errno.ENFILE, errno.ETOOMANYREFS)
_LACKS = (errno.EAGAIN, errno.ENOMEM, errno.ENOSPC)


@mypyc_attr(allow_interpreted_subclasses=True)
class BotSession:
    """A bot in one seat at a time, for any number of games, in a process that starts when it is needed.

    `close` must be called. `stderr_path`: a file to which the bot's stderr is appended, see `StderrFile`. `models`:
    what bots with a model share. `decide` raises ProviderAway if the bot's model gives no answer.
    """

    def __init__(
        self,
        bot: Bot,
        limits: Limits = DEFAULT_LIMITS,
        stderr_path: Path | None = None,
        models: ModelRun | None = None,
    ) -> None:
        self.bot = bot
        self.limits = limits
        self.game = 0
        """The index of the next game in its log, by which exchanges with a model are kept."""
        self._models = models or ModelRun()
        self._gateway: Gateway | None = None
        self.make_transport: Callable[..., Transport] = RemoteTransport if is_remote(bot.path) else BotProcess
        """Starts the bot's program."""
        self.excuses_refusal = False
        """Whether `start` raises StartRefused if the bot was refused memory, processes, files or disk."""
        self._stderr_file: BinaryIO | None = StderrFile(stderr_path) if stderr_path else None
        self.ready = Ready("ready")
        """What the bot said of itself."""
        self.wants_legal = self.wants_observation = self.wants_events = True
        self.asked = 0
        """Decisions that the bot was asked for in this game."""
        self.spent = 0.0
        """Seconds that these decisions took."""
        self._process: Transport | None = None
        self._stderr_tail = ""
        self._network: float | None = None
        self.on_wait: Callable[[int, float], None] = lambda seat, seconds: None
        """Called before each wait for the bot with its seat (-1 outside games) and the longest wait in seconds."""
        self.on_restart: Callable[[str], None] = lambda detail: None
        """Called with what happened before a process that failed at a later `start` is replaced."""
        self._seat = -1
        self._playing = False
        self._id = 0
        self._clock = Clock()
        self._clock_json = b""
        self._move = 0.0
        self._bank = 0.0
        self._drawn = 0.0  # from the bank since the last refund: the most that can be given back

    @property
    def stderr_tail(self) -> str:
        """The end of what the bot's process wrote to stderr, also after the process has ended."""
        return self._process.stderr_tail if self._process else self._stderr_tail

    @property
    def stderr_problem(self) -> str:
        """Why the file of the bot's stderr is incomplete; "" if it is not."""
        file = self._stderr_file
        return file.problem if isinstance(file, StderrFile) else ""

    @property
    def network(self) -> float | None:
        """Seconds of each decision that count as the network's; None for a program of this machine."""
        return self._process.network if self._process else self._network

    def greet(self) -> Failure | None:
        """Start the process if none runs, and read the bot's `ready`."""
        failure = self._open() if self._process is None else None
        return self.fail(failure) if failure else None

    def start(self, message: Start) -> Failure | None:
        """Begin a game, with the process of the last game if it still runs and is idle, else with a new one."""
        if self._process and (self._playing or not self._process.is_idle()):
            self.stop()
        self._seat = message.seat
        self.on_wait(message.seat, 4 * self.limits.start)  # `hello` and `start`, each perhaps twice
        self.asked = 0
        self.spent = 0.0
        reused = self._process is not None
        line = _encode(message) + b"\n"
        failure = self._begin(line, message.game)
        if failure and failure.kind not in (FaultKind.TIMEOUT, FaultKind.RESOURCE) and reused:
            self.on_restart(failure.detail)
            self.stop()  # an exit or a line after its last game is no fault in this one, and may be seen only now
            failure = self._begin(line, message.game)
        if failure:
            return self.fail(msgspec.structs.replace(failure, kind=FaultKind.START))
        self._playing = True
        assert self._process
        self._process.begin_game()
        if self._gateway is not None:
            self._gateway.begin_game(self.game, message.seat)
        self._clock = message.clock
        self._clock_json = _encode(message.clock)
        self._move = message.clock.move_ms / 1000
        self._bank = message.clock.bank_ms / 1000
        self._drawn = 0.0
        return None

    def decide(
        self,
        observation: Json = None,
        legal: Json = None,
        events: Json = None,
    ) -> str | Failure:
        """Ask for a decision. Returns the action that the bot names, legal or not; RuntimeError without a game."""
        process = self._process
        if process is None:
            raise RuntimeError("this bot has no game under way")
        self._id = number = self._id + 1
        line = _decide_line(number, self._clock_json, legal, events, observation)
        self.on_wait(self._seat, self._move + self._bank)
        gateway = self._gateway
        if gateway is not None:
            gateway.begin_decision(self.asked + 1, self._move + self._bank)
        answer = process.ask(line, self._move + self._bank)
        self._charge(process.spent, process.refund)
        if gateway is not None:
            late = isinstance(answer, Failure) and answer.kind is FaultKind.TIMEOUT
            if trouble := gateway.end_decision(late):
                self.stop()
                raise trouble
        action = read_answer(answer, number) if isinstance(answer, bytes) else answer
        return action if isinstance(action, str) else self.fail(action)

    def fail(self, failure: Failure) -> Failure:
        """Stop the bot after a failure, which is returned.

        Raises SupervisorLost for a `Loss`, and StartRefused (see `excuses_refusal`).
        """
        if self._process:
            self._process.fault = failure.detail
        self.stop()
        if isinstance(failure, Loss):
            lost = f"the process of fa that supervises {self.bot.name} was killed"
            raise SupervisorLost(f"{lost}, by a person or for want of memory; try again", self._seat)
        if isinstance(failure, Refused) and failure.kind is FaultKind.START and self.excuses_refusal:
            raise StartRefused(f"{self.bot.name} {failure.detail}", self._seat)
        return failure

    def end(self, message: End) -> None:
        """Send the result to the bot, unless it has failed in this game."""
        if self._process is None or not self._playing:
            return
        self.on_wait(self._seat, self.limits.end)
        self._playing = self._process.send(_encode(message) + b"\n", self.limits.end) is not None

    def stop(self) -> None:
        """Stop the process at once."""
        if self._process:
            self._process.stop()
            self._forget()

    def close(self) -> str | None:
        """Let the process exit. Returns how it exited; None if it had to be stopped."""
        exit_status = None
        self.on_wait(-1, self.limits.end)
        if self._process:
            if self._playing:
                self._process.stop()
            else:
                exit_status = self._process.quit(_QUIT, self.limits.end)
            self._forget()
        if self._gateway is not None:
            self._gateway.close()
            self._gateway = None
        if self._stderr_file:
            self._stderr_file.close()
            self._stderr_file = None
        return exit_status

    def model_totals(self) -> SeatTotals | None:
        """The exchanges with the bot's model in the last game, summed; None for a bot without one."""
        gateway = self._gateway
        return gateway.totals() if gateway is not None and gateway.game == self.game else None

    def _forget(self) -> None:
        assert self._process
        self._stderr_tail, self._network = self._process.stderr_tail, self._process.network
        self._process = None
        self._playing = False

    def _begin(self, line: bytes, game: str) -> Failure | None:
        if self._process is None:
            failure = self._open()
            if failure:
                return failure
        if self.ready.games and game not in self.ready.games:
            return Failure(FaultKind.START, f"plays {listed(self.ready.games)} and not {game}")
        answer = self._ask_ready(line, "start")
        return answer if isinstance(answer, Failure) else None

    def _open(self) -> Failure | None:
        """Start the process and exchange `hello` and `ready`."""
        try:
            bot, all_cores = self.bot, self.bot.threads > 1
            gateway = self._open_gateway()
            self._process = self.make_transport(
                *(bot.command, bot.folder, self._stderr_file, self.limits, bot.path, all_cores),
                *((gateway,) if gateway else ()),
            )
        except OSError as error:
            if error.errno in _OUR_SHORTAGE:  # not the bot's fault
                raise
            if error.errno == errno.ECHILD:
                return Loss(FaultKind.START, "lost its supervisor while it was started")
            if error.errno == errno.ENOTCONN:
                return Failure(FaultKind.START, NOT_CONNECTED)
            failure = Refused if error.errno in _LACKS else Failure
            return failure(FaultKind.START, f"could not be started: {error.strerror or error}")
        ready = self._ask_ready(_HELLO, "hello")
        if isinstance(ready, Failure):
            return ready
        self.ready = ready
        wants = ready.wants or ("legal", "observation", "events")
        self.wants_legal = "legal" in wants
        self.wants_observation = "observation" in wants
        self.wants_events = "events" in wants
        return None

    def _open_gateway(self) -> str:
        """The path of the socket to the bot's model; "" for a bot without one. Raises OSError."""
        if self.bot.model is None:
            return ""
        if self._gateway is None:
            from ..models.gateway import Gateway

            self._gateway = Gateway(self.bot.name, self.bot.model, self._models)
        return self._gateway.socket

    def _ask_ready(self, line: bytes, what: str) -> Ready | Failure:
        assert self._process
        answer = self._process.ask(line, self.limits.start)
        if isinstance(answer, Failure):
            return msgspec.structs.replace(answer, detail=f"{answer.detail} (asked: {what})")
        return read_ready(answer, what)

    def _charge(self, seconds: float, refund: float) -> None:
        self.asked += 1
        self.spent += seconds
        if seconds <= self._move and not refund:
            return
        over = max(0.0, seconds - self._move) - min(refund, self._drawn)
        if refund:
            self._drawn = 0.0
        if over:
            self._drawn += max(0.0, over)
            self._bank = max(0.0, self._bank - over)
            self._clock_json = _encode(Clock(self._clock.move_ms, int(self._bank * 1000)))
