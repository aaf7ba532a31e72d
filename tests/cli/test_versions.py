"""A bot's name with different files in two tournaments: versions are reported, and split on request."""

from __future__ import annotations

import json
from pathlib import Path

from tests.conftest import Fa
from tests.inside import fa as fa
from tests.tournament.helpers import dice

RUN = ("--quiet", "tournament", "run", "--sandbox", "none", "--games", "2", "bots/a.py", "bots/b.py")


def test_a_name_that_held_several_versions(fa: Fa, tmp_path: Path) -> None:
    dice(tmp_path / "bots", "a", "b")
    assert fa(*RUN, "--name", "one").returncode == 0
    (before, *_) = json.loads((tmp_path / "tournaments/one.json").read_text())["bots"]
    alone = fa("leaderboard")
    assert alone.stderr.startswith(("a against b: Elo ", "b against a: Elo "))
    assert alone.stderr.count("\n") == 1
    with (tmp_path / "bots/a.py").open("a") as file:
        file.write("# another version\n")
    assert fa(*RUN, "--name", "two").returncode == 0
    (after, *_) = json.loads((tmp_path / "tournaments/two.json").read_text())["bots"]
    both = fa("leaderboard", "--format", "json")
    assert {row["bot"]: row["games"] for row in json.loads(both.stdout)} == {"a": 4, "b": 4}
    assert (
        both.stderr == "a had 2 versions, told apart by their files; its row is that of all (--by version splits it)\n"
    )
    compared = fa("compare", "a", "b", "--format", "json")
    old, new = before["digest"][:8], after["digest"][:8]
    assert compared.stderr == (
        f"a had 2 versions, told apart by their files: {old} in one, {new} in two; name the tournaments of one to "
        "compare it alone\n"
    )
    assert "several-versions" in json.loads(compared.stdout)[0]["caveats"]
    assert (
        "\n~ a name stood for several versions of a bot: the figures are those of all\n"
        in fa("compare", "a", "b").stdout
    )
    alone = fa("compare", "a", "b", "two", "--format", "json")
    assert (alone.stderr, json.loads(alone.stdout)[0]["caveats"]) == ("", ["few-blocks"])
    report = fa("report", "--format", "markdown").stdout
    assert "a had 2 versions, told apart by their files; its row is that of all (fa leaderboard --by" in report
    split = fa("leaderboard", "--by", "version", "--format", "json")
    assert split.stderr == ""
    games = {row["bot"].partition("@")[0] + "@": row["games"] for row in json.loads(split.stdout)}
    assert games == {"a@": 2, "b@": 4}
    names = {row["bot"] for row in json.loads(split.stdout)}
    assert {f"a@{before['digest'][:8]}", f"a@{after['digest'][:8]}"} < names
    (tmp_path / "tournaments/two.json").unlink()
    lost = fa("leaderboard", "--by", "version", "--format", "json").stdout
    assert "a@unknown" in {row["bot"] for row in json.loads(lost)}
    (tmp_path / "logs/index.sqlite").unlink()
    assert fa("leaderboard", "--by", "version", "--format", "json").stdout == lost  # the ratings, too


def test_tournaments_of_the_same_name_in_two_homes(fa: Fa, tmp_path: Path) -> None:
    logs, digests = [], set()
    for home, more in ("one", ""), ("two", "# another version\n"):
        for bot in dice(tmp_path / "bots", "a", "b"):
            bot.write_text(bot.read_text() + more)
        assert fa("--home", home, *RUN, "--name", "final").returncode == 0
        logs.append(f"{home}/logs/final.log")
        definition = json.loads((tmp_path / home / "tournaments/final.json").read_text())
        digests |= {f"{bot['name']}@{bot['digest'][:8]}" for bot in definition["bots"]}
    split = json.loads(fa("leaderboard", *logs, "--by", "version", "--format", "json").stdout)
    assert {row["bot"] for row in split} == digests
    results = json.loads(fa("results", *logs, "--format", "json").stdout)
    assert {f"{row['bot']}@{row['version']}" for row in results} == digests


def test_two_names_for_the_same_files(fa: Fa, tmp_path: Path) -> None:
    dice(tmp_path / "bots", "a", "b")
    done = fa(*RUN[1:], "twin=bots/a.py", "--name", "one")
    assert "\na and twin have the same files\n" in done.stderr
    assert fa("compare", "a", "twin").stderr.endswith("a and twin have the same files\n")
    assert "same files" not in fa("compare", "a", "b").stderr


def test_a_new_version_in_a_tournament_is_the_same_as_in_another(fa: Fa, tmp_path: Path) -> None:
    dice(tmp_path / "bots", "a", "b")
    assert fa(*RUN, "--name", "one").returncode == 0
    with (tmp_path / "bots/a.py").open("a") as file:
        file.write("# another version\n")
    assert fa("--quiet", "tournament", "resume", "one", "--update", "--more", "2").returncode == 0
    assert fa(*RUN, "--name", "two").returncode == 0
    rows = json.loads(fa("leaderboard", "--by", "version", "--format", "json").stdout)
    assert sorted(row["games"] for row in rows if row["bot"].startswith("a@")) == [2, 4]
