"""The generated parts of docs/explanation/statistics.md and statistics-details.md: figures, tables of measurements."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from fa_cli import __version__
from fa_cli.leaderboard.played_games import played_game
from tests import statistics_page
from tests.bench import coverage
from tests.bench.coverage import Row
from tests.bench.pages import write
from tests.statistics_page import FIGURES, PAGE, Size
from tests.stats.adaptive_leagues import ADAPTIVE
from tests.stats.circle_leagues import CIRCLES
from tests.stats.needed_games import NEEDED, found, pair_scores, table_scores
from tests.stats.pair_leagues import ENDS, LEAGUES, SHORT, TABLES
from tests.tournament.helpers import Game

SVG = "{http://www.w3.org/2000/svg}"


def words(svg: str) -> list[str]:
    """The lines of text of an image."""
    return [each.text or "" for each in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_the_figure_of_strengths() -> None:
    rows = [
        {"bot": "a<b", "strength": 29.0, "strength_interval": [27.5, 30.5], "rank_range": [1, 1]},
        {"bot": "c", "strength": 21.0, "strength_interval": [19.5, 22.5], "rank_range": [2, 3]},
    ]
    svg = statistics_page.strength_figure(rows)
    assert {"a<b", "c", "1", "2 to 3", "15", "35"} <= set(words(svg))
    first, second = ElementTree.fromstring(svg).iter(f"{SVG}circle")
    assert float(first.attrib["cx"]) > float(second.attrib["cx"])


def test_the_figure_of_games() -> None:
    svg = statistics_page.games_figure([Size(8, 0.5, (-0.1, 0.9)), Size(16, 0.2, (-0.2, 0.5))])
    assert {"8", "16", "16 games", "32 games", "equal"} <= set(words(svg))
    first, second = ElementTree.fromstring(svg).iter(f"{SVG}circle")
    assert float(first.attrib["cy"]) < float(second.attrib["cy"]), "a greater difference is higher up"


def test_differences_after_the_first_deals() -> None:
    names = ["greedy", "shopkeeper"]
    games = [
        Game(names if index % 2 == 0 else names[::-1], [1, 2] if index < 16 else [2, 1], number=index // 2)
        for index in range(40)
    ]
    sizes = statistics_page.differences(played_game(game, "pair", index) for index, game in enumerate(games))
    assert [size.deals for size in sizes] == [8, 16]
    assert [size.difference for size in sizes] == [0.0, 0.0]


def test_a_block_gets_what_its_commands_print(tmp_path: Path) -> None:
    block = statistics_page.output("$ fa --version\nold\n\n$ fa tournament list\n", tmp_path)
    assert block.startswith(f"$ fa --version\nfa {__version__}")
    assert "old" not in block
    assert "$ fa tournament list\n" in block


def test_the_numbers_of_games_are_those_measured() -> None:
    rows = re.findall(r"^\| (0\.\d+) \| \d+% \| \d+ \| ([\d,]+) \| ([\d,]+) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    named = {float(score): tuple(int(cell.replace(",", "")) for cell in cells) for score, *cells in rows}
    assert named == NEEDED


@pytest.mark.parametrize(("difference", "games"), [(0.3, 100), (0.5, 40)])
def test_these_games_find_a_difference_in_four_of_five_leagues(difference: float, games: int) -> None:
    assert found(pair_scores(difference, 500, games), 2) > 0.75
    assert found(table_scores(difference, 500, NEEDED[difference][1]), 1) > 0.75


@pytest.mark.parametrize("name", ["strength", "games"])
def test_figures_are_drawn_and_described(name: str) -> None:
    ElementTree.parse(FIGURES / f"{name}.svg")
    (description,) = re.findall(rf"!\[([^]]+)\]\(figures/{name}\.svg\)", PAGE.read_text(encoding="utf-8"))
    assert len(description) > 80


def tables_of_the_page() -> dict[str, str]:
    """The tables of measurements by name."""
    page = coverage.PAGE.read_text(encoding="utf-8")
    return dict(re.findall(r"<!-- coverage (\w+) -->\n(.*?)<!-- /coverage -->", page, re.DOTALL))


def test_each_measurement_has_its_table() -> None:
    tables = tables_of_the_page()
    assert tables.keys() == coverage.MEASUREMENTS.keys()
    unmeasured = [name for name, text in tables.items() if "Measured 20" not in text or "| --- |" not in text]
    assert unmeasured == [], "run: make statistics-page"


@pytest.mark.parametrize(
    ("name", "leagues"),
    [
        ("adaptive", ADAPTIVE),
        ("circles", CIRCLES),
        ("strengths", LEAGUES | SHORT),
        ("rank_tables", TABLES),
        ("ends_of_the_scale", ENDS),
    ],
)
def test_a_table_has_the_leagues_that_are_simulated_and_intervals(name: str, leagues: dict[str, object]) -> None:
    lines = [line.split(" | ")[:2] for line in tables_of_the_page()[name].splitlines() if line.startswith("| ")]
    assert [setting.removeprefix("| ") for setting, _ in lines[2:]] == list(leagues)
    assert all(re.match(r"[\d.]+% \([\d.]+ to [\d.]+%\)", share) for _, share in lines[2:])


def test_a_table_has_a_line_for_each_setting() -> None:
    rows = [
        Row("test: error", "few", "at most 5%", "4%"),
        Row("test: blocks", "few", "", "30"),
        Row("test: error", "many", "at most 5%", "5%"),
    ]
    assert coverage.table(rows).splitlines() == [
        "| setting | error (goal: at most 5%) | blocks |",
        "| --- | --- | --- |",
        "| few | 4% | 30 |",
        "| many | 5% |  |",
    ]


def test_goals_that_differ_stand_beside_the_values() -> None:
    rows = [Row("holds", "28", "at least 93%", "94%"), Row("holds", "60", "", "95%")]
    assert coverage.table(rows).splitlines()[2:] == ["| 28 | 94% (goal: at least 93%) |", "| 60 | 95% |"]


def test_tables_are_written_between_their_markers(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    one, two = (f"<!-- coverage {name} -->\n{{}}<!-- /coverage -->\n" for name in ("one", "two"))
    page.write_text("a\n" + one.format("") + two.format("old\n") + "b\n")
    write(page, "coverage", "two", "new\n")
    write(page, "coverage", "one", "newer\n")
    assert page.read_text() == "a\n" + one.format("newer\n") + two.format("new\n") + "b\n"
    with pytest.raises(SystemExit, match="coverage three"):
        write(page, "coverage", "three", "new\n")
