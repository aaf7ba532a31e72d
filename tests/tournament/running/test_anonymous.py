"""Anonymous tournaments: what bots hear is the same whoever sits with them, and nothing else tells."""

from __future__ import annotations

import itertools
import json
import shutil
from pathlib import Path

import msgspec
import pytest

from fa_cli.cli.app import run
from fa_cli.games.seed import Seed
from fa_cli.protocol.messages import Clock
from fa_cli.tournament.definition import Definition, TournamentPaths, load
from fa_cli.tournament.fairness import measure_fairness
from fa_cli.tournament.formats.format import TournamentFormat
from fa_cli.tournament.formats.gauntlet import Gauntlet
from fa_cli.tournament.formats.round_robin import RoundRobin
from fa_cli.tournament.proof.audit import audit
from fa_cli.tournament.request import Duplicate
from fa_cli.tournament.running.run import Run
from fa_cli.tournament.schedule import NEW_PROCESS
from tests.tournament.helpers import definition, play_out, setting
from tests.tournament.running.test_run import Watcher, define, entries, play

# Keeps all that a process hears, what it was started with and what it finds around itself in a file of its own.
LISTENER = """
import json, os, sys
number = 0
while os.path.exists(path := f"{heard}/{{number}}"):
    number += 1
with open(path, "w") as file:
    own = [" ".join(sys.argv), os.getcwd(), *sorted(f"{{k}}={{v}}" for k, v in os.environ.items())]
    print(*own, sep="\\n", file=file, flush=True)
    for line in sys.stdin:
        print(line, end="", file=file, flush=True)
        message = json.loads(line)
        if message["type"] in ("hello", "start"):
            print('{{"type": "ready"}}', flush=True)
        elif message["type"] == "decide":
            print(json.dumps({{"action": message["legal"][-1]}}), flush=True)
"""
SHORT = {"turn_limit": "4"}
TESTS = Path(__file__).parent.parent.parent
OTHERS = ("alice", "bob", "carol")


def heard(home: Path, listener: Path, others: tuple[str, ...], **wishes: object) -> list[str]:
    """What each process of the listener hears in a tournament with these, which are all the same program."""
    kept = listener.with_name("heard")
    paths = [listener, *(home / name for name in others)]
    for path in paths:
        hears = kept if path == listener else home / f"{path.name}-heard"
        hears.mkdir(parents=True)
        path.mkdir(parents=True, exist_ok=True)
        (path / "bot.py").write_text(LISTENER.format(heard=hears))
        (path / "bot.toml").write_text('command = "python bot.py"\n')
    made, place = define(home, paths, clock=Clock(20_000), **wishes)
    play(made, place)
    assert {name for entry in entries(place) for name in entry.players} == {"listener", *others}
    assert not any(entry.faults for entry in entries(place))
    assert not list(audited(made, place))
    files = sorted(kept.iterdir(), key=lambda path: int(path.name))
    texts = [path.read_text() for path in files]
    for path in files:
        path.unlink()
    kept.rmdir()
    return texts


def audited(made: Definition, place: TournamentPaths) -> list[object]:
    findings: list[object] = []
    assert audit(made, place.log, findings.append).is_over
    return findings


@pytest.mark.slow
def test_what_a_bot_hears_does_not_depend_on_who_the_others_are(tmp_path: Path) -> None:
    wishes = {"anonymous": True, "options": SHORT, "players": 3, "games": 6}
    first = heard(tmp_path / "1", tmp_path / "listener", OTHERS, **wishes)
    second = heard(tmp_path / "2", tmp_path / "listener", (*OTHERS[1:], OTHERS[0]), **wishes)
    assert first == second
    assert sum('"type":"start"' in text for text in first) >= 4
    assert not any(name in text for text in first for name in (*OTHERS, "tournament"))
    for text in first:
        lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
        assert [line["players"] for line in lines if line["type"] == "start"] in ([], [["seat-0", "seat-1", "seat-2"]])


def test_otherwise_a_bot_hears_who_they_are(tmp_path: Path) -> None:
    once_each = {"players": 3, "games": 3, "duplicate": "rotations"}  # three processes play a game each
    told = heard(tmp_path / "1", tmp_path / "listener", OTHERS[:2], options=SHORT, **once_each)
    games = [text for text in told if '"start"' in text]
    assert len(games) == 3
    assert all('"alice"' in text and '"bob"' in text for text in games)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bots", "players", "plan"),
    [(6, 3, RoundRobin()), (60, 2, RoundRobin()), (12, 4, RoundRobin()), (7, 3, Gauntlet([2]))],
)
def test_who_meets_whom_can_not_be_counted_out(bots: int, players: int, plan: TournamentFormat) -> None:
    known = definition([setting(bots, players)], 240, format_spec=plan)
    made = [msgspec.structs.replace(known, anonymous=True, seed=Seed.from_hex(digit * 64)) for digit in "012"]
    orders = [[job.seats for job in play_out(one)] for one in (known, *made)]
    assert all(one != other for one, other in itertools.combinations(orders, 2))
    groups = [[tuple(sorted(seats)) for seats in order[::players]] for order in orders]
    assert all(one != other for one, other in itertools.combinations(groups, 2))
    for one in made:
        assert [job.seats for job in play_out(one)] == [job.seats for job in play_out(one)]
        if bots < 10:  # all groups come equally often
            assert measure_fairness(one) == measure_fairness(known)


@pytest.mark.parametrize("duplicate", list(Duplicate))
def test_no_process_plays_twice(duplicate: Duplicate) -> None:
    known = definition([setting(5, 3)], 60, duplicate)
    assert {job.process_slot for job in play_out(msgspec.structs.replace(known, anonymous=True))} == {NEW_PROCESS}


def test_the_option_is_a_key_is_kept_and_shown(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name in OTHERS:
        (tmp_path / f"{name}.sh").write_text(
            'while read line; do case $line in *hello*|*\\"start*) echo "{\\"type\\":\\"ready\\"}";; esac; done'
        )
    (tmp_path / "spring.toml").write_text('bots = ["*.sh"]\nanonymous = true\ngames = 1\nsandbox = "none"\n')
    home = ["--home", str(tmp_path)]
    assert run([*home, "tournament", "run", str(tmp_path / "spring.toml"), "--move-time", "50ms"]) == 0
    assert "--anonymous or not" in capfd.readouterr().err
    assert load(tmp_path / "tournaments" / "spring-1.json").anonymous
    assert run([*home, "tournament", "show", "spring-1"]) == 0
    assert "alice bob carol; anonymous" in capfd.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("anonymous", [False, True])
def test_partners_find_each_other_by_their_names_only(tmp_path: Path, anonymous: bool) -> None:
    bots = []
    for name, partner in (("left", "right"), ("right", "left"), ("third", "nobody")):
        bots.append(tmp_path / name)
        bots[-1].mkdir()
        for file in (TESTS / "fakes" / "partner.py", TESTS.parent / "bots" / "greedy.py"):
            shutil.copy(file, bots[-1])
        (bots[-1] / "bot.toml").write_text(f'command = ["python", "partner.py", "{partner}"]\n')
    said = tmp_path / "stderr"
    said.mkdir()
    made, place = define(tmp_path, bots, anonymous=anonymous, options=SHORT, players=3, games=1, clock=Clock(20_000))
    Run(made, place, jobs=1, listener=Watcher(), resume="", stderr=said).play()
    found = {path.name.partition(".")[0] for path in said.iterdir() if "found" in path.read_text()}
    assert found == (set() if anonymous else {"left", "right"})
    assert not entries(place)[0].faults
