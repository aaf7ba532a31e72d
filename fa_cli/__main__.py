"""`fa`, and `python -m fa_cli`."""

from __future__ import annotations

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line. Ctrl-C while it is still being loaded is an interruption like any other."""
    try:
        from .cli import startup

        startup.rest_garbage_collection()
        with startup.put_off(*startup.NEEDLESS):
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
        startup.leave_garbage()


if __name__ == "__main__":
    main()
