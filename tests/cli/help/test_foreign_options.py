"""The table of other tools' options: what it names exists."""

from __future__ import annotations

import pytest

from fa_cli.cli.app import root
from fa_cli.cli.framework.commands import Command
from fa_cli.cli.help.foreign_options import ForeignOption, find_foreign, foreign_options

ALL = list(foreign_options())
ROWS = [row for row in ALL if row.ours]


def command_named(words: list[str]) -> Command:
    """The command that the words begin with, after `fa`."""
    command = root()
    for word in words[1:]:
        if not command.commands:
            break
        command = command.child(word)
    return command


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.option)
def test_what_replaces_an_option_exists(row: ForeignOption) -> None:
    words = row.ours.split()
    command = command_named(words)
    assert not command.commands
    known = {name for each in command.parameters for name in each.names}
    assert {word for word in words if word.startswith("-")} <= known


@pytest.mark.parametrize("row", ALL, ids=lambda row: row.option)
def test_each_row_is_found_and_reads_as_one_line(row: ForeignOption) -> None:
    assert find_foreign(*row.option.split()) == row
    assert "\n" not in row.sentence(row.option)
    assert row.note or row.ours


def test_no_option_has_two_meanings() -> None:
    """Tools may share an option, in one row."""
    names = [row.option.lstrip("-").lower() for row in ALL]
    assert {name for name in names if names.count(name) > 1} == set()


TRIED_FIRST = [
    *("-concurrency", "-sprt", "elo0", "elo1", "tc", "st", "-rounds", "-repeat", "-pgnout", "-openings"),
    *("-engine", "-each", "-games", "-srand", "--resume"),
]


@pytest.mark.parametrize("option", TRIED_FIRST)
def test_the_options_that_chess_players_try_first(option: str) -> None:
    row = find_foreign(option)
    assert row is not None
    assert row.ours
    assert option == "--resume" or row.tools == "fastchess and cutechess-cli"
