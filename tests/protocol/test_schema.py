"""`fa protocol schema` describes the lines that are really sent."""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from fa_cli.cli.games.whole_schema import whole_schema
from fa_cli.games import GAMES
from fa_cli.games.contract import Event
from fa_cli.games.game import Game
from fa_cli.games.seed import Seed
from fa_cli.protocol.messages import BOT_MESSAGES, REFEREE_MESSAGES, Clock, Decide, Start

from ..conftest import Fa
from ..inside import fa as fa

SCHEMA = whole_schema()
KINDS = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None)}


def fits(value: Any, schema: dict[str, Any]) -> bool:
    """Whether a value keeps a schema, as far as ours go; objects have no field that the schema lacks."""
    if "$ref" in schema:
        return fits(value, SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")])
    if "anyOf" in schema:
        return any(fits(value, each) for each in schema["anyOf"])
    if "enum" in schema:
        return value in schema["enum"]
    if "type" in schema and not isinstance(value, KINDS[schema["type"]]):
        return False
    if isinstance(value, dict) and "properties" in schema:
        fields = schema["properties"]
        return set(schema["required"]) <= set(value) <= set(fields) and all(
            fits(part, fields[name]) for name, part in value.items()
        )
    if isinstance(value, dict):
        return all(fits(part, schema.get("additionalProperties", {})) for part in value.values())
    if isinstance(value, list):
        return all(fits(part, schema.get("items", {})) for part in value)
    return True


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_what_is_sent_fits(game: Game) -> None:
    generator = random.Random(1)
    state = game.start(game.options(), game.players[-1], Seed(bytes(32)))
    state.journal = []
    while not state.is_over():
        legal, seat = state.legal(), state.actor
        events = [event for entry in state.journal if (event := game.event_for(entry, seat)) is not None]
        decide = Decide(1, Clock(), [game.actions[action] for action in legal], events, game.observe(state, seat))
        line = json.loads(msgspec.json.encode(decide))
        assert fits(line, SCHEMA["$defs"]["Decide"])
        assert fits(line, SCHEMA)
        state.journal.clear()
        state.apply(generator.choice(legal))
    line["observation"]["seat"] = "0"
    assert not fits(line, SCHEMA)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_what_a_game_begins_with_fits(game: Game) -> None:
    board = game.board(game.options())
    start = Start(game.name, {}, ["a", "b"], 0, "0" * 64, "0" * 16, Clock(), UNSET if board is None else board)
    line = json.loads(msgspec.json.encode(start))
    assert ("board" in line) == (game.name == "fifth-avenue")
    assert fits(line, SCHEMA["$defs"]["Start"])
    line["board"] = {"rings": 7}
    assert not fits(line, SCHEMA["$defs"]["Start"])


def test_everything_is_there() -> None:
    assert {message.__name__ for message in (*REFEREE_MESSAGES, *BOT_MESSAGES, Event)} <= set(SCHEMA["$defs"])
    text = json.dumps(SCHEMA)
    for name in text.split('"$ref": "#/$defs/')[1:]:
        assert name.split('"')[0] in SCHEMA["$defs"]


def test_fields_are_described() -> None:
    assert SCHEMA["$defs"]["Start"]["properties"]["seat"]["description"] == "This bot's index in `players`."
    assert SCHEMA["$defs"]["Answer"]["properties"]["action"]["description"] == "One of the legal actions."
    inherited = SCHEMA["$defs"]["new-york.Observation"]["properties"]["turns"]
    assert inherited["description"] == "Turns finished by all players together."


def test_the_command(fa: Fa) -> None:
    assert json.loads(fa("protocol", "schema").stdout) == SCHEMA
    one = json.loads(fa("protocol", "schema", "--game", "fifth-avenue").stdout)
    assert one["$defs"]["Decide"]["properties"]["observation"]["anyOf"] == [
        {"$ref": "#/$defs/fifth-avenue.Observation"}
    ]
    assert one["$defs"]["Start"]["properties"]["board"]["anyOf"] == [{"$ref": "#/$defs/fifth-avenue.Board"}]
    without = json.loads(fa("protocol", "schema", "--game", "manhattan").stdout)
    assert "board" not in without["$defs"]["Start"]["properties"]
    wrong = fa("protocol", "schema", "--game", "chess")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("fa: no game 'chess'; ")
