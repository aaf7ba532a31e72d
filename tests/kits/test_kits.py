"""Every kit is a bot that passes all checks, and all of them play the very same games.

Most are built for seconds: `make test` tries the quick ones, `make test-slow` the others.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from fa_cli.cli.games.whole_schema import whole_schema
from fa_cli.games import find_game
from fa_cli.games.new_york import GAME as NEW_YORK
from fa_cli.games.seed import Seed
from fa_cli.isolation.bot_session import BotSession
from fa_cli.isolation.discovery import Bot, read_bot
from fa_cli.isolation.limits import Limits, Sandbox
from fa_cli.isolation.sandbox.bubblewrap import choose
from fa_cli.kits.kit import write_kit
from fa_cli.kits.languages import LANGUAGES
from fa_cli.match.check.compliance import check_bot
from fa_cli.match.player import RandomPlayer
from fa_cli.match.referee import play
from fa_cli.protocol.messages import Clock
from fa_cli.replay.record import Record
from tests.conftest import further
from tests.games.new_york.positions import SAFE_HAND, legal, position
from tests.games.new_york.positions import play as play_all

SCHEMA = whole_schema()
CLOCK = Clock(20000)
Settings = tuple[str, dict[str, str], int]
# Every phase and option in which the rules of a kit differ: a game, its options, its players.
PLAYED: list[Settings] = [
    ("fifth-avenue", {"side": "six"}, 2),
    ("fifth-avenue", {}, 4),
    ("manhattan", {}, 2),
    ("manhattan", {"blocks": "six"}, 3),
    ("new-york", {"actions": "on"}, 2),
    ("new-york", {"actions": "on", "chain": "line"}, 5),
]
QUICK = ("python", "c")
TRIED = [*QUICK, *further(*(lang for lang in LANGUAGES if lang not in QUICK))]


@pytest.fixture(scope="module")
def limits() -> Limits:
    """Half the allowance outside decisions: compilers and garbage collectors of honest runtimes stay far below it."""
    return Limits(start=60, idle_cpu=Limits().idle_cpu / 2, sandbox=choose(Sandbox.AUTO, lambda _: None))


@pytest.fixture(scope="module", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Each kit is built once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


def made(lang: str, folder: Path, limits: Limits) -> Bot:
    """The built kit of a language; the test is skipped if a tool is missing, except in CI."""
    language = LANGUAGES[lang]
    if language.missing() and "CI" not in os.environ:
        pytest.skip(f"{' and '.join(language.missing())} not found: the kit for {language.title} is not tried")
    write_kit(folder / lang, lang, language, SCHEMA)
    return read_bot(folder / lang, sandboxed=limits.sandbox)


def games_of(bot: Bot, limits: Limits, played: Sequence[Settings] = PLAYED) -> list[Record]:
    """The bot's actions against random players, in the first seat: one game of each setting."""
    session, records = BotSession(bot, limits), []
    for name, options, players in played:
        game = find_game(name)
        sessions = [session, *(RandomPlayer() for _ in range(players - 1))]
        names = [f"seat {seat}" for seat in range(players)]
        records.append(play(game, game.make_options(options), sessions, names, Seed(b"\1" * 32), CLOCK)[0])
    session.close()
    return records


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory, limits: Limits) -> list[Record]:
    """The games of the Python bot."""
    return games_of(made("python", tmp_path_factory.mktemp("reference"), limits), limits)


@pytest.fixture(scope="module", params=TRIED)
def kit(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, limits: Limits) -> Bot:
    """The built kit of each language. As a fixture of the module, so that its tests follow each other in one worker."""
    return made(request.param, tmp_path_factory.mktemp("kit"), limits)


def test_a_kit_passes_all_checks_and_plays_as_the_others_do(kit: Bot, limits: Limits, reference: list[Record]) -> None:
    assert [check for check in check_bot(kit, limits, CLOCK, games_each=1) if not check.passed] == []
    for record, expected in zip(games_of(kit, limits), reference, strict=True):
        assert record.faults == []
        assert record.actions == expected.actions


def test_a_kit_is_better_than_dice(reference: list[Record]) -> None:
    """A random player would win five of these six games once in forty times."""
    assert [record.result.ranks[0] for record in reference].count(1) >= len(PLAYED) - 1


