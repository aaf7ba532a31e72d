"""A bot's clock counts its own time alone, whatever other bots do with the core that they share."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator

import pytest

from fa_cli.game_result import FaultKind
from fa_cli.games.seed import Seed
from fa_cli.isolation import spawn
from fa_cli.isolation.bot_session import BotSession
from fa_cli.isolation.limits import Limits
from fa_cli.isolation.supervisor_client import SupervisorClient
from fa_cli.match.referee import play
from fa_cli.protocol.messages import Clock
from fa_cli.replay.record import Record

from ..fakes import fake_bot
from ..needed import needs_sandbox
from ..toy_game import TOY, Options

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts what others take of a core")
SANDBOXED = pytest.param(True, marks=needs_sandbox)
EVERY = ("--every", "--at", "1")


@pytest.fixture
def one_core(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This process and its bots share one core, as those of a tournament's worker do."""
    before = os.sched_getaffinity(0)
    client = SupervisorClient()
    monkeypatch.setattr(spawn, "SUPERVISORS", client)
    os.sched_setaffinity(0, {min(before)})
    yield
    os.sched_setaffinity(0, before)
    client.close()


def play_against(
    bots: list[tuple[str, ...]], clock: Clock, sandbox: bool, idle_cpu: float = 0.8, rounds: int = 8
) -> Record:
    """A game of two fakes; the answers' times are in its `meta`."""
    limits = Limits(end=0.5, idle_cpu=idle_cpu, sandbox=sandbox)
    sessions = [BotSession(fake_bot(*flags), limits) for flags in bots]
    try:
        return play(TOY, Options(rounds=rounds), sessions, ["one", "two"], Seed(bytes(32)), clock, keep_times=True)[0]
    finally:
        for session in sessions:
            session.close()


@pytest.mark.slow
@pytest.mark.parametrize("sandbox", [SANDBOXED, False])
@pytest.mark.parametrize("victim", ["works-in-child", "works"])
def test_a_bot_that_spins_after_its_answer_costs_only_itself(one_core: None, victim: str, sandbox: bool) -> None:
    """Six processes of one bot hold the core while the other one needs a quarter of its clock.

    Programs outside the game add to the clock of a bot whose processes end, so a game beside them is played again.
    """
    for _ in range(3):
        record = play_against([("spins-after", *EVERY), (victim, *EVERY)], Clock(1000), sandbox, rounds=4)
        assert [(fault.seat, fault.kind) for fault in record.faults] == [(0, FaultKind.RESOURCE)]
        assert "seconds of processor time while others thought" in record.meta["fault_details"][0]["detail"]
        assert record.meta["asked"][1] > 2
        if record.meta["time_us"][1] / record.meta["asked"][1] < 450_000:  # 250,000 are its own
            return
    pytest.fail(f"it paid for others in three games: {record.meta}")


@pytest.mark.slow
def test_a_bank_does_not_pay_either(one_core: None) -> None:
    """A bank for the whole game holds what the bot itself needs, and little more."""
    bots = [("spins-after", *EVERY), ("works", *EVERY)]
    record = play_against(bots, Clock(move_ms=0, bank_ms=2250), False, 2.5, rounds=5)
    assert 1 not in [fault.seat for fault in record.faults], record.meta


@pytest.mark.slow
def test_programs_outside_the_game_cost_nothing(one_core: None) -> None:
    """What else runs on the core is not the bot's affair."""
    until = time.monotonic() + 60
    burners = []
    for _ in range(5):
        child = os.fork()
        if child == 0:
            os.setsid()
            while time.monotonic() < until:
                pass
            os._exit(0)
        burners.append(child)
    try:
        record = play_against([("honest",), ("works", "--at", "2")], Clock(700), False)
    finally:
        for child in burners:
            os.kill(child, 9)
            os.waitpid(child, 0)
    assert record.faults == []


def test_waiting_for_its_own_processes_is_a_bots_own_time(one_core: None) -> None:
    """Two processes of a bot that share its core take twice as long, and its clock says so."""
    record = play_against([("honest",), ("works-twice", *EVERY)], Clock(350), False)
    assert [(fault.seat, fault.kind) for fault in record.faults] == [(1, FaultKind.TIMEOUT)]


@pytest.mark.slow
@pytest.mark.parametrize("behaviour", ["silent", "stopped"])
def test_who_does_not_run_is_late_though_others_spin(one_core: None, behaviour: str) -> None:
    """A bot that sleeps or is stopped waits for no core."""
    begin = time.monotonic()
    record = play_against([("spins-after", *EVERY), (behaviour, "--at", "1")], Clock(400), False)
    assert (1, FaultKind.TIMEOUT) in [(fault.seat, fault.kind) for fault in record.faults]
    assert time.monotonic() - begin < 12
