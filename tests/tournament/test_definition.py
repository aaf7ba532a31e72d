"""The definition of a tournament: what is played when little is said, and its file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fa_cli.errors import BadOption, BadPlayers, BotError, LogError, UsageError
from fa_cli.games import find_game
from fa_cli.games.seed import Seed, decode_seed, encode_seed
from fa_cli.isolation.discovery import Bot
from fa_cli.isolation.limits import Limits
from fa_cli.leaderboard.labels import bots_of, describe_variant
from fa_cli.tournament.definition import (
    Definition,
    TournamentPaths,
    check_name_is_free,
    create,
    free_name,
    load,
    make_settings,
    replace,
)
from fa_cli.tournament.request import Duplicate, DuplicateChoice
from fa_cli.tournament.setup import describe_deals, resolve_duplicate
from fa_cli.transparency.beacon import Beacon
from tests.tournament.helpers import as_kept, definition, play_out, setting
from tests.toy_game import TOY

FIFTH_AVENUE = find_game("fifth-avenue")


def bots(count: int, *games: str) -> list[Bot]:
    return [Bot(f"bot{place}", f"bot{place}.py", ("true",), "/", games=games) for place in range(count)]


def test_both_sides_and_four_players_when_nothing_is_said() -> None:
    settings = make_settings([FIFTH_AVENUE], bots(6))
    assert [(one.game, one.options["side"], one.players) for one in settings] == [
        ("fifth-avenue", "five", 4),
        ("fifth-avenue", "six", 4),
    ]
    assert settings[0].bots == [0, 1, 2, 3, 4, 5]
    assert settings[0].options == {"side": "five", "setup": "alea", "turn_limit": 100}


@pytest.mark.parametrize(("count", "players"), [(2, 2), (3, 3), (4, 4), (9, 4)])
def test_fewer_players_if_there_are_fewer_bots(count: int, players: int) -> None:
    assert {one.players for one in make_settings([FIFTH_AVENUE], bots(count))} == {players}


def test_an_option_goes_before_the_tour() -> None:
    (one,) = make_settings([FIFTH_AVENUE], bots(4), options={"side": "six"})
    assert one.options["side"] == "six"
    both = make_settings([FIFTH_AVENUE], bots(4), options={"setup": "rio-grande"})
    assert [(one.options["side"], one.options["setup"]) for one in both] == [
        ("five", "rio-grande"),
        ("six", "rio-grande"),
    ]


def test_several_games_and_an_option_of_one() -> None:
    settings = make_settings([FIFTH_AVENUE, TOY], bots(4), options={"rule": "wild"})
    assert [(one.game, one.options.get("side"), one.options.get("rule")) for one in settings] == [
        ("fifth-avenue", "five", None),
        ("fifth-avenue", "six", None),
        ("toy", None, "wild"),
    ]


def test_bots_play_only_what_they_can() -> None:
    mixed = [*bots(2), Bot("toys", "toys.py", ("true",), "/", games=("toy",))]
    settings = make_settings([FIFTH_AVENUE, TOY], mixed)
    assert {(one.game, *one.bots) for one in settings} == {("fifth-avenue", 0, 1), ("toy", 0, 1, 2)}


def test_repeats_fill_the_table() -> None:
    assert {one.players for one in make_settings([FIFTH_AVENUE], bots(2), players=4, repeats=True)} == {4}
    assert {one.players for one in make_settings([FIFTH_AVENUE], bots(2), repeats=True)} == {2}
    assert {one.players for one in make_settings([FIFTH_AVENUE], bots(1), repeats=True)} == {2}


@pytest.mark.parametrize(
    ("count", "asked", "error", "text"),
    [
        (1, {}, UsageError, "fifth-avenue with 2 players needs 2 bots that play it, and there is only bot0"),
        (2, {"players": 3}, UsageError, "needs 3 bots that play it, and there are only bot0 and bot1"),
        (0, {}, UsageError, "there is none"),
        (4, {"players": 7}, BadPlayers, "fifth-avenue is for 2, 3 or 4 players, not 7"),
        (4, {"options": {"side": "ten"}}, BadOption, "side is five or six, not 'ten'"),
        (4, {"options": {"colour": "red"}}, BadOption, "no option 'colour'"),
    ],
)
def test_what_can_not_be(count: int, asked: dict[str, object], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        make_settings([FIFTH_AVENUE], bots(count), **asked)  # type: ignore[arg-type]


def test_too_few_bots_for_one_of_the_games() -> None:
    with pytest.raises(UsageError, match="toy with 2 players needs 2 bots that play it, and there is none"):
        make_settings([FIFTH_AVENUE, TOY], bots(4, "fifth-avenue"))


def test_seeds() -> None:
    assert Seed.from_system() != Seed.from_system()
    assert Seed.from_hex(str(Seed.from_text("spring"))) == Seed.from_text("spring")
    for wrong in ("12", "xy" * 32, "AB" * 32, ""):
        with pytest.raises(ValueError, match="64 hex digits"):
            Seed.from_hex(wrong)
    with pytest.raises(UsageError, match="--seed is empty"):
        Seed.from_text("")
    with pytest.raises(UsageError, match=r"invalid --seed 'a\\udcff': use a text in UTF-8"):
        Seed.from_text("a\udcff")


@pytest.fixture
def place(tmp_path: Path) -> TournamentPaths:
    return TournamentPaths(tmp_path / "tournaments" / "test.json", tmp_path / "logs" / "test.log")


WHOLE = definition(make_settings([FIFTH_AVENUE], bots(4)), 8)


def test_a_definition_is_kept(place: TournamentPaths) -> None:
    create(place, WHOLE)
    assert load(place.definition) == as_kept(WHOLE)
    assert list(place.definition.parent.iterdir()) == [place.definition]
    assert not place.log.exists()


def test_a_definition_is_never_readable_by_others(place: TournamentPaths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "chmod", lambda path, mode: pytest.fail(f"{path} was made {mode:o} later"))
    before = os.umask(0)
    try:
        create(place, WHOLE)
        assert place.definition.stat().st_mode & 0o777 == 0o600
        replace(place, msgspec.structs.replace(WHOLE, games=16))
        assert place.definition.stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(before)


def test_what_the_log_says_of_the_sandbox() -> None:
    assert "sandbox" not in WHOLE.source()
    open_ = msgspec.structs.replace(WHOLE, limits=Limits(unsandboxed="--sandbox none"))
    assert open_.source() == {**WHOLE.source(), "sandbox": False}


def test_nothing_is_overwritten(place: TournamentPaths) -> None:
    create(place, WHOLE)
    before = place.definition.read_bytes()
    with pytest.raises(UsageError, match=r"there is a tournament test already .* fa tournament resume test"):
        create(place, msgspec.structs.replace(WHOLE, games=9))
    assert place.definition.read_bytes() == before
    place.definition.unlink()
    place.log.write_text("something")
    with pytest.raises(UsageError, match=r"there is a log .*test\.log already"):
        create(place, WHOLE)
    with pytest.raises(UsageError):
        check_name_is_free(place, "test")
    assert not place.definition.exists()


TWICE = msgspec.structs.replace(WHOLE.settings[0], bots=[*WHOLE.settings[0].bots, 0])


def encoded(changed: Any) -> bytes:
    return msgspec.json.encode(changed, enc_hook=encode_seed)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", "is not a definition of a tournament"),
        (b"{}", "is not a definition of a tournament: Object missing required field"),
        (b"\xff\xfe", "is not a definition of a tournament"),
        (encoded(WHOLE).replace(b"fa-tournament/1", b"fa-tournament/2"), "format"),
        (encoded(WHOLE).replace(b"00" * 32, b"12"), "a seed is 64 hex digits, not '12'"),
        (encoded(WHOLE).replace(b"00" * 32, b"xy" * 32), "a seed is 64 hex digits, not 'xyxy"),
        (encoded(msgspec.structs.replace(WHOLE, games=0)), "Expected `int` >= 1 - at `..games`"),
        (encoded(msgspec.structs.replace(WHOLE, games=10**20)), "Expected `int` <= 10000000 - at `..games`"),
        (encoded(msgspec.structs.replace(WHOLE, settings=[])), "it plays nothing"),
        (encoded(msgspec.structs.replace(WHOLE, settings=[setting(5, 4)])), "it has 4"),
        (encoded(msgspec.structs.replace(WHOLE, settings=[TWICE])), "its settings name a bot twice"),
        (
            encoded(msgspec.structs.replace(WHOLE, bots=[*WHOLE.bots, *WHOLE.bots])),
            "two of its bots have the same name",
        ),
        (encoded(msgspec.structs.replace(WHOLE, settings=[setting(4, 9)])), "not 9"),
        (encoded(msgspec.structs.replace(WHOLE, settings=[setting(4, 4, side="ten")])), "not 'ten'"),
    ],
)
def test_a_file_that_is_none(place: TournamentPaths, content: bytes, text: str) -> None:
    place.definition.parent.mkdir()
    place.definition.write_bytes(content)
    with pytest.raises(LogError, match=text):
        load(place.definition)


def test_the_next_free_name(tmp_path: Path) -> None:
    assert free_name("toy", [tmp_path, tmp_path / "nowhere"]) == "toy-1"
    (tmp_path / "toy-1.log").touch()
    (tmp_path / "toy-2.json").touch()
    assert free_name("toy", [tmp_path]) == "toy-3"


@pytest.mark.parametrize(
    ("players", "its"),
    [
        (["a", "b"], ["a", "b"]),
        (["a#1", "b", "a#2"], ["a", "b", "a"]),
        (["a#1", "b"], ["a#1", "b"]),
        (["a#2", "a#1"], ["a#2", "a#1"]),
        (["c#", "c#1"], ["c#", "c#1"]),
    ],
)
def test_bots_of_seats(players: list[str], its: list[str]) -> None:
    assert bots_of(players) == its


def test_a_variant_in_words() -> None:
    usual = {"side": "five", "setup": "alea", "turn_limit": 100}
    assert describe_variant("fifth-avenue", usual, 3) == "fifth-avenue side=five players=3"
    other = usual | {"turn_limit": 5}
    assert describe_variant("fifth-avenue", other, 3) == "fifth-avenue side=five turn_limit=5 players=3"
    assert describe_variant("go", {"size": 19}, 2) == "go size=19 players=2"


def test_auto_chooses_rotations_for_two_and_fresh_deals_for_more() -> None:
    auto = DuplicateChoice.AUTO
    assert [auto.resolve(players) for players in (2, 3, 4, 5)] == [Duplicate.ROTATIONS, *[Duplicate.OFF] * 3]
    for choice in DuplicateChoice:
        if choice is not auto:
            assert [choice.resolve(players).value for players in (2, 3)] == [choice.value] * 2


def test_a_definition_has_what_was_chosen() -> None:
    fours, twos = setting(6, 4), setting(6, 2)
    assert resolve_duplicate(DuplicateChoice.AUTO, [fours]) == (Duplicate.OFF, [fours])
    assert resolve_duplicate(DuplicateChoice.AUTO, [twos]) == (Duplicate.ROTATIONS, [twos])
    assert resolve_duplicate(DuplicateChoice.ROTATIONS, [fours, twos]) == (Duplicate.ROTATIONS, [fours, twos])
    _, both = resolve_duplicate(DuplicateChoice.AUTO, [fours, twos])
    assert [each.duplicate for each in both] == [Duplicate.OFF, Duplicate.ROTATIONS]
    assert describe_deals(definition(both, 24)) == (
        "2 players: each deal in all rotations of the seats, 4 players: a fresh deal for each game"
    )
    assert describe_deals(definition([fours], 24)) == "each deal in all rotations of the seats"


def test_an_older_definition_plays_as_before() -> None:
    """Its settings have no `duplicate`, and `duplicate` itself may be absent; that means rotations."""
    old = definition([setting(6, 4)], 24)
    fields = msgspec.json.decode(msgspec.json.encode(old, enc_hook=encode_seed))
    assert "duplicate" not in fields["settings"][0]
    del fields["duplicate"]
    read = msgspec.json.decode(msgspec.json.encode(fields), type=Definition, dec_hook=decode_seed)
    assert read == old
    assert [job.number for job in play_out(read)] == [index // 4 for index in range(24)]


def test_a_path_that_is_not_utf_8_is_refused(place: TournamentPaths, tmp_path: Path) -> None:
    bot = msgspec.structs.replace(WHOLE.bots[0], path=os.fsdecode(bytes(tmp_path / "bots") + b"/x\xff\xfey"))
    with pytest.raises(BotError, match=r"bots/x\\udcff\\udcfey: the path of a bot in a tournament must be UTF-8"):
        create(place, msgspec.structs.replace(WHOLE, bots=[bot, *WHOLE.bots[1:]]))
    assert not place.definition.exists()


def test_an_anonymous_tournament_can_wait_for_a_public_random_value(tmp_path: Path) -> None:
    paths = TournamentPaths(tmp_path / "tournaments/test.json", tmp_path / "logs/test.log")
    whole = definition([setting(4, 2)], games=12)
    create(paths, msgspec.structs.replace(whole, anonymous=True, beacon=Beacon(1000)))
    waiting = load(paths.definition)
    with pytest.raises(UsageError, match="give it with --beacon"):
        waiting.source()
