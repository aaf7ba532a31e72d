"""What a game between bots leaves, and what the bots hear of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fa_cli.errors import BadPlayers
from fa_cli.game_result import FaultKind, rank_seats
from fa_cli.games import GAMES, find_game
from fa_cli.games.contract import ACTION
from fa_cli.games.game import Game
from fa_cli.games.seed import Seed
from fa_cli.isolation.bot_session import BotSession
from fa_cli.match.referee import play
from fa_cli.protocol.messages import Clock
from fa_cli.replay.action_coding import unpack_actions
from fa_cli.replay.packing.times import rounded
from fa_cli.replay.record import Record, digest_of
from tests.conftest import thinned

from ..fakes import fake_bot
from ..toy_game import TOY, Options

SEED = Seed.from_text("referee")
CLOCK = Clock(move_ms=5000)
ALL = [TOY, *GAMES]


@contextmanager
def honest(tmp_path: Path, count: int, *flags: str) -> Iterator[list[BotSession]]:
    """So many honest bots; what the bot in seat i hears is in the file `heard-i`."""
    sessions = [BotSession(fake_bot("honest", "--heard", tmp_path / f"heard-{seat}", *flags)) for seat in range(count)]
    yield sessions
    for session in sessions:
        session.close()


def heard(tmp_path: Path, seat: int, kind: str) -> list[dict[str, Any]]:
    lines = (tmp_path / f"heard-{seat}").read_text(encoding="utf-8").splitlines()
    return [message for line in lines if (message := json.loads(line))["type"] == kind]


def play_again(game: Game, record: Record) -> tuple[Any, list[tuple[Any, ...]]]:
    """The final state and the journal of a record, by the engine alone."""
    state = game.start(game.make_options(record.options), len(record.players), bytes.fromhex(record.seed))
    state.journal = []
    for action in record.actions:
        number = game.action_numbers[action]
        assert number in state.legal()
        state.journal.append((ACTION, state.actor, number))
        state.apply(number)
    return state, state.journal


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_the_record_is_the_game(game: Game, tmp_path: Path) -> None:
    players = game.players[-1]
    names = list("abcde"[:players])
    with honest(tmp_path, players) as sessions:
        record, packed = play(game, game.options(), sessions, names, SEED, CLOCK, meta={"number": 7}, keep_times=True)
    state, _ = play_again(game, record)
    assert state.is_over()
    assert record.result.scores == state.scores()
    assert record.result.ranks == rank_seats(state.standing())
    assert record.result.reason == state.reason() != ""
    assert record.players == names
    assert record.digest == digest_of(record)
    fresh = game.start(game.options(), players, SEED)
    assert unpack_actions(fresh, packed, len(record.actions), game.actions) == record.actions
    assert record.meta["number"] == 7
    asked = sum(record.meta["asked"])
    assert sum(record.meta["times_us"]) == pytest.approx(sum(record.meta["time_us"]), rel=0.28, abs=26 * asked)
    assert rounded(record.meta["times_us"]) == record.meta["times_us"]
    assert sum(time > 0 for time in record.meta["times_us"]) == sum(record.meta["asked"])
    assert len(record.meta["times_us"]) == len(record.actions)


@pytest.mark.parametrize("game", thinned(ALL, 2), ids=lambda game: game.name)
def test_a_bot_hears_what_its_seat_may(game: Game, tmp_path: Path) -> None:
    """The events of all its lines are all that it can hear of the journal; observations are those of the engine."""
    with honest(tmp_path, 3) as sessions:
        record, _ = play(game, game.options(), sessions, ["a", "b", "c"], SEED, CLOCK)
    _, journal = play_again(game, record)
    for seat in range(3):
        messages = heard(tmp_path, seat, "decide") + heard(tmp_path, seat, "end")
        told = [event for message in messages for event in message["events"]]
        expected = [event for entry in journal if (event := game.event_for(entry, seat)) is not None]
        assert told == msgspec.to_builtins(expected)
    state = game.start(game.options(), 3, SEED)
    asked = {seat: iter(heard(tmp_path, seat, "decide")) for seat in range(3)}
    for action in record.actions:
        legal = state.legal()
        if len(legal) > 1:  # nobody is asked when there is no choice
            message = next(asked[state.actor])
            assert message["legal"] == [game.actions[number] for number in legal]
            assert message["observation"] == json.loads(msgspec.json.encode(game.observe(state, state.actor)))
        state.apply(game.action_numbers[action])
    assert all(list(rest) == [] for rest in asked.values())


def test_start_and_end(tmp_path: Path) -> None:
    with honest(tmp_path, 2) as sessions:
        for seed in (SEED, Seed(bytes(32))):
            record, _ = play(
                TOY, Options(rounds=2), sessions, ["a", "b"], seed, Clock(5000, 100), reveal_seed=seed == SEED
            )
    for seat in range(2):
        assert heard(tmp_path, seat, "hello") == [{"type": "hello", "protocol": "fa/1"}]
        assert heard(tmp_path, seat, "start")[0] == {
            "type": "start",
            "game": "toy",
            "options": {"rule": "plain", "rounds": 2},
            "players": ["a", "b"],
            "seat": seat,
            "commitment": hashlib.sha256(SEED).hexdigest(),
            "bot_seed": SEED.of_seat(seat),
            "clock": {"move_ms": 5000, "bank_ms": 100},
        }
        first, second = heard(tmp_path, seat, "end")
        assert first["seed"] == SEED.hex()
        assert "seed" not in second
        assert (second["scores"], second["ranks"], second["reason"]) == (
            record.result.scores,
            record.result.ranks,
            record.result.reason,
        )
        ids = [message["id"] for message in heard(tmp_path, seat, "decide")]
        assert ids == list(range(1, len(ids) + 1))
        assert heard(tmp_path, seat, "quit") == [{"type": "quit"}]


@pytest.mark.parametrize("side", ["five", "six"])
def test_start_has_the_board_of_games_that_have_one(tmp_path: Path, side: str) -> None:
    """FA-2: Fifth Avenue's rings, of the side that is played."""
    game = find_game("fifth-avenue")
    options = game.make_options({"side": side})
    with honest(tmp_path, 2) as sessions:
        play(game, options, sessions, ["a", "b"], SEED, CLOCK)
    ring = ["orange", "green", "dashed", "gray", "brown", "violet"]
    for seat in range(2):
        board = heard(tmp_path, seat, "start")[0]["board"]
        assert board == msgspec.to_builtins(game.board(options))
        assert board["rings"]["34W"] == [plot for plot in ring if side == "six" or plot != "dashed"]


