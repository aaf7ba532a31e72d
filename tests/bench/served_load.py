"""How long pages of `fa serve` wait: `python -m tests.bench.served_load [--seconds N] [--tables N] [--spectators N]`.

A real server, and in this process pages that talk to it as those in browsers do: a person asks what an action does,
sends it, and waits for the position after it, about every two seconds. Printed are the milliseconds from sending to
receiving, for half, 95 % and 99 % of the actions. These are the figures of docs/how-to/serve.md.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Any, NamedTuple

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from fa_cli.games import Seed, find_game
from fa_cli.isolation.discovery import read_bot
from fa_cli.isolation.shipped_bots import shipped_paths
from fa_cli.play.unfinished import Opponent, Unfinished
from fa_cli.printing.text import counted
from fa_cli.serve.saved_table import SavedTable, new_token, save_table
from tests.apart import run_apart
from tests.serve.served import Served, served

GAMES = ("fifth-avenue", "manhattan", "new-york")
BOTS = ("greedy", "random")
"""Who sits at each table beside the person."""
EVERY = 2.0
"""Seconds between the actions of a person."""
PACE_MS = 200
"""The pace of bots: a person is asked again before those seconds are over."""
POSITION = re.compile(r'\{"type":"position","ply":(\d+),')


class Waits(NamedTuple):
    """Seconds, by what was waited for."""

    drafts: list[float]
    """For what an action does."""
    actions: list[float]
    """For the position after an action."""
    others: list[float]
    """Of each spectator, for the same."""
    last: list[float]
    """Of the last spectator."""


NAMES = ("what an action does", "the position after an action", "the same for a spectator", "for the last spectator")
"""What each of the `Waits` is for."""


class Watcher:
    """A spectator's page: it knows when it got each position."""

    def __init__(self) -> None:
        self.seen: dict[int, float] = {}
        """By number of actions so far."""

    async def watch(self, socket: ClientConnection) -> None:
        """Receive all that comes."""
        async for message in socket:
            now = perf_counter()
            found = POSITION.match(message if isinstance(message, str) else message.decode())
            if found:
                self.seen[int(found[1])] = now


class Person:
    """A person's page, which plays random actions."""

    def __init__(self, socket: ClientConnection, choose: random.Random, waits: Waits) -> None:
        self._socket = socket
        self._choose = choose
        self._waits = waits
        self.sent: dict[int, float] = {}
        """By number of actions after it: when an action was sent."""

    async def begin(self) -> dict[str, Any]:
        """Wait for the first question: then the bots have started."""
        while not (asked := await self._next("asked"))["choices"]:
            pass
        return asked

    async def play(self, asked: dict[str, Any], end: float) -> None:
        """Play from a question until the game or the time is over."""
        next_at = perf_counter() + self._choose.uniform(0, EVERY)
        while asked["type"] != "ended" and next_at < end:
            await asyncio.sleep(next_at - perf_counter())
            next_at = perf_counter() + EVERY
            held = await self._decide(asked)
            sent = perf_counter()
            await self._send(type="send", ply=asked["ply"], held=held)
            position = await self._next("position")
            self._waits.actions.append(perf_counter() - sent)
            self.sent[position["ply"]] = sent
            while not (asked := await self._next("asked", "ended")).get("choices", True):
                pass

    async def _decide(self, asked: dict[str, Any]) -> list[str]:
        """Choose actions until they can be sent."""
        held: list[str] = []
        choices = asked["choices"]
        while choices:
            held.append(self._choose.choice(choices["legal"])[0])
            begun = perf_counter()
            await self._send(type="try", ply=asked["ply"], held=held)
            choices = (await self._next("drafted"))["choices"]
            self._waits.drafts.append(perf_counter() - begun)
        return held

    async def _send(self, **message: Any) -> None:
        await self._socket.send(json.dumps(message))

    async def _next(self, *types: str) -> dict[str, Any]:
        while (message := msgspec.json.decode(await self._socket.recv()))["type"] not in types:
            pass
        found: dict[str, Any] = message
        return found


