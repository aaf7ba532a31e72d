"""Random games without bots, for tests and statistics: each decision is uniform among the legal actions."""

from __future__ import annotations

import hashlib
import random
import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from ..game_result import GameResult, rank_seats
from ..games import find_game
from ..games.game import Game
from ..games.seed import Seed
from ..replay.action_coding import ActionPacker
from ..replay.parallel import map_in_order
from ..replay.record import Record, make_record, seat_names
from ..system import cores

TOURNAMENT = "simulate"
"""The name of the tournament in the records of simulated games."""
PLAYER = "random"

_BATCH = 20  # games that a process gets at once
_MIN_PARALLEL = 100  # fewer games are played in this process


def simulate_game(
    game: Game,
    options: msgspec.Struct,
    players: Sequence[str],
    seed: Seed,
    choices: random.Random,
    meta: dict[str, Any] | None = None,
) -> tuple[Record, bytes]:
    """Play one game with random decisions from `choices`; returns its record and packed actions. Raises BadPlayers."""
    state = game.start(options, len(players), seed)
    packer, random_float, texts = ActionPacker(), choices.random, game.actions
    actions: list[str] = []
    while state.actor >= 0:
        legal = state.legal()
        size = len(legal)
        if size == 1:
            number = legal[0]
        else:
            index = int(random_float() * size)
            packer.add(index, size)
            number = legal[index]
        actions.append(texts[number])
        state.apply(number)
    result = GameResult(state.scores(), rank_seats(state.standing()), state.reason())
    return make_record(game.name, options, players, seed, actions, [], result, meta or {}), packer.bytes()


def choices_of(tournament_seed: Seed, number: int) -> random.Random:
    """The generator of the decisions in a simulated game; independent of its deal."""
    return random.Random(hashlib.sha256(tournament_seed + b"choices" + number.to_bytes(8, "big")).digest())


class Simulation(msgspec.Struct, frozen=True):
    """A series of simulated games; each is determined by this and its number. Made by `make_simulation`."""

    game: str
    options: Mapping[str, Any]
    players: int
    games: int
    seed: str

    def play(self, number: int) -> tuple[Record, bytes]:
        """Play the game with this number, from 0; returns its record and packed actions."""
        game, seed = find_game(self.game), Seed.from_text(self.seed)
        return simulate_game(
            game,
            game.make_options(self.options),
            seat_names([PLAYER] * self.players),
            seed.of_game(number),
            choices_of(seed, number),
            {"tournament": {"name": TOURNAMENT, "seed": seed.hex(), "games": self.games}, "number": number},
        )

    def play_all(self, jobs: int = 0) -> Iterator[tuple[Record, bytes]]:
        """Play all games with `jobs` processes (0: one per core); yields them in the order of their numbers."""
        starts = range(0, self.games, _BATCH)
        jobs = (jobs or cores()) if self.games >= _MIN_PARALLEL else 1
        for played in map_in_order(self._play_some, starts, jobs):
            yield from played

    def _play_some(self, start: int) -> list[tuple[Record, bytes]]:
        return [self.play(number) for number in range(start, min(start + _BATCH, self.games))]


def make_simulation(
    name: str, players: int | None, options: Mapping[str, Any], games: int, seed: str | None
) -> Simulation:
    """A simulation of the game with this name; by default with the most players and a random seed.

    Raises UnknownGame, BadOption or BadPlayers, UsageError for a bad seed.
    """
    game = find_game(name)
    all_options = msgspec.structs.asdict(game.make_options(options))
    count = max(game.players) if players is None else players
    game.check_players(count)
    seed = secrets.token_hex(8) if seed is None else seed
    Seed.from_text(seed)  # or each process would raise its error
    return Simulation(name, all_options, count, games, seed)