def test_nothing_that_nobody_wants_is_made(tmp_path: Path) -> None:
    def must_not_be_called(*_: object) -> None:
        raise AssertionError

    presentation = TOY.load_presentation()._replace(observation_json=must_not_be_called, event_of=must_not_be_called)
    game = msgspec.structs.replace(TOY, load_presentation=lambda: presentation)
    with honest(tmp_path, 2, "--wants", "legal") as sessions:
        record, _ = play(game, Options(), sessions, ["a", "b"], SEED, CLOCK)
    assert record.faults == []
    assert {key for message in heard(tmp_path, 0, "decide") for key in message} == {"type", "id", "legal", "clock"}
    assert "events" not in heard(tmp_path, 0, "end")[0]


def test_the_bank_is_used_up(tmp_path: Path) -> None:
    """Each decision takes 0.22 s longer than it has; the bank is enough for two.

    20 ms are for waits on a busy machine. If it stalls for longer, which the clock leaves out, they play again.
    """
    for attempt in range(3):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        slow = fake_bot("late", "--seconds", "0.32", "--at", "1", "--every", "--heard", folder / "heard-0")
        sessions = [BotSession(slow), BotSession(fake_bot("honest"))]
        record, _ = play(TOY, Options(), sessions, ["slow", "b"], SEED, Clock(move_ms=100, bank_ms=500))
        for session in sessions:
            session.close()
        clocks = [message["clock"] for message in heard(folder, 0, "decide")]
        banks = [clock["bank_ms"] for clock in clocks]
        if len(banks) == 3 and banks[1] <= 300 and banks[2] <= 100:
            break
    assert [(fault.seat, fault.kind) for fault in record.faults] == [(0, FaultKind.TIMEOUT)]
    assert len(banks) == 3
    assert banks[0] == 500
    assert 250 < banks[1] <= 300
    assert 0 < banks[2] <= 100
    assert {clock["move_ms"] for clock in clocks} == {100}


def test_one_session_can_not_sit_twice(tmp_path: Path) -> None:
    with honest(tmp_path, 2) as sessions, pytest.raises(BadPlayers, match="1 bots for 2 seats"):
        play(TOY, Options(), [sessions[0], sessions[0]], ["a", "b"], SEED, CLOCK)
    with honest(tmp_path, 1) as sessions, pytest.raises(BadPlayers):
        play(TOY, Options(), sessions, ["a"], SEED, CLOCK)


def test_the_same_game_again(tmp_path: Path) -> None:
    with honest(tmp_path, 2) as sessions:
        records = [play(TOY, Options(), sessions, ["a", "b"], SEED, CLOCK)[0] for _ in range(2)]
    assert records[0].digest == records[1].digest
