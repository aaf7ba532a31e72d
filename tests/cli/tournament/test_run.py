"""`fa tournament` from the command line to files, tables and exit codes."""

from __future__ import annotations

import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import unicodedata
from pathlib import Path

import pytest

from fa_cli.games import GAMES
from fa_cli.isolation.shipped_bots import FOLDER as SHIPPED
from fa_cli.replay.log_writer import LogWriter
from tests.conftest import Fa, assert_refused, run_fa
from tests.damage import flip_bit
from tests.inside import fa as fa
from tests.tournament.helpers import dice

AUTO = ("--sandbox", "auto")
SHORT = ("--option", "turn_limit=2")
"""Games that take a tenth of the time of whole ones."""


@pytest.fixture
def bots(tmp_path: Path) -> list[Path]:
    return dice(tmp_path / "bots", "a", "b", "c")


def test_from_nothing_to_a_leaderboard(fa: Fa, bots: list[Path], tmp_path: Path) -> None:
    (bots[0].parent / "README.md").write_text("no bot")
    done = fa("tournament", "run", *sorted(bots[0].parent.iterdir()), "--games", "6", "--jobs", "2", *AUTO)
    assert done.returncode == 0, done.stderr
    heading, line, *rows = done.stdout.splitlines()
    rows, caveats = rows[:3], rows[3:]
    assert all(caveat.startswith(("~ the interval includes impossible points", "fit: ")) for caveat in caveats)
    assert re.split("  +", heading)[:7] == ["rank", "ranks", "bot", "games", "strength", "strength 95%", "wins"]
    assert set(line) == {"-", " "}
    assert sorted(row.split()[2] for row in rows) == ["a", "b", "c"]
    assert {row.split()[3] for row in rows} == {"6"}
    size = (tmp_path / "logs/fifth-avenue-1.log").stat().st_size
    told = [line for line in done.stderr.splitlines() if not re.match("[0-5]/6 games, ", line)]  # if it takes long
    (committed,) = re.findall("^commitment of the seed: ([0-9a-f]{64})$", done.stderr, re.MULTILINE)
    assert told == [
        f"{bots[0].parent}/README.md is skipped: unknown extension and no #! line",
        "6 games; per setting: 3 games per bot (1 per seat), 3 per pair",
        f"commitment of the seed: {committed}",
        next(text for text in done.stderr.splitlines() if text.startswith("6/6 games, ")),
        "points: those of fifth-avenue mix several settings; they depend on the setting and on how long games last, so "
        "compare bots by strength, wins or mean rank",
        "seats: every bot has had every seat equally often",
        f"log: logs/fifth-avenue-1.log (6 games, {size / 1000:.0f} kB)",
        f"verify it: fa tournament verify fifth-avenue-1 --commitment {committed}",
        "by side: fa leaderboard fifth-avenue-1 --by side",
        "show all: fa tournament show fifth-avenue-1",
    ]
    assert fa("replay", "verify", "logs/fifth-avenue-1.log").returncode == 0
    again = fa("tournament", "run", *bots, "--games", "1", "--quiet", "--format", "json")
    assert again.stderr == ""
    assert [row["games"] for row in json.loads(again.stdout)] == [1, 1, 1]
    assert (tmp_path / "logs/fifth-avenue-2.log").exists()


@pytest.mark.slow
def test_the_leader_is_that_of_all_games_after_a_resume(fa: Fa, bots: list[Path]) -> None:
    assert fa("tournament", "run", *bots, "--games", "30", "--players", "2", *SHORT, "--name", "x").returncode == 0
    done = fa("tournament", "resume", "x", "--more", "2")
    assert done.returncode == 0, done.stderr
    rows = json.loads(fa("leaderboard", "x", "--format", "json").stdout)
    most = max(row["wins"] for row in rows)
    (leader,) = re.findall(r"^32/32 games, .*, (\w) leads with (\d+)% wins$", done.stderr, re.MULTILINE)
    assert leader in [(row["bot"], f"{100 * most:.0f}") for row in rows if row["wins"] == most]


