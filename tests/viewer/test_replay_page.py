"""The data of replay pages: the sentences of `fa replay show`, the boards of all views, and nothing hidden."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fa_cli.errors import LogError
from fa_cli.game_result import RESIGNED, SUSPENDED, Failure, Fault, GameResult
from fa_cli.games import find_game
from fa_cli.games.contract import DREW
from fa_cli.replay.evaluation import Evaluation, Slip
from fa_cli.replay.reconstruct import deal_of, play_again
from fa_cli.replay.record import Record
from fa_cli.viewer.drawing import draw
from fa_cli.viewer.replay_page import PageWriter
from fa_cli.viewer.timelines import Timelines
from tests.conftest import thinned
from tests.viewer.games import NAMES, printed, recorded, states, with_fault
from tests.viewer.test_timelines import read


def page_of(*records: Record, viewer: int | None = None) -> dict[str, Any]:
    writer = PageWriter(viewer)
    for number, record in enumerate(records, 1):
        writer.add(record, number)
    page: dict[str, Any] = json.loads(writer.data([]))
    return page


def told(page: dict[str, Any], game: int, view: int | None) -> list[list[str]]:
    """By position: the sentences as a view has them."""

    def number(sentence: Any) -> int:
        if isinstance(sentence, int):
            return sentence
        known, public, seat = sentence
        return known if view in (None, seat) else public

    return [[page["sentences"][number(sentence)] for sentence in position] for position in page["told"][game]]


def boards(page: dict[str, Any], game: int, view: int | None) -> list[list[str]]:
    """By position: the parts of the board as a view shows them."""
    slots, hands = page["slots"][game], page["hands"][game]
    rows = read(Timelines(**page["board"][game]), page["parts"], len(page["movers"][game]))
    closed = {slot: slots + index for index, (slot, seat) in enumerate(hands) if view not in (None, seat)}
    return [[row[closed.get(slot, slot)] for slot in range(slots)] for row in rows]


def drawn(record: Record, view: int | None) -> list[list[str]]:
    game = find_game(record.game)
    views = (game.view(state, view) | {"names": record.players} for state in states(record))
    return [[part.svg for part in draw(record.game, seen).parts] for seen in views]


@pytest.mark.parametrize("failure", [SUSPENDED, RESIGNED])
def test_who_was_suspended_or_resigned_is_called_so(failure: Failure) -> None:
    word = {SUSPENDED: "suspended", RESIGNED: "resigned"}[failure]
    record = with_fault(recorded("manhattan"), detail=failure.detail)
    record.faults = [Fault(fault.seat, fault.ply, failure.kind) for fault in record.faults]
    page = page_of(record)
    assert [fault["kind"] for fault in page["faults"][0]] == [word]
    assert f"{record.players[1]} is out of the game: {word}" in page["sentences"]


@pytest.mark.parametrize("name", NAMES)
def test_sentences_are_those_of_replay_show(name: str) -> None:
    for record in (recorded(name), with_fault(recorded(name))):
        assert told(page_of(record), 0, None) == printed(record)


@pytest.mark.parametrize("name", thinned(NAMES, 3))
def test_every_view_has_the_board_and_the_sentences_of_its_seat(name: str) -> None:
    """On a page with all views, a seat's view is what a page for this seat alone has."""
    record = with_fault(recorded(name))
    whole = page_of(record)
    assert boards(whole, 0, None) == drawn(record, None)
    for seat in range(len(record.players)):
        alone = page_of(record, viewer=seat)
        assert boards(whole, 0, seat) == boards(alone, 0, None) == drawn(record, seat)
        assert told(whole, 0, seat) == told(alone, 0, None)


@pytest.mark.parametrize("name", NAMES)
def test_the_descriptions_are_those_of_the_drawings(name: str) -> None:
    record = recorded(name)
    page = page_of(record)
    rows = read(Timelines(**page["words"][0]), page["phrases"], len(record.actions) + 1)
    game = find_game(name)
    expected = [draw(name, game.view(state, None) | {"names": record.players}).description for state in states(record)]
    assert [". ".join(filter(None, row)) for row in rows] == expected


@pytest.mark.parametrize("name", NAMES)
def test_points_movers_and_marks(name: str) -> None:
    record = with_fault(recorded(name))
    page = page_of(record)
    assert page["points"][0] == [state.scores() for state in states(record)]
    game, state = deal_of(record)
    state.journal = []
    decisions = list(play_again(game, state, record))
    assert page["movers"][0] == [-1, *(decision.seat for decision in decisions)]
    kinds = [{entry[0] for entry in decision.entries} for decision in decisions]
    assert page["auctions"][0] == [ply for ply, found in enumerate(kinds) if "auction" in found]
    assert page["scorings"][0] == [ply for ply, found in enumerate(kinds) if "points" in found]
    assert page["scorings"][0]
    assert (name == "fifth-avenue") == bool(page["auctions"][0])
    assert [(fault["seat"], fault["kind"]) for fault in page["faults"][0]] == [(1, "protocol")]
    rounds, turns = page["rounds"][0], page["turns"][0]
    assert rounds == sorted(rounds) and rounds[0] == 0 and rounds[1] == 1
    assert turns == sorted(turns) and (max(turns) > 2) == (name != "manhattan")


