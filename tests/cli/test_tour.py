"""Every command on terminals of 60 and 80 columns: no line is wider than the terminal.

The commands run in this process with streams that say they are terminals; a few run in a real pseudo-terminal. Only a
word without a blank, such as a path or a digest, may be wider, on a line of its own.
"""

from __future__ import annotations

import io
import os
import random
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from rich.cells import cell_len

from fa_cli.cli import app
from fa_cli.game_result import GameResult
from fa_cli.games.fifth_avenue.options import Options
from fa_cli.replay.log_writer import LogWriter
from fa_cli.replay.record import make_record
from tests.conftest import further, run_fa, thinned
from tests.installed import made_once
from tests.play.terminal import Seat
from tests.tournament.helpers import dice

COLOUR = re.compile("\x1b\\[[0-9;]*m")
CONTROL = re.compile("\x1b\\[[0-9;?]*[a-zA-Z]")
"""Sequences that take no room: colours, and how a progress bar moves."""
LONG = [f"my-very-long-bot-name-from-the-algorithms-course-2026-v{number}" for number in (1, 2)]
FOREIGN = ["城市建设者-机器人", "Größenwahn", "постройка-небоскрёбов", "マンハッタン", "뉴욕", *LONG]
STUDENTS = [f"student-{number:02}-of-the-course" for number in range(30)]
KEY = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
"""The key in the example of Go's package `note`."""
HARMLESS = ["--sandbox", "none"]
BAD = "replay verify logs/thirty.log"
"""A check that fails: the games of this log were not played."""
TOUR = [
    *("tournament list", "tournament show spring", "tournament show cup", "tournament show every-game"),
    *(f"tournament show spring --{view}" for view in ("matrix", "seats", "faults")),
    *("tournament places cup", "tournament places swiss-tournament-with-a-very-long-name", "tournament head spring"),
    *("tournament verify spring", "tournament collusion logs/thirty.log", "tournament watch spring --once"),
    *("tournament init OUT/new.toml", "tournament resume spring"),
    *(f"leaderboard logs/{log}.log" for log in ("thirty", "foreign")),
    *(f"leaderboard --by {by}" for by in ("side", "seat", "variant", "players", "game", "version")),
    *(f"leaderboard logs/{log}.log --by seat" for log in ("thirty", "foreign")),
    *("leaderboard --rating online", "leaderboard --rating online --by side", "leaderboard every-game --by variant"),
    *("leaderboard --columns rank,bot,wins,wins_interval,points,points_interval,mean_rank,mean_rank_interval,ms,mu",),
    *(
        f"leaderboard logs/{log}.log --{view}"
        for log in ("thirty", "foreign")
        for view in ("matrix", "seats", "faults")
    ),
    *("compare a b", "compare a b --by variant", "ratings rebuild"),
    *("replay list logs/foreign.log", "replay list logs/thirty.log", "replay show logs/spring.log --boards all"),
    *("replay show logs/new-york.log --boards all", "replay show logs/manhattan.log --boards all"),
    *("replay find", "replay find logs/foreign.log --upsets", "replay find logs/thirty.log --longest --limit 3"),
    *("replay verify logs/spring.log logs/every-game.log", BAD),
    *("replay extract logs/spring.log --game 1-2 -o OUT/part.log",),
    *(
        "replay repair logs/spring.log",
        "replay find thirty foreign --longest",
        "replay find spring --where winner=a",
        "replay html logs/spring.log -o OUT/game.html",
    ),
    *(
        "replay svg logs/spring.log -o OUT/game.svg",
        "report logs/spring.log -o OUT/report.html",
        "simulate new-york --games 2 -o OUT/simulated.log",
    ),
    *("games", "bots", "docs", "bot new OUT/mine --lang rust", "bot replay logs/spring.log bots/a.py --seat 1"),
    *("bot check bots/a.py --games 1 --skip 4 --skip 5 --skip 9", "match bots/a.py bots/b.py --boards turns"),
    *("match bots/a.py bots/b.py --game new-york --output OUT/match.log --boards end",),
    *("key example.org/b -o OUT/b.key", "tournament publish spring -o OUT/public --key a.key"),
    "tournament receipt spring --game 1 --key a.key -o OUT/1",
]
REFUSED = [
    *("leaderboard nothing-of-this-name-has-ever-been-played-here-or-elsewhere", "leaderboard --columns bot,nothing"),
    *("tournament sign spring --key missing", "replay import OUT/none.jsonl -o OUT/x.log"),
    *("receipt verify none --key KEY", "tournament witness OUT --key a.key", "cluster check dask://127.0.0.1:1"),
    *(
        "serve --host 0.0.0.0",
        "serve nothing.py --no-open",
        "serve --stand-in nobody --no-open --port 0 --sandbox none",
        "mcp nothing.py --sandbox none",
    ),
    *("bot connect https://example.org --token T -- greedy", "bot connect ws://127.0.0.1:1 --token T -- nothing.py"),
    *("serve --bots a/b --no-open", "tournament run remote:nobody greedy --wait 0s"),
    *("tournament run nothing.py nowhere.py", "play nothing", "rules nothing", "tournament run --concurrency 4"),
]
"""Command lines that end with an error in their usage; OUT is an empty folder, also in the others."""
TABLES = (
    *("leaderboard", "tournament list", "tournament show", "tournament places", "compare"),
    *("replay list", "replay find", "replay verify", "games", "bots"),
)
"""How command lines that print a table begin."""
NOT_FOR_PEOPLE = {"results", "protocol schema", "replay export", "completion"}
"""Their output is for programs."""
WITH_A_PAGER = {"rules", "docs"}
"""They print by pages; tests/play/test_rulebook.py holds the width of what is printed."""
INTERACTIVE = {"play"}
PLAYED = {"tournament run"}
"""Run for the fixture and in the pseudo-terminal."""
WIDTHS = (80, *further(60))
CHECKS = (["bot", "check"], ["bot", "replay"])


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"  # type: ignore[assignment]

    def isatty(self) -> bool:
        return True


