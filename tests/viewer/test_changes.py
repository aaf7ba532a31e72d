"""The marks at what a decision changed: those of pictures, and those of the page, which draws them itself."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from fa_cli.games import find_game
from fa_cli.replay.record import Record
from fa_cli.viewer.drawing import Drawing, Piece, changes, draw
from tests.conftest import thinned
from tests.viewer.conftest import Opened
from tests.viewer.games import NAMES, recorded, states
from tests.viewer.test_replay_in_browser import write


def drawings(record: Record, view: int | None = None) -> list[Drawing]:
    game = find_game(record.game)
    return [draw(game.name, game.view(state, view) | {"names": record.players}) for state in states(record)]


def frames(marks: str) -> list[tuple[float, ...]]:
    """The marked rectangles: x, y, width and height."""
    found = ElementTree.fromstring(marks).iter("rect")
    return [
        tuple(float(str(frame.get(name))) for name in ("x", "y", "width", "height"))
        for frame in found
        if frame.get("class") == "change"
    ]


@pytest.mark.parametrize("name", NAMES)
def test_every_change_on_the_board_is_marked(name: str) -> None:
    """A changed plot, site or cell lies in a frame; nothing that stayed the same has one of its own."""
    places = re.compile(r"(plot|site|stone|district)\.")
    for before, after in pairwise(drawings(recorded(name))):
        shown = frames(changes(before.parts, after.parts))
        for old, new in zip(before.parts, after.parts, strict=True):
            if not places.match(new.key):
                continue
            x, y, width, height = new.spot
            inside = any(
                left - 1 <= x and top - 1 <= y and x + width <= left + w + 1 and y + height <= top + h + 1
                for left, top, w, h in shown
            )
            assert inside or old.svg == new.svg
            assert old.svg != new.svg or not any(abs(x - frame[0]) + abs(y - frame[1]) < 0.2 for frame in shown)


@pytest.mark.parametrize("name", NAMES)
def test_changed_points_are_written_beside_them(name: str) -> None:
    record = recorded(name)
    scores = [state.scores() for state in states(record)]
    gained = 0
    for (before, after), (old, new) in zip(pairwise(drawings(record)), pairwise(scores), strict=True):
        expected = [f"{b - a:+}" for a, b in zip(old, new, strict=True) if a != b]
        assert re.findall(r'class="gain end">([^<]+)<', changes(before.parts, after.parts)) == expected
        gained += len(expected)
    assert gained


def test_a_commissioner_has_an_arrow_from_where_he_was() -> None:
    moves = 0
    record = recorded("fifth-avenue")
    for action, (before, after) in zip(record.actions, pairwise(drawings(record)), strict=True):
        arrows = changes(before.parts, after.parts).count("<path") // 2  # each with a halo
        moves += action.startswith("move ")
        assert bool(arrows) == (action.startswith("move "))
    assert moves


def test_marks_of_hand_made_pieces() -> None:
    def piece(key: str, svg: str, *spot: float) -> Piece:
        return Piece(key, svg, spot)

    before = (
        piece("a", "<g/>", 0, 0, 10, 10),
        piece("b", "<g/>", 2, 2, 4, 4),
        piece("c", '<g data-points="7"/>', 5, 6),
    )
    after = (
        piece("a", "<g>1</g>", 0, 0, 10, 10),
        piece("b", "<g>1</g>", 2, 2, 4, 4),
        piece("c", '<g data-points="4"/>', 5, 6),
    )
    assert frames(changes(before, after)) == [(0, 0, 10, 10)]  # the other frame is inside it
    assert '<text x="5" y="6" class="gain end">-3</text>' in changes(before, after)
    assert changes(before, before) == '<g class="changes"></g>'
    moved = [(piece("d", f'<g data-at="{x} 0"/>', 10),) for x in (0, 100)]
    assert 'd="M10 0L90 0M' in changes(*moved)


@pytest.mark.parametrize("name", thinned(NAMES, 3))
def test_the_page_marks_what_the_picture_marks(name: str, tmp_path: Path, opened: Opened) -> None:
    """Also after a jump, with a link to a ply, and with reduced motion: the marks depend on the position alone."""
    record = recorded(name)
    file = write(tmp_path, record)
    for view in (None, 1):
        drawn = drawings(record, view)
        page = opened(file, f"ply={len(record.actions) - 1}" + ("" if view is None else f"&seat={view}"))
        shown = page.evaluate(
            """plies => Array.from({length: plies}, (_, ply) => {
                if (ply) document.querySelector('#previous').click();
                return [...document.querySelectorAll('.change')].filter(mark => mark.tagName === 'rect')
                    .map(mark => ['x', 'y', 'width', 'height'].map(name => +mark.getAttribute(name)))
                    .concat([...document.querySelectorAll('.gain')].map(mark => mark.textContent))
                    .concat([document.querySelectorAll('path.change').length]);
            })""",
            len(record.actions),
        )
        for ply, found in zip(range(len(record.actions) - 1, -1, -1), shown, strict=True):
            marks = changes(drawn[ply].parts, drawn[ply + 1].parts)
            expected = [[round(n, 1) for n in frame] for frame in frames(marks)]
            *rest, arrows = found
            assert [[round(n, 1) for n in mark] for mark in rest if not isinstance(mark, str)] == expected
            assert [mark for mark in rest if isinstance(mark, str)] == re.findall(r'gain end">([^<]+)<', marks)
            assert arrows == marks.count('<path d="') // 2
