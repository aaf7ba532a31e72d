"""A log against its schedule: whatever is done to its games is found and named, by someone who chains them anew too."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec
import pytest

import fa_cli.games
from fa_cli.match.simulate import choices_of, simulate_game
from fa_cli.replay.log_writer import LogWriter
from fa_cli.replay.record import Record, seat_names
from fa_cli.replay.verify import Finding
from fa_cli.replay.verify_files import verify_file
from fa_cli.tournament.definition import Definition, Setting
from fa_cli.tournament.formats.swiss import Swiss
from fa_cli.tournament.proof.audit import audit
from fa_cli.tournament.schedule import Schedule
from tests.replay.test_log_file import split
from tests.tournament.helpers import definition
from tests.toy_game import TOY

GAMES = 12


@pytest.fixture(autouse=True)
def toy_is_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fa_cli.games.MODULES, "toy", "tests.toy_game")


def toys(**changes: object) -> Definition:
    """A tournament of four bots, two at a table."""
    made = definition([Setting("toy", msgspec.to_builtins(TOY.options()), 2, [0, 1, 2, 3])], GAMES)
    return msgspec.structs.replace(made, **changes)


def played(wanted: Definition) -> list[Record]:
    """All its games, as bots that choose at random would play them."""
    course, records = Schedule(wanted), []
    while job := course.next_job():
        number, seed = job.number, wanted.seed
        names = seat_names([wanted.bots[bot].name for bot in job.seats])
        meta = {"tournament": wanted.source(), "number": number}
        choices = choices_of(seed, job.index)
        record, _ = simulate_game(TOY, TOY.options(), names, seed.of_game(number), choices, meta)
        records.append(record)
        course.report_result(record.result.ranks, set())
    return records


def write(path: Path, records: Iterable[Record]) -> Path:
    with LogWriter(path, new=True) as log:
        for record in records:
            log.append(record)
    return path


def findings(wanted: Definition, log: Path) -> tuple[list[str], bool]:
    """All that is wrong, and whether all games are there."""
    found: list[Finding] = []
    verify_file(log, found.append, 1)
    return [str(finding) for finding in found], audit(wanted, log, found.append).is_over


def audited(wanted: Definition, log: Path) -> tuple[list[str], bool]:
    found: list[Finding] = []
    is_over = audit(wanted, log, found.append).is_over
    return [str(finding) for finding in found], is_over


@pytest.mark.parametrize("wanted", [toys(), toys(format_spec=Swiss(rounds=3, sets=1))], ids=["round-robin", "swiss"])
def test_an_honest_log(tmp_path: Path, wanted: Definition) -> None:
    log = write(tmp_path / "a.log", played(wanted))
    assert findings(wanted, log) == ([], True)
    assert audited(wanted, log) == ([], True)


@pytest.mark.parametrize("gone", range(GAMES))
def test_a_game_taken_out(tmp_path: Path, gone: int) -> None:
    records = played(toys())
    del records[gone]
    told, is_over = audited(toys(), write(tmp_path / "a.log", records))
    if gone == GAMES - 1:
        assert (told, is_over) == ([], False)
    else:
        assert told == [f"record {gone + 1}: it is game {gone + 2}, and game {gone + 1} should come before it"]


@pytest.mark.parametrize("twice", range(GAMES))
def test_a_game_that_is_there_twice(tmp_path: Path, twice: int) -> None:
    records = played(toys())
    records.insert(twice + 1, records[twice])
    told, _ = audited(toys(), write(tmp_path / "a.log", records))
    last = "the tournament has only 12 games"
    right = f"it is game {twice + 1} and does not belong here, where game {twice + 2} should be"
    assert told == [f"record {twice + 2}: {last if twice == GAMES - 1 else right}"]


def test_games_that_changed_places(tmp_path: Path) -> None:
    records = played(toys())
    records[3], records[7] = records[7], records[3]
    told, is_over = audited(toys(), write(tmp_path / "a.log", records))
    assert told[0] == "record 4: it is game 8, and games 4 to 7 should come before it"
    assert "record 8: it is game 4 and does not belong here, where game 9 should be" in told
    assert is_over


@pytest.mark.parametrize("place", [0, 5, GAMES])
def test_a_game_of_another_tournament_put_in(tmp_path: Path, place: int) -> None:
    records = played(toys())
    records.insert(place, played(toys(name="other"))[4])
    told, _ = audited(toys(), write(tmp_path / "a.log", records))
    assert len(told) == 1
    assert told[0].startswith(f"record {place + 1}: ")
    assert "only 12 games" in told[0] if place == GAMES else 'tournament: expected {"name":"test"' in told[0]


def other_players(record: Record) -> None:
    record.players = ["bot9", record.players[1]]


def other_number(record: Record) -> None:
    record.meta["number"] = 77


def other_options(record: Record) -> None:
    record.options["rule"] = "wild"


def other_deal(record: Record) -> None:
    record.seed = "11" * 32


@pytest.mark.parametrize("change", [other_players, other_number, other_options, other_deal])
@pytest.mark.parametrize("place", [0, 6, GAMES - 1])
def test_a_game_that_was_exchanged(tmp_path: Path, change: Callable[[Record], None], place: int) -> None:
    records = played(toys())
    change(records[place])
    told, is_over = audited(toys(), write(tmp_path / "a.log", records))
    assert len(told) == 1
    assert told[0].startswith(f"record {place + 1}: it is not game {place + 1} of the tournament: ")
    assert is_over


def test_where_the_schedule_follows_from_results_the_first_game_is_named(tmp_path: Path) -> None:
    wanted = toys(format_spec=Swiss(rounds=3, sets=1))
    records = played(wanted)
    del records[5]
    told, is_over = audited(wanted, write(tmp_path / "a.log", records))
    assert told[0].startswith("record 6: it is ")
    assert told[1].startswith("record 6: what was to be played from here on")
    assert not is_over


@pytest.mark.parametrize("how", ["cut", "deleted", "doubled", "swapped"])
@pytest.mark.parametrize("place", [0, 4, GAMES - 2])
def test_frames_moved_without_chaining_them_anew(tmp_path: Path, how: str, place: int) -> None:
    log = write(tmp_path / "a.log", played(toys()))
    first, *frames = split(log.read_bytes())
    if how == "cut":
        del frames[place + 1 :]
    elif how == "deleted":
        del frames[place]
    elif how == "doubled":
        frames.insert(place, frames[place])
    else:
        frames[place], frames[place + 1] = frames[place + 1], frames[place]
    log.write_bytes(b"".join([first, *frames]))
    told, is_over = findings(toys(), log)
    if how == "cut":
        assert (told, is_over) == ([], False)
    else:
        assert any(line.startswith((f"record {place + 1}:", f"record {place + 2}:")) for line in told)
        assert all("it is not game" not in line for line in told), "what is whole is still what it was"


def test_damage_does_not_hide_what_comes_after_it(tmp_path: Path) -> None:
    records = played(toys())
    other_players(records[9])
    log = write(tmp_path / "a.log", records)
    data = bytearray(log.read_bytes())
    data[len(b"".join(split(bytes(data))[:4])) + 20] ^= 1
    log.write_bytes(data)
    told, _ = audited(toys(), log)
    assert [line.split(":")[0] for line in told] == ["record 10"]
    swiss = toys(format_spec=Swiss(rounds=3, sets=1))
    other = write(tmp_path / "b.log", played(swiss))
    data = bytearray(other.read_bytes())
    data[len(b"".join(split(bytes(data))[:4])) + 20] ^= 1
    other.write_bytes(data)
    told, _ = audited(swiss, other)
    assert "follows from results that are lost" in told[0]
