"""The fixture that keeps fractions out of `sum` in fa_cli sees them, and only there."""

from __future__ import annotations

import pytest

from tests.float_sums import no_float_sums as no_float_sums


def summed(module: str, values: list[float]) -> float:
    """The sum as code of that module gets it."""
    return float(eval("sum(values)", {"__name__": module, "values": values}))


def test_fractions_in_the_package_are_refused() -> None:
    with pytest.raises(AssertionError, match="add_up"):
        summed("fa_cli.stats.paired", [0.1, 0.2])


@pytest.mark.parametrize(
    ("module", "values"), [("fa_cli.games", [1, 2.0]), ("fa_cli.games", [0.5]), ("tests", [0.1, 0.2])]
)
def test_other_sums_pass(module: str, values: list[float]) -> None:
    assert summed(module, values) == sum(values)
