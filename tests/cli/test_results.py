"""`fa results`: the table of all results, as other programs read it."""

from __future__ import annotations

import csv
import io
import json
import resource
import sys
from collections import Counter
from pathlib import Path

import pytest

from fa_cli.leaderboard.queries import ResultRow
from fa_cli.replay.log_entry import entry_of
from fa_cli.replay.log_file import read_log
from fa_cli.replay.log_writer import write_new_log
from tests.conftest import Fa, assert_refused
from tests.inside import fa as fa
from tests.inside import play_quietly
from tests.tournament.helpers import dice

FIELDS = list(ResultRow.__struct_fields__)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with two tournaments, in which a bot crashes."""
    home = tmp_path_factory.mktemp("home")
    bots = [*dice(home / "bots", "a", "b"), *dice(home / "bots", "c", before="if asked == 9: sys.exit(3)")]
    for name in ("one", "two"):
        words = ("--players", "3", "--games", "6", "--name", name, "--seed", name, "--option", "turn_limit=3")
        play_quietly(home, *bots, *words)
    return home


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_a_row_for_each_game_and_seat(fa: Fa, home: Path) -> None:
    """Every row agrees with the log."""
    rows = rows_of(fa("--home", home, "results").stdout)
    assert list(rows[0]) == FIELDS
    assert len(rows) == 2 * 6 * 3
    entries = [(name, entry) for name in ("one", "two") for entry in read_log(home / "logs" / f"{name}.log")]
    for place, (name, entry) in enumerate(entries):
        for seat, row in enumerate(rows[3 * place : 3 * place + 3]):
            assert (row["log"], int(row["record"]), int(row["seat"])) == (name, entry.index + 1, seat)
            assert (row["bot"], int(row["players"]), row["game"]) == (entry.players[seat], 3, entry.game)
            assert (int(row["rank"]), int(row["points"])) == (entry.result.ranks[seat], entry.result.scores[seat])
            assert (int(row["block"]), int(row["decisions"])) == (entry.number, entry.meta["asked"][seat])
            assert int(row["time_us"]) == entry.meta["time_us"][seat]
            kinds = {fault.seat: fault.kind.value for fault in entry.faults}
            assert row["fault"] == kinds.get(seat, "")
    assert Counter(row["fault"] for row in rows)["crash"] > 0
    assert {len(row["version"]) for row in rows} == {8}
    for block in range(2):  # the games of a deal have one stratum
        assert len({row["stratum"] for row in rows if (row["log"], row["block"]) == ("one", str(block))}) == 1


def test_only_what_was_named(fa: Fa, home: Path) -> None:
    assert {row["log"] for row in rows_of(fa("--home", home, "results", "two").stdout)} == {"two"}
    both = rows_of(fa("--home", home, "results", "two", home / "logs" / "one.log").stdout)
    assert [row["log"] for row in both] == ["one"] * 18 + ["two"] * 18
    assert both == rows_of(fa("--home", home, "results", "--game", "fifth-avenue").stdout)


def test_json(fa: Fa, home: Path, tmp_path: Path) -> None:
    """JSON has the same values, with numbers as numbers and null for None; the file's extension selects the format."""
    done = fa("--home", home, "results", "-o", tmp_path / "all.json")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"wrote 36 rows to {tmp_path / 'all.json'}\n"
    found = json.loads((tmp_path / "all.json").read_text())
    texts = [{field: "" if value is None else str(value) for field, value in row.items()} for row in found]
    assert texts == rows_of(fa("--home", home, "results").stdout)
    assert [file.name for file in tmp_path.iterdir()] == ["all.json"]


def test_parquet(fa: Fa, home: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", exc_type=ImportError)  # it needs a newer NumPy than we do
    file = tmp_path / "all.parquet"
    assert fa("--home", home, "results", "--output", file).returncode == 0
    found = parquet.read_table(file)
    assert found.column_names == FIELDS
    assert {str(found.schema.field(name).type) for name in ("rank", "points", "block")} == {"int64"}
    assert fa("--home", home, "results", "--output", tmp_path / "all.json").returncode == 0
    assert found.to_pylist() == json.loads((tmp_path / "all.json").read_text())


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["nothing"], "no tournament named nothing"),
        (["--game", "chess"], "no game 'chess'"),
        (["--game", "manhattan"], "no games of manhattan in the logs"),
        (["--format", "parquet"], "parquet is written to a file only: name one with -o FILE"),
        (["--format", "xml"], "invalid --format 'xml': use csv, json or parquet"),
        (["-o", "no/such/folder.csv"], "cannot write no/such/folder.csv: no/such is not a folder"),
        (["-o", "."], ".: it exists already and is not overwritten"),
        (["-o", "n" * 300], "File name too long"),
        (["-o", "all.xyz"], "all.xyz: unknown ending; use .csv, .json or .parquet, or --format"),
    ],
)
def test_what_is_refused(fa: Fa, home: Path, words: list[str], text: str) -> None:
    done = fa("--home", home, "results", *words)
    assert_refused(done, within=text)


def test_a_file_is_not_replaced(fa: Fa, home: Path, tmp_path: Path) -> None:
    file = tmp_path / "kept.csv"
    file.write_text("mine")
    done = fa("--home", home, "results", "-o", file)
    assert (done.returncode, file.read_text()) == (2, "mine")


def test_what_can_not_be_written_leaves_nothing(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A limit of one kilobyte per file stands for a full disk."""
    from fa_cli.cli import app

    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # a cut file of bytecode would break the next process
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        code = app.run(["--home", str(home), "results", "-o", str(tmp_path / "all.csv")])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert code == 2
    assert capsys.readouterr().err == f"fa: cannot write {tmp_path / 'all.csv'}: File too large\n"
    assert list(tmp_path.iterdir()) == []


def test_json_escapes_what_a_terminal_might_obey(fa: Fa, home: Path, tmp_path: Path) -> None:
    entry = next(read_log(home / "logs/one.log"))
    record = entry.record()
    record.players[0] = "\u202egnp\u2028\x9b"
    write_new_log(tmp_path / "forged.log", [entry_of(record)])
    text = fa("results", "forged.log", "--format", "json").stdout
    assert text.isascii()
    assert json.loads(text)[0]["bot"] == record.players[0]
