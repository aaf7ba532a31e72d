"""What a run sends to the workers of a cluster, and what they answer: bytes that name the version that wrote them."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import msgspec

from .. import __version__
from ..games.seed import decode_seed, encode_seed
from ..isolation.discovery import Bot
from ..printing.text import printable
from ..tournament.definition import Definition
from ..tournament.running.job_queue import JobResult, Task

_PACKAGE = Path(__file__).parents[1]
_PARTS = ("games", "protocol", "isolation", "match", "replay", "tournament", "cluster")
"""The folders whose code decides how a game goes and what its record holds, or how workers are spoken to."""
_DIGITS = 12


class ArchivePiece(msgspec.Struct, frozen=True, array_like=True):
    """A part of the archive of a bot; large archives take several messages."""

    bot: int
    """An index in the definition's list of bots."""
    offset: int
    size: int
    """Bytes of the whole archive."""
    data: bytes


class Batch(msgspec.Struct, frozen=True, array_like=True):
    """Games for a worker, with all that it needs to play them except for files that it has already."""

    definition: bytes
    """The tournament as `pack_definition` makes it."""
    pin: bool
    bots: dict[int, Bot]
    """The bots of these games and pieces, by index in the definition; paths are those of the sender's machine."""
    needed: list[int]
    """The bots that the worker must be able to start."""
    pieces: list[ArchivePiece]
    tasks: list[Task]


class Answer(msgspec.Struct, array_like=True):
    """What became of a batch. Games that it does not name were not played."""

    results: list[JobResult] = []
    stuck: dict[int, int] = {}
    """Games that made no progress, each with the seat that was waited for."""
    ready: list[int] = []
    """Bots that the worker can start now."""
    missing: list[int] = []
    """Bots whose files the worker does not have."""
    failed: dict[int, str] = {}
    """Bots that can't run there, each with a sentence that says why."""
    problem: str = ""
    """Why the worker can't play, or stopped playing: a phrase without the worker's name."""


class _Envelope(msgspec.Struct, frozen=True, array_like=True):
    """Every version of `fa` can read this much of a message of every other one."""

    engine: str
    content: bytes


class FalseAnswer(Exception):
    """An answer that can't be read, or can't be true; the text is a phrase about it."""


class OtherVersion(Exception):
    """The message was written by another version; its text is that version, empty if it is unknown."""


_encode = msgspec.msgpack.Encoder(enc_hook=encode_seed).encode
_decode_envelope = msgspec.msgpack.Decoder(_Envelope).decode
_decode_batch = msgspec.msgpack.Decoder(Batch).decode
_decode_answer = msgspec.msgpack.Decoder(Answer).decode
unpack_definition = msgspec.msgpack.Decoder(Definition, dec_hook=decode_seed).decode
"""Decodes the definition of a batch."""


@cache
def engine_digest() -> str:
    """A digest, in hex, of the Python files that play games. Compiled engines have that of their sources."""
    digest = hashlib.sha256()
    files = [*_PACKAGE.glob("*.py"), *(file for part in _PARTS for file in (_PACKAGE / part).rglob("*.py"))]
    for file in sorted(files, key=lambda file: file.relative_to(_PACKAGE).as_posix()):
        name = file.relative_to(_PACKAGE).as_posix()
        digest.update(name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:_DIGITS]


def engine_version() -> str:
    """The version with the digest: `0.1.0 3b1f0c9a2d47`. Machines with the same play the same games."""
    return f"{__version__} {engine_digest()}"


def encode(message: Batch | Answer) -> bytes:
    """A message as bytes."""
    return _encode(_Envelope(engine_version(), _encode(message)))


def decode_batch(data: bytes) -> Batch:
    """Raises OtherVersion."""
    return _decode_batch(_open(data))


def decode_answer(data: object) -> Answer:
    """Raises OtherVersion, and FalseAnswer for anything but an answer in bytes."""
    if not isinstance(data, bytes):
        raise FalseAnswer(f"it is not bytes, but {type(data).__name__}")
    try:
        return _decode_answer(_open(data))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FalseAnswer(printable(str(error))) from None


def _open(data: bytes) -> bytes:
    try:
        envelope = _decode_envelope(data)
    except msgspec.DecodeError:
        raise OtherVersion("") from None
    if envelope.engine != engine_version():
        raise OtherVersion(envelope.engine)
    return envelope.content


def pack_definition(definition: Definition) -> bytes:
    """What a worker needs of a definition: no bots, which travel with the batches, and no schedule."""
    settings = [msgspec.structs.replace(setting, bots=[]) for setting in definition.settings]
    return _encode(
        Definition(
            name=definition.name,
            seed=definition.deal_seed,
            started=definition.started,
            bots=[],
            settings=settings,
            games=definition.games,
            clock=definition.clock,
            duplicate=definition.duplicate,
            limits=definition.limits,
            times=definition.times,
            anonymous=definition.anonymous,
        )
    )
