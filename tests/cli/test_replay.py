"""`fa replay`: its output, its files and its exit codes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fa_cli.cli import app
from fa_cli.game_result import Fault, FaultKind, rank_seats
from fa_cli.games import find_game
from fa_cli.games.seed import Seed
from fa_cli.match.simulate import choices_of, make_simulation, simulate_game
from fa_cli.replay import evaluation
from fa_cli.replay.log_entry import entry_of
from fa_cli.replay.log_file import read_log
from fa_cli.replay.log_writer import LogWriter, write_new_log
from fa_cli.replay.record import Record, digest_of, encode_record
from tests.conftest import Fa
from tests.damage import flip_bit

Out = pytest.CaptureFixture[str]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Five random games of Fifth Avenue for two."""
    path = tmp_path / "games.log"
    played = make_simulation("fifth-avenue", 2, {"side": "six"}, 5, "seed").play_all(1)
    write_new_log(path, (entry_of(record, packed) for record, packed in played))
    return path


def run(capsys: Out, *args: str | Path) -> tuple[int, str, str]:
    code = app.run(["replay", *map(str, args)])
    done = capsys.readouterr()
    return code, done.out, done.err


# -- verify --------------------------------------------------------------------------------------------------------


def test_a_good_log(log: Path, capsys: Out) -> None:
    plies = sum(entry.decisions for entry in read_log(log))
    note = "note: times and details in meta are not covered by the digests; only --head or a signature covers them\n"
    assert run(capsys, "verify", log) == (0, f"{log}: 5 records, {plies:,} plies: all good\n", note)
    _, told, _ = run(capsys, "verify", "--help")
    assert "not covered by the digests" in " ".join(told.split())


def test_a_bad_record_is_told_and_the_others_are_counted(log: Path, tmp_path: Path, capsys: Out) -> None:
    lines = [json.loads(encode_record(entry.record())) for entry in read_log(log)]
    lines[1]["actions"][3] = "pass"
    lines[3]["result"]["scores"] = [1, 2]
    file = tmp_path / "changed.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    code, out, err = run(capsys, "verify", file)
    assert (code, err) == (1, "fa: 2 bad records found\n")
    assert f"{file}: record 2, ply 3: 'pass' is not legal here; seat 0 can choose 'place 34E." in out
    assert f"{file}: record 4: scores: expected [" in out
    assert out.splitlines()[-1].startswith(f"{file}: 5 records, ")
    assert out.endswith(": 2 bad\n")
    # what import stores is named just so
    code, out, err = run(capsys, "import", file, "-o", tmp_path / "changed.log")
    assert (code, err) == (0, "")
    code, out, err = run(capsys, "verify", tmp_path / "changed.log")
    assert (code, err) == (1, "fa: 2 bad records found\n")
    assert "changed.log: record 2, ply 3: 'pass' is not legal here; seat 0 can choose 'place 34E." in out


def test_a_torn_end_is_reported_as_a_crash_while_writing(log: Path, capsys: Out) -> None:
    log.write_bytes(log.read_bytes()[:-5])
    code, out, err = run(capsys, "verify", log)
    assert (code, err) == (1, "fa: 1 bad record found\n")
    assert f"{log}: record 5: it is cut off by the end of the file, as by a crash while it was written" in out
    assert f"{log}: 4 records, " in out


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "No such file or directory"),
        (b"", "the file is empty"),
        (b"fa-log 9\n\0\0", "a later version of fa wrote it: format 9, this one reads formats up to 2"),
        (b"GIF89a...", "this is not a replay log: it begins with 'GIF89a...'"),
        (b'{"format":"fa-replay/3"}', "this record's format is fa-replay/3"),
    ],
)
def test_a_file_that_can_not_be_read(tmp_path: Path, log: Path, capsys: Out, content: bytes | None, told: str) -> None:
    path = tmp_path / "odd.log"
    if content is not None:
        path.write_bytes(content)
    code, out, err = run(capsys, "verify", path)
    assert (code, out) == (2, "")
    assert err.startswith(f"fa: {path}: ")
    assert told in err
    assert err.count("\n") == 1
    # the others are verified all the same
    code, out, err = run(capsys, "verify", path, log)
    assert (code, err) == (2, "fa: 1 of 2 files can't be read\n")
    assert told in out.splitlines()[0]
    assert out.endswith(": all good\n")


