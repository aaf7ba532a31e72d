"""Signed notes, checkpoints and cosignatures, as C2SP defines them: signed-note, tlog-checkpoint, tlog-cosignature.

A note is a text and one line per signature. A key is written as `NAME+HASH+BASE64`, where the bytes begin with the kind
of signature: 1 for Ed25519, 4 for the cosignature of a witness.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple

from ..errors import CheckFailed, UsageError, extra
from ..printing.text import cut
from .merkle import HASH_BYTES

ED25519, COSIGNATURE = 1, 4
LONGEST = 1 << 20
"""The most bytes of a note."""
_NAME = re.compile(r"[^\s+]{1,200}")
_SIGNATURE_LINE = re.compile(r"— (\S+) (\S+)")
_PRIVATE = "PRIVATE+KEY+"
_SIZE = re.compile(r"0|[1-9][0-9]{0,18}")
_TIME_BYTES, _KEY_BYTES, _SIGNATURE_BYTES, _ID_BYTES = 8, 32, 64, 4
_LATEST = 253_402_300_799
"""The last second of the year 9999."""


class Key(NamedTuple):
    """A public key; `str` writes it as in a `vkey`."""

    name: str
    kind: int
    public: bytes

    @property
    def id(self) -> bytes:
        """What signatures name it by: the first bytes of SHA-256 of name, kind and key."""
        return sha256(b"%s\n%c%s" % (self.name.encode(), self.kind, self.public)).digest()[:_ID_BYTES]

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{to_base64(bytes([self.kind]) + self.public)}"


class PrivateKey(NamedTuple):
    """A key that signs; `str` writes it as Go's package `note` does, and must stay secret."""

    name: str
    seed: bytes

    def public(self, kind: int = ED25519) -> Key:
        """The key that checks its signatures of this kind."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Key(self.name, kind, Ed25519PrivateKey.from_private_bytes(self.seed).public_key().public_bytes_raw())

    def __str__(self) -> str:
        return f"{_PRIVATE}{self.name}+{self.public().id.hex()}+{to_base64(bytes([ED25519]) + self.seed)}"


class Signature(NamedTuple):
    """A line below a note: who signed it, with which key, and the signature."""

    name: str
    id: bytes
    bytes: bytes

    def __str__(self) -> str:
        return f"— {self.name} {to_base64(self.id + self.bytes)}"


class Note(NamedTuple):
    """A text, which ends with a newline, and its signatures."""

    text: str
    signatures: Sequence[Signature]

    def __str__(self) -> str:
        return self.text + "\n" + "".join(f"{signature}\n" for signature in self.signatures)


class Checkpoint(NamedTuple):
    """What a log states about itself: its name, the number of records, the root, and further lines."""

    origin: str
    size: int
    root: bytes
    lines: Sequence[str] = ()

    def __str__(self) -> str:
        return "".join(f"{line}\n" for line in (self.origin, self.size, to_base64(self.root), *self.lines))


def new_key(name: str) -> PrivateKey:
    """A new key. Raises UsageError for a name that no key may have."""
    import os

    if not _NAME.fullmatch(name) or not name.isprintable():
        expected = "at most 200 characters without spaces and +, such as example.org/spring"
        raise UsageError(f"invalid name of a key '{cut(name, 80)}': use {expected}")
    check_installed()
    return PrivateKey(name, os.urandom(_KEY_BYTES))


def read_key(text: str) -> Key:
    """The public key of a `vkey`. Raises UsageError."""
    name, content = _parts(text.strip(), "a key is NAME+HASH+BASE64, as in the file KEY.pub")
    key = Key(name, content[0], content[1:])
    if key.kind not in (ED25519, COSIGNATURE) or len(key.public) != _KEY_BYTES or str(key) != text.strip():
        raise UsageError(f"invalid key {text.strip()[:200]!r}: it is damaged, or not Ed25519")
    return key


def read_private_key(text: str) -> PrivateKey:
    """The key of `PRIVATE+KEY+...`. Raises UsageError, which does not repeat the secret."""
    secret = text.strip()
    expected = "a private key begins with PRIVATE+KEY+ (fa key NAME -o FILE makes one)"
    if not secret.startswith(_PRIVATE):
        raise UsageError(expected)
    name, content = _parts(secret.removeprefix(_PRIVATE), expected)
    check_installed()
    key = PrivateKey(name, content[1:])
    if len(key.seed) != _KEY_BYTES or str(key) != secret:
        raise UsageError("the private key is damaged")
    return key


def check_installed() -> None:
    """Raises UsageError if the library for signatures is not installed."""
    with extra("proof", "a signature"):
        import cryptography  # noqa: F401


def sign(text: str, key: PrivateKey) -> Signature:
    """The signature of a note's text."""
    public = key.public()
    return Signature(key.name, public.id, _signed(key, text.encode()))


