"""A tournament that could stop early marks the results of the bots that it compared, and no others."""

from __future__ import annotations

import csv
import io
import math
import re
import shutil
from pathlib import Path

import pytest

from tests.conftest import Fa, assert_refused
from tests.inside import fa as fa
from tests.inside import play_quietly, rows
from tests.tournament.helpers import dice

TWO = ("--players", "2", "--seed", "x")
FAILS = "message.update(legal=['no action'])"
UNTIL = ("--until", "decided", "--games", "8")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One tournament with a fixed number of games and two that could stop early.

    `rest` has all bots and both games; `ac` compares a with c, without b; `ab` compares a with b in Manhattan.
    """
    home = tmp_path_factory.mktemp("home")
    a, b, c = dice(home / "bots", *"abc")
    for name, *words in (
        ("rest", a, b, c, "--game", "fifth-avenue", "--games", "24"),
        ("ac", a, c, "--game", "fifth-avenue", *UNTIL),
        ("ab", a, b, "--game", "manhattan", *UNTIL),
    ):
        play_quietly(home, *words, *TWO, "--name", name)
    return home


def is_fixed(fa: Fa, home: Path, *args: str) -> list[bool]:
    """Whether each part of a comparison is valid, head to head and over the field; its caveats must say the same."""
    found = rows(fa, home, "compare", *args)
    assert all(row["fixed_sample"] != ("stopped-early" in row["caveats"]) for row in found)
    return [valid for _, valid in dict.fromkeys((row["part"], row["fixed_sample"]) for row in found)]


@pytest.mark.parametrize(
    ("args", "valid"),
    [
        (("a", "b"), [False]),
        (("a", "b", "rest", "ac"), [True]),  # no game of `ac` compares a with b
        (("a", "b", "rest", "ab"), [False]),
        (("a", "b", "--game", "fifth-avenue"), [True]),  # `ab` is Manhattan
        (("a", "b", "--game", "manhattan"), [False]),
        (("a", "b", "--by", "game"), [False, True, False]),
        (("a", "c", "--by", "game"), [False, False]),
        (("b", "c"), [True]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_p_value_is_invalid_only_where_such_games_count(
    fa: Fa, home: Path, args: tuple[str, ...], valid: list[bool]
) -> None:
    assert is_fixed(fa, home, *args) == valid


def test_the_caveat_names_the_tournament(fa: Fa, home: Path) -> None:
    answer = " ".join(fa("--home", home, "compare", "a", "b").stdout.split())
    assert (
        "ab could stop early because of its own results, so no p-value is given, and these intervals are not valid"
        in answer
    )
    assert re.search(r"\bab: not decided after 4 blocks between a and b \((a|b) leads by 0\.\d+\)\.", answer)
    assert not re.search(r"\bac\b", answer)
    assert "early" not in fa("--home", home, "compare", "a", "b", "--game", "fifth-avenue").stdout


def test_its_test_is_no_verdict_over_other_games(fa: Fa, home: Path) -> None:
    for words in (("rest", "ab"), ("ab", "--by", "players"), ("rest", "ab", "--game", "manhattan")):
        (row, *_) = rows(fa, home, "compare", "a", "b", *words)
        pooled = words == ("rest", "ab")
        assert row["sequential"] == ("in ab: not decided between a and b" if pooled else "not decided against b")
        told = " ".join(fa("--home", home, "compare", "a", "b", *words).stdout.split())
        assert ("no verdict over all games" in told) == pooled
        assert ("the sequential test has not decided" in told) != pooled


def test_a_report_says_the_same_of_the_first_two(fa: Fa, home: Path, tmp_path: Path) -> None:
    """They met in `ab` alone; the field has another tournament."""
    for folder in ("logs", "tournaments"):
        shutil.copytree(home / folder, tmp_path / folder)
    bots = [home / "bots/a.py", home / "bots/b.py", *dice(tmp_path / "bots", "fails", before=FAILS)]
    options = ("--schedule", "gauntlet", "--challenger", "a", "--challenger", "b", "--games", "8", "--max-faults", "0")
    play_quietly(tmp_path, *bots, "--game", "manhattan", *TWO, *options, "--name", "field")
    for done in fa("compare", "a", "b", "ab", "field"), fa("report", "ab", "field", "--format", "markdown"):
        assert re.search(r"(a leads b|b leads a), but the sequential test has not decided", done.stdout), done.stdout


def test_show_has_the_rule_and_its_verdict(fa: Fa, home: Path) -> None:
    shown = " ".join(fa("--home", home, "tournament", "show", "ab").stdout.split())
    assert "rule it stops early once it is decided whether a or b is better by 0.1 (alpha 0.05, beta 0.05)" in shown
    assert "verdict not decided after 4 blocks between a and b" in shown
    assert "verdict" not in fa("--home", home, "tournament", "show", "rest").stdout
    words = (*(home / f"bots/{name}.py" for name in "ab"), *TWO, *UNTIL, "--home", home, "--name", "later", "--define")
    assert fa("tournament", "run", *words).returncode == 0
    shown = fa("--home", home, "tournament", "show", "later").stdout
    (home / "tournaments/later.json").unlink()
    assert "  rule " in shown and "verdict" not in shown


def test_no_p_value_is_shown_but_the_verdict_of_the_test(fa: Fa, home: Path) -> None:
    verdict = r"[Nn]ot decided after 4 blocks between a and b \((a|b) leads by"
    for args in (
        ("compare", "a", "b", "ab", "--by", "side"),
        ("report", "ab", "--format", "markdown"),
        ("leaderboard", "ab"),
        ("leaderboard", "ab", "--matrix"),
        ("tournament", "show", "ab"),
        ("tournament", "watch", "ab", "--once"),
    ):
        done = fa("--home", home, *args)
        said = done.stdout + done.stderr
        assert not re.search(r"\bp [=<>]|LOS|95% sure|\bfit:", said), said
        assert "watch" in args or "--matrix" in args or re.search(verdict, said), said
        explained = re.findall(r"^\\?~ (?:fewer than|.* early because)", said, re.MULTILINE)
        assert ("~" in said) == bool(explained)
    row = fa("--home", home, "compare", "a", "b", "ab", "--format", "markdown").stdout.splitlines()[2]
    assert re.search(r"~ \| +\| +\| .* not decided against b \|$", row), "no p-value, no LOS"
    assert fa("--home", home, "report", "ab", "-o", "page.html").returncode == 0
    page = re.sub(r"<script.*?</script>", "", Path("page.html").read_text(), flags=re.DOTALL)
    assert not re.search(r"(?<!joint )\bp [=<>]|LOS|95% sure|adjusted p|>p<", page)


def test_the_evidence_of_the_test(fa: Fa, home: Path) -> None:
    def shown(*args: str) -> str:
        return " ".join(fa("--home", home, "tournament", "show", *args).stdout.split())

    first, second = rows(fa, home, "tournament", "show", "ab", "--evidence")
    assert (first["bot"], first["rival"], first["blocks"], first["found"]) == ("a", "b", 4, "")
    assert first["score"] == -second["score"]
    assert first["better_bound"] == pytest.approx(math.log(40))
    assert re.search(
        r"verdict not decided .* evidence .*\w+ is better( by 0\.1)?: -?\d\.\d\d of \d\.\d\d deals", shown("ab")
    )
    assert "not decided after 4 blocks between a and b" in shown("ab", "--evidence")
    assert "from 3.69 on the bot is better not better: from 3.22 on, or a ratio of 2.97" in shown("ab", "--evidence")
    assert "evidence" not in shown("rest")
    assert_refused(fa("--home", home, "tournament", "show", "rest", "--evidence"), "rest has no sequential test")


def test_what_does_not_hold_is_empty_for_programs_too(fa: Fa, home: Path) -> None:
    (row,) = rows(fa, home, "compare", "a", "b", "ab")
    assert [row[field] for field in ("verdict", "p_value", "los", "more_deals")] == ["", None, None, None]
    assert row["difference"] is not None
    (line,) = csv.DictReader(io.StringIO(fa("--home", home, "compare", "a", "b", "ab", "--format", "csv").stdout))
    assert [line["p_value"], line["los"], line["fixed_sample"]] == ["", "", "false"]
    assert {row["adjusted_p"] for row in rows(fa, home, "leaderboard", "--matrix", "ab")} == {None}
    assert None not in {row["adjusted_p"] for row in rows(fa, home, "leaderboard", "--matrix", "rest")}
    assert rows(fa, home, "compare", "a", "b", "rest")[0]["p_value"] is not None


def marked(fa: Fa, home: Path, *args: str) -> dict[str, bool]:
    return {row["bot"]: "stopped-early" in row["caveats"] for row in rows(fa, home, "leaderboard", *args)}


def test_leaderboards_mark_the_bots_that_were_compared(fa: Fa, home: Path) -> None:
    assert marked(fa, home) == {"a": True, "b": True, "c": True}
    assert marked(fa, home, "rest") == {"a": False, "b": False, "c": False}
    assert marked(fa, home, "rest", "ac") == {"a": True, "b": False, "c": True}
    assert marked(fa, home, "--game", "manhattan") == {"a": True, "b": True}
    assert marked(fa, home, "--game", "fifth-avenue") == {"a": True, "b": False, "c": True}


def test_pairs_that_met_in_such_a_tournament_are_marked(fa: Fa, home: Path) -> None:
    """`ac` has no games with b, so it says nothing of its pairs."""

    def marked_pairs(*args: str) -> set[str]:
        found = rows(fa, home, "leaderboard", "--matrix", *args)
        return {row["bot"] + row["rival"] for row in found if "stopped-early" in row["caveats"]}

    assert marked_pairs() == {"ac", "ca", "ab", "ba"}
    assert marked_pairs("rest") == set()
    assert marked_pairs("--game", "fifth-avenue") == {"ac", "ca"}
    assert marked_pairs("--option", "side=six") == {"ac", "ca"}
    assert marked_pairs("--option", "blocks=auto") == {"ab", "ba"}


@pytest.mark.slow
def test_the_matrix_calls_no_such_pair_beyond_chance(fa: Fa, tmp_path: Path) -> None:
    """However clear: its interval does not hold."""
    bots = [*dice(tmp_path / "bots", "a"), *dice(tmp_path / "bots", "fails", before=FAILS)]
    for name, until in (("fixed", ()), ("stopped", ("--until", "decided"))):
        options = ("--games", "40", "--game", "manhattan", "--max-faults", "0", *until, "--name", name)
        play_quietly(tmp_path, *bots, *TWO, *options)
    assert "beyond chance" in fa("--home", tmp_path, "leaderboard", "fixed", "--matrix").stdout
    assert "*" not in fa("--home", tmp_path, "leaderboard", "stopped", "--matrix").stdout


@pytest.mark.parametrize(
    ("by", "parts"),
    [
        ("game", {"fifth-avenue": "ac", "manhattan": "ab"}),
        ("variant", {"fifth-avenue side=five players=2": "ac", "manhattan blocks=auto players=2": "ab"}),
        ("side", {"side=six": "ac", "blocks=auto": "ab"}),
        ("players", {"2 players": "abc"}),
        ("seat", {"seat 0": "abc", "seat 1": "abc"}),
    ],
)
def test_parts_mark_their_own_games(fa: Fa, home: Path, by: str, parts: dict[str, str]) -> None:
    board = rows(fa, home, "leaderboard", "--by", by)
    for part, bots in parts.items():
        found = {row["bot"] for row in board if "stopped-early" in (row[f"{part} caveats"] or ())}
        assert found == set(bots), part


def test_from_within_the_folder(fa: Fa, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a log is named by its file alone, and a tournament by that of its definition."""
    monkeypatch.chdir(home / "logs")
    assert is_fixed(fa, home, "a", "b", "ab.log") == [False]
    monkeypatch.chdir(home / "tournaments")
    assert is_fixed(fa, home, "a", "b", "ab.json") == [False]


def test_a_version_is_marked(fa: Fa, home: Path) -> None:
    found = marked(fa, home, "rest", "ac", "--by", "version")
    assert {name.partition("@")[0]: is_marked for name, is_marked in found.items()} == {
        "a": True,
        "b": False,
        "c": True,
    }


def test_a_definition_that_cannot_be_read_is_no_obstacle(fa: Fa, home: Path, tmp_path: Path) -> None:
    shutil.copytree(home, tmp_path / "home")
    (tmp_path / "home/tournaments/ac.json").write_text('{"until": {')
    assert is_fixed(fa, tmp_path / "home", "b", "c") == [True]
    definition = tmp_path / "home/tournaments/ab.json"
    definition.write_text('{"until": 1}')
    assert marked(fa, tmp_path / "home", "--game", "manhattan") == {"a": False, "b": False}
    definition.unlink()
    assert marked(fa, tmp_path / "home", "--game", "manhattan") == {"a": False, "b": False}
