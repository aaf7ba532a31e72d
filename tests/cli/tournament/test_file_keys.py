"""Every option of `fa tournament run` has a key in tournament files, and each key does what the option does."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fa_cli.cli import app
from fa_cli.cli.app import root
from fa_cli.cli.framework.commands import COMMON
from fa_cli.cli.tournament import run_commands
from fa_cli.cli.tournament.file_keys import keys
from fa_cli.cli.tournament.run_options import PlayingOptions
from fa_cli.tournament import definition as definition_file
from fa_cli.tournament import setup
from fa_cli.tournament.request import TournamentRequest
from tests.inside import fa as fa
from tests.tournament.helpers import definition, dice, setting

TO_COME = int(time.time() - 1_692_803_367) // 3 + 1_000_000
"""A round of the beacon a month from now."""
# key -> (TOML value, path in the request or option of the run, parsed value)
KEYS: dict[str, tuple[str, str, Any]] = {
    "bots": ('["bots/a.py"]', "bots", ["bots/a.py"]),
    "game": ('"manhattan"', "game", "manhattan"),
    "schedule": ('"swiss"', "schedule", "swiss"),
    "challenger": ('["a"]', "challengers", ["a"]),
    "rounds": ("3", "rounds", 3),
    "sets": ("2", "sets", 2),
    "advance": ("2", "advance", 2),
    "extra-sets": ("5", "extra_sets", 5),
    "players": ("3", "players", 3),
    "option": ('{side = "six"}', "options", {"side": "six"}),
    "games": ("7", "games", 7),
    "jobs": ("3", "jobs", 3),
    "pin": ('"off"', "pin", "off"),
    "executor": ('"dask://localhost"', "executor", "dask://localhost"),
    "cluster-wait": ('"5m"', "cluster_wait", 300.0),
    "cluster-ca": ('"ca.pem"', "security.ca", "ca.pem"),
    "cluster-cert": ('"cert.pem"', "security.cert", "cert.pem"),
    "cluster-key": ('"key.pem"', "security.key", "key.pem"),
    "seed": ('"spring"', "seed", "spring"),
    "name": ('"mine"', "name", "mine"),
    "define": ("true", "define", True),
    "beacon-round": (str(TO_COME), "beacon_round", TO_COME),
    "move-time": ('"250ms"', "clock.move_ms", 250),
    "bank": ('"3s"', "clock.bank_ms", 3000),
    "start-time": ('"7s"', "limits.start", 7.0),
    "duplicate": ('"permutations"', "duplicate", "permutations"),
    "allow-repeats": ("true", "repeats", True),
    "until": ('"decided"', "until", "decided"),
    "compare": ('"a,b"', "compare", ["a", "b"]),
    "top": ("2", "top", 2),
    "alpha": ("0.01", "alpha", 0.01),
    "beta": ("0.2", "beta", 0.2),
    "margin": ("0.3", "margin", 0.3),
    "times": ("false", "times", False),
    "anonymous": ("true", "anonymous", True),
    "stderr": ('"said"', "stderr", "said"),
    "budget": ("5.5", "budget", 5.5),
    "wait": ('"5m"', "wait", 300.0),
    "sandbox": ('"none"', "limits.sandbox", False),
    "memory": ('"1GB"', "limits.memory", 10**9),
    "processes": ("9", "limits.processes", 9),
    "file-size": ('"1MB"', "limits.file_size", 10**6),
    "open-files": ("99", "limits.open_files", 99),
    "cpu": ('"8s"', "limits.cpu", 8.0),
    "idle-cpu": ('"9s"', "limits.idle_cpu", 9.0),
    "line": ('"1kB"', "limits.line", 1000),
    "output-size": ('"2kB"', "limits.output", 2000),
    "stderr-size": ('"3kB"', "limits.stderr", 3000),
    "max-faults": ("3", "limits.bench", 3),  # as files have it
    "format": ('"csv"', "table.format", "csv"),
    "wide": ("true", "table.wide", True),
    "columns": ('"bot,wins"', "table.columns", ["bot", "wins"]),
    "strict": ("true", "strict", True),
}


def test_every_option_is_here() -> None:
    run = root().child("tournament").child("run")
    assert set(KEYS) == set(keys()) == {each.name for each in run.parameters} - {each.name for each in COMMON}


@pytest.fixture
def captured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, Any]:
    """Everything that a run would get; nothing is played."""
    captured: dict[str, Any] = {}

    def make_definition(
        name: str, request: TournamentRequest, tell: object, may_start_later: bool
    ) -> definition_file.Definition:
        captured.update(msgspec.to_builtins(request), name=name)
        return definition([setting(2, 2)], 2)

    def create(paths: object, made: definition_file.Definition) -> None:
        captured.update(define=True, beacon_round=made.beacon and made.beacon.round)

    def play(definition: object, options: PlayingOptions, executor: object, absent: object) -> None:
        captured.update(
            define=False,
            executor=options.executor,
            cluster_wait=options.cluster_wait,
            security={name: str(path) for name, path in msgspec.structs.asdict(options.security).items()},
            jobs=options.jobs,
            pin=options.pin,
            budget=options.budget,
            wait=options.wait,
            stderr=str(options.stderr),
            table=msgspec.to_builtins(options.table),
        )

    monkeypatch.setattr(setup, "make_definition", make_definition)
    monkeypatch.setattr(definition_file, "create", create)
    monkeypatch.setattr(run_commands, "_play", play)
    monkeypatch.setattr(run_commands, "_choose_executor", lambda options: None)  # there is no cluster
    monkeypatch.setattr(run_commands, "_check_models", lambda *arguments: None)  # and no bot with a model
    monkeypatch.chdir(tmp_path)
    return captured


@pytest.mark.parametrize("key", KEYS)
def test_each_key_works(captured: dict[str, Any], tmp_path: Path, key: str) -> None:
    dice(tmp_path / "bots", "a", "b")
    text, where, expected = KEYS[key]
    lines = [f"{key} = {text}"] + ['bots = ["bots/b.py"]'] * (key != "bots") + ['sandbox = "none"'] * (key != "sandbox")
    (tmp_path / "spring.toml").write_text("\n".join(lines))
    assert app.run(["tournament", "run", "spring.toml"]) == 0
    value: Any = captured
    for part in where.split("."):
        value = value[part]
    assert value == expected
    captured.clear()
    (tmp_path / "spring.toml").write_text("\n".join(line for line in lines if not line.startswith(f"{key} =")))
    if key != "bots":
        assert app.run(["tournament", "run", "spring.toml"]) == 0
        default: Any = captured
        for part in where.split("."):
            default = default[part]
        assert default != expected or key == "sandbox"
