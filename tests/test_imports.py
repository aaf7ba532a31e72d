"""Which module may import which: the table in docs/explanation/architecture.md, read from the imports of every file."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EVERYWHERE = {"errors", "option", "decoding", "game_result", "printing", "system", ""}
"""Parts that every other part may import; the empty name is the package itself, which has the version."""
ARROWS = {
    "errors": set(),
    "option": set(),
    "decoding": set(),
    "printing": {"printing"},
    "system": set(),
    "game_result": set(),
    "games": {"games", "drawing"},
    "protocol": {"protocol"},
    "models": {"models"},
    "isolation": {"isolation", "protocol", "models"},
    "drawing": {"drawing"},
    "viewer": {"viewer", "drawing", "models", "replay", "games"},
    "report": {"report", "viewer", "results", "tournament", "leaderboard", "stats", "replay"},
    "replay": {"replay", "games"},
    "match": {"match", "games", "protocol", "isolation", "models", "replay"},
    "bot": {"fast_reader"},
    "fast_reader": set(),
    "kits": {"kits", "protocol", "isolation", "bot", "games"},
    "screens": {"screens", "viewer", "play"},
    "play": {"play", "match", "games", "protocol", "isolation", "replay"},
    "stats": {"stats"},
    "leaderboard": {"leaderboard", "stats", "models", "replay", "games"},
    "environment": {"games"},
    "transparency": {"transparency", "replay", "games"},
    "tournament": {
        *("tournament", "transparency", "leaderboard", "stats", "match", "replay", "games", "protocol", "isolation"),
        "models",
    },
    "results": {"results", "tournament", "leaderboard", "stats"},
    "serve": {
        *("serve", "viewer", "drawing", "play", "tournament", "leaderboard", "stats"),
        *("match", "replay", "games", "protocol", "isolation"),
    },
    "mcp_server": {*("mcp_server", "serve", "results", "leaderboard", "play", "replay", "games")},
    "cluster": {"cluster", "tournament", "match", "replay", "games", "protocol", "isolation", "kits"},
    "cli": {
        *("cli", "kits", "cluster", "results", "tournament", "transparency", "leaderboard", "stats"),
        *("match", "replay", "games", "protocol", "isolation", "models", "play", "viewer", "drawing", "report"),
        *("screens", "serve", "mcp_server"),
    },
    "__main__": {"cli"},
    "": {"compiled_copy"},
    "compiled_copy": set(),
}
ONLY_IN = {
    "sqlite3": ["fa_cli/leaderboard/sealed_file.py", "fa_cli/models/exchanges.py"],
    "trueskill": [],
    "mpmath": [],
    "pettingzoo": ["fa_cli/environment.py"],
    "gymnasium": ["fa_cli/environment.py"],
    "scipy": [],
    "pyarrow": ["fa_cli/cli/export_results.py", "fa_cli/cli/tournament/published_tables.py"],
    "cryptography": ["fa_cli/transparency/notes.py"],
    "sigstore": ["fa_cli/transparency/sigstore_bundle.py"],
    "py_ecc": ["fa_cli/transparency/beacon.py"],
    "distributed": ["fa_cli/cluster/"],
    "dask": ["fa_cli/cluster/"],
    "starlette": ["fa_cli/serve/"],
    "uvicorn": ["fa_cli/serve/"],
    "mcp": ["fa_cli/mcp_server/server.py"],
    "mcp_types": ["fa_cli/mcp_server/server.py"],
    "typer": ["fa_cli/cli/"],
    "subprocess": ["fa_cli/isolation/spawn.py", "fa_cli/isolation/supervisor_client.py"],
    "rich": [
        "fa_cli/cli/",
        "fa_cli/screens/",
        "fa_cli/printing/terminal.py",
        "fa_cli/play/paint.py",
        "fa_cli/play/rulebook.py",
    ],
    "textual": ["fa_cli/screens/"],
    "multiprocessing": ["fa_cli/tournament/running/", "fa_cli/replay/parallel.py", "fa_cli/cluster/worker"],
    "concurrent": [
        "fa_cli/tournament/setup.py",
        "fa_cli/tournament/running/",
        "fa_cli/replay/parallel.py",
        "fa_cli/match/check/lanes.py",
    ],
}
MOST_MODULES = 14
"""In one package, `__init__.py` and the packages inside not counted."""
LIGHT = {"", "typer", "msgspec", "errors", "option", "game_result", "printing", "cli"}
DECLARING = {
    "fa_cli.cluster.tls_options",
    "fa_cli.isolation.limits",
    "fa_cli.protocol.messages",
    "fa_cli.results.places",
    "fa_cli.results.sequential_tests",
    "fa_cli.results.verdict",
    "fa_cli.tournament.changes",
    "fa_cli.tournament.request",
    "fa_cli.tournament.running.progress",
    "fa_cli.tournament.formats",
    *(f"fa_cli.tournament.formats.{file.stem}" for file in (ROOT / "fa_cli/tournament/formats").glob("[!_]*.py")),
}
"""Modules that declare options, what these import, and rows, sentences and a base class that commands use at once; they
import as little as those of the commands."""
FORMATS = "fa_cli.tournament.formats"
FOR_ALL_FORMATS = {FORMATS, f"{FORMATS}.block", f"{FORMATS}.format"}
"""What the others may import of the tournament formats."""
PLAYED = sorted(folder.name for folder in (ROOT / "fa_cli/games").iterdir() if (folder / "__init__.py").exists())


@cache
def imported(source: str, path: str, late: bool = True) -> set[str]:
    """Full names of the modules that a file imports; with `late` false, only those it imports when imported itself."""
    module = path.removesuffix(".py").removesuffix("/__init__").split("/")
    package = module if path.endswith("/__init__.py") else module[:-1]
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)) if late else _at_once(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            name = ".".join([*base, *(node.module or "").split(".")]).strip(".")
            # `from ..games import game` names a module, `from ..games.game import Game` does not
            inside = (f"{name}.{alias.name}" for alias in node.names)
            found.update(module if _is_module(module) else name for module in inside)
    return found


@cache
def _is_module(name: str) -> bool:
    path = ROOT / name.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").is_file()


def _at_once(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements of a module that run when it is imported, `if TYPE_CHECKING:` left out."""
    for statement in tree.body:
        if isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING":
            yield from statement.orelse
        else:
            yield statement


