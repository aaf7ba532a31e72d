"""Tournaments that end once the order of all bots is known, or the best of them, with real bots."""

from __future__ import annotations

import json
import os
import re
from itertools import islice
from pathlib import Path

import pytest

from fa_cli.replay.log_file import read_log
from fa_cli.stats.sprt import ErrorRates
from fa_cli.stats.stopping import blocks_to_decide
from fa_cli.tournament.definition import load
from tests.conftest import Fa
from tests.inside import fa as fa
from tests.tournament.helpers import dice

RUN = ("tournament", "run", "--sandbox", "none", "--max-faults", "0", "--players", "2", "--game", "manhattan")
RANKED = ("--until", "ranked", "--margin", "0.9", "--seed", "x")
"""A margin that takes half the games of one of 0.6."""


@pytest.fixture
def bots(tmp_path: Path) -> list[Path]:
    """Two bots that play at random, and one that always loses."""
    folder = tmp_path / "bots"
    return [*dice(folder, "a", "b"), *dice(folder, "fails", before="message.update(legal=['no action'])")]


def games(log: Path) -> list[object]:
    return [(entry.number, entry.players, entry.packed) for entry in read_log(log)]


@pytest.mark.slow
def test_until_the_order_is_known(fa: Fa, tmp_path: Path, bots: list[Path]) -> None:
    """The same games for any number of jobs, and after a torn end; every command shows the order."""
    for jobs in ("1", "3"):
        done = fa(*RUN, *bots, *RANKED, "--jobs", jobs, "--name", f"j{jobs}")
        assert done.returncode == 0, done.stderr
        assert "stops early once the order of the bots is known, up to differences of 0.9 (alpha 0.05," in done.stderr
    (order,) = re.findall(r"decided after [0-9,]+ blocks: the order is known, .*", done.stderr)
    assert order.endswith(", except for differences below 0.9: a 1-2, b 1-2 and fails 3")
    log, whole = tmp_path / "logs/j1.log", games(tmp_path / "logs/j3.log")
    assert games(log) == whole
    os.truncate(log, log.stat().st_size // 2)
    assert fa("tournament", "resume", "j1").returncode == 0
    assert games(log) == whole
    assert fa("tournament", "verify", "j1").returncode == 0
    (state,) = {row["state"] for row in json.loads(fa("tournament", "list", "--format", "json").stdout)}
    assert state == "finished"
    board = json.loads(fa("tournament", "show", "j1", "--format", "json").stdout)
    assert {row["bot"]: row["sequential"] for row in board} == {"a": "ranks 1-2", "b": "ranks 1-2", "fails": "rank 3"}
    assert all("stopped-early" in row["caveats"] for row in board)
    (met, *_) = json.loads(fa("compare", "a", "fails", "j1", "--format", "json").stdout)
    assert (met["fixed_sample"], met["sequential"]) == (False, "better than fails")
    assert order in " ".join(fa("compare", "a", "fails", "j1").stdout.split())
    assert fa("report", "j1", "-o", "page").returncode == 0
    assert order in (tmp_path / "page/index.html").read_text()


@pytest.mark.slow
def test_until_the_best_are_known(fa: Fa, bots: list[Path]) -> None:
    done = fa(*RUN, *bots, *RANKED, "--top", "2", "--name", "t")
    said = " ".join(done.stderr.split())
    assert "it stops early once the best 2 are known, up to differences of 0.9" in said
    assert re.search(r"decided after [1-9][0-9] blocks: the best 2 are a and b, except for differences below 0.9", said)
    board = json.loads(fa("tournament", "show", "t", "--format", "json").stdout)
    assert {row["bot"]: row["sequential"] for row in board} == {
        "a": "best 2",
        "b": "best 2",
        "fails": "not in the best 2",
    }


def test_no_bot_that_is_compared_changes(fa: Fa, bots: list[Path]) -> None:
    assert fa(*RUN, *bots, *RANKED, "--games", "8", "--name", "t").returncode == 0
    bots[2].write_text(bots[2].read_text() + "\n")
    done = fa("tournament", "resume", "t", "--update", "--more", "8")
    assert done.returncode == 2
    assert "t compares fails as it was: begin another" in done.stderr


def test_a_definition_with_an_impossible_rule(fa: Fa, tmp_path: Path, bots: list[Path]) -> None:
    assert fa(*RUN, *bots, *RANKED, "--games", "8", "--name", "t").returncode == 0
    path = tmp_path / "tournaments/t.json"
    definition = json.loads(path.read_text())
    for until, sentence in (
        ({"top": 3}, "it looks for the best 3 of 3 bots"),
        ({"first": 0}, "it compares bots 0 and None, and it has 3"),
        ({"errors": {"margin": 2}}, "--margin is more than 0 and less than 1, not 2"),
    ):
        path.write_text(json.dumps(definition | {"until": definition["until"] | until}))
        done = fa("tournament", "show", "t")
        assert (done.returncode, sentence in done.stderr) == (2, True), done.stderr


def test_bots_of_different_games(fa: Fa, tmp_path: Path, bots: list[Path]) -> None:
    for bot, played in zip(bots, (["manhattan", "fifth-avenue"], ["new-york"]), strict=False):
        bot.write_text(bot.read_text().replace('"wants":', f'"games":{json.dumps(played)},"wants":'))
    done = fa(*RUN[:-1], "all", *bots, *RANKED)
    assert done.returncode == 2
    assert "a and b never meet: they play different games" in done.stderr


def test_the_limit_is_enough_for_bots_that_share_one_game_of_several(fa: Fa, tmp_path: Path, bots: list[Path]) -> None:
    bots[1].write_text(bots[1].read_text().replace('"wants":', '"games":["manhattan"],"wants":'))
    rule = ("--until", "decided", "--compare", "a,b", "--margin", "0.5", "--define", "--name", "t")
    done = fa(*RUN[:-1], "all", *bots, *rule)
    assert done.returncode == 0, done.stderr
    definition = load(tmp_path / "tournaments/t.json")
    blocks = islice(definition.format_spec.blocks(definition.for_format()), definition.games // 2)
    assert sum({0, 1} <= set(block.group) for block in blocks if block) >= blocks_to_decide(ErrorRates(margin=0.5))
