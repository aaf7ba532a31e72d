"""Words of a drawn board that have changed."""

from __future__ import annotations

from fa_cli.screens.changed_words import changed_words


def words(before: list[str], after: list[str]) -> list[list[str]]:
    marked = changed_words(before, after)
    return [[line[start:stop] for start, stop in spans] for line, spans in zip(after, marked, strict=True)]


def test_changed_words_of_a_line() -> None:
    assert words(["a  b  c", "same"], ["a  x  c", "same"]) == [["x"], []]
    assert words(["34W  W  . =1  . =2"], ["34W     #1 x3 =5  . =2"]) == [["#1 x3 =5"]]


def test_lines_that_came_or_went() -> None:
    assert words(["one", "two"], ["one", "new line", "two"]) == [[], ["new line"], []]
    assert words(["one", "gone", "two"], ["one", "two"]) == [[], []]
    assert words(["hand 0: black 4"], ["hand 0: black 4 5", "more"]) == [["5"], ["more"]]


def test_the_same_board_has_none() -> None:
    assert words(["a", ""], ["a", ""]) == [[], []]
