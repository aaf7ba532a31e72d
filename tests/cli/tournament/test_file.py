"""Tournament files: every option has a key, the command line overrides them, and errors name their line."""

from __future__ import annotations

import json
import re
import resource
import shlex
import shutil
import time
import tomllib
from pathlib import Path

import pytest

from fa_cli.cli.app import root
from fa_cli.cli.framework.commands import COMMON
from fa_cli.isolation.sandbox.bubblewrap import why_not
from tests.conftest import UNSANDBOXED, Fa, assert_refused, further, run_fa
from tests.inside import fa as fa
from tests.tournament.helpers import dice

RUN = root().child("tournament").child("run")


@pytest.fixture(autouse=True)
def bots(tmp_path: Path) -> list[Path]:
    return dice(tmp_path / "bots", "a", "b", "c")


def uncommented(text: str) -> str:
    return re.sub(r"^# (?=[a-z-]+ = |\[option\])", "", text, flags=re.M)


def test_init_writes_a_file_that_runs_as_it_is(fa: Fa, tmp_path: Path) -> None:
    done = fa("tournament", "init", "leagues.toml")
    assert done.returncode == 0
    assert done.stderr.endswith("wrote leagues.toml\nrun it: fa tournament run leagues.toml\n")
    before = (tmp_path / "leagues.toml").read_bytes()
    again = fa("tournament", "init", "leagues.toml")
    assert (again.returncode, again.stderr) == (2, "fa: leagues.toml: it exists already and is not overwritten\n")
    assert (tmp_path / "leagues.toml").read_bytes() == before
    ran = fa("tournament", "run", "leagues.toml", "--games", "2", "--format", "json")
    assert ran.returncode == 0, ran.stderr
    assert {row["bot"] for row in json.loads(ran.stdout)} == {"a", "b", "c"}
    assert (tmp_path / "logs/leagues-1.log").exists()


def test_init_on_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    """An empty file would be refused by the next `run` and `init`."""
    done = run_fa(tmp_path, "tournament", "init", "cup.toml", limit=(resource.RLIMIT_FSIZE, 100))
    assert (done.returncode, done.stderr.splitlines()[-1]) == (2, "fa: cannot write cup.toml: File too large")
    assert [path for path in tmp_path.iterdir() if "cup" in path.name] == []


@pytest.mark.parametrize("path", ["été 1/大会.toml", *further("cup.toml", "./-x/a.toml")])
@pytest.mark.parametrize("sandbox", [True, *further(False)])
def test_init_in_an_empty_folder_writes_a_file_that_runs(
    fa: Fa, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, sandbox: bool
) -> None:
    shutil.rmtree(tmp_path / "bots")
    if not sandbox:
        monkeypatch.setattr("fa_cli.isolation.sandbox.bubblewrap.why_missing", lambda: "it is not there")
    (tmp_path / path).parent.mkdir(exist_ok=True)
    done = fa("tournament", "init", path)
    assert done.returncode == 0, done.stderr
    assert ("warning: bots are not sandboxed" in done.stderr) == (not sandbox or bool(why_not()))
    words = shlex.split(done.stderr.splitlines()[-1].partition("run it: fa ")[2])
    assert shlex.split((tmp_path / path).read_text().splitlines()[0].partition("with: fa ")[2]) == words
    ran = fa(*words, "--games", "3", "--format", "json")
    assert ran.returncode == 0, ran.stderr
    assert {row["bot"] for row in json.loads(ran.stdout)} == {"greedy", "planner", "random"}


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("cup", "the name of a tournament file ends in .toml: fa tournament init cup.toml"),
        ("my cup", "the name of a tournament file ends in .toml: fa tournament init 'my cup.toml'"),
        ("my cup.toml", "invalid name 'my cup': ' ' is not allowed; use letters"),
        ("a=b.toml", "a=b.toml can't be run: NAME=PATH is a bot, so"),
        ("-x.toml", "invalid name '-x': '-' is not allowed at its start"),
        (".toml", "the name of a tournament file ends in .toml"),
        ("x\u202ey.toml", r"invalid name 'x\u202ey': "),
        ("none/cup.toml", "cannot write none/cup.toml: none is not a folder"),
        ("x" * 101 + ".toml", "it is longer than 100 characters"),
    ],
)
def test_init_refuses_a_name_that_cannot_be_run(fa: Fa, tmp_path: Path, path: str, told: str) -> None:
    before = sorted(tmp_path.rglob("*"))
    done = fa("tournament", "init", "--", path)
    assert_refused(done, within=told)
    assert sorted(tmp_path.rglob("*")) == before


