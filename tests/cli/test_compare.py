"""`fa compare`, the other tables, and a tournament with `--until decided`, with real processes."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from fa_cli.leaderboard.played_games import played_game
from fa_cli.replay.log_file import read_log
from fa_cli.stats import comparison, faults, head_to_head
from fa_cli.stats.luck import seat_values
from tests.conftest import Fa, assert_refused
from tests.inside import fa as fa
from tests.inside import play_quietly, rows
from tests.tournament.helpers import Game, dice

# answers with the last of the legal actions, at once: always the same, whatever it sees
LAST = """import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready","wants":["legal"]}', flush=True)
    elif message["type"] == "start":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"action": message["legal"][-1]}), flush=True)
"""
RUN = ("tournament", "run", "--sandbox", "none", "--max-faults", "0")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with one tournament of three bots at tables of two."""
    home = tmp_path_factory.mktemp("home")
    bots = dice(home / "bots", "a", "b", "c")
    play_quietly(home, *bots, "--players", "2", "--games", "24", "--seed", "z", "--name", "t")
    return home


def test_a_fixed_number_of_games_is_a_fixed_sample(fa: Fa, home: Path) -> None:
    row, _ = rows(fa, home, "compare", "a", "b", "t")
    assert (row["fixed_sample"], row["sequential"]) == (True, None)


def test_an_answer_and_its_figures(fa: Fa, home: Path) -> None:
    done = fa("--home", home, "compare", "a", "b", "t")
    assert (done.returncode, done.stderr) == (0, "")
    answer, over_field, *lines = done.stdout.splitlines()
    assert re.match(
        "Head to head: (no verdict, (a and b are level|a leads b|b leads a)|(a|b) is better than (a|b))", answer
    )
    assert over_field.startswith("Over the field: ")
    figures = dict(line.strip().split("  ", 1) for line in lines if line.startswith("  "))
    assert {"head to head", "field", "Elo", "deals"} <= figures.keys()
    assert figures["deals"].strip() == "4 with both (8 games), and 4 pairs against the same bots"
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.parametrize("pair", [("a", "b"), ("b", "a")])
def test_the_answer_is_that_of_the_leader(fa: Fa, home: Path, pair: tuple[str, str]) -> None:
    """Whoever is named first; rows for programs keep the order of the names."""
    row, _ = rows(fa, home, "compare", *pair)
    assert (row["about"], row["first"], row["second"]) == ("head-to-head", *pair)
    difference, elo = float(str(row["difference"])), float(str(row["elo"]))
    leader, follower = pair if difference > 0 else reversed(pair)
    answer, _, score, *_ = fa("--home", home, "compare", *pair).stdout.splitlines()
    known = f"{leader} is better than {follower}.", f"no verdict, {leader} leads {follower}, but", "are level."
    assert any(each in answer for each in (known[:2] if difference else known[2:]))
    assert score.split()[3] == f"{abs(difference):+.3f}"
    shown = next(line.split()[1] for line in fa("--home", home, "compare", *pair).stdout.splitlines() if "Elo" in line)
    assert int(shown) == pytest.approx(elo if difference > 0 else -elo, abs=0.51)


def test_parts_are_seen_from_their_leaders(fa: Fa, home: Path) -> None:
    parts = rows(fa, home, "compare", "b", "a", "--by", "side")
    _, table = fa("--home", home, "compare", "b", "a", "--by", "side").stdout.split("\n\n")
    heading, _, *lines = table.splitlines()
    assert heading.split()[:6] == ["games", "of", "about", "leader", "deals", "leads"]
    for line, row in zip(lines, parts, strict=False):  # footnotes follow
        part, about, leader, _, score, *_ = line.split()
        difference = float(str(row["difference"]))
        assert (part, about, score) == (row["part"], row["about"], f"{abs(difference):+.3f}")
        assert not difference or leader == ("b" if difference > 0 else "a")


def test_how_many_more_deals(fa: Fa, home: Path) -> None:
    """In two digits, because the difference is an estimate; the rows have the number."""
    for rival in "ab":
        answer = fa("--home", home, "compare", rival, "c").stdout
        for row in rows(fa, home, "compare", rival, "c"):
            found = re.search(rf"([0-9,]+) more deals \({row['about']}\)", answer)
            assert bool(found) == (row["more_deals"] is not None)
            if found:
                assert int(found[1].replace(",", "")) == pytest.approx(row["more_deals"], rel=0.05)


