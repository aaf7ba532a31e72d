"""No module of a command imports that of another command: what they share stands beside them."""

from __future__ import annotations

from pathlib import Path

from tests.test_imports import import_graph

ROOT = Path(__file__).parent.parent.parent


def command_modules() -> set[str]:
    """The modules that declare a command."""
    files = [file for file in (ROOT / "fa_cli/cli").rglob("*.py") if "\n@explained(" in file.read_text("utf-8")]
    names = {".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files}
    return {name.removesuffix(".__init__") for name in names}


def test_commands_do_not_import_each_other() -> None:
    commands, graph = command_modules(), import_graph()
    assert {"fa_cli.cli.leaderboard", "fa_cli.cli.tournament.run_commands", "fa_cli.cli.report"} <= commands
    packages = {name.rpartition(".")[0] for name in commands}  # they list the commands below them
    importers = {name for name in graph if name.startswith("fa_cli.cli.")} - (packages - commands)
    found = {name: (graph[name] & commands) - {name} for name in importers}
    assert {name: others for name, others in found.items() if others} == {}
