"""Games at tables of two and more, in process, for tests/bench/strength.py: one bot against copies of another.

Every deal is played with the bot in each seat. Searches are counted in iterations, never timed, so the same deals give
the same results, however busy the machine is: tables.jsonl keeps them, and they grow from one run to the next.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from math import inf, sqrt
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from fa_cli.cli.replay.records import student_policies
from fa_cli.game_result import rank_seats
from fa_cli.games import Seed, find_game, search
from fa_cli.games.dice import Dice
from fa_cli.system import write_atomically

from ..games.policies import board_of, chooser

Choose = Callable[[Any, Dice], int]
"""The action for the actor of a state."""


class Table(NamedTuple):
    """One bot against copies of another: `greedy`, `planner`, `searcher` or `student`, with iterations `student:32`."""

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
    return search.policy_of if kind == "searcher" else student_policies()


class Deal(msgspec.Struct):
    """What became of one deal."""

    share: float
    """Of the games, the first bot's wins; a place shared by n counts 1/n."""
    actions: str
    """A digest of what the bots did."""


class Results(msgspec.Struct):
    """The deals of a table that have been played: 0 and on."""

    actions: str = ""
    """What the bots did in deal 0. Once they do otherwise there, the results are those of other bots."""
    shares: list[float] = []


def play_deal(table: Table, deal: int) -> Deal:
    """Play a deal with the first bot in each seat."""
    game = find_game(table.game)
    first, second = bot(table.first, table), bot(table.second, table)
    won, actions = 0.0, hashlib.sha256()
    for seat in range(table.players):
        state: Any = game.start(
            game.make_options(dict(table.options)), table.players, Seed.from_text(f"{table.game} strength {deal}")
        )
        dice = [Dice(f"{deal} {at}") for at in range(table.players)]
        while not state.is_over():
            legal, actor = state.legal(), state.actor
            choose = first if actor == seat else second
            action = legal[0] if len(legal) == 1 else choose(state, dice[actor])
            actions.update(b"%d " % action)
            state.apply(action)
        ranks = rank_seats(state.standing())
        won += (ranks[seat] == 1) / ranks.count(1)
    return Deal(round(won / table.players, 4), actions.hexdigest()[:16])


def known(path: Path) -> dict[str, Results]:
    """Return the results in a file by table."""
    lines = path.read_text().splitlines() if path.exists() else []
    return dict(msgspec.json.decode(line, type=tuple[str, Results]) for line in lines)


def play(table: Table, deals: int, path: Path, jobs: int) -> None:
    """Play what is missing of the first deals, and write each into the file."""
    everything = known(path)
    results = everything.setdefault(table.title(), Results())
    if results.shares and results.actions != play_deal(table, 0).actions:
        raise SystemExit(f"{path}: the bots of {table.title()} have changed: delete its line")
    missing = range(len(results.shares), deals)
    with ProcessPoolExecutor(jobs) as pool:
        for deal in pool.map(play_deal, repeat(table), missing):
            results.actions = results.actions or deal.actions
            results.shares.append(deal.share)
            lines = [msgspec.json.encode(item) + b"\n" for item in everything.items()]
            write_atomically(path, b"".join(lines), replace=True)


def interval(shares: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean and its 95% interval; deals are independent, the games of a deal are not."""
    many, mean = len(shares), sum(shares) / len(shares)
    spread = sqrt(sum((share - mean) ** 2 for share in shares) / (many - 1) / many)
    return mean, mean - 1.96 * spread, mean + 1.96 * spread
