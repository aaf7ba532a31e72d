"""`fa bot check`: each failure is described once, with its shortest exchange."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from fa_cli.isolation.discovery import read_bot
from fa_cli.printing.text import abridged_json
from tests.conftest import Fa
from tests.inside import fa as fa

RAISES = """
import json, sys
for line in sys.stdin:
    if json.loads(line)["type"] != "hello":
        raise ValueError("boom")
    print('{"type":"ready"}', flush=True)
"""
THINKS_ALOUD = """
import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] in ("hello", "start"):
        print('{"type":"ready","games":["manhattan"]}', flush=True)
    elif message["type"] == "decide":
        print("thinking", flush="fa_check" not in message)
        time.sleep(0.2)
        print(json.dumps({"action": message["legal"][0]}), flush=True)
"""
NAMES_MOVES = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] in ("hello", "start"):
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"id": message["id"], "move": message["legal"][-1]}), flush=True)
"""
CHECK = ("bot", "check", "mine.py", "--games", "2", "--sandbox", "none")


def test_a_failure_is_described_once(fa: Fa, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(RAISES)
    done = fa(*CHECK)
    assert done.returncode == 1
    assert done.stdout.count("ValueError: boom") == 1
    assert done.stdout.count("as check 3\n") == 6
    assert "\nfailed 7 checks (3, 4, 5, 7, 8, 9 and 11): after `quit` it exited with status 1\n" in done.stdout
    assert "\n  for example in check 11:\n" in done.stdout
    assert '\n  > {"type":"quit"}\n' in done.stdout
    assert "\nthe whole exchanges: fa bot check mine.py --games 2 --sandbox none --format json\n" in done.stdout
    assert len(done.stdout.splitlines()) < 30


def test_different_failures_are_described_each(fa: Fa, tmp_path: Path) -> None:
    castles = "lambda decide, start: 'castle' if start['game'] == 'manhattan' else decide['legal'][0]"
    (tmp_path / "mine.py").write_text(
        f"from fa_cli.bot import run\nrun({castles}, wants=['legal'])\nraise SystemExit('no more')\n"
    )
    done = fa(*CHECK)
    assert done.returncode == 1
    failed = [line for line in done.stdout.splitlines() if line.startswith("failed ")]
    assert [line.partition(":")[0] for line in failed] == ["failed 4 checks (4, 7, 8 and 9)", "failed 1 check (11)"]


def test_the_digest_is_that_of_definitions(fa: Fa, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(RAISES)
    digest = read_bot(tmp_path / "mine.py").digest
    first = json.loads(fa(*CHECK, "--format", "json").stdout)[0]
    assert first["found"].endswith(f"; digest {digest}")


def test_json_has_whole_messages(fa: Fa, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(RAISES)
    for row in json.loads(fa(*CHECK, "--format", "json").stdout):
        sent = [json.loads(line[2:])["type"] for line in row["dialogue"] if line.startswith("> ")]
        assert sent[:2] == ([] if row["passed"] else ["hello", "quit" if row["number"] == 11 else "start"])
    table = fa(*CHECK, "--format", "markdown").stdout
    assert "boom" not in table
    assert "dialogue" not in table


def test_the_remedy_for_a_chatty_bot_and_the_whole_traceback(fa: Fa, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("print('starting', flush=True)\ninput()\n")
    assert "\n  stdout is for answers alone: print everything else on stderr\n" in fa(*CHECK).stdout
    (tmp_path / "mine.py").write_text("x = = 1\n")
    printed = fa(*CHECK).stdout
    assert '\n  |   File "' in printed
    assert "stdout is for" not in printed


def test_a_stray_line_is_one_failure_with_its_answer_or_without(fa: Fa, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(THINKS_ALOUD)
    done = fa(*CHECK)
    assert "\n 3 FAIL plays 2 games of manhattan: game 1 of " in done.stdout
    assert done.stdout.count("as check 3\n") == 3
    assert done.stdout.count("\nfailed ") == 1


def test_the_answers_that_a_failure_quotes_do_not_make_it_another_one(fa: Fa, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(NAMES_MOVES)
    done = fa(*CHECK)
    assert """field `action`: '{"id": 1, "move": """ in done.stdout
    assert done.stdout.count("\nfailed ") == 1


def test_the_printed_command_repeats_what_was_typed(fa: Fa, tmp_path: Path) -> None:
    (tmp_path / "my bots").mkdir()
    (tmp_path / "my bots/mine.py").write_text(RAISES)
    typed = ("bot", "check", "my bots/mine.py", "--games", "1", "--skip", "4", "--sandbox", "none", "--quiet")
    last = fa(*typed).stdout.splitlines()[-1].removeprefix("the whole exchanges: ")
    assert shlex.split(last) == ["fa", *typed, "--format", "json"]


def test_json_is_cut_between_tokens() -> None:
    tokens = ["{", '"type"', ":", '"st\\"art"', ", ", '"list"', ":", "[", "1234567", ", ", "null", "]", "}"]
    whole = "".join(tokens)
    starts = ["".join(tokens[:count]) for count in range(len(tokens))]
    for most in range(1, len(whole)):
        shown, cut, _ = abridged_json(whole, most).partition("... (")
        assert shown in starts and cut and len(shown) <= most + 1
    assert abridged_json(whole.replace(", ", ","), 1000) == abridged_json(whole, 1000) == whole
    assert abridged_json("not {json", 5) == "not {... (9 characters)"
