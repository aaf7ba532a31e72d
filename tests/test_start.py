"""`fa` starts quickly because it imports little: what is measured in bench/bench_start.py is held here."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import msgspec._version
import pytest

from fa_cli.cli.app import ROOT
from fa_cli.games import GAMES
from tests.bench.figures import plain_python, run
from tests.conftest import Fa, thinned

HEAVY = {"trueskill", "rich", "pydantic", "numpy", "asyncio", "multiprocessing", "concurrent", "click"}
LIBRARIES = {*HEAVY, "scipy", "sqlite3", "tabulate", "wcwidth", "textual", "importlib.metadata"}
SLOWEST_HELP = 12
SLOWEST_TABLE = 20
"""Times the processor time of `python -c pass`; on an idle machine 7 and 12 (docs/notes/bench.md has closer goals)."""
STARTED = """
import sys
from fa_cli.__main__ import main
try:
    main()
finally:
    print(*sys.modules, file=sys.stderr)
"""


TYPER_ALONE = """
import sys, typer
app = typer.Typer(add_completion=False, rich_markup_mode=None)
@app.command()
def nothing(text: str = "") -> None: ...
app([], standalone_mode=False)
print(*sys.modules)
"""


@cache
def imported_by_typer() -> set[str]:
    """What a Typer app of one command imports: pydantic and much else from Typer 0.29 on."""
    return set(subprocess.run([sys.executable, "-c", TYPER_ALONE], capture_output=True, text=True).stdout.split())


def loaded(folder: Path, *args: str) -> set[str]:
    """The modules that a command had imported when it ended, without those of Typer itself."""
    # isolated from what others hang into every start of Python; this one's path is handed on
    command = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:] = {sys.path}\n{STARTED}", *args]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return set(done.stderr.split()) - imported_by_typer()


def test_help_names_every_command(fa: Fa) -> None:
    done = fa("--help")
    assert done.returncode == 0
    assert done.stderr == ""
    for name in ("tournament", "leaderboard", "replay", "simulate", "games", "rules", "protocol"):
        assert f"\n  {name} " in done.stdout


def test_help_imports_nothing_heavy(tmp_path: Path) -> None:
    modules = loaded(tmp_path, "--help")
    assert not modules & {*HEAVY, "msgspec", "json", "hashlib"}
    assert {name for name in modules if name.startswith("fa_cli.")} <= {
        "fa_cli.__main__",
        "fa_cli.cli",
        "fa_cli.cli.app",
        "fa_cli.cli.framework",
        "fa_cli.cli.framework.commands",
        "fa_cli.cli.common",
        "fa_cli.cli.declared_options",
        "fa_cli.cli.help",
        "fa_cli.cli.help.command_help",
        "fa_cli.cli.framework.startup",
        "fa_cli.errors",
        "fa_cli.option",
        "fa_cli.printing",
        "fa_cli.printing.terminal",
        "fa_cli.printing.text",
    }


@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_verifying_a_small_log_imports_its_game_alone(fa: Fa, tmp_path: Path, game: str) -> None:
    assert fa("simulate", game, "--seed", "start", "-o", "a.log").returncode == 0
    modules = loaded(tmp_path, "replay", "verify", "a.log")
    json = set() if hasattr(msgspec._version, "json") else {"json"}  # where msgspec reads its own version by it
    assert not modules & {*HEAVY, *json}
    packages = {name.split(".")[2] for name in modules if name.startswith("fa_cli.games.")}
    assert packages == {
        game.replace("-", "_"),
        "chance",
        "contract",
        "game",
        "option_words",
        "presentation",
        "seed",
        "state",
    }
    shown = ("view", "determinization", "features", "text", "guide")
    assert not {name for name in modules if name.startswith("fa_cli.games.") and name.endswith(shown)}
    assert not {name for name in modules if name.startswith(("fa_cli.tournament", "fa_cli.match", "fa_cli.protocol"))}


@pytest.mark.parametrize("name", thinned(ROOT.commands, 4))
def test_the_help_of_a_command_imports_no_library(tmp_path: Path, name: str) -> None:
    assert not loaded(tmp_path, name, "--help") & LIBRARIES


@pytest.mark.parametrize("command", [("games",), ("bots",), ("tournament", "list")])
def test_a_table_of_plain_letters_needs_no_widths(tmp_path: Path, command: tuple[str, ...]) -> None:
    modules = loaded(tmp_path, *command)
    assert "fa_cli.printing.grid" in modules or command == ("tournament", "list")
    assert not modules & {"numpy", "scipy", "sqlite3"}


@pytest.mark.slow
def test_no_command_starts_slowly(tmp_path: Path) -> None:
    """The least processor time of five: those of `python -c pass`, and of a command until one is short enough."""
    python = plain_python(tmp_path / "python")
    helps = {f"fa {name} --help": ["-m", "fa_cli", name, "--help"] for name in ROOT.commands}
    tables = {f"fa {name}": ["-m", "fa_cli", name] for name in ("games", "bots", "docs")}
    least = min(run([python, "-c", "pass"], tmp_path)[0] for _ in range(5))
    slow = dict.fromkeys(helps, SLOWEST_HELP) | dict.fromkeys(tables, SLOWEST_TABLE)
    for _ in range(5):
        ratios = {name: run([python, *(helps | tables)[name]], tmp_path)[0] / least for name in slow}
        slow = {name: most for name, most in slow.items() if ratios[name] > most}
    assert slow == {}, ratios
