"""What shows any change of a whole log: its SHA-256, to be published, and signatures as OpenSSH makes them."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec

from ...columns import number, text
from ...errors import CheckFailed, LogError, UsageError
from ...isolation.spawn import run_to_end
from ...replay.frames import FIRST_LINE, Frame, read_frames
from ...replay.log_file import open_file, open_log
from ..definition import Definition, utc_now

NAMESPACE = "fa-log"
"""What the signatures are for, as OpenSSH has it: one made for something else is not taken."""
_SECONDS = 60.0


class Head(msgspec.Struct, frozen=True):
    """A log's state at a moment."""

    name: Annotated[str, text("name", "the tournament's name")]
    date: Annotated[str, text("date", "when the head was computed, in ISO 8601 and UTC")]
    games: Annotated[int, number("games", "games in the log")]
    planned: Annotated[int, number("planned", "games planned")]
    bytes: Annotated[int, number("bytes", "size of the log in bytes")]
    sha256: Annotated[str, text("SHA-256 of the log", "SHA-256 of the whole log, in hex")]
    commitment: Annotated[str, text("commitment of the seed", "SHA-256 of the tournament's seed, in hex")]


class _State(NamedTuple):
    """A log after so many games."""

    games: int
    bytes: int
    sha256: str


def head_of(definition: Definition, log: Path) -> Head:
    """The head of a log as it is now. Raises LogError for one that is not there, or not whole."""
    *_, last = _states(log)
    return Head(
        definition.name,
        utc_now(),
        last.games,
        definition.games,
        last.bytes,
        last.sha256,
        definition.seed.commitment,
    )


def games_at(log: Path, head: str) -> int | None:
    """After how many games the log had this head; None if it never had. Raises LogError as `head_of`."""
    return next((state.games for state in _states(log) if state.sha256 == head.lower()), None)


def _states(log: Path) -> Iterator[_State]:
    """The log before its first game and after each."""
    with open_log(log) as file, open_file(log) as raw:
        digest = hashlib.sha256(raw.read(len(FIRST_LINE)))
        yield _State(0, len(FIRST_LINE), digest.hexdigest())
        for games, frame in enumerate(read_frames(file), 1):
            if not isinstance(frame, Frame):
                raise LogError(f"{log}: it is not whole from record {games} on (fa replay verify tells all)")
            digest.update(raw.read(frame.end - raw.tell()))
            yield _State(games, frame.end, digest.hexdigest())


def signature_of(log: Path) -> Path:
    """Where a log's signature is, as ssh-keygen names it."""
    return log.with_name(f"{log.name}.sig")


def sign(log: Path, key: Path) -> Path:
    """Sign a log with an OpenSSH key; returns the signature's file. Raises UsageError, LogError."""
    signature = signature_of(log)
    if signature.exists():
        raise UsageError(f"{signature}: it is there already, and is not overwritten")
    if not key.is_file():
        raise UsageError(f"{key}: there is no such key")
    *_, _last = _states(log)
    status, said = _ssh_keygen("sign", "-f", str(key.absolute()), str(log.absolute()))
    if status != 0 or not signature.exists():
        raise UsageError(f"{log}: ssh-keygen could not sign it: {_last_line(said)}")
    return signature


def check_signature(log: Path, signers: Path) -> str:
    """Who of the allowed signers (as in ssh-keygen's ALLOWED SIGNERS) signed the log.

    Raises CheckFailed if nobody did, UsageError if there is no signature or no such file.
    """
    signature = signature_of(log)
    for path in (signature, signers):
        if not path.is_file():
            raise UsageError(f"{path}: there is no such file")
    files = ("-f", str(signers.absolute()), "-s", str(signature.absolute()))
    status, said = _ssh_keygen("find-principals", *files)
    lines = said.split("\n")
    if status != 0 or not lines[0]:
        raise CheckFailed(f"{signature}: it is of none of those in {signers}: {_last_line(said)}")
    status, said = _ssh_keygen("verify", "-I", lines[0], *files, read=log)
    if status != 0:
        raise CheckFailed(f"{signature}: it is not the signature of {log} as it is: {_last_line(said)}")
    return lines[0]


def _ssh_keygen(task: str, *words: str, read: str | Path = os.devnull) -> tuple[int | None, str]:
    """Its status, and what it said."""
    program = shutil.which("ssh-keygen")
    if program is None:
        raise UsageError("ssh-keygen is not installed (it is OpenSSH's; Debian: apt-get install openssh-client)")
    return run_to_end([program, "-Y", task, "-n", NAMESPACE, *words], Path.cwd(), _SECONDS, read)


def _last_line(said: str) -> str:
    return (said.strip().splitlines() or ["it said nothing, perhaps it waited for a passphrase (use ssh-agent)"])[-1]
