"""One game between bots: ask whose turn it is, check, apply; what goes wrong is a fault, and the game goes on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec
from msgspec import UNSET

from ..errors import BadPlayers
from ..games.contract import ACTION, State
from ..games.game import Game
from ..games.seed import Seed
from ..protocol.messages import Clock, End, Start
from ..replay.action_coding import ActionPacker
from ..replay.record import Record, make_record
from ..results import Failure, Fault, FaultKind, GameResult, rank_seats
from .player import Player

STDERR_KEPT = 1000
"""How much of a bot's stderr a record keeps of a fault, in characters: the last."""


class GameObserver(Protocol):
    """Somebody who watches a game as it is played, and sees everything."""

    def dealt(self, state: State) -> None:
        """The cards are dealt. The state is the real one, not to be changed; what happens is in its journal."""

    def played(self) -> None:
        """An action was applied; the journal has it, and what followed from it."""

    def failed(self, fault: Fault, detail: str, stderr: str) -> None:
        """A seat's bot has lost its part in the game; `detail` is a sentence that begins with a verb."""


def play(
    game: Game,
    options: msgspec.Struct,
    players: Sequence[Player],
    names: Sequence[str],
    seed: Seed,
    clock: Clock,
    *,
    meta: Mapping[str, Any] | None = None,
    reveal_seed: bool = True,
    keep_times: bool = True,
    absent: Mapping[int, Failure] = {},  # it can't be changed
    anonymous: bool = False,
    observer: GameObserver | None = None,
) -> tuple[Record, bytes]:
    """Play one game; returns its record and its packed actions. A player per seat, none twice.

    The record's `meta` is the one given and: `fault_details` if there are faults (seat, ply, kind, a sentence); with
    `keep_times` also `asked` (decisions put to the bot) and `time_us` (microseconds that they took) per seat,
    `times_us` per decision, 0 for those that were not asked, and in the details the end of the bot's stderr.
    `reveal_seed` false keeps the seed from the bots, for a deal that is played again; `anonymous` keeps the names from
    them, not from the record. The bots of the seats `absent` are not started, which is the fault that is given.
    `observer` is told of all that happens. Raises BadPlayers, and what the observer raises or a session without a
    process; what a bot does never raises.
    """
    if not len(players) == len(names) == len(set(map(id, players))):
        raise BadPlayers(f"{len(set(map(id, players)))} bots for {len(names)} seats")
    match = _Match(game, game.start(options, len(names), seed), players, keep_times, observer)
    if observer is not None:
        observer.dealt(match.state)
    told = [f"seat-{seat}" for seat in range(len(names))] if anonymous else list(names)
    board = game.board(options)
    for seat in range(len(names)):
        if seat in absent:
            match.mark_absent(seat, absent[seat])
            continue
        start = Start(
            game.name,
            msgspec.structs.asdict(options),
            told,
            seat,
            seed.commitment,
            seed.of_seat(seat),
            clock,
            UNSET if board is None else board,
        )
        match.start(seat, start)
    match.play()
    state = match.state
    result = GameResult(state.scores(), rank_seats(state.standing(), match.faults), state.reason())
    match.end(result, seed.hex() if reveal_seed else None)
    record = make_record(
        game.name,
        options,
        names,
        seed,
        [game.actions[number] for number in match.actions],
        match.faults,
        result,
        {**(meta or {}), **match.meta()},
    )
    return record, match.packer.bytes()


