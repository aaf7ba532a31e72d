"""`fa tournament collusion` over logs of simulated leagues."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from fa_cli.cli.app import run
from fa_cli.games import find_game
from fa_cli.games.seed import Seed
from fa_cli.replay.log_writer import LogWriter
from fa_cli.replay.record import make_record
from fa_cli.stats.teams.collusion import CollusionRow
from tests.stats.leagues import League

GAME = find_game("fifth-avenue")


def write(log: Path, league: League) -> None:
    """A simulated league's results as a log."""
    log.parent.mkdir(exist_ok=True)
    with LogWriter(log) as writer:
        for game, _, _ in league.play(1):
            writer.append(
                make_record(GAME.name, GAME.options(), game.players, Seed(bytes(32)), [], [], game.result, game.meta)
            )


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with logs of a league with a helper, an honest one, and one of two-player games."""
    home = tmp_path_factory.mktemp("home")
    write(home / "logs" / "helped.log", League(bots=6, games=240, helps=3))
    write(home / "logs" / "honest.log", League(bots=6, games=240))
    write(home / "logs" / "pairs.log", League(bots=6, players=2, games=60))
    return home


def test_a_pair_that_helps_each_other(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["--home", str(home), "tournament", "collusion", "helped"]) == 0
    answer, empty, heading, _, first, *rest = capfd.readouterr().out.splitlines()
    assert (
        answer == "bot0 and bot1 help each other more than chance allows (alpha 0.05 for all 15 pairs), over 240 games."
    )
    assert not empty
    assert heading.split()[:4] == ["first", "second", "flagged", "p"]
    assert "yes" in first.split()
    assert len(rest) == 14
    assert not any("yes" in line for line in rest)
    assert max(map(len, [heading, first, *rest])) <= 100


def test_honest_bots(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["--home", str(home), "tournament", "collusion", "honest", "--alpha", "0.01"]) == 0
    assert capfd.readouterr().out.startswith(
        "No two bots help each other more than chance allows (alpha 0.01 for all 15 pairs), over 240 games.\n"
    )


def test_programs_have_all_fields(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    args = ["--home", str(home), "tournament", "collusion", "helped", "--format"]
    assert run([*args, "json"]) == 0
    rows = json.loads(capfd.readouterr().out)
    assert [tuple(row) for row in rows] == [CollusionRow.__struct_fields__] * 15
    assert rows[0]["flagged"] is True
    assert rows[0]["games"] == 96
    assert run([*args, "csv"]) == 0
    table = list(csv.DictReader(io.StringIO(capfd.readouterr().out)))
    assert [row["first"] for row in table] == [row["first"] for row in rows]
    assert run([*args, "markdown"]) == 0
    assert "| bot0 " in capfd.readouterr().out
    assert run([*args[:-1], "honest", "--format", "json"]) == 0  # several logs are taken together
    assert all(row["games"] == 2 * 96 for row in json.loads(capfd.readouterr().out))


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["pairs"], "no pair can be tested in pairs: no games at tables of 3 or more"),
        (["honest", "--game", "manhattan"], "no pair can be tested in honest: no games"),
        (["nowhere"], "no tournament named nowhere"),
        (["honest", "--game", "chess"], "no game 'chess'"),
        (["honest", "--alpha", "2"], "invalid --alpha 2.0: use a number from 1e-06 to 0.5"),
        ([], "missing argument TOURNAMENT..."),
    ],
)
def test_what_is_refused(home: Path, capfd: pytest.CaptureFixture[str], args: list[str], told: str) -> None:
    assert run(["--home", str(home), "tournament", "collusion", *args]) == 2
    assert told in capfd.readouterr().err
