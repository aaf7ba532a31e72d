"""`fa serve` as people use it: whole games in Chromium with the mouse, the keys, a finger, and by names alone."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fa_cli.isolation.shipped_bots import shipped_paths
from tests.browser import violations
from tests.conftest import further
from tests.inside import play_quietly
from tests.serve.browsed import (
    CHOICES,
    MY_TURN,
    OVER,
    READY,
    Opened,
    People,
    asked,
    await_turn,
    click,
    opened,
    play,
    tap,
)
from tests.serve.served import Served, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Response, WebSocketRoute

GAMES = {"fifth-avenue": "Ann greedy greedy", "manhattan": "Ann greedy", "new-york": "Ann greedy"}
WHOLE = GAMES | {"manhattan": "Ann greedy greedy greedy"}
"""Seats of games that are played to their end: with four players each has half as many blocks as with two."""
SHORTER = {"fifth-avenue": {"turn_limit": "3"}, "manhattan": {}, "new-york": {"actions": "on", "turn_limit": "30"}}
"""Options of games whose end is far enough to decide everything there is. With the mouse each game is played, two of
them to the end that the rules have; in any other way one game is."""
CONTEST = "spring" * 8
LARGEST = 100_000
"""The most bytes of a page with all that it loads."""
_RANDOM = random.Random(1)


@pytest.fixture
def people(browser: Browser) -> Iterator[People]:
    people = People(browser)
    yield people
    people.leave()
    assert people.complaints == []


def choose(page: Page, step: int) -> None:
    """Click one of the things that are framed, or a button beside the question."""
    click(page, CHOICES, _RANDOM.random())


def send(page: Page) -> None:
    click(page, "#send")


def touch(page: Page, step: int) -> None:
    tap(page, CHOICES, _RANDOM.random())


def send_by_touch(page: Page) -> None:
    tap(page, "#send")


def type_and_enter(page: Page, step: int) -> None:
    """Choose from the list: every other time with Tab, otherwise with the filter."""
    if step % 4:
        page.keyboard.press("/")
        page.keyboard.press("Enter")
        return None
    page.evaluate("document.querySelector('#all').open = true")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('#actions button')"):
            return page.keyboard.press("Enter")
    raise AssertionError("Tab does not lead to the list")


def by_name(page: Page, step: int) -> None:
    """Choose a button of the region of one's move."""
    move = page.get_by_role("region", name="Your move")
    if not page.get_by_role("searchbox", name="Only with").is_visible():
        move.get_by_text("All that you can do").click()
    move.get_by_role("list", name="Actions").get_by_role("button").last.click()


@pytest.mark.parametrize("game", ["fifth-avenue", *further("manhattan", "new-york")])
def test_a_game_with_the_mouse(game: str, server: Served, people: People) -> None:
    options = SHORTER[game] if game == "new-york" else {}
    page = people.visit(opened(server, game, WHOLE[game], options=options).seats[0])
    play(page, choose, send)
    assert "wins with" in page.inner_text("#question") or "win with" in page.inner_text("#question")
    headings = page.locator("#players thead th:visible").all_inner_texts()
    assert headings == ["seat", "player", "status", "time", "points", "rank"]


@pytest.mark.parametrize("game", further("new-york"))
def test_a_game_on_a_phone(game: str, server: Served, people: People) -> None:
    options = SHORTER[game] | {"turn_limit": "12"}
    page = people.visit(opened(server, game, GAMES[game], options=options).seats[0], 390, 844)
    play(page, touch, send_by_touch)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.tap("text=Watch the replay")
    page.wait_for_selector("#board")
    page.get_by_role("link", name="Lobby").click()
    page.wait_for_selector("#tables a")


@pytest.mark.parametrize("game", further("manhattan"))
def test_a_game_with_the_keyboard_alone(game: str, server: Served, people: People) -> None:
    page = people.visit(opened(server, game, WHOLE[game], options=SHORTER[game]).seats[0])

    def send(page: Page) -> None:
        assert page.evaluate("document.activeElement.id") == "send"
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement !== document.body"), "the focus is lost"

    play(page, type_and_enter, send)


