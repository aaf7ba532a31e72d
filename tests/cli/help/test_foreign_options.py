"""The table of other tools' options: what it names exists."""

from __future__ import annotations

import pytest

from fa_cli.cli.app import root
from fa_cli.cli.framework.commands import Command
from fa_cli.cli.help.foreign_options import find_foreign, foreign_options

ALL = list(foreign_options())


def command_named(words: list[str]) -> Command:
    """The command that the words begin with, after `fa`."""
    command = root()
    for word in words[1:]:
        if not command.commands:
            break
        command = command.child(word)
    return command


def test_what_replaces_an_option_exists() -> None:
    for words in (row.ours.split() for row in ALL if row.ours):
        command = command_named(words)
        assert not command.commands, words
        known = {name for each in command.parameters for name in each.names}
        assert {word for word in words if word.startswith("-")} <= known, words


def test_each_row_is_found_and_reads_as_one_line() -> None:
    for row in ALL:
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
