"""`fa cluster`: the machines that share the games of a tournament."""

from __future__ import annotations

from typing import Annotated

from ..cluster.tls_options import SecurityFiles
from ..errors import CheckFailed
from ..isolation.limits import SANDBOX, Sandbox
from ..option import Argument
from ..printing.text import counted
from .common import say
from .framework.commands import Group
from .help import explained
from .tables import Format, TableOptions, show_rows


@explained(
    "scaling",
    ("See what the workers of a cluster can play", "fa cluster check dask://192.168.1.5:8786"),
    ("Connect with TLS", "fa cluster check dask://192.168.1.5 --cluster-ca ca.pem --cluster-cert fa.pem"),
)
def check(
    scheduler: Annotated[
        str,
        Argument("The Dask scheduler, as dask://HOST:PORT. The port is 8786 by default.", "ADDRESS"),
    ],
    *,
    sandbox: Annotated[
        Sandbox, SANDBOX._replace(help="Require the sandbox (auto, bwrap) or not (none).")
    ] = Sandbox.AUTO,
    files: SecurityFiles,
    table: TableOptions,
) -> None:
    """Check what each worker of a cluster can play.

    A worker is rejected if its version of fa differs from the one here, or if the sandbox does not work there. Exit
    code 0: every worker can play; 1: some are rejected, or there are none.
    """
    from ..cluster.connection import connect, parse_address
    from ..cluster.worker_check import WorkerRow, probe_workers

    with connect(scheduler, files) as client:
        rows = probe_workers(client, sandbox is not Sandbox.NONE)
    if not rows:
        address = str(parse_address(scheduler)).replace("dask://", "tcp://", 1)
        raise CheckFailed(f"{scheduler} has no workers; start one with: dask worker {address} --nthreads 1")
    show_rows(WorkerRow, rows, table)
    rejections = [row.rejection() for row in rows if row.problems]
    if rejections:
        raise CheckFailed(f"{counted(len(rejections), 'worker')} of {len(rows)} rejected").with_details(rejections)
    if table.format is Format.TABLE:
        threads = sum(row.threads for row in rows)
        say(f"{counted(len(rows), 'worker')} can play {counted(threads, 'game')} at a time")


GROUP = Group(
    "Check the machines of a cluster.\n\n`fa tournament run --executor dask://HOST` plays on them.", {"check": check}
)