@pytest.mark.parametrize("game", further("fifth-avenue"))
def test_two_people_and_a_bot_by_roles_and_names_alone(game: str, server: Served, people: People) -> None:
    table = opened(server, game, "Ann greedy Bob", options=SHORTER[game])
    pages = [people.visit(table.seats[0]), people.visit(table.seats[2])]
    for _ in range(5000):
        found = [asked(page) for page in pages]
        for page, what in zip(pages, found, strict=True):
            if what == "send":
                page.get_by_role("button", name="Send", exact=True).click()
            elif what == "choose":
                by_name(page, 0)
        if found == ["over", "over"]:
            break
        if found == ["", ""]:
            pages[0].wait_for_timeout(10)
    for page in pages:
        assert page.get_by_role("link", name="Watch the replay").is_visible()
        assert page.get_by_role("heading", level=2, name=re.compile("wins? with")).is_visible()


def test_from_the_lobby_to_a_table_and_the_links_to_pass_on(server: Served, people: People) -> None:
    page = people.visit(server.link)
    page.locator("#game").select_option(label="Manhattan")
    page.get_by_label("Name in seat 0").fill("Ann")
    page.get_by_label("Seat 1", exact=True).select_option(label="another person")
    page.get_by_label("Name in seat 1").fill("Bob")
    page.get_by_role("button", name="Open the table").click()
    link = page.get_by_role("textbox", name="Link: Seat 1, Bob").input_value()
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {})")  # as over plain http from elsewhere
    page.get_by_role("button", name="Copy the link: Seat 1, Bob").click()
    assert page.get_by_role("status").all_inner_texts() == ["Copied.", ""]
    page.get_by_label("Name in seat 1").fill("")
    page.get_by_label("Name in seat 1").press("Control+V")
    assert page.get_by_label("Name in seat 1").input_value() == link[:40], "a name has at most 40 characters"
    page.get_by_role("link", name="Sit down").click()
    page.wait_for_selector(MY_TURN)
    assert page.title().startswith("Your turn: Manhattan")
    page.reload()
    page.get_by_text("Links to pass on").click()
    assert page.get_by_role("textbox", name="Link: Seat 1, Bob").input_value() == link, "who opened the table finds it"
    other = people.visit(link)
    other.wait_for_selector("text=It is Ann's turn.")
    page.wait_for_selector("#seats tr:nth-child(2):has-text('here')")
    page.click("#resign")
    page.wait_for_selector("text=/It is Bob's turn|is thinking/")
    page.wait_for_selector("#seats tr:first-child td:text-is('out')")
    assert not page.is_visible("#leave")
    other.get_by_role("link", name="Lobby").click()
    table = link.partition("#")[0].rpartition("/")[2]
    other.get_by_role("link", name=f"Table {table}: Manhattan").click()
    other.wait_for_selector(MY_TURN)
    assert other.url == link
    page.get_by_role("link", name="Lobby").click()
    page.wait_for_selector("#new:not([hidden])")
    greedy = page.get_by_label("Seat 1", exact=True).locator("option[value=greedy]")
    assert greedy.inner_text() == "greedy: plays what brings the most points right now", "the owner stays the owner"


