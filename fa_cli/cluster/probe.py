"""What this machine can play, found out by playing: `python -m fa_cli.cluster.probe` prints it as a line of JSON.

A worker runs it as a process of its own, so that nothing of it stays in the worker.
"""

from __future__ import annotations

import os
import platform
import shutil
import socket
import tempfile
from time import process_time

import msgspec

from ..errors import BotError
from ..games import MODULES, is_compiled
from ..isolation.builds import cache_folder
from ..isolation.limits import MIB
from ..isolation.sandbox.bubblewrap import why_not
from ..kits.languages import LANGUAGES
from ..match.simulate import make_simulation
from ..system import cores
from .batch_messages import engine_version

_GAMES_EACH = 50
"""Calibration games of each game, about a tenth of a second in all."""
_ROUNDS = 3
_WRITTEN = MIB
"""Bytes that the cache must take."""


class MachineFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A machine as a place to play. Every field but `engine` has a default, so that later versions can be read."""

    engine: str
    """The version of the engine, as `engine_version` returns it."""
    build: str = ""
    """How the engines run: `compiled` or `Python`. Both play the same, compiled ones faster."""
    python: str = ""
    host: str = ""
    cores: int = 0
    languages: list[str] = []
    """The languages of `fa bot new` whose tools are all installed."""
    no_sandbox: str = ""
    """Why the sandbox does not work; empty if it does."""
    memory: int = 0
    """Bytes of the machine, used ones too."""
    disk: int = 0
    """Bytes free where bots are unpacked and built."""
    no_cache: str = ""
    """Why nothing can be written there; empty if it can."""
    games_per_second: float = 0.0
    """Calibration games per second of processor time."""


def examine() -> MachineFacts:
    """The facts of this machine."""
    disk, no_cache = _cache_state()
    return MachineFacts(
        engine=engine_version(),
        build="compiled" if is_compiled() else "Python",
        python=platform.python_version(),
        host=socket.gethostname(),
        cores=cores(),
        languages=[name for name, language in LANGUAGES.items() if not language.missing()],
        no_sandbox=why_not(),
        memory=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        disk=disk,
        no_cache=no_cache,
        games_per_second=calibrate(),
    )


def calibrate() -> float:
    """Random games per second of processor time, on this process's core: the fastest of three rounds.

    The games are the same on every machine.
    """
    simulations = [make_simulation(name, None, {}, _GAMES_EACH, "calibration") for name in MODULES]
    fastest = float("inf")
    for _ in range(_ROUNDS):
        start = process_time()
        for simulation in simulations:
            for number in range(simulation.games):
                simulation.play(number)
        fastest = min(fastest, process_time() - start)
    return len(simulations) * _GAMES_EACH / fastest


def _cache_state() -> tuple[int, str]:
    """The bytes free for bots, and why nothing can be written there."""
    try:
        folder = cache_folder()
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(_WRITTEN))
            file.flush()
        return shutil.disk_usage(folder).free, ""
    except BotError as error:
        return 0, str(error)
    except OSError as error:
        return 0, f"{folder}: {error.strerror}"


if __name__ == "__main__":
    print(msgspec.json.encode(examine()).decode())