def test_the_games_show_all_that_the_rules_tell_apart(reference: list[Record]) -> None:
    """Otherwise the comparison of languages could not detect a difference."""
    words = {action.split()[0] for record in reference for action in record.actions}
    assert words >= {"place", "score", "skyscrapers", "business", "draw", "move", "bid", "done", "pass", "build"}
    assert words >= {"select", "use", "play", "remove", "developer", "statics"}
    new_york = {action.split()[0] for record in reference if record.game == "new-york" for action in record.actions}
    assert new_york >= {"renovation", "ruin", "pass"}


ODD = {
    "odd": ['\u00e9\u4e16\U0001f600 "\\/\b\f\n\r\t\x01', -1.5e-3, 1e20, True, False, None, {}, [], {"": [[{}]]}],
    "type_": {"type": "quit", "id": 1},
}


def answers(kit: Bot, lines: Sequence[str]) -> list[dict[str, object]]:
    """What the kit answers to these lines; it must write nothing to stderr."""
    asked = "\n".join([*lines, ""]).encode()
    done = subprocess.run(kit.command, input=asked, cwd=kit.folder, capture_output=True, timeout=60, check=True)
    assert done.stderr == b""
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_any_json_is_read(kit: Bot) -> None:
    """Texts with escapes, all kinds of numbers, empty values; an unknown game is played at random."""
    start = {"game": "a-later-game", "options": {}, "players": ["a"], "seat": 0, "bot_seed": "00000000deadbeef"}
    legal = [f"do {number}" for number in range(1000)]
    asked = [
        {"type": "hello", "protocol": "fa/1"},
        {"type": "start", **start, "commitment": "", "clock": {}},
        {"type": "decide", "id": 7, "clock": {}, "observation": {"seat": 0}, "legal": legal, "events": []},
        {"type": "later"},
        {"type": "quit"},
    ]
    for ascii_only in (False, True):  # as they are, and as escapes
        lines = [json.dumps(each | ODD, separators=(",", ":"), ensure_ascii=ascii_only) for each in asked]
        ready, again, answer = answers(kit, lines)
        assert ready["type"] == again["type"] == "ready"
        rolled = (0xEADBEEF * 1103515245 + 12345) % 2**31 >> 16
        assert answer == {"id": 7, "action": f"do {rolled % 1000}"}


def test_the_loneliest_stone_is_given_up(kit: Bot) -> None:
    red = "a1s1 a1s2 a1s3 a2s1 a2s2 a2s3 a3s1 a3s2 a5s5"
    state = position(board={"red": red}, hands=["", f"speculation red, {SAFE_HAND}"], turn=1, actions="on")
    play_all(state, "speculation red red")
    start = {"game": "new-york", "options": {}, "players": ["a", "b", "c"], "seat": 0, "bot_seed": "00000000deadbeef"}
    decide = {"id": 1, "clock": {}, "observation": msgspec.to_builtins(NEW_YORK.observe(state, 0)), "events": []}
    asked = [
        {"type": "hello", "protocol": "fa/1"},
        {"type": "start", **start, "commitment": "", "clock": {}},
        {"type": "decide", **decide, "legal": legal(state)},
        {"type": "quit"},
    ]
    answer = answers(kit, [json.dumps(each, separators=(",", ":")) for each in asked])[-1]
    assert answer == {"id": 1, "action": "remove a5s5"}


PAGE = (Path(__file__).parents[2] / "docs/how-to/write-a-bot.md").read_text(encoding="utf-8")


def test_the_page_names_every_language() -> None:
    assert re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE) == list(LANGUAGES)


def test_the_rule_on_the_page_fits_into_the_kit(tmp_path: Path, limits: Limits, reference: list[Record]) -> None:
    bot = made("python", tmp_path, limits)
    (rule,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    place = '        case ["skyscrapers"]:'
    file = tmp_path / "python" / "bot.py"
    before = file.read_text()
    assert before.count(place) == 1
    file.write_text(before.replace(place, textwrap.indent(rule, " " * 8) + place))
    changed = games_of(bot, limits, PLAYED[:2])
    assert [record.faults for record in changed] == [[], []]
    assert [record.actions for record in changed] != [record.actions for record in reference[:2]]