def test_an_owner_comes_back_to_the_own_seat_and_closes_a_table(server: Served, people: People) -> None:
    page = people.visit(server.link)
    page.locator("#game").select_option(label="Manhattan")
    page.get_by_label("Players").select_option("2")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector(MY_TURN)
    mine, table = page.url, page.url.partition("#")[0].rpartition("/")[2]
    watching = people.visit(mine)
    watching.wait_for_selector(MY_TURN)
    page.get_by_role("link", name="Lobby").click()
    page.get_by_role("link", name=f"Table {table}: Manhattan").click()
    page.wait_for_selector(MY_TURN)
    assert page.url == mine
    elsewhere = people.visit(server.link)
    elsewhere.get_by_role("link", name=f"Table {table}: Manhattan").click()
    elsewhere.wait_for_selector(MY_TURN)
    assert elsewhere.url == mine, "with the owner's link every browser finds the seat"
    elsewhere.get_by_text("Links to pass on").click()
    assert elsewhere.get_by_role("textbox", name="Link: Who only watches").is_visible()
    page.get_by_text("Links to pass on").click()
    spectator = people.visit(page.get_by_role("textbox", name="Link: Who only watches").input_value())
    spectator.wait_for_selector("#question:has-text('turn')")
    assert not spectator.is_visible("#invitations")
    page.get_by_role("link", name="Lobby").click()
    page.get_by_role("button", name=f"Close table {table}", exact=True).focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(f"#tables:not(:has-text('Table {table}:'))", state="attached")
    watching.wait_for_selector("text=The owner of this server has closed the table.")
    watching.keyboard.press("Escape")
    assert watching.inner_text("#question") == "The owner of this server has closed the table."
    assert not watching.is_visible("#leave")
    assert not list(server.home.glob(f"logs/table-{table}.*"))
    assert page.evaluate("document.activeElement.id") == "tables-heading", "the next Tab leads to the other tables"


def test_the_owner_sees_who_is_missing_and_lets_a_bot_play_on(server: Served, people: People) -> None:
    table = opened(server, "manhattan", "Ann Ben Cid", person_seconds=60)
    page = people.visit(server.link)
    page.goto(table.seats[0])
    page.wait_for_selector("#awaited:has-text('Waiting for Ben and Cid to open the link.')")
    ben, spectator = people.visit(table.seats[1]), people.visit(table.spectators)
    page.wait_for_selector("#awaited:has-text('Waiting for Cid to open the link.')")
    page.wait_for_timeout(1100)
    assert page.inner_text("#left") == "1:00 left"
    page.get_by_role("button", name="Let planner play on for Cid").click()
    for each in (page, ben, spectator):
        each.wait_for_selector("#seats tr:nth-child(3) td:text-is('bot')")
        assert not each.is_visible("#awaited")
        assert each.is_visible("#keys") == (each is not spectator), "spectators choose nothing"
        assert not each.query_selector("#away button")
    page.wait_for_selector("#left:text-matches('^0:5. left')")


def test_who_was_away_takes_the_seat_back(server: Served, people: People) -> None:
    table = opened(server, "new-york", "Ann Ben")
    page = people.visit(server.link)
    page.goto(table.seats[0])
    page.get_by_role("button", name="Let planner play on for Ben").click()
    page.wait_for_selector("#seats tr:nth-child(2) td:text-is('bot')")
    ben = people.visit(table.seats[1], 390, 844)
    ben.get_by_role("button", name="Play on myself").tap()
    page.wait_for_selector("#seats tr:nth-child(2) td:text-is('here')")
    assert not ben.is_visible("#taken")
    play(page, choose, send, 2)
    assert await_turn(ben)
    play(ben, touch, send_by_touch, 2)


def test_the_lobby_says_how_strong_each_bot_is(server: Served, people: People) -> None:
    page = people.visit(server.link)
    page.wait_for_selector("#strengths:not([hidden])")
    assert all(re.search(rf"\b{name}\b", page.inner_text("#strengths")) for name in shipped_paths())
    guest = people.visit(server.url)
    guest.wait_for_selector("#new:not([hidden])")
    assert not guest.is_visible("#strengths")


def test_links_to_pass_on_lead_here_from_elsewhere(people: People, tmp_path: Path) -> None:
    with served(tmp_path, "--host", "0.0.0.0", "--yes") as server:
        page = people.visit(server.link)
        page.get_by_label("Seat 1", exact=True).select_option(label="another person")
        page.get_by_role("button", name="Open the table").click()
        link = page.get_by_role("textbox", name="Link: Seat 1, guest-1").input_value()
        assert not link.startswith(server.url)
        page.get_by_role("link", name="Sit down").click()
        page.wait_for_selector(MY_TURN)
        assert page.url.startswith(server.url)
        other = people.visit(link, 390, 844)
        other.wait_for_selector("text=It is host's turn.")
        people.leave()
    people.complaints = [text for text in people.complaints if "Opener-Policy" not in text]  # not heeded without TLS


