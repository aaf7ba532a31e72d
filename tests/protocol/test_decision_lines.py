"""The lines of decisions as bytes: the module in Python and the one in C."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fa_cli.protocol import decision_lines
from tests.c_modules import both_forms

lines = both_forms(decision_lines, "fa_cli/protocol/decision_lines.c")
ACTION = st.text(alphabet=[chr(code) for code in range(32, 127) if chr(code) not in '"\\'], max_size=30)
PARTS = [
    *('{"action":', '{"id":', "{", '"action":', ' "', '"', "pass", '","id":', ', "id": ', "7", "07", "}", "\n", "}\n"),
    *(" ", "\0", "\\", "é"),
]


@given(st.lists(st.text(max_size=8), min_size=1, max_size=20), st.data())
def test_legal_actions_as_json(lines: Any, texts: list[str], data: st.DataObject) -> None:
    legal = data.draw(st.lists(st.integers(0, len(texts) - 1), max_size=10))
    line = lines.legal_json([json.dumps(text).encode() for text in texts], legal)
    assert json.loads(line) == [texts[action] for action in legal]


def test_many_legal_actions(lines: Any) -> None:
    texts = [b'"%d"' % number for number in range(1000)]
    assert lines.legal_json(texts, range(1000)) == b"[%b]" % b",".join(texts)


@pytest.mark.parametrize("legal", [[2], [-3], ["pass"], 7])
def test_numbers_of_no_action_raise(lines: Any, legal: list[int]) -> None:
    with pytest.raises((IndexError, TypeError)):
        lines.legal_json([b'"a"', b'"b"'], legal)


@given(st.lists(ACTION, min_size=1, max_size=20, unique=True), st.text(max_size=8), st.data())
def test_the_place_of_an_action(lines: Any, texts: list[str], other: str, data: st.DataObject) -> None:
    legal = data.draw(st.lists(st.integers(0, len(texts) - 1), max_size=10, unique=True))
    names = [texts[number] for number in legal]
    for action in [*texts, other, other[:3] + "\ud800", f'"{other}']:
        place = lines.place_of([json.dumps(text).encode() for text in texts], legal, action)
        assert place == (names.index(action) if action in names else -1)


@pytest.mark.parametrize("legal", [[2], [-3], ["pass"], 7])
def test_no_place_among_numbers_of_no_action(lines: Any, legal: list[int]) -> None:
    with pytest.raises((IndexError, TypeError)):
        lines.place_of([b'"a"', b'"b"'], legal, "c")


@pytest.mark.parametrize("number", [0, 1, 10**18 - 1])
@pytest.mark.parametrize("field", [None, b"[1,2]"])
def test_a_line(lines: Any, number: int, field: bytes | None) -> None:
    line = json.loads(lines.decide_line(number, b'{"move_ms":5}', field, field, field))
    fields = {} if field is None else {key: [1, 2] for key in ("legal", "events", "observation")}
    assert line == {"type": "decide", "id": number, "clock": {"move_ms": 5}} | fields


@given(ACTION, st.integers(0, 10**18 - 1), st.sampled_from(["", "first", "last"]), st.booleans())
def test_the_usual_answers(lines: Any, action: str, number: int, has_id: str, has_blanks: bool) -> None:
    fields = {"": ["action"], "first": ["id", "action"], "last": ["action", "id"]}
    answer = {name: {"action": action, "id": number}[name] for name in fields[has_id]}
    line = json.dumps(answer, separators=None if has_blanks else (",", ":")) + "\n"
    assert lines.plain_action(line.encode(), number) == action
    assert lines.plain_action(line.encode(), number + 1) == (None if has_id else action)


@given(st.lists(st.sampled_from(PARTS), max_size=12).map("".join) | st.text(max_size=40))
def test_no_other_line_is_read(lines: Any, line: str) -> None:
    action = lines.plain_action(line.encode(), 7)
    if action is not None:
        answer = json.loads(line)
        assert (answer["action"], answer.get("id", 7)) == (action, 7)
        assert line == json.dumps(answer) + "\n" or line.replace(" ", "") == json.dumps(answer).replace(" ", "") + "\n"


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b'{"action":"pass"}',
        b'{"action":"pass"}\r\n',
        b'{"action":"pass"}\n\n',
        b'{"action":"pass"}\n\0',
        b'{"action":"pa\0ss"}\n',
        b'{"action":"pa\\u0073s"}\n',
        b'{"action":"p\xc3\xa4ss"}\n',
        b'{"action":"pass","id":07}\n',
        b'{"action":"pass","id":7.0}\n',
        b'{"action":"pass","id":-7}\n',
        b'{"action":"pass","id":}\n',
        b'{"action":"pass","id":7777777777777777777}\n',
        b'{"action":"pass","id":7,"id":7}\n',
        b'{"action":"pass",}\n',
        b'{"id":07,"action":"pass"}\n',
        b'{"id":7,"action":"pass","id":7}\n',
        b'{"id":7}\n',
        b'{"id":,"action":"pass"}\n',
        b'{"idea":7,"action":"pass"}\n',
        b'{"action":"pass","id":7',
        b'{"action":',
    ],
)
def test_lines_for_a_decoder(lines: Any, line: bytes) -> None:
    assert lines.plain_action(line, 7) is None
