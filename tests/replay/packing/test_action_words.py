"""Actions of games that can't be dealt are kept in words: as they are, in few bytes, whatever the bytes on disk are."""

from __future__ import annotations

import random
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fa_cli.errors import LogError
from fa_cli.match.simulate import make_simulation
from fa_cli.replay import codec
from fa_cli.replay.frames import FIRST_LINE, first_tag, make_frame
from fa_cli.replay.log_entry import LogEntry, entry_of
from fa_cli.replay.log_file import Damage, read_log, scan_log
from fa_cli.replay.log_writer import LogWriter, repair, write_new_log
from fa_cli.replay.packing import definitions
from fa_cli.replay.packing.action_words import (
    MOST_BYTES,
    MOST_TEXT,
    MOST_WORDS,
    WordModel,
    pack_words,
    unpack_words,
)
from fa_cli.replay.packing.loose_actions import WordedActions
from fa_cli.replay.record import Record, decode_record, digest_of, encode_record
from tests.replay.conftest import toy_record
from tests.replay.packing.test_loose_actions import games, size_of

EARLIER = Path(__file__).parents[2] / "data/format-2-loose.log"
"""Records that can't be dealt, by a version that did not know words."""

texts = (
    st.sampled_from(["", " ", "build 8 Cairo 4", "build 8 Cairo ", "a9.b", "bid 10 10", "büro  0", "\0"]) | st.text()
)
actions_of_games = st.lists(texts, max_size=60)


def packed_with(actions: list[str], base: WordModel | None) -> tuple[list[str], bytes]:
    """The words and bytes of actions that are not too long."""
    found = pack_words(actions, base)
    assert found is not None
    return found


@given(actions_of_games, actions_of_games)
@example(["a"] * 600, ["a b"] * 257)
def test_actions_survive(before: list[str], actions: list[str]) -> None:
    words, packed = packed_with(before, None)
    again, base = unpack_words(packed, len(before), words, None)
    assert again == before
    for _ in range(2):  # a base is not changed by what builds on it
        words, packed = packed_with(actions, base)
        assert not {"", *base.words} & {*words}
        assert unpack_words(packed, len(actions), words, base)[0] == actions


@given(st.binary(max_size=600), st.integers(0, 300), st.lists(st.text(max_size=2), max_size=5))
def test_any_bytes_are_read_or_refused(packed: bytes, count: int, words: list[str]) -> None:
    with suppress(LogError):
        actions, _ = unpack_words(packed, count, words, None)
        assert len(actions) == count


def test_bytes_that_are_cut_off_are_other_actions_or_refused() -> None:
    actions = [f"bid {number * number % 17} {number % 3}" for number in range(600)]
    words, packed = packed_with(actions, None)
    for end in range(len(packed)):
        with suppress(LogError):
            assert unpack_words(packed[:end], 600, words, None)[0] != actions
    with pytest.raises(LogError, match="longer than the game"):
        unpack_words(packed + b"\0", 600, words, None)
    with pytest.raises(LogError, match=r"longer than the game|do not end"):
        unpack_words(packed + b"\1", 600, words, None)


@pytest.mark.parametrize(
    ("packed", "count", "words", "message"),
    [
        (b"", 1 << 47, ["a"], "take more than 65,536 characters"),
        (b"", MOST_TEXT + 1, [], "take more than 65,536 characters"),
        (b"", 300, [], "cut off"),
        (b"\1", 0, [], "do not end"),
        (b"\1", 1, [], "do not end"),
        (b"\0", 1, [], "longer than the game"),
        (b"\xff" * (MOST_BYTES + 1), 1, ["a"], "longer than the game"),
        (b"", 1, [""], "or an empty one"),
        (b"", 1, [str(number) for number in range(MOST_WORDS + 1)], "too many words"),
        (b"\xff" * MOST_BYTES, 1, ["a" * MOST_TEXT], "take more than 65,536 characters"),
    ],
)
def test_what_is_not_words_is_refused(packed: bytes, count: int, words: list[str], message: str) -> None:
    with pytest.raises(LogError, match=message):
        unpack_words(packed, count, words, None)


