"""The replay page in Chromium: every control, every address, and what it says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fa_cli.games.fifth_avenue.text import if_ended
from fa_cli.replay.evaluation import Evaluation, Slip
from fa_cli.replay.record import Record
from fa_cli.viewer.replay_page import PageWriter, replay_page
from tests.replay.test_ending import ended
from tests.viewer.conftest import Opened
from tests.viewer.games import MARKUP, NAMES, printed, recorded, states, with_fault

if TYPE_CHECKING:
    from playwright.sync_api import Page

SHOWN = "document.querySelector('#board')?.outerHTML + document.querySelector('#hands')?.outerHTML"


def write(folder: Path, *records: Record, viewer: int | None = None) -> Path:
    writer = PageWriter(viewer)
    for number, record in enumerate(records, 1):
        writer.add(record, number)
    file = folder / "game.html"
    file.write_text(replay_page("games", writer), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def records() -> list[Record]:
    """A short game of each kind; in the second one a bot fails."""
    return [recorded(NAMES[0], 3), with_fault(recorded(NAMES[1], 4)), recorded(NAMES[2], 5)]


@pytest.fixture(scope="module")
def file(records: list[Record], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("page"), *records)


def wait(page: Page, expression: str) -> None:
    """Wait until a JavaScript expression is true. Playwright's own way would break the page's policy."""
    for _ in range(500):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(20)
    raise AssertionError(expression)


def said(page: Page) -> list[str]:
    text = page.evaluate("document.querySelector('#announcement').textContent")
    return text.split("\n")


def address(page: Page) -> str:
    """The fragment of the page's address, which follows soon where it changes often."""
    page.wait_for_timeout(400)
    return str(page.evaluate("location.hash"))


def test_the_announcements_are_the_sentences_of_replay_show(file: Path, records: list[Record], opened: Opened) -> None:
    page = opened(file)
    for number, record in enumerate(records, 1):
        expected = printed(record)
        page.select_option("#game", str(number - 1)) if number > 1 else None
        heard = page.evaluate(
            """plies => Array.from({length: plies + 1}, (_, position) => {
                if (position) document.querySelector('#next').click();
                return document.querySelector('#announcement').textContent;
            })""",
            len(record.actions),
        )
        assert [text.split("\n") for text in heard] == expected
        assert address(page) == f"#game={number}&ply={len(record.actions) - 1}"


def test_an_address_leads_to_its_position(file: Path, records: list[Record], opened: Opened) -> None:
    page = opened(file, "game=3&ply=7&seat=2")
    expected = page.evaluate(SHOWN)
    assert page.input_value("#view") == "2"
    assert page.evaluate("document.querySelector('#facts').textContent").startswith("Ply 7 of ")
    page.evaluate("location.hash = '#game=1'")  # as typed into the address bar of the open page
    wait(page, "document.querySelector('h1').textContent === 'Fifth Avenue, game 1'")
    assert said(page) == printed(records[0])[0]
    page.evaluate("location.hash = '#game=1&ply=deal'")
    assert said(page) == printed(records[0])[0]
    page.go_back()
    page.go_back()
    wait(page, "document.querySelector('h1').textContent === 'New York, game 3'")
    assert page.evaluate(SHOWN) == expected


def test_a_typed_address_wins_over_a_step_just_made(file: Path, opened: Opened) -> None:
    page = opened(file, "game=2&ply=10")
    page.evaluate(
        """() => {
            for (let step = 0; step < 3; step++) document.querySelector('#next').click();
            location.hash = '#game=3&ply=7';
            for (const end = performance.now() + 500; performance.now() < end;);
        }"""
    )
    assert address(page) == "#game=3&ply=7"
    assert page.inner_text("#facts").startswith("Ply 7 of ")


def test_wrong_addresses(file: Path, records: list[Record], opened: Opened) -> None:
    page = opened(file)
    last = len(records[1].actions) - 1
    for fragment, sentence in {
        "game=9": "This page has no game 9: it has game 1, 2, 3.",
        "game=x": "game 'x' is not a number.",
        "game=2&ply=9999": f"Game 2 has no ply 9999: its plies are 0 to {last}.",
        "game=2&ply=-1": "ply '-1' is not a number.",
        "game=2&seat=4": "Game 2 has no seat 4: its seats are 0 to 3.",
        "ply=<b>&seat=%26": "ply '<b>' is not a number. seat '&' is not a number.",
    }.items():
        page.evaluate("fragment => { location.hash = fragment; }", fragment)
        page.wait_for_selector("#notice:not([hidden])")
        assert page.inner_text("#notice") == sentence
        page.keyboard.press("ArrowRight")
        assert page.is_hidden("#notice")


