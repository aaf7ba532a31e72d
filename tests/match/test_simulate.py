"""Random games: the same seed, the same games; each choice uniform; every record good."""

from __future__ import annotations

from collections import Counter

import pytest

import fa_cli.games
from fa_cli.errors import BadOption, BadPlayers, UnknownGame
from fa_cli.games.seed import Seed
from fa_cli.match import simulate
from fa_cli.match.simulate import Simulation, make_simulation
from fa_cli.replay.log_entry import entry_of
from fa_cli.replay.verify import check


@pytest.fixture(autouse=True)
def toy_is_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fa_cli.games.MODULES, "toy", "tests.toy_game")


def toys(games: int, seed: str = "x", players: int = 3) -> Simulation:
    return make_simulation("toy", players, {"rule": "wild"}, games, seed)


def test_records_are_good_and_packed_as_they_would_be() -> None:
    for record, packed in toys(20).play_all(1):
        assert check(record) is None
        assert entry_of(record).packed == packed


def test_what_a_record_says_of_itself() -> None:
    record, _ = toys(9).play(7)
    seed = Seed.from_text("x")
    assert record.players == ["random#1", "random#2", "random#3"]
    assert record.options == {"rule": "wild", "rounds": 4}
    assert record.seed == seed.of_game(7).hex()
    assert record.meta == {"tournament": {"name": "simulate", "seed": seed.hex(), "games": 9}, "number": 7}


def test_the_seed_tells_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "_MIN_PARALLEL", 1)
    monkeypatch.setattr(simulate, "_BATCH", 4)
    one = list(toys(30).play_all(1))
    assert one == list(toys(30).play_all(3))
    assert [record.actions for record, _ in one] != [record.actions for record, _ in toys(30, "y").play_all(1)]
    assert len({record.digest for record, _ in one}) == 30


def test_choices_are_uniform() -> None:
    first = Counter(record.actions[0] for record, _ in toys(600).play_all(1))
    share = sum(1 / len(entry_of(record).record(legal=True).legal[0]) for record, _ in toys(600).play_all(1))  # type: ignore[arg-type]
    assert abs(first["draw"] - share) < 4 * (600 * 0.25) ** 0.5


def test_what_can_not_be_planned() -> None:
    with pytest.raises(UnknownGame):
        make_simulation("chess", None, {}, 1, None)
    with pytest.raises(BadOption):
        make_simulation("toy", None, {"rule": "odd"}, 1, None)
    with pytest.raises(BadPlayers):
        make_simulation("toy", 5, {}, 1, None)


def test_what_is_not_said() -> None:
    first, second = make_simulation("toy", None, {"rounds": "7"}, 1, None), make_simulation("toy", None, {}, 1, None)
    assert first.players == 4
    assert first.options == {"rule": "plain", "rounds": 7}
    assert first.seed != second.seed