def part(module: str) -> str:
    """`games` of `fa_cli.games.game`; empty for the package itself. The drawings are a part of their own."""
    names = [*module.split("."), "", ""]
    return "drawing" if names[1:3] == ["viewer", "drawing"] else names[1]


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
        elif name.startswith(FORMATS) and name not in FOR_ALL_FORMATS and not here.startswith(FORMATS):
            found.append(f"{path} imports {name}: only tournament/formats/ knows which formats there are")
    return found


def path_of(module: str) -> str:
    path = module.replace(".", "/")
    return f"{path}/__init__.py" if (ROOT / path).is_dir() else f"{path}.py"


def files(*folders: str) -> list[str]:
    return sorted(str(file.relative_to(ROOT)) for folder in folders for file in (ROOT / folder).rglob("*.py"))


def test_arrows() -> None:
    paths = files("fa_cli", "bots")
    assert [each for path in paths for each in wrong((ROOT / path).read_text(encoding="utf-8"), path)] == []


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("fa_cli/games/game.py", "from ..protocol import messages"),
        ("fa_cli/protocol/answers.py", "def f():\n    from ..games.game import Game"),
        ("fa_cli/protocol/answers.py", "from .. import games"),
        ("fa_cli/replay/log_file.py", "import fa_cli.match.referee"),
        ("fa_cli/replay/log_file.py", "from ..games.fifth_avenue import GAME"),
        ("fa_cli/games/fifth_avenue/state.py", "from ..manhattan import board"),
        ("fa_cli/tournament/running/run.py", "from ...cli.tables import show"),
        ("fa_cli/leaderboard/standings.py", "import trueskill"),
        ("fa_cli/viewer/drawing/shapes.py", "from ...games import find_game"),
        ("fa_cli/games/game.py", "from ..viewer import page"),
        ("fa_cli/match/referee.py", "from subprocess import Popen"),
        ("fa_cli/stats/comparison.py", "from ..replay.files import read_log"),
        ("fa_cli/leaderboard/standings.py", "from ..tournament.definition import load"),
        ("fa_cli/cli/tournament/watch.py", "from textual.app import App"),
        ("fa_cli/tournament/setup.py", "from .formats.swiss import Swiss"),
        ("fa_cli/screens/live_text.py", "from ..tournament.live import LiveTournament"),
        ("fa_cli/tournament/live.py", "from ..results.places import PlaceRow"),
        ("fa_cli/results/places.py", "from ..cli.tables import show"),
        ("fa_cli/printing/layout.py", "from ..stats.comparison import Comparison"),
        ("bots/greedy.py", "from fa_cli.match import referee"),
    ],
)
def test_a_wrong_arrow_is_seen(path: str, source: str) -> None:
    if "manhattan" in source and "manhattan" not in PLAYED:
        pytest.skip("that game is not there")
    assert len(wrong(source, path)) >= 1


