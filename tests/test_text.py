"""What others wrote never reaches a terminal as it is."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fa_cli.printing.text import (
    both_ends,
    counted,
    cut,
    did_you_mean,
    listed,
    near_or_all,
    printable,
    printable_lines,
    quoted,
)


def test_controls_become_escapes() -> None:
    assert printable("a\x1b[2Jb\x9b1m\r\n\t\x7f") == "a\\x1b[2Jb\\x9b1m\\r\\n\\t\\x7f"
    assert printable("left\u202eright \ud800") == "left\\u202eright \\ud800"


def test_ordinary_text_stays() -> None:
    text = "Café -> Straße 東 — {1} \\x1b"
    assert printable(text) is text


def test_lines_stay() -> None:
    assert printable_lines("a\n\tb\x1b\n") == "a\n        b\\x1b"


def test_of_many_lines_both_ends_are_shown() -> None:
    lines = [f"line {number}" for number in range(30)]
    assert both_ends("\n" + "\n".join(lines[:20]) + "\n") == lines[:20]
    assert both_ends("\n".join(lines)) == [*lines[:6], "...", *lines[-13:]]


@pytest.mark.parametrize(
    "name",
    [
        b"plain",
        b"with space",
        b"it's",
        b'$HOME `x` "y"',
        b"caf\xc3\xa9",
        b"caf\xe9",
        b"\xff7\xfe\\'",
        b"new\nline\x1b[1m",
        "right\u202eleft".encode(),
        b"-x",
    ],
)
def test_a_quoted_path_is_one_word_of_a_shell(tmp_path: Path, name: bytes) -> None:
    word = quoted(os.fsdecode(name))
    assert word.isprintable()
    word.encode("utf-8")
    done = subprocess.run(["bash", "-c", f"printf %s {word}"], capture_output=True, check=True)
    assert done.stdout in (name, b"./" + name)


def test_long_texts_and_lists_are_cut() -> None:
    assert [cut("abc", 3), cut("abcd", 3), cut("\x1b" * 9, 6)] == ["abc", "abc...", "\\x1b\\x..."]
    assert [listed([]), listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]
    assert listed([f"g{number}" for number in range(6000)], 2) == "g0, g1 and 5,998 more"
    assert len(listed(["x" * 60_000] * 6000)) < 500


@given(st.text(st.characters(codec=None)))
def test_nothing_unprintable_is_left(text: str) -> None:
    assert printable(text).isprintable()
    printable(text).encode("utf-8")


def test_suggestions() -> None:
    names = ["manhattan", "new-york"]
    assert did_you_mean("manhatan", names) == "; did you mean manhattan?"
    assert did_you_mean("chess", names) == ""
    assert near_or_all("manhatan", names, "games") == "; did you mean manhattan?"
    assert near_or_all("chess", names, "games") == "; the games are manhattan, new-york"
    assert did_you_mean("a\x1b", ["a\x1bb"]) == "; did you mean a\\x1bb?"


def test_a_counted_noun() -> None:
    numbers: list[float] = [0, 1, 2, 1000, 0.5, 1.0, 4.0]
    expected = "0 bots, 1 bot, 2 bots, 1,000 bots, 0.5 bots, 1 bot, 4 bots"
    assert ", ".join(counted(number, "bot") for number in numbers) == expected
