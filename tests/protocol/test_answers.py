"""One bot over its games; what it answers, read strictly but fairly."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fa_cli.game_result import Failure, FaultKind
from fa_cli.isolation.bot_session import BotSession
from fa_cli.protocol.answers import MOST_LEVELS, check_nesting, read_answer, read_ready
from fa_cli.protocol.decision_lines import decide_line
from fa_cli.protocol.messages import Clock, Decide, End, Ready, Start

from ..fakes import assert_gone, fake_bot

START = Start("toy", {}, ["a", "b"], 0, "0" * 64, "0" * 16, Clock(5000))
END = End([1, 2], [2, 1], "rounds")


@pytest.mark.parametrize(
    "line",
    [
        b'{"action":"pass"}\n',
        b'{"id":7,"action":"pass"}\n',
        b' { "action" : "p\\u0061ss", "id" : 7 } \r\n',
        b'{"type":"answer","action":"pass","why":{"deep":[1,2.5,null,"\xc3\xa9"]}}\n',
    ],
)
def test_an_answer(line: bytes) -> None:
    assert read_answer(line, 7) == "pass"


@pytest.mark.parametrize("text", ["", "[" * 600, '[\\"{' * 600])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_how_deep_a_line_may_be_nested(opening: str, closing: str, text: str) -> None:
    """The same on every Python. The line's object is a level too; brackets in texts are none."""

    def read(levels: int) -> tuple[Ready | Failure, str | Failure]:
        rest = f'"text":"{text}","x":{opening * (levels - 1)}1{closing * (levels - 1)}}}\n'.encode()
        return read_ready(b'{"type":"ready",' + rest, "hello"), read_answer(b'{"action":"pass",' + rest, 7)

    assert read(MOST_LEVELS) == (Ready("ready"), "pass")
    for found in read(MOST_LEVELS + 1):
        assert isinstance(found, Failure)
        assert "nested more than 500 deep" in found.detail


def test_an_unknown_type_is_quoted_in_part() -> None:
    """A cluster takes no longer texts from its workers."""
    failure = read_ready(b'{"type":"%s"}' % (b"x" * 20_000), "start")
    assert isinstance(failure, Failure)
    assert len(failure.detail) < 500


@pytest.mark.parametrize("line", [b'"\\' * 500_000, b'\\"' * 500_000, b'"' * 1_000_001, b"[]" * 500_000, b'"\\'])
def test_brackets_are_counted_in_linear_time(line: bytes) -> None:
    begin = time.process_time()
    check_nesting(b"[" * (MOST_LEVELS - 1) + line)
    assert time.process_time() - begin < 5  # quadratic time: minutes


@pytest.mark.parametrize("legal", [None, ["a", 'say "b"']])
@pytest.mark.parametrize("events", [None, [], [{"event": "stopped"}]])
@pytest.mark.parametrize("observation", [None, {"seat": 1}])
def test_the_line_of_a_decision_is_the_struct(legal: object, events: object, observation: object) -> None:
    encode = msgspec.json.encode
    clock = Clock(5000, 17)
    fields = {"legal": legal, "events": events, "observation": observation}
    parts = [None if value is None else encode(value) for value in fields.values()]
    struct: Any = Decide(7, clock, **{name: value for name, value in fields.items() if value is not None})
    assert decide_line(7, encode(clock), *parts) == encode(struct) + b"\n"


@given(st.binary(max_size=60) | st.text(alphabet='{}[]",:action id7\\u0é\0 -.eE', max_size=60).map(str.encode))
def test_any_bytes_are_an_answer_or_a_fault(line: bytes) -> None:
    found = read_answer(line + b"\n", 7)
    if isinstance(found, Failure):
        assert found.kind is FaultKind.PROTOCOL
        assert found.detail.isprintable()
    else:
        assert json.loads(line)["action"] == found
        assert json.loads(line).get("id", 7) == 7