def test_a_tournament_that_waits_for_a_beacon(fa: Fa, bots: list[Path]) -> None:
    to_come = str(int(time.time() - 1_692_803_367) // 3 + 10_000)
    done = fa("tournament", "run", *bots, "--games", "4", "--beacon-round", to_come, "--name", "x")
    _, _, beacon, command = done.stderr.splitlines()
    assert beacon.startswith(f"beacon: round {to_come} of quicknet, published at 20")
    assert command == "play it: fa tournament resume x --beacon FILE"
    line = f"  beacon     {beacon.removeprefix('beacon: ')}; not mixed into the seed\n"
    assert line in fa("tournament", "show", "x").stdout
    assert fa("tournament", "watch", "x", "--once").stdout.endswith("fa tournament resume x --beacon FILE\n")


def test_what_changes_after_the_end(fa: Fa, bots: list[Path], tmp_path: Path) -> None:
    run = ("tournament", "run", *bots, "--schedule", "ladder", "--games", "4", "--players", "2", *SHORT)
    assert fa(*run, "--name", "x").returncode == 0
    (new,) = dice(tmp_path / "more", "new")
    (tmp_path / "bots/b.py").write_text((tmp_path / "bots/b.py").read_text() + "\n")
    before = (tmp_path / "tournaments/x.json").read_bytes()
    for option in (("--update",), ("--add", new), ("--retire", "a")):
        done = fa("tournament", "resume", "x", *option)
        assert (done.returncode, done.stderr.startswith("fa: x is over: nothing is left to change")) == (2, True)
    assert (tmp_path / "tournaments/x.json").read_bytes() == before
    done = fa("tournament", "resume", "x", "--add", new, "--retire", "a", "--update", "--more", "4")
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith(
        "b plays on as b+2\na leaves\nnew joins\n"
        "warning: x was over, so others may know its seed, and with it all deals to come\n"
    )
    changes = "  changes    from game 5: b plays on as b+2, a leaves, new joins\n"
    assert changes in fa("tournament", "show", "x").stdout


def test_a_log_that_is_gone_is_not_played_again(fa: Fa, bots: list[Path], tmp_path: Path) -> None:
    assert fa("tournament", "run", *bots, "--games", "4", "--name", "x").returncode == 0
    (tmp_path / "logs/x.log").unlink()
    done = fa("tournament", "resume", "x")
    assert done.returncode == 2
    assert "logs/x.log is missing, which had 4 games of x: put it back" in done.stderr
    assert not (tmp_path / "logs/x.log").exists()


def test_a_removed_tournament_is_defined_again(fa: Fa, bots: list[Path], tmp_path: Path) -> None:
    run = ("tournament", "run", *bots[:2], "--games", "2", "--name", "x", "--no-times")
    assert fa(*run, "--seed", "a").returncode == 0
    for path in ("logs/x.log", "tournaments/x.json"):
        (tmp_path / path).unlink()
    assert fa(*run, "--seed", "b", "--define").returncode == 0
    assert fa("tournament", "resume", "x").returncode == 0


def test_a_copied_definition_is_listed_under_its_own_name(fa: Fa, bots: list[Path], tmp_path: Path) -> None:
    fa("tournament", "run", *bots[:2], "--games", "2", "--name", "x")
    shutil.copy(tmp_path / "tournaments/x.json", tmp_path / "tournaments/y.json")
    listed = json.loads(fa("tournament", "list", "--format", "json").stdout)
    assert [(row["name"], row["state"]) for row in listed] == [("x", "finished"), ("y", "unfinished")]


def test_list_and_show(fa: Fa, bots: list[Path], tmp_path: Path) -> None:
    assert fa("tournament", "list").returncode == 0
    fa("tournament", "run", *bots[:2], "--games", "2", "--option", "side=six", "--name", "small", "--move-time", "2s")
    (tmp_path / "tournaments/broken.json").write_text("{")
    listed = fa("tournament", "list", "--format", "json")
    (row,) = json.loads(listed.stdout)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", row.pop("started"))
    assert row == {
        "name": "small",
        "bots": ["a", "b"],
        "schedule": "round-robin",
        "settings": ["fifth-avenue side=six players=2"],
        "done": 2,
        "games": 2,
        "state": "finished",
    }
    assert "broken.json is not a definition of a tournament" in listed.stderr
    shown = fa("tournament", "show", "small")
    assert shown.returncode == 0
    for text in (
        "bots       a b",
        "games      2 of 2 games; 2 games per bot",
        "clock      2s per decision",
        "side=six",
    ):
        assert text in shown.stdout
    assert shown.stdout.count("strength 95%") == 1, "a table of its only setting would say the same"
    (row, _) = json.loads(fa("tournament", "show", "small", "--format", "json").stdout)
    assert row["fifth-avenue side=six players=2 games"] == 2


@pytest.mark.slow
def test_a_definition_names_no_folder_of_this_machine(
    fa: Fa, bots: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "bots/broken.py").write_text("raise SystemExit(str(__file__))")
    home = tmp_path / "cup"
    home.mkdir()
    done = fa("--home", home, "tournament", "run", *sorted((tmp_path / "bots").iterdir()), "miser", "--games", "4")
    assert done.returncode == 0, done.stderr
    text = (home / "tournaments/fifth-avenue-1.json").read_text()
    assert [bot["path"] for bot in json.loads(text)["bots"]] == [*(f"../bots/{bot.name}" for bot in bots), "miser"]
    assert "broken" in text
    for secret in (str(tmp_path), sys.prefix, str(Path(sys.executable)), str(SHIPPED)):
        assert secret not in text
    moved = tmp_path / "moved"
    moved.mkdir()
    for folder in ("cup", "bots"):
        (tmp_path / folder).rename(moved / folder)
    done = fa("--home", moved / "cup", "tournament", "resume", "fifth-avenue-1", "--more", "4")
    assert done.returncode == 0, done.stderr
    assert str(tmp_path) not in (moved / "cup/tournaments/fifth-avenue-1.json").read_text()
    assert fa("--home", moved / "cup", "tournament", "verify", "fifth-avenue-1").returncode == 0


def test_a_name_in_another_language(fa: Fa, bots: list[Path], tmp_path: Path) -> None:
    name, typed = "Été-大会", unicodedata.normalize("NFD", "Été-大会")
    done = fa("tournament", "run", *bots[:2], "--games", "2", "--name", typed)
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in tmp_path.rglob(f"{name}*")) == [f"{name}.json", f"{name}.log"]
    for command in (
        *(("tournament", sub, typed) for sub in ("show", "verify", "head", "resume")),
        ("leaderboard", typed),
        ("compare", "a", "b", typed),
        ("replay", "verify", f"logs/{name}.log"),
        ("replay", "show", typed),
        ("tournament", "list"),
        ("results", typed),
    ):
        done = fa(*command)
        assert done.returncode == 0, (command, done.stderr)
    for format in ("csv", "markdown"):
        assert name in fa("tournament", "list", "--format", format).stdout
    assert json.loads(fa("tournament", "list", "--format", "json").stdout)[0]["name"] == name
    assert json.loads(fa("replay", "export", typed).stdout.splitlines()[0])["meta"]["tournament"]["name"] == name
    for again, told in (
        (name, f"there is a tournament {name} already"),
        (
            "été-大会",
            f"there is a tournament {name} already, and été-大会 differs from it only in upper and lower case",
        ),
    ):
        done = fa("tournament", "run", *bots[:2], "--games", "2", "--name", again)
        assert done.returncode == 2
        assert told in done.stderr