def test_flipped_bytes_of_a_log_are_noticed(tmp_path: Path, capsys: Out) -> None:
    path, data = tmp_path / "a.log", b""
    write_new_log(
        path, (entry_of(record) for record, _ in make_simulation("fifth-avenue", 2, {}, 2, "flip").play_all(1))
    )
    data = path.read_bytes()
    for place in range(0, len(data), 7):
        path.write_bytes(data[:place] + bytes([data[place] ^ (1 << place % 8)]) + data[place + 1 :])
        code, _, err = run(capsys, "verify", path)
        assert code in (1, 2), place
        assert err.startswith("fa: ")
        assert (code == 2) == (place < 9)


# -- list, show ----------------------------------------------------------------------------------------------------


def test_a_row_per_record(log: Path, capsys: Out) -> None:
    code, out, err = run(capsys, "list", log, "--format", "json")
    assert (code, err) == (0, "")
    record = next(read_log(log)).record()
    assert json.loads(out)[0] == {
        "record": 1,
        "number": 0,
        "game": "fifth-avenue",
        "variant": "side=six",
        "players": ["random#1", "random#2"],
        "points": record.result.scores,
        "ranks": record.result.ranks,
        "reason": record.result.reason,
        "plies": len(record.actions),
        "faults": 0,
        "suspended": 0,
    }
    assert len(json.loads(out)) == 5
    code, out, _ = run(capsys, "list", log)
    assert len(out.splitlines()) == 2 + 5
    assert out.split()[:2] == ["game", "rules"]  # what --game takes is headed game


def test_a_game_is_told_from_its_start_to_its_end(log: Path, capsys: Out) -> None:
    code, out, err = run(capsys, "show", log, "--game", "2")
    assert (code, err) == (0, "")
    record = list(read_log(log))[1].record()
    lines = out.splitlines()
    assert lines[:3] == ["Fifth Avenue (side six, setup alea, turn_limit 100)", "seat 0: random#1", "seat 1: random#2"]
    told = [line for line in lines if line[:5].strip().isdecimal() and line[5:7] == "  "]
    assert [int(line[:5]) for line in told] == list(range(len(record.actions)))
    assert told[0].split(maxsplit=1)[1].startswith("random#1 places a skyscraper on ")
    assert record.result.reason == "businesses"
    assert "The end: the last of 12 businesses was placed" in lines
    assert "bad" not in out


def test_the_final_table_is_sorted_by_rank(log: Path, capsys: Out) -> None:
    sorted_already = []
    for number, entry in enumerate(read_log(log), 1):
        record = entry.record()
        ended = zip(record.result.ranks, record.players, record.result.scores, strict=True)
        rows = [f"  {rank}. {name}, {points} points" for rank, name, points in sorted(ended, key=lambda row: row[0])]
        _, out, _ = run(capsys, "show", log, "--game", str(number))
        assert out.splitlines()[-len(rows) - 1 : -1] == rows  # then who won
        sorted_already.append(record.result.ranks == sorted(record.result.ranks))
    assert not all(sorted_already)


def test_boards_are_drawn_when_wanted(log: Path, capsys: Out) -> None:
    def drawn(*when: str) -> int:
        return run(capsys, "show", log, "--game", "1", *when)[1].count("Commissioners:")

    record = next(read_log(log)).record()
    counts = [drawn("--boards", when) for when in ("end", "rounds", "turns", "all")]
    assert counts[0] == 2
    assert counts == sorted(counts)
    assert len(set(counts)) == 4
    assert counts[3] == len(record.actions) + 1
    assert drawn() == counts[1]
    assert run(capsys, "show", log, "--game", "1", "--boards", "never")[::2] == (
        2,
        "fa: invalid --boards 'never': use all, turns, rounds or end (see fa replay show --help)\n",
    )


