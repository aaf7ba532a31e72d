"""Preloaded by a Dask worker: its tasks answer with what harms a client that believes it. EVIL names the way."""

import os
import sys

import fa_cli.cluster.worker as worker
import fa_cli.cluster.worker_check as check

EVIL, MARK = os.environ["EVIL"], os.environ["MARK"]
CODE = f"import os; open({MARK!r} + str(os.getpid()), 'w').close()"


class Harm(Exception):
    """Runs code wherever it is unpickled."""

    def __reduce__(self):
        return exec, (CODE,)


def answer(*batch):
    from distributed import get_worker
    from distributed.protocol.pickle import dumps

    if EVIL == "exception":
        raise Harm
    if EVIL == "event":
        get_worker().log_event("warn", {"message": dumps(Harm()), "category": dumps(Harm())})
        get_worker().log_event("print", {"args": ("\x1b[2J you have won",), "file": 1})
        return Harm()
    return {
        "object": Harm,
        "nested": lambda: {"a": [Harm(), b"x"]},
        "class": lambda: Harm,
        "large": lambda: os.urandom(1 << 20) * 200,
        "zeros": lambda: bytes(300 << 20),
        "text": lambda: "\x1b[2J" * 1000,
        "deep": lambda: eval("[" * 90 + "1" + "]" * 90),
        "exit": lambda: os._exit(3),
    }[EVIL]()


worker.play_batch = answer
check.report = answer
print("hostile", EVIL, file=sys.stderr)