def test_every_option_has_its_key_with_its_usual_value(fa: Fa, tmp_path: Path) -> None:
    fa("tournament", "init")
    text = (tmp_path / "tournament.toml").read_text()
    assert tomllib.loads(text) == {"bots": ["bots/*"], **({} if why_not() else {"sandbox": "bwrap"})}
    keys = tomllib.loads(uncommented(text))
    assert set(keys) == {each.name for each in RUN.parameters} - {each.name for each in COMMON}
    assert (keys["move-time"], keys["duplicate"], keys["schedule"], keys["times"]) == (
        "1s",
        "auto",
        "round-robin",
        True,
    )


def test_what_the_file_says_and_what_goes_before_it(fa: Fa, tmp_path: Path) -> None:
    (tmp_path / "leagues").mkdir()
    (tmp_path / "leagues/spring.toml").write_text(
        'bots = [\n  "../bots/*",\n  "z=../bots/a.py",  # under another name\n]\n'
        'players = 2\ngames = 4\nmove-time = "3s"\nallow-repeats = false\nname = "mine"\n'
        '[option]\nside = "six"\nturn_limit = 3\n'
    )
    done = fa("tournament", "run", "leagues/spring.toml", "--games", "2", "--duplicate", "off")
    assert done.returncode == 0, done.stderr
    made = json.loads((tmp_path / "tournaments/mine.json").read_text())
    assert [bot["name"] for bot in made["bots"]] == ["a", "b", "c", "z"]
    (setting,) = made["settings"]
    assert (setting["players"], setting["options"]["side"], setting["options"]["turn_limit"]) == (2, "six", 3)
    assert (made["games"], made["clock"]["move_ms"], made["duplicate"]) == (2, 3000, "off")
    done = fa("tournament", "run", "leagues/spring.toml", "bots/b.py", "bots/c.py", "--games", "2", "--name", "other")
    assert done.returncode == 0, done.stderr
    made = json.loads((tmp_path / "tournaments/other.json").read_text())
    assert [bot["name"] for bot in made["bots"]] == ["b", "c"]