def test_an_answer_is_quoted_as_text() -> None:
    found = read_answer(b'{"id": 7, "action": null}\n', 7)
    assert isinstance(found, Failure)
    assert found.detail.endswith(""": '{"id": 7, "action": null}'""")


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["action", "id", "x"]), inner),
        max_leaves=6,
    )
)
def test_any_json_is_an_answer_or_a_fault(value: object) -> None:
    found = read_answer(json.dumps(value).encode() + b"\n", 7)
    fine = (
        isinstance(value, dict)
        and isinstance(value.get("action"), str)
        and (value.get("id", 7) == 7 and type(value.get("id", 7)) is not bool)
    )
    assert isinstance(found, str) == fine or isinstance(value["id"], float)  # type: ignore[index]


def test_what_it_says_of_itself(tmp_path: Path) -> None:
    session = BotSession(fake_bot("honest", "--wants", "legal,events"))
    assert session.wants_observation
    assert session.start(START) is None
    assert (session.ready.name, session.ready.wants) == ("Fake", ["legal", "events"])
    assert (session.wants_legal, session.wants_observation, session.wants_events) == (True, False, True)
    session.close()


def test_one_process_for_many_games(tmp_path: Path) -> None:
    heard, pids = tmp_path / "heard", tmp_path / "pids"
    session = BotSession(fake_bot("honest", "--heard", heard, "--pids", pids))
    for _ in range(3):
        assert session.start(START) is None
        assert session.decide(legal=b'["b","a"]') == "b"
        assert session.decide(legal=b'["a","b"]') == "a"
        assert session.asked == 2
        assert 0 < session.spent < 5
        session.end(END)
    session.close()
    session.close()
    assert len(pids.read_text().split()) == 1
    assert_gone(pids)
    lines = [json.loads(line) for line in heard.read_text().splitlines()]
    assert [line["type"] for line in lines] == ["hello", *["start", "decide", "decide", "end"] * 3, "quit"]
    assert [line["id"] for line in lines if line["type"] == "decide"] == [1, 2, 3, 4, 5, 6]


def test_a_game_that_was_given_up(tmp_path: Path) -> None:
    """Without `end` its process is out of step: a new one plays on."""
    pids = tmp_path / "pids"
    session = BotSession(fake_bot("honest", "--pids", pids))
    for _ in range(2):
        assert session.start(START) is None
        assert session.decide(legal=b'["a","b"]') == "a"
    session.close()
    assert len(pids.read_text().split()) == 2
    assert_gone(pids)


def test_after_a_fault(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    session = BotSession(fake_bot("raises", "--at", "1", "--pids", pids))
    assert session.start(START) is None
    failure = session.decide(legal=b'["a","b"]')
    assert isinstance(failure, Failure)
    assert_gone(pids)
    assert "KeyError: 'no such key'" in session.stderr_tail
    session.end(END)
    with pytest.raises(RuntimeError):
        session.decide(legal=b'["a","b"]')
    assert session.start(START) is None
    assert session.stderr_tail == ""
    session.close()


def test_stderr_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "stderr.txt"
    session = BotSession(fake_bot("exit", "--at", "1"), stderr_path=path)
    for _ in range(2):
        assert session.start(START) is None
        assert isinstance(session.decide(legal=b'["a","b"]'), Failure)
    session.close()
    assert path.read_text() == "leaving now\nleaving now\n"


def test_what_is_not_wanted_is_not_sent(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    session = BotSession(fake_bot("honest", "--heard", heard))
    session.start(START)
    session.decide(legal=b'["a","b"]')
    session.close()
    decide = json.loads(heard.read_text().splitlines()[2])
    assert decide == {"type": "decide", "id": 1, "clock": {"move_ms": 5000, "bank_ms": 0}, "legal": ["a", "b"]}
    assert msgspec.json.decode(msgspec.json.encode(END)).keys() == {"type", "scores", "ranks", "reason"}