def test_the_seed_is_hidden_until_the_last_game(fa: Fa, bots: list[Path], tmp_path: Path) -> None:
    assert fa("tournament", "run", *bots[:2], "--games", "2", "--name", "t").returncode == 0
    path = tmp_path / "tournaments/t.json"
    definition = json.loads(path.read_text())
    commitment = hashlib.sha256(bytes.fromhex(definition["seed"])).hexdigest()
    commands = [("show", "t"), ("verify", "t", "--partial"), ("verify", "t", "--partial", "--commitment", commitment)]
    for command in commands:
        assert definition["seed"] in fa("tournament", *command).stdout
    path.write_text(json.dumps({**definition, "games": 4}))
    done = [
        *(fa("tournament", *command) for command in commands),
        *(fa("tournament", "show", "t", "--format", format) for format in ("json", "csv", "markdown")),
        *(fa("tournament", "list", *more) for more in ([], ["--format", "json"])),
        *(fa(*command, "t") for command in (["tournament", "head"], ["leaderboard"])),
    ]
    for each in done:
        assert each.returncode == 0, each.stderr
        assert definition["seed"] not in each.stdout + each.stderr
    for each in done[:3]:
        assert "hidden until the last game" in each.stdout
        assert commitment in each.stdout or each is done[2]


