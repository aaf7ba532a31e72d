"""The benchmarks measure what they name; here at sizes that take a second."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from fa_cli.replay.log_file import read_log
from tests.bench import bench_tournaments as tournaments
from tests.bench.bench_tournaments import IN_C, READING, Field, Played
from tests.bench.ping_pong import Rate, rate_of_two_pairs

needs_cc = pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")


@needs_cc
def test_a_tournament_is_measured_end_to_end_and_in_play():
    played = tournaments.play(tournaments.command(Path(sys.executable), "new-york", IN_C, 48))
    assert played.asked > 48 * 80
    assert played.in_play > played.asked / played.seconds
    assert 0 < played.cpu_seconds < 60


def test_in_play_counts_from_the_first_games_of_the_log_to_the_last():
    sizes = [(10.0, 16), (11.0, 100), (12.0, 550), (14.0, 10_000), (15.0, 10_000)]
    assert Played(1000, 9.0, 1.0, sizes).in_play == 1000 * 0.99 / 3.0


@needs_cc
def test_a_field_has_a_figure_for_each_way_of_measuring():
    field = Field("bots in C", IN_C.bot, 1, 0.25, 0.2)
    figures = list(tournaments.measure(Path(sys.executable), "manhattan", field, 48, 1, 0.1))
    assert [figure.goal for figure in figures] == [0.25, 0.2, None]
    assert all(0 < figure.ratio < 1 for figure in figures)


def test_rates_are_compared_with_the_pair_measured_beside_them():
    figure = tournaments.compared("one", [10.0, 40.0, 30.0], [100.0, 200.0, 50.0], 0.5)
    assert (figure.value, figure.ratio, figure.is_reached()) == (40.0, 0.2, False)
    assert tournaments.mean_rate(Rate(1, 10), Rate(3, 20)) == Rate(2, 15)


@needs_cc
def test_lines_go_to_and_fro():
    assert min(rate_of_two_pairs(IN_C.bot, 0.1)) > 1000


@needs_cc
@pytest.mark.parametrize("field", [IN_C, READING], ids=lambda field: field.bot.stem)
def test_bots_play_the_same_games_again(field, fa, tmp_path):
    """Else each run would measure other games."""
    run = tournaments.command(Path(sys.executable), "fifth-avenue", field, 8)[3:]
    digests = []
    for home in ("one", "other"):
        assert fa(*run, "--home", home).returncode == 0
        digests.append([entry.digest_start for entry in read_log(tmp_path / home / "logs/bench.log")])
    assert digests[0] == digests[1]
    assert len(set(digests[0])) == 8