def compared_games(*games: Game) -> list[comparison.ComparisonRow]:
    compared = comparison.Comparison("a", "b")
    for index, game in enumerate(games):
        compared.add(played_game(game, "log", index))
    return compared.rows()


def test_the_headline_names_what_it_is_about() -> None:
    from fa_cli.results.verdict import headlines

    def met(count: int, first: int = 0) -> list[Game]:
        """Deals that a wins against b."""
        return [Game(["a", "b"], [1, 2], number=first + n) for n in range(count)]

    def apart(count: int, winner: str) -> list[Game]:
        """Deals in which one of them beats x and the other one does not."""
        return [
            Game([bot, "x"], [1, 2] if bot == winner else [2, 1], number=100 + n) for n in range(count) for bot in "ab"
        ]

    for games, sentence in (
        (met(20), "a is better than b."),
        (met(20) + apart(20, "a"), "a is better than b, head to head and over the field."),
        (met(9) + apart(60, "b"), "a is better than b head to head, but b is better over the field."),
        (apart(20, "b"), "b is better than a over the field."),
        (apart(2, "b"), "No verdict over the field: b leads a, but chance could explain it."),
        (met(2), "No verdict: a leads b, but chance could explain it."),
        (met(9) + apart(9, "b"), "Head to head: a is better than b. Over the field: no verdict, a and b are level."),
        (
            met(2) + apart(60, "b"),
            "Head to head: no verdict, a leads b, but chance could explain it. Over the field: b is better than a.",
        ),
        (
            met(2) + apart(3, "b"),
            "Head to head: no verdict, a leads b, but chance could explain it. "
            "Over the field: no verdict, b leads a, but chance could explain it.",
        ),
    ):
        assert " ".join(headlines(compared_games(*games))) == sentence


def test_a_mistyped_name_gets_a_suggestion(fa: Fa, tmp_path: Path) -> None:
    bots = dice(tmp_path / "bots", "greedy", "planner")
    assert fa("--home", tmp_path, *RUN, *bots, "--games", "2", "--seed", "x").returncode == 0
    done = fa("--home", tmp_path, "compare", "gredy", "planner")
    assert_refused(done, "gredy has not played in the logs; did you mean greedy?\n")


def test_copies_are_pooled(fa: Fa, home: Path) -> None:
    """a and b each met c in 8 games, over 4 deals; where they met each other, c was not there."""
    (pooled,) = rows(fa, home, "compare", "a,b", "c")
    single = [rows(fa, home, "compare", name, "c")[0] for name in "ab"]
    assert (pooled["first"], pooled["games"], pooled["blocks"], pooled["common"]) == ("a,b", 16, 8, 0)
    assert pooled["ahead"] == pytest.approx(sum(float(str(row["ahead"])) for row in single) / 2)


@pytest.mark.slow
def test_only_a_stop_by_one_of_the_two_matters(fa: Fa, home: Path, tmp_path: Path) -> None:
    """A tournament that was stopped by c against d leaves a and b a fixed sample, also where they play in it."""
    bots = dice(tmp_path / "bots", "a", "b", "c", "d")
    rule = ("--until", "decided", "--compare", "c,d", "--games", "24")
    play_quietly(tmp_path, *bots, *rule, "--players", "2", "--name", "s", "--seed", "x")
    for pair, is_fixed in (("ab", True), ("ac", False), ("dc", False)):
        assert rows(fa, tmp_path, "compare", *pair)[0]["fixed_sample"] is is_fixed
    assert "stopped early" not in fa("--home", tmp_path, "compare", "a", "b").stdout
    both, field = rows(fa, tmp_path, "compare", "c", "d")
    assert (both["sequential"], field["sequential"]) == ("not decided against d", "in s: not decided between c and d")
    assert rows(fa, tmp_path, "compare", "a,c", "d")[0]["sequential"] == "in s: not decided between c and d"
    assert rows(fa, tmp_path, "compare", "a", "c")[0]["sequential"] is None


