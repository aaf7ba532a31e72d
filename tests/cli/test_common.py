"""Durations, options and names on the command line."""

from __future__ import annotations

import pytest

from fa_cli.cli.common import check_name, parse_duration, parse_options
from fa_cli.errors import UsageError


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("1s", 1), ("200ms", 0.2), ("1.5s", 1.5), ("2m", 120), ("2 min", 120), ("1h", 3600), ("3", 3), ("250us", 0.00025)],
)
def test_durations(text: str, seconds: float) -> None:
    assert parse_duration(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "s", "-1s", "0", "0ms", "1d", "1s2", "nan", "1e3s", "٣s"])
def test_no_durations(text: str) -> None:
    with pytest.raises(UsageError, match="200ms, 1s or 2m"):
        parse_duration(text)


def test_options() -> None:
    assert parse_options(["side=six", "note=a=b"]) == {"side": "six", "note": "a=b"}
    assert parse_options(None) == {}


@pytest.mark.parametrize("given", [["side"], ["=six"], ["side="], [""]])
def test_no_options(given: list[str]) -> None:
    with pytest.raises(UsageError, match="NAME=VALUE"):
        parse_options(given)


def test_an_option_twice() -> None:
    with pytest.raises(UsageError, match="side is given twice: 'five' and 'six'"):
        parse_options(["side=five", "side=six"])


@pytest.mark.parametrize("name", ["a", "2026-11-21_1", "A.b", "x" * 100])
def test_names(name: str) -> None:
    assert check_name(name) == name


@pytest.mark.parametrize("name", ["", ".", "..", "../a", "a/b", "-a", ".a", "a b", "a\n", "x" * 101, "a.log", "a.JSON"])
def test_no_names(name: str) -> None:
    with pytest.raises(UsageError, match=r"^invalid name .* use letters of one language, digits"):
        check_name(name)
