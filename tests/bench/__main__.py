"""All benchmarks: `python -m tests.bench`. Prints a table; `--write` keeps it, `--against FILE` compares with one kept.

Each part runs in a process of its own, so that none starts with what another left. With `--against` the status is 1
if a ratio is less than half as good as the one kept, when measured a second time too.
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
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from fa_cli.games import is_compiled

from .figures import Figure

PARTS = ("engine", "referee", "replay", "start", "growth", "ratings")
ROOT = Path(__file__).parent.parent.parent
KEPT = Path(__file__).parent / "bench.json"
PAGE = ROOT / "docs" / "bench.md"
SAID = re.compile(r"(.+?) {2,}([\d.]+) (us a game|ms) +([\d.]+) x")


def machine() -> dict[str, str]:
    """What the figures were measured on."""
    cpu = "unknown"
    if Path("/proc/cpuinfo").exists():
        found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
        cpu = found[1] if found else cpu
    packages = {}
    for name in ("typer", "msgspec", "trueskill"):
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
    return about | packages


def figures_of(part: str, short: bool) -> Iterator[Figure]:
    """The part's figures, measured here."""
    if part != "ratings":
        yield from importlib.import_module(f"tests.bench.bench_{part}").figures(short)
        return
    command = [sys.executable, str(Path(__file__).parent / "bench_ratings.py"), *(["--logs", "50"] if short else [])]
    for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines():
        if found := SAID.fullmatch(line.strip()):
            name, value, unit, ratio = found.groups()
            to = "python -c pass" if unit == "ms" else "trueskill alone"
            yield Figure(name, float(value), unit.replace(" a ", "/"), float(ratio), to, True)


def measure(part: str, short: bool) -> list[Figure]:
    """The part's figures, measured in a process of its own."""
    command = [sys.executable, "-m", "tests.bench", "--part", part, *(["--short"] if short else [])]
    begin = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    if done.returncode:
        sys.exit(f"the benchmark {part} failed")
    print(f"{part}: {time.perf_counter() - begin:.0f} s", file=sys.stderr, flush=True)
    return [Figure(**json.loads(line)) for line in done.stdout.splitlines()]


def markdown(about: dict[str, str], parts: dict[str, list[Figure]]) -> str:
    """The page."""
    lines = ["# Benchmarks", "", "Written by `make bench`; [performance.md](performance.md) explains it. What counts"]
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


def halved(kept: dict[str, Any], parts: dict[str, list[Figure]]) -> dict[str, list[str]]:
    """By part: sentences on the ratios that are less than half as good as those kept."""
    found: dict[str, list[str]] = {}
    for part, figures in parts.items():
        before = {one["name"]: Figure(**one) for one in kept["parts"].get(part, [])}
        for one in figures:
            if one.name in before and one.is_halved(before[one.name]):
                was = before[one.name].ratio
                found.setdefault(part, []).append(f"{one.name}: {one.ratio:.3g} to {one.to}, and it was {was:.3g}")
    return found


def compare(path: Path, parts: dict[str, list[Figure]], short: bool) -> int:
    """Tell what got worse; the exit status."""
    kept = json.loads(path.read_text())
    suspect = halved(kept, parts)
    if not suspect:
        return 0
    confirmed = halved(kept, {part: measure(part, short) for part in suspect})
    names = {text.split(":")[0] for texts in suspect.values() for text in texts}
    bad = [text for texts in confirmed.values() for text in texts if text.split(":")[0] in names]
    for text in bad:
        print(f"less than half as good as before: {text}", file=sys.stderr)
    return 1 if bad else 0


def main() -> int:
    """Parse, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], help="which; all when nothing is said")
    parser.add_argument("--part", choices=PARTS, help="measure one here, and print a line of JSON for each figure")
    parser.add_argument("--short", action="store_true", help="a minute instead of five")
    parser.add_argument("--write", action="store_true", help=f"keep them in {KEPT.name} and docs/{PAGE.name}")
    parser.add_argument("--against", type=Path, metavar="FILE")
    asked = parser.parse_args()
    if asked.part:
        for one in figures_of(asked.part, asked.short):
            print(json.dumps(one._asdict()), flush=True)
        return 0
    about = machine()
    parts = {part: measure(part, asked.short) for part in asked.parts or PARTS}
    page = markdown(about, parts)
    print(page, end="")
    if asked.write:
        kept = {
            "machine": about,
            "parts": {part: [one._asdict() for one in figures] for part, figures in parts.items()},
        }
        KEPT.write_text(json.dumps(kept, indent=1) + "\n")
        PAGE.write_text(page)
    return compare(asked.against, parts, asked.short) if asked.against else 0


if __name__ == "__main__":
    sys.exit(main())