def test_a_limit_is_for_one_table_alone(server: Served, people: People) -> None:
    page = people.visit(server.link)
    page.get_by_text("Options, time and deal").click()
    page.select_option("#limit", label="30 s")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector("#left:has-text('left')")
    page.go_back()
    page.wait_for_selector("#new:not([hidden])")
    assert page.input_value("#limit") == "0"
    page.get_by_text("Options, time and deal").click()
    page.select_option("#limit", label="30 s")
    page.reload()
    page.wait_for_selector("#new:not([hidden])")
    assert page.input_value("#limit") == "0"


def test_the_lobby_begins_when_the_server_answers_again(server: Served, people: People) -> None:
    page = people.visit(server.url + "/rules/manhattan")
    page.clock.install()
    page.route("**/api/lobby", lambda route: route.abort())
    page.goto(server.link)
    page.wait_for_selector("#problem:has-text('The server does not answer.')")
    page.unroute("**/api/lobby")
    page.clock.run_for(3000)
    page.wait_for_selector("#new:not([hidden])")
    assert not page.is_visible("#problem")
    page.route("**/api/lobby", lambda route: route.fulfill(status=502, json={"error": ""}))  # HTTP/2 has no reasons
    page.clock.run_for(3000)
    page.wait_for_selector("#problem:has-text('The server refused.')")
    page.unroute("**/api/lobby")
    page.clock.run_for(3000)
    page.wait_for_selector("#problem", state="hidden")
    people.complaints.clear()  # Chromium's, while nothing answered


