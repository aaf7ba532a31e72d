"""Values of columns as people see them."""

from __future__ import annotations

from typing import get_type_hints

import pytest

from fa_cli.printing.columns import columns_of, number, p_in_words, percent, write_p
from fa_cli.stats.lack_of_fit.verdict import LackOfFit
from tests.test_output_page import ROWS


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1"),
        (1 - 1e-15, "1"),
        (0.99999, ">0.99"),
        (0.995, ">0.99"),
        (0.9949, "0.99"),
        (0.4393, "0.44"),
        (0.05, "0.05"),
        (0.000066, "6.6e-05"),
        (1.27e-9, "1.3e-09"),
        (1e-310, "<1e-300"),
        (0.0, "<1e-300"),
    ],
)
def test_p_values_are_never_rounded_to_0_or_1(value: float, text: str) -> None:
    assert write_p(value) == text
    assert p_in_words(value) == (f"p {text[0]} {text[1:]}" if text[0] in "<>" else f"p = {text}")


@pytest.mark.parametrize(("value", "text"), [(1.0, "p = 1"), (0.997, "p > 0.99"), (0.6, "p = 0.60")])
def test_the_p_value_of_the_fit(value: float, text: str) -> None:
    assert LackOfFit(value, []).sentence == f"one number per bot fits these games ({text})"


def test_every_p_value_is_written_so() -> None:
    """Wherever a row has one."""
    columns = [column for row in ROWS.values() for column in columns_of(row)]
    found = [column for column in columns if column.field == "p_value" or column.field.endswith("_p")]
    assert len(found) == 5
    assert all(column.write is write_p for column in found)


def test_what_rounds_to_zero_has_no_minus() -> None:
    assert number("value", "", 3, "+").write(-4e-19) == "+0.000"
    assert number("value", "").write(0) == "0"
    assert percent("gain", "", 0, "+").write(-4e-19) == "+0%"


def test_the_page_says_which_values_are_lists() -> None:
    """Those of JSON, and CSV separates their parts; intervals, of two numbers, have no such word."""
    for row in ROWS.values():
        hints = get_type_hints(row)
        for column in columns_of(row):
            is_list = "list[" in str(hints[column.field])
            assert is_list == column.meaning.startswith("list: "), column.field
