"""`fa results`: one long table of all results, for pandas, Polars, DuckDB and spreadsheets."""

from __future__ import annotations

import shutil
import sys
import tempfile
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_type_hints

from ..errors import UsageError, check_new, extra, writing
from ..option import Option
from ..printing.columns import columns_of
from ..printing.formats import csv_lines, json_pieces
from ..printing.text import counted, either
from .common import GameOption, LogNames, check_game, fail_if_cut, logs_named, no_games, say, select_logs
from .help import explained

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Write = Callable[[Iterator[tuple[Any, ...]], Path], int]
    """Writes the fields of rows and returns the number of rows."""
_BATCH = 50_000
"""Rows of a Parquet file that are held in memory, a row group."""
ResultFormat = Literal["csv", "json", "parquet"]
"""The values of `--format`: files, not tables for people."""


@explained(
    "output",
    ("Write all results as CSV", "fa results -o results.csv"),
    ("Write two tournaments as Parquet", "fa results spring autumn -o two.parquet"),
)
def results(
    names: LogNames = None,
    format: Annotated[ResultFormat | None, Option("Write this format. [default: by the file's ending, or csv]")] = None,
    output: Annotated[Path | None, Option("Write to FILE, a new file. [default: stdout]", "FILE", short="o")] = None,
    game: GameOption = None,
) -> None:
    """Export all results as one table, with a row per game and seat.

    Parquet needs pyarrow: `pip install 'fa-cli[parquet]'`. The columns are explained in docs/reference/output.md.
    """
    from ..leaderboard.leaderboards import read_selection
    from ..leaderboard.queries import result_rows
    from ..tournament.versions import version_finder

    check_game(game)
    write = _writer(format or _format_of(output), output)
    logs = logs_named(names)
    cuts: list[str] = []
    selection = select_logs(logs if names else None, game)._replace(warn_of_cut=cuts.append)
    with (
        writing(output) if output else nullcontext(),
        tempfile.TemporaryDirectory(dir=output.parent if output else None, prefix=".results-") as folder,
    ):
        temporary = Path(folder) / "results"
        find = version_finder(logs)
        count = read_selection(selection, lambda results: write(result_rows(results, find), temporary))
        if not count:
            raise no_games(names, game)
        if output:
            temporary.replace(output)
        else:
            with temporary.open(encoding="utf-8") as file:
                shutil.copyfileobj(file, sys.stdout)
    if output:
        say(f"wrote {counted(count, 'row')} to {output}")
    fail_if_cut(cuts)


def _format_of(output: Path | None) -> str:
    """The format by the file's ending; CSV without one. Raises UsageError for the ending of something else."""
    ending = (output.suffix[1:].lower() if output else "") or "csv"
    if ending not in _WRITERS:
        endings = either([f".{format}" for format in _WRITERS])
        raise UsageError(f"{output}: unknown ending; use {endings}, or --format")
    return ending


def _writer(format: str, output: Path | None) -> Write:
    """The function that writes this format. Raises UsageError if it can't write to `output`."""
    if output is None and format == "parquet":
        raise UsageError("parquet is written to a file only: name one with -o FILE")
    if output:
        check_new(output)
    if format == "parquet":
        with extra("parquet", "parquet"):
            import pyarrow  # noqa: F401
    return _WRITERS[format]


def _write_csv(rows: Iterator[tuple[Any, ...]], path: Path) -> int:
    from ..leaderboard.queries import ResultRow

    return _write_text(csv_lines(ResultRow.__struct_fields__, rows), path)


def _write_json(rows: Iterator[tuple[Any, ...]], path: Path) -> int:
    from ..leaderboard.queries import ResultRow

    fields = (dict(zip(ResultRow.__struct_fields__, row, strict=True)) for row in rows)
    return _write_text(json_pieces(fields, columns_of(ResultRow)), path)


def _write_text(pieces: Iterator[str], path: Path) -> int:
    count = -1  # one piece is the head or the end, not a row
    with path.open("w", encoding="utf-8", newline="") as file:
        for piece in pieces:
            file.write(piece)
            count += 1
    return count


def _write_parquet(rows: Iterator[tuple[Any, ...]], path: Path) -> int:
    import itertools

    import pyarrow
    from pyarrow import parquet

    from ..leaderboard.queries import ResultRow

    arrow_types: Mapping[type, Any] = {int: pyarrow.int64(), str: pyarrow.string()}
    types = {field: get_args(hint) or (hint,) for field, hint in get_type_hints(ResultRow).items()}
    schema = pyarrow.schema([(field, arrow_types[kinds[0]], type(None) in kinds) for field, kinds in types.items()])
    count = 0
    with parquet.ParquetWriter(path, schema) as writer:
        while batch := list(itertools.islice(rows, _BATCH)):
            writer.write_table(pyarrow.table([*map(list, zip(*batch, strict=True))], schema=schema))
            count += len(batch)
    return count


_WRITERS: Mapping[str, Write] = {
    "csv": _write_csv,
    "json": _write_json,
    "parquet": _write_parquet,
}
