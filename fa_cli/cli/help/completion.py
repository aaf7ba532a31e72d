"""Completion by Typer: `fa` as one Typer app, and the values that a placeholder stands for.

Typer's scripts call `fa` with `_FA_COMPLETE` set. Where nothing here fits the last word, shells complete files.
Nothing here prints an error: a shell is waiting.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import typer

from ...errors import FaError
from ...option import DeclaredOption
from ...printing.text import printable
from ...tournament.formats import FORMATS
from .. import common
from ..declared_options import choices
from ..framework.commands import Command, for_typer

Candidate = tuple[str, str]
"""A text and what it means."""
_SAFE = re.compile(r"[\w.,:=/@%+~-]+")
"""Candidates that no shell takes for anything else."""
_MOST_DEFINITIONS = 50
"""Tournaments, the newest ones, whose bots are candidates."""
_LARGEST = 1 << 20  # bytes of a definition: completion has to be quick


class Line(NamedTuple):
    """The command line that is typed so far."""

    command: str
    words: Sequence[str]
    """The whole ones."""
    last: str
    """The word to complete."""


def run_typer(root: Command, words: Sequence[str] = ()) -> None:
    """Let Typer answer a shell, or install or print its script."""
    before = _join_bash_words()
    text = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    typed = re.split(r"\s+", text)[:-1]
    typer_app(root, typed, before)(list(words), prog_name="fa", standalone_mode=False)


def _join_bash_words() -> str:
    """Undo that bash takes `=` for a word; returns what it has taken off the last word, such as `side=`."""
    if "COMP_WORDS" not in os.environ:
        return ""
    words = os.environ["COMP_WORDS"].split("\n")[: int(os.environ["COMP_CWORD"]) + 1]
    *words, last = re.sub(r"\n=(\n|$)", "=", "\n".join(words)).split("\n")
    before, equals, value = last.rpartition("=")
    if last.startswith("-"):  # Typer splits --game=NAME itself
        before, equals, value = "", "", last
    os.environ |= {"COMP_WORDS": "\n".join([*words, value]), "COMP_CWORD": str(len(words))}
    return before + equals


def typer_app(command: Command, typed: Sequence[str] = (), before: str = "") -> typer.Typer:
    """A group as a Typer app. Commands that are not among the typed words, if any are known, have only their summary.

    `before`: what belongs in front of the last word.
    """
    app = typer.Typer(rich_markup_mode=None, add_completion=command.name == "fa", pretty_exceptions_enable=False)
    own = [each for each in command.parameters if not each.name.endswith("-completion")]  # Typer has these
    app.callback(add_help_option=False)(for_typer(own, lambda **_: None))
    place = typed[command.name.count(" ") + 1 :]
    named = next((word for word in typed if word in command.commands), None)
    for name, summary in command.summaries() if named or not place or place[0].startswith("-") else ():
        if typed and name != named:
            app.command(name, help=summary)(lambda: None)
        elif (child := command.child(name)).commands:
            app.add_typer(typer_app(child, typed, before), name=name, help=summary)
        else:
            fitting = [each for each in child.parameters if _fits(each, typed)]
            function = for_typer(fitting, lambda **_: None, partial(_values_of, child.name, typed, before))
            app.command(name, help=summary, add_help_option=False)(function)
    return app


def _fits(declared: DeclaredOption, typed: Sequence[str]) -> bool:
    """Whether the format that is typed, or the first one, has this option."""
    formats = declared.option.formats
    chosen = re.search(r"--schedule[ =]([\w-]+)", " ".join(typed))
    return not formats or (chosen[1] if chosen else next(iter(FORMATS))) in formats


def _values_of(command: str, typed: Sequence[str], before: str, declared: DeclaredOption) -> Callable[..., Any] | None:
    """The function that Typer asks for values of an option or argument; None if they can't be known."""
    placeholder = declared.option.metavar.strip("[].").removesuffix("...|FILE.toml")
    words = choices(declared) or (placeholder.split("|") if placeholder.islower() else [])
    source = _SOURCES.get(placeholder)
    if not words and not source:
        return None

    def complete(ctx: typer.Context, incomplete: str) -> list[Candidate]:
        common.SETTINGS.home = _home(ctx)
        line = Line(command, typed, before + incomplete)
        found: list[Candidate] = []
        with suppress(FaError, OSError):
            for text, meaning in source(line) if source else ((word, "") for word in words):
                if text.startswith(line.last) and _SAFE.fullmatch(text):
                    found.append((text.removeprefix(before), printable(meaning)))
        return found

    return complete