def cosign(text: str, key: PrivateKey, time: int) -> Signature:
    """The signature of a witness, who saw this checkpoint at a time in seconds since 1970."""
    signed = _signed(key, _cosigned(text, time))
    return Signature(key.name, key.public(COSIGNATURE).id, time.to_bytes(_TIME_BYTES, "big") + signed)


def read_note(content: bytes, what: str) -> Note:
    """The parts of a note; its signatures are not checked. Raises CheckFailed, which names it `what`."""
    try:
        text, gap, below = content.decode("utf-8").rpartition("\n\n")
        lines = below.splitlines()
        if not gap or not lines or not below.endswith("\n") or any(ord(char) < 32 and char != "\n" for char in text):
            raise ValueError("there is no signature below an empty line")
        note = Note(f"{text}\n", [_signature(line) for line in lines])
        if str(note).encode() != content:
            raise ValueError("its signatures are not written as they should be")
    except ValueError as error:
        raise CheckFailed(f"{what}: it is not a signed note: {error}") from None
    return note


def check_note(note: Note, keys: Iterable[Key], what: str) -> None:
    """Check that each of these keys signed a note. Raises CheckFailed, UsageError."""
    for key in keys:
        signature = _signature_by(note, key)
        if signature is None:
            raise CheckFailed(f"{what}: {key.name} has not signed it with the key {key}")
        if not _is_signed(note.text, key, signature.bytes):
            raise CheckFailed(f"{what}: the signature of {key.name} is wrong")
        if key.kind == COSIGNATURE and _time_of(signature) > _LATEST:
            raise CheckFailed(f"{what}: the signature of {key.name} has a time after the year 9999")


def as_used(note: Note, key: Key) -> Key:
    """A key as it signed a note: people name a witness by its key for notes, too, as in the file KEY.pub."""
    witness = key._replace(kind=COSIGNATURE)
    return witness if _signature_by(note, witness) else key


def seen_at(note: Note, key: Key) -> str:
    """When a witness saw a checkpoint, as date and time; empty if the key is no witness's. It was checked."""
    import datetime

    signature = _signature_by(note, key)
    if key.kind != COSIGNATURE or not signature:
        return ""
    return datetime.datetime.fromtimestamp(_time_of(signature), datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _time_of(cosignature: Signature) -> int:
    return int.from_bytes(cosignature.bytes[:_TIME_BYTES], "big")


def _signature_by(note: Note, key: Key) -> Signature | None:
    return next((each for each in note.signatures if (each.name, each.id) == (key.name, key.id)), None)


def read_checkpoint(note: Note, what: str) -> Checkpoint:
    """The checkpoint that a note states. Raises CheckFailed."""
    lines = note.text.splitlines()
    try:
        origin, size, root = lines[:3]
        checkpoint = Checkpoint(origin, int(size), from_base64(root), lines[3:])
        if not _SIZE.fullmatch(size) or len(checkpoint.root) != HASH_BYTES or str(checkpoint) != note.text:
            raise ValueError
    except ValueError:
        raise CheckFailed(f"{what}: it is not a checkpoint: a name, a size and a hash, one a line") from None
    return checkpoint


def _signature(line: str) -> Signature:
    match = _SIGNATURE_LINE.fullmatch(line)
    if match is None:
        raise ValueError(f"{line[:100]!r} is not a signature")
    content = from_base64(match[2])
    return Signature(match[1], content[:_ID_BYTES], content[_ID_BYTES:])


def _is_signed(text: str, key: Key, signature: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    message = text.encode()
    if key.kind == COSIGNATURE:
        message = _cosigned(text, int.from_bytes(signature[:_TIME_BYTES], "big"))
        signature = signature[_TIME_BYTES:]
    try:
        Ed25519PublicKey.from_public_bytes(key.public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return len(signature) == _SIGNATURE_BYTES


def _signed(key: PrivateKey, message: bytes) -> bytes:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(key.seed).sign(message)


def _cosigned(text: str, time: int) -> bytes:
    return f"cosignature/v1\ntime {time}\n{text}".encode()


def _parts(text: str, expected: str) -> tuple[str, bytes]:
    """Name and bytes of a written key. Raises UsageError."""
    parts = text.split("+", 2)
    try:
        name, content = parts[0], from_base64(parts[2])
    except (IndexError, ValueError):
        raise UsageError(expected) from None
    if not _NAME.fullmatch(name) or not content:
        raise UsageError(expected)
    return name, content


def to_base64(content: bytes) -> str:
    """The bytes in base64, as all that is signed or proven writes them."""
    return base64.b64encode(content).decode("ascii")


def from_base64(text: str) -> bytes:
    """The inverse of `to_base64`. Raises ValueError for any other text, also if it has the same bytes."""
    content = base64.b64decode(text.encode("ascii"), validate=True)
    if to_base64(content) != text:
        raise ValueError(f"{text[:80]!r} is not written as base64 should be")
    return content
