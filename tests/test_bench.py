"""The benchmarks measure what they name; here at sizes that take a second."""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path
from statistics import median

import pytest

from fa_cli.replay.log_file import read_log
from tests.bench import bench_tournaments as tournaments
from tests.bench import end_to_end, fastchess
from tests.bench.__main__ import halved, markdown
from tests.bench.bench_tournaments import IN_C, READING
from tests.bench.end_to_end import Command, Played
from tests.bench.figures import Figure
from tests.bench.ping_pong import Rate
from tests.inside import fa as fa

PYTHON = Path(sys.executable)
needs_cc = pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")


@pytest.mark.slow
@needs_cc
def test_a_tournament_is_measured_between_two_ping_pongs():
    taken = end_to_end.in_turns(partial(tournaments.play, PYTHON, "new-york", IN_C, 48), 1, 0.1)
    figures = end_to_end.compared("new-york", taken, 0.25, 0.2)
    assert [figure.goal for figure in figures] == [0.25, 0.2, None]
    assert all(0 < figure.ratio < 1 for figure in figures)
    ((played, pair),) = taken
    assert played.in_play > played.end_to_end
    assert min(pair) > 1000


def test_in_play_is_from_the_first_games_of_the_file_to_the_last():
    command = Command(8.0, 5.0, [(10.0, 16), (11.0, 100), (12.0, 550), (14.0, 10_000), (15.0, 10_000)])
    assert end_to_end.rates(command, 1000) == Played(1000 * 0.99 / 3.0, 125.0, 400.0)


def test_a_command_that_fails_is_not_measured(tmp_path):
    with pytest.raises(AssertionError, match="is not a bot"):
        end_to_end.watch([PYTHON, "-m", "fa_cli", "tournament", "run", "/etc/passwd"], tmp_path, tmp_path / "none")


def test_rates_are_compared_with_the_pair_beside_them():
    taken = [(Played(rate, 0.0, 0.0), Rate(pair, 1.0)) for rate, pair in ((10, 100), (40, 200), (30, 50))]
    figure = end_to_end.compared("one", taken, 0.5, None)[0]
    assert (figure.value, figure.ratio, figure.is_reached()) == (40, 0.2, False)


@pytest.mark.slow
@needs_cc
@pytest.mark.parametrize("field", [IN_C, READING], ids=lambda field: field.bot.stem)
def test_bots_play_the_same_games_again(field, fa, tmp_path):
    """Else each run would measure other games."""
    run = tournaments.command(PYTHON, "fifth-avenue", field, 8)[3:]
    digests = []
    for home in ("one", "other"):
        assert fa(*run, "--home", home).returncode == 0
        digests.append([entry.digest_start for entry in read_log(tmp_path / home / "logs/bench.log")])
    assert digests[0] == digests[1]
    assert len(set(digests[0])) == 8


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    return fastchess.build(tmp_path_factory.mktemp("engine"))


@needs_cc
@pytest.mark.parametrize(
    ("moves", "only"),
    [
        ("e2e4 f7f6 d1h5", "g7g6"),
        ("b1a3 b8c6 a3b5 c6d4 b5c7", "d8c7"),
        ("c2c3 b8a6 d1b3 c7c6 b3f7", "e8f7"),
        ("b1c3 b7b5 h2h4 b8a6 g2g4 e7e5 f2f3 d8h4", "h1h4"),
        ("f2f4 c7c6 g2g4 e7e6 g1f3 d8h4", "f3h4"),
        ("g1f3 h7h5 h1g1 b7b6 f3g5 c7c5 g5e6 h8h6 e6g7", "f8g7"),
    ],
)
def test_the_engine_finds_the_only_legal_move(engine, moves, only):
    asked = f"uci\nucinewgame\nisready\nposition startpos moves {moves}\ngo movetime 10000\nquit\n"
    said = subprocess.run([engine, "7"], input=asked, capture_output=True, text=True, check=True, timeout=10).stdout
    assert said == f"id name random\nuciok\nreadyok\nbestmove {only}\n"


PGN = """[Event "Fastchess Tournament"]
[Result "1/2-1/2"]
[PlyCount "{plies}"]
[Termination "{ended}"]
[TimeControl "10/move"]
[ECO "A00"]

1. e4 {{0.00/1 0.000s}} 1/2-1/2

"""


def test_moves_of_fastchess_are_counted():
    normal = PGN.format(plies=364, ended="normal")
    assert fastchess.plies(normal + PGN.format(plies=21, ended="normal")) == 385
    with pytest.raises(AssertionError):
        fastchess.plies(normal + PGN.format(plies=9, ended="rules infraction"))


@needs_cc
@pytest.mark.skipif(not shutil.which("fastchess"), reason="needs fastchess")
def test_fastchess_is_measured(engine):
    assert min(fastchess.play(engine, 10)) > 1000


@pytest.mark.slow
def test_waits_for_a_server_are_measured():
    served_load = pytest.importorskip("tests.bench.served_load", reason="pip install 'fa-cli[web]'")
    waits = served_load.figures(tables=4, spectators=10, seconds=4)
    assert len(waits.drafts) >= len(waits.actions) >= 4
    assert len(waits.others) == 10 * len(waits.last) == 10 * len(waits.actions)
    assert max(waits.last) == max(waits.others)
    assert median(waits.actions) < 0.5


def test_a_missed_goal_is_marked_and_a_halved_ratio_reported():
    now = Figure("one", 5.0, "decisions/s", 0.04, "pairs", goal=0.07)
    page = markdown({"cores": "2"}, {"tournaments": [now]})
    assert "| one | 5 decisions/s | 0.04 | pairs | at least 0.07, **missed** |" in page
    for ratio, halved_names in ((0.079, []), (0.081, ["one"])):
        kept = {"parts": {"tournaments": [now._replace(ratio=ratio)._asdict()]}}
        assert list(halved(kept, {"tournaments": [now]}).get("tournaments", {})) == halved_names
