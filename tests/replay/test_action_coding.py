"""Packing of actions: every game survives a round trip, and any other bytes are refused."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate
from operator import mul

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fa_cli.errors import LogError
from fa_cli.games import GAMES, is_compiled
from fa_cli.games.game import Game
from fa_cli.games.state import State
from fa_cli.match.simulate import make_simulation
from fa_cli.replay import action_coding
from fa_cli.replay.action_coding import BLOCK_BYTES, ActionPacker, pack_actions, unpack_actions
from fa_cli.replay.record import Record
from tests.replay.conftest import toy_record
from tests.toy_game import TOY


class Sizes(State):
    """The parts of a state that unpacking needs: decisions with these numbers of legal actions."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self.sizes, self.ply, self.actor = sizes, 0, 0 if sizes else -1

    def legal(self) -> range:
        return range(self.sizes[self.ply])

    def apply(self, action: int) -> None:
        self.ply += 1
        self.actor = 0 if self.ply < len(self.sizes) else -1


TEXTS = tuple(str(number) for number in range(300))
decisions = st.lists(
    st.one_of(st.integers(1, 6), st.integers(1, 300)).flatmap(
        lambda size: st.tuples(st.integers(0, size - 1), st.just(size))
    ),
    max_size=400,
)


def pack(choices: Sequence[tuple[int, int]]) -> bytes:
    packer = ActionPacker()
    for index, size in choices:
        packer.add(index, size)
    return packer.bytes()


def unpack(packed: bytes, sizes: Sequence[int]) -> list[str]:
    return unpack_actions(Sizes(sizes), packed, len(sizes), TEXTS)


SIZES = st.one_of(st.integers(1, 300), st.sampled_from([1, 2, 4, 16, 256, 1 << 16, 1 << 32, 1 << 60, 3, 5]))


def number_of(choices: Sequence[tuple[int, int]]) -> int:
    """What a block stands for, by the definition."""
    products = accumulate((size for _, size in choices), mul, initial=1)
    return sum(index * product for (index, _), product in zip(choices, products, strict=False))


@given(st.lists(SIZES.flatmap(lambda size: st.tuples(st.sampled_from([0, size // 2, size - 1]), st.just(size)))))
def test_blocks_are_as_full_as_they_can_be(choices: list[tuple[int, int]]) -> None:
    blocks, begin, product = b"", 0, 1
    for place, (_, size) in enumerate(choices):
        if product * size > 1 << 64:
            blocks += number_of(choices[begin:place]).to_bytes(8, "little")
            begin, product = place, 1
        product *= size
    assert pack(choices) == blocks + number_of(choices[begin:]).to_bytes(8, "little").rstrip(b"\0")


@pytest.mark.parametrize("sizes", [[2] * 64, [2] * 65, [16] * 16 + [2], [1 << 32, 1 << 32, 2], [3] * 41, [255] * 9])
def test_the_last_decision_that_fits(sizes: list[int]) -> None:
    choices = [(size - 1, size) for size in sizes]
    assert (len(pack(choices)) > 8) == (number_of(choices) >= 1 << 64)


@pytest.mark.parametrize("choice", [(2, 2), (-1, 2), (0, 0)])
def test_an_index_outside_its_list_is_an_error(choice: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=f"index {choice[0]} of {choice[1]}"):
        pack([choice])


@given(decisions)
def test_packed_actions_survive_a_round_trip(choices: list[tuple[int, int]]) -> None:
    packed = pack(choices)
    assert unpack(packed, [size for _, size in choices]) == [str(index) for index, _ in choices]


@given(decisions)
def test_the_size_is_close_to_the_entropy(choices: list[tuple[int, int]]) -> None:
    bits = sum(math.log2(size) for _, size in choices)
    # a block is closed when the next decision, of at most 300 actions, does not fit any more
    room = 8 * BLOCK_BYTES - math.log2(300)
    assert len(pack(choices)) <= math.ceil(bits / 8) + BLOCK_BYTES * (bits / room - bits / (8 * BLOCK_BYTES)) + 1


@given(decisions)
def test_decisions_with_one_legal_action_take_no_space(choices: list[tuple[int, int]]) -> None:
    assert pack([(index, size) for index, size in choices if size > 1]) == pack(choices)


@given(decisions, st.binary(max_size=200))
def test_other_bytes_give_other_actions_or_an_error(choices: list[tuple[int, int]], packed: bytes) -> None:
    sizes = [size for _, size in choices]
    try:
        actions = unpack(packed, sizes)
    except LogError:
        return
    assert pack([(int(action), size) for action, size in zip(actions, sizes, strict=True)]) == packed


def replayed(game: Game, record: Record, packed: bytes) -> list[str] | str:
    """The unpacked actions, or the error's text."""
    state = game.start(game.make_options(record.options), len(record.players), bytes.fromhex(record.seed))
    try:
        return unpack_actions(state, packed, len(record.actions), game.actions)
    except LogError as error:
        return str(error)


@pytest.mark.skipif(is_compiled(), reason="compiled, a game that counts its legal actions has no other way")
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_actions_unpack_alike_by_lists_and_by_counts(monkeypatch: pytest.MonkeyPatch, game: Game) -> None:
    for players in game.players:
        record, packed = make_simulation(game.name, players, {}, 1, "counts").play(0)
        wrong = [packed + b"\1", packed[:-1], b"", b"\xff" * len(packed), *(packed[:at] for at in range(0, 80, 7))]
        by_lists = [replayed(game, record, one) for one in (packed, *wrong)]
        assert by_lists[0] == record.actions
        assert len({text for text in by_lists if isinstance(text, str)}) > 1, "several errors are compared"
        monkeypatch.setattr(action_coding, "_COMPILED", True)
        assert [replayed(game, record, one) for one in (packed, *wrong)] == by_lists
        monkeypatch.undo()


def test_bytes_after_the_last_decision_are_refused() -> None:
    packed = pack([(3, 5), (2, 7)])
    for wrong in (packed + b"\0", packed + b"\1", packed + bytes(BLOCK_BYTES)):
        with pytest.raises(LogError, match="do not end where the game does"):
            unpack(wrong, [5, 7])


def test_a_block_with_a_remainder_is_refused() -> None:
    sizes = [256] * 40
    with pytest.raises(LogError, match="more than was decided by ply 8"):
        unpack(b"\xff" * 40, [*[256] * 7, 255, *[256] * 32])
    assert unpack(b"\xff" * 40, sizes) == ["255"] * 40


@pytest.mark.parametrize(("count", "message"), [(39, "goes on after its 39"), (41, "over after 40 decisions, not 41")])
def test_a_wrong_number_of_decisions_is_refused(count: int, message: str) -> None:
    with pytest.raises(LogError, match=message):
        unpack_actions(Sizes([9] * 40), pack([(8, 9)] * 40), count, TEXTS)


def test_a_game_is_packed_only_if_it_is_whole_and_legal() -> None:
    record = toy_record(5)
    options = TOY.make_options(record.options)

    def pack_toy(actions: list[str]) -> bytes | None:
        return pack_actions(TOY, TOY.start(options, 3, bytes.fromhex(record.seed)), actions)

    packed = pack_toy(record.actions)
    assert packed
    state = TOY.start(options, 3, bytes.fromhex(record.seed))
    assert unpack_actions(state, packed, len(record.actions), TOY.actions) == record.actions
    for wrong in (record.actions[:-1], [*record.actions, "ok"], ["fly", *record.actions[1:]], ["ok"], []):
        assert pack_toy(wrong) is None