def league(home: Path, name: str, bots: list[str], games: int) -> None:
    """Write a log of games that were not played: bots earlier in the list have more points."""
    source, chance = {"name": name, "seed": "00" * 32, "started": "2026-01-01T00:00:00Z"}, random.Random(name)
    with LogWriter(home / f"logs/{name}.log") as log:
        for number in range(games):
            table = chance.sample(range(len(bots)), 4)
            points = [max(0, int(chance.gauss(40 - bot, 5))) for bot in table]
            ranks = [1 + sum(other > own for other in points) for own in points]
            meta = {"tournament": source, "number": number, "asked": [40] * 4, "time_us": [12345] * 4}
            options, players = Options(side=("five", "six")[number % 2]), [bots[bot] for bot in table]
            log.append(
                make_record("fifth-avenue", options, players, bytes(32), [], [], GameResult(points, ranks, "end"), meta)
            )


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with tournaments of every kind, 30 bots, and long names in several scripts: a copy, tests change it."""
    made = made_once(tmp_path_factory, "tour", make)
    return Path(shutil.copytree(made, tmp_path_factory.mktemp("tour") / "home"))


def make(home: Path) -> None:
    """Play and write all that is in the home."""
    bots = [str(path) for path in dice(home / "bots", "a", "b", *LONG)]
    run = ["--home", str(home), "--quiet", "tournament", "run", *bots, "--seed", "x", "--jobs", "1", *HARMLESS]
    for name, options in {
        "spring": ["--games", "8"],
        "swiss-tournament-with-a-very-long-name": ["--schedule", "swiss", "--rounds", "2", "--players", "2"],
        "cup": ["--schedule", "knockout", "--players", "2"],
        "every-game": ["--game", "all", "--games", "10"],
    }.items():
        assert app.run([*run, "--name", name, *options]) == 0
    (home / "a.key").write_text(KEY)
    league(home, "thirty", STUDENTS, 300)
    league(home, "foreign", FOREIGN, 120)
    for game in ("new-york", "manhattan"):
        assert app.run(["--quiet", "simulate", game, "--seed", "x", "-o", str(home / f"logs/{game}.log")]) == 0


@pytest.fixture
def shown(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, int], str]]:
    """Run a command on a terminal with this number of columns; returns what appears, colours removed."""
    monkeypatch.chdir(home)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)

    def run(line: str, columns: int) -> str:
        screen = Screen()
        monkeypatch.setenv("COLUMNS", str(columns))
        out = os.path.relpath(tmp_path)
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", screen)
            patch.setattr(sys, "stderr", screen)
            words = [word.replace("OUT", out) for word in line.split()]
            code = app.run([*words, *(HARMLESS if words[0] == "match" or words[:2] in CHECKS else [])])
        is_refused = line in REFUSED or ("key" in line and not find_spec("cryptography"))
        assert code == (2 if is_refused else line == BAD), screen.getvalue()
        return CONTROL.sub("", screen.getvalue())

    yield run


def too_wide(text: str, columns: int) -> list[str]:
    """The lines that the terminal would break, but for single words."""
    return [line for line in text.splitlines() if cell_len(line) > columns and len(line.split()) > 1]


@pytest.mark.parametrize(
    ("line", "columns"),
    [
        *(case for columns in (80, 40) for case in thinned([(line, columns) for line in (*TOUR, *REFUSED)], 3)),
        *further(*((line, 60) for line in TOUR if line.startswith(TABLES))),
    ],
)
def test_no_line_is_wider_than_the_terminal(shown: Callable[[str, int], str], line: str, columns: int) -> None:
    text = shown(line, columns)
    assert text
    # in 40 columns a path of a command to be copied has no room for the backslash
    assert [wide for wide in too_wide(text, columns) if columns > 40 or not wide.endswith(" \\")] == []
    has_marks = re.search(r"[0-9%)]~", text)
    assert bool(has_marks) == any(each.startswith(("~ ", "\\~ ")) for each in text.splitlines()), "marks are explained"


def commands() -> list[str]:
    """All commands, those of groups with the group's name in front."""
    return [each.name.removeprefix("fa ") for each in app.root().walk() if not each.commands]


