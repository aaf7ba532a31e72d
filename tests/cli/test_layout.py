"""Tables made to fit: columns hidden by importance, names cut, texts folded, blocks for the rest."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from fa_cli.printing.columns import KEY, Column, number, text
from fa_cli.printing.layout import Cell, Layout, lay_out

COLUMNS = [
    Column("bot", "bot", importance=KEY),
    number("games", "", importance=2),
    number("strength", ""),
    number("points", "", importance=1),
    number("wins", "", importance=2),
]


def laid(columns: list[Column], rows: list[list[str]], width: int | None) -> Layout:
    return lay_out(columns, [[Cell(text) for text in row] for row in rows], width, colours=False)


def test_the_least_important_columns_are_hidden_first_and_equal_ones_together() -> None:
    row = [["greedy", "120", "25.00", "33.3", "50%"]]
    hidden = {width: [column.heading for column in laid(COLUMNS, row, width).hidden] for width in range(14, 40)}
    assert hidden[37] == hidden[39] == []
    assert hidden[36] == hidden[29] == ["points"]
    assert hidden[28] == hidden[16] == ["points", "games", "wins"]
    for width, names in hidden.items():
        assert names in (hidden[39], hidden[36], hidden[28])
        assert all(len(line) <= width for line in laid(COLUMNS, row, width).lines) or width < 16


def test_without_a_width_nothing_is_missing() -> None:
    name = "x" * 300
    layout = laid(COLUMNS, [[name, "1", "2", "3", "4"]], None)
    assert layout.hidden == []
    assert not layout.has_cuts
    assert layout.lines[2].split() == [name, "1", "2", "3", "4"]


@pytest.mark.parametrize(
    "name", ["the-quick-brown-fox-jumps-over-the-lazy-dog-7", "城市建设者" * 6 + "7", "é" * 45 + "7"]
)
def test_long_names_keep_their_start_and_end(name: str) -> None:
    layout = laid(COLUMNS, [[name, "120", "25.00", "33.3", "50%"], ["b", "1", "2", "3", "4"]], 40)
    shown = layout.lines[2].split()[0]
    assert layout.has_cuts
    assert shown.startswith(name[:3])
    assert shown.endswith(name[-3:])
    assert "..." in shown
    assert max(map(cell_len, layout.lines)) <= 40
    assert [column.heading for column in layout.hidden] == ["points", "games", "wins"]
    assert {cell_len(line) for line in layout.lines[1:]} == {cell_len(layout.lines[1])}, "wide characters shift nothing"


def test_texts_are_folded_at_words() -> None:
    columns = [Column("bot", "bot", importance=KEY), text("description", "", folds=True)]
    layout = laid(columns, [["a", "plays what brings the most points right now"], ["b", "hinders"]], 30)
    assert layout.lines[2:] == ["a    plays what brings the", "     most points right now", "b    hinders"]
    assert not layout.has_cuts


def test_too_many_columns_become_blocks_with_the_names_of_rows() -> None:
    columns = [Column("bot", "bot", importance=KEY), *(number(str(index), "") for index in range(10))]
    layout = laid(columns, [["greedy", *"9876543210"]], 20)
    assert max(map(len, layout.lines)) <= 20
    assert layout.lines.count("") == 2
    assert [line.split() for line in layout.lines if line.startswith("greedy")] == [
        ["greedy", *"9876"],
        ["greedy", *"5432"],
        ["greedy", *"10"],
    ]


def test_names_of_rows_leave_room_for_the_other_column_of_a_block() -> None:
    columns = [Column(name, name, importance=KEY) for name in ("game", "about")]
    columns += [number(name, "")._replace(heading=name) for name in ("value", "value 95%")]
    layout = laid(columns, [["fifth-avenue", "head-to-head", "-0.066", "-0.066 to +0.040"]], 40)
    assert [max(map(len, block.split("\n"))) for block in "\n".join(layout.lines).split("\n\n")] == [34, 40]
    assert layout.has_cuts


def test_parts_have_their_names_above_and_stay_together() -> None:
    parts = [
        number(heading, "", importance=importance)._replace(part=part)
        for part in ("side=five", "side=six")
        for heading, importance in (("games", 1), ("strength", 10), ("wins", 10))
    ]
    columns = [Column("bot", "bot", importance=KEY), *parts]
    row = [["greedy", "80", "25.00", "31%", "70", "24.00", "29%"]]
    assert laid(columns, row, 52).lines[0] == "        side=five              side=six"
    layout = laid(columns, row, 40)
    assert layout.lines[0] == "        side=five       side=six"
    assert {column.heading for column in layout.hidden} == {"games"}
    blocks = laid(columns, row, 25).lines
    assert [line for line in blocks if "=" in line] == ["        side=five", "        side=six"]
    assert [line for line in blocks if line.startswith("greedy")] == [
        "greedy     25.00   31%",
        "greedy     24.00   29%",
    ]


def test_no_rows() -> None:
    assert laid(COLUMNS, [], 30).lines == ["bot  games  strength  wins", "---  -----  --------  ----"]
