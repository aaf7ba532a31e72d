"""`fa --help` comes quickly because it imports little: what is measured in bench/bench_start.py is held here."""

from __future__ import annotations

import subprocess
import sys

from tests.conftest import Fa

HEAVY = {"msgspec", "tabulate", "trueskill", "rich", "pydantic", "numpy", "asyncio", "multiprocessing", "click"}


def test_help_names_every_command(fa: Fa) -> None:
    done = fa("--help")
    assert done.returncode == 0
    assert done.stderr == ""
    for name in ("tournament", "leaderboard", "replay", "simulate", "games", "rules", "protocol"):
        assert f"\n  {name} " in done.stdout


def test_help_imports_nothing_heavy() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from fa_cli.cli.app import run; run(['--help']); print(*sys.modules, file=sys.stderr)",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stderr.split())
    assert not loaded & HEAVY
    assert {name for name in loaded if name.startswith("fa_cli.")} <= {
        "fa_cli.cli",
        "fa_cli.cli.app",
        "fa_cli.cli.common",
        "fa_cli.errors",
        "fa_cli.text",
    }