class _Match:
    """A game under way and the bots in it."""

    def __init__(
        self, game: Game, state: State, players: Sequence[Player], keep_times: bool, observer: GameObserver | None
    ) -> None:
        self.game = game
        self.state = state
        self.players = players
        self.observer = observer
        self.actions: list[int] = []
        self.packer = ActionPacker()
        self._text = game.actions.__getitem__
        self.faults: list[Fault] = []
        self._plays = [True] * len(players)
        self._asked = [0] * len(players)
        self._spent = [0.0] * len(players)
        self._notified = [0] * len(players)  # how much of the journal each seat has been told
        self._details: list[dict[str, Any]] = []
        self._times: list[int] | None = [] if keep_times else None

    def start(self, seat: int, message: Start) -> None:
        """Begin the game with a seat's bot."""
        failure = self.players[seat].start(message)
        if failure:
            self._fault(seat, failure)

    def mark_absent(self, seat: int, failure: Failure) -> None:
        """Play a seat without its bot."""
        self._fault(seat, self.players[seat].fail(failure), stderr="")  # what its process wrote is of an earlier game

    def play(self) -> None:
        """Ask and apply until the game is over."""
        state, plays, packer = self.state, self._plays, self.packer
        apply, legal_now, note = state.apply, state.legal, self.actions.append
        observer = self.observer
        if observer is not None or any(plays[seat] and one.wants_events for seat, one in enumerate(self.players)):
            state.journal = []
        journal, times = state.journal, self._times
        while (seat := state.actor) >= 0:
            legal = legal_now()
            size = len(legal)
            place = 0
            if size > 1:
                if plays[seat]:
                    place = self._ask(seat, legal)
                packer.add(place, size)
            if times is not None and len(times) == len(self.actions):
                times.append(0)
            action = legal[place]
            note(action)
            if journal is not None:
                journal.append((ACTION, seat, action))
            apply(action)
            if observer is not None:
                observer.played()

    def _ask(self, seat: int, legal: Sequence[int]) -> int:
        """The place in `legal` of what the seat's bot answers; the first one if that is a fault."""
        session, game = self.players[seat], self.game
        before = session.spent
        answer = session.decide(
            game.observation_json(self.state, seat) if session.wants_observation else UNSET,
            list(map(self._text, legal)) if session.wants_legal else UNSET,
            self._news(seat) if session.wants_events else UNSET,
        )
        if self._times is not None:
            self._times.append(round((session.spent - before) * 1e6))
        if isinstance(answer, Failure):
            self._fault(seat, answer)
            return 0
        try:
            return legal.index(game.action_numbers[answer])
        except (KeyError, ValueError):
            known = "is not legal now" if answer in game.action_numbers else f"is no action of {game.name}"
            self._fault(seat, session.fail(Failure(FaultKind.ILLEGAL, f"answered {answer[:80]!r}, which {known}")))
            return 0

    def _news(self, seat: int) -> list[msgspec.Raw]:
        """What the seat may hear of the journal since it was last told."""
        journal, say = self.state.journal, self.game.event_json
        if journal is None:
            return []
        since, self._notified[seat] = self._notified[seat], len(journal)
        return [event for entry in journal[since:] if (event := say(entry, seat)) is not None]

    def _fault(self, seat: int, failure: Failure, stderr: str | None = None) -> None:
        ply = len(self.actions)
        stderr = self.players[seat].stderr_tail if stderr is None else stderr
        self._plays[seat] = False
        self._count(seat)
        fault = Fault(seat, ply, failure.kind)
        self.faults.append(fault)
        details = {"seat": seat, "ply": ply, "kind": failure.kind.value, "detail": failure.detail}
        if self._times is not None:  # it also has what the process wrote in earlier games
            details["stderr"] = stderr[-STDERR_KEPT:]
        self._details.append(details)
        if self.observer is not None:
            self.observer.failed(fault, failure.detail, stderr)

    def _count(self, seat: int) -> None:
        self._asked[seat], self._spent[seat] = self.players[seat].asked, self.players[seat].spent

    def end(self, result: GameResult, seed: str | None) -> None:
        """Tell the bots that still play how it ended."""
        for seat, session in enumerate(self.players):
            if self._plays[seat]:
                self._count(seat)
                events = self._news(seat) if session.wants_events else UNSET
                session.end(End(result.scores, result.ranks, result.reason, seed or UNSET, events))

    def meta(self) -> dict[str, Any]:
        """What the record's `meta` says of times and faults."""
        told: dict[str, Any] = {}
        if self._times is not None:
            times = [round(seconds * 1e6) for seconds in self._spent]
            told |= {"asked": self._asked, "time_us": times, "times_us": self._times}
        if self._details:
            told["fault_details"] = self._details
        return told
