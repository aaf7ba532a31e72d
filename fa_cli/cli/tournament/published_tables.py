"""The files of a published folder that other commands make: results, leaderboard, report."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from ...errors import UsageError
from .. import common

_PRINTED = {
    "results.csv": ("results", "--format", "csv"),
    "leaderboard.json": ("leaderboard", "--format", "json"),
    "leaderboard.md": ("leaderboard", "--format", "markdown"),
}
PARQUET = "results.parquet"


def write_tables(log: Path, folder: Path, *, with_games: bool) -> None:
    """Write all files; without games, the report is one page without records. Raises UsageError."""
    _write(log, folder, with_games=with_games)
    parquet = folder / PARQUET
    parquet.unlink(missing_ok=True)
    try:
        _run(log, "results", "-o", str(parquet))
    except UsageError as error:
        common.warn(f"{parquet} is not written: {error}")


def _write(log: Path, folder: Path, *, with_games: bool) -> None:
    """Write what needs no further package."""
    from ...tournament.definition import make_public

    for file, words in _PRINTED.items():
        (folder / file).write_bytes(_run(log, *words))
    page = folder / "report.html"
    page.unlink(missing_ok=True)  # that of fewer games
    _run(log, "report", "-o", str(folder / "report" if with_games else page))
    make_public((page, *(folder / "report").rglob("*.html")))  # as private as the log until now


def wrong_tables(log: Path, folder: Path) -> Iterator[str]:
    """Sentences about the files in a folder that are not what this version of `fa` makes of the log."""
    with tempfile.TemporaryDirectory(prefix="fa-") as temporary:
        expected = Path(temporary)
        _write(log, expected, with_games=True)
        if (folder / PARQUET).exists() or _is_listed(folder):
            try:
                _run(log, "results", "-o", str(expected / PARQUET))
            except UsageError as error:
                common.warn(f"{folder / PARQUET} is not checked: {error}")
        for path in sorted(path for path in expected.rglob("*") if path.is_file()):
            name = path.relative_to(expected)
            if not _is_same(path, folder / name):
                yield f"{folder / name}: it is missing, or not what fa makes of the log"


def _is_listed(folder: Path) -> bool:
    """Whether README.md names the Parquet file: who publishes without pyarrow has none."""
    readme = folder / "README.md"
    if not readme.is_file():
        return False
    with readme.open("rb") as file:
        return PARQUET.encode() in file.read(1 << 16)


def _is_same(expected: Path, found: Path) -> bool:
    if not found.is_file():
        return False
    if expected.name != PARQUET:
        return expected.read_bytes() == found.read_bytes()
    from pyarrow import ArrowInvalid, parquet

    try:  # another version of pyarrow writes other bytes
        return bool(parquet.read_table(expected).equals(parquet.read_table(found)))
    except (ArrowInvalid, OSError):
        return False


def _run(log: Path, command: str, *words: str) -> bytes:
    """What `fa COMMAND LOG WORDS...` prints. Raises UsageError with its message if it fails."""
    from ..app import run

    settings, output, errors = common.SETTINGS, io.StringIO(), io.StringIO()
    with redirect_stdout(output), redirect_stderr(errors):
        code = run([command, str(log), *words, "-q"])
    common.SETTINGS = settings
    if code != 0:
        raise UsageError(errors.getvalue().strip().rpartition("fa: ")[2])
    return output.getvalue().encode()
