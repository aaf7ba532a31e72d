"""Which other bots a meter reads when several games are played at once."""

from __future__ import annotations

import os
import threading
from typing import cast

import pytest

from fa_cli.isolation.clock_metering import Meter
from fa_cli.isolation.spawn import Process
from fa_cli.isolation.supervision import procfs


class CountedProcess:
    """A process whose processor time is asked for."""

    def __init__(self) -> None:
        self.asked = 0

    def cpu_seconds(self) -> float:
        self.asked += 1
        return 0.0

    def cpu_and_delays(self) -> tuple[float, dict[int, float], list[int]]:
        return 0.0, {}, [os.getpid()]


def test_bots_of_games_in_other_threads_are_not_read() -> None:
    """Else a decision of a server with a hundred tables reads the processes of all their bots."""
    own, beside, waiting, elsewhere = processes = [CountedProcess() for _ in range(4)]
    meters = [Meter(cast(Process, process), 1) for process in processes]
    try:
        for meter in meters[:2]:
            meter.begin_game()
        other = threading.Thread(target=meters[3].begin_game)
        other.start()
        other.join()
        meters[0].measure()
        assert (own.asked, beside.asked, waiting.asked, elsewhere.asked) == (0, 1, 1, 0)
    finally:
        for meter in meters:
            meter.close()


def test_the_delay_of_one_thread_is_read_and_not_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    read, paths, end = procfs.read, [], threading.Event()

    def noted(path: str) -> bytes:
        paths.append(path)
        return read(path)

    others = [threading.Thread(target=end.wait) for _ in range(20)]
    for other in others:
        other.start()
    meter = Meter(cast(Process, CountedProcess()), 1)
    monkeypatch.setattr(procfs, "read", noted)
    meter.measure()
    end.set()
    meter.close()
    for other in others:
        other.join()
    assert len(paths) == 2
