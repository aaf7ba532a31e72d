"""A game's events for the bots: each is encoded once, and seats that see the same share the bytes."""

from __future__ import annotations

from ..games.contract import JournalEntry
from ..games.game import Game


class EventFeed:
    """The events of a game as JSON, for each seat those that it has not had yet.

    `journal` is the game's and grows as it is played.
    """

    def __init__(self, game: Game, journal: list[JournalEntry], players: int) -> None:
        self._event_json = game.event_json
        self._journal = journal
        self._length = 0  # of the journal when it was last read
        self._pending: list[list[bytes]] = [[] for _ in range(players)]

    def take(self, seat: int) -> bytes:
        """Return the events that this seat may see since the last call for it, as a JSON array."""
        if len(self._journal) > self._length:
            self._read_journal()
        events, self._pending[seat] = b",".join(self._pending[seat]), []
        return b"[%b]" % events

    def _read_journal(self) -> None:
        """Hand out the new entries: those that all seats see alike, one after the other, in one piece."""
        event_json, journal = self._event_json, self._journal
        shared: list[bytes] = []
        for entry in journal[self._length :]:
            own, others = event_json(entry)
            if own is others:
                if own is not None:
                    shared.append(own)
                continue
            self._hand_out(shared)
            shared = []
            for seat, pending in enumerate(self._pending):
                event = own if seat == entry[1] else others
                if event is not None:
                    pending.append(event)
        self._hand_out(shared)
        self._length = len(journal)

    def _hand_out(self, shared: list[bytes]) -> None:
        """Add events to those of all seats."""
        if shared:
            piece = b",".join(shared)
            for pending in self._pending:
                pending.append(piece)
