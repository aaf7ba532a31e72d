"""`fa`, and `python -m fa_cli`."""

from __future__ import annotations

import gc
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line. Ctrl-C while it is still being loaded is an interruption like any other."""
    gc.set_threshold(50_000)  # what is imported stays: looking for garbage in it is a tenth of the start
    try:
        from .cli.app import main as run
    except KeyboardInterrupt:
        print("fa: interrupted", file=sys.stderr)
        sys.exit(3)
    run()


if __name__ == "__main__":
    main()
