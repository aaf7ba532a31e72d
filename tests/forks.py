"""Workers of tournaments and other processes as forks of one that has imported what they need: most of their start.

A command that runs as a process of its own starts its workers as it does for users.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from multiprocessing import forkserver, popen_forkserver
from multiprocessing.context import ForkServerProcess
from types import SimpleNamespace
from unittest import mock

import pytest


class ForkServer(forkserver.ForkServer):
    """In place of the module: that has one server, which tests of clusters give other imports."""

    read_signed = staticmethod(forkserver.read_signed)


_SERVER = ForkServer()
_SERVER.set_forkserver_preload(
    [__name__, "fa_cli.tournament.running.workers", "fa_cli.games.fifth_avenue", "multiprocessing.sharedctypes"]
)


class Fork(ForkServerProcess):
    """A process that has the environment of its start."""

    server = _SERVER

    def start(self) -> None:
        self._environment = dict(os.environ)
        with mock.patch.object(popen_forkserver, "forkserver", self.server):
            super().start()

    def run(self) -> None:
        os.environ.clear()
        os.environ.update(self._environment)
        super().run()


@pytest.fixture(scope="session", autouse=True)
def forked_workers() -> Iterator[None]:
    """Tournaments that tests play in their own process have such workers."""
    from fa_cli.tournament.running import workers

    _SERVER.ensure_running()  # before a tournament, which ends the processes that begin during it
    with mock.patch.object(workers, "_CONTEXT", SimpleNamespace(Pipe=multiprocessing.Pipe, Process=Fork)):
        yield
