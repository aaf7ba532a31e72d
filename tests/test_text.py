"""What others wrote never reaches a terminal as it is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fa_cli.text import printable, printable_lines


def test_controls_become_escapes() -> None:
    assert printable("a\x1b[2Jb\x9b1m\r\n\t\x7f") == "a\\x1b[2Jb\\x9b1m\\r\\n\\t\\x7f"
    assert printable("left\u202eright \ud800") == "left\\u202eright \\ud800"


def test_ordinary_text_stays() -> None:
    text = "Café -> Straße 東 — {1} \\x1b"
    assert printable(text) is text


def test_lines_stay() -> None:
    assert printable_lines("a\n\tb\x1b\n") == "a\n        b\\x1b"


@given(st.text(st.characters(codec=None)))
def test_nothing_unprintable_is_left(text: str) -> None:
    assert printable(text).isprintable()
    printable(text).encode("utf-8")