def test_keys(file: Path, opened: Opened) -> None:
    page = opened(file, "game=2&ply=10")
    for key, ply in [("ArrowRight", 11), ("ArrowLeft", 10), ("ArrowLeft", 9), ("ArrowRight", 10)]:
        page.keyboard.press(key)
        assert address(page) == f"#game=2&ply={ply}"
    page.keyboard.press("Home")
    assert address(page) == "#game=2"
    page.keyboard.press("ArrowLeft")  # nothing is before the deal
    assert address(page) == "#game=2"
    page.keyboard.press("End")
    last = address(page)
    page.keyboard.press("ArrowRight")
    assert address(page) == last
    page.keyboard.press("Alt+ArrowLeft")  # the browser's own
    page.focus("#speed")
    page.keyboard.press("ArrowDown")  # a list uses arrows itself
    assert address(page) == last
    page.focus("#future")
    page.keyboard.press("Space")  # and a box the space bar
    assert page.is_checked("#future") and page.get_attribute("#play", "aria-label") == "Play"


@pytest.mark.slow
def test_playing(file: Path, opened: Opened) -> None:
    page = opened(file, "game=2")
    page.select_option("#speed", "16")
    page.focus("body")
    page.keyboard.press("Space")
    assert page.get_attribute("#play", "aria-label") == "Pause"
    assert page.get_attribute("#announcement", "aria-live") == "off"
    wait(page, "document.querySelector('#position').value > 3")
    page.keyboard.press("Space")
    stopped = address(page)
    page.wait_for_timeout(200)
    assert address(page) == stopped
    assert page.get_attribute("#play", "aria-label") == "Play"
    assert page.get_attribute("#announcement", "aria-live") == "polite"
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.click("#play")
    wait(page, "document.querySelector('#play').ariaLabel === 'Play'")  # it stops at the end
    page.click("#play")  # and begins again
    wait(page, "document.querySelector('#position').value < 20")


@pytest.mark.slow
def test_jumps(file: Path, records: list[Record], opened: Opened) -> None:
    page = opened(file, "game=2")
    page.get_by_label("Next fault").click()
    (fault,) = records[1].faults
    assert address(page) == f"#game=2&ply={fault.ply}"
    assert said(page)[0].startswith(f"{records[1].players[1]} is out of the game: protocol: </script><b>")
    assert page.get_by_label("Next fault").get_attribute("aria-disabled") == "true"
    page.get_by_label("Next scoring").click()
    assert "scores" in page.inner_text("#announcement")
    page.get_by_label("Next round").click()
    assert "round 2" in page.inner_text("#facts")
    assert page.get_by_label("Next turn").count() == 0  # Manhattan counts rounds alone
    page = opened(file, "game=1")
    page.get_by_label("Next auction").click()
    assert "Auction of" in page.inner_text("#announcement")
    page.get_by_label("Next turn").click()
    here = address(page)
    page.get_by_label("Next turn").click()
    page.get_by_label("Previous turn").click()
    assert address(page) == here


@pytest.mark.slow
def test_expected_shares_and_mistakes(file: Path, tmp_path: Path, opened: Opened) -> None:
    page = opened(file)
    assert page.get_by_text("win", exact=True).is_hidden() and not page.get_by_label("Next mistake").count()
    record, writer = recorded(NAMES[1], 3), PageWriter(None)
    shares = [[0.25, 0.25, 0.5], *[[0.6, 0.3, 0.1]] * len(record.actions)]
    writer.add(record, 1, evaluation=Evaluation(record.players, shares, [Slip(20, 2, "played", "better", 0.1, 0.4)]))
    (tmp_path / "judged.html").write_text(replay_page("games", writer), encoding="utf-8")
    page = opened(tmp_path / "judged.html")
    column = page.locator("#players tbody .expected")
    assert column.all_inner_texts() == ["25%", "25%", "50%"]
    page.keyboard.press("m")
    assert address(page) == "#game=1&ply=20"
    assert column.all_inner_texts() == ["60%", "30%", "10%"]
    assert said(page)[-1].startswith("One of the worst decisions: 10% of the win expected; 40% if better")
    assert page.locator("#moves .marked").count() == 1
    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.evaluate("(seats => seats.scrollWidth <= seats.clientWidth)(document.querySelector('#seats'))")
    page.set_viewport_size({"width": 640, "height": 400})  # the same at twice its size
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.slow
def test_the_strip_and_the_list_lead_to_positions(file: Path, records: list[Record], opened: Opened) -> None:
    page = opened(file, "game=2")
    box = page.locator("#position").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 20)
    middle = int(address(page).rpartition("=")[2])
    assert abs(middle - len(records[1].actions) / 2) <= 2
    page.locator("#moves button").nth(5).click()
    assert address(page) == "#game=2&ply=5"
    assert page.locator("#moves [aria-current]").inner_text().split("\n") == ["5", *printed(records[1])[6]]
    thumb = page.evaluate(  # the line of the slider stands where the drawn lines have this position
        """() => { const slider = document.querySelector('#position'), drawn = document.querySelector('#drawn svg');
            const [a, b] = [slider, drawn].map(element => element.getBoundingClientRect());
            const x = a.left + 8 + (a.width - 16) * slider.value / slider.max;
            return (x - b.left) / b.width * 720; }"""
    )
    assert thumb == pytest.approx(12 + 624 * 6 / len(records[1].actions), abs=0.5)


