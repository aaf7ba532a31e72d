"""The random streams against their definition: block i is SHA-256(seed || label || zero byte || i as 8 bytes)."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fa_cli.games import chance
from fa_cli.games.chance import BLOCK_BYTES, Chance, RandomChance, Stream, swap_by_bytes, swap_by_words
from fa_cli.games.seed import Seed

SEED = Seed(bytes(range(32)))
seeds = st.binary(min_size=32, max_size=32)
labels = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=12)


def words(seed: bytes, label: str) -> Iterator[int]:
    """Yield the words of a stream, straight from the definition."""
    block = 0
    while True:
        digest = hashlib.sha256(seed + label.encode("ascii") + b"\x00" + block.to_bytes(8, "big")).digest()
        for at in (0, 8, 16, 24):
            yield int.from_bytes(digest[at : at + 8], "big")
        block += 1


def draw(stream: Iterator[int], n: int) -> int:
    """The definition of below(n)."""
    word = next(stream)
    while word >= 2**64 - (2**64 % n):
        word = next(stream)
    return word % n


def shuffle(stream: Iterator[int], items: list[int]) -> list[int]:
    """The definition of shuffle(list)."""
    items = list(items)
    for i in range(len(items) - 1, 0, -1):
        j = draw(stream, i + 1)
        items[i], items[j] = items[j], items[i]
    return items


def given_words(*values: int) -> Stream:
    """Return a stream that begins with these words."""
    stream = Stream(SEED, "x")
    stream._words = list(reversed(values))
    return stream


@given(seeds, labels, st.lists(st.integers(1, 2**64), max_size=30))
def test_below_is_its_definition(seed: bytes, label: str, sizes: list[int]) -> None:
    stream, expected = Stream(seed, label), words(seed, label)
    assert [stream.below(n) for n in sizes] == [draw(expected, n) for n in sizes]


@given(seeds, labels, st.integers(0, 300), st.integers(0, 9))
def test_shuffle_is_its_definition(seed: bytes, label: str, size: int, before: int) -> None:
    stream, expected = Stream(seed, label), words(seed, label)
    for _ in range(before):  # a shuffle may begin in the middle of a block
        assert stream.below(5) == draw(expected, 5)
    items = list(range(size))
    stream.shuffle(items)
    assert items == shuffle(expected, list(range(size)))
    assert stream.below(1000) == draw(expected, 1000), "it has taken as many words as it should"


def test_known_values() -> None:
    """These values never change: logs depend on them."""
    stream = Stream(Seed(bytes(32)), "tiles")
    assert [stream.below(36) for _ in range(8)] == [2, 16, 9, 17, 16, 34, 13, 5]
    items = list(range(10))
    Stream(Seed(bytes(32)), "tiles").shuffle(items)
    assert items == [3, 0, 2, 6, 9, 4, 1, 5, 7, 8]


@pytest.mark.parametrize("n", [3, 5, 6, 7, 36, 50, 255, 257, 1000, 2**63 + 1])
def test_a_word_that_would_bias_is_passed_over(n: int) -> None:
    refused = 2**64 - 2**64 % n
    assert refused < 2**64
    assert given_words(2**64 - 1, refused, refused - 1, 0).below(n) == (refused - 1) % n == n - 1
    assert given_words(refused, 1).below(n) == 1


@pytest.mark.parametrize("n", [1, 2, 64, 256, 2**32, 2**64])
def test_a_power_of_two_takes_every_word(n: int) -> None:
    assert given_words(2**64 - 1).below(n) == (2**64 - 1) % n


def test_a_refused_word_at_each_place_of_a_shuffle() -> None:
    plain = [2**63 + 12345 * i for i in range(20)]
    for at in range(9):
        mixed = [*plain[:at], 2**64 - 1, *plain[at:]]  # refused for every size but powers of two
        items = list(range(10))
        given_words(*mixed).shuffle(items)
        assert items == shuffle(iter(mixed), list(range(10)))


def test_a_refused_word_among_those_made_for_a_shuffle(monkeypatch: pytest.MonkeyPatch) -> None:
    for at in range(12):
        mixed = [2**63 + 12345 * i for i in range(16)]
        mixed[at] = 2**64 - 1
        data = b"".join(word.to_bytes(8, "big") for word in mixed)
        monkeypatch.setattr(
            chance, "_quick_blocks", lambda _, first, count, data=data: data[32 * first : 32 * (first + count)]
        )
        monkeypatch.setattr(chance, "_quick_shuffle", lambda *_: False)
        stream = Stream(SEED, "x")
        items = list(range(10))
        stream.shuffle(items)
        expected = iter(mixed)
        assert items == shuffle(expected, list(range(10)))
        assert stream.below(1000) == draw(expected, 1000)


@given(st.data(), st.integers(2, 256))
def test_both_ways_to_swap_are_the_definition(choices: st.DataObject, size: int) -> None:
    words = choices.draw(st.lists(st.integers(0, 2**64 - 1 - 256), min_size=size - 1, max_size=size - 1))
    data = b"".join(word.to_bytes(8, "big") for word in words)
    data += bytes(-len(data) % BLOCK_BYTES)
    expected = shuffle(iter(words), list(range(size)))
    for swap in (swap_by_words, swap_by_bytes):
        items = list(range(size))
        swap(items, data)
        assert items == expected


def test_words_run_out_in_the_middle_of_a_shuffle() -> None:
    stream = given_words(11, 12)
    items = list(range(10))
    stream.shuffle(items)
    expected = iter([11, 12, *islice(words(SEED, "x"), 20)])
    assert items == shuffle(expected, list(range(10)))


def test_short_lists() -> None:
    for items in ([], [7]):
        stream = Stream(SEED, "x")
        copy = list(items)
        stream.shuffle(copy)
        assert copy == items
        assert stream.below(1000) == draw(words(SEED, "x"), 1000), "no word was taken"


def test_labels_are_independent() -> None:
    chance = Chance(SEED)
    one, two = chance.stream("black 1"), chance.stream("black 2")
    first = [one.below(2**64) for _ in range(5)]
    assert first != [two.below(2**64) for _ in range(5)]
    again = chance.stream("black 1")
    assert [again.below(2**64) for _ in range(5)] == first, "a label's stream begins anew, whatever else was drawn"
    assert Chance(Seed(bytes(32))).stream("black 1").below(2**64) != first[0]


def test_no_label_runs_into_its_block_number() -> None:
    assert Stream(SEED, "a").below(2**64) != Stream(SEED, "a\0").below(2**64)


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33)])
def test_a_seed_has_32_bytes(seed: bytes) -> None:
    with pytest.raises(ValueError, match=f"a seed is 32 bytes, not {len(seed)}"):
        Chance(seed)


def test_every_order_of_three_is_equally_likely() -> None:
    orders: Counter[tuple[int, ...]] = Counter()
    for number in range(6000):
        items = [0, 1, 2]
        Stream(SEED, f"order {number}").shuffle(items)
        orders[tuple(items)] += 1
    assert len(orders) == 6 and all(abs(count - 1000) < 150 for count in orders.values())


def test_free_chance() -> None:
    chance = RandomChance(random.Random(1))
    stream = chance.stream("tiles")
    assert {stream.below(5) for _ in range(100)} == set(range(5))
    items = list(range(50))
    stream.shuffle(items)
    assert sorted(items) == list(range(50)) and items != list(range(50))
    again = RandomChance(random.Random(1))
    assert [chance.below(10) for _ in range(9)] != [again.below(10) for _ in range(9)], "it goes on, label or not"


def test_seeds() -> None:
    assert Seed.from_text("fünf") == hashlib.sha256("fünf".encode()).digest()
    seed = SEED.of_game(7)
    assert seed == hashlib.sha256(SEED + b"\0\0\0\0\0\0\0\7").digest()
    assert seed.commitment == hashlib.sha256(seed).hexdigest()
    assert seed.of_seat(3) == hashlib.sha256(seed + b"bot3").hexdigest()[:16]
