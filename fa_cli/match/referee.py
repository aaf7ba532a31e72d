"""Plays one game: asks the player to move, checks the action and applies it.

Whatever a bot does wrong is a fault; its seat then always plays the first legal action.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, Protocol

import msgspec
from msgspec import UNSET

from ..errors import BadPlayers
from ..game_result import Failure, Fault, FaultKind, GameResult, rank_seats
from ..games.contract import ACTION, State
from ..games.game import Game
from ..games.seed import Seed
from ..protocol import decision_lines
from ..protocol.messages import Clock, End, Start
from ..replay.action_coding import ActionPacker
from ..replay.packing.times import rounded
from ..replay.record import Record, make_record
from .event_feed import EventFeed
from .player import Player

# Final: compiled code looks up other names of a module in a dict, each time
_legal_json: Final = decision_lines.legal_json
_place_of: Final = decision_lines.place_of
STDERR_KEPT: Final = 1000
"""Characters of a bot's stderr, from its end, that a record keeps with a fault."""


class GameObserver(Protocol):
    """Watches a game as it is played, and sees everything."""

    def dealt(self, state: State) -> None:
        """The cards are dealt. Must not change the state, which is the real one; its journal has all events."""

    def played(self) -> None:
        """An action was applied; the journal has it and its consequences."""

    def failed(self, fault: Fault, detail: str, stderr: str) -> None:
        """A seat's bot is out of the game; `detail` is a phrase that begins with a verb."""


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
    actions: list[int] | None = None,
) -> tuple[Record, bytes]:
    """Play one game with a different player in each seat; returns its record and its packed actions.

    The record's `meta` is the argument plus `fault_details` if there are faults (seat, ply, kind, a sentence). With
    `keep_times` also plus, per seat, `asked` (number of decisions) and `time_us` (microseconds they took), and
    `times_us` per decision of the game (0 if no bot was asked), rounded as logs keep them; fault details then have the
    end of the bot's stderr.

    `reveal_seed` False hides the seed from the bots, for a deal that is played again. `anonymous` hides the names from
    the bots, not from the record. The players of the seats in `absent` are not started and have that failure. Each
    action is added to `actions`, an empty list that another thread may read.

    Raises BadPlayers if a player has two seats or none, and whatever the observer or an in-process player raises; a bot
    never causes an exception.
    """
    if not len(players) == len(names) == len(set(map(id, players))):
        raise BadPlayers(f"{len(set(map(id, players)))} bots for {len(names)} seats")
    match = _Match(
        game, game.start(options, len(names), seed), players, keep_times, observer, [] if actions is None else actions
    )
    if observer is not None:
        observer.dealt(match.state)
    shown_names = [f"seat-{seat}" for seat in range(len(names))] if anonymous else list(names)
    match.start(options, shown_names, seed, clock, absent)
    match.play()
    result = match.result()
    match.end(result, seed.hex() if reveal_seed else None)
    texts = game.actions
    record = make_record(
        game.name,
        options,
        names,
        seed,
        [texts[number] for number in match.actions],
        match.faults,
        result,
        {**(meta or {}), **match.meta()},
    )
    return record, match.packer.bytes()