def test_the_view_of_a_seat(file: Path, records: list[Record], opened: Opened) -> None:
    page = opened(file, "game=2&ply=60")
    everything = page.evaluate(SHOWN)
    page.select_option("#view", "1")
    assert address(page) == "#game=2&ply=60&seat=1"
    assert page.evaluate(SHOWN) != everything
    moves = page.inner_text("#moves")
    assert re.search(r"draws 1 card", moves)
    assert f"{records[1].players[2]} draws a" not in moves
    page.select_option("#view", "")
    assert f"{records[1].players[2]} draws a" in page.inner_text("#moves")


def test_the_board_in_words_follows_the_position_and_the_view(file: Path, opened: Opened) -> None:
    page = opened(file, "game=3&ply=60")
    page.click("text=The board in words")
    shown = page.inner_text("#pieces")
    assert re.search(r"^a\ds\d: blue$", shown, re.MULTILINE)
    assert re.search(r"^purchase units: units \d+$", shown, re.MULTILINE)
    assert re.search(r"^street \d: 1 card$", shown, re.MULTILINE)
    page.click("#next")
    assert page.inner_text("#pieces") != shown
    page.click("#previous")
    page.select_option("#view", "1")
    assert 0 < len(re.findall(r": \d cards?$", page.inner_text("#pieces"), re.MULTILINE)) < shown.count(" card")


@pytest.mark.slow
def test_a_page_of_one_seat_has_no_other_view(records: list[Record], tmp_path: Path, opened: Opened) -> None:
    page = opened(write(tmp_path, records[1], viewer=1), "ply=60&seat=0")
    assert page.is_hidden("#view-picker") and page.is_hidden("#game-picker")
    assert page.inner_text("#only-view") == f"As seat 1 saw it: {records[1].players[1]}"
    assert page.inner_text("#notice") == "This page has only what seat 1 saw, not seat 0."
    assert f"{records[1].players[2]} draws a" not in page.inner_text("#moves")


@pytest.mark.slow
def test_players_times_and_faults(file: Path, records: list[Record], opened: Opened) -> None:
    page = opened(file, "game=2&ply=20")
    rows = page.evaluate("[...document.querySelectorAll('#players tbody tr')].map(row => row.innerText.split('\\t'))")
    record = records[1]
    assert [row[1].split(" ")[0].strip() for row in rows] == record.players
    assert "protocol at ply" in rows[1][1]
    assert page.inner_text("#facts").endswith("took 100 µs")
    page.keyboard.press("End")
    points = page.evaluate(
        "[...document.querySelectorAll('#players tbody td:nth-child(3)')].map(cell => +cell.innerText)"
    )
    assert points == record.result.scores


@pytest.mark.slow
def test_themes(file: Path, opened: Opened) -> None:
    colour = "getComputedStyle(document.body).backgroundColor"
    light, dark = opened(file), opened(file, dark=True)
    colours = light.evaluate(colour), dark.evaluate(colour)
    assert colours[0] != colours[1]
    light.select_option("#theme", "dark")
    dark.select_option("#theme", "light")
    assert (dark.evaluate(colour), light.evaluate(colour)) == colours


@pytest.mark.slow
def test_text_of_bots_is_text(records: list[Record], tmp_path: Path, opened: Opened) -> None:
    record = with_fault(recorded(NAMES[1], 4), detail="<img src=x onerror=alert(1)>" + MARKUP)
    page = opened(write(tmp_path, record), f"ply={record.faults[0].ply}")
    assert "<img src=x onerror=alert(1)></script><b>\\u2028\\u202e&amp;" in said(page)[0]
    assert page.locator("img, b").count() == 0


