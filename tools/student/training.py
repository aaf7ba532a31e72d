"""The training for one number of players, in rounds: play games, then learn from those of the last rounds.

The first rounds are games by the shipped heuristics, whose results teach what positions are worth. In Manhattan the
networks then play against themselves, and each position learns from those that follow it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .bot import NAMES, Subject
from .learner import Arrays, Learner
from .self_play import Networks, Samples, deals, play, samples

GAMES = 64  # in a round
KEPT = 20  # rounds to learn from
PASSES = 3  # as many positions are learned in a round as it has, times this
BATCH = 256
TRACE = 0.9
RATE = 0.0015  # of learning at first
SLOWER = 120  # rounds in which it falls to a tenth


class Training:
    """One training; `work` is the folder for what a later start goes on from."""

    def __init__(self, subject: Subject, players: int, rounds: int, seed: int, work: Path) -> None:
        self.subject, self.players, self.rounds, self.seed = subject, players, rounds, seed
        self.work = work / f"{subject.name}-{players}-{seed}"
        self.work.mkdir(parents=True, exist_ok=True)
        self.learners: dict[str, Learner] = {}

    def run(self, output: Path) -> None:
        """Play and learn, and write the networks after each round."""
        for number in range(self.resume(), self.rounds):
            generator = np.random.default_rng([self.seed, self.players, number])
            played, points = self.play(number, generator)
            save(self.work / f"round-{number}.npz", vars(played))
            loss = self.learn(number, len(played.kinds), generator)
            save(output, self.arrays())
            self.checkpoint(number)
            done = f"{self.subject.name}, {self.players} players, round {number + 1} of {self.rounds}"
            print(f"{done}: {points:.1f} points, {loss}", flush=True)

    def networks(self) -> Networks:
        return {kind: learner.network() for kind, learner in self.learners.items()}

    def arrays(self) -> Arrays:
        """Return the networks' arrays as the bot reads them."""
        scaled = {kind: learner.scaled() for kind, learner in self.learners.items()}
        return {f"{kind}.{name}": scaled[kind][name].astype(np.float16) for kind in scaled for name in NAMES}

    def play(self, number: int, generator: np.random.Generator) -> tuple[Samples, float]:
        """Play the games of a round. Returns their positions, and the mean points of a seat."""
        networks = self.networks() if number >= self.subject.taught else None
        subject = self.subject
        games = GAMES * subject.more.get(self.players, 1)
        names = [f"student {self.seed} {number} {game}" for game in range(games)]
        states = deals(subject, self.players, names)
        passed = play(subject, states, networks, generator)
        return samples(subject, states, passed, networks, TRACE), float(np.mean([state.scores() for state in states]))

    def learn(self, number: int, many: int, generator: np.random.Generator) -> str:
        """Learn from games of the last rounds, in a random order. Returns the networks' mean losses."""
        if not self.learners:
            self.start(load_samples(self.work / f"round-{number}.npz"))
        recent = [load_samples(self.work / f"round-{at}.npz") for at in range(max(0, number - KEPT + 1), number + 1)]
        rate = RATE * max(0.1, 1 - 0.9 * number / SLOWER)
        said = []
        for kind, learner in self.learners.items():
            parts = [part.of(kind) for part in recent]
            numbers, targets = (np.concatenate([part[at] for part in parts]) for at in (0, 1))
            order = generator.permutation(len(numbers))[: PASSES * many]
            batches = [order[at : at + BATCH] for at in range(0, len(order), BATCH)]
            losses = [learner.learn(numbers[batch], targets[batch], rate) for batch in batches]
            said.append(f"{kind} {np.mean(losses):.4f}")
        return ", ".join(said)

    def start(self, first: Samples) -> None:
        """Make networks that know nothing yet; numbers are scaled by their spread in these positions."""
        spread = first.numbers.astype(np.float32).reshape(-1, self.subject.size).std(0)
        scale = (1 / np.maximum(spread, 0.3)).astype(np.float32)
        generator = np.random.default_rng([self.seed, self.players])
        self.learners = {kind: Learner(self.players, scale, generator) for kind in self.subject.kinds}

    def checkpoint(self, number: int) -> None:
        """Keep what the next round needs."""
        kept: Arrays = {"next": np.array(number + 1)}
        for kind, learner in self.learners.items():
            kept |= {f"{kind}/{name}": array for name, array in learner.saved().items()}
        save(self.work / "checkpoint.npz", kept)
        if number > KEPT:  # the first is what numbers are scaled by
            (self.work / f"round-{number - KEPT}.npz").unlink(missing_ok=True)

    def resume(self) -> int:
        """Return the first round to play, with the networks as they were before it."""
        if not (self.work / "checkpoint.npz").exists():
            return 0
        with np.load(self.work / "checkpoint.npz") as kept:
            self.start(load_samples(self.work / "round-0.npz"))
            for kind, learner in self.learners.items():
                learner.restore({name.split("/")[1]: kept[name] for name in kept if name.startswith(f"{kind}/")})
            return int(kept["next"])


def save(path: Path, arrays: dict[str, Any]) -> None:
    """Write a file whole: it is there only when it is finished."""
    half = path.with_suffix(".half")
    with half.open("wb") as file:
        np.savez(file, **arrays)
    half.replace(path)


def load_samples(path: Path) -> Samples:
    with np.load(path) as arrays:
        return Samples(arrays["numbers"], arrays["kinds"], arrays["targets"])
