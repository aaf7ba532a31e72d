"""Which part may know which: the arrows of docs/architecture.md, read from the imports of every file."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EVERYWHERE = {
    "errors",
    "option",
    "results",
    "text",
    "columns",
    "",
}  # the package itself has the version and imports nothing
ARROWS = {
    "errors": set(),
    "option": set(),
    "text": set(),
    "columns": set(),
    "results": {"errors"},
    "games": {"games"},
    "protocol": {"protocol"},
    "isolation": {"isolation", "protocol"},
    "replay": {"replay", "games"},
    "match": {"match", "games", "protocol", "isolation", "replay"},
    "bot": {"fast_reader"},
    "fast_reader": set(),
    "kits": {"kits", "protocol", "isolation", "bot"},
    "play": {"play", "match", "games", "protocol", "isolation", "replay"},
    "stats": {"stats"},
    "leaderboard": {"leaderboard", "stats", "replay", "games"},
    "environment": {"games"},
    "tournament": {"tournament", "leaderboard", "stats", "match", "replay", "games", "protocol", "isolation"},
    "cli": {
        *("cli", "kits", "tournament", "leaderboard", "stats"),
        *("match", "replay", "games", "protocol", "isolation", "play"),
    },
    "__main__": {"cli"},
    "": set(),
}
ONLY_IN = {
    "sqlite3": ["fa_cli/leaderboard/index.py"],
    "trueskill": ["fa_cli/leaderboard/ratings.py"],
    "mpmath": ["fa_cli/leaderboard/ratings.py"],
    "pettingzoo": ["fa_cli/environment.py"],
    "gymnasium": ["fa_cli/environment.py"],
    "scipy": ["fa_cli/stats/block_means.py"],
    "pyarrow": ["fa_cli/cli/results.py"],
    "typer": ["fa_cli/cli/"],
    "tabulate": ["fa_cli/cli/"],
    "rich": ["fa_cli/cli/", "fa_cli/play/paint.py"],
    "subprocess": ["fa_cli/isolation/spawn.py"],
    "multiprocessing": ["fa_cli/tournament/running/", "fa_cli/replay/parallel.py"],
    "concurrent": [
        "fa_cli/tournament/setup.py",
        "fa_cli/tournament/running/",
        "fa_cli/replay/parallel.py",
        "fa_cli/match/check/baton_threads.py",
    ],
}
TOURNAMENT = ("formats", "pairing", "running", "proof")
LIGHT = {"", "typer", "msgspec", "errors", "option", "text", "columns", "cli"}
DECLARING = {"fa_cli.isolation.limits", "fa_cli.protocol.messages", "fa_cli.tournament.options"}
"""Modules that declare options, and import as little as those of the commands."""
PLAYED = sorted(folder.name for folder in (ROOT / "fa_cli/games").iterdir() if (folder / "__init__.py").exists())


def imported(source: str, path: str, late: bool = True) -> Iterator[str]:
    """Full names of the modules that a file imports; with `late` false, only those it imports when imported itself."""
    module = path.removesuffix(".py").removesuffix("/__init__").split("/")
    package = module if path.endswith("/__init__.py") else module[:-1]
    for node in ast.walk(ast.parse(source)) if late else _at_once(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            name = ".".join([*base, *(node.module or "").split(".")]).strip(".")
            yield name
            # `from ..games import game` names a module, `from ..games.game import Game` does not
            yield from (
                f"{name}.{alias.name}"
                for alias in node.names
                if (ROOT / f"{name}.{alias.name}".replace(".", "/")).is_dir()
                or (ROOT / (f"{name}.{alias.name}".replace(".", "/") + ".py")).is_file()
            )


def _at_once(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements of a module that run when it is imported, `if TYPE_CHECKING:` left out."""
    for statement in tree.body:
        if isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING":
            yield from statement.orelse
        else:
            yield statement


