"""The loop of Python bots, as real processes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

from fa_cli import fast_reader
from fa_cli.games.seed import Seed
from fa_cli.isolation.bot_session import BotSession
from fa_cli.isolation.discovery import read_bot
from fa_cli.match.referee import play
from fa_cli.protocol.messages import Clock

from .fakes import fake_bot
from .toy_game import TOY, Options

ROOT = Path(__file__).parents[1]
CHATTY = """
import os
from fa_cli.bot import generator, run

def choose(decide, start):
    print("thinking of", start["game"])
    os.system("echo from a child")
    return generator(start).choice(decide["legal"])

run(choose, name="Chatty", version="1", author="me", games=["toy"], wants=["legal"])
"""


def test_a_bot_of_one_function(tmp_path: Path) -> None:
    (tmp_path / "chatty.py").write_text(CHATTY)
    sessions = [BotSession(read_bot(tmp_path / "chatty.py")), BotSession(fake_bot("honest"))]
    records = [play(TOY, Options(), sessions, ["a", "b"], Seed(bytes(32)), Clock(20_000))[0] for _ in range(2)]
    ready = sessions[0].ready
    assert (ready.name, ready.version, ready.author, ready.games, ready.wants) == (
        "Chatty",
        "1",
        "me",
        ["toy"],
        ["legal"],
    )
    for session in sessions:
        session.close()
    assert [record.faults for record in records] == [[], []]
    assert records[0].digest == records[1].digest  # its own chance comes from bot_seed alone
    assert "thinking of toy\nfrom a child\n" in sessions[0].stderr_tail.replace("from a child\nthinking", "thinking")


def test_an_exception_ends_it(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("from fa_cli.bot import run\nrun(lambda decide, start: decide['nothing'])")
    sessions = [BotSession(read_bot(tmp_path / "bad.py")), BotSession(fake_bot("honest"))]
    record, _ = play(TOY, Options(), sessions, ["a", "b"], Seed(bytes(32)), Clock(20_000))
    for session in sessions:
        session.close()
    (detail,) = record.meta["fault_details"]
    assert detail["detail"] == "exited with status 1 without an answer"
    assert detail["stderr"].startswith("Traceback")
    assert detail["stderr"].endswith("KeyError: 'nothing'\n")


def run_lines(program: str, lines: list[object]) -> subprocess.CompletedProcess[str]:
    text = "".join(json.dumps(line) + "\n" for line in lines)
    return subprocess.run(
        [sys.executable, "-c", program], input=text, capture_output=True, text=True, cwd=ROOT, timeout=60, check=False
    )


def test_quit_and_the_end_of_input_end_it() -> None:
    program = "from fa_cli.bot import run\nrun(None)\nprint('over')"
    hello = {"type": "hello", "protocol": "fa/1"}
    for lines in ([hello, {"type": "news"}, {"type": "quit"}, hello], [hello]):
        done = run_lines(program, lines)
        assert (done.returncode, done.stdout) == (0, '{"type": "ready"}\n')


def test_it_starts_fast() -> None:
    """The loop imports only what it needs: neither msgspec nor other packages of fa_cli."""
    program = "import sys, fa_cli.bot\nprint(*sys.modules)"
    modules = set(run_lines(program, []).stdout.split())
    assert {name for name in modules if name.startswith("fa_cli")} == {"fa_cli", "fa_cli.fast_reader", "fa_cli.bot"}
    assert not modules & {"msgspec", "random", "subprocess", "traceback", "typing", "typing_extensions", "hashlib"}


def dialogue(command: list[str | Path], lines: list[dict[str, Any]]) -> tuple[list[Any], str]:
    """Send these lines, each after the answer to the one before; return the bot's answers and the end of its stderr."""
    said = []
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    ) as bot:
        assert bot.stdin and bot.stdout and bot.stderr
        for line in lines:
            bot.stdin.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
            bot.stdin.flush()
            if line["type"] not in ("end", "quit"):
                said.append(json.loads(bot.stdout.readline() or "null"))
        bot.stdin.close()
        assert bot.stdout.read() == b""
        return said, bot.stderr.read().decode()


def begun(games: int) -> list[dict[str, Any]]:
    """Return the lines of this many finished games, after which a bot uses the fast reader."""
    game: list[dict[str, Any]] = [{"type": "start", "seat": 0}]
    game += [{"type": "decide", "id": number, "legal": ["a", "b"]} for number in range(310)]
    game.append({"type": "end"})
    return [{"type": "hello"}, *game * games]


def test_after_long_play_lines_are_read_faster_and_alike(tmp_path: Path) -> None:
    code = """
import sys
from fa_cli.bot import run

def choose(decide, start):
    return f"{'msgspec' in sys.modules} {decide['legal']} {decide.get('observation')!r} {start['seat']}"

run(choose)
"""
    (tmp_path / "bot.py").write_text(code)
    observation = {"a": [1, -2, 2.5, None, True], "é\n": {"nested": []}, "large": 2**40, ',"observation":': "}"}
    asked: dict[str, Any] = {"type": "decide", "id": 7}
    others: list[dict[str, Any]] = [
        asked | {"legal": ["x"], "observation": observation},
        asked | {"observation": observation, "legal": ["x"]},
        asked | {"more": {"and": 1, "observation": 2}, "legal": ["x"], "observation": observation},
        asked | {"more": {"and": "}", "legal": ["no"]}, "legal": ["x"], "observation": observation},
        asked | {"more": ',"legal":["no"]', "legal": ["x"], "observation": observation},
        {"type": "decide", "id": 8, "more": 1, "id ": 1, "legal": ["x"], "observation": observation} | asked,
        asked | {"legal": ["x"], "events": [',"observation":'], "observation": observation, "more": 1},
        asked | {"legal": ["x"], "clock": {}, "observation": observation},
    ]
    start = {"type": "start", "seat": 1}
    said, stderr = dialogue(
        [sys.executable, tmp_path / "bot.py"],
        [*begun(1), start, *others, {"type": "end"}, start, asked | {"legal": []}, {"type": "quit"}],
    )
    assert stderr == ""
    assert said[1:3] == [{"type": "ready"}, {"id": 0, "action": "False ['a', 'b'] None 0"}]
    assert said[312:] == [
        {"type": "ready"},
        *[{"id": 7, "action": f"True ['x'] {observation!r} 1"}] * len(others),
        {"type": "ready"},
        {"id": 7, "action": "True [] None 1"},
    ]