def test_fields_and_parts(fa: Fa, home: Path) -> None:
    found = rows(fa, home, "compare", "a", "b", "--by", "side")
    assert [row["part"] for row in found if row["about"] == "head-to-head"] == ["all", "side=five", "side=six"]
    assert all(tuple(row) == comparison.ComparisonRow.__struct_fields__ for row in found)
    games = [row["games"] for row in found if row["about"] == "head-to-head"]
    assert games[0] == games[1] + games[2] == 8
    assert rows(fa, home, "compare", "b", "a")[0]["difference"] == -found[0]["difference"]
    text = fa("--home", home, "compare", "a", "b", "--format", "csv").stdout
    assert next(iter(csv.DictReader(io.StringIO(text))))["p_value"] == str(found[0]["p_value"])
    assert fa("--home", home, "compare", "a", "b", "--format", "markdown").stdout.startswith("| games of")


@pytest.mark.parametrize("command", [("leaderboard",), ("tournament", "show", "t")], ids=["leaderboard", "show"])
def test_other_tables(fa: Fa, home: Path, command: tuple[str, ...]) -> None:
    meetings = rows(fa, home, *command, "--matrix")
    assert [tuple(row) for row in meetings] == [head_to_head.HeadToHeadRow.__struct_fields__] * 6
    assert {row["games"] for row in meetings} == {8}
    assert [tuple(row) for row in rows(fa, home, *command, "--seats")] == [seat_values.SeatRow.__struct_fields__] * 2
    assert [tuple(row) for row in rows(fa, home, *command, "--faults")] == [faults.FaultRow.__struct_fields__] * 3


def test_the_matrix_for_people(fa: Fa, home: Path) -> None:
    heading, _, *lines = fa("--home", home, "leaderboard", "--matrix").stdout.splitlines()
    order = heading.split()[3:]
    assert sorted(order) == ["a", "b", "c"]
    assert [line.split()[0] for line in lines] == order
    assert all(line.count("of 8") == 2 for line in lines)


def test_by_seat(fa: Fa, home: Path) -> None:
    for row in rows(fa, home, "leaderboard", "--by", "seat"):
        assert row["seat 0 games"] == row["seat 1 games"] == 8
        assert row["seat 0 wins"] + row["seat 1 wins"] == pytest.approx(2 * row["wins"])
        assert row["seat 0 sigma"] > row["sigma"]


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("compare", "a", "a"), "a is named twice; name two different bots"),
        (("compare", "a,b", "b"), "b is named twice; name each bot once, on one side"),
        (("compare", "a,a", "b"), "a is named twice; name each bot once, on one side"),
        (("compare", "a,", "b"), "a bot's name is missing beside a comma"),
        (("compare", "a,q", "b"), "q has not played in the logs"),
        (("compare", "a", "q"), "q has not played in the logs"),
        (("compare", "a", "q", "t", "--game", "fifth-avenue"), "q has not played fifth-avenue in t"),
        (("compare", "a", "b", "nix"), "no tournament named nix"),
        (("leaderboard", "--matrix", "--seats"), "--matrix and --seats are two tables; ask for one at a time"),
    ],
)
def test_bad_input_is_one_sentence(fa: Fa, home: Path, args: tuple[str, ...], sentence: str) -> None:
    done = fa("--home", home, *args)
    assert_refused(done, sentence)


