"""Names and messages that could affect a terminal, a web page or a spreadsheet, in every output that shows them."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fa_cli.cli import app
from fa_cli.game_result import Fault, FaultKind
from fa_cli.match.simulate import make_simulation
from fa_cli.replay.log_file import read_log
from fa_cli.replay.record import digest_of, encode_record
from fa_cli.tournament.running.progress import RunProgress
from tests.fakes import FAKE

NAMES = [
    '=HYPERLINK("http://x.example";"x")<script>alert(\'a\')</script>',
    "\x1b]0;owned\x07\x1b[2J|[red]|[x](javascript:alert(1))|<img src=x onerror=y>\u202e\r\n\t*a* `b` _c_ www.x.example",
]
OTHERS = ["@SUM(1)", "+1", "-1", "&lt;b&gt;\\|<b>", "\x9b31m\u2028\ue000"]
TABLES = (
    *(["replay", "list", "LOG"], ["replay", "find", "LOG"], ["leaderboard", "LOG"], ["leaderboard", "LOG", "--matrix"]),
    *(["leaderboard", "LOG", "--seats"], ["leaderboard", "LOG", "--faults"]),
)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games whose players, faults and other texts are as hostile as a log allows."""
    folder = tmp_path_factory.mktemp("hostile")
    lines = []
    for number, (record, _) in enumerate(make_simulation("manhattan", 2, {}, 1 + len(OTHERS), "hostile").play_all(1)):
        record.players = NAMES if number == 0 else [OTHERS[number - 1], NAMES[0]]
        record.faults = [Fault(0, 1, FaultKind.ILLEGAL)]
        record.result = msgspec.structs.replace(record.result, reason=NAMES[1])
        record.meta = {
            "number": number,
            "fault_details": [{"seat": 0, "ply": 1, "kind": "illegal", "detail": NAMES[1], "stderr": NAMES[1]}],
            NAMES[0]: NAMES,
        }
        record.actions[3 if number == 2 else -1] = NAMES[1] if number in (0, 2) else record.actions[-1]
        record.digest = digest_of(record)
        lines.append(encode_record(record) + b"\n")
    (folder / "lines.jsonl").write_bytes(b"".join(lines))
    assert app.run(["replay", "import", str(folder / "lines.jsonl"), "--output", str(folder / "hostile.log")]) == 0
    return folder / "hostile.log"


def run(capsys: pytest.CaptureFixture[str], *args: str | Path, code: int = 0) -> str:
    """What `fa ARGS...` prints on stdout; nothing on either stream may affect a terminal."""
    ended = app.run(list(map(str, args)))
    done = capsys.readouterr()
    assert ended == code, done.err
    text = done.out + done.err
    assert all(char.isprintable() or char == "\n" for char in text), [char for char in text if not char.isprintable()]
    return done.out


@pytest.mark.parametrize("table", TABLES, ids=" ".join)
def test_tables(table: list[str], log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [str(log) if word == "LOG" else word for word in table]
    shown = {format: run(capsys, *words, "--format", format) for format in ("table", "json", "csv", "markdown")}
    assert all(shown.values())
    assert len(json.loads(shown["json"])) > 0
    for row in csv.reader(io.StringIO(shown["csv"])):
        assert [cell for cell in row if cell.startswith(("=", "+", "@"))] == []
        assert [cell for cell in row if re.match(r"-(?![\d.]+( -?[\d.]+)*$)", cell)] == []
    lines = shown["markdown"].splitlines()
    rows = lines.index("") if "" in lines else len(lines)  # notes follow
    columns = lines[1].count("|")
    assert columns > 2
    for number, line in enumerate(lines):
        bare = re.sub(r"\\[\\`*\[\]|~_]", "", line)  # without what is escaped
        assert bare.count("|") == (columns if number < rows else 0)
        assert not re.search(r"[<>`*\[\]~]|://|www\.|&(?!(lt|gt|amp|#\d+);)", bare), bare


def test_games_told(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert NAMES[0] in run(capsys, "replay", "show", log, "--game", "1", "--boards", "all")
    assert "\\x1b[2J" in run(capsys, "replay", "show", log, "--game", "1")
    for file in (log, log.with_name("lines.jsonl")):
        assert "record 1: a player's name is" in run(capsys, "replay", "verify", file, code=1)
    exported = run(capsys, "replay", "export", log).splitlines()
    assert json.loads(exported[0])["players"] == NAMES


def test_a_bot_that_says_such_things(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A bot's name, action and stderr: in its check, in a match, in a tournament and its log."""
    bots = []
    for number, behaviour in enumerate(("coloured-name", "speaks-in-colours", "honest")):
        folder = tmp_path / "bots" / f"b{number}"
        folder.mkdir(parents=True)
        command = [sys.executable, "-S", "fake.py", behaviour]
        (folder / "fake.py").write_bytes(FAKE.read_bytes())
        about: dict[str, Any] = {"command": command, "description": NAMES[1]}
        (folder / "bot.toml").write_text("".join(f"{name} = {json.dumps(value)}\n" for name, value in about.items()))
        bots.append(folder)
    skipped = (2, 4, 5, 6, 8, 9, 10, 11)
    for bot in bots[:2]:
        assert "\\x1b[2J<script>" in run(
            capsys, "bot", "check", bot, "--games", "1", *(f"--skip={number}" for number in skipped), code=1
        )
    game = ["--game", "fifth-avenue"]
    home = ["--home", tmp_path]
    run(capsys, *home, "tournament", "run", *bots[1:], *game, "--games", "2", "--name", "x")
    for words in (["tournament", "show", "x"], ["leaderboard", "x", "--faults"], ["tournament", "list"]):
        for format in ("table", "markdown", "csv", "json"):
            run(capsys, *home, *words, "--format", format)
    told = run(capsys, *home, "replay", "show", tmp_path / "logs/x.log", "--game", "1", "--boards", "end")
    assert "\\x1b[2J<script>alert(1)</script>\\u202e" in told


def test_how_a_run_gets_on(log: Path) -> None:
    (entry, *_) = read_log(log)
    watcher = RunProgress(1)
    watcher.played(msgspec.structs.replace(entry, faults=[]))  # who failed has not won
    assert watcher.leader().isprintable()
    assert watcher.leader().endswith(" leads with 100% wins")
