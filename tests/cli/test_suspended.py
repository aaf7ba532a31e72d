"""A suspended bot in all tables: the games that it missed are no faults."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.conftest import Fa
from tests.inside import fa as fa
from tests.tournament.helpers import dice

FAULTS, GAMES = 3, 12
RUN = ("tournament", "run", "--sandbox", "none", "--players", "2", "--name", "x", "--max-faults", "3")


def test_faults_and_missed_games_are_apart_everywhere(fa: Fa, tmp_path: Path) -> None:
    bots = dice(tmp_path / "bots", "a") + dice(tmp_path / "bots", "bad", before="sys.exit('no more')")
    done = fa(*RUN, *bots, "--games", str(GAMES))
    assert "warning: bad is suspended after 3 faults in 3 games: it loses the rest of its games" in done.stderr
    missed = GAMES - FAULTS
    for command in (("leaderboard", "x"), ("tournament", "show", "x")):
        row = next(row for row in json.loads(fa(*command, "--format", "json").stdout) if row["bot"] == "bad")
        assert (row["games"], row["faults"], row["suspended"]) == (GAMES, FAULTS, missed)
        assert re.search(r"faults +suspended", fa(*command).stdout)
    kinds = json.loads(fa("leaderboard", "x", "--faults", "--format", "json").stdout)[0]
    assert kinds == {
        "bot": "bad",
        "games": GAMES,
        "faults": FAULTS,
        "share": 1.0,
        "suspended": missed,
        "crash": FAULTS,
        **dict.fromkeys(("start", "timeout", "protocol", "illegal", "resource"), 0),
    }
    shown = fa("leaderboard", "x", "--faults").stdout.splitlines()[0]
    assert "crash" in shown and "illegal" not in shown, "kinds of which there are none take no room"
    results = json.loads(fa("results", "--format", "json").stdout)
    assert [row["fault"] for row in results if row["bot"] == "bad"] == ["crash"] * FAULTS + ["suspended"] * missed
    assert f"faults of bad: 3 crash; suspended for {missed} games; the first in x, game 1" in (
        fa("tournament", "show", "x").stderr
    )
    watched = fa("tournament", "watch", "x", "--once").stdout
    assert f"faults: bad 3 (3 crash, suspended for {missed} games)" in watched
    report = fa("report", "x", "--format", "markdown").stdout
    assert f"3 faults of 1 bot; 1 suspended bot missed {missed} games." in report
    fa("report", "x", "-o", "x.html")
    assert f"3 faults of 1 bot; 1 suspended bot missed {missed} games." in (tmp_path / "x.html").read_text()
    listed = json.loads(fa("replay", "list", "x", "--format", "json").stdout)
    assert [(row["faults"], row["suspended"]) for row in listed] == [(1, 0)] * FAULTS + [(0, 1)] * missed
    assert "bad is out of the game: suspended\n" in fa("replay", "show", "x", "--game", str(GAMES)).stdout
    refused = fa("bot", "replay", "x", "--game", str(GAMES), "--seat", str(listed[-1]["players"].index("bad")), bots[1])
    assert "had no decision to take: its bot was suspended\n" in refused.stderr
    repeated = json.loads(fa("bot", "replay", "x", "random", "--player", "bad", "--format", "json").stdout)
    assert [(row["answers"], row["failed"]) for row in repeated] == [(0, "")] * GAMES
    assert "start" not in fa("replay", "find", "x").stdout
    assert len(json.loads(fa("replay", "find", "x", "--faults", "--format", "json").stdout)) == FAULTS
    assert f"bad {missed}" in fa("compare", "a", "bad").stdout
    assert fa("tournament", "verify", "x").returncode == 0


def test_a_comparison_says_that_it_counts_faults_in_games_without_the_rival_too(fa: Fa, tmp_path: Path) -> None:
    bots = dice(tmp_path / "bots", "a", "b") + dice(tmp_path / "bots", "bad", before="sys.exit('no more')")
    assert fa(*RUN, *bots, "--games", "12", "-q").returncode == 0
    row = json.loads(fa("compare", "a", "bad", "--format", "json").stdout)[0]
    assert row["games"] == 4, "the other half of bad's games is without a"
    figures = " ".join(fa("compare", "a", "bad").stdout.split())
    assert " faults bad 3 in all their games; games with a fault count as lost " in figures
    assert " suspended bad 5 of all their games; they count as lost " in figures


def test_a_tournament_without_suspended_bots_has_no_column_for_them(fa: Fa, tmp_path: Path) -> None:
    assert "suspended" not in fa(*RUN, *dice(tmp_path / "bots", "a", "b"), "--games", "4").stdout
