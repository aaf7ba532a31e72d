"""Every bot in bots/ as a real process: whole games without faults, the same again from the same seed."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fa_cli.games import GAMES, find_game
from fa_cli.games.seed import Seed
from fa_cli.isolation.bot_session import BotSession
from fa_cli.isolation.discovery import Bot, find_bots
from fa_cli.match.referee import play
from fa_cli.protocol.messages import Clock
from fa_cli.replay.record import Record
from tests.conftest import thinned

from ..games.fifth_avenue.positions import observe, position
from ..games.fifth_avenue.test_reference import replay_in_both
from ..games.policies import board_of
from .conftest import FOLDER

Shipped = Callable[[str], Bot]
NAMES = sorted(path.name for path in FOLDER.iterdir() if path.name != "__pycache__")
CLOCK = Clock(move_ms=10_000)  # the machine may be busy
AWKS = (("gawk", "-f"), ("mawk", "-W", "interactive", "-f"), ("busybox", "awk", "-f"))


@contextmanager
def at_the_table(*bots: Bot) -> Iterator[list[BotSession]]:
    sessions = [BotSession(bot) for bot in bots]
    try:
        yield sessions
    finally:
        for session in sessions:
            session.close()


def game_of(sessions: Sequence[BotSession], name: str, seed: str, **options: object) -> Record:
    game = find_game(name)
    names = [f"{session.bot.name}#{seat}" for seat, session in enumerate(sessions)]
    return play(game, game.make_options(options), sessions, names, Seed.from_text(seed), CLOCK)[0]


def without_fault(record: Record) -> Record:
    assert record.faults == [], record.meta["fault_details"]
    return record


def test_what_ships() -> None:
    assert NAMES == [
        "builder.awk",
        "greedy.py",
        "miser",
        "planner",
        "random",
        "searcher",
        "shopkeeper.js",
        "stopper.pl",
        "student",
    ]


def test_a_glob_finds_them_all(shipped: Shipped) -> None:
    """What a shell makes of `bots/*`, `__pycache__` and all."""
    bots, notes = find_bots(sorted(FOLDER.iterdir()))
    missing = [note for note in notes if note.endswith("; it is skipped")]
    assert len(bots) + len(missing) == len(NAMES)
    assert [bot.name for bot in bots if bot.name == "random"]


VARIANTS: dict[str, list[tuple[int, dict[str, object]]]] = {
    "fifth-avenue": [(2, {}), (3, {"side": "six"}), (4, {"setup": "rio-grande"})],
    "manhattan": [(2, {}), (3, {}), (4, {})],
    "new-york": [(2, {"actions": "on"}), (3, {}), (5, {"actions": "on", "chain": "line"})],
}
SHORTER: dict[str, dict[str, object]] = {"fifth-avenue": {}, "manhattan": {}, "new-york": {"turn_limit": 20}}


IN_ALL_GAMES = thinned([(game, name) for game in VARIANTS for name in NAMES], 4)
"""Every fourth of these is in every run of the tests, and all of them are among the slow tests."""


def test_variants_are_of_all_games() -> None:
    assert list(VARIANTS) == [game.name for game in GAMES]


@pytest.mark.parametrize(("game", "name"), IN_ALL_GAMES)
def test_plays_whole_games(shipped: Shipped, name: str, game: str) -> None:
    """One process per seat plays game after game, with itself and one that plays anything.

    The last one is the same again with processes that have played no others.
    """
    bot, dice = shipped(name), shipped("random")
    with at_the_table(bot, bot, dice, bot, dice) as sessions:
        for players, options in reversed(VARIANTS[game]):
            record = without_fault(game_of(sessions[:players], game, name, **options))
            assert record.meta["asked"][0] > 0
            if game == "fifth-avenue":  # what bots do, too, the rules of the reference allow
                replay_in_both(record)
    with at_the_table(bot, bot) as sessions:
        assert game_of(sessions, game, name, **options).actions == record.actions


def test_dice_follow_the_bot_seed(shipped: Shipped) -> None:
    """Another seat has another `bot_seed`, and random plays differently there."""
    bot = shipped("random")
    decide = {"type": "decide", "id": 1, "legal": [str(number) for number in range(1000)], "clock": {}}
    answers = [answer_of(bot, {**START, "bot_seed": f"{seed:016x}"}, json.dumps(decide)) for seed in (1, 2, 1)]
    assert answers[0] == answers[2] != answers[1]


@pytest.mark.parametrize("awk", AWKS, ids=[awk[0] for awk in AWKS])
def test_the_builder_under_every_awk(shipped: Shipped, awk: tuple[str, ...]) -> None:
    program = shutil.which(awk[0])
    if program is None:
        pytest.skip(f"{awk[0]} is not on this machine")
    bot = Bot("builder", "builder.awk", (program, *awk[1:], str(FOLDER / "builder.awk")), str(FOLDER))
    with at_the_table(bot, shipped("builder.awk")) as sessions:
        for game in GAMES:
            one = without_fault(game_of(sessions, game.name, "awk", **SHORTER[game.name]))
            other = without_fault(game_of(sessions[::-1], game.name, "awk", **SHORTER[game.name]))
            assert one.actions == other.actions


START = {
    "type": "start",
    "game": "fifth-avenue",
    "options": {"side": "five", "setup": "alea", "turn_limit": 100},
    "players": ["a", "b"],
    "seat": 0,
    "commitment": "00" * 32,
    "bot_seed": "0123456789abcdef",
    "clock": {"move_ms": 1000, "bank_ms": 0},
}


def start_of(name: str, **more: object) -> dict[str, object]:
    """The `start` line of a game with its default options."""
    game = find_game(name)
    return {**START, "game": name, **board_of(game, game.make_options({})), **more}


def answer_of(bot: Bot, start: dict[str, Any], *lines: str) -> list[str]:
    """The actions that a fresh process answers to these `decide` lines; it must then exit by itself."""
    said = ['{"type":"hello","protocol":"fa/1"}', json.dumps(start), *lines]
    ran = subprocess.run(
        bot.command,
        input="\n".join(said) + "\n",
        capture_output=True,
        text=True,
        cwd=bot.folder,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},  # a cache would be a change of a bot that others play
        timeout=60,
        check=True,
    )
    ready, started, *answers = map(json.loads, ran.stdout.splitlines())
    assert ready["type"] == started["type"] == "ready"
    assert ran.stderr == ""
    return [answer["action"] for answer in answers]


def decisions(name: str, seat: int, wanted: int) -> list[dict[str, Any]]:
    """Decisions of one seat, from a game in which everybody plays the action in the middle of the list."""
    game = find_game(name)
    state = game.start(game.make_options({}), 3, hashlib.sha256(b"decisions").digest())
    found: list[dict[str, Any]] = []
    while not state.is_over() and len(found) < wanted:
        legal = state.legal()
        if state.actor == seat and len(legal) > 1:
            seen = msgspec.to_builtins(game.observe(state, seat))
            legal_texts = [game.actions[number] for number in legal]
            found.append({"type": "decide", "id": len(found), "legal": legal_texts, "observation": seen, "clock": {}})
        state.apply(legal[len(legal) // 2])
    return found


@pytest.mark.parametrize(("game", "name"), IN_ALL_GAMES)
def test_reads_any_json_and_passes_over_what_it_does_not_know(shipped: Shipped, name: str, game: str) -> None:
    """Spaces between everything, unknown fields of every kind in front, and input that ends without `quit`."""
    bot, start = shipped(name), start_of(game, players=["a", "b", "c"], seat=1)
    plain = decisions(game, 1, 25)
    strange = {"new": [{"legal": ["a"], "type": "quit", "id": 7}, [], {}, [[]], -1.5e3, True, None, ""], "type": 0}
    more = [{"later": strange, **decide, "observation": {"more": strange, **decide["observation"]}} for decide in plain]
    compact = [json.dumps(decide, separators=(",", ":")) for decide in plain]
    spaced = [json.dumps(decide, separators=(" , ", " : ")) for decide in more]
    answers = answer_of(bot, start, *compact)
    assert all(answer in decide["legal"] for answer, decide in zip(answers, plain, strict=True))
    assert answer_of(bot, start, *spaced) == answers


def business_beside_green() -> dict[str, Any]:
    """A decision between two plots of 34W, where seat 0 has skyscrapers on green."""
    seen = msgspec.to_builtins(observe(position(2, side="six", board={"34W": {"green": "#0 x5"}}), 0))
    legal = ["business gallery 34W.brown", "business gallery 34W.dashed"]
    return {"type": "decide", "id": 1, "clock": {}, "legal": legal, "observation": seen}


@pytest.mark.parametrize("name", ["builder.awk", "greedy.py", "miser", "planner", "shopkeeper.js", "stopper.pl"])
def test_fa_2_bots_take_the_rings_from_the_start_line(shipped: Shipped, name: str) -> None:
    """They place a business beside their own skyscrapers, on green: which plot that is, only `start` tells."""
    decide = business_beside_green()
    for ring, beside in (
        (["orange", "green", "dashed", "gray", "brown", "violet"], "dashed"),
        (["orange", "brown", "green", "gray", "violet", "dashed"], "brown"),
    ):
        rings = dict.fromkeys(decide["observation"]["board"], ring)
        start = start_of("fifth-avenue", options={"side": "six"}, board={"rings": rings})
        assert answer_of(shipped(name), start, json.dumps(decide)) == [f"business gallery 34W.{beside}"]


def test_no_bot_takes_the_place_of_a_module() -> None:
    """A bots/random.py would be what `import random` gives the Python bots beside it."""
    for path in FOLDER.rglob("*.py"):
        assert path.stem not in sys.stdlib_module_names, path


def test_the_awk_bot_is_started_by_its_ending() -> None:
    """Were it executable with a first line of its own, mawk would wait for input that does not come."""
    path = FOLDER / "builder.awk"
    assert not path.stat().st_mode & 0o111
    assert not path.read_bytes().startswith(b"#!")


def test_folders_hold_what_a_clone_holds() -> None:
    """Builds happen elsewhere: nothing but sources, and what a bot has learned, in bots/."""
    kept = {".py", ".js", ".c", ".awk", ".pl", ".toml", ".npz"}
    files = [path for path in FOLDER.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert {path.suffix for path in files} <= kept, [str(path) for path in files if Path(path).suffix not in kept]


def mangled(line: str, dice: random.Random) -> str:
    """The line with some of its characters changed, cut out or put in."""
    marks = '{}[]",:019a- \\'
    for _ in range(dice.randint(1, 10)):
        at = dice.randrange(len(line))
        cut = at + dice.choice((0, 1, 1, 30))
        line = line[:at] + "".join(dice.choices(marks, k=dice.randint(0, 3))) + line[cut:]
    return line


def test_the_c_bot_reads_no_byte_that_is_not_there(tmp_path: Path) -> None:
    """Cut and mangled lines under the sanitizers of the compiler; answers need not make sense, but the bot goes on."""
    compiler, program = shutil.which("cc"), tmp_path / "miser"
    if compiler is None:
        pytest.skip("cc is not on this machine")
    flags = ["-g", "-O1", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    source = FOLDER / "miser" / "miser.c"
    built = subprocess.run([compiler, *flags, "-o", program, source], capture_output=True, text=True, check=False)
    if "cannot find -lasan" in built.stderr or "cannot find -lubsan" in built.stderr:
        pytest.skip("the compiler's sanitizers are not on this machine")
    assert built.returncode == 0, built.stderr
    dice = random.Random(7)
    lines = []
    for game in GAMES:
        lines += [mangled(json.dumps(start_of(game.name)), dice) for _ in range(8)]
        lines.append(json.dumps(start_of(game.name)))
        for decide in decisions(game.name, 1, 15):
            lines += [mangled(json.dumps(decide), dice) for _ in range(8)]
    for size in range(4):  # plots in a ring that is too short
        board = {"rings": {"34W": ["green", "brown", "gray"][:size]}}
        lines += [json.dumps(start_of("fifth-avenue", board=board)), json.dumps(business_beside_green())]
    text = "\n".join(lines) + "\n"
    ran = subprocess.run([program], input=text, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == ""
    assert ran.stdout.count("\n") > len(lines) / 2