def saved_table(number: int) -> SavedTable:
    """A table of a person and bots before its first decision; saved, because a server opens few a second."""
    game, paths = find_game(GAMES[number % len(GAMES)]), shipped_paths()
    bots = [Opponent(name, str(paths[name]), read_bot(paths[name]).digest) for name in BOTS]
    options = msgspec.structs.asdict(game.make_options({}))
    unfinished = Unfinished(game.name, options, Seed.from_text(f"load {number}"), 0, [Opponent("ann"), *bots])
    return SavedTable(unfinished, {0: new_token()}, new_token(), PACE_MS)


@contextmanager
def serving(tables: Sequence[SavedTable]) -> Iterator[Served]:
    """A server that plays these tables."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        (home / "logs").mkdir()
        for number, table in enumerate(tables, 1):
            save_table(home / f"logs/table-{number}.table", table)
        with served(home, "--sandbox", "auto", fresh=True) as server:
            yield server


async def measure(server: Served, tables: Sequence[SavedTable], spectators: int, seconds: float) -> Waits:
    """Play at all tables; each has so many spectators."""
    waits = Waits([], [], [], [])
    async with AsyncExitStack() as stack, asyncio.TaskGroup() as watching:

        async def page(number: int, token: str) -> ClientConnection:
            address = f"ws://127.0.0.1:{server.port}/table/{number}/socket"
            socket = await stack.enter_async_context(
                connect(address, origin=server.url, max_size=None, compression=None, open_timeout=120)  # type: ignore[arg-type]
            )
            await socket.send(json.dumps({"type": "join", "token": token}))
            return socket

        people, watchers = [], []
        for number, table in enumerate(tables, 1):
            people.append(Person(await page(number, table.tokens[0]), random.Random(number), waits))
            of_table = [Watcher() for _ in range(spectators)]
            for watcher in of_table:
                watching.create_task(watcher.watch(await page(number, table.spectators)))
            watchers.append(of_table)
        asked = await asyncio.gather(*(person.begin() for person in people))
        end = perf_counter() + seconds
        await asyncio.gather(*(person.play(first, end) for person, first in zip(people, asked, strict=True)))
        await asyncio.sleep(1)
        await stack.aclose()
    for person, of_table in zip(people, watchers, strict=True):
        for ply, sent in person.sent.items():
            others = [watcher.seen[ply] - sent for watcher in of_table]
            waits.others.extend(others)
            waits.last.extend([max(others)] if others else [])
    return waits


def line(what: str, waits: Iterable[float]) -> str:
    """The 50th, 95th and 99th percentile in milliseconds."""
    found = list(waits)
    percentiles = quantiles(found, n=100, method="inclusive")
    shown = ", ".join(f"{1000 * percentiles[at - 1]:.0f}" for at in (50, 95, 99))
    return f"{what}: {shown} ms (50, 95, 99 %; {len(found)} times)"


def figures(tables: int, spectators: int, seconds: float) -> Waits:
    """Measure with so many tables, of so many spectators each."""
    saved = [saved_table(number) for number in range(tables)]
    with serving(saved) as server:
        return run_apart(measure(server, saved, spectators, seconds))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.served_load")
    parser.add_argument("--seconds", type=float, default=45, help="games last longer")
    parser.add_argument("--tables", type=int, default=100, help="tables at once, without spectators")
    parser.add_argument("--spectators", type=int, default=200, help="spectators of one table")
    asked = parser.parse_args()
    for tables, spectators in ((asked.tables, 0), (1, asked.spectators)):
        waits = figures(tables, spectators, asked.seconds)
        watched = f" with {spectators} spectators" if spectators else ""
        load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
        print(f"{counted(tables, 'table')}{watched}; {load}")
        for what, found in zip(NAMES, waits, strict=True):
            if found:
                print("  " + line(what, found), flush=True)


if __name__ == "__main__":
    main()