BAD = [
    ("playrs = 3", "2: no key 'playrs'; did you mean players?"),
    ("move_time = '1s'", "2: no key 'move_time'; did you mean move-time?"),
    ("\n\nxyzzy = 3", "4: no key 'xyzzy'; the keys are advance, "),
    ("bench = 3", "2: no key 'bench'; use max-faults"),
    ("output = 'json'", "2: no key 'output'; use format"),
    ("concurrency = 2", "2: no key 'concurrency'; use jobs"),
    ("format = 'swiss'", '2: use schedule = "swiss": --format is the output format'),
    ("format = 'xml'", '2: format is one of "table", "json", "csv", "markdown", not "xml"'),
    ("players = '3'", '2: players is a whole number of at least 1, not "3"'),
    ("players = 0", "2: players is a whole number of at least 1, not 0"),
    ("players = true", "2: players is a whole number of at least 1, not true"),
    ("players = 9", "2: fifth-avenue is for 2, 3 or 4 players, not 9"),
    ("# more\nschedule = 'league'", '3: schedule is one of "round-robin", "gauntlet", '),
    ("schedule = 'swiss'\nrounds = 9", "3: a swiss of 3 bots at tables of 2 has from 1 to 2 rounds"),
    (
        "schedule = 'knockout'\n\ngames = 9",
        "4: --games is for --schedule round-robin, gauntlet or ladder, not knockout",
    ),
    ("schedule = 'gauntlet'\nchallenger = ['ab']", "3: no bot named 'ab' to be a challenger; did you mean "),
    ("schedule = 'gauntlet'\nchallenger = ['x']", "3: no bot named 'x' to be a challenger; the bots are a, b, c"),
    ("move-time = 'soon'", "2: move-time: invalid duration 'soon': use e.g. 200ms, 1s or 2m"),
    ("memory = 'much'", "2: memory: invalid size 'much': use e.g. 1GB, 500MB or 64KiB"),
    ("move-time = '200h'", "2: move-time: invalid duration '200h': use a duration from 1ms to 168h"),
    ("games = 99999999999999999999", "2: games is a whole number from 1 to 10,000,000, not 99999999999999999999"),
    (f"jobs = {'9' * 4000}", f"2: jobs is a whole number from 0 to 1,024, not {'9' * 60}..."),
    ("alpha = 'x'", '2: alpha is a number, not "x"'),
    ("times = 1", "2: times is true or false, not 1"),
    ("challenger = 'a'", '2: challenger is a list of texts such as ["one", "two"], not "a"'),
    ("game = 'chess'", "2: game: no game 'chess'; the games are fifth-avenue"),
    ("name = '../x'", "2: name: invalid name '../x': "),
    ("option = 3", "2: option is a table such as [option]"),
    ("[option]\n\nside = 'ten'", "4: fifth-avenue: option side is five or six, not 'ten'"),
    ("[option]\ncolour = 'red'", "3: fifth-avenue has no option 'colour'"),
    ("[option]\nside = [1]", "3: option.side is a text, a whole number, true or false, not [1]"),
    ("option.side = 'ten'", "2: fifth-avenue: option side is five or six, not 'ten'"),
    ("option = {side = 'ten'}", "2: fifth-avenue: option side is five or six, not 'ten'"),
    ("[option]\nturn_limit = 3\n\n\"side\" = 'ten'", "5: fifth-avenue: option side is five or six, not 'ten'"),
    ("challenger = [\n  'a', # challenger = [\n  3,\n]", "2: challenger is a list of texts"),
    ("# players = 3\n[[players]]\nx = 1", "3: players is a whole number of at least 1"),
    ('seed = """\nxyzzy = 3\n"""\nxyzzy = 3', "5: no key 'xyzzy'"),
    ("# a\u2028b\nxyzzy = 3", "3: no key 'xyzzy'"),
    ("players = ", "2: invalid TOML: invalid value"),
    ("players = 3\nplayers = 3", "3: invalid TOML: cannot overwrite a value"),
    ("until = 'soon'", '2: until is one of "decided", "no-worse", "ranked", not "soon"'),
    ("until = 'no-worse'", "2: --until no-worse compares two bots and there are 3; name them: --compare A,B"),
    ("compare = 'a,b'", "2: --compare is for --until decided or no-worse"),
    ("until = 'decided'\ntop = 1", "3: --top is for --until ranked"),
    ("until = 'ranked'\ntop = 3", "3: --top is at least 1 and less than the 3 bots, not 3"),
    ("games = 8\nbeta = 0.2", "3: --alpha, --beta and --margin are for --until"),
    ("until = 'decided'\ncompare = 'a'", "3: --compare takes two bots, A,B, not 'a'"),
    ("until = 'decided'\ncompare = 'a,q'", "3: no bot named 'q' to compare; the bots are a, b, c"),
    ("games = 4\nuntil = 'decided'", "3: --until decided compares two bots and there are 3"),
    ("until = 'decided'\ncompare = 'a,b'\nalpha = 2", "4: --alpha is more than 0 and less than 0.5, not 2"),
    ("until = 'decided'\ncompare = 'a,b'\nmargin = 0", "4: --margin is more than 0 and less than 1, not 0"),
    ("until = 'decided'\nschedule = 'swiss'", "2: --until is for --schedule round-robin or gauntlet, not swiss"),
    (
        "games = 4\nplayers = 4",
        "3: fifth-avenue with 4 players needs 4 bots that play it, and there are only a and b",
    ),
    ("margin = 'wide'", '2: margin is a number, not "wide"'),
    (
        "until = 'decided'\ncompare = 'a,b'\nschedule = 'gauntlet'\nchallenger = ['a', 'b']",
        "3: a and b are both challengers and never meet",
    ),
    ("top = 2", "2: --top is for --until ranked"),
    ("until = 'ranked'\ncompare = 'a,b'", "3: --compare is for --until decided"),
    (
        "until = 'ranked'\nschedule = 'gauntlet'\nchallenger = ['a']",
        "2: --until ranked needs a schedule in which all",
    ),
    ("budget = -1", "2: budget is a number from 0 to 1,000,000,000, not -1"),
    ("executor = 'foo'", "2: invalid executor 'foo': use local (this machine) or"),
    ("stderr = 'bots/a.py'", "2: --stderr: cannot create the folder"),
]


