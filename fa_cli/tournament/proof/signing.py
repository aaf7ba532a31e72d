"""Makes any change of a log detectable: its head (SHA-256, to be published) and OpenSSH signatures."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec

from ...errors import CheckFailed, LogError, UsageError, check_new
from ...isolation.spawn import run_to_end
from ...printing.columns import number, text
from ...replay.frames import FIRST_LINE, Frame, read_frames
from ...replay.log_file import open_file, open_log
from ...system import find_program, read_regular, sync
from ..definition import Definition, utc_now

NAMESPACE = "fa-log"
"""The namespace of the signatures (`ssh-keygen -n`): signatures made for another purpose are refused."""
_SECONDS = 60.0
_LARGEST = 1 << 20
"""The most bytes of a signature and of a list of signers."""


class Head(msgspec.Struct, frozen=True):
    """The state of a log at a moment."""

    name: Annotated[str, text("name", "the tournament's name")]
    date: Annotated[str, text("date", "when the head was computed, in ISO 8601 and UTC")]
    games: Annotated[int, number("games", "games in the log")]
    planned: Annotated[int, number("planned", "games planned")]
    bytes: Annotated[int, number("bytes", "size of the log in bytes")]
    sha256: Annotated[str, text("SHA-256 of the log", "SHA-256 of the whole log, in hex")]
    commitment: Annotated[str, text("commitment of the seed", "SHA-256 of the tournament's seed, in hex")]


def head_of(definition: Definition, log: Path) -> Head:
    """The head of a log as it is now, safe on the disk. Raises LogError if it does not exist or is damaged."""
    *_, (games, size, sha256) = _states(log)
    sync(log)
    return Head(definition.name, utc_now(), games, definition.games, size, sha256, definition.seed.commitment)


def games_at(log: Path, head: str) -> int | None:
    """The number of games after which the log had this SHA-256; None if it never had. Raises LogError as `head_of`."""
    return next((games for games, _, sha256 in _states(log) if sha256 == head.lower()), None)


def _states(log: Path) -> Iterator[tuple[int, int, str]]:
    """The log before its first game and after each game: the number of games, its size in bytes and its SHA-256."""
    with open_log(log) as file, open_file(log) as raw:
        digest = hashlib.sha256(raw.read(len(FIRST_LINE)))
        yield 0, len(FIRST_LINE), digest.hexdigest()
        for games, frame in enumerate(read_frames(file), 1):
            if not isinstance(frame, Frame):
                raise LogError(f"{log}: it is damaged from record {games} on (fa replay verify lists the damage)")
            digest.update(raw.read(frame.end - raw.tell()))
            yield games, frame.end, digest.hexdigest()


def signature_of(log: Path) -> Path:
    """The path of a log's signature, as ssh-keygen names it."""
    return log.with_name(f"{log.name}.sig")


def sign(log: Path, key: Path) -> Path:
    """Sign a log with an OpenSSH key; returns the path of the signature.

    Raises UsageError if there is a signature already, or ssh-keygen fails; LogError as `head_of`.
    """
    signature = signature_of(log)
    check_new(signature)
    if not key.is_file():
        raise UsageError(f"{key}: no such key")
    *_, _ = _states(log)  # raises LogError
    status, output = _ssh_keygen("sign", "-f", str(key.absolute()), str(log.absolute()))
    if status != 0 or not signature.exists():
        raise UsageError(f"{log}: ssh-keygen could not sign it: {_last_line(output)}")
    return signature


def check_signature(log: Path, signers: Path) -> str:
    """The name of the signer of a log; `signers` is a file as in ALLOWED SIGNERS of ssh-keygen(1).

    Raises CheckFailed if the signature is not of one of them or not of this log, UsageError, OSError.
    """
    signature = signature_of(log)
    for path in (signature, signers):
        if not path.is_file():
            raise UsageError(f"{path}: no such file")
        read_regular(path, _LARGEST)  # ssh-keygen reads whatever there is
    files = ("-f", str(signers.absolute()), "-s", str(signature.absolute()))
    status, output = _ssh_keygen("find-principals", *files)
    signer = output.split("\n")[0]
    if status != 0 or not signer:
        raise CheckFailed(f"{signature}: it is of none of those in {signers}: {_last_line(output)}")
    status, output = _ssh_keygen("verify", "-I", signer, *files, stdin=log)
    if status != 0:
        raise CheckFailed(f"{signature}: it is not the signature of {log} as it is: {_last_line(output)}")
    return signer


def _ssh_keygen(task: str, *arguments: str, stdin: str | Path = os.devnull) -> tuple[int | None, str]:
    """Run `ssh-keygen -Y`; returns its exit status (None: too slow) and its output."""
    program = find_program("ssh-keygen")
    if program is None:
        raise UsageError("ssh-keygen is not installed (it is OpenSSH's; Debian: apt-get install openssh-client)")
    return run_to_end([program, "-Y", task, "-n", NAMESPACE, *arguments], Path.cwd(), _SECONDS, stdin)


def _last_line(output: str) -> str:
    lines = output.strip().splitlines()
    return lines[-1] if lines else "it printed nothing, perhaps it waited for a passphrase (use ssh-agent)"