def failing_record() -> Record:
    """A game whose seat 1 does not start."""
    game = find_game("fifth-avenue")
    seed = Seed.from_text("fails")
    record, _ = simulate_game(game, game.make_options({}), ["a", "b"], seed, choices_of(seed, 0))
    state = game.start(game.make_options({}), 2, seed)
    choices = choices_of(seed, 0)
    record.actions = []
    while state.actor >= 0:
        action = choices.choice(state.legal()) if state.actor == 0 else state.legal()[0]
        record.actions.append(game.actions[action])
        state.apply(action)
    record.faults = [Fault(1, 0, FaultKind.START)]
    record.result = type(record.result)(state.scores(), rank_seats(state.standing(), record.faults), state.reason())
    record.meta = {"fault_details": [{"seat": 1, "ply": 0, "detail": "no \x1b answer", "stderr": "Error: \x1b\n"}, 17]}
    record.digest = digest_of(record)
    return record


def test_a_fault_is_part_of_the_story(tmp_path: Path, capsys: Out) -> None:
    path = tmp_path / "a.log"
    with LogWriter(path) as writer:
        writer.append(failing_record())
    assert run(capsys, "verify", path)[0] == 0
    lines = run(capsys, "show", path, "--game", "1", "--boards", "end")[1].splitlines()
    at = lines.index("       ! b is out of the game: start: no \\x1b answer")
    assert lines[at + 1 : at + 3] == ["         on stderr:", "         | Error: \\x1b"]
    assert lines[-2].startswith("  2. b, ") and lines[-2].endswith(" (out since ply 0: start)")
    substitutes = [line for line in lines if line.endswith("(played for it)")]
    assert substitutes
    assert all("  b " in line for line in substitutes)


def test_a_bad_record_is_told_as_far_as_it_goes(log: Path, tmp_path: Path, capsys: Out) -> None:
    record = next(read_log(log)).record()
    record.actions[5] = "pass"
    path = tmp_path / "bad.log"
    with LogWriter(path) as writer:
        writer.append(record)
    code, out, _ = run(capsys, "show", path, "--game", "1", "--boards", "end")
    assert code == 0
    assert "    4  " in out
    assert "    5  " not in out
    assert out.splitlines()[-1].startswith("This record is bad at ply 5: 'pass' is not legal here")


@pytest.mark.parametrize(("game", "told"), [("6", "no record 6: the log has 5 records"), ("0", ": use at least 1")])
def test_a_game_that_is_not_there(log: Path, capsys: Out, game: str, told: str) -> None:
    code, _, err = run(capsys, "show", log, "--game", game)
    assert code == 2
    assert told in err


# -- export, import ------------------------------------------------------------------------------------------------


def test_export_and_import_give_the_same_bytes(log: Path, tmp_path: Path, fa: Fa, capsys: Out) -> None:
    lines, again, back = tmp_path / "a.jsonl", tmp_path / "again.log", tmp_path / "b.jsonl"
    assert run(capsys, "export", log, "-o", lines) == (0, f"{lines}: 5 records\n", "")
    assert fa("replay", "export", log).stdout.encode() == lines.read_bytes()
    assert run(capsys, "import", lines, "-o", again) == (0, f"{again}: 5 records\n", "")
    assert again.read_bytes() == log.read_bytes()
    assert run(capsys, "export", again, "-o", back)[0] == 0
    assert back.read_bytes() == lines.read_bytes()
    assert [json.loads(line)["format"] for line in lines.read_text().splitlines()] == ["fa-replay/1"] * 5
    assert run(capsys, "verify", lines)[0] == 0


def test_a_private_log_is_private_when_it_comes_back(log: Path, tmp_path: Path, capsys: Out) -> None:
    """Its records have the seed of an unfinished tournament."""
    log.chmod(0o600)
    lines, again = tmp_path / "a.jsonl", tmp_path / "again.log"
    assert run(capsys, "export", log, "-o", lines)[0] == 0
    assert run(capsys, "import", lines, "-o", again)[0] == 0
    assert [path.stat().st_mode & 0o777 for path in (lines, again)] == [0o600, 0o600]


