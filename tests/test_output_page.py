"""docs/reference/output.md explains the fields of tables as the rows declare them.

`python -m tests.test_output_page` writes its tables again.
"""

from __future__ import annotations

import re
from pathlib import Path

from fa_cli.cli.bot.shipped import ShippedBotRow
from fa_cli.cli.games.catalogue import OptionRow
from fa_cli.cli.replay.find import FoundGame
from fa_cli.cli.replay.logs import RecordRow
from fa_cli.cli.tournament.show import TournamentRow
from fa_cli.cli.tournament.watch import WatchRow
from fa_cli.cluster.worker_check import WorkerRow
from fa_cli.leaderboard.queries import ResultRow
from fa_cli.leaderboard.standings import StandingRow
from fa_cli.match.check.compliance import Check
from fa_cli.match.rerun import Difference, RepeatedGame
from fa_cli.printing.columns import columns_of
from fa_cli.results.places import PlaceRow
from fa_cli.stats.comparison_row import ComparisonRow
from fa_cli.stats.faults import FaultRow
from fa_cli.stats.head_to_head import HeadToHeadRow
from fa_cli.stats.luck.seat_values import SeatRow
from fa_cli.stats.stopping_results import EvidenceRow
from fa_cli.stats.teams.collusion import CollusionRow
from fa_cli.tournament.proof.signing import Head

PAGE = Path(__file__).parent.parent / "docs/reference/output.md"
ROWS = {
    row.__name__: row
    for row in (
        *(StandingRow, HeadToHeadRow, SeatRow, FaultRow, ComparisonRow, CollusionRow, ResultRow),
        *(
            Check,
            Difference,
            RepeatedGame,
            RecordRow,
            FoundGame,
            TournamentRow,
            WatchRow,
            EvidenceRow,
            PlaceRow,
            Head,
            OptionRow,
            ShippedBotRow,
            WorkerRow,
        ),
    )
}
TABLE = re.compile(r"<!-- fields of (\w+) -->\n(?:\|.*\n)*")


def table(name: str) -> str:
    """The fields of a row and what they mean."""
    lines = [f"| `{column.field}` | {column.meaning} |" for column in columns_of(ROWS[name])]
    return "\n".join([f"<!-- fields of {name} -->", "| field | meaning |", "| --- | --- |", *lines, ""])


def written(text: str) -> str:
    """The page with its tables as the rows declare them."""
    return TABLE.sub(lambda found: table(found[1]), text)


def test_the_page_says_what_rows_declare() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text == written(text)
    assert set(TABLE.findall(text)) == set(ROWS)


def test_every_field_is_a_column_with_a_meaning() -> None:
    for row in ROWS.values():
        columns = columns_of(row)
        assert tuple(column.field for column in columns) == row.__struct_fields__
        assert all(column.heading and column.meaning for column in columns)


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