def test_a_fair_number_when_none_is_said_and_a_word_when_it_is_not(fa: Fa, bots: list[Path]) -> None:
    done = fa("tournament", "run", *bots, "--games", "7", "--name", "seven")
    assert (
        "7 games; fifth-avenue side=five players=3: 4 games per bot (1 to 2 per seat), 4 per pair; "
        "fifth-avenue side=six players=3: 3 games per bot (1 per seat), 3 per pair: "
        "not a balanced number of games; 12 would be" in done.stderr
    )


def test_the_log_says_how_long_each_decision_took(fa: Fa, bots: list[Path]) -> None:
    for more, has in (["--name", "x"], True), (["--name", "y", "--no-times"], False):
        assert fa("tournament", "run", *bots[:2], "--games", "1", *more).returncode == 0
        record = json.loads(fa("replay", "export", f"logs/{more[1]}.log").stdout)
        assert [name in record["meta"] for name in ("asked", "time_us", "times_us")] == [has] * 3
        assert bool(record["meta"]["tournament"]["started"]) == has
        if has:
            assert len(record["meta"]["times_us"]) == len(record["actions"])
            assert sum(time > 0 for time in record["meta"]["times_us"]) == sum(record["meta"]["asked"])


@pytest.mark.slow
def test_without_times_the_same_seed_gives_the_same_bytes(fa: Fa, bots: list[Path], tmp_path: Path) -> None:
    speaks = "sys.stderr.write(str(os.getpid()))"
    crashes = dice(tmp_path / "bots", "crashes", before=f"{speaks}; asked > 4 and sys.exit('no more of this')")
    lies = dice(
        tmp_path / "bots", "lies", before=f"{speaks}; len(message['legal']) > 9 and message.update(legal=['nonsense'])"
    )
    options = ("--games", "36", "--seed", "x", "--name", "one", "--no-times", "--max-faults", "3", *SHORT)
    for home, jobs in (("first", 1), ("second", 2)):
        done = fa("--home", home, "tournament", "run", *bots[:2], *crashes, *lies, *options, "--jobs", str(jobs))
        assert done.returncode == 0, done.stderr
    first, second = ((tmp_path / home / "logs/one.log").read_bytes() for home in ("first", "second"))
    assert first == second
    details = [
        json.loads(line)["meta"].get("fault_details", [])
        for line in fa("replay", "export", "first/logs/one.log").stdout.splitlines()
    ]
    assert {detail["kind"] for game in details for detail in game} == {"crash", "illegal", "start"}


@pytest.mark.slow
def test_the_last_lines_name_parts_that_there_are(fa: Fa, bots: list[Path]) -> None:
    done = fa("tournament", "run", *bots[:2], "--game", "manhattan", "--games", "2", "--name", "m")
    assert "by seat: fa leaderboard m --by seat\n" in done.stderr
    done = fa("tournament", "run", *bots[:2], "--game", "all", "--games", "2", "--name", "all")
    assert "by variant: fa leaderboard all --by variant\n" in done.stderr


