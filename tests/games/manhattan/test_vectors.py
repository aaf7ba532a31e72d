"""The sample records: every decision's legal list, scores, ranks and reason."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from fa_cli.game_result import rank_seats
from fa_cli.games.manhattan import GAME

from .positions import VARIANTS

FILE = Path(__file__).parents[2] / "data" / "vectors" / "manhattan.jsonl.gz"
RECORDS = [json.loads(line) for line in gzip.decompress(FILE.read_bytes()).splitlines()]


def test_every_variant_is_among_them() -> None:
    assert sorted((len(r["players"]), r["options"]["blocks"]) for r in RECORDS) == VARIANTS


@pytest.mark.parametrize("record", RECORDS)
def test_record(record: dict[str, Any]) -> None:
    players = len(record["players"])
    state = GAME.start(GAME.make_options(record["options"]), players, bytes.fromhex(record["seed"]))
    for ply, (action, legal) in enumerate(zip(record["actions"], record["legal"], strict=True)):
        assert [GAME.actions[number] for number in state.legal()] == legal, f"ply {ply}"
        state.apply(GAME.action_number(action))
    assert state.is_over() and state.actor == -1
    ranks = rank_seats(state.standing())
    assert {"scores": state.scores(), "ranks": ranks, "reason": state.reason()} == record["result"]
