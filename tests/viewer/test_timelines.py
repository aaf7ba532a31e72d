"""Texts over time: what is written gives every position's texts back, and each text is written once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fa_cli.viewer.timelines import TextTables, Timelines, TimelineWriter


def read(timelines: Timelines, texts: list[list[str]], positions: int) -> list[list[str]]:
    """The texts by position and slot, as the page's script reads them."""
    slots = []
    for key, gaps, steps in zip(timelines.keys, timelines.gaps, timelines.steps, strict=True):
        shown, position, number = [""] * positions, 0, 0
        for gap, step in zip(gaps, steps, strict=True):
            position, number = position + gap, number + step
            shown[position:] = [texts[key][number]] * (positions - position)
        slots.append(shown)
    return [list(row) for row in zip(*slots, strict=True)]


@given(st.lists(st.tuples(*[st.sampled_from("abc")] * 4), min_size=1))
def test_what_is_written_is_read(rows: list[tuple[str, ...]]) -> None:
    tables = TextTables()
    writer = TimelineWriter(tables, ["first", "second", "third", "second"])  # two slots share a key
    for row in rows:
        writer.add(row)
    assert read(writer.timelines, tables.texts(), len(rows)) == [list(row) for row in rows]
    assert writer.timelines.keys == [0, 1, 2, 1]
    assert all(len(texts) == len(set(texts)) for texts in tables.texts())


def test_games_share_texts() -> None:
    tables = TextTables()
    writers = [TimelineWriter(tables, keys) for keys in (["a", "b"], ["b", "c"])]
    writers[0].add(["x", "y"])
    writers[1].add(["y", "z"])
    assert [writer.timelines.keys for writer in writers] == [[0, 1], [1, 2]]
    assert tables.texts() == [["x"], ["y"], ["z"]]


def test_only_changes_are_written() -> None:
    writer = TimelineWriter(TextTables(), ["a", "b"])
    for texts in (["x", "p"], ["x", "p"], ["x", "q"], ["x", "q"], ["x", "p"]):
        writer.add(texts)
    assert writer.timelines == Timelines([0, 1], [[0], [0, 2, 2]], [[0], [0, 1, -1]])