def test_faults_are_told_by_bot(fa: Fa, bots: list[Path], tmp_path: Path) -> None:
    (dies,) = dice(tmp_path / "bots", "dies", before="asked > 2 and sys.exit('no more of this')")
    done = fa("tournament", "run", bots[0], dies, "--games", "2", "--name", "sad")
    assert done.returncode == 0
    assert re.search(
        r"faults of dies: 2 crash; the first in sad, game 1, seat \d, ply \d+: "
        r"it exited with status 1 without an answer\n"
        r"    no more of this\n",
        done.stderr,
    )


def test_nobody_leads_who_fails_in_every_game(fa: Fa, tmp_path: Path) -> None:
    """Leaderboards count no wins of theirs; the line of the run did."""
    bots = dice(tmp_path / "bots", "a", "b", before="sys.exit('no')")
    done = fa("tournament", "run", *bots, "--games", "2", "--format", "json")
    assert [row["wins"] for row in json.loads(done.stdout)] == [0, 0]
    assert re.search(r"^2/2 games, \d+\.\d/s$", done.stderr, re.MULTILINE), done.stderr


BAD = [
    (["nowhere.py", "a"], "nowhere.py: no such file or folder"),
    (["a", "b", "--game", "chess"], "no game 'chess'; the games are fifth-avenue"),
    (["a", "b", "--option", "side=ten"], "fifth-avenue: option side is five or six, not 'ten'"),
    (["a", "b", "--option", "colour=red"], "fifth-avenue has no option 'colour'"),
    (["a", "b", "--option", "side"], "an option is NAME=VALUE, for example side=six, not 'side'"),
    (["a", "b", "--players", "9"], "fifth-avenue is for 2, 3 or 4 players, not 9"),
    (["a", "b", "--players", "4"], "needs 4 bots that play it, and there are only a and b (with --allow-repeats"),
    (["a"], "needs 2 bots that play it, and there is only a"),
    (["a", "a"], "is named twice"),
    (["a", "b", "--move-time", "soon"], "--move-time: invalid duration 'soon': use e.g. 200ms, 1s or 2m"),
    (["a", "b", "--name", "../x"], "invalid name '../x': '.' is not allowed at its start; use letters"),
    (["a", "b", "--seed", ""], "--seed is empty: use any text, or no --seed for random deals"),
    (["a", "é=bots/b.py"], "invalid name 'é': logs allow the letters a to z and A to Z, digits and . _ + -"),
    (["a", "b", "--games", "0"], "invalid --games 0: use a number from 1 to 10,000,000"),
    (["a", "b", "--jobs", "-1"], "invalid --jobs -1: use a number from 0 to 1,024"),
    (["a", "b", "--memory", "1000"], "--memory: invalid size '1000': use a size from 1MiB to 1024GiB"),
    (["a", "b", "--stderr", "bots/a.py"], "--stderr: cannot create the folder bots/a.py: File exists"),
    (["a", "folder"], "a folder of a bot has a bot.toml, and this one has none"),
    (
        ["a", "dead"],
        "dead.py does not start: it exited with status 1 without an answer (asked: hello); its last words: ",
    ),
]


@pytest.mark.parametrize(
    ("args", "sentence"), BAD, ids=lambda value: "-".join(value) if isinstance(value, list) else ""
)
def test_bad_input_is_one_sentence(fa: Fa, bots: list[Path], tmp_path: Path, args: list[str], sentence: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "dead.py").write_text("raise SystemExit('not today')")
    paths = {"a": "bots/a.py", "b": "bots/b.py", "folder": "./folder", "dead": "./dead.py"}
    done = fa("tournament", "run", *(paths.get(word, word) for word in args))
    assert_refused(done, within=sentence)
    assert not list(tmp_path.glob("logs/*")) + list(tmp_path.glob("tournaments/*"))


def test_a_gauntlet_without_a_field(fa: Fa, bots: list[Path]) -> None:
    done = fa("tournament", "run", *bots[:2], "--schedule", "gauntlet", "--challenger", "a", "--challenger", "b")
    assert (done.returncode, done.stderr) == (2, "fa: a gauntlet needs a field, and here all are challengers\n")


