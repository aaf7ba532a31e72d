"""What the host of remote bots (`fa serve --bots`) and a bot's side (`fa bot connect`) say to each other, as JSON.

Each message is one text message of a WebSocket. `session` names one program of the bot, which plays one seat at a time.
The lines of a session are numbered from 1, and a line may come again after a lost connection.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

_Session = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{16}$")]
_Number = Annotated[int, msgspec.Meta(ge=1, lt=1 << 53)]
_Digest = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{64})?$")]
_Name = Annotated[str, msgspec.Meta(max_length=100)]
REFUSED, REPLACED = 4403, 4409
"""Codes with which the host closes a connection: the token is wrong; the same bot has connected once more."""


class Join(msgspec.Struct, tag="join", tag_field="type", frozen=True):
    """The first message of a bot: its token, and what it states of itself."""

    token: _Name
    digest: _Digest = ""
    """SHA-256 of its files; nobody checks it."""
    games: Annotated[list[_Name], msgspec.Meta(max_length=20)] = []
    """The games that it plays; empty for all."""


class Reply(msgspec.Struct, tag="reply", tag_field="type", frozen=True):
    """The line that answers that of the same number. `lost`: why there is none, a phrase that begins with a verb."""

    session: _Session
    number: _Number
    line: str = ""
    lost: Annotated[str, msgspec.Meta(max_length=200)] = ""


class Pong(msgspec.Struct, tag="pong", tag_field="type", frozen=True):
    """The answer to `ping`, at once."""

    number: _Number


class Line(msgspec.Struct, tag="line", tag_field="type", frozen=True):
    """A line of the bot protocol for a program, which is started for the first."""

    session: _Session
    number: _Number
    line: str


class Close(msgspec.Struct, tag="close", tag_field="type", frozen=True):
    """A program is needed no more."""

    session: _Session
    reason: str = ""
    """The bot's fault that is the reason, a phrase that begins with a verb; empty if it is none."""


class Ping(msgspec.Struct, tag="ping", tag_field="type", frozen=True):
    """Measures the time that the network takes."""

    number: _Number


class Relayed(msgspec.Struct, tag="relayed", tag_field="type", frozen=True):
    """A bot's `Reply` as the referee gets it, with what the network takes, in seconds."""

    number: _Number
    line: str
    lost: str
    network: float


FromBot = Join | Reply | Pong
ToBot = Line | Close | Ping
FromReferee = Line | Close
read_from_bot: msgspec.json.Decoder[FromBot] = msgspec.json.Decoder(FromBot)
read_to_bot: msgspec.json.Decoder[ToBot] = msgspec.json.Decoder(ToBot)
read_from_referee: msgspec.json.Decoder[FromReferee] = msgspec.json.Decoder(FromReferee)
read_relayed: msgspec.json.Decoder[Relayed] = msgspec.json.Decoder(Relayed)
"""Decoders; they raise msgspec.MsgspecError."""
write = msgspec.json.Encoder()