@pytest.mark.parametrize(("text", "sentence"), BAD, ids=[text for text, _ in BAD])
def test_a_mistake_says_where_it_is(fa: Fa, tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "bad.toml").write_text(f'bots = ["bots/*"]\n{text}\n')
    done = fa("tournament", "run", "bad.toml", "--sandbox", "none")
    done.stderr = done.stderr.removeprefix(UNSANDBOXED)
    assert_refused(done, f"bad.toml:{sentence}")
    assert not list(tmp_path.glob("logs/*")) + list(tmp_path.glob("tournaments/*"))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("budget = 5.0", "--budget is for bots with a language model"),
        ("columns = 'foo'", "no column 'foo' (columns: "),
        ("columns = 'fifth-avenue strength'", "no column 'fifth-avenue strength' (columns: "),
        ("beacon-round = 1", "round 1 of quicknet is known already"),
    ],
)
def test_a_mistake_that_is_noticed_late_says_where_it_is(fa: Fa, tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "bad.toml").write_text(f'bots = ["bots/*"]\n{text}\n')
    done = fa("tournament", "run", "bad.toml")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(f"fa: bad.toml:2: {sentence}")


LONG = [
    (".".join(["a"] * 32_000) + " = 1", ": a key in it has more than 20 parts"),
    ("option." + " . ".join(["'a'"] * 1_500) + " = 1", ": a key in it has more than 20 parts"),
    ("[" + ".".join(['"a"'] * 1_500) + "]", ": a key in it has more than 20 parts"),
    ("x = [" + "'a'," * 15_000 + "]\n" + "\n" * 900 + "zzz = 1", ":2: no key 'x'"),
    ("challenger = [" + "'a'," * 15_000 + "]\n" + "# zzz = 1\n" * 300 + "zzz = 1", ":303: no key 'zzz'"),
    ("challenger = [" + "\n'a'," * 900 + "]\nzzz = 1", ":903: no key 'zzz'"),
    ("x." + "a" * 60_000 + " = 1", ":2: no key 'x'"),
    ("x = '" + "a" * 60_000 + "'", ":2: no key 'x'"),
    ("x = '" + "a. " * 19 + "'", ":2: no key 'x'"),
]


@pytest.mark.parametrize(("text", "sentence"), LONG, ids=[text[:20] for text, _ in LONG])
def test_a_long_file_is_refused_quickly(fa: Fa, tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "bad.toml").write_text(f'bots = ["bots/*"]\n{text}\n')
    began = time.process_time()
    done = fa("tournament", "run", "bad.toml", "--sandbox", "none")
    assert time.process_time() - began < 3
    assert done.returncode == 2
    assert done.stderr.removeprefix(UNSANDBOXED).startswith(f"fa: bad.toml{sentence}")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("players = 3", "bad.toml:1: it names no bots; add e.g. bots = "),
        ('bots = ["nix/*"]', "bad.toml:1: no file matches 'nix/*'; fa bots lists the shipped bots"),
        ('\nbots = ["bots/a.py", "nix"]', "bad.toml:2: nix: no such file or folder"),
        ("\nbots = ['bots/a.py']", "bad.toml:2: fifth-avenue with 2 players needs 2 bots that play it"),
        ("bots = []", "bad.toml:1: bots is a list of texts"),
        ("bots = ['\xff']", "bad.toml:1: invalid TOML: a byte that is not UTF-8"),
    ],
)
def test_bots_that_are_not_there(fa: Fa, tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "bad.toml").write_bytes(text.encode("latin-1") + b"\n")
    for more in ([], ["--games", "4"]):
        done = fa("tournament", "run", "bad.toml", *more)
        assert_refused(done, sentence)


def test_a_file_in_a_folder_whose_name_is_a_pattern(fa: Fa, tmp_path: Path) -> None:
    (tmp_path / "bots").rename(tmp_path / "g[1]")
    (tmp_path / "g[1]/cup.toml").write_text('bots = ["[ab].py"]\n')
    done = fa("tournament", "run", "g[1]/cup.toml", "--define")
    assert done.returncode == 0, done.stderr


def test_what_the_command_line_got_wrong_is_not_put_on_the_file(fa: Fa, tmp_path: Path) -> None:
    (tmp_path / "good.toml").write_text('bots = ["bots/*"]\nplayers = 2\n')
    assert fa("tournament", "run", "good.toml", "--players", "9").stderr == (
        "fa: fifth-avenue is for 2, 3 or 4 players, not 9\n"
    )
    assert fa("tournament", "run", "nix.toml").stderr == "fa: nix.toml: No such file or directory\n"
    assert fa("tournament", "run", "good.toml", "more.toml").stderr == (
        "fa: a tournament has one file, not good.toml and more.toml\n"
    )
