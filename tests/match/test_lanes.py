"""Jobs on lanes: which lane does which, and what happens when one fails."""

from __future__ import annotations

import threading
from functools import partial
from threading import Barrier, Event

import pytest

from fa_cli.match.check.lanes import run_on_lanes


@pytest.mark.parametrize("lanes", [1, 2, 3])
def test_each_lane_does_its_share_in_order(lanes: int) -> None:
    done: list[list[int]] = [[] for _ in range(lanes)]

    def job(number: int, lane: int, give_up: Event) -> None:
        assert not give_up.is_set()
        done[lane].append(number)

    run_on_lanes([partial(job, number) for number in range(7)], lanes, Event())
    assert done == [list(range(lane, 7, lanes)) for lane in range(lanes)]


def test_while_one_waits_the_others_run() -> None:
    met = Barrier(3)

    def job(lane: int, give_up: Event) -> None:
        met.wait(60)

    run_on_lanes([job] * 3, 3, Event())
    assert met.n_waiting == 0


@pytest.mark.parametrize("interrupt", [ValueError, KeyboardInterrupt])
@pytest.mark.parametrize("lanes", [1, 2])
def test_at_a_failure_the_others_are_told_to_give_up(interrupt: type[BaseException], lanes: int) -> None:
    """They have ended when it is raised, and begin no other job."""
    begun = list[str]()

    def fails(lane: int, give_up: Event) -> None:
        raise interrupt("no")

    def waits(lane: int, give_up: Event) -> None:
        assert give_up.wait(60)
        begun.append("gave up")

    def never(lane: int, give_up: Event) -> None:
        begun.append("never")

    with pytest.raises(interrupt, match="no"):
        run_on_lanes([*([waits] if lanes == 2 else []), fails, never, never], lanes, Event())
    assert begun == (["gave up"] if lanes == 2 else [])
    assert not any(one.name.startswith("ThreadPool") for one in threading.enumerate())
