"""Tournaments and bots that lie in folders which bots in the sandbox see: those of installed programs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from fa_cli.isolation.sandbox.hidden import covers, hide, hide_home
from fa_cli.replay.log_file import read_log

from ..conftest import Fa, further
from ..needed import needs_sandbox
from ..tournament.helpers import dice

SPY = """
import json, os, sys
def read(path):
    try:
        return open(path).read()
    except OSError:
        return ""
seen = []
for home in {homes}:
    for name in ("tournaments/t.json", "logs/t.log", "league.toml", "bots/rival.py", "bots/other/bot.py"):
        text = read(f"{{home}}/{{name}}")
        seen += [name] if text else []
if len(sys.argv) > 1:
    open("built.txt", "w").write("by its build: " + " ".join(seen))
    sys.exit()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "decide":
        answer = {{"id": message["id"], "action": " ".join(["SEEN", *seen, read("built.txt")])}}
    elif message["type"] in ("hello", "start"):
        answer = {{"type": "ready"}}
    else:
        continue
    print(json.dumps(answer), flush=True)
"""
ARGS = ("tournament", "run", "--name", "t", "--players", "2", "--games", "6", "--sandbox", "bwrap", "--jobs", "1")
BOTS = ("bots/rival.py", "bots/other", "bots/spy")


def _league(home: Path, program: str = "python", shown_as: Path | None = None) -> Path:
    """A home with two honest bots and a spy, which reads what it can while it is built and while it plays."""
    dice(home / "bots", "rival", "other")
    (home / "league.toml").write_text('seed = "secret"\n')
    other, spy = home / "bots/other", home / "bots/spy"
    (home / "bots/other.py").rename(home / "bots/other.txt")
    other.mkdir()
    (home / "bots/other.txt").rename(other / "bot.py")
    (other / "bot.toml").write_text('command = ["python", "bot.py"]\n')
    spy.mkdir()
    (spy / "spy.py").write_text(SPY.format(homes=[str(shown_as or home)]))
    build = 'build = ["python3", "spy.py", "build"]\n'
    (spy / "bot.toml").write_text(f'command = ["{program}", "spy.py"]\n{build}')
    return home


def _seen(metas: Iterable[dict[str, Any]]) -> set[str]:
    """What the spy tells in its faults."""
    faults = [fault for meta in metas for fault in meta.get("fault_details", [])]
    return {fault["detail"].partition("SEEN")[2].partition("'")[0] for fault in faults}


@needs_sandbox
@pytest.mark.parametrize(("by_link", "below"), [(True, ""), *further((False, ""), (False, "below"))])
def test_a_home_that_is_the_environment_of_fa(tmp_path: Path, by_link: bool, below: str) -> None:
    """Or a folder below it, with a path to Python that leads through the folder: `../bin/python`.

    Also if the environment was made with a link to Python in a folder that bots don't see, such as ~/.local/bin.
    """
    league = tmp_path / "league"
    home = league / below
    site = league / f"lib/python3.{sys.version_info.minor}/site-packages"
    site.mkdir(parents=True)
    (league / "bin").mkdir()
    python = Path(sys.executable).resolve()
    if by_link:
        link = tmp_path / "links/python"
        link.parent.mkdir()
        link.symlink_to(python)
        python = link
    (league / "pyvenv.cfg").write_text(f"home = {python.parent}\n")
    (league / "bin/python3").symlink_to(python)
    (league / "bin/python").symlink_to("python3")
    (site / "fa.pth").write_text("\n".join(path for path in sys.path if path))
    _league(home)
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache"), "FA_COMPILE": "0"}
    python = "../bin/python" if below else f"{league}/bin/python"
    run = [python, "-m", "fa_cli", *ARGS, *BOTS]
    done = subprocess.run(run, cwd=home, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert _seen(entry.meta for entry in read_log(home / "logs/t.log")) == {" by its build: "}


@pytest.mark.slow
@needs_sandbox
@pytest.mark.parametrize("home", ["league", ".", "deeper/league"])
def test_a_home_around_a_program_of_our_path(fa: Fa, tmp_path: Path, home: str) -> None:
    """The home is the folder in which a program is installed, or lies in it."""
    league = tmp_path / "prefix" / home
    league.mkdir(parents=True)
    tool = tmp_path / "prefix/bin/tool"
    tool.parent.mkdir()
    tool.write_text('#!/bin/sh\nexec python3 "$@"\n')
    tool.chmod(0o755)
    _league(league, "tool")
    environment = {"PATH": f"{tool.parent}:{os.environ['PATH']}", "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = fa("--home", league, *ARGS, *(league / bot for bot in BOTS), **environment)
    assert done.returncode == 0, done.stderr
    assert _seen(entry.meta for entry in read_log(league / "logs/t.log")) == {" by its build: "}


@pytest.mark.slow
@needs_sandbox
@pytest.mark.skipif(os.getuid() != 0 or not shutil.which("unshare"), reason="only root can mount on /opt")
@pytest.mark.parametrize("place", ["/opt/league", "/opt"])
def test_a_home_in_a_folder_of_the_system(tmp_path: Path, place: str) -> None:
    home = _league(tmp_path / "league", shown_as=Path(place))
    run = f"{sys.executable} -m fa_cli"
    bots = " ".join(BOTS)
    script = f"""mount -t tmpfs tmpfs /opt && mkdir -p {place} && cp -r {home}/. {place} && cd {place} &&
        {run} {" ".join(ARGS)} {bots} && {run} replay export t"""
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache"), "FA_COMPILE": "0"}
    command = ["unshare", "-m", "sh", "-c", script]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    left = " league.toml" if place == "/opt" else ""
    assert _seen(record["meta"] for record in records) == {f"{left} by its build: {left.strip()}"}


def test_what_is_covered(tmp_path: Path) -> None:
    for name in ("league/logs", "league/bots/a", "other/b", "own/inside"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "league")
    hide([tmp_path / "link", tmp_path / "league/bots/a", tmp_path / "other/b", tmp_path / "own/inside"])
    hide(["a\0b", tmp_path / "missing"])
    covered = covers([str(tmp_path)], str(tmp_path / "own"))
    assert covered == [str(tmp_path / "league"), str(tmp_path / "other/b")]
    inside = [str(tmp_path), str(tmp_path / "league/bots")]
    assert covers(inside, "/own") == [
        *covered[:1],
        str(tmp_path / "league/bots/a"),
        covered[1],
        str(tmp_path / "own/inside"),
    ]
    seen_by_link = covers([str(tmp_path / "link")], "/own")
    assert seen_by_link == [str(tmp_path / "link/bots/a")]


def test_a_home_with_the_programs_of_the_system() -> None:
    hide_home(Path("/usr/local"))
    assert covers(["/usr"], "/own") == [
        path for path in ("/usr/local/logs", "/usr/local/tournaments") if Path(path).exists()
    ]