@pytest.mark.slow
def test_until_decided(fa: Fa, tmp_path: Path) -> None:
    """A bot that always fails is found to be worse after 7 blocks, whatever the number of jobs."""
    (tmp_path / "last.py").write_text(LAST)
    (tmp_path / "fails.py").write_text(LAST.replace('print(json.dumps({"action"', 'print("oops" or ({"action"'))
    logs = []
    for jobs in ("1", "3"):
        options = ("--until", "decided", "--margin", "0.3", "--seed", "x", "--jobs", jobs, "--name", f"j{jobs}")
        done = fa(*RUN, "last.py", "fails.py", *options)
        assert done.returncode == 0, done.stderr
        told = " ".join(done.stderr.split())
        assert "it stops early once it is decided whether last or fails is better by 0.3" in told
        assert (
            "decided after 7 blocks: last beats fails (place score +1.000); fails had a fault in 14 of 14 games" in told
        )
        logs.append([(entry.number, entry.players, entry.packed) for entry in read_log(tmp_path / f"logs/j{jobs}.log")])
    assert len(logs[0]) == 14
    assert logs[0] == logs[1]
    again = fa("tournament", "resume", "j1")
    assert again.returncode == 0, again.stderr
    assert len(list(read_log(tmp_path / "logs/j1.log"))) == 14
    states = {row["name"]: row["state"] for row in rows(fa, tmp_path, "tournament", "list")}
    assert states == {"j1": "finished", "j3": "finished"}
    board = json.loads(fa("tournament", "show", "j1", "--format", "json").stdout)
    shown = {row["bot"]: row["sequential"] for row in board}
    assert shown == {"last": "better than fails", "fails": "worse than last"}
    (row,) = rows(fa, tmp_path, "compare", "fails", "last", "j1")
    assert (row["verdict"], row["fixed_sample"], row["sequential"]) == ("last", False, "worse than last")
    told = " ".join(fa("compare", "fails", "last", "j1").stdout.split())
    assert told.startswith("last is better than fails, by the sequential test; fails had a fault in 14 of 14 games. ")
    assert (
        "j1 stopped early because of its own results, so no p-value is given, and these intervals are not valid" in told
    )
    assert (
        "j1: decided after 7 blocks: last beats fails (place score +1.000); fails had a fault in 14 of 14 games."
        in told
    )


def test_until_no_worse(fa: Fa, tmp_path: Path) -> None:
    """A bot passes that is better, and fails if it is worse; the definition says that only this was asked."""
    (tmp_path / "last.py").write_text(LAST)
    (tmp_path / "fails.py").write_text(LAST.replace('print(json.dumps({"action"', 'print("oops" or ({"action"'))
    options = ("--until", "no-worse", "--margin", "0.3", "--seed", "x")
    passed = fa(*RUN, "last.py", "fails.py", *options, "--name", "passed")
    told = " ".join(passed.stderr.split())
    assert "it stops early once it is decided whether last is worse than fails by 0.3 (alpha 0.05, beta 0.05)" in told
    assert re.search(r"decided after \d blocks: last is not worse than fails by 0.3 \(last leads by 1.000\)", told)
    failed = fa(*RUN, "fails.py", "last.py", *options, "--name", "failed")
    assert re.search(r"decided after \d blocks: last beats fails", failed.stderr)
    board = json.loads(fa("tournament", "show", "passed", "--format", "json").stdout)
    shown = {row["bot"]: row["sequential"] for row in board}
    assert shown == {"last": "no worse than fails", "fails": "not better than last"}
    evidence = json.loads(fa("tournament", "show", "failed", "--evidence", "--format", "json").stdout)
    assert [(row["bot"], row["found"]) for row in evidence] == [("fails", "worse"), ("last", "better")]
    told = " ".join(fa("compare", "last", "fails", "passed").stdout.split())
    assert told.startswith("last is no worse than fails, by the sequential test")
    before = (tmp_path / "tournaments/passed.json").read_bytes()
    assert json.loads(before)["until"]["one_sided"] is True
    more = fa("tournament", "resume", "passed", "--more", "2")
    assert (more.returncode, "\nfa: the test of passed has decided: begin another" in more.stderr) == (2, True)
    assert (tmp_path / "tournaments/passed.json").read_bytes() == before


def test_a_comparison_of_few_deals_has_a_caveat(fa: Fa, tmp_path: Path) -> None:
    bots = dice(tmp_path / "bots", "a", "b")
    for name, games in (("few", 8), ("enough", 24)):
        run = ("--home", tmp_path, "tournament", "run", *bots, "--duplicate", "rotations", "--seed", "x")
        assert fa(*run, "--games", games, "--name", name).returncode == 0
    compare = ("--home", tmp_path, "compare", "a", "b")
    rows = {name: json.loads(fa(*compare, name, "--format", "json").stdout)[0] for name in ("few", "enough")}
    assert [(row["blocks"], row["caveats"]) for row in rows.values()] == [(4, ["few-blocks"]), (12, [])]
    assert "~ fewer than 6 deals" in fa(*compare, "few").stdout
    assert "~" not in fa(*compare, "enough").stdout
    seats = json.loads(fa("--home", tmp_path, "leaderboard", "few", "--seats", "--format", "json").stdout)
    assert all("few-blocks" in row["caveats"] for row in seats)