def test_the_tour_has_every_command() -> None:
    toured = {command for command in commands() if any(line.startswith(command) for line in (*TOUR, *REFUSED))}
    assert toured | NOT_FOR_PEOPLE | WITH_A_PAGER | INTERACTIVE | PLAYED == set(commands())


def test_names_that_are_cut_can_be_told_apart(shown: Callable[[str, int], str]) -> None:
    text = shown("leaderboard spring", 60)
    assert len({line.split()[1] for line in text.splitlines()[2:6]}) == 4
    assert "--wide shows" in text
    assert all(name in shown("leaderboard spring --wide", 60) for name in LONG)


def on_terminal(home: Path, columns: int, *args: str, **environment: str) -> str:
    """What `fa ARGS...` prints in a pseudo-terminal with this number of columns."""
    terminal = Seat(home, *args, columns=columns, **{"PAGER": "cat", **environment})
    assert terminal.status() == 0, terminal.raw
    return terminal.raw.replace("\r\n", "\n")


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize("line", ["leaderboard logs/foreign.log", "rules new-york", "leaderboard thirty.log --matrix"])
def test_a_real_terminal(home: Path, line: str, columns: int) -> None:
    text = on_terminal(home, columns, *line.replace("thirty.log", "logs/thirty.log").split())
    assert too_wide(CONTROL.sub("", text).replace("\r", "\n"), columns) == []
    if "foreign" in line:
        assert COLOUR.search(text)
        assert "城市建设者" in text


@pytest.mark.slow
def test_a_run_in_a_real_terminal(home: Path) -> None:
    name = f"run-{len(list(home.glob('logs/*')))}"
    args = ["tournament", "run", "bots/a.py", "bots/b.py", "--games", "4", "--name", name, "--seed", "y", *HARMLESS]
    text = on_terminal(home, 80, *args)
    lines = CONTROL.sub("", text).replace("\r", "\n")
    assert too_wide(lines, 80) == []
    assert "\nrank  " in lines
    assert re.search(r"━+ 4/4 games +\d+\.\d/s +0:00 left +[ab] leads with \d+% wins", lines), lines


@pytest.mark.slow
def test_colours_are_optional(home: Path) -> None:
    command = ("leaderboard", "logs/foreign.log", "--matrix")
    coloured = on_terminal(home, 80, *command)
    without = COLOUR.sub("", coloured)
    assert coloured != without
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": ""}):
        plain = on_terminal(home, 80, *command, **environment)
        assert "\x1b" not in plain
        assert plain == without, environment


def test_a_pipe_gets_everything(home: Path) -> None:
    """Without a terminal nothing is hidden, cut, folded or coloured, whatever COLUMNS says."""
    done = run_fa(home, "leaderboard", "logs/foreign.log", COLUMNS="40", TERM="xterm")
    assert done.returncode == 0, done.stderr
    heading, _, *rows = done.stdout.splitlines()
    assert "mean rank 95%" in heading
    assert all(any(name in row for row in rows) for name in FOREIGN)
    assert "\x1b" not in done.stdout + done.stderr
    assert "hidden" not in done.stderr
