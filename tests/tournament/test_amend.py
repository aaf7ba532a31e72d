"""What changes under way: bots join, retire, have new versions; and a log that was changed is not resumed."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import msgspec
import pytest

from fa_cli.errors import BotError, FaError, Impossible, LogError, UsageError
from fa_cli.game_result import GameResult
from fa_cli.replay.log_entry import LogEntry
from fa_cli.replay.log_file import START, read_after, read_log
from fa_cli.replay.log_writer import LogWriter
from fa_cli.tournament import definition as definition_file
from fa_cli.tournament.amend import Amendment, amend, next_version, unchanged_bots
from fa_cli.tournament.definition import TournamentPaths, load
from fa_cli.tournament.proof.verified_prefix import check_whole, remember
from fa_cli.tournament.running.run import schedule_from_log
from tests.tournament.running.test_run import define, entries, games, play

from .helpers import as_kept, dice

QUICK = {"options": {"side": "five", "turn_limit": "2"}, "players": 2}


def change(place: TournamentPaths, **wishes: object) -> list[str]:
    told: list[str] = []
    amend(place, msgspec.convert(wishes, Amendment), told.append)
    return told


def go_on(place: TournamentPaths) -> None:
    play(unchanged_bots(load(place.definition)), place, 2)


def players(place: TournamentPaths) -> list[set[str]]:
    return [set(entry.players) for entry in entries(place)]


def test_bots_join_and_retire(tmp_path: Path) -> None:
    definition, place = define(tmp_path, dice(tmp_path, "a", "b", "c"), schedule="ladder", games=10, **QUICK)
    play(definition, place, 2)
    before = games(place)
    (new,) = dice(tmp_path / "more", "new")
    assert change(place, add=[str(new)], retire=["a"], more_games=14) == ["a leaves", "new joins"]
    go_on(place)
    assert games(place)[:10] == before
    assert len(before) + 14 == len(entries(place))
    assert any("new" in group for group in players(place)[10:])
    assert not any("a" in group for group in players(place)[10:])
    go_on(place)  # it is over, and stays as it is
    assert len(entries(place)) == 24
    assert schedule_from_log(load(place.definition), place.log).is_over


@pytest.mark.slow
def test_a_changed_bot_is_a_new_version_if_that_is_wanted(tmp_path: Path) -> None:
    bots = dice(tmp_path, "a", "b")
    for name in "round-robin", "ladder":
        definition, place = define(tmp_path, bots, name, schedule=name, games=12, **QUICK)
        play(msgspec.structs.replace(definition, games=5), place)
        bots[1].write_text(bots[1].read_text() + "\n")
        with pytest.raises(
            BotError, match=r"b\.py has changed since .* began; .* \(with --update it plays on as a new"
        ):
            unchanged_bots(load(place.definition))
        with pytest.raises(BotError, match="has changed"):
            change(place, more_games=3)
        assert load(place.definition) == as_kept(definition)
        assert change(place, update=True) == ["b plays on as b+2"]
        assert change(place, update=True) == []
        go_on(place)
        assert players(place) == [{"a", "b"}] * 5 + [{"a", "b+2"}] * 7
        bots[1].write_text(bots[1].read_text().removesuffix("\n"))


def test_names_of_versions() -> None:
    assert next_version("greedy", ["greedy"]) == "greedy+2"
    assert next_version("greedy+2", ["greedy", "greedy+2", "greedy+3"]) == "greedy+4"
    assert len(next_version("x" * 60, [])) <= 60


def test_what_can_not_be_changed(tmp_path: Path) -> None:
    a, b, c = dice(tmp_path, "a", "b", "c")
    _, ladder = define(tmp_path, [a, b], "ladder", schedule="ladder", games=4, **QUICK)
    _, robin = define(tmp_path, [a, b], "robin", games=4, **QUICK)
    _, swiss = define(tmp_path, [a, b], "swiss", schedule="swiss", **QUICK)
    before = [place.definition.read_bytes() for place in (ladder, robin, swiss)]
    wrong: list[tuple[TournamentPaths, dict[str, object], type[FaError], str]] = [
        (robin, {"add": [str(c)]}, Impossible, "--add is for a ladder: robin is a round-robin"),
        (robin, {"retire": ["a"]}, Impossible, "--retire is for a ladder"),
        (swiss, {"more_games": 3}, Impossible, "--more is not for a swiss"),
        (ladder, {"retire": ["z"]}, UsageError, "no bot named 'z' to retire; the bots are a, b"),
        (ladder, {"retire": ["A"]}, UsageError, "no bot named 'A' to retire"),
        (ladder, {"retire": ["a"]}, Impossible, "needs 2 bots at a table, and 1 would be left"),
        (ladder, {"add": [str(a)]}, UsageError, "there is a bot a in ladder already"),
        (ladder, {"add": [str(tmp_path / "nix.py")]}, BotError, "no such file"),
    ]
    for place, wishes, kind, text in wrong:
        with pytest.raises(kind, match=text):
            change(place, **wishes)
    assert [place.definition.read_bytes() for place in (ladder, robin, swiss)] == before


def test_a_log_with_another_winner_is_refused(tmp_path: Path) -> None:
    """Written anew, with every frame in order: only playing the game again shows it."""
    definition, place = define(tmp_path, dice(tmp_path, "a", "b"), games=4, **QUICK)
    check_whole(place)  # there is no log yet
    play(msgspec.structs.replace(definition, games=3), place)
    check_whole(place)
    kept = list(read_log(place.log))
    place.log.unlink()
    with LogWriter(place.log) as log:
        for entry in kept:
            result = entry.result
            if entry.index == 1:
                result = GameResult(result.scores[::-1], result.ranks[::-1], result.reason)
            log.append_entry(msgspec.structs.replace(entry, result=result))
    with pytest.raises(LogError, match=r"test\.log: record 2: .*; it is not resumed"):
        check_whole(place)


def test_what_was_checked_is_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only games after the mark that is remembered; a log that does not hold it is checked from its beginning."""
    definition, place = define(tmp_path, dice(tmp_path, "a", "b"), games=6, **QUICK)
    play(msgspec.structs.replace(definition, games=4), place)
    checked: list[int] = []

    def check(entry: LogEntry) -> None:
        checked.append(entry.index)

    monkeypatch.setattr("fa_cli.tournament.proof.verified_prefix.check", check)
    check_whole(place)
    assert checked == []  # the run that wrote them remembered them
    marks = [mark for _, mark in read_after(place.log, START)]
    remember(place.log, marks[1])
    check_whole(place)
    assert checked == [2, 3]
    remember(place.log, msgspec.structs.replace(marks[1], tag=b"another "))
    whole = []
    monkeypatch.setattr("fa_cli.tournament.proof.verified_prefix.verify_file", lambda log, tell: whole.append(log))
    check_whole(place)
    assert whole == [place.log]


@pytest.mark.slow
def test_half_a_game_at_the_end_is_no_change(tmp_path: Path) -> None:
    definition, place = define(tmp_path, dice(tmp_path, "a", "b"), games=4, **QUICK)
    play(msgspec.structs.replace(definition, games=3), place)
    whole = place.log.read_bytes()
    place.log.write_bytes(whole[:-5])
    check_whole(place)
    go_on(place)
    assert len(entries(place)) == 4


@pytest.mark.slow
def test_a_full_disk_leaves_the_definition_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    definition, place = define(tmp_path, dice(tmp_path, "a", "b"), games=2, **QUICK)
    before = place.definition.read_bytes()

    def full(file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    play(definition, place)
    monkeypatch.setattr(definition_file.os, "fsync", full)
    with pytest.raises(UsageError, match=r"cannot write .*test\.json: No space left on device"):
        definition_file.replace(place, msgspec.structs.replace(definition, games=4))
    monkeypatch.undo()
    assert place.definition.read_bytes() == before
    assert list(place.definition.parent.iterdir()) == [place.definition]
    change(place, more_games=2)
    go_on(place)
    assert len(entries(place)) == 4
