"""Golden playthroughs: a whole seeded game of every variant, told and drawn, with what every seat sees.

`python -m tests.playthroughs.regenerate [GAME ...]` writes the files anew, to be read as a diff; test_playthroughs.py
holds the games to them.
"""

from __future__ import annotations

import importlib
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from fa_cli.games import GAMES
from fa_cli.games.contract import ACTION, JournalEntry, State
from fa_cli.games.game import Game
from fa_cli.games.seed import Seed

FOLDER = Path(__file__).parent
SHOWN = 6
"""How often the table and the seats' views are shown in full, evenly over the game, besides the end."""
SHORTER: Mapping[str, Mapping[str, int]] = {"new-york": {"turn_limit": 12}}
"""By game: options that keep a random game, which would go on for long, short enough to be read."""

BY_KIND = ("fifth-avenue",)
"""Games in which the first word of an action is drawn before the action: else its many businesses end it too soon."""


def variants(game: Game) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every number of players with every combination of the options that have named values."""
    hints = get_type_hints(game.options)
    named = {name: get_args(kind) for name, kind in hints.items() if get_origin(kind) is Literal}
    for players in game.players:
        for values in product(*named.values()):
            yield players, dict(zip(named, values, strict=True)) | dict(SHORTER.get(game.name, {}))


def path_of(game: Game, players: int, options: Mapping[str, Any]) -> Path:
    """`new-york-3-off-group.txt`."""
    values = [str(value) for value in options.values() if isinstance(value, str)]
    return FOLDER / ("-".join([game.name, str(players), *values]) + ".txt")


def playthrough(game: Game, players: int, options: Mapping[str, Any]) -> str:
    """The game's text; its seed and its random choices are fixed by the variant."""
    title = _title(game, players, options)
    decisions = sum(1 for _ in moments(game, players, options))
    lines = [title]
    for number, (state, action, entries) in enumerate(moments(game, players, options)):
        if (action >= 0 and number % (1 + decisions // SHOWN) == 0) or action < 0:
            lines += ["", *_views(game, state), ""]
        if action >= 0:
            legal = state.legal()
            lines.append(
                f"{number}. seat {state.actor}, {legal.index(action) + 1} of {len(legal)}: {game.actions[action]}"
            )
            lines += [f"   {line}" for entry in entries for line in _entry(game, state, entry)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _title(game: Game, players: int, options: Mapping[str, Any]) -> str:
    return f"{game.name}, {players} players, {', '.join(f'{name} {value}' for name, value in options.items())}"


def moments(game: Game, players: int, options: Mapping[str, Any]) -> Iterator[tuple[State, int, list[JournalEntry]]]:
    """Each state with the action taken there and what came of it; the last state with -1."""
    title = _title(game, players, options)
    state = game.start(game.make_options(options), players, Seed.from_text(title))
    choose = random.Random(title)
    while state.actor >= 0:
        before = state.copy()
        state.journal = []
        action = _choose(game, state.legal(), choose)
        state.apply(action)
        yield before, action, state.journal
    yield state, -1, []


def _choose(game: Game, legal: Sequence[int], choose: random.Random) -> int:
    if game.name in BY_KIND:
        kinds = [game.actions[action].split()[0] for action in legal]
        kind = choose.choice(list(dict.fromkeys(kinds)))
        legal = [action for action, its in zip(legal, kinds, strict=True) if its == kind]
    return legal[choose.randrange(len(legal))]


def _views(game: Game, state: State) -> list[str]:
    """The table drawn, the legal actions, the first seat's view whole, of the others' what differs from it."""
    lines = game.render(state, None).split("\n")
    if state.actor >= 0:
        lines.append(f"legal: {', '.join(game.actions[action] for action in state.legal())}")
    else:
        lines.append(f"over: {state.reason()}, scores {state.scores()}, standing {state.standing()}")
    views = [msgspec.to_builtins(game.observe(state, seat)) for seat in range(state.players)]
    for seat, view in enumerate(views):
        shown = {name: value for name, value in view.items() if seat == 0 or value != views[0][name]}
        lines.append(f"seat {seat} sees {msgspec.json.encode(shown).decode()}")
    return lines


def _entry(game: Game, state: State, entry: JournalEntry) -> Iterator[str]:
    """What happened as a sentence; then what seats hear of it who don't hear everything."""
    yield game.narrate(state, entry, [f"Seat {seat}" for seat in range(state.players)])
    if entry[0] == ACTION:
        return
    everything = game.event_of(entry, None)
    for seat in range(state.players):
        heard = game.event_of(entry, seat)
        if heard != everything:
            yield f"  seat {seat} hears {msgspec.json.encode(heard).decode()}"


def main(names: list[str]) -> None:
    """Write the files of these games, or of all."""
    games = [importlib.import_module(f"fa_cli.games.{name.replace('-', '_')}").GAME for name in names] or GAMES
    for game in games:
        for old in FOLDER.glob(f"{game.name}-*.txt"):
            old.unlink()
        for players, options in variants(game):
            path_of(game, players, options).write_text(playthrough(game, players, options), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
