"""Sessions that first answer by a script: what their bots are told when it is at its end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fa_cli.game_result import FaultKind
from fa_cli.games import GAMES
from fa_cli.games.game import Game
from fa_cli.games.seed import Seed
from fa_cli.isolation.bot_session import BotSession
from fa_cli.match.referee import play
from fa_cli.match.scripted import ResumedPlayer, ScriptedPlayer, scripts_of
from fa_cli.protocol.messages import Clock
from fa_cli.replay.record import Record
from tests.fakes import fake_bot

SEED = Seed(bytes(range(32)))
CLOCK = Clock(5000)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_bot_that_comes_later_is_told_all(game: Game, tmp_path: Path) -> None:
    options = game.options()
    heard = [tmp_path / "whole", tmp_path / "late"]
    records = []
    for path in heard:
        state = game.start(options, 2, SEED)
        actions = records[0].actions[:25] if records else []
        scripts = scripts_of(game, state, actions, [], {})
        sessions = [
            ResumedPlayer(BotSession(fake_bot("honest", "--heard", path)), scripts[0]),
            ResumedPlayer(BotSession(fake_bot("honest")), scripts[1]),
        ]
        records.append(play(game, options, sessions, ["a", "b"], SEED, CLOCK)[0])
        for session in sessions:
            session.close()
    assert records[0].digest == records[1].digest
    assert records[0].meta["asked"] == records[1].meta["asked"]
    whole, late = ([json.loads(line) for line in path.read_text().splitlines()] for path in heard)
    told = [[event for line in lines for event in line.get("events", ())] for lines in (whole, late)]
    assert told[0] == told[1]
    asked = [[line["observation"] for line in lines if line["type"] == "decide"] for lines in (whole, late)]
    assert 0 < len(asked[1]) < len(asked[0])
    assert asked[0][-len(asked[1]) :] == asked[1]


def test_faults_are_part_of_the_script() -> None:
    game = GAMES[1]
    bots = [fake_bot("illegal", "--at", "3"), fake_bot("exit-at-hello"), fake_bot("honest")]
    first = [ResumedPlayer(BotSession(bot), script) for bot, script in zip(bots, _empty(game, 3), strict=True)]
    record, _ = play(game, game.options(), first, ["a", "b", "c"], SEED, CLOCK)
    for session in first:
        session.close()
    assert [(fault.seat, fault.kind) for fault in record.faults] == [(1, FaultKind.START), (0, FaultKind.ILLEGAL)]
    scripts = scripts_of(game, game.start(game.options(), 3, SEED), record.actions, record.faults, record.meta)
    again, _ = play(game, game.options(), [ScriptedPlayer(script) for script in scripts], ["a", "b", "c"], SEED, CLOCK)
    assert again.digest == record.digest
    details = [[detail["detail"] for detail in one.meta["fault_details"]] for one in (record, again)]
    assert details[0] == details[1]


def test_a_bot_that_can_not_start_again_changes_nothing_that_was_played() -> None:
    game = GAMES[1]
    records: list[Record] = []
    for behaviour in ("honest", "exit-at-hello"):
        state, actions = game.start(game.options(), 2, SEED), records[0].actions[:21] if records else []
        scripts = scripts_of(game, state, actions, [], {})
        bots = [fake_bot(behaviour), fake_bot("honest")]
        seated = [ResumedPlayer(BotSession(bot), script) for bot, script in zip(bots, scripts, strict=True)]
        records.append(play(game, game.options(), seated, ["a", "b"], SEED, CLOCK)[0])
        for session in seated:
            session.close()
    whole, resumed = records
    (fault,) = resumed.faults
    assert (fault.seat, fault.kind) == (0, FaultKind.START)
    assert fault.ply >= 21
    assert resumed.actions[: fault.ply] == whole.actions[: fault.ply]
    scripts = scripts_of(game, game.start(game.options(), 2, SEED), resumed.actions, resumed.faults, resumed.meta)
    again, _ = play(game, game.options(), [ScriptedPlayer(script) for script in scripts], ["a", "b"], SEED, CLOCK)
    assert again.digest == resumed.digest


def _empty(game: Game, players: int) -> list:
    return scripts_of(game, game.start(game.options(), players, SEED), [], [], {})
