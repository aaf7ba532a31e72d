"""The options of every command that connects to a cluster. Imports little: commands declare their options with it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec

from ..option import Option, OptionGroup


class SecurityFiles(msgspec.Struct, frozen=True):
    """The files for TLS to a Dask scheduler, in PEM format; None: as Dask's configuration says."""

    ca: Annotated[
        Path | None,
        Option(
            "Connect with TLS, and trust the certificates that FILE signed. [default: Dask's configuration]",
            "FILE",
            name="cluster-ca",
            group=OptionGroup.RUNNING,
            example="ca.pem",
        ),
    ] = None
    cert: Annotated[
        Path | None,
        Option(
            "Identify with the certificate in FILE. [default: Dask's configuration]",
            "FILE",
            name="cluster-cert",
            group=OptionGroup.RUNNING,
            example="cert.pem",
        ),
    ] = None
    key: Annotated[
        Path | None,
        Option(
            "Read the certificate's key from FILE. [default: the file of the certificate]",
            "FILE",
            name="cluster-key",
            group=OptionGroup.RUNNING,
            example="key.pem",
        ),
    ] = None


NO_FILES = SecurityFiles()
