"""docs/reference/option-map.md, from which messages about options of other tools are read."""

from __future__ import annotations

from fa_cli.cli.help.foreign_options import PAGE, find_foreign, foreign_options
from fa_cli.printing.text import either
from fa_cli.tournament.formats import FORMATS
from tests.test_docs import problem

ROWS = list(foreign_options())


def test_every_line_of_a_table_is_read() -> None:
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert len(lines) == len(ROWS) > 70
    assert {row.tools for row in ROWS} >= {"fastchess", "fastchess and cutechess-cli", "other tools", "fa 0.1"}


def test_our_options_exist() -> None:
    assert {row.ours: wrong for row in ROWS if row.ours and (wrong := problem(row.ours))} == {}


def test_every_schedule_is_there() -> None:
    schedule = find_foreign("-tournament")
    assert schedule is not None and schedule.note == either([*FORMATS])
    for name in FORMATS:
        row = find_foreign("--format", name)
        assert row is not None and row.ours == f"fa tournament run --schedule {name}"
