"""A table's file beside its future log: all that is needed to play its game on after the server has ended.

And files that keep a secret.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from ..errors import LogError, UsageError
from ..play.unfinished import Unfinished, check, load_as, save
from ..system import write_atomically

ENDING = ".table"
SPECTATOR = None
"""Who watches: a seat, or this, which sees no hand."""
Audience = int | None
Token = Annotated[str, msgspec.Meta(min_length=22, max_length=22)]


def new_token() -> str:
    """A secret of 128 bits, as 22 characters of an address."""
    return secrets.token_urlsafe(16)


def kept_secret(path: Path) -> str:
    """The secret in this file, which is made when it is first needed. Raises UsageError if it has none, OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        write_atomically(path, new_token().encode(), replace=False, mode=0o600)
    secret = path.read_text(encoding="utf-8", errors="replace").strip()
    if len(secret) < len(new_token()):
        raise UsageError(f"{path} holds no secret: remove it for a new one")
    return secret


class SavedTable(msgspec.Struct):
    """A table and its game so far."""

    game: Unfinished
    """Its `seat` is that of the first person, 0 if only bots play."""
    tokens: dict[int, Token]
    """By seat of a person: the secret of the seat's link."""
    spectators: Token
    """The secret of the link for all who watch."""
    pace_ms: int = 700
    """The least time between the actions of bots, in milliseconds."""
    person_seconds: int | None = None
    """The time that a person has for a decision."""
    stand_in: str = ""
    """The path of the bot that plays for people who leave; empty if none does."""
    came: list[int] = []
    """The seats of people whose pages have been opened; until all are, no time of a person runs."""
    handed_over: list[int] = []
    """The seats that this bot plays."""
    returned: set[int] = set()
    """Those that people took back from it, or in which it failed."""
    resigned: list[int] = []
    """The seats of people who have left the game."""
    is_owners: bool = False
    """Whether it was opened with the owner's link, which then leads to all links of the table."""
    mine: Audience = SPECTATOR
    """The seat of who opened it."""
    reveals_seed: bool = True
    """Whether bots get the seed at the end: not if the deal was chosen."""
    format: Literal["fa-table/1"] = "fa-table/1"

    def audience(self, token: str) -> Audience:
        """Who has this token. Raises KeyError for a token of nobody; takes the same time for each."""
        found: list[Audience] = [seat for seat, own in self.tokens.items() if is_same(own, token)]
        if is_same(self.spectators, token):
            found.append(SPECTATOR)
        if not found:
            raise KeyError(token)
        return found[0]


def is_same(own: str, given: str) -> bool:
    """Whether somebody has this secret; takes the same time for each."""
    return secrets.compare_digest(own.encode(), given.encode())


def save_table(path: Path, table: SavedTable, replace: bool = True) -> None:
    """Save a table, as `save` does, for its owner's eyes alone."""
    save(path, table, replace, mode=0o600)


def load_table(path: Path) -> SavedTable:
    """Load a table. Raises LogError if the file does not hold one that can be played on, OSError."""
    return load_as(path, SavedTable, "a table", "played on", _check)


def _check(table: SavedTable) -> None:
    check(table.game)
    for seat, player in enumerate(table.game.seats):
        if (seat in table.tokens) == bool(player.path):
            raise LogError(f"seat {seat} needs a person or a bot")
    if not {*table.came, *table.handed_over, *table.returned, *table.resigned} <= set(table.tokens):
        raise LogError("people alone come, leave the game, or a seat to a bot")


def number_of(path: Path) -> int | None:
    """The number of a table, by its file `table-7.table` or log `table-7.log`; None for other files."""
    number = path.stem.partition("-")[2]
    return int(number) if number.isascii() and number.isdigit() and len(number) < 10 else None