PAIR = re.compile(
    r"^(?P<leader>[ab]) against [ab]: "
    r"Elo (?P<elo>[+-][0-9]+) \((?P<low>\S+) to (?P<high>\S+)\), LOS (?P<los>[0-9.]+)%, p = ",
    re.MULTILINE,
)


def test_two_bots_end_with_elo_and_los(fa: Fa, tmp_path: Path) -> None:
    """As fastchess reports a match: at the end of a run, in `show`, in leaderboards and with `--matrix`."""
    bots = dice(tmp_path / "bots", "a", "b")
    here = ("--home", tmp_path)
    runs = [fa(*here, *RUN, *bots, "--players", "2", "--games", "40", "--seed", "x", "--name", "t")]
    runs += [fa(*here, *args) for args in (("tournament", "show", "t"), ("leaderboard",), ("leaderboard", "--matrix"))]
    (row,) = rows(fa, tmp_path, "compare", "a", "b")
    direction = 1 if float(str(row["difference"])) > 0 else -1
    for done in runs:
        found = PAIR.search(done.stderr)
        assert found, done.stderr
        assert found["leader"] == ("a" if direction > 0 else "b")
        assert float(found["elo"]) == pytest.approx(direction * float(str(row["elo"])), abs=0.51)
        likelihood = float(str(row["los"])) if direction > 0 else 1 - float(str(row["los"]))
        assert float(found["los"]) == pytest.approx(100 * likelihood, abs=0.06)
        assert float(found["low"]) <= float(found["elo"]) <= float(found["high"])
    matrix = rows(fa, tmp_path, "leaderboard", "--matrix")
    assert [each["elo"] for each in matrix if each["bot"] == "a"] == [pytest.approx(row["elo"])]
    low, high = next(each["elo_interval"] for each in matrix if each["bot"] == "b")  # type: ignore[misc]
    assert low <= -float(str(row["elo"])) <= high


def test_elo_after_two_deals(fa: Fa, tmp_path: Path) -> None:
    """Each bot is ahead in half of so few games that any difference is possible."""
    options = ("--players", "2", "--games", "2", "--seed", "x", "--name", "t")
    done = fa("--home", tmp_path, *RUN, *dice(tmp_path / "bots", "a", "b"), *options)
    (line,) = [line for line in done.stderr.splitlines() if " against " in line]
    assert re.fullmatch(r"(a|b) against (a|b): Elo (\+0 \(no bounds yet\)|no upper bound)~, LOS [0-9.]+%, p = 1", line)


def test_more_than_two_bots_have_no_such_line(fa: Fa, home: Path) -> None:
    assert " against " not in fa("--home", home, "leaderboard").stderr
    assert " against " not in fa("--home", home, "leaderboard", "--matrix").stderr
    assert fa("--home", home, "--quiet", "leaderboard").stderr == ""


def test_an_early_stop_leaves_no_los(fa: Fa, tmp_path: Path) -> None:
    bots = dice(tmp_path / "bots", "a", "b")
    options = ("--until", "decided", "--games", "8", "--players", "2", "--seed", "x", "--name", "t")
    done = fa("--home", tmp_path, *RUN, *bots, *options)
    (line,) = [line for line in done.stderr.splitlines() if re.match("[ab] against [ab]: Elo", line)]
    assert "LOS" not in line
    assert line.endswith("~")


def test_the_legend_names_the_leader_first(fa: Fa, home: Path) -> None:
    row, *_ = rows(fa, home, "compare", "a", "c")
    leader, other = ("a", "c") if float(str(row["difference"])) > 0 else ("c", "a")
    legend = f"place score: {leader}'s share of rivals ranked ahead of, minus {other}'s: -1 to +1"
    assert all(legend in fa("--home", home, "compare", *pair).stdout.splitlines() for pair in ("ac", "ca"))
