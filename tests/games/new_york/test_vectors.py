"""The sample records: every legal list, every score, every rank, the digest's own fields aside."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from fa_cli.game_result import rank_seats
from fa_cli.games.new_york import GAME

FILE = Path(__file__).parents[2] / "data" / "vectors" / "new-york.jsonl.gz"
RECORDS = [json.loads(line) for line in gzip.decompress(FILE.read_bytes()).splitlines()]


def test_every_variant_is_among_them() -> None:
    variants = {(len(r["players"]), r["options"]["actions"], r["options"]["chain"]) for r in RECORDS}
    assert len(variants) == 16


@pytest.mark.parametrize(
    "record", RECORDS, ids=lambda r: f"{len(r['players'])}-{'-'.join(map(str, r['options'].values()))}"
)
def test_record(record: dict[str, Any]) -> None:
    players = len(record["players"])
    state = GAME.start(GAME.make_options(record["options"]), players, bytes.fromhex(record["seed"]))
    for action, legal in zip(record["actions"], record["legal"], strict=True):
        assert [GAME.actions[number] for number in state.legal()] == legal
        state.apply(GAME.action_number(action))
    assert state.is_over() and state.actor == -1
    result = record["result"]
    assert state.scores() == result["scores"]
    assert rank_seats(state.standing()) == result["ranks"]
    assert state.reason() == result["reason"]
