"""The drawn boards of all games."""

from __future__ import annotations

import doctest

from fa_cli.viewer import drawing


def test_the_examples() -> None:
    result = doctest.testmod(drawing)
    assert result.failed == 0
    assert result.attempted > 4