def test_the_words_of_a_base_count() -> None:
    base = WordModel([str(number) for number in range(MOST_WORDS)], None)
    assert pack_words(["1", "255"], base) is not None
    assert pack_words(["1", "x"], base) is None
    with pytest.raises(LogError, match="too many words"):
        unpack_words(b"", 1, ["x"], base)


def test_what_is_too_long_is_not_packed() -> None:
    assert pack_words(["x" * (MOST_TEXT - 1)], None) is not None
    assert pack_words(["x" * MOST_TEXT], None) is None
    dice = random.Random(1)
    varied = [dice.choice(["a", "b", "c", "d"]) for _ in range(MOST_TEXT // 2)]
    assert pack_words(varied, None) is not None
    assert pack_words([*varied, ""], None) is None
    assert pack_words(["x "] * 1000, None) is not None
    assert pack_words(["x "] * 1300, None) is None
    assert pack_words(["".join(chr(65 + 256 + dice.randrange(255)) for _ in range(9000))], None) is None


def unknown(records: Iterable[Record], game: str = "brooklyn") -> list[Record]:
    """The same games under a name that is not known, with the digests that follow."""
    renamed = [msgspec.structs.replace(record, game=game) for record in records]
    for record in renamed:
        record.digest = digest_of(record)
    return renamed


@pytest.mark.parametrize("name", ["fifth-avenue", "manhattan", "new-york"])
@pytest.mark.parametrize("count", [1, 6, 40])
def test_an_unknown_game_takes_at_most_three_times_what_a_known_one_does(tmp_path: Path, name: str, count: int) -> None:
    records = games(name, count)
    packed = size_of(tmp_path / "packed.log", records)
    assert size_of(tmp_path / "loose.log", unknown(records)) <= 3 * packed


def test_so_does_a_known_game_with_unknown_options_or_without_a_seed(tmp_path: Path) -> None:
    records = games("manhattan", 6)
    packed = size_of(tmp_path / "packed.log", records)
    for record in records[:3]:
        record.options["moon"] = "full"
    for record in records[3:]:
        record.seed = "none"
    assert size_of(tmp_path / "loose.log", records) <= 3 * packed


def bases_of(entries: Iterable[LogEntry]) -> list[bool]:
    """Of each entry in words: whether it builds on another one."""
    kept = [entry.loose.actions for entry in entries if entry.loose is not None]
    assert all(isinstance(actions, WordedActions) for actions in kept)
    return [isinstance(actions, WordedActions) and actions.base is not None for actions in kept]


def with_actions(*counts: int) -> list[Record]:
    """Records of an unknown game with so many actions each."""
    records = unknown(toy_record(number) for number in range(len(counts)))
    for count, record in zip(counts, records, strict=True):
        record.actions = [f"bid {ply % 7}" for ply in range(count)]
    return records


def test_a_longer_game_is_a_better_base(tmp_path: Path) -> None:
    size_of(tmp_path / "a.log", with_actions(2, 4, 5, 10, 3, 11, 30))
    assert bases_of(read_log(tmp_path / "a.log")) == [False, True, False, True, True, False, False]


def test_each_game_has_its_base(tmp_path: Path) -> None:
    records = with_actions(20, 20, 20, 20)
    for record in records[1::2]:
        record.game = "queens"
    size_of(tmp_path / "a.log", records)
    assert bases_of(read_log(tmp_path / "a.log")) == [False, False, True, True]


def test_bases_end_with_a_block_and_a_log_can_be_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "BLOCK", 4)
    records = with_actions(9, 20, 20, 20, 20, 20, 50)
    size_of(tmp_path / "a.log", records)
    assert bases_of(read_log(tmp_path / "a.log")) == [False, False, True, True, False, True, False]
    for record in records:
        with LogWriter(tmp_path / "b.log") as log:
            log.append(record)
    assert (tmp_path / "b.log").read_bytes() == (tmp_path / "a.log").read_bytes()


def test_copies_and_parts_of_a_log_have_the_bytes_of_an_import(tmp_path: Path) -> None:
    records = [*with_actions(9, 20, 30), *games("manhattan", 1), *with_actions(20, 3)]
    size_of(tmp_path / "a.log", records)
    for part in (slice(None), slice(2, 5), slice(1, None, 2)):
        write_new_log(tmp_path / "copy.log", list(read_log(tmp_path / "a.log"))[part], replace=True)
        write_new_log(tmp_path / "import.log", map(entry_of, records[part]), replace=True)
        assert (tmp_path / "copy.log").read_bytes() == (tmp_path / "import.log").read_bytes()


def test_what_earlier_versions_wrote_is_read_and_copied_in_words(tmp_path: Path) -> None:
    old = list(read_log(EARLIER))
    assert [entry.loose is not None and entry.loose.actions is None for entry in old] == [True] * 4
    simulation = make_simulation("fifth-avenue", 2, {}, 4, "loose")
    assert [entry.record().actions for entry in old] == [record.actions for record, _ in simulation.play_all(0)]
    write_new_log(tmp_path / "copy.log", old)
    write_new_log(tmp_path / "import.log", [entry_of(decode_record(encode_record(entry.record()))) for entry in old])
    assert (tmp_path / "copy.log").read_bytes() == (tmp_path / "import.log").read_bytes()
    assert (tmp_path / "copy.log").stat().st_size < 0.7 * EARLIER.stat().st_size


def test_what_has_no_room_is_stored_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(definitions, "MOST_BASE_BYTES", 125)
    records = with_actions(9, 20, 50)
    records += unknown(with_actions(20, 20, 20), "queens")
    records[-1].actions = ["x" * MOST_TEXT]
    size_of(tmp_path / "a.log", records)
    assert [entry.plain is None for entry in read_log(tmp_path / "a.log")] == [True, True, True, False, False, False]
    monkeypatch.setattr(definitions, "MOST_BASE_BYTES", 30)
    found = [str(item) for item in scan_log(tmp_path / "a.log") if isinstance(item, Damage)]
    assert any("its words are more than may get a number there (8 records, 30 bytes)" in text for text in found)


def test_numbers_beyond_64_bits_leave_no_base(tmp_path: Path) -> None:
    records = with_actions(20, 20)
    records[0].result.scores[0] = 10**30
    size_of(tmp_path / "a.log", records)
    assert [entry.plain is None for entry in read_log(tmp_path / "a.log")] == [False, True]
    assert bases_of(read_log(tmp_path / "a.log")) == [False]


def payloads(records: list[Record]) -> list[list[object]]:
    """The payloads of the records, decoded."""
    writer = codec.EntryWriter(codec.EntryReader(), 0)
    return [msgspec.msgpack.decode(writer.payload(entry_of(record))) for record in records]


def write_payloads(path: Path, changed: list[list[object]]) -> Path:
    """A log of these payloads, whose tags are right."""
    data, tag = FIRST_LINE, first_tag(FIRST_LINE)
    for payload in changed:
        frame, tag = make_frame(msgspec.msgpack.encode(payload), tag)
        data += frame
    path.write_bytes(data)
    return path


def test_a_base_that_is_missing_is_named(tmp_path: Path) -> None:
    changed = payloads(with_actions(20, 20, 20))
    changed[2][15] = [None, [], 7]
    found = list(scan_log(write_payloads(tmp_path / "a.log", changed)))
    assert str(found[2]).count("it refers to the words of record 7, which no record before it that can be read has")


def test_a_base_that_was_changed_spoils_what_builds_on_it(tmp_path: Path) -> None:
    changed = payloads(with_actions(20, 20, 20))
    assert isinstance(changed[0][5], bytes)
    changed[0][5] = changed[0][5][:-2] + b"\1\1"
    path = write_payloads(tmp_path / "a.log", changed)
    for entry in read_log(path):
        with pytest.raises(LogError, match=r"packed actions|not what was packed|characters"):
            entry.record()
    count, damages = repair(path)
    assert (count, len(damages)) == (0, 3)


def test_damage_in_the_base_costs_what_builds_on_it(tmp_path: Path) -> None:
    records = with_actions(20, 20, 20)
    size_of(tmp_path / "a.log", records)
    data = bytearray((tmp_path / "a.log").read_bytes())
    data[-1] ^= 1  # the tag of the last record
    data[40] ^= 1
    (tmp_path / "a.log").write_bytes(data)
    count, damages = repair(tmp_path / "a.log")
    assert damages
    assert [entry.record() in records for entry in read_log(tmp_path / "a.log")] == [True] * count
