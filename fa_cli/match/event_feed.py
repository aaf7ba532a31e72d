"""A game's events for the bots: each is encoded once, and seats that see the same share the bytes."""

from __future__ import annotations

from ..games.contract import ACTION, JournalEntry
from ..games.game import Game


class EventFeed:
    """The events of a game as JSON, for each seat those that it has not had yet.

    `journal` is the game's and grows as it is played.
    """

    def __init__(self, game: Game, journal: list[JournalEntry], players: int) -> None:
        self._actions_json = game.actions_json
        self._events_json = game.events_json
        self._journal = journal
        self._events: list[bytes] = []
        """A comma and the event of each journal entry as all seats see it but perhaps its own; empty if they don't."""
        self._own: list[list[tuple[int, bytes]]] = [[] for _ in range(players)]
        """For each seat since its last call: the numbers of entries that it alone sees otherwise, and how."""
        self._taken = [0] * players
        """The number of entries that the journal had at each seat's last call."""

    def take(self, seat: int) -> bytes:
        """Return the events that this seat may see since the last call for it, as a JSON array."""
        self._read_journal()
        taken = self._taken[seat]
        events = self._events[taken:]
        own = self._own[seat]
        if own:
            for number, event in own:
                events[number - taken] = event
            self._own[seat] = []
        self._taken[seat] = taken + len(events)
        return b"[%b]" % b"".join(events)[1:]

    def _read_journal(self) -> None:
        journal, events = self._journal, self._events
        for number in range(len(events), len(journal)):
            entry = journal[number]
            kind: str = entry[0]
            seat: int = entry[1]
            if kind == ACTION:  # most entries, and seldom two alike: no use in keeping them
                action: int = entry[2]
                events.append(b',{"event":"action","seat":%d,"action":%b}' % (seat, self._actions_json[action]))
                continue
            own, others = self._events_json[entry]
            events.append(others)
            if own is not others:
                self._own[seat].append((number, own))
