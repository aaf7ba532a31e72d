"""Hidden cards never reach an assistant: what its seat gets depends on nothing that it can't know."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from fa_cli.errors import UsageError
from fa_cli.games import Seed, find_game
from fa_cli.games.contract import State
from fa_cli.mcp_server.results import Answer, plain
from fa_cli.mcp_server.seat import Seat
from fa_cli.serve.table import Question, Table
from tests.apart import run_apart
from tests.serve.test_hidden import GAMES, moment_of, table_of


def bytes_sent(table: Table, state: State, seat: int, wrong: list[str]) -> list[bytes]:
    """All that the seat can get in this position: the answer, another look, and what it gets for wrong actions."""
    from fa_cli.mcp_server.server import result_of  # needs the extra

    room = Seat(table)
    room.hear(moment_of(table.game, state))
    if state.actor == seat:
        room.hear(Question(1, seat, state, 0.0))
    looks = [room.look(1, "assistant-1", again) for again in (False, True)]
    answers = [result_of(Answer(look.text, plain(look))) for look in looks]
    sent = [answer.model_dump_json().encode() for answer in answers]
    for action in wrong:
        with pytest.raises(UsageError) as refused:
            room.act(action, None)
        sent.append(str(refused.value).encode())
    return sent


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players", "options"), GAMES)
def test_the_same_bytes_whatever_is_hidden(name: str, players: int, options: dict[str, Any], tmp_path: Path) -> None:
    game, choose = find_game(name), random.Random(name)
    tables = [table_of(game, players, options, tmp_path / "assistant-1.table", [seat]) for seat in range(players)]
    state = game.start(game.make_options(options), players, Seed.from_text("hidden"))
    compared = asked = 0

    async def compare() -> None:
        nonlocal compared, asked
        illegal = [number for number in range(len(game.actions)) if number not in state.legal()]
        wrong = [*(game.actions[number] for number in choose.sample(illegal, 5)), "0", "999999999999", "x\ny"]
        for seat in range(players):
            other = game.resample_from_infostate(state, seat, choose)
            different = [each for each in range(players) if game.view(other, each) != game.view(state, each)]
            sent = bytes_sent(tables[seat], state, seat, wrong)
            assert sent == bytes_sent(tables[seat], other, seat, wrong)
            compared += bool(different)
            asked += bool(different) and state.actor == seat

    while not state.is_over():
        if len(state.legal()) > 1 and choose.random() < 0.1:
            run_apart(compare())
        state.apply(choose.choice(state.legal()))
    assert compared > 5
    assert asked > 2
