"""Somebody kills the processes of `fa` around bots while games are played: no bot has a fault for that."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest

from fa_cli.cli import app
from fa_cli.game_result import FaultKind
from fa_cli.isolation.supervision.procfs import tree
from fa_cli.replay.verify import check
from tests.needed import needs_sandbox
from tests.tournament.helpers import dice

from .test_run import define, entries, play

GAMES = {"game": "fifth-avenue", "players": 2, "options": {"turn_limit": "2"}, "times": False}
# some decisions take long, and the name of the process tells it meanwhile
SLOW = "NAME == 'a' and asked == 2 and seed[-1] in '012' and (rename('slow'), time.sleep(0.3), rename('quick'))"
RENAME = "def rename(name):\n    open('/proc/self/comm', 'w').write(name)\n\n"
ABOVE = {"bubblewrap": 2, "supervisor": 1, "server": 2}
"""Who is killed: so many processes above the bot."""
KILL = "(os.kill(os.getppid(), 9), time.sleep(60))"  # the server ends the bot a moment later


def slow_bots(folder: Path) -> list[Path]:
    bots = dice(folder, "a", "b", before=SLOW)
    for bot in bots:
        bot.write_text(bot.read_text().replace("NAME =", f"{RENAME}NAME =", 1))
    return bots


class Killer(threading.Thread):
    """Kills somebody above a bot that is deciding: in every second slow game, as the other one is its replay."""

    def __init__(self, kind: str) -> None:
        super().__init__(daemon=True)
        self._kind = kind
        self._ended = threading.Event()
        self.kills = 0

    def run(self) -> None:
        known: set[int] = set()
        while not self._ended.wait(0.01):
            slow = {pid for pid in tree(os.getpid()) if fields(pid, "comm") == "slow"}
            for victim in slow - known:
                self.kills += 1
                for _ in range(ABOVE[self._kind]):
                    victim = int(fields(victim, "stat").rpartition(")")[2].split()[1])
                is_worker = "multiprocessing" in fields(victim, "cmdline")  # of a bot whose server was killed before
                if self.kills % 2 and not is_worker:
                    os.kill(victim, signal.SIGKILL)
            known = slow

    def end(self) -> None:
        self._ended.set()
        self.join()


def fields(pid: int, name: str) -> str:
    try:
        return Path(f"/proc/{pid}/{name}").read_text().strip()
    except OSError:
        return ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "games"),
    [
        ("supervisor", 20),
        pytest.param("server", 8, marks=pytest.mark.slow),
        pytest.param("bubblewrap", 8, marks=[needs_sandbox, pytest.mark.slow]),
    ],
)
def test_a_killed_supervisor_is_no_fault(tmp_path: Path, kind: str, games: int) -> None:
    wishes = GAMES | {"games": games, "limits": {"sandbox": kind == "bubblewrap"}}
    bots = slow_bots(tmp_path)
    play(*define(tmp_path / "undisturbed", bots, **wishes))
    definition, place = define(tmp_path, bots, **wishes)
    killer = Killer(kind)
    killer.start()
    try:
        watcher = play(definition, place)
    finally:
        killer.end()
    assert killer.kills >= 2
    assert [entry.record().meta["fault_details"] for entry in entries(place) if entry.faults] == []
    assert not any(check(entry) for entry in entries(place))
    assert place.log.read_bytes() == (tmp_path / "undisturbed/logs/test.log").read_bytes()
    assert all("lost the process of fa that supervises" in text for text in watcher.warnings)
    assert len(watcher.warnings) == (0 if kind == "server" else (killer.kills + 1) // 2)


def test_a_bot_that_kills_its_supervisor_gains_nothing(tmp_path: Path) -> None:
    """Without the sandbox it can. Each game is played again once, and then the bot has a fault in it."""
    bots = [*dice(tmp_path, "a"), *dice(tmp_path, "killer", before=f"asked == 1 and {KILL}")]
    definition, place = define(tmp_path, bots, **GAMES | {"games": 4})
    watcher = play(definition, place, 2)
    records = [entry.record() for entry in entries(place)]
    faults = [[(record.players[fault.seat], fault.kind) for fault in record.faults] for record in records]
    assert faults == [[("killer", FaultKind.RESOURCE)]] * 4
    assert {record.meta["fault_details"][0]["detail"] for record in records} == {"lost its supervisor twice"}
    assert not any(check(entry) for entry in entries(place))
    assert len(watcher.warnings) == 8
    assert sum(text.endswith("; it is played again, and killer fails in it") for text in watcher.warnings) == 4


@pytest.mark.parametrize("asked", [0, 2])
def test_single_games_stop_with_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str], asked: int) -> None:
    """Also if it is killed while the bot starts, before its first decision."""
    (good,) = dice(tmp_path, "good")
    (killer,) = dice(tmp_path, "killer", before=f"asked == {asked} and {KILL}")
    if not asked:
        killer.write_text(f"import os, time\n{KILL}")
    words = ("--sandbox", "none", "--game", "manhattan")
    for command in (("match", good, killer, *words), ("bot", "check", killer, *words[:2])):
        assert app.run(["--home", str(tmp_path), *map(str, command)]) == 2
        error = capsys.readouterr().err.splitlines()[-1]
        assert error.startswith("fa: ")
        assert "the process of fa that supervises killer" in error
