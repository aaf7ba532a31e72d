"""The sample records: every decision's legal list, scores, ranks and reason."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from fa_cli.game_result import rank_seats
from fa_cli.games import GAMES, find_game
from tests.games.test_contract import cases

FOLDER = Path(__file__).parents[1] / "data/vectors"
RECORDS = [
    json.loads(line)
    for game in GAMES
    for line in gzip.decompress((FOLDER / f"{game.name}.jsonl.gz").read_bytes()).splitlines()
]


def test_every_variant_is_among_them() -> None:
    named = {case.game: list(case.named) for case in cases()}
    found = {(r["game"], len(r["players"]), *(r["options"][name] for name in named[r["game"]])) for r in RECORDS}
    assert found == {(case.game, case.players, *case.named.values()) for case in cases() if case.game != "toy"}


@pytest.mark.parametrize("record", RECORDS)
def test_record(record: dict[str, Any]) -> None:
    game, players = find_game(record["game"]), len(record["players"])
    state = game.start(game.make_options(record["options"]), players, bytes.fromhex(record["seed"]))
    for ply, (action, legal) in enumerate(zip(record["actions"], record["legal"], strict=True)):
        assert [game.actions[number] for number in state.legal()] == legal, f"ply {ply}"
        state.apply(game.action_number(action))
    assert state.is_over() and state.actor == -1
    ranks = rank_seats(state.standing())
    assert {"scores": state.scores(), "ranks": ranks, "reason": state.reason()} == record["result"]
