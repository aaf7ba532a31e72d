"""Hidden cards never leave the server: what a page gets depends on nothing that its seat can't know."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fa_cli.games import Seed, find_game
from fa_cli.games.contract import State
from fa_cli.games.game import Game
from fa_cli.isolation.limits import Limits
from fa_cli.play.unfinished import Opponent, Unfinished
from fa_cli.replay.log_file import entry_at
from fa_cli.replay.narrate import describe_entry
from fa_cli.replay.reconstruct import deal_of, play_again
from fa_cli.serve.room import Room
from fa_cli.serve.saved_table import SPECTATOR, Audience, SavedTable, new_token
from fa_cli.serve.table import Moment, Question, Table
from fa_cli.viewer.drawing import closed
from tests.apart import call_apart
from tests.conftest import further
from tests.serve.served import Served, person

GAMES = [
    ("fifth-avenue", 3, {}),
    ("manhattan", 3, {}),
    ("new-york", 3, {"actions": "on", "turn_limit": "40"}),
    *further(("fifth-avenue", 2, {"side": "six"}), ("manhattan", 2, {}), ("new-york", 5, {"actions": "on"})),
]
NAMES = ["ann", "ben", "cid", "dan", "eve"]


def table_of(game: Game, players: int, options: dict[str, Any], path: Path, people: Sequence[int]) -> Table:
    """A table whose game does not begin, with people in these seats and bots in the others."""
    seats = [Opponent(name, "" if seat in people else "a path") for seat, name in enumerate(NAMES[:players])]
    options = msgspec.structs.asdict(game.make_options(options))
    unfinished = Unfinished(game.name, options, Seed.from_text("hidden"), people[0], seats)
    saved = SavedTable(unfinished, {seat: new_token() for seat in people}, new_token())
    return Table(1, saved, (path, path), [None] * players, None, Limits(), lambda news: None)


def moment_of(game: Game, state: State) -> Moment:
    """The position as the table's observer sees it."""
    audiences: Sequence[Audience] = [SPECTATOR, *range(state.players)]
    views = {audience: game.view(state, audience) for audience in audiences}
    views[SPECTATOR] = closed(views[SPECTATOR])
    told: dict[Audience, list[str]] = {audience: [] for audience in audiences}
    texts = {seat: game.render(state, seat) for seat in range(state.players)}
    return Moment(1, state.actor, views, told, [0.0] * state.players, texts)


def bytes_sent(table: Table, state: State, audience: Audience) -> list[bytes]:
    """All that a page of this audience gets when it comes in this position."""
    room = Room(table)
    room.hear(moment_of(table.game, state))
    room.hear(Question(1, state.actor, state, 0.0))
    follower, sent = call_apart(lambda: room.join(audience)), []
    while not follower.outgoing.empty():
        message = re.sub(rb'"seconds":[0-9.e-]+', b"", follower.outgoing.get_nowait() or b"")
        if message not in sent or not message.startswith(b'{"type":"present"'):  # told twice on a busy machine
            sent.append(message)
    return sent


@pytest.mark.parametrize(("name", "players", "options"), GAMES)
def test_pages_get_the_same_bytes_whatever_is_hidden(
    name: str, players: int, options: dict[str, Any], tmp_path: Path
) -> None:
    game, choose = find_game(name), random.Random(name)
    table = table_of(game, players, options, tmp_path / "table-1.table", range(players))
    state = game.start(game.make_options(options), players, Seed.from_text("hidden"))
    compared = 0
    while not state.is_over():
        if len(state.legal()) > 1 and choose.random() < 0.1:
            for seat in range(players):
                other = game.resample_from_infostate(state, seat, choose)
                different = [each for each in range(players) if game.view(other, each) != game.view(state, each)]
                assert bytes_sent(table, other, seat) == bytes_sent(table, state, seat)
                assert bytes_sent(table, other, SPECTATOR) == bytes_sent(table, state, SPECTATOR)
                assert closed(game.view(other, None)) == closed(game.view(state, None))
                compared += bool(different)
        state.apply(choose.choice(state.legal()))
    assert compared > 5


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players", "options"), GAMES)
def test_every_byte_of_a_whole_game(server: Served, name: str, players: int, options: dict[str, Any]) -> None:
    """People play over the network; no part of another's hand, and no card drawn face down, is ever sent to a page."""
    opened = server.open(name, [person(each) for each in NAMES[:players]], options=options)
    number = opened["table"]
    pages = {int(seat): server.page(number, token) for seat, token in opened["tokens"].items()}
    watcher = server.page(number, opened["spectators"])
    choose, steps = random.Random(name), 0
    positions = {seat: page.until("position")["ply"] for seat, page in pages.items()}
    assert positions
    while True:
        asked = pages[0].until("asked", "ended")
        if asked["type"] == "ended":
            break
        steps += 1
        page = pages[asked["seat"]]
        question = asked if asked["seat"] == 0 else page.my_turn()
        assert question
        page.play(question, choose.randrange(1000))
    watcher.until("ended")
    for page in pages.values():
        if page is not pages[0]:
            page.until("ended")
    assert steps > 10
    for viewer, page in [*pages.items(), (None, watcher)]:
        keys = page.last["welcome"]["keys"]
        hands = {slot for slot, key in enumerate(keys) if key.startswith("hand.") and int(key.split(".")[1]) != viewer}
        assert hands
        for raw in page.received:
            message = json.loads(raw) if b'"parts"' in raw else {}
            for slot, svg in (message.get("parts") or {}).items():
                if int(slot) in hands:
                    assert "data-card" not in svg or "unknown" in svg or name == "fifth-avenue", (keys[int(slot)], svg)
        page.close()
    entry = entry_at(server.home / f"logs/table-{number}.log", 0)
    assert entry
    tell_tale(entry.record(), [(viewer, page.received) for viewer, page in [*pages.items(), (None, watcher)]])


def tell_tale(record: Any, received: list[tuple[int | None, list[bytes]]]) -> None:
    """No page was told of cards that others drew face down."""
    game, state = deal_of(record)
    state.journal = []
    secrets = set()
    for decision in play_again(game, state, record):
        for entry in decision.entries:
            known, public = (describe_entry(game, state, entry, record.players, viewer) for viewer in (None, -1))
            if known != public:
                assert '"' not in known
                secrets.add((entry[1], known))
    assert secrets or record.game == "fifth-avenue"  # whose cards are drawn face up, but for black ones
    for viewer, messages in received:
        quoted = set(b"".join(messages).split(b'"'))  # to look for each secret in all of it would take longer
        for seat, words in secrets:
            assert seat == viewer or words.encode() not in quoted
