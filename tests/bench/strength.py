"""How strong the searcher is: `python -m tests.bench.strength`. Prints the tables of docs/notes/bots-strength.md.

It meets every other bot that ships in duplicate tournaments of two, in each game and on both sides of Fifth Avenue's
board; and with more and more iterations the one that is strongest without searching. `--games` is how many games a pair
plays in each setting. The tournaments stay in `--home`; what was stopped goes on when it is run again.

`--tables DEALS` instead plays tables.py's tables, where they have not been played yet: the planner against greedy bots,
the student against searchers, planners and itself. It writes them into the page; 0 only writes them.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, groupby, pairwise
from math import ceil
from pathlib import Path
from typing import Any

from fa_cli.games import find_game

from .pages import write
from .tables import Table, interval, known
from .tables import play as play_table

ROOT = Path(__file__).parent.parent.parent
BOTS = ROOT / "bots"
FIELD = ("planner", "greedy.py", "builder.awk", "shopkeeper.js", "miser", "stopper.pl", "random")
GAMES = {"fifth-avenue": 2, "manhattan": 1, "new-york": 1}
"""And in how many settings a tournament plays each."""
BUDGETS = (2, 8, 32, 128)
PAGE = ROOT / "docs/notes/bots-strength.md"
RESULTS = Path(__file__).with_name("tables.jsonl")
"""The results of the tables, which stay in the repository: playing all of them takes a night."""
BOARDS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    ("fifth-avenue", (("side", "five"),)),
    ("fifth-avenue", (("side", "six"),)),
    ("manhattan", ()),
    ("new-york", ()),
    ("new-york", (("actions", "on"),)),
    ("new-york", (("chain", "line"),)),
)
PLANNER = [
    Table(name, players, "planner", "greedy", options)
    for name, options in BOARDS
    for players in find_game(name).players
]
OF_TWO = [Table(name, 2, "student", "searcher", options) for name, options in BOARDS]
OF_MORE = [
    Table(name, players, "student", second, options)
    for second in ("searcher", "planner")
    for name, options in BOARDS
    for players in find_game(name).players[1:]
]
WITHOUT_SEARCH = [Table("manhattan", players, "student:0", "searcher") for players in (3, 4)]
ITERATIONS = (32, 128, 512)
RISE = [
    Table(name, 2, f"student:{more}", f"student:{less}", options)
    for less, more in pairwise(ITERATIONS)
    for name, options in BOARDS
]
"""The student against itself with a quarter of the iterations; the boards of a game share its deals."""


def fa(home: Path, *arguments: str) -> str:
    """What `fa` prints with these arguments."""
    command = [sys.executable, "-m", "fa_cli", "--home", str(home), *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def play(home: Path, name: str, bots: Sequence[str | Path], games: int, *options: str) -> None:
    """A gauntlet of the first bot, or what is left of it."""
    if (home / "tournaments" / f"{name}.json").exists():
        fa(home, "tournament", "resume", name)
        return
    more = ("--schedule", "gauntlet", "--games", str(games), "--name", name, "--seed", "strength", "--move-time", "10s")
    fa(home, "tournament", "run", *map(str, bots), "--players", "2", *more, *options)


def compared(home: Path, name: str, first: str, second: str) -> list[dict[str, Any]]:
    """By setting: how the first did against the second."""
    rows = json.loads(fa(home, "compare", first, second, name, "--by", "variant", "--format", "json"))
    return [row for row in rows if len(rows) == 1 or row["part"] != "all"]


def with_iterations(folder: Path, count: int) -> Path:
    """The searcher with so many iterations per decision, as a bot of its own."""
    bot = folder / f"searcher-{count}"
    shutil.copytree(BOTS / "searcher", bot, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    (bot / "bot.toml").write_text(f'command = "python searcher.py --iterations {count}"\n')
    return bot


def header(second: str, ahead: str = "ahead") -> None:
    """The head of a table."""
    print(f"\n| game | {second} | games | {ahead} | 95% | points |\n| --- | --- | --- | --- | --- | --- |")


def line(game: str, row: dict[str, Any]) -> str:
    """A row of a table: shares of games in which it ranks ahead, and how sure that is."""
    low, high = row["ahead_interval"]
    share = f"{row['ahead']:.0%} | {low:.0%}-{high:.0%} | {row['points_difference']:+.1f}"
    setting = game if row["part"] == "all" else row["part"].removesuffix(" players=2")
    return f"| {setting} | {row['second']} | {row['games']} | {share} |"


def title(table: Table) -> str:
    """Return a table's game and its options."""
    return ", ".join([find_game(table.game).title, *(f"{name} {value}" for name, value in table.options)])