class _Match:
    """A game in progress and its players."""

    def __init__(
        self,
        game: Game,
        state: State,
        players: Sequence[Player],
        keep_times: bool,
        observer: GameObserver | None,
        actions: list[int],
    ) -> None:
        self.game = game
        self.state = state
        self.players = players
        self.observer = observer
        self.actions = actions
        self.packer = ActionPacker()
        self._action_json = game.actions_json
        self._feed: EventFeed | None = None
        self.faults: list[Fault] = []
        self._plays = [True] * len(players)
        self._absent: Collection[int] = ()
        """The seats whose players are those of an earlier game: so are their stderr, counters and times."""
        self._asked = [0] * len(players)
        self._spent = [0.0] * len(players)
        self._details: list[dict[str, Any]] = []
        self._times: list[int] | None = [] if keep_times else None
        self._spent_before = [0.0] * len(players)
        self._wants = [(False, False, False)] * len(players)

    def start(
        self, options: msgspec.Struct, names: list[str], seed: Seed, clock: Clock, absent: Mapping[int, Failure]
    ) -> None:
        """Start the players but for those of the seats in `absent`, which have that failure."""
        board = self.game.board_json(options)
        self._absent = absent
        option_values, commitment = msgspec.structs.asdict(options), seed.commitment
        for seat, player in enumerate(self.players):
            if seat in absent:
                self._fault(seat, player.fail(absent[seat]))
                continue
            start = Start(
                self.game.name,
                option_values,
                names,
                seat,
                commitment,
                seed.of_seat(seat),
                clock,
                UNSET if board is None else msgspec.Raw(board),
            )
            failure = player.start(start)
            if failure:
                self._fault(seat, failure)
            else:
                self._wants[seat] = (player.wants_legal, player.wants_observation, player.wants_events)
                self._spent_before[seat] = player.spent

    def play(self) -> None:
        """Ask and apply until the game is over."""
        state, plays, packer, actions = self.state, self._plays, self.packer, self.actions
        observer = self.observer
        if observer is not None or any(wants_events for _, _, wants_events in self._wants):
            state.journal = []
            self._feed = EventFeed(self.game, state.journal, len(self.players))
        journal, times = state.journal, self._times
        while (seat := state.actor) >= 0:
            legal = state.legal()
            size = len(legal)
            index = 0
            if size > 1:
                if plays[seat]:
                    index = self._ask(seat, legal)
                packer.add(index, size)
            if times is not None and len(times) == len(actions):
                times.append(0)
            action = legal[index]
            actions.append(action)
            if journal is not None:
                journal.append((ACTION, seat, action))
            state.apply(action)
            if observer is not None:
                observer.played()

    def _ask(self, seat: int, legal: Sequence[int]) -> int:
        """Ask a seat's player for a decision; returns its index in `legal`, 0 after a fault."""
        player = self.players[seat]
        wants_legal, wants_observation, wants_events = self._wants[seat]
        answer = player.decide(
            self.game.observation_json(self.state, seat) if wants_observation else None,
            _legal_json(self._action_json, legal) if wants_legal else None,
            self._events(seat) if wants_events else None,
        )
        if self._times is not None:
            spent = player.spent
            self._times.append(int((spent - self._spent_before[seat]) * 1e6 + 0.5))
            self._spent_before[seat] = spent
        if not isinstance(answer, str):
            self._fault(seat, answer)
            return 0
        place = _place_of(self._action_json, legal, answer)
        if place < 0:
            self._fault(seat, player.fail(self._not_legal(answer)))
            return 0
        return place

    def _not_legal(self, answer: str) -> Failure:
        reason = "is not legal now" if answer in self.game.action_numbers else f"is not an action of {self.game.name}"
        return Failure(FaultKind.ILLEGAL, f"answered {answer[:80]!r}, which {reason}")

    def _events(self, seat: int) -> bytes:
        """The events that this seat may see, since the last call for it."""
        return self._feed.take(seat) if self._feed else b"[]"

    def _fault(self, seat: int, failure: Failure) -> None:
        ply = len(self.actions)
        stderr = "" if seat in self._absent else self.players[seat].stderr_tail
        self._plays[seat] = False
        self._save_counters(seat)
        fault = Fault(seat, ply, failure.kind)
        self.faults.append(fault)
        details = {"seat": seat, "ply": ply, "kind": failure.kind.value, "detail": failure.detail}
        if self._times is not None:  # without times logs are reproducible, and stderr may be of earlier games
            details["stderr"] = stderr[-STDERR_KEPT:]
        self._details.append(details)
        if self.observer is not None:
            self.observer.failed(fault, failure.detail, stderr)

    def _save_counters(self, seat: int) -> None:
        if seat not in self._absent:
            self._asked[seat], self._spent[seat] = self.players[seat].asked, self.players[seat].spent

    def result(self) -> GameResult:
        """The result of the finished game; seats with faults rank last."""
        state = self.state
        return GameResult(state.scores(), rank_seats(state.standing(), self.faults), state.reason())

    def end(self, result: GameResult, seed: str | None) -> None:
        """Report the result to the players that are still in the game."""
        for seat, player in enumerate(self.players):
            if self._plays[seat]:
                self._save_counters(seat)
                events: Any = msgspec.Raw(self._events(seat)) if player.wants_events else UNSET
                player.end(End(result.scores, result.ranks, result.reason, seed or UNSET, events))

    def meta(self) -> dict[str, Any]:
        """The times and fault details of the record's `meta`."""
        meta: dict[str, Any] = {}
        if self._times is not None:
            times = [round(seconds * 1e6) for seconds in self._spent]
            meta |= {"asked": self._asked, "time_us": times, "times_us": rounded(self._times)}
        networks = enumerate(getattr(player, "network", None) for player in self.players)
        remote = {str(seat): round(network * 1e6) for seat, network in networks if network is not None}
        if remote:
            meta["remote_us"] = remote if self._times is not None else dict.fromkeys(remote, 0)
        if self._details:
            meta["fault_details"] = self._details
        return meta
