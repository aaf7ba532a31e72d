"""Jobs on lanes: which lane does which, how many run at a time, and what happens when one fails."""

from __future__ import annotations

import threading
import time
from functools import partial
from threading import Barrier, Event

import pytest

from fa_cli.match.check.turn_taking import Baton, run_in_turns


@pytest.mark.parametrize("lanes", [1, 2, 3])
def test_each_lane_does_its_share_in_order_one_at_a_time(lanes: int) -> None:
    turn = Baton()
    done: list[list[int]] = [[] for _ in range(lanes)]
    running: list[int] = []

    def job(number: int, lane: int, give_up: Event) -> None:
        assert not give_up.is_set()
        running.append(number)
        time.sleep(0.01)
        assert running.pop() == number
        done[lane].append(number)

    with turn:
        run_in_turns([partial(job, number) for number in range(7)], lanes, turn)
    assert done == [list(range(lane, 7, lanes)) for lane in range(lanes)]


def test_while_one_waits_the_others_run() -> None:
    turn, met = Baton(), Barrier(3)

    def job(lane: int, give_up: Event) -> None:
        with turn.passed_on():
            met.wait(60)

    with turn:
        run_in_turns([job] * 3, 3, turn)
    assert met.n_waiting == 0


@pytest.mark.parametrize("interrupt", [ValueError, KeyboardInterrupt])
@pytest.mark.parametrize("lanes", [1, 2])
def test_at_a_failure_the_others_are_told_to_give_up(interrupt: type[BaseException], lanes: int) -> None:
    """They have ended when it is raised, and begin no other job."""
    turn, begun = Baton(), list[str]()

    def fails(lane: int, give_up: Event) -> None:
        raise interrupt("no")

    def waits(lane: int, give_up: Event) -> None:
        with turn.passed_on():
            assert give_up.wait(60)
        begun.append("gave up")

    def never(lane: int, give_up: Event) -> None:
        begun.append("never")

    with turn, pytest.raises(interrupt, match="no"):
        run_in_turns([*([waits] if lanes == 2 else []), fails, never, never], lanes, turn)
    assert begun == (["gave up"] if lanes == 2 else [])
    assert not any(one.name.startswith("ThreadPool") for one in threading.enumerate())
