"""Jobs on lanes: which lane does which, and what happens when one fails."""

from __future__ import annotations

import threading
from functools import partial
from threading import Event

import pytest

from fa_cli.match.lanes import run_in_lanes


@pytest.mark.parametrize("lanes", [1, 2, 3])
def test_each_lane_does_its_share_in_order(lanes: int) -> None:
    done: list[list[int]] = [[] for _ in range(lanes)]

    def job(number: int, lane: int, give_up: Event) -> None:
        assert not give_up.is_set()
        done[lane].append(number)

    run_in_lanes([partial(job, number) for number in range(7)], lanes)
    assert done == [list(range(lane, 7, lanes)) for lane in range(lanes)]


@pytest.mark.parametrize("interrupt", [ValueError, KeyboardInterrupt])
def test_at_a_failure_the_others_are_told_to_give_up(interrupt: type[BaseException]) -> None:
    """They have ended when it is raised, and begin no other job."""
    begun: list[str] = []

    def fails(lane: int, give_up: Event) -> None:
        raise interrupt("no")

    def waits(lane: int, give_up: Event) -> None:
        assert give_up.wait(60)
        begun.append("gave up")

    def never(lane: int, give_up: Event) -> None:
        begun.append("never")

    with pytest.raises(interrupt, match="no"):
        run_in_lanes([waits, fails, never, never], 2)
    assert begun == ["gave up"]
    assert threading.active_count() == 1 or all(not one.name.startswith("ThreadPool") for one in threading.enumerate())


def test_on_one_lane_it_is_raised_at_once() -> None:
    def fails(lane: int, give_up: Event) -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        run_in_lanes([fails, fails], 1)
