"""`fa bot replay`: equal and different decisions, and games that can't be replayed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fa_cli.replay.log_entry import entry_of
from fa_cli.replay.log_file import read_log
from fa_cli.replay.log_writer import write_new_log
from tests.cli.games.test_match import BOTS, bot
from tests.conftest import Fa, assert_refused
from tests.inside import fa as fa


@pytest.mark.parametrize(
    ("game", "more"),
    [("fifth-avenue", ["--option", "turn_limit=5"]), ("manhattan", []), ("new-york", ["--option", "turn_limit=5"])],
)
def test_the_bot_that_played(fa: Fa, game: str, more: list[str]) -> None:
    """The random bot plays by its `bot_seed`, which must be the recorded one."""
    bots = (BOTS / "random", BOTS / "greedy.py")
    run = fa("tournament", "run", *bots, "--game", game, "--games", "2", "--name", "a", "--jobs", "1", *more)
    assert run.returncode == 0, run.stderr
    row = json.loads(fa("replay", "list", "logs/a.log", "--format", "json").stdout)[1]
    seat = row["players"].index("random")
    done = fa("bot", "replay", "logs/a.log", "--game", "2", "--seat", str(seat), BOTS / "random")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert done.stderr.splitlines()[-1].startswith("no difference: ")


def test_messages_are_printed_whole(fa: Fa) -> None:
    assert fa("match", BOTS / "greedy.py", BOTS / "greedy.py", "--game", "manhattan", "--quiet").returncode == 0
    words = ("bot", "replay", "logs/match-1.log", BOTS / "greedy.py", "--seat", "0", "--verbose")
    assert '"observation":{...}' in fa(*words).stdout
    assert '"observation":{"seat":0,' in fa(*words, "--whole").stdout


def test_all_games_of_a_player(fa: Fa) -> None:
    bots = (BOTS / "random", BOTS / "greedy.py", "--game", "manhattan")
    assert fa("tournament", "run", *bots, "--games", "4", "--name", "a", "-q").returncode == 0
    alone = ("--sandbox", "none", "--format", "json")
    done = fa("bot", "replay", "a", BOTS / "random", "--player", "random", *alone)
    rows = json.loads(done.stdout)
    assert done.returncode == 0 and "in 4 games as they were played" in done.stderr
    assert [row["record"] for row in rows] == [1, 2, 3, 4]
    assert fa("match", "one=greedy", "one=greedy", "--game", "manhattan").returncode == 0
    assert "in 1 game as they were" in fa("bot", "replay", "logs/match-1.log", "greedy", "--player", "one").stderr
    assert all(row["answers"] > 20 and row["different"] == 0 and row["failed"] == "" for row in rows)
    assert done.stderr.count("warning: ") == 1, "that there is no sandbox, not for each game"
    other = fa("bot", "replay", "a", BOTS / "greedy.py", "--player", "random")
    assert other.returncode == 1 and "answers are not what was played" in other.stderr
    assert_refused(fa("bot", "replay", "a", BOTS / "random", "--player", "rando"), "logs/a.log: no game of rando; did")
    assert_refused(fa("bot", "replay", "a", BOTS / "random"), "one of --seat and --player says")


def test_another_bot(fa: Fa) -> None:
    assert fa("match", BOTS / "random", BOTS / "greedy.py", "--game", "manhattan", "--seed", "a").returncode == 0
    done = fa("bot", "replay", "logs/match-1.log", "--game", "1", "--seat", "1", BOTS / "random", "--format", "json")
    assert done.returncode == 1
    rows = json.loads(done.stdout)
    record = json.loads(fa("replay", "export", "logs/match-1.log", "--legal").stdout)
    for row in rows:
        assert record["actions"][row["ply"]] == row["recorded"] != row["answer"]
        assert len(record["legal"][row["ply"]]) == row["legal"]
        assert row["is_legal"] == (row["answer"] in record["legal"][row["ply"]]) is True
        assert row["turn"].startswith("greedy ")
    assert f"fa: {len(rows)} of {record['meta']['asked'][1]} answers are not what was played" in done.stderr


def test_bots_that_fail(fa: Fa, tmp_path: Path) -> None:
    wrong, gone = bot(tmp_path, "wrong", "illegal"), bot(tmp_path, "gone", "exit-at-hello")
    assert fa("match", wrong, gone, "--game", "manhattan", "-o", "a.log").returncode == 0
    ask = ("bot", "replay", "a.log", "--game", "1", "--seat")
    done = fa(*ask, "0", BOTS / "greedy.py")
    assert done.returncode == 1
    failed = "at ply 1 the recorded bot failed (illegal: it answered 'share', which is not an action of manhattan)"
    assert f"{failed}; this one" in done.stderr
    assert "fa: 1 of 1 answer is not what was played" in done.stderr
    done = fa(*ask, "1", BOTS / "greedy.py")
    assert done.returncode == 2
    assert "a.log: record 1: seat 1 had no decision to take: its bot failed at the start (exited with" in done.stderr
    done = fa(*ask, "0", gone)
    assert done.returncode == 2
    assert done.stderr.endswith("fa: gone does not start: it exited with status 7 without an answer (asked: hello)\n")


def test_it_fails_on_the_way(fa: Fa, tmp_path: Path) -> None:
    honest, crash = bot(tmp_path, "honest", "honest"), bot(tmp_path, "crash", "exit")
    assert fa("match", honest, honest, "--game", "manhattan", "-o", "a.log").returncode == 0
    done = fa("bot", "replay", "a.log", "--game", "1", "--seat", "0", crash)
    assert done.returncode == 1
    assert "at ply 1 it failed: crash: it exited with status 3 without an answer" in done.stderr
    assert done.stderr.endswith("fa: it failed, after 1 answer as it was played\n")


def test_a_bot_without_the_key_of_its_model(fa: Fa, tmp_path: Path) -> None:
    fa("simulate", "manhattan", "-o", "a.log", "--players", "2", "--quiet")
    model = '{base_url = "http://127.0.0.1:1", model = "m", key_env = "NO_KEY"}'
    name = bot(tmp_path, "asker", "honest")
    with (tmp_path / name / "bot.toml").open("a") as file:
        file.write(f"model = {model}\n")
    assert_refused(fa("bot", "replay", "a.log", name, "--seat", "0"), "asker needs the key of 127.0.0.1: set the")


def test_what_can_not_be_asked(fa: Fa, tmp_path: Path) -> None:
    assert fa("simulate", "manhattan", "-o", "a.log", "--players", "2", "--seed", "c", "--quiet").returncode == 0
    record = json.loads(fa("replay", "export", "a.log").stdout)
    record["result"]["scores"][0] += 1
    (tmp_path / "bad.jsonl").write_text(json.dumps(record) + "\n")
    assert fa("replay", "import", "bad.jsonl", "-o", "bad.log").returncode == 0
    for log, game, seat, sentence in (
        ("a.log", "2", "0", "a.log: no record 2: the log has 1 record"),
        ("a.log", "1", "2", "a.log: record 1: it has the seats 0 to 1, not 2"),
        ("bad.log", "1", "0", "bad.log: record 1: it is bad, and can't be played again: "),
    ):
        done = fa("bot", "replay", log, "--game", game, "--seat", seat, BOTS / "random")
        assert_refused(done, sentence)
    assert_refused(fa("bot", "replay", "bad.log", BOTS / "random", "--player", "random"), "bad.log: record 1: it is ")
    (entry,) = read_log(tmp_path / "a.log")
    write_new_log(tmp_path / "lost.log", [entry_of(entry.record(), b"")])
    done = fa("bot", "replay", "lost.log", BOTS / "random", "--player", "random")
    assert_refused(done, "lost.log: record 1: the packed actions end at ply 12")