def test_a_bad_record_has_a_banner(tmp_path: Path, opened: Opened) -> None:
    record = recorded(NAMES[0])
    record.actions[12] = "pass"
    page = opened(write(tmp_path, record), "ply=11")
    assert page.inner_text("#problem").startswith("This record is bad at ply 12: 'pass' is not legal here")
    assert page.is_visible("#board")
    assert page.get_attribute("#next", "aria-disabled") == "true"


@pytest.mark.slow
def test_a_browser_without_decompression(file: Path, opened: Opened) -> None:
    page = opened(file, script="delete window.DecompressionStream")
    sentence = "This browser is too old for this page: use Chrome 80, Firefox 113, Safari 16.4 or newer."
    assert page.inner_text("#notice") == sentence
    assert page.is_hidden("#replay")


@pytest.mark.slow
def test_a_damaged_page(file: Path, tmp_path: Path, opened: Opened) -> None:
    text = file.read_text(encoding="utf-8")
    middle = text.index('id="data">') + 1000
    (tmp_path / "bad.html").write_text(text[:middle] + "AAAA" + text[middle + 4 :], encoding="utf-8")
    page = opened(tmp_path / "bad.html")
    page.wait_for_selector("#notice:not([hidden])")
    assert re.fullmatch(r"This page is damaged: .+ Write it again with fa replay html\.", page.inner_text("#notice"))


TABLE = """[...document.querySelectorAll('#players tbody tr')].map(
    row => row.innerText.split('\\t').map(text => text.trim()))"""


def test_ranks_and_times_are_those_of_the_position(file: Path, records: list[Record], opened: Opened) -> None:
    page = opened(file, "game=1")
    assert [row[4:] for row in page.evaluate(TABLE)] == [["1", ""]] * 3  # nobody is ahead, and nobody has decided
    assert page.is_hidden("#end")
    page.keyboard.press("End")
    assert [int(row[4]) for row in page.evaluate(TABLE)] == records[0].result.ranks
    assert page.inner_text("#end") == f"The end: the last of 12 businesses was placed; {ended(records[0])}."


def test_what_comes_can_be_hidden(file: Path, records: list[Record], opened: Opened) -> None:
    page = opened(file, "game=2&ply=3")
    scores = [str(score) for score in records[1].result.scores]
    assert all(score in page.inner_text("#game") for score in scores)
    assert "protocol at ply" in page.inner_text("#players")
    page.check("#future")
    assert page.evaluate("[...document.querySelectorAll('#moves li')].filter(item => !item.hidden).length") == 4
    assert "protocol at ply" not in page.inner_text("#players")
    assert not re.search(r"\d{2}", page.locator("#game").inner_text())
    shown = page.evaluate("getComputedStyle(document.querySelector('#drawn')).clipPath")
    assert re.search(r"9\d(\.\d+)?%", shown), shown
    page.keyboard.press("End")
    assert page.evaluate("[...document.querySelectorAll('#moves li')].every(item => !item.hidden)")


def test_points_if_the_game_ended_now(file: Path, records: list[Record], opened: Opened) -> None:
    page = opened(file, "game=1")
    page.keyboard.press("End")
    assert [[int(row[2]), int(row[3])] for row in page.evaluate(TABLE)] == [[n, n] for n in records[0].result.scores]
    page.keyboard.press("ArrowLeft")
    least, most = if_ended(states(records[0])[-2])
    expected = [str(a) if a == b else f"{a}–{b}" for a, b in zip(least, most, strict=True)]
    assert [row[3] for row in page.evaluate(TABLE)] == expected
    page.select_option("#game", "2")
    assert page.locator(".ended").first.is_hidden()  # in New York the points are these already


def test_letters_jump_as_in_the_terminal(file: Path, records: list[Record], opened: Opened) -> None:
    page = opened(file, "game=2")
    page.keyboard.press("f")
    fault = address(page)
    assert fault == f"#game=2&ply={records[1].faults[0].ply}"
    page.keyboard.press("s")
    assert address(page) != fault and "scores" in page.inner_text("#announcement")
    page.keyboard.press("Shift+F")
    assert address(page) == fault
    page.keyboard.press("a")  # Manhattan has no auctions
    page.keyboard.press("Shift+ArrowRight")
    assert address(page) == fault
    page.keyboard.press("l")
    page.keyboard.press("h")
    assert address(page) == fault
    page.keyboard.press("Shift+V")
    page.keyboard.press("v")
    assert address(page) == f"{fault}&seat=0"
    page.keyboard.press("Home")
    page.keyboard.press("g")
    page.keyboard.type("12")
    page.keyboard.press("Enter")
    assert address(page) == "#game=2&ply=12&seat=0"
    page.keyboard.press("/")
    page.keyboard.type("SCORES")
    page.keyboard.press("Enter")
    first = address(page)
    assert "scores" in page.inner_text("#announcement")
    page.keyboard.press("n")
    assert address(page) != first
    page.keyboard.press("Shift+N")
    assert address(page) == first
    page.keyboard.press("Shift+N")
    assert page.inner_text("#notice") == "No earlier sentence contains 'scores'."
    page.keyboard.press("PageDown")  # Manhattan has no turns, so the next round
    assert "round 2" in page.inner_text("#facts")


