"""`fa key`, and the keys that other commands take: as C2SP's signed notes have them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ..errors import UsageError
from ..option import Argument, Option
from ..printing.terminal import print_line
from .common import say
from .help import explained

if TYPE_CHECKING:
    from ..transparency.notes import PrivateKey

KeyOption = Annotated[Path, Option("Sign with the private key in FILE (fa key makes one).", "FILE", name="key")]
PublicKeys = Annotated[
    list[str] | None,
    Option("Check that this key signed it; repeatable, that of the log first.", "KEY", name="key"),
]


@explained("publish-results", ("Make a key", "fa key example.org/spring -o spring.key"))
def key(
    name: Annotated[str, Argument("The name of the signer, such as example.org/spring.", "NAME")],
    output: Annotated[Path, Option("Write the private key to FILE, the public one to FILE.pub.", "FILE", short="o")],
) -> None:
    """Make a key that signs checkpoints and receipts, and print its public part.

    Publish the public part where others find it apart from the results. Keep the file secret.
    """
    from ..replay.log_writer import PRIVATE
    from ..system import write_atomically
    from ..transparency.notes import new_key

    private = new_key(name)
    public = output.with_name(f"{output.name}.pub")
    try:
        write_atomically(output, f"{private}\n".encode(), replace=False, mode=PRIVATE)
        write_atomically(public, f"{private.public()}\n".encode(), replace=True)
    except FileExistsError:
        raise UsageError(f"{output} exists and is not overwritten") from None
    except OSError as error:
        raise UsageError(f"cannot write {output}: {error.strerror}") from None
    say(f"wrote {output} (keep it secret) and {public}")
    print_line(str(private.public()))


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
