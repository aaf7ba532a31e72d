"""The same of fastchess, where it is installed: chess between engines in C that move at random, two games at once."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from .end_to_end import Played, compared, in_turns, rates, watch
from .figures import Figure

SOURCE = Path(__file__).with_name("random_chess.c")
ROUNDS = 450
"""Of two games each: some 300,000 moves."""
_TAG = re.compile(r'^\[(PlyCount|Termination) "(.*)"\]$', re.MULTILINE)


def build(folder: Path) -> Path:
    """The engine, compiled in this folder."""
    engine = folder / "random_chess"
    subprocess.run(["cc", "-O2", "-o", engine, SOURCE], check=True)
    return engine


def command(engine: Path, rounds: int) -> list[str | Path]:
    """A match of two copies, each game's processes on one core."""
    engines = [word for seed in "12" for word in ("-engine", f"cmd={engine}", f"args={seed}", f"name=random{seed}")]
    games = ["-each", "st=10", "-rounds", str(rounds), "-games", "2", "-concurrency", "2", "-use-affinity"]
    return ["fastchess", *engines, *games, "-pgnout", "file=games.pgn"]


def plies(pgn: str) -> int:
    """Moves in the games of a PGN; each must have ended by the rules."""
    tags = _TAG.findall(pgn)
    assert {text for name, text in tags if name == "Termination"} == {"normal"}, tags
    return sum(int(text) for name, text in tags if name == "PlyCount")


def play(engine: Path, rounds: int) -> Played:
    """Play a match in a folder of its own."""
    with tempfile.TemporaryDirectory() as name:
        pgn = Path(name, "games.pgn")
        ended = watch(command(engine, rounds), Path(name), pgn)
        return rates(ended, plies(pgn.read_text()))


def figures(rounds: int) -> Iterator[Figure]:
    """None where fastchess is not installed."""
    if not shutil.which("fastchess"):
        print("fastchess is not installed: it is not measured", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as folder:
        taken = in_turns(partial(play, build(Path(folder)), ROUNDS), rounds)
    yield from compared("chess by fastchess, two engines in C", taken, None, None)
