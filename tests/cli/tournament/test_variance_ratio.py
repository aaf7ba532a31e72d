"""`fa tournament show` and `fa compare` print what rotations are worth."""

from __future__ import annotations

import json
from pathlib import Path

from tests.conftest import Fa
from tests.inside import fa as fa
from tests.tournament.helpers import dice

RUN = ("tournament", "run", "--sandbox", "none", "--players", "2", "--games", "40", "--seed", "x")


def test_with_rotations(fa: Fa, tmp_path: Path) -> None:
    bots = dice(tmp_path / "bots", "a", "b")
    assert fa(*RUN, *bots, "--name", "t", "--duplicate", "rotations").returncode == 0
    rows = json.loads(fa("tournament", "show", "t", "--format", "json").stdout)
    ratio, (low, high) = rows[0]["variance_ratio"], rows[0]["variance_ratio_interval"]
    assert 0 < low < ratio < high
    assert rows[1]["variance_ratio"] == ratio
    chosen = fa("tournament", "show", "t", "--format", "csv", "--columns", "bot,variance_ratio")
    assert f"\nb,{ratio}\n" in chosen.stdout
    sentence = f"100 games with rotated deals are as precise as {100 * ratio:.0f} with fresh deals"
    assert sentence in fa("tournament", "show", "t").stdout
    assert f"variance ratio {ratio:.2f} ({low:.2f} to {high:.2f})" in fa("compare", "a", "b", "t").stdout
    (row,) = json.loads(fa("compare", "a", "b", "t", "--format", "json").stdout)
    assert (row["variance_ratio"], row["variance_ratio_interval"]) == (ratio, [low, high])


def test_without_rotations(fa: Fa, tmp_path: Path) -> None:
    bots = dice(tmp_path / "bots", "a", "b")
    assert fa(*RUN, *bots, "--name", "t", "--duplicate", "off").returncode == 0
    assert "variance_ratio" not in fa("tournament", "show", "t", "--format", "json").stdout
    assert "fresh deals" not in fa("tournament", "show", "t").stdout
    (row,) = json.loads(fa("compare", "a", "b", "t", "--format", "json").stdout)
    assert (row["variance_ratio"], row["variance_ratio_interval"]) == (None, None)
