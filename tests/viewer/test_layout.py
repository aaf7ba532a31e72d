"""What is visible at once on the replay page: the board, all hands and the current move on a laptop."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fa_cli.games import GAMES, Seed, find_game
from fa_cli.games.game import Game
from fa_cli.viewer.drawing import STYLE, draw
from tests.viewer.conftest import Opened
from tests.viewer.games import recorded
from tests.viewer.test_replay_in_browser import write

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

GAMES_AND_PLAYERS = [(game, players) for game in GAMES for players in (min(game.players), max(game.players))]
each_game = pytest.mark.parametrize(
    ("game", "players"), GAMES_AND_PLAYERS, ids=lambda value: value.name if isinstance(value, Game) else str(value)
)

Written = Callable[..., Path]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """The page of a game, `written("manhattan", 2)`: each is written once."""
    return cache(lambda *game: write(tmp_path_factory.mktemp("page"), recorded(*game)))


def hidden(page: Page, *selectors: str) -> list[str]:
    """Those that are not wholly inside the window, or are covered."""
    return page.evaluate(  # type: ignore[no-any-return]
        """selectors => selectors.filter(selector => {
            const element = document.querySelector(selector), box = element.getBoundingClientRect();
            const inside = Math.min(box.top, box.left, innerHeight - box.bottom, innerWidth - box.right) >= -1;
            const middle = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
            return !inside || !(middle && (element.contains(middle) || middle.contains(element)));
        })""",
        list(selectors),
    )


@each_game
def test_a_laptop_shows_board_hands_and_the_current_move(
    game: Game, players: int, written: Written, opened: Opened
) -> None:
    page = opened(written(game.name, players), width=1366, height=768)
    for ply in range(0, len(recorded(game.name, players).actions), 9):
        page.evaluate("ply => { location.hash = `#ply=${ply}`; }", ply)
        page.wait_for_timeout(20)
        assert hidden(page, "#board", "#hands", "#news", "#moves [aria-current]", "#next", "#players") == [], ply
    assert page.evaluate("document.documentElement.scrollWidth") <= 1366


def test_a_laptop_shows_them_below_banners(tmp_path: Path, opened: Opened) -> None:
    record = recorded("fifth-avenue", 4)
    record.actions[40] = "pass"
    page = opened(write(tmp_path, record), "ply=38&seat=9", width=1366, height=768)
    assert page.locator(".banner:visible").count() == 2
    page.wait_for_timeout(100)
    assert hidden(page, "#board", "#hands", "#news", "#moves [aria-current]", "#next", "#players") == []
    assert page.evaluate(
        "['side', 'seats'].map(id => document.getElementById(id)).every(e => e.scrollHeight <= e.clientHeight)"
    )


@each_game
def test_two_boards_fit_beside_each_other(game: Game, players: int, written: Written, opened: Opened) -> None:
    page = opened(written(game.name, players), "ply=20&seat=0&beside=seat1", width=1366, height=768)
    boards = ("#board", "#hands", "#board-beside", "#hands-beside")
    assert hidden(page, *boards, "#news", "#moves [aria-current]", "#next") == []
    assert page.evaluate("document.documentElement.scrollHeight") <= 768


@each_game
def test_a_phone_held_sideways_shows_the_board(game: Game, players: int, written: Written, opened: Opened) -> None:
    page = opened(written(game.name, players), "ply=20", width=844, height=390)
    assert hidden(page, "#board", "#news") == []
    page.mouse.move(700, 200)
    page.mouse.wheel(0, 300)
    page.wait_for_timeout(100)
    assert page.evaluate("scrollY") > 100
    assert hidden(page, "#board") == []


@each_game
def test_a_phone_shows_the_board_and_the_current_move(
    game: Game, players: int, written: Written, opened: Opened
) -> None:
    page = opened(written(game.name, players), "ply=20", width=390, height=844)
    assert hidden(page, "#board", "#news", "#next") == []


def test_a_phone_shows_that_nothing_was_found(written: Written, opened: Opened) -> None:
    page = opened(written("manhattan", 2), width=390, height=844)
    page.fill("#find", "no such words")
    page.press("#find", "Enter")
    assert page.evaluate("scrollY") > 0
    assert hidden(page, "#notice") == []


def test_two_digits_stand_in_the_frame_of_a_block(browser: Browser) -> None:
    """A table frames a block that can be chosen, with its number."""
    game = find_game("manhattan")
    view = game.view(game.start(game.make_options({}), 3, Seed.from_text("x")), None)
    part = next(part for part in draw("manhattan", view).parts if part.key == "supply.red.1")
    x, _, width, _ = part.spot
    page = browser.new_page()
    page.set_content(f"<style>{STYLE}</style><svg class=fa-board>{part.svg}</svg>")
    number, end = page.evaluate(
        "(e => [e.textContent, e.getBBox().x + e.getBBox().width])(document.querySelector('text'))"
    )
    page.close()
    assert number == "11" and end + 4 <= x + width


def test_three_digits_stand_beside_the_cards(browser: Browser) -> None:
    game = find_game("manhattan")
    view = game.view(game.start(game.make_options({}), 2, Seed.from_text("x")), None)
    view["seats"][0]["points"] = 119
    parts = {part.key: part.svg for part in draw("manhattan", view).parts}
    page = browser.new_page()
    page.set_content(f"<style>{STYLE}</style><svg class=fa-board>{parts['hand.0.3']}{parts['seat.0.points']}</svg>")
    end = page.evaluate("(box => box.x + box.width)(document.querySelector('svg > :first-child').getBBox())")
    begin = page.evaluate("document.querySelector('svg > :last-child text').getBBox().x")
    page.close()
    assert end + 4 < begin


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (1200, 500), (1280, 800), (1920, 1080), (667, 375)])
def test_no_window_scrolls_sideways(width: int, height: int, written: Written, opened: Opened) -> None:
    page = opened(written("new-york", 5), "ply=20", width=width, height=height)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert hidden(page, "#board") == []


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1200, 1280])
def test_the_lists_leave_the_heading_free(width: int, tmp_path: Path, opened: Opened) -> None:
    page = opened(write(tmp_path, *3 * [recorded("manhattan", 4)]), width=width, height=800)
    overlapping = page.evaluate(
        """() => {
            const parts = [...document.querySelectorAll("header :is(h1, label)")], boxes = parts.map((part) => {
                const box = (part.querySelector("select") ?? part).getBoundingClientRect();
                return {name: part.textContent, ...box.toJSON()};
            });
            return boxes.flatMap((a, at) => boxes.slice(at + 1).filter((b) =>
                a.width && b.width && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
            ).map((b) => [a.name, b.name]));
        }"""
    )
    assert overlapping == []