@pytest.mark.parametrize("name", NAMES)
def test_points_are_public(name: str) -> None:
    """The points over time, which every page has, are those of every seat's view."""
    record = recorded(name)
    for state in states(record):
        seats = find_game(name).view(state, 0)["seats"]
        assert state.scores() == [seat["points"] for seat in seats]


@pytest.mark.parametrize("name", NAMES)
def test_hidden_cards_are_not_on_the_page_of_a_seat(name: str) -> None:
    """Cards that others drew face down are named on the page with all views, not on that of the seat."""
    record = with_fault(recorded(name, seed="hidden"), detail="it holds the SECRET card")
    record.meta |= {"note": "SECRET"}
    game, state = deal_of(record)
    state.journal = []
    hidden = [
        game.narrate(state, entry, record.players)
        for decision in play_again(game, state, record)
        for entry in decision.entries
        if entry[0] == DREW and entry[1] != 0 and game.event_for(entry, 0) != game.event_for(entry, None)
    ]
    assert hidden
    whole, alone = (json.dumps(page_of(record, viewer=viewer)) for viewer in (None, 0))
    assert all(sentence in whole for sentence in hidden)
    assert not any(sentence in alone for sentence in hidden)
    assert "SECRET" in whole and "SECRET" not in alone
    assert record.seed not in whole + alone and record.digest not in whole + alone


def test_times_of_others_are_hidden() -> None:
    record = recorded("manhattan")
    whole, alone = page_of(record), page_of(record, viewer=2)
    assert whole["times"][0] == record.meta["times_us"]
    pairs = zip(whole["movers"][0][1:], record.meta["times_us"], strict=True)
    assert alone["times"][0] == [time if seat == 2 else 0 for seat, time in pairs]


@pytest.mark.slow
@pytest.mark.parametrize("times", ["x", [1, 2], None, {"a": 1}, [True] * 92, [-1] * 92, [1.5] * 92, [1 << 60] * 92])
def test_times_may_be_anything(times: Any) -> None:
    record = recorded("manhattan")
    if isinstance(times, list) and len(times) > 2:
        times = times[:1] * len(record.actions)
    record.meta["times_us"] = times
    assert page_of(record)["times"] == [None]


def test_a_bad_record_is_shown_up_to_the_first_difference() -> None:
    record = recorded("fifth-avenue")
    record.actions[20] = "pass"
    page = page_of(record)
    assert len(page["movers"][0]) == 21
    (problem,) = page["problem"]
    assert problem.startswith("This record is bad at ply 20: 'pass' is not legal here; seat ")
    assert problem.endswith("The page shows the game up to there.")
    (hidden,) = page_of(record, viewer=0)["problem"]
    assert hidden == "This record is bad at ply 20. The page shows the game up to there."  # legal bids name cards


def test_a_wrong_result_is_a_problem_of_the_whole_game() -> None:
    record = recorded("manhattan")
    record.result.scores[0] += 1
    page = page_of(record)
    assert len(page["movers"][0]) == len(record.actions) + 1
    assert page["problem"][0].startswith("This record is bad: scores: expected [")
    assert page_of(record, viewer=1)["problem"] == ["This record is bad."]


def test_a_record_that_cannot_be_dealt() -> None:
    record = recorded("manhattan")
    record.seed = "x"
    with pytest.raises(LogError):
        page_of(record)


def test_names_and_reasons_are_printable() -> None:
    record = recorded("manhattan")
    record.players[0] = "a\u202eb"
    record.result = GameResult(record.result.scores, record.result.ranks, "c\u202ed")
    page = page_of(record)
    assert page["players"][0][0] == "a\\u202eb"
    assert page["result"][0]["reason"] == "c\\u202ed"
    assert "\u202e" not in json.dumps(page, ensure_ascii=False)


def test_games_of_one_page_share_their_parts() -> None:
    record = recorded("manhattan")
    once, twice = page_of(record), page_of(record, record)
    assert once["parts"] == twice["parts"] and once["sentences"] == twice["sentences"]
    assert twice["record"] == [1, 2]
    assert boards(twice, 1, None) == boards(once, 0, None)


def test_expected_shares_and_mistakes() -> None:
    record = recorded("manhattan", 2)
    end = len(record.actions)
    shares = [[at / end, 1 - at / end] for at in range(end + 1)]
    slips = [Slip(30, 1, "ann discards", "ann builds", 0.3, 0.5), Slip(7, 0, "ben discards", "ben builds", 0.2, 0.3)]
    writer = PageWriter(None)
    writer.add(record, 1)
    writer.add(record, 1, evaluation=Evaluation(record.players, shares, slips))
    page: dict[str, Any] = json.loads(writer.data([]))
    assert page["expected"] == [[], [[round(100 * share) for share in row] for row in shares]]
    assert page["mistakes"] == [[], [7, 30]]
    plain, judged = (told(page, game, None) for game in (0, 1))
    new = {at: judged[at][len(plain[at]) :] for at in range(end + 1) if judged[at] != plain[at]}
    assert new.keys() == {8, 31}
    assert new[31] == ["One of the worst decisions: 30% of the win expected; 50% if ann builds"]
    lines, marks = ([strip.count(part) for strip in page["strip"]] for part in ('<path class="line ', ">?</text>"))
    assert lines == [2, 4]
    assert marks == [0, 2]