def test_commands_import_late() -> None:
    """Starting is quick: a module of a command imports only the standard library, Typer and its neighbours at once."""
    at_once = [
        f"{path} imports {name} at once"
        for path in files("fa_cli/cli") + [path_of(name) for name in sorted(DECLARING)]
        for name in imported((ROOT / path).read_text(encoding="utf-8"), path, late=False)
        if not is_light(name)
    ]
    assert at_once == []


def is_light(name: str) -> bool:
    top = name.split(".")[0]
    known = part(name) if top == "fa_cli" else top
    return bool({known, name} & {*LIGHT, *DECLARING}) or top in sys.stdlib_module_names


MODULES = {
    path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): path
    for path in files("fa_cli")
    if not path.startswith("fa_cli/kits/templates/")  # programs that are written for people, not part of the package
}


def packages() -> dict[str, int]:
    """How many modules each folder with Python files has."""
    counts: dict[str, int] = {}
    for path in MODULES.values():
        folder, _, name = path.rpartition("/")
        counts[folder] = counts.get(folder, 0) + (name != "__init__.py")
    return counts


def test_packages_are_small() -> None:
    """A reader can take each package in."""
    assert {folder: count for folder, count in packages().items() if count > MOST_MODULES} == {}


@cache
def import_graph() -> dict[str, set[str]]:
    """Each module of fa_cli and those that it imports: at its top, in functions, and for type checking alone."""
    return {module: imported_modules((ROOT / path).read_text("utf-8"), path) for module, path in MODULES.items()}


def imported_modules(source: str, path: str) -> set[str]:
    return imported(source, path) & MODULES.keys()


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The sets of modules that reach each other through imports."""
    reached = {module: reachable(graph, module) for module in graph}
    found = {tuple(sorted(other for other in reached[module] if module in reached[other])) for module in graph}
    return [list(circle) for circle in sorted(found) if circle]


def reachable(graph: dict[str, set[str]], start: str) -> set[str]:
    """The modules that `start` imports, directly or not; itself among them if they lead back to it."""
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        new = graph[waiting.pop()] - seen
        seen |= new
        waiting += new
    return seen


def test_no_import_circles() -> None:
    assert circles(import_graph()) == []


@pytest.mark.parametrize(
    "source",
    [
        "from .answers import read_answer",
        "from . import answers",
        "import fa_cli.protocol.answers",
        "def late():\n    from .answers import read_answer",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .answers import read_answer",
        "import typing\nif typing.TYPE_CHECKING:\n    from ..isolation.bot_session import BotSession",
    ],
)
def test_a_circle_is_seen(source: str) -> None:
    """The module protocol.messages, which answers.py imports, is given an import that leads back to it."""
    path = "fa_cli/protocol/messages.py"
    graph = dict(import_graph())
    graph["fa_cli.protocol.messages"] = graph["fa_cli.protocol.messages"] | imported_modules(source, path)
    (circle,) = circles(graph)
    assert {"fa_cli.protocol.messages", "fa_cli.protocol.answers"} <= set(circle)


def test_importing_a_neighbour_is_no_import_of_the_package() -> None:
    assert imported_modules("from . import messages", "fa_cli/protocol/answers.py") == {"fa_cli.protocol.messages"}


def command_modules() -> set[str]:
    """The modules that declare a command."""
    return {name for name, path in MODULES.items() if "\n@explained(" in (ROOT / path).read_text("utf-8")}


def test_commands_do_not_import_each_other() -> None:
    """What they share stands beside them."""
    commands, graph = command_modules(), import_graph()
    assert {"fa_cli.cli.leaderboard", "fa_cli.cli.tournament.run_commands", "fa_cli.cli.report"} <= commands
    packages = {name.rpartition(".")[0] for name in commands}  # they list the commands below them
    importers = {name for name in graph if name.startswith("fa_cli.cli.")} - (packages - commands)
    found = {name: (graph[name] & commands) - {name} for name in importers}
    assert {name: others for name, others in found.items() if others} == {}
