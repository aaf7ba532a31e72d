"""Options that several commands have: `--jobs`, and the keys of signed results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec

from ..errors import UsageError
from ..option import Option, OptionGroup

if TYPE_CHECKING:
    from ..transparency.notes import PrivateKey

MAX_JOBS = 1024
"""The most processes, or games at the same time."""
Jobs = Annotated[int, msgspec.Meta(ge=0, le=MAX_JOBS)]
ProcessesOption = Annotated[
    Jobs, Option("Use N processes; 0: one per core.", "N", short="j", group=OptionGroup.RUNNING)
]
KeyOption = Annotated[Path, Option("Sign with the private key in FILE (fa key makes one).", "FILE", name="key")]


def read_public(text: str) -> str:
    """A public key, as `fa key` prints it, or the content of a file with one. Raises UsageError."""
    from ..system import read_regular
    from ..transparency.notes import read_key

    if "+" not in text:  # every key has one
        try:
            text = read_regular(Path(text), 1 << 16).decode("utf-8", "replace")
        except OSError as error:
            raise UsageError(f"{text}: {error.strerror}; use a key, or the name of a file with one") from None
    return str(read_key(text))


PublicKeys = Annotated[
    list[str] | None,
    Option(
        "Check that this key, or the one in this file, signed it; repeatable, the log's first. [default: key.pub]",
        "KEY",
        name="key",
        read=read_public,
    ),
]


def read_private(path: Path) -> PrivateKey:
    """The private key in a file. Raises UsageError, which names the file."""
    from ..system import read_regular
    from ..transparency.notes import read_private_key

    try:
        return read_private_key(read_regular(path, 1 << 16).decode("utf-8", "replace"))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror} (fa key NAME -o FILE makes a key)") from None
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None
