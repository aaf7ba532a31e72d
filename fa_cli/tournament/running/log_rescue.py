"""Rescues the games of a run whose log something else has cut off, overwritten, replaced, moved or removed."""

from __future__ import annotations

import tempfile
from itertools import chain, count
from pathlib import Path

from ...errors import LogError
from ...replay.log_writer import LogWriter, whole_entries, write_new_log


def rescue(writer: LogWriter) -> Path:
    """Write the records of a log that something else has changed to a new log, as far as they can be had.

    It is `NAME.log.rescued` beside the old one, or `NAME.log.rescued-2` and so on. Raises LogError.
    """
    names = (f"{writer.path.name}.rescued{number}" for number in chain([""], (f"-{later}" for later in count(2))))
    try:
        writer.path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=writer.path.parent) as whole:
            writer.copy_whole(whole)
            target = next(path for path in map(writer.path.with_name, names) if not path.exists())
            write_new_log(target, whole_entries(whole, lambda _: None), private=writer.is_private)
            return target
    except OSError as error:
        raise LogError(f"{writer.path}: its records can't be written elsewhere: {error.strerror}") from None