def test_a_table_that_shows_no_game_says_why(server: Served, people: People) -> None:
    present = {"type": "present", "seats": [], "spectators": 1, "bots": [], "resigned": [], "awaited": []}
    sockets: list[WebSocketRoute] = []

    def answer(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        if len(sockets) == 1:
            socket.send(json.dumps({"type": "stopped", "why": "It is broken."}))
            socket.send(json.dumps(present))
        elif len(sockets) == 2:
            socket.close(code=4430, reason="too many people watch this game")
        else:
            socket.close(code=4404)

    page = people.visit(server.url + "/rules/manhattan")
    page.clock.install(time="2030-01-01")
    page.evaluate("sessionStorage.setItem('fa-seat-999', 'old')")
    page.route_web_socket("**/socket", lambda socket: answer(socket))
    page.goto(server.url + "/table/999#old")
    page.wait_for_selector("#lost:has-text('It is broken.')")
    page.keyboard.press("Escape")
    assert page.inner_text("#lost") == "It is broken."
    page.clock.pause_at("2030-01-02")
    sockets[0].close()
    page.wait_for_selector("#lost:has-text('The connection is lost')")
    page.clock.run_for(250)
    page.wait_for_selector("#lost:text-is('Too many people watch this game. Trying again…')")
    page.clock.run_for(4999)
    assert len(sockets) == 2
    page.clock.run_for(1)
    page.wait_for_selector("#lost:has-text('This link leads to no game')")
    assert page.evaluate("sessionStorage.getItem('fa-seat-999')") == "", "the lobby does not lead here again"


def test_escape_clears_the_filter_first_and_the_focus_stays_on_the_page(server: Served, people: People) -> None:
    page = people.visit(opened(server, "manhattan", "Ann greedy greedy").seats[0])
    focused = "document.activeElement.id"
    page.wait_for_selector(MY_TURN)
    page.locator("#drawn-hands rect.target").first.click()
    page.keyboard.press("/")
    page.keyboard.type("select/")
    assert page.input_value("#filter") == "select"
    page.keyboard.press("Escape")
    assert (page.input_value("#filter"), page.evaluate(focused)) == ("", "filter")
    assert page.query_selector(".picked")
    page.keyboard.press("Escape")
    assert not page.query_selector(".picked")
    assert page.evaluate(focused) == "question"
    page.keyboard.press("/")
    page.keyboard.press("Enter")
    page.wait_for_selector(READY)
    assert page.evaluate(focused) == "send"
    page.keyboard.press("Escape")
    assert page.evaluate(focused) == "question"


def test_an_action_from_the_list_is_marked_on_the_board(server: Served, people: People) -> None:
    page = people.visit(opened(server, "new-york", "Ann greedy").seats[0])
    page.wait_for_selector(MY_TURN)
    page.click("#all summary")
    page.click("#actions button >> nth=3")
    page.wait_for_selector(READY)
    assert page.get_attribute(".picked", "data-key") == "stone.a1s4"


def test_the_board_as_text_follows_the_game(server: Served, people: People) -> None:
    page = people.visit(opened(server, "new-york", "Ann greedy").seats[0])
    page.wait_for_selector(MY_TURN)
    page.get_by_text("The board as text").press("Enter")
    before = page.get_by_role("group", name="The board as text").inner_text()
    assert "stock 0, discarded 0" in before
    play(page, choose, send, 3)
    assert page.get_by_role("group", name="The board as text").inner_text() != before


def test_a_button_says_what_it_does(server: Served, people: People) -> None:
    page = people.visit(opened(server, "fifth-avenue", "Ann greedy").seats[0])
    for step in range(8):
        assert await_turn(page)
        if page.query_selector("#words button"):
            break
        send(page) if page.query_selector(READY) else choose(page, step)
    assert page.get_by_role("button", name="take skyscrapers from the general supply").is_visible()


def test_a_reload_during_an_auction_loses_nothing(server: Served, people: People) -> None:
    page = people.visit(opened(server, "fifth-avenue", GAMES["fifth-avenue"]).seats[0])
    for step in range(200):
        assert await_turn(page)
        if "auction" in page.inner_text("#question") and "pass" in page.inner_text("#words"):
            break
        send(page) if page.query_selector(READY) else choose(page, step)
    lay_a_card(page)
    happened = page.inner_text("#log")
    page.reload()
    page.wait_for_selector(MY_TURN)
    assert page.inner_text("#log") == happened
    assert page.inner_text("#chosen") == ""
    lay_a_card(page)
    assert page.inner_text("#chosen").startswith("You lay")
    play(page, choose, send, 12)


def lay_a_card(page: Page) -> None:
    page.click("#stage + #side #actions button:has-text('lay')")
    page.wait_for_selector("#chosen li")


@pytest.mark.slow
def test_a_server_that_was_killed_plays_on(browser: Browser, people: People, tmp_path: Path) -> None:
    with served(tmp_path) as server:
        page = people.visit(opened(server, "manhattan", GAMES["manhattan"]).seats[0])
        play(page, choose, send, 12)
        await_turn(page)
        happened = page.inner_text("#log")
        server.process.kill()
        server.process.wait()
        page.wait_for_selector("#lost:not([hidden])")
    with served(tmp_path, port=server.port):
        page.wait_for_selector("#lost", state="hidden")
        page.wait_for_selector("#log:not(:empty)")  # the turn before stays until the game is as far
        await_turn(page)
        assert page.inner_text("#log").splitlines()[:3] == happened.splitlines()[:3]
        play(page, choose, send, 6)
        page.click("#hand-over")
        page.wait_for_selector(OVER)
        people.leave()
    people.complaints = [text for text in people.complaints if "WebSocket" not in text]  # Chromium's, while it is away


def test_a_wrong_click_names_the_rules_and_changes_nothing(server: Served, people: People) -> None:
    page = people.visit(opened(server, "manhattan", GAMES["manhattan"]).seats[0])
    page.wait_for_selector(MY_TURN)
    page.click("#stage svg", position={"x": 60, "y": 150})
    assert "can't be chosen now" in page.inner_text("#explanation")
    assert re.fullmatch("MA-[0-9]+", page.inner_text("#explanation a >> nth=0"))
    assert page.get_attribute("#explanation a >> nth=0", "href").startswith("/rules/manhattan#MA-")  # type: ignore[union-attr]
    assert not page.query_selector(".picked")


def test_an_action_card_is_asked_for_named_and_has_its_own_rules(server: Served, people: People) -> None:
    table = opened(server, "new-york", "Ann greedy greedy", options={"actions": "on"}, seed="l")
    page = people.visit(table.seats[0])
    for _ in range(20):
        assert await_turn(page)
        if "action card" in page.inner_text("#question"):
            break
        send(page) if page.query_selector(READY) else choose(page, 0)
    page.click("[data-key='hand.0.developer red']")
    assert page.inner_text("#hint").startswith("Chosen: developer red. Now choose")
    page.click("#stage svg", position={"x": 3, "y": 3})
    assert page.locator("#explanation a").all_inner_texts() == ["NY-4", "NY-5", "NY-8", "NY-9"]


def test_a_part_clicked_twice_says_so_and_can_be_taken_back(server: Served, people: People) -> None:
    page = people.visit(opened(server, "manhattan", GAMES["manhattan"]).seats[0])
    page.wait_for_selector(MY_TURN)
    assert page.inner_text("#hint") == "Choose a block."
    for _ in range(2):
        page.locator("#drawn-hands rect.target").first.click()
    assert page.text_content(".times") == "×2"
    assert page.inner_text("#hint") == "Chosen: a red 1, a red 1. Now choose a block."
    page.keyboard.press("Escape")
    assert not page.query_selector(".picked")


def test_the_question_has_no_words_of_the_terminal(server: Served, people: People) -> None:
    page = people.visit(opened(server, "new-york", "Ann greedy").seats[0])
    page.wait_for_selector(MY_TURN)
    assert page.inner_text("#question") == "Place a red stone on an empty building."
    assert page.inner_text("#hint") == "Choose a building."


def test_the_rules_lead_back_to_the_lobby_and_have_the_theme_chosen(server: Served, people: People) -> None:
    page = people.visit(server.url)
    page.get_by_label("Theme").select_option("Dark")
    page.goto(server.url + "/rules/new-york#NY-8")
    assert page.locator("h1").all_inner_texts() == ["New York: rules"]
    assert page.get_attribute("html", "data-theme") == "dark"
    page.get_by_role("link", name="Lobby").click()
    page.wait_for_selector("#new:not([hidden])")


def test_a_bot_finishes_for_a_person_who_was_asked_first(server: Served, people: People) -> None:
    page = people.visit(opened(server, "new-york", "Ann greedy").seats[0])
    page.wait_for_selector(MY_TURN)
    assert page.get_attribute("#log-box", "tabindex") == "-1"
    assert page.get_attribute(".wide", "tabindex") == "-1"
    page.click("#hand-over")
    page.wait_for_selector(OVER)
    assert page.get_attribute("#log-box", "tabindex") == "0"
    assert "bot" in page.inner_text("#seats tr:first-child")
    assert re.search(r"You win with|than you$|as many as you,", page.inner_text("#question"))


@pytest.fixture(scope="module")
def contest(server: Served) -> str:
    """The address of a tournament."""
    play_quietly(server.home, "greedy", "random", "--games", "8", "--players", "2", "--name", CONTEST, "--seed", "x")
    return f"{server.url}/contest/{CONTEST}"


def test_lists_are_renewed_and_keep_the_focus(server: Served, contest: str, people: People) -> None:
    def focused() -> str:
        name: str = page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.textContent")
        return name

    def look_again() -> None:
        with page.expect_response("**/api/**"):
            page.clock.run_for(3000)

    def numbered(table: Opened) -> str:
        return table.spectators.partition("#")[0].rpartition("/")[2]

    table = opened(server, "manhattan", "Ann Ben")
    page = people.visit(server.link)
    page.clock.install()
    page.evaluate(f"sessionStorage.setItem('fa-seat-{numbered(table)}', 'of a table that had the number before')")
    page.reload()
    link = page.get_by_role("link", name=f"Table {numbered(table)}:")
    assert server.url + (link.get_attribute("href") or "") == table.spectators
    close = page.get_by_role("button", name=f"Close table {numbered(table)}", exact=True)
    close.focus()
    other = opened(server, "manhattan", "Ann Ben")
    look_again()
    page.wait_for_selector(f"#tables :text('Table {numbered(other)}:')")
    assert focused() == close.get_attribute("aria-label")
    page.locator("#contests a").focus()
    look_again()
    assert focused() == CONTEST

    page.goto(contest)
    page.get_by_role("link", name="Game 8").focus()
    page.evaluate("""new MutationObserver(() => (document.body.id = 'said'))
        .observe(document.querySelector('#state'), {childList: true})""")
    look_again()
    assert (focused(), page.inner_text("#state + *")) == ("Game 8", ", 8 of 8 games")
    assert not page.query_selector("#said"), "what stays is not read aloud again"
    seen = json.loads(server.get(f"/api/contests/{CONTEST}")[1])
    faults = [{"bot": "random", "faults": 2, "kinds": "2 crashes", "suspended": 1}]
    later = seen | {"latest": seen["latest"][1:], "faults": faults}
    page.route("**/api/**", lambda route: route.fulfill(json=later))
    look_again()
    page.wait_for_selector("#latest:not(:has-text('Game 8'))")
    assert focused() == "Latest games", "the next Tab leads to the other games"
    assert page.inner_text("#faults") == "random: 2 (2 crashes), suspended for 1 game"


SCREENS = [(390, 844, True), (1366, 768, False), (844, 390, False)]


@pytest.mark.slow
def test_no_violation_of_wcag(server: Served, contest: str, people: People, axe: str) -> None:
    """On each page, on each screen; a page is opened once, because reading axe-core takes longer than a check."""

    def check(page: Page, ready: str) -> None:
        page.wait_for_selector(ready)
        for width, height, dark in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme="dark" if dark else "light")
            page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
            assert violations(page, axe) == [], (page.url, width, height)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (page.url, width, height)

    table = opened(server, "manhattan", "Ann greedy Bob")
    for address, ready in (
        (server.link, "#new:not([hidden])"),
        (server.url + "/rules/manhattan", "h1"),
        (contest, "#rows tr + tr"),
        (table.seats[2], "#question:has-text('turn')"),
        (table.spectators, "#question:has-text('turn')"),
        (opened(server, "new-york", "greedy greedy").spectators, OVER),
    ):
        check(people.visit(address), ready)
    page = people.visit(table.seats[0])
    check(page, MY_TURN)
    page.locator("#drawn-hands rect.target").first.click()
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    check(page, ".picked")


