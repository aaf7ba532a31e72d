"""Records and logs of the toy game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

import fa_cli.games
from fa_cli.game_result import Fault, FaultKind, rank_seats
from fa_cli.games.seed import Seed
from fa_cli.match.simulate import choices_of, simulate_game
from fa_cli.replay import codec, frames
from fa_cli.replay.log_entry import entry_of
from fa_cli.replay.log_writer import LogWriter
from fa_cli.replay.record import Record, digest_of, seat_names
from tests.toy_game import TOY

SEED = Seed.from_text("toy")

WriteToys = Callable[..., Path]


@pytest.fixture(autouse=True)
def toy_is_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy game is one of the games while a test here runs."""
    monkeypatch.setitem(fa_cli.games.MODULES, "toy", "tests.toy_game")


def toy_record(number: int, bots: tuple[str, ...] = ("ann", "bob", "ann"), rule: str = "plain") -> Record:
    """A random game of the toy game, as a tournament writes it."""
    meta = {
        "tournament": {"name": "toys", "seed": SEED.hex(), "started": "2024-05-06T07:08:09Z"},
        "number": number,
        "time_us": [1200 + number, 70_000, 3],
    }
    options = TOY.make_options({"rule": rule})
    return simulate_game(TOY, options, seat_names(bots), SEED.of_game(number), choices_of(SEED, number), meta)[0]


def faulty_record(number: int, seat: int = 1, since: int = 0) -> Record:
    """A game in which `seat` times out at its first decision at or after ply `since`."""
    record = toy_record(number)
    state = TOY.start(TOY.make_options(record.options), len(record.players), bytes.fromhex(record.seed))
    choices, actions, fault = choices_of(SEED, number), [], None
    while state.actor >= 0:
        if fault is None and state.actor == seat and len(actions) >= since:
            fault = Fault(seat, len(actions), FaultKind.TIMEOUT)
        legal = state.legal()
        action = legal[0] if fault is not None and state.actor == seat else choices.choice(legal)
        actions.append(TOY.actions[action])
        state.apply(action)
    assert fault is not None
    record.actions, record.faults = actions, [fault]
    record.result.scores[:] = state.scores()
    record.result.ranks[:] = rank_seats(state.standing(), record.faults)
    record.result = type(record.result)(record.result.scores, record.result.ranks, state.reason())
    record.digest = digest_of(record)
    return record


def payload_of(record: Record) -> list[Any]:
    """The parts of the payload that a log has for its first record."""
    payload = codec.EntryWriter(codec.EntryReader(), 0).payload(entry_of(record))
    return cast(list[Any], msgspec.msgpack.decode(payload))


def log_of(path: Path, *payloads: bytes) -> Path:
    """Write a log with valid frames around these payloads."""
    tag, parts = frames.FIRST_TAG, [frames.FIRST_LINE]
    for payload in payloads:
        frame, tag = frames.make_frame(payload, tag)
        parts.append(frame)
    path.write_bytes(b"".join(parts))
    return path


@pytest.fixture
def write_toys(tmp_path: Path) -> WriteToys:
    """Returns a function that writes toy games with the given numbers into a new log and returns its path."""

    def write(*numbers: int, name: str = "toys.log") -> Path:
        path = tmp_path / name
        with LogWriter(path, new=True) as log:
            for number in numbers:
                log.append(toy_record(number))
        return path

    return write
