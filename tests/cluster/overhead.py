"""Measures what a cluster costs: `python -m tests.cluster.overhead [SECONDS]`, on an idle machine with two free cores.

Plays the same tournament with two local workers and with two Dask workers, in turns. Bots sleep, so that games take
5 s and 0.05 s whatever the machine. The first quarter of the games, in which processes start, is not counted.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from fa_cli.replay.log_entry import LogEntry
from tests.tournament.helpers import dice
from tests.tournament.running.test_run import Watcher, define, play

from .harness import Cluster, running_cluster
from .runs import play_on

ROUNDS = 3
LENGTHS = {5.0: 24, 0.05: 480}
"""Seconds of a game, and games of a run."""
OPTIONS = {"turn_limit": "2", "side": "five"}
_DECISIONS = 27
"""Of a game with these options, about: sets how long bots sleep."""


class Clock(Watcher):
    """Notes when each game was written."""

    def __init__(self) -> None:
        super().__init__()
        self.times: list[float] = []

    def played(self, entry: LogEntry) -> None:
        self.times.append(time.monotonic())

    def seconds_per_game(self) -> float:
        """After the first quarter."""
        start = len(self.times) // 4
        return (self.times[-1] - self.times[start]) / (len(self.times) - 1 - start)


def measure(folder: Path, cluster: Cluster | None, seconds: float, games: int) -> float:
    """Seconds per game of a run, on the cluster or on this machine."""
    bots = dice(folder, "a", "b", "c", before=f"time.sleep({seconds / _DECISIONS})")
    definition, paths = define(folder, bots, games=games, times=False, options=OPTIONS)
    clock = Clock()
    if cluster:
        play_on(cluster, definition, paths, clock)
    else:
        play(definition, paths, 2, clock)
    return clock.seconds_per_game()


def main(lengths: dict[float, int]) -> None:
    """Print a line for each length of games."""
    with tempfile.TemporaryDirectory() as name, running_cluster(Path(name)) as cluster:
        for _ in range(2):
            cluster.add_worker()
        for seconds, games in lengths.items():
            local, remote = [], []
            for number in range(ROUNDS):
                local.append(measure(Path(name, f"local-{seconds}-{number}"), None, seconds, games))
                remote.append(measure(Path(name, f"remote-{seconds}-{number}"), cluster, seconds, games))
            ratio = statistics.median(remote) / statistics.median(local)
            print(
                f"games of {2 * statistics.median(local):.2f} s: {100 * (ratio - 1):+.1f}% "
                f"(local {local}, cluster {remote})",
                flush=True,
            )


if __name__ == "__main__":
    chosen = [float(word) for word in sys.argv[1:]]
    main({seconds: games for seconds, games in LENGTHS.items() if not chosen or seconds in chosen})