def test_a_name_that_exists(fa: Fa, bots: list[Path], tmp_path: Path) -> None:
    fa("tournament", "run", *bots[:2], "--games", "1", "--name", "mine")
    before = (tmp_path / "logs/mine.log").read_bytes()
    done = fa("tournament", "run", *bots[:2], "--games", "1", "--name", "mine")
    assert done.returncode == 2
    assert done.stderr.startswith("fa: there is a tournament mine already (tournaments/mine.json); choose another")
    assert (tmp_path / "logs/mine.log").read_bytes() == before


def test_what_runs_and_what_is_damaged(fa: Fa, bots: list[Path], tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert fa("tournament", "run", *bots[:2], "--games", "2", "--name", name).returncode == 0
    two = tmp_path / "logs/two.log"
    flip_bit(two, 20)
    with LogWriter(tmp_path / "logs/one.log"):
        listed = fa("tournament", "list", "--format", "json")
        assert "another process is writing it" in fa("tournament", "resume", "one").stderr
    assert {row["name"]: row["state"] for row in json.loads(listed.stdout)} == {"one": "running", "two": "damaged"}
    assert "two.log: record 1" in listed.stderr


@pytest.mark.parametrize("command", ["resume", "show"])
def test_no_such_tournament(fa: Fa, command: str) -> None:
    done = fa("tournament", command, "nix")
    assert_refused(done, "no tournament named nix (tournaments/nix.json not found)\n")


def test_play_without_the_sandbox_is_obvious(fa: Fa, bots: list[Path], tmp_path: Path) -> None:
    run = ("tournament", "run", *bots, "--games", "2", "--name", "open", "--sandbox", "none")
    sentence = "bots are not sandboxed and can do anything your account can (--sandbox none)"
    warning = f"warning: {sentence}\n"
    done = fa(*run, "--quiet")
    assert (done.returncode, done.stderr) == (0, 2 * warning)
    source = json.loads(fa("replay", "export", "logs/open.log").stdout.splitlines()[0])["meta"]["tournament"]
    assert source["sandbox"] is False
    for form in "table", "json":
        assert fa("tournament", "show", "open", "--format", form).stderr.count(warning) == 1
    assert re.search("^  sandbox +none$", fa("tournament", "show", "open").stdout, re.MULTILINE)
    again = fa("tournament", "resume", "open", "--more", "1")
    assert again.stderr.startswith(warning)
    assert again.stderr.endswith(warning)
    assert fa("tournament", "verify", "open").returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("home", [b"it's here\n", b"caf\xe9"])
def test_printed_commands_survive_any_home(bots: list[Path], tmp_path: Path, home: bytes) -> None:
    """The commands are run by a shell, with UTF-8."""
    fa_ = f"{sys.executable} -m fa_cli"
    environment = {**os.environ, "FA_HOME": os.fsdecode(home), "PYTHONUTF8": "1"}
    words = " ".join(map(str, bots[:2]))

    def shell(command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    short = f"--games 2 --jobs 1 {' '.join(SHORT)}"
    done = shell(f"{fa_} tournament run {words} {short} --name x --sandbox none")
    assert done.returncode == 0, done.stderr
    del environment["FA_HOME"]
    commands = re.findall("^(?:verify it|by seat|by side|show all): fa (.*)", done.stderr, re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        assert shell(f"{fa_} {command}").returncode == 0, command


def test_a_copy_of_an_unfinished_tournament_is_as_private(fa: Fa, bots: list[Path], tmp_path: Path) -> None:
    assert fa("tournament", "run", *bots, "--games", "2", "--name", "x").returncode == 0
    (tmp_path / "logs/x.log").chmod(0o600)
    assert fa("replay", "export", "logs/x.log", "-o", "x.jsonl").returncode == 0
    assert fa("replay", "extract", "logs/x.log", "--game", "1", "-o", "x.log").returncode == 0
    assert {(tmp_path / name).stat().st_mode & 0o777 for name in ("x.jsonl", "x.log")} == {0o600}


@pytest.mark.slow
def test_a_full_disk(bots: list[Path], tmp_path: Path, fa: Fa) -> None:
    """One sentence; finished games are kept, and the tournament can be resumed."""
    define = ("--games", "240", "--name", "x", "--sandbox", "none", "--define")
    assert fa("tournament", "run", *bots, *define).returncode == 0
    limit = (resource.RLIMIT_FSIZE, 20_000)  # the log takes more
    done = run_fa(tmp_path, "tournament", "resume", "x", limit=limit)
    assert (done.returncode, done.stdout) == (2, "")
    found = re.fullmatch(
        r"fa: cannot write logs/x.log: File too large; the (\d+) games before are kept; "
        r"resume with: fa tournament resume x",
        done.stderr.splitlines()[-1],
    )
    assert found, done.stderr
    (row,) = json.loads(fa("tournament", "list", "--format", "json").stdout)
    assert 1 <= row["done"] == int(found[1]) < 240
    assert fa("tournament", "resume", "x").returncode == 0
    assert fa("replay", "verify", "logs/x.log").returncode == 0


def test_no_room_to_begin(bots: list[Path], tmp_path: Path) -> None:
    run = ("tournament", "run", *bots, "--name", "x", "--sandbox", "none")
    done = run_fa(tmp_path, *run, limit=(resource.RLIMIT_FSIZE, 100))
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "fa: cannot write tournaments/x.json: File too large"
    assert list(tmp_path.glob("tournaments/*")) == []


@pytest.mark.slow
@pytest.mark.skipif(len(GAMES) == 1, reason="there is only one game")
def test_all_games_in_one_tournament(fa: Fa, bots: list[Path]) -> None:
    done = fa("tournament", "run", *bots[:2], "--game", "all", "--games", "12", "--name", "mixed", "--format", "json")
    assert done.returncode == 0, done.stderr
    by_game = json.loads(done.stdout)
    assert by_game == json.loads(fa("leaderboard", "mixed", "--by", "game", "--format", "json").stdout)
    for row in by_game:
        assert row["games"] == 12
        assert sum(row[f"{game.name} games"] for game in GAMES) == 12
        assert all(row[f"{game.name} games"] >= 2 and row[f"{game.name} strength"] is not None for game in GAMES)
    assert fa("replay", "verify", "logs/mixed.log").returncode == 0


def test_repeats_only_if_asked(fa: Fa, bots: list[Path]) -> None:
    done = fa("tournament", "run", bots[0], bots[0], bots[1], "--players", "3", "--games", "3", "--allow-repeats")
    assert done.returncode == 0, done.stderr
    assert {row.split()[2] for row in done.stdout.splitlines()[2:4]} == {"a", "b"}


def test_ctrl_c_and_resume(bots: list[Path], tmp_path: Path, fa: Fa) -> None:
    """The sentence has the exact command that resumes, with its home."""
    command = [sys.executable, "-m", "fa_cli", "--home", "my home", "tournament", "run", *map(str, bots), "--name", "x"]
    process = subprocess.Popen(
        [*command, "--games", "30"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    log = tmp_path / "my home/logs/x.log"
    while not (log.exists() and log.stat().st_size > 300):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 3, stderr
    assert stdout == ""
    last = stderr.splitlines()[-1]
    found = re.fullmatch(
        r"fa: stopped after (\d+) of 30 games; resume with: fa --home 'my home' tournament resume x", last
    )
    assert found, stderr
    assert re.search(r"fa: finishing \d games? in progress; press Ctrl-C again to stop now", stderr)
    assert fa("replay", "verify", log).returncode == 0
    (row,) = json.loads(fa("--home", "my home", "tournament", "list", "--format", "json").stdout)
    assert (row["done"], row["state"]) == (int(found[1]), "unfinished")
    done = fa("--home", "my home", "tournament", "resume", "x")
    assert done.returncode == 0, done.stderr
    assert f"log: {'my home'}/logs/x.log (30 games" in done.stderr