def test_whatever_is_chosen_is_sent() -> None:
    """An answer that is not a text is the referee's to refuse, and not an exception in the bot."""
    program = "from fa_cli.bot import run\nrun(lambda decide, start: decide['legal'][-1])"
    line: dict[str, Any] = {"type": "decide", "id": 3}
    for chosen in ('é"\\', 5, None, ["a"]):
        in_order, reordered = line | {"legal": ["a", chosen]}, {"legal": ["a", chosen]} | line
        said, stderr = dialogue([sys.executable, "-c", program], [in_order, reordered])
        assert (said, stderr) == ([{"id": 3, "action": chosen}] * 2, "")


def test_lines_in_pieces_and_several_at_once(tmp_path: Path) -> None:
    """Lines may arrive in any pieces, also with the fast reader."""
    (tmp_path / "bot.py").write_text(
        "from fa_cli.bot import run\nrun(lambda decide, start: decide['legal'][decide['id'] % 2])"
    )
    text = b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in begun(3))
    for size in (7, 100, len(text)):
        with subprocess.Popen(
            [sys.executable, tmp_path / "bot.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
        ) as bot:
            assert bot.stdin and bot.stdout
            said: list[bytes] = []
            hearing = Thread(target=said.extend, args=[bot.stdout])
            hearing.start()
            for at in range(0, len(text), size):
                bot.stdin.write(text[at : at + size])
                bot.stdin.flush()
            bot.stdin.close()
            hearing.join()
        actions = [json.loads(line)["action"] for line in said if b"action" in line]
        assert actions == ["a", "b"] * 155 * 3


USES = {
    "one field": "decide['observation']",
    "a field that may be there": "decide.get('events', 0)",
    "one that is not": "decide.get('nothing', 0)",
    "one that is missing": "missing(decide)",
    "the legal actions": "decide['legal']",
    "whether it is there": "('events' in decide, 'nothing' in decide)",
    "all": "sorted(decide.items())",
    "names": "sorted(decide)",
    "how many": "len(decide)",
    "as a text": "sorted(repr(decide).split(','))",
    "as JSON": "json.dumps(decide, sort_keys=True)",
    "a copy": "sorted(copy.deepcopy(decide).items())",
    "a plain dictionary": "sorted(({**decide} | dict(decide)).items())",
    "equal to one": "decide == {**decide}",
    "a pattern": "match(decide)",
    "changed": "(decide.update(legal=[]), decide.pop('events'), sorted(decide.items()))",
    "without a field": "(decide.__delitem__('events'), 'events' in decide)",
}


def test_a_line_is_a_dictionary_whatever_is_done_with_it() -> None:
    """Each use of a message works on a fully decoded line and on a lazily decoded one."""
    program = f"""
import copy, itertools, json
from fa_cli.bot import run

def missing(line):
    try:
        line["nothing"]
    except KeyError as error:
        return error

def match(line):
    match line:
        case {{"events": events}}:
            return events

uses = itertools.cycle({list(USES.values())})
run(lambda decide, start: repr(eval(next(uses), globals(), {{"decide": decide}})))
"""
    decide = {"type": "decide", "id": 7, "legal": ["x", "y"], "events": [2.5], "observation": {"a": [1, {}]}}
    games: list[dict[str, Any]] = [
        {"type": "start"},
        *[decide] * (30 * len(USES)),
        {"type": "start"},
        *[decide] * len(USES),
    ]
    said, stderr = dialogue([sys.executable, "-c", program], games)
    assert stderr == ""
    answers = [answer["action"] for answer in said if "action" in answer]
    by_json, by_parts = answers[: len(USES)], answers[-len(USES) :]
    assert len(answers) == 31 * len(USES)
    for what, before, now in zip(USES, by_json, by_parts, strict=True):
        assert now == before, what
    assert len(set(by_json)) > 10


PARTS = ["a", "", "]", ",", '"', "\\", "],[", '","', "é", "\u2028", " ", "build 3 Cairo 2"]


def test_legal_actions_are_those_of_the_line_whatever_they_are() -> None:
    """Usual arrays are split and others decoded, with the same result."""
    choices = Random(3)
    for _ in range(3000):
        texts = ["".join(choices.choices(PARTS, k=choices.randrange(4))) for _ in range(choices.randrange(1, 6))]
        others: list[Any] = choices.choices([5, None, ["a"], ["]", "b"], {"a": "]"}], k=choices.randrange(3) // 2)
        legal = choices.sample([*texts, *others], len(texts) + len(others))
        message = {"type": "decide", "id": 7, "clock": {}, "legal": legal, "events": ["x"]}
        line = json.dumps(message, ensure_ascii=choices.random() < 0.5, separators=(",", ":")).encode() + b"\n"
        spaced = line.replace(b'","', b'", "') if choices.random() < 0.2 else line
        asked = fast_reader.read_decide(spaced)
        expected = json.loads(spaced)
        if asked is None:
            assert type(legal[0]) is not str
        else:
            assert asked["legal"] == expected["legal"], spaced
            assert asked == expected
