"""Each seat gets each event that it may see, once and in order, whenever it asks."""

from __future__ import annotations

import random

import msgspec
import pytest

import fa_cli.games.game
from fa_cli.games import GAMES, find_game
from fa_cli.games.contract import ACTION, POINTS, Event, JournalEntry
from fa_cli.games.game import EventTexts, Game
from fa_cli.match.event_feed import EventFeed

from ..toy_game import TOY


@pytest.mark.parametrize("game", [*GAMES, TOY], ids=lambda game: game.name)
@pytest.mark.parametrize("players", [2, 4])
def test_each_seat_gets_what_it_may_see(game: Game, players: int) -> None:
    choices = random.Random(7)
    state = game.start(game.options(), players, bytes(32))
    journal: list[JournalEntry] = []
    state.journal = journal
    feed = EventFeed(game, journal, players)
    got: list[list[Event]] = [[] for _ in range(players)]
    while state.actor >= 0:
        action = choices.choice(state.legal())
        journal.append((ACTION, state.actor, action))
        state.apply(action)
        if choices.random() < 0.5:
            seat = choices.randrange(players)
            got[seat] += msgspec.json.decode(feed.take(seat), type=list[Event])
    for seat in range(players):
        got[seat] += msgspec.json.decode(feed.take(seat), type=list[Event])
        assert got[seat] == [event for entry in journal if (event := game.event_for(entry, seat)) is not None]
        assert feed.take(seat) == b"[]"


def test_only_the_latest_texts_of_events_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fa_cli.games.game, "MOST_EVENTS", 3)
    texts = EventTexts(find_game("manhattan"))
    entries = [(POINTS, 0, points, 0) for points in range(8)]
    for entry in entries:
        own, others = texts[entry]
        assert own is others
        assert msgspec.json.decode(own[1:], type=Event).points == entry[2]
        assert entry in texts and len(texts) <= 3