def test_steps_by_turn(file: Path, records: list[Record], opened: Opened) -> None:
    page = opened(file, "game=1")
    page.select_option("#unit", "turn")
    told = printed(records[0])
    position = 0
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        reached = int(address(page).rpartition("=")[2]) + 1
        assert said(page) == [sentence for sentences in told[position + 1 : reached + 1] for sentence in sentences]
        position = reached
    assert position > 6
    page.select_option("#game", "1")  # Manhattan counts rounds alone
    assert page.locator("#unit option").all_inner_texts() == ["by decision", "by round"]
    page.select_option("#unit", "round")
    page.keyboard.press("ArrowRight")
    assert page.locator("#scoring").is_visible()


def test_another_view_beside(file: Path, opened: Opened) -> None:
    page = opened(file, "game=2&ply=60&seat=0&beside=seat1")
    seen = page.evaluate("document.querySelector('#hands-beside').outerHTML")
    page.keyboard.press("v")  # now both show seat 1
    assert page.evaluate("document.querySelector('#hands').innerHTML") in seen
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#beside-news").startswith("Seat 1: random#2 · ply 61\n")
    assert address(page) == "#game=2&ply=61&seat=1&beside=seat1"
    page.evaluate("location.hash = '#game=1&beside=game2'")  # of another deal
    page.wait_for_selector("#notice:not([hidden])")
    assert page.inner_text("#notice").startswith("'game2' can't stand beside game 1: ")
    assert page.is_hidden("#beside")


@pytest.mark.slow
def test_another_seating_beside(records: list[Record], tmp_path: Path, opened: Opened) -> None:
    page = opened(write(tmp_path, records[2], records[0], records[2]), "game=1&ply=20&beside=game3")
    both = [page.evaluate(f"document.querySelector('#board{name}').innerText") for name in ("", "-beside")]
    assert both[0] == both[1]
    assert page.locator("#beside-picked option").all_inner_texts()[-1].startswith("Game 3: ")
    page.select_option("#unit", "turn")
    page.keyboard.press("End")
    assert f"ply {len(records[2].actions) - 1}\n" in page.inner_text("#beside-news")


@pytest.mark.slow
def test_sharing_and_habits(file: Path, records: list[Record], tmp_path: Path, opened: Opened) -> None:
    page = opened(file, "game=2&ply=30")
    assert page.title() == f"Manhattan: {ended(records[1])}"
    page.check("#future")
    assert page.title() == f"Manhattan: {', '.join(records[1].players)}"
    page.click("[data-site] >> nth=0")
    assert "'s tower, " in page.inner_text("#tip")
    page.click("h1")
    assert page.is_hidden("#tip")
    assert page.locator("#legend li").count() > 4
    page.evaluate("navigator.clipboard.writeText = text => { window.copied = text; }")
    page.click("#copy")
    assert page.evaluate("window.copied").endswith("/game.html#game=2&ply=30")
    assert page.inner_text("#copy") == "Copied"
    page.select_option("#theme", "dark")
    page.reload()
    page.wait_for_selector("#replay:not([hidden])")
    assert page.input_value("#theme") == page.get_attribute("html", "data-theme") == "dark"
    head = write(tmp_path, records[1]).read_text(encoding="utf-8").partition("<style>")[0]
    assert f'property="og:title" content="Manhattan: {ended(records[1])}"' in head.replace("&#x27;", "'")


@pytest.mark.slow
def test_print_has_the_board_on_the_first_page(file: Path, opened: Opened) -> None:
    for number in (1, 2, 3):
        page = opened(file, f"game={number}&ply=30", width=718, height=1046)  # A4 with Chromium's margins
        page.select_option("#theme", "dark")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print")
        assert page.get_attribute("html", "data-theme") == "light", "also what is drawn is dark on white"
        ends = page.evaluate("['board', 'hands'].map(id => document.getElementById(id).getBoundingClientRect().bottom)")
        assert 300 < ends[0] < ends[1] < 1046
        assert page.is_hidden("#moves") and page.is_hidden("#position") and page.is_visible("#announcement")