def _home(ctx: Any) -> Path:
    """The folder that the line names with `--home`, or FA_HOME."""
    while ctx:
        if home := ctx.params.get("home"):
            return Path(home)
        ctx = ctx.parent
    return Path(os.environ.get("FA_HOME") or ".")


def _games(line: Line) -> Iterator[Candidate]:
    from ...games import MODULES

    yield from ((name, "") for name in MODULES)
    if line.command == "fa tournament run":
        yield "all", "every game at once"


def _game_options(line: Line) -> Iterator[Candidate]:
    """`side=six` for the game that the line names, or for all games."""
    from ...games import MODULES, find_game
    from ...games.option_words import describe_values, named_values

    for game in map(find_game, [word for word in line.words if word in MODULES] or MODULES):
        for name in game.options.__struct_fields__:
            values = named_values(game.options, name)
            if not values:
                yield f"{name}=", f"{game.name}: {describe_values(game.options, name)}"
            yield from ((f"{name}={value}", game.name) for value in values)


def _tournaments(line: Line) -> Iterator[Candidate]:
    names = {path.stem for path in common.tournaments_folder().glob("*.json")}
    yield from ((name, "tournament") for name in sorted(names))


def _logs(line: Line) -> Iterator[Candidate]:
    yield from ((path.stem, "tournament") for path in sorted(common.logs_folder().glob("*.log")))


def _bots(line: Line) -> Iterator[Candidate]:
    """Shipped bots, with the name that is typed in front."""
    from ...isolation.shipped_bots import shipped_paths

    name, equals, _ = line.last.rpartition("=")
    yield from ((f"{name}{equals}{bot}", "shipped bot") for bot in shipped_paths())


def _players(line: Line) -> Iterator[Candidate]:
    """The bots of the newest tournaments; after a comma the next one."""
    import json

    from ...system import read_regular

    before = f"{line.last.rpartition(',')[0]}," if "," in line.last else ""
    files = sorted(common.tournaments_folder().glob("*.json"), key=lambda path: -path.stat().st_mtime)
    names: dict[str, None] = {}
    for file in files[:_MOST_DEFINITIONS]:
        with suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
            names |= dict.fromkeys(bot["name"] for bot in json.loads(read_regular(file, _LARGEST))["bots"])
    yield from ((f"{before}{name}", "") for name in sorted(names) if name not in before.split(","))


def _languages(line: Line) -> Iterator[Candidate]:
    from ...kits.languages import KITS

    yield from ((name, language.title) for name, language in KITS.items())


def _pages(line: Line) -> Iterator[Candidate]:
    from .pages import page_paths, title_of

    yield from ((name, title_of(path)) for name, path in page_paths().items())


_SOURCES: Mapping[str, Callable[[Line], Iterator[Candidate]]] = {
    "GAME": _games,
    "NAME=VALUE": _game_options,
    "TOURNAMENT": _tournaments,
    "TOURNAMENT|FOLDER": _tournaments,
    "LOG": _logs,
    "BOT": _bots,
    "A": _players,
    "B": _players,
    "A,B": _players,
    "A B": _players,
    "LANGUAGE": _languages,
    "PAGE": _pages,
}
"""The sources of candidates, by placeholder."""
