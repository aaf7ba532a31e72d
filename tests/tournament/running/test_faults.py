"""Misbehaving bots in whole tournaments, with the rules of a real game."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from fa_cli.cli import app
from fa_cli.game_result import FaultKind
from fa_cli.replay.log_file import read_log
from tests.fakes import FAKE, assert_gone, assert_none_left


def folder_of(home: Path, name: str, behaviour: str, *flags: str | Path) -> Path:
    """A bot's folder with the fake in it."""
    folder = home / "bots" / name
    folder.mkdir(parents=True)
    (folder / "fake.py").write_bytes(FAKE.read_bytes())
    command = json.dumps([sys.executable, "-S", "fake.py", behaviour, *map(str, flags)])
    (folder / "bot.toml").write_text(f"command = {command}\n")
    return folder


def test_who_never_reads_and_lets_its_pipe_fill(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is late by its clock, its game is played to the end, and so is every other game."""
    pids, once = tmp_path / "pids", tmp_path / "once"
    bots = [
        folder_of(tmp_path, "deaf", "fills-pipe", "--at", "20", "--pids", pids, "--once", once),
        folder_of(tmp_path, "honest", "honest", "--pids", pids),
    ]
    words = ["--home", tmp_path, "tournament", "run", *bots, "--game", "manhattan", "--games", "4"]
    words += ["--name", "x", "--seed", "x"]
    assert app.run([*map(str, words), "--sandbox", "none", "--jobs", "1", "--move-time", "1s"]) == 0
    records = [entry.record() for entry in read_log(tmp_path / "logs/x.log")]
    assert [len(record.faults) for record in records] == [1, 0, 0, 0]
    first, (fault,) = records[0], records[0].faults
    assert (first.players[fault.seat], fault.kind) == ("deaf", FaultKind.TIMEOUT)
    assert first.meta["fault_details"][0]["detail"] == "did not read its input within 1 second"
    assert 1_000_000 <= first.meta["time_us"][fault.seat] < 1_300_000
    assert first.result.ranks[fault.seat] == 2
    for record in records:
        assert min(record.meta["asked"]) > 20
    assert app.run(["replay", "verify", str(tmp_path / "logs/x.log")]) == 0
    assert app.run(["--home", str(tmp_path), "tournament", "verify", "x"]) == 0
    assert_gone(pids)
    assert_none_left(tmp_path)
    assert "Traceback" not in capsys.readouterr().err
