"""`fa report`: the results of tournaments as a page for the browser, or as Markdown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from ..errors import UsageError
from ..option import Option, OptionGroup
from ..printing.text import counted
from . import common
from .common import GameOption, LogNames, OptionFilterOption, logs_named, option_filter, select
from .help import explained
from .replay.output_file import check_output, ends_like, write_output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..leaderboard.labels import OptionFilter
    from ..report.read_content import Content

_GAMES = 12
"""Games to watch, by default."""


@explained(
    "publish-results",
    ("Write a page with the results of a tournament, and pages of some games", "fa report spring -o report"),
    ("Write one file", "fa report spring -o spring.html"),
    ("Print a version for a pull request", "fa report spring --format markdown"),
)
def report(
    names: LogNames = None,
    output: Annotated[
        Path | None,
        Option(
            "Write to this folder, or to one FILE.html without games to watch. [default: stdout for Markdown]",
            "PATH",
            name="output",
            short="o",
            group=OptionGroup.OUTPUT,
        ),
    ] = None,
    format: Annotated[
        Literal["html", "markdown"] | None,
        Option(
            "Write a page, or Markdown. [default: by the file's ending, or html]",
            name="format",
            group=OptionGroup.OUTPUT,
        ),
    ] = None,
    games: Annotated[
        int | None,
        msgspec.Meta(ge=0, le=100),
        Option(f"Write at most N games to watch into the folder. [default: {_GAMES}]", "N", group=OptionGroup.OUTPUT),
    ] = None,
    game: GameOption = None,
    option: OptionFilterOption = None,
) -> None:
    """Write the results of tournaments as a page with charts and tables, which needs no server and no network.

    It has strengths, their course, the bots head to head, points, ranks, seats, times and faults. In a folder, tables
    link to pages of games: first faults, close games, upsets, long games, and each bot's best win and worst loss.

    The report takes results as the logs have them; fa replay verify checks the games.
    """
    is_markdown = format == "markdown" if format else output is not None and ends_like(output, ".md")
    if output is None and not is_markdown:
        logs_named(names, skips_damaged=True)  # a wrong name is reported first
        raise UsageError("name a folder or a file to write: -o report or -o report.html")
    if games is not None and (is_markdown or (output is not None and _is_page(output))):
        raise UsageError(f"--games is for a report in a folder, not for {output or 'Markdown'}")
    content = _read(names, game, option_filter(option, game))
    if is_markdown:
        _write_markdown(content, output)
    elif output is not None:
        _write_page(content, output, _GAMES if games is None else games)
    common.fail_if_cut(content.cuts)


def _read(names: Sequence[str] | None, game: str | None, options: OptionFilter | None) -> Content:
    """The results of these tournaments, or of all. Raises UsageError if there are no games, LogError."""
    from ..report.read_content import read_content

    skipped = [f"{bot}." for bot in common.skipped_bots(names or [])]
    content = read_content(select(names, game, options), skipped)
    if content is None:
        raise common.no_games(names, game, options)
    return content


def _write_markdown(content: Content, output: Path | None) -> None:
    """Print the Markdown, or write it to a file."""
    if output is None:
        print(content.markdown)
        return
    check_output(output, "report.md")
    write_output(output, f"{content.markdown}\n".encode(), _private_log(content))
    common.say(f"wrote {output}")


def _write_page(content: Content, output: Path, most_games: int) -> None:
    """Write the page, and beside it pages of games if `output` is a folder."""
    from ..report.game_pages import FOLDER, GamePages
    from ..report.sections import page_of

    is_file = _is_page(output)
    page = output if is_file else _folder(output) / "index.html"
    check_output(page, "report.html")
    games = GamePages(content, 0 if is_file else most_games)
    text = page_of(content, games).encode()
    if games:
        folder = _folder(output / FOLDER)
        for each in games.pages():
            if each.problem:
                common.warn(f"{each.log}: {each.name}: {each.problem}")
            check_output(folder / each.name, "game.html")
            write_output(folder / each.name, each.content, each.log)
    write_output(page, text, _private_log(content))
    more = f" and {counted(len(games), 'game')} to watch" if games else ""
    common.say(f"wrote {page} ({len(text) / 1000:,.0f} kB){more}")


def _is_page(output: Path) -> bool:
    """Whether the output is one file, by its name, and no folder has it."""
    return not output.is_dir() and (ends_like(output, ".html") or output.suffix[1:].isalpha())


def _folder(folder: Path) -> Path:
    """The folder, which is made. Raises UsageError if that is not possible."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = "it is a file; the name of a page ends in .html" if folder.is_file() else error.strerror or error
        raise UsageError(f"cannot write into {folder}: {why}") from None
    return folder


def _private_log(content: Content) -> Path:
    """A log whose readers may read the report: one that only its owner may read, if there is one."""
    from ..replay.log_writer import is_private

    logs = list(content.logs.values())
    return next(filter(is_private, logs), logs[0])
