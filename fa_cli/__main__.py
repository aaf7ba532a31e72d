"""`fa`, and `python -m fa_cli`."""

from __future__ import annotations

import gc
import sys
from typing import NoReturn

NEEDLESS = ("bz2", "ipaddress", "lzma", "subprocess", "tokenize", "zlib")
"""What Typer, and what it imports, only needs for things that `fa` doesn't ask of it."""


def main() -> NoReturn:
    """Run the command line. Ctrl-C while it is still being loaded is an interruption like any other."""
    gc.set_threshold(50_000)  # what is imported stays: looking for garbage in it is a tenth of the start
    try:
        from .cli.later import put_off

        with put_off(*NEEDLESS):
            from .cli.app import main as run
    except KeyboardInterrupt:
        print("fa: interrupted", file=sys.stderr)
        sys.exit(3)
    except (ImportError, MemoryError, OSError) as error:
        from .errors import shortage

        if not (sentence := shortage(error)):
            raise
        print(f"fa: {sentence}", file=sys.stderr)
        sys.exit(2)
    try:
        run()
    finally:
        gc.freeze()  # the process ends: taking all apart that was imported would be another tenth


if __name__ == "__main__":
    main()
