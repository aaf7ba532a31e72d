"""What several threads do at once, as the tables and pages of `fa serve` do."""

from __future__ import annotations

import ast
import random
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from fa_cli.games import GAMES, Seed
from fa_cli.games.game import Game

from .test_imports import ROOT
from .tournament.helpers import definition, setting

FIRST_USE = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from fa_cli.tournament.definition import load

def read(path):
    start.wait()
    return load(path)

sys.setswitchinterval(1e-6)
start = Barrier(4)
with ThreadPoolExecutor(4) as pool:
    assert len(list(pool.map(read, [Path(sys.argv[1])] * 4))) == 4
"""


def test_a_type_that_threads_decode_for_the_first_time(tmp_path: Path) -> None:
    """Without `decoding.built` Python crashes in six of ten attempts."""
    path = tmp_path / "a.json"
    path.write_bytes(msgspec.json.encode(definition([setting(2, 2)], 2), enc_hook=str))
    for _ in range(8):
        subprocess.run([sys.executable, "-c", FIRST_USE, str(path)], check=True, timeout=120)


PLAIN = ("dict[str, object]", "dict[str, Any]", "dict[str, str]", "dict[str, msgspec.Raw]")
"""Types in which msgspec reads no annotations."""
SINGLE = ("fa_cli/kits/templates/llm/bot.py", "fa_cli/cli/tournament/file_keys.py")
"""A bot and a command, which have one thread."""


def begins_with_msgspec(expression: ast.expr) -> bool:
    """Whether it is `msgspec` or something in it."""
    while isinstance(expression, ast.Attribute):
        expression = expression.value
    return isinstance(expression, ast.Name) and expression.id == "msgspec"


def decoded_types() -> Iterator[tuple[str, str]]:
    """Yield where a type is decoded, and which."""
    for path in (ROOT / "fa_cli").rglob("*.py"):
        text = path.read_text()
        for node in ast.walk(ast.parse(text)) if "msgspec." in text else ():
            if isinstance(node, ast.Call) and begins_with_msgspec(node.func):
                by_name = [keyword.value for keyword in node.keywords if keyword.arg == "type"]
                is_convert = ast.unparse(node.func) == "msgspec.convert"
                for kind in node.args[1:2] if is_convert else by_name:
                    yield path.relative_to(ROOT).as_posix(), ast.unparse(kind)


def test_every_type_is_built_before_it_is_decoded() -> None:
    found = {(path, kind) for path, kind in decoded_types() if path not in SINGLE and kind not in PLAIN}
    assert len(found) > 25
    assert {(path, kind) for path, kind in found if not kind.startswith("built(")} == set()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_observations_of_games_at_once(game: Game) -> None:
    def observed(number: int) -> list[bytes]:
        state, dice = game.start(game.make_options({}), 2, Seed.from_text(f"{number}")), random.Random(number)
        seen: list[bytes] = []
        while len(seen) < 100 and not state.is_over():
            seen += [game.observation_json(state, seat) for seat in range(2)]
            state.apply(dice.choice(state.legal()))
        return seen

    expected = [observed(number) for number in range(40)]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(observed, range(40))) == expected
    finally:
        sys.setswitchinterval(before)
