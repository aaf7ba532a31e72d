"""Actions of a person that are held back on a copy of the state, because they have revealed nothing hidden yet.

They can be undone while nobody else has acted and the journal has no entry. The usual case is a raise of several cards
in an auction.
"""

from __future__ import annotations

from ..games.contract import JournalEntry, State


def hold(state: State, action: int) -> None:
    """Apply an action of the copy's player, and then forced ones; a new journal records the events."""
    seat = state.actor
    journal: list[JournalEntry] = []
    state.journal = journal
    state.apply(action)
    while not is_revealed(state, seat) and len(legal := state.legal()) == 1:
        state.apply(legal[0])


def is_revealed(state: State, seat: int) -> bool:
    """Whether the seat's actions can't be held back any more: another seat is to act, or an event happened."""
    return bool(state.journal) or state.actor != seat