def test_export_with_what_players_could_expect(
    log: Path, tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `show` says it; the records stay those of the log."""
    monkeypatch.setattr(evaluation, "_SEARCHED", 1)
    one, lines, again = tmp_path / "one.log", tmp_path / "a.jsonl", tmp_path / "again.log"
    assert run(capsys, "extract", log, "--game", "1", "-o", one)[0] == 0
    assert run(capsys, "export", one, "--evaluate", "-o", lines)[0] == 0
    record = json.loads(lines.read_bytes())
    found = record["meta"]["evaluation"]
    assert len(found["shares"]) == len(record["actions"]) + 1
    assert all(sum(shares) == pytest.approx(1) for shares in found["shares"])
    assert all(each.keys() == {"ply", "seat", "played", "better", "kept", "possible"} for each in found["worst"])
    said = run(capsys, "show", one, "--evaluate", "--boards", "end")[1]
    assert f"{record['players'][0]} {found['shares'][7][0]:.0%}" in said
    assert all(each["better"] in said for each in found["worst"])
    assert run(capsys, "import", lines, "-o", again)[0] == 0
    assert run(capsys, "verify", again)[0] == 0


def test_the_worst_decisions_of_one_player(log: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation, "_SEARCHED", 2)
    show = ("show", log, "--boards", "end", "--player")
    player = next(read_log(log)).players[1]
    worst = run(capsys, *show, player, "--evaluate")[1].partition("The worst decisions:\n")[2].splitlines()[::2]
    assert worst
    assert all(re.match(rf" *\d+  {player} ", line) for line in worst)
    assert run(capsys, *show, "nobody", "--evaluate")[2].startswith(f"fa: {log}: record 1 has no player nobody; ")
    assert run(capsys, *show, player)[2] == "fa: --player is for --evaluate\n"


def test_export_with_all_legal_actions(log: Path, tmp_path: Path, capsys: Out) -> None:
    lines, again = tmp_path / "a.jsonl", tmp_path / "again.log"
    assert run(capsys, "export", log, "--legal", "-o", lines)[0] == 0
    for line in lines.read_text().splitlines():
        record = json.loads(line)
        assert len(record["legal"]) == len(record["actions"])
        assert all(action in legal for action, legal in zip(record["actions"], record["legal"], strict=True))
    assert run(capsys, "verify", lines)[0] == 0
    assert run(capsys, "import", lines, "-o", again)[0] == 0
    assert again.read_bytes() == log.read_bytes()


def test_import_from_standard_input(log: Path, tmp_path: Path) -> None:
    lines = b"".join(encode_record(entry.record()) + b"\n" for entry in read_log(log))
    command = [sys.executable, "-m", "fa_cli", "replay", "import", "-", "-o", "piped.log"]
    done = subprocess.run(command, cwd=tmp_path, input=lines, capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"piped.log: 5 records\n", b"")
    assert (tmp_path / "piped.log").read_bytes() == log.read_bytes()


def test_import_refers_a_pipe_to_standard_input(tmp_path: Path, capsys: Out) -> None:
    os.mkfifo(tmp_path / "pipe")
    code, _, err = run(capsys, "import", tmp_path / "pipe", "-o", tmp_path / "a.log")
    assert (code, err) == (2, f"fa: {tmp_path / 'pipe'} is a pipe: use - and give it as standard input\n")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "no record in it"),
        (b"\n \n", "no record in it"),
        (b"{}", "line 1: this is not a record"),
        (b'{"format":"fa-replay/2"}', "line 1: this record's format is fa-replay/2"),
        (b"fa-log 2\n", "line 1: this is not a record"),
    ],
)
def test_what_can_not_be_imported(tmp_path: Path, capsys: Out, content: bytes, told: str) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(content)
    code, out, err = run(capsys, "import", file, "-o", tmp_path / "new.log")
    assert (code, out) == (2, "")
    assert err.startswith(f"fa: {file}: ")
    assert told in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == [file]


def test_a_bad_line_after_good_ones(log: Path, tmp_path: Path, capsys: Out) -> None:
    file = tmp_path / "a.jsonl"
    assert run(capsys, "export", log, "-o", file)[0] == 0
    file.write_bytes(file.read_bytes() + b"\n\nrubbish\n")
    code, _, err = run(capsys, "import", file, "-o", tmp_path / "new.log")
    assert (code, err[: len(f"fa: {file}: line 8: ")]) == (2, f"fa: {file}: line 8: ")
    assert not (tmp_path / "new.log").exists()


def test_nothing_is_written_over(log: Path, tmp_path: Path, capsys: Out) -> None:
    lines = tmp_path / "a.jsonl"
    assert run(capsys, "export", log, "-o", lines)[0] == 0
    before = log.read_bytes()
    for command in (
        ["import", lines, "-o", log],
        ["extract", log, "--game", "1", "-o", log],
        ["export", log, "-o", log],
        ["export", log, "-o", lines],
    ):
        code, _, err = run(capsys, *command)
        assert code == 2
        assert err.count("\n") == 1
    assert log.read_bytes() == before


def test_a_damaged_log_is_not_exported_in_silence(log: Path, tmp_path: Path, capsys: Out) -> None:
    flip_bit(log, 300)
    for command in (
        ["export", log, "-o", tmp_path / "a.jsonl"],
        ["list", log],
        ["extract", log, "--game", "5", "-o", tmp_path / "n"],
        ["find", log],
        ["svg", log, "--game", "5", "-o", tmp_path / "board.svg"],
    ):
        code, _, err = run(capsys, *command)
        assert code == 2
        assert err.startswith(f"fa: {log}: record ")
        assert "`fa replay repair` mends it" in err
        assert err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == [log.name]


@pytest.mark.parametrize("content", [None, "no log"])
def test_without_a_log_export_makes_no_file(tmp_path: Path, capsys: Out, content: str | None) -> None:
    if content:
        (tmp_path / "a.log").write_text(content)
    code, _, err = run(capsys, "export", tmp_path / "a.log", "-o", tmp_path / "a.jsonl")
    assert (code, err.startswith(f"fa: {tmp_path / 'a.log'}: ")) == (2, True)
    assert not (tmp_path / "a.jsonl").exists()


def test_a_torn_end_is_told_when_exporting(log: Path, tmp_path: Path, capsys: Out) -> None:
    log.write_bytes(log.read_bytes()[:-5])
    code, _, err = run(capsys, "export", log, "-o", tmp_path / "a.jsonl")
    assert code == 0
    assert "record 5: it is cut off by the end of the file" in err
    assert len((tmp_path / "a.jsonl").read_bytes().splitlines()) == 4


# -- extract, repair -----------------------------------------------------------------------------------------------


def test_extract(log: Path, tmp_path: Path, capsys: Out) -> None:
    new = tmp_path / "new.log"
    code, out, err = run(capsys, "extract", log, "--game", "4-5", "--game", "2", "-o", new)
    assert (code, out, err) == (0, f"{new}: 3 records\n", "")
    assert [entry.number for entry in read_log(new)] == [1, 3, 4]
    assert run(capsys, "verify", new)[0] == 0


@pytest.mark.parametrize("game", ["6", "0", "3-2", "1-999999999999", "x", "-", "1-", "²"])
def test_what_can_not_be_extracted(log: Path, tmp_path: Path, capsys: Out, game: str) -> None:
    code, _, err = run(capsys, "extract", log, f"--game={game}", "-o", tmp_path / "new.log")
    assert code == 2
    assert err.count("\n") == 1
    assert not (tmp_path / "new.log").exists()


def test_repair(log: Path, capsys: Out) -> None:
    data = log.read_bytes()
    assert run(capsys, "repair", log) == (0, f"{log}: nothing to repair, 5 records kept\n", "")
    assert log.read_bytes() == data
    log.write_bytes(data[:-5])
    code, out, _ = run(capsys, "repair", log)
    assert (code, out.splitlines()[-1]) == (0, f"{log}: repaired, 4 records kept")
    assert run(capsys, "verify", log)[0] == 0
    log.write_bytes(data)
    damaged = flip_bit(log)
    code, out, _ = run(capsys, "repair", log)
    assert (code, out.splitlines()[-1]) == (0, f"{log}: repaired, 4 records kept")
    assert log.with_name("games.log.damaged").read_bytes() == damaged
    assert run(capsys, "verify", log)[0] == 0


def test_a_seed_that_follows_from_the_tournament(log: Path) -> None:
    record = next(read_log(log)).record()
    assert record.seed == Seed.from_text("seed").of_game(0).hex()
