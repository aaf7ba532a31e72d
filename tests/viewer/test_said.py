"""What language models were asked and answered, beside the steps of the replay page; hidden from other seats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fa_cli.models.exchanges import Exchange
from fa_cli.replay.reconstruct import acting_seats, deal_of, legal_lists
from fa_cli.replay.record import Record
from fa_cli.viewer.replay_page import PageWriter, replay_page
from tests.models.server import completion
from tests.viewer.conftest import Opened
from tests.viewer.games import recorded


def choices(record: Record, seat: int) -> list[int]:
    """The plies at which a seat had a choice."""
    lists = legal_lists(*deal_of(record), record.actions)
    return [ply for ply, actor in enumerate(acting_seats(record)) if actor == seat and len(lists[ply]) > 1]


def exchange(seat: int, decision: int, text: str, problem: str = "", random: int = 0) -> Exchange:
    request = json.dumps({"messages": [{"content": "the rules"}, {"content": f"seat {seat}, decision {decision}?"}]})
    answer = json.dumps(completion(text))
    return Exchange(decision, "picker-1", request, answer, 1000, 10, 0.0011, 1234, "stop", problem, random)


@pytest.fixture(scope="module")
def record() -> Record:
    return recorded("manhattan", 3)


@pytest.fixture(scope="module")
def exchanges(record: Record) -> dict[int, list[Exchange]]:
    found = {}
    for seat in (0, 1):
        count = len(choices(record, seat))
        found[seat] = [exchange(seat, number, f"<b>{seat} says {number}</b>") for number in range(1, count + 1)]
    found[0].insert(0, exchange(0, 1, "well", "no JSON object in it", 1))
    return found


def write(file: Path, record: Record, exchanges: dict[int, list[Exchange]], viewer: int | None = None) -> Path:
    writer = PageWriter(viewer)
    writer.add(record, 1, exchanges)
    file.write_text(replay_page("games", writer), encoding="utf-8")
    return file


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_each_exchange_is_at_its_decision(
    record: Record, exchanges: dict[int, list[Exchange]], viewer: int | None
) -> None:
    writer = PageWriter(viewer)
    writer.add(record, 1, exchanges)
    said = writer.games[0].said
    seats = [seat for seat in (0, 1) if viewer in (None, seat)]
    assert {each[1] for each in said} == set(seats)
    for seat in seats:
        places = [(position - 1, question) for position, actor, question, *_ in said if actor == seat]
        plies = choices(record, seat)
        twice = [plies[0]] if seat == 0 else []
        assert [ply for ply, _ in places] == [*twice, *plies]
        assert places[-1][1] == f"seat {seat}, decision {len(plies)}?"
    if 0 in seats:
        facts = [each[4] for each in said if each[1] == 0]
        sums = "1,010 tokens, cost 0.0011, 1.2 s, stop"
        assert facts[0] == f"{sums}; not accepted: no JSON object in it; then a random action"
        assert facts[1] == sums


def test_the_page_shows_them(
    record: Record, exchanges: dict[int, list[Exchange]], opened: Opened, tmp_path: Path
) -> None:
    file = write(tmp_path / "game.html", record, exchanges)
    own, other = choices(record, 0)[2], choices(record, 1)[2]
    page = opened(file, f"game=1&ply={own}")
    page.click("#said summary")
    assert page.text_content("#exchanges pre") == "<b>0 says 3</b>"
    page.click("#exchanges summary")
    assert page.inner_text("#exchanges summary") == "What it was asked last, after 1 earlier message"
    assert page.inner_text("#exchanges details pre") == "seat 0, decision 3?"
    for ply, view, is_hidden in ((own, "0", False), (own, "1", True), (other, "1", False), (other, "0", True)):
        page.evaluate(f"location.hash = '#game=1&ply={ply}&seat={view}'")
        page.wait_for_timeout(200)
        assert page.evaluate("document.querySelector('#said').hidden") is is_hidden, (ply, view)
        assert (page.text_content("#exchanges") == "") is is_hidden


def test_a_game_without_models_shows_none(record: Record, opened: Opened, tmp_path: Path) -> None:
    page = opened(write(tmp_path / "game.html", record, {}), "game=1&ply=3")
    assert page.evaluate("document.querySelector('#said').hidden")