def percent(shares: Sequence[float]) -> str:
    """Return two cells: the mean of these shares and its 95% interval."""
    share, low, high = interval(shares)
    return f"{share:.0%} | {low:.0%} to {high:.0%}"


def wins(tables: Sequence[Table]) -> Iterator[str]:
    """Yield the lines of the table of the games that the first bots of these tables have won."""
    results = known(RESULTS)
    yield "| game | players | against | deals | wins | 95% | an equal |"
    yield "|" + " --- |" * 7
    for table in tables:
        if table.title() in results:
            shares = results[table.title()].shares
            against = f"{table.second}{', without a search' * table.first.endswith(':0')}"
            of_games = f"{len(shares)} | {percent(shares)} | {1 / table.players:.0%}"
            yield f"| {title(table)} | {table.players} | {against} | {of_games} |"


def rise() -> Iterator[str]:
    """Yield the lines of the table of the student against itself, the boards of a game together."""
    results = known(RESULTS)
    yield "| game | iterations | against | deals | wins | 95% |"
    yield "|" + " --- |" * 6
    for (game, more, less), tables in groupby(RISE, lambda table: (table.game, table.first, table.second)):
        played = [results[table.title()].shares for table in tables if table.title() in results]
        if shares := list(chain.from_iterable(played)):
            yield f"| {find_game(game).title} | {more[8:]} | {less[8:]} | {len(shares)} | {percent(shares)} |"


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=24)
    parser.add_argument("--home", type=Path, default=Path("strength"))
    parser.add_argument("--game", choices=GAMES, action="append", help="only this one; may be repeated")
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--tables", type=int, metavar="DEALS", help="only the tables, so many deals each, two or more")
    asked = parser.parse_args()
    if asked.tables is not None:
        student = (*OF_TWO, *OF_MORE, *WITHOUT_SEARCH)
        boards = Counter(name for name, _ in BOARDS)
        for table in (*PLANNER, *student, *RISE) if asked.tables else ():
            if table.game in (asked.game or GAMES):
                deals = ceil(asked.tables / boards[table.game]) if table in RISE else asked.tables
                play_table(table, deals, RESULTS, int(asked.jobs))
        for name, lines in (("planner", wins(PLANNER)), ("student", wins(student)), ("rise", rise())):
            write(PAGE, "table", name, "\n".join(["", *lines, "", ""]))
        return
    home, jobs = asked.home.absolute(), ("--jobs", asked.jobs)
    field = [BOTS / name for name in FIELD]
    header("against")
    for game in asked.game or GAMES:
        games = asked.games * GAMES[game]
        play(home, game, [BOTS / "searcher", *field], games * len(field), "--game", game, *jobs)
        for other in field:
            for row in compared(home, game, "searcher", other.name.split(".")[0]):
                print(line(game, row), flush=True)
    header("iterations", "ahead of the planner")
    for game in asked.game or GAMES:
        for count in BUDGETS:
            name = f"{game}-{count}"
            bots = [with_iterations(home / "bots", count), BOTS / "planner"]
            play(home, name, bots, asked.games * GAMES[game], "--game", game, *jobs)
            for row in compared(home, name, f"searcher-{count}", "planner"):
                print(line(game, {**row, "second": count}), flush=True)


if __name__ == "__main__":
    main()
