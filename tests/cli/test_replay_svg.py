"""`fa replay svg`: its pictures, and what it says of wrong input."""

from __future__ import annotations

import json
import os
from pathlib import Path
from xml.etree import ElementTree

import pytest

from fa_cli.match.simulate import make_simulation
from fa_cli.replay.log_entry import entry_of
from fa_cli.replay.log_file import read_log
from fa_cli.replay.log_writer import write_new_log
from fa_cli.replay.reconstruct import deal_of
from fa_cli.replay.record import encode_record
from fa_cli.viewer.drawing import draw, svg
from tests.conftest import Fa
from tests.inside import fa as fa


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Three random games of New York for three, at logs/games.log."""
    (tmp_path / "logs").mkdir()
    path = Path("logs/games.log")
    played = make_simulation("new-york", 3, {"turn_limit": 4}, 3, "seed").play_all(1)
    write_new_log(tmp_path / path, (entry_of(record, packed) for record, packed in played))
    return path


def drawing_of(log: Path, number: int, decisions: int, seat: int | None) -> str:
    """The expected picture, made from the library."""
    record = list(read_log(log))[number - 1].record()
    game, state = deal_of(record)
    drawings = [draw(game.name, game.view(state, seat) | {"names": record.players})]
    for action in record.actions[:decisions]:
        state.apply(game.action_number(action))
        drawings.append(draw(game.name, game.view(state, seat) | {"names": record.players}))
    return svg(drawings[-1], "auto", drawings[-2] if decisions else None)


@pytest.mark.parametrize(("ply", "decisions"), [("deal", 0), ("0", 1), ("30", 31), ("end", 10**6)])
@pytest.mark.parametrize("seat", [None, 2])
def test_a_position(fa: Fa, log: Path, ply: str, decisions: int, seat: int | None) -> None:
    chosen = [] if seat is None else ["--seat", str(seat)]
    done = fa("replay", "svg", log, "--game", "2", "--ply", ply, *chosen, "-o", "board.svg")
    written = Path("board.svg").read_text(encoding="utf-8")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"wrote board.svg ({len(written) / 1000:,.0f} kB)\n"
    assert written == drawing_of(log, 2, decisions, seat)


def test_what_the_decision_changed_is_marked(fa: Fa, log: Path) -> None:
    deal, placed = (fa("replay", "svg", log, "--ply", ply).stdout for ply in ("deal", "0"))
    assert 'class="change"' not in deal
    assert 'class="change"' in placed


def test_by_default_the_end_of_the_first_game_is_printed(fa: Fa, log: Path) -> None:
    assert fa("replay", "svg", "games").stdout == drawing_of(log, 1, 10**6, None)


def test_a_picture_or_an_empty_file_is_overwritten(fa: Fa, log: Path) -> None:
    Path("board.svg").touch()
    for ply in ("3", "5"):
        assert fa("replay", "svg", log, "--ply", ply, "-o", "board.svg").returncode == 0
    assert Path("board.svg").read_text(encoding="utf-8") == drawing_of(log, 1, 6, None)


def test_a_theme(fa: Fa, log: Path) -> None:
    light, dark = (fa("replay", "svg", log, "--theme", theme).stdout for theme in ("light", "dark"))
    assert light != dark
    assert "prefers-color-scheme" not in light + dark


def test_the_picture_of_a_private_log_is_private(fa: Fa, log: Path) -> None:
    log.chmod(0o600)
    assert fa("replay", "svg", log, "-o", "board.svg").returncode == 0
    assert Path("board.svg").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--game", "9"], "logs/games.log: no record 9: the log has 3 records"),
        (["--ply", "1000"], "logs/games.log: record 1: no ply 1000: the last is 35"),
        (["--ply", "-1"], "invalid ply '-1': use a number from 0, deal or end"),
        (["--ply", "last"], "invalid ply 'last': use a number from 0, deal or end"),
        (["--ply", "٣"], "invalid ply '٣': use a number from 0, deal or end"),
        (["--ply", "9" * 5000], f"invalid ply '{'9' * 40}...': use a number from 0, deal or end"),
        (["--seat", "3"], "logs/games.log: record 1: no seat 3: the seats are 0 to 2"),
        (["-o", "logs"], "logs is a folder: name a file, for example logs/board.svg"),
        (["-o", "missing/board.svg"], "cannot write missing/board.svg: No such file or directory"),
        (["-o", "logs/games.log"], "logs/games.log exists and is not an SVG picture: choose another name"),
        (["-o", "x" * 300], f"cannot write {'x' * 300}: File name too long"),
        (["-o", "board.png"], "board.png would be an SVG picture: choose a name that ends in .svg"),
        (["-o", "/dev/null"], "/dev/null is not a file: choose another name"),
        (["-o", "pipe"], "pipe is not a file: choose another name"),
        (["-o", "logs/games.log/x.svg"], "cannot write logs/games.log/x.svg: Not a directory"),
    ],
)
def test_wrong_input(fa: Fa, log: Path, args: list[str], message: str) -> None:
    before = log.read_bytes()
    os.mkfifo("pipe")
    done = fa("replay", "svg", log, *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert " ".join(done.stderr.split()) == f"fa: {message}"
    assert log.read_bytes() == before
    assert not Path("board.svg").exists()


def test_a_record_that_does_not_verify(fa: Fa, log: Path) -> None:
    """It is drawn up to the first difference, with a warning; names that no player can have are escaped."""
    good = next(iter(read_log(log))).record()
    bad = json.loads(encode_record(good))
    bad["actions"][27] = "pass"
    other = json.loads(encode_record(good))
    other["players"][0] = "</svg><script>alert(1)</script>"
    Path("bad.jsonl").write_text("\n".join(map(json.dumps, (bad, other))), encoding="utf-8")
    assert fa("replay", "import", "bad.jsonl", "-o", "bad.log").returncode == 0

    done = fa("replay", "svg", "./bad.log", "--ply", "30")
    assert (done.returncode, done.stdout) == (0, drawing_of(log, 1, 27, None))
    assert done.stderr.startswith("warning: bad.log: record 1, ply 27: 'pass' is not legal here; ")
    assert done.stderr.endswith("; the picture shows the position before that\n")
    before = fa("replay", "svg", "./bad.log", "--ply", "8")
    assert before.stdout == drawing_of(log, 1, 9, None)
    assert before.stderr.startswith("warning: bad.log: record 1, ply 27: 'pass' is not legal here; ")
    assert "the position before that" not in before.stderr

    named = fa("replay", "svg", "./bad.log", "--game", "2")
    assert named.stderr.startswith("warning: bad.log: record 2: a player's name is letters, digits")
    assert "<script" not in named.stdout
    ElementTree.fromstring(named.stdout)