def part(module: str) -> str:
    """`games` of `fa_cli.games.game`; empty for the package itself."""
    return [*module.split("."), ""][1]


def wrong(source: str, path: str) -> list[str]:
    """What is wrong with the imports of a file, one sentence each."""
    here = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    found = []
    for name in imported(source, path):
        top = name.split(".")[0]
        if top in ONLY_IN and not any(path.startswith(place) for place in ONLY_IN[top]):
            found.append(f"{path} imports {name}, which is for {' '.join(ONLY_IN[top])}")
        if top != "fa_cli":
            continue
        game = name.split(".")[2] if name.count(".") >= 2 and name.startswith("fa_cli.games.") else ""
        if path.startswith("bots/"):
            if not name.startswith(("fa_cli.bot", "fa_cli.games")):
                found.append(f"{path} imports {name}: a bot may import fa_cli.bot and fa_cli.games only")
        elif part(name) not in ARROWS[part(here)] | (EVERYWHERE if part(here) not in EVERYWHERE else set()):
            found.append(
                f"{path} imports {name}: {part(here) or 'the package'} may not know {part(name) or 'the package'}"
            )
        elif game in PLAYED and not here.startswith(f"fa_cli.games.{game}") and here != "fa_cli.games":
            found.append(f"{path} imports {name}: only games/__init__.py knows that there is this game")
    return found


MOST_MODULES = 14


def test_packages_are_small() -> None:
    """A package that a reader can take in: at most fourteen modules, folders inside not counted."""
    for package in ("stats", "leaderboard", "tournament", *(f"tournament/{name}" for name in TOURNAMENT)):
        modules = [file for file in (ROOT / "fa_cli" / package).glob("*.py") if file.name != "__init__.py"]
        assert 0 < len(modules) <= MOST_MODULES, package


def files(*folders: str) -> list[str]:
    return sorted(str(file.relative_to(ROOT)) for folder in folders for file in (ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("path", files("fa_cli", "bots"))
def test_arrows(path: str) -> None:
    assert wrong((ROOT / path).read_text(encoding="utf-8"), path) == []


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("fa_cli/games/game.py", "from ..protocol import messages"),
        ("fa_cli/protocol/session.py", "def f():\n    from ..games.game import Game"),
        ("fa_cli/protocol/session.py", "from .. import games"),
        ("fa_cli/replay/log_file.py", "import fa_cli.match.referee"),
        ("fa_cli/replay/log_file.py", "from ..games.fifth_avenue import GAME"),
        ("fa_cli/games/fifth_avenue/state.py", "from ..manhattan import board"),
        ("fa_cli/tournament/running/run.py", "from ...cli.tables import show"),
        ("fa_cli/leaderboard/standings.py", "import trueskill"),
        ("fa_cli/match/referee.py", "from subprocess import Popen"),
        ("fa_cli/stats/comparison.py", "from ..replay.files import read_log"),
        ("fa_cli/leaderboard/standings.py", "from ..tournament.definition import load"),
        ("bots/greedy.py", "from fa_cli.match import referee"),
    ],
)
def test_a_wrong_arrow_is_seen(path: str, source: str) -> None:
    if "manhattan" in source and "manhattan" not in PLAYED:
        pytest.skip("that game is not there")
    assert len(wrong(source, path)) >= 1


@pytest.mark.parametrize("path", files("fa_cli/cli") + [f"{name.replace('.', '/')}.py" for name in sorted(DECLARING)])
def test_commands_import_late(path: str) -> None:
    """Starting is quick: a module of a command imports only the standard library, Typer and its neighbours at once."""
    source = (ROOT / path).read_text(encoding="utf-8")
    for name in imported(source, path, late=False):
        top = name.split(".")[0]
        known = part(name) if top == "fa_cli" else top
        assert {known, name} & {*LIGHT, *DECLARING} or top in sys.stdlib_module_names, f"{path} imports {name} at once"
