"""The entry point of `fa` and `python -m fa_cli`."""

from __future__ import annotations

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line. Ctrl-C while modules are being imported is an ordinary interruption too."""
    try:
        from .cli.framework import startup

        startup.reduce_garbage_collection()
        startup.limit_blas_threads()
        startup.guard_imports()
        from .cli.app import main as run
    except KeyboardInterrupt:
        import signal

        signal.signal(signal.SIGINT, signal.SIG_IGN)  # one more would kill Python while it ends
        print("fa: interrupted", file=sys.stderr)
        sys.exit(3)
    except (ImportError, MemoryError, OSError) as error:
        from .errors import mute_without_memory, shortage

        if not (sentence := shortage(error)):
            raise
        print(f"fa: {sentence}", file=sys.stderr, flush=True)
        mute_without_memory(sentence)
        sys.exit(2)
    try:
        run()
    finally:
        startup.skip_final_collection()


if __name__ == "__main__":
    main()