def test_a_phone_shows_two_lines_of_what_happened(server: Served, people: People) -> None:
    page = people.visit(opened(server, "manhattan", "greedy greedy Ann").seats[2], 390, 844)
    page.wait_for_selector("#log li")
    line = page.evaluate("parseFloat(getComputedStyle(document.querySelector('#log li')).lineHeight) + 4")
    height = "document.querySelector('#log-box').getBoundingClientRect().height"
    assert page.evaluate(height) > 2 * line - 1
    page.click("#hand-over")
    page.wait_for_selector(OVER)
    assert page.get_attribute(".wide", "tabindex") == "0", "points and rank are beside the screen"
    assert 2 * line - 1 < page.evaluate(height) < 2 * line + 1, "the result and the link to the replay are in sight"


@pytest.mark.parametrize("path", ["/", "/table/999", "/contest/none", "/rules/fifth-avenue", "/rules/new-york"])
def test_a_page_is_small_and_obeys_its_policy(path: str, server: Served, browser: Browser) -> None:
    page = browser.new_page()
    answers: list[Response] = []
    page.on("response", lambda each: answers.append(each))
    answer = page.goto(server.url + path)
    page.wait_for_load_state("load")
    page.wait_for_timeout(50)
    policy = answer.headers["content-security-policy"] if answer else ""
    loaded = {each.url: len(each.body()) for each in answers if "/api/" not in each.url}
    markup = answer.text() if answer else ""
    page.close()
    assert "script-src 'self'" in policy and "style-src 'self'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon[a-z]+=", markup)
    assert sum(loaded.values()) <= LARGEST, loaded
