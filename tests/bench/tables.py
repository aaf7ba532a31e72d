"""Games at tables of two and more, in process, for tests/bench/strength.py: one bot against copies of another.

Every deal is played with the bot in each seat. Searches are counted in iterations, never timed, so the same deals give
the same results on every machine, however busy it is.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from math import inf, sqrt
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from fa_cli.game_result import rank_seats
from fa_cli.games import Seed, find_game, search
from fa_cli.games.dice import Dice

from ..games.policies import board_of, chooser

BOTS = Path(__file__).parents[2] / "bots"
Choose = Callable[[Any, Dice], int]
"""The action for the actor of a state."""


class Table(NamedTuple):
    """One bot against copies of another. Bots are named `planner`, `searcher` or `student`; `student:32` searches."""

    game: str
    players: int
    first: str
    second: str
    options: tuple[tuple[str, str], ...] = ()

    def title(self) -> str:
        """Return a name for files."""
        words = [self.game, str(self.players), *(value for _, value in self.options), self.first, self.second]
        return "-".join(words).replace(":", "-")


def bot(name: str, table: Table) -> Choose:
    """Return the bot of this name, with the iterations behind the colon; without any, with its own number of them."""
    game, (kind, _, iterations) = find_game(table.game), name.partition(":")
    if kind in ("searcher", "student"):
        searcher = search.Searcher(int(iterations) if iterations else None, None, policy_of(kind))
        return lambda state, dice: searcher.choose(
            game, game.resample_from_infostate(state, state.actor, dice), dice, inf
        )
    choose, start = chooser(kind), {"game": game.name, **board_of(game, game.make_options(dict(table.options)))}

    def by_observation(state: Any, dice: Dice) -> int:
        legal = [game.actions[action] for action in state.legal()]
        seen = msgspec.to_builtins(game.observe(state, state.actor))
        return game.action_number(choose({"observation": seen, "legal": legal}, start))

    return by_observation


def policy_of(kind: str) -> Callable[[str, int], search.Policy]:
    """Return where a bot that searches has its policies from."""
    if kind == "searcher":
        return search.policy_of
    if str(BOTS / "student") not in sys.path:
        sys.path.insert(0, str(BOTS / "student"))
    found: Callable[[str, int], search.Policy] = importlib.import_module("student").policy_of
    return found


def play_deal(table: Table, deal: int) -> list[float]:
    """Play a deal with the first bot in each seat. Returns the share of each win; a place shared by n counts 1/n."""
    game = find_game(table.game)
    first, second = bot(table.first, table), bot(table.second, table)
    won = []
    for seat in range(table.players):
        state: Any = game.start(
            game.make_options(dict(table.options)), table.players, Seed.from_text(f"{table.game} strength {deal}")
        )
        dice = [Dice(f"{deal} {at}") for at in range(table.players)]
        while not state.is_over():
            legal, actor = state.legal(), state.actor
            choose = first if actor == seat else second
            state.apply(legal[0] if len(legal) == 1 else choose(state, dice[actor]))
        ranks = rank_seats(state.standing())
        won.append((ranks[seat] == 1) / ranks.count(1))
    return won


def play(table: Table, deals: int, home: Path, jobs: int) -> list[float]:
    """Return by deal the share of games that the first bot wins. What a folder has of an earlier run is kept."""
    home.mkdir(parents=True, exist_ok=True)
    path = home / f"{table.title()}.jsonl"
    known = dict(json.loads(line) for line in path.read_text().splitlines()) if path.exists() else {}
    missing = [deal for deal in range(deals) if deal not in known]
    with path.open("a") as file, ProcessPoolExecutor(jobs) as pool:
        for deal, won in zip(missing, pool.map(play_deal, [table] * len(missing), missing), strict=True):
            known[deal] = sum(won) / len(won)
            file.write(json.dumps([deal, known[deal]]) + "\n")
            file.flush()
    return [known[deal] for deal in range(deals)]


def interval(shares: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean and its 95% interval; deals are independent, the games of a deal are not."""
    many, mean = len(shares), sum(shares) / len(shares)
    spread = sqrt(sum((share - mean) ** 2 for share in shares) / (many - 1) / many)
    return mean, mean - 1.96 * spread, mean + 1.96 * spread
