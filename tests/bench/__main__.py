"""All benchmarks: `python -m tests.bench`. Prints a table; `--write` keeps it, `--against FILE` compares with one kept.

Each part runs in a process of its own, so that none starts with what another left. With `--against` the status is 1
if a ratio is less than half as good as the one kept, measured again and again, and nobody else uses the machine.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import re
import subprocess
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from fa_cli.games import is_compiled
from fa_cli.isolation.sandbox.bubblewrap import why_not

from .figures import Figure, is_quiet

PARTS = ("engine", "tournaments", "replay", "start", "growth", "ratings")
TRIES = 2
"""How often what seems worse is measured again."""
ROOT = Path(__file__).parent.parent.parent
KEPT = Path(__file__).parent / "bench.json"
PAGE = ROOT / "docs/notes/bench.md"


def machine() -> dict[str, str]:
    """What the figures were measured on."""
    cpu = "unknown"
    if Path("/proc/cpuinfo").exists():
        found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
        cpu = found[1] if found else cpu
    packages = {}
    for name in ("typer", "msgspec", "trueskill", "zstandard"):
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            packages[name] = "none"
    load = f"{os.getloadavg()[0]:.1f} when it began"
    cores = str(len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count())
    engines = "compiled" if is_compiled() else "plain Python"
    system = f"{platform.system()} {platform.release()}"
    python = f"{platform.python_implementation()} {platform.python_version()}"
    about = {"processor": cpu, "cores": cores, "load": load, "system": system, "python": python, "engines": engines}
    return about | {"sandbox": f"none: {reason}" if (reason := why_not()) else "bubblewrap"} | packages


def measure(part: str, short: bool) -> list[Figure]:
    """The part's figures, measured in a process of its own; the last one is how long that took."""
    command = [sys.executable, "-m", "tests.bench", "--part", part, *(["--short"] if short else [])]
    begin = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    if done.returncode:
        sys.exit(f"the benchmark {part} failed")
    taken = time.perf_counter() - begin
    print(f"{part}: {taken:.0f} s", file=sys.stderr, flush=True)
    figures = [Figure(**json.loads(line)) for line in done.stdout.splitlines()]
    return [*figures, Figure("all of this", taken, "s", 1.0, "itself", True)]


def markdown(about: dict[str, str], parts: dict[str, list[Figure]]) -> str:
    """The page."""
    lines = ["# Benchmarks", "", "Written by `make bench`; [Performance](performance.md) explains it. What counts"]
    lines += ["is the ratio: both of its sides were measured in turns, on the same machine.", ""]
    lines += [f"- {what}: {value}" for what, value in about.items()]
    for part, figures in parts.items():
        lines += ["", f"## {part}", "", "| what | measured | ratio | to | goal |", "| --- | --- | --- | --- | --- |"]
        for one in figures:
            sign = "at most" if one.lower else "at least"
            reached = {True: "reached", False: "**missed**", None: ""}[one.is_reached()]
            goal = f"{sign} {one.goal:.3g}, {reached}" if one.goal is not None else ""
            value = f"{one.value:,.0f}" if one.value >= 1000 else f"{one.value:.3g}"
            lines.append(f"| {one.name} | {value} {one.unit} | {one.ratio:.3g} | {one.to} | {goal} |")
    return "\n".join(lines) + "\n"


def halved(kept: dict[str, Any], parts: dict[str, list[Figure]]) -> dict[str, dict[str, str]]:
    """By part and figure: sentences on the ratios that are less than half as good as those kept."""
    found: dict[str, dict[str, str]] = {}
    for part, figures in parts.items():
        before = {one["name"]: Figure(**one) for one in kept["parts"].get(part, [])}
        for one in figures:
            if one.name in before and one.is_halved(before[one.name]):
                text = f"{one.name}: {one.ratio:.3g} to {one.to}, and it was {before[one.name].ratio:.3g}"
                found.setdefault(part, {})[one.name] = text
    return found


def compare(path: Path, parts: dict[str, list[Figure]], short: bool) -> int:
    """Tell what got worse; the exit status. A suspicion is one only if it is confirmed twice, on a quiet machine."""
    kept = json.loads(path.read_text())
    suspect = halved(kept, parts)
    for _ in range(TRIES):
        if suspect:
            again = halved(kept, {part: measure(part, short) for part in suspect})
            both = {
                part: {name: text for name, text in said.items() if name in suspect[part]}
                for part, said in again.items()
            }
            suspect = {part: said for part, said in both.items() if said}
    if suspect and not is_quiet():
        print("others use this machine: ratios that seem halved may be their doing", file=sys.stderr)
        return 0
    for said in suspect.values():
        for text in said.values():
            print(f"less than half as good as before: {text}", file=sys.stderr)
    return 1 if suspect else 0


def write(about: dict[str, str], parts: dict[str, list[Figure]]) -> None:
    """Keep these figures; those of parts that were not measured stay as they are."""
    before = json.loads(KEPT.read_text())["parts"] if KEPT.exists() else {}
    old = {part: [Figure(**one) for one in figures] for part, figures in before.items()}
    parts = {part: figures for part in PARTS if (figures := parts.get(part) or old.get(part))}
    kept = {"machine": about, "parts": {part: [one._asdict() for one in figures] for part, figures in parts.items()}}
    KEPT.write_text(json.dumps(kept, indent=1) + "\n")
    PAGE.write_text(markdown(about, parts))


def main() -> int:
    """Parse, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], help="which parts; all by default")
    parser.add_argument("--part", choices=PARTS, help="measure one here, and print a line of JSON for each figure")
    parser.add_argument("--short", action="store_true", help="two minutes instead of five")
    parser.add_argument("--write", action="store_true", help=f"keep them in {KEPT.name} and docs/notes/{PAGE.name}")
    parser.add_argument("--against", type=Path, metavar="FILE")
    asked = parser.parse_args()
    if asked.part:
        for one in importlib.import_module(f"tests.bench.bench_{asked.part}").figures(asked.short):
            print(json.dumps(one._asdict()), flush=True)
        return 0
    about = machine()
    parts = {part: measure(part, asked.short) for part in asked.parts or PARTS}
    print(markdown(about, parts), end="")
    if asked.write:
        write(about, parts)
    return compare(asked.against, parts, asked.short) if asked.against else 0


if __name__ == "__main__":
    sys.exit(main())
