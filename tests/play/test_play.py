"""`fa play` in a terminal: whole games, leaving and resuming, undo, wrong input."""

from __future__ import annotations

import io
import json
import os
import random
import re
import signal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from fa_cli.cli.games.play import final_place
from fa_cli.game_result import GameResult
from fa_cli.games import find_game
from fa_cli.games.seed import Seed
from fa_cli.play.person import undone
from fa_cli.play.unfinished import Opponent, Unfinished, load, save
from fa_cli.protocol.messages import Clock
from tests.cli.games.test_match import bot
from tests.conftest import Fa, assert_refused
from tests.inside import fa as fa
from tests.play.terminal import MORE, PROMPT, Seat, plain

BOTS = Path(__file__).parent.parent.parent / "bots"
GREEDY = BOTS / "greedy.py"
AGAINST = ("--against", GREEDY, "--sandbox", "none")
"""The sandbox of a bot takes as long to start as the bot: other tests play with it."""


def play_out(seat: Seat, shown: str, most: int = 1000) -> list[str]:
    """Take the first choice again and again, to the end; returns what was typed."""
    typed = []
    while shown.endswith(PROMPT) and len(typed) < most:
        typed.append(menu_of(shown))
        shown = seat.say(typed[-1])
    return typed


def menu_of(shown: str) -> str:
    """The label of the last menu's first entry."""
    block = []
    for line in reversed(shown.replace(f"{MORE}\n", "").split("\n")[:-1]):
        if not re.match(r" +(\*?\d+|[a-z]{1,2}) +\S", line):
            break
        block.append(line)
    return block[-1].split()[0]


@pytest.mark.parametrize(
    ("game", "more"),
    [
        ("fifth-avenue", ["--option", "turn_limit=2", "--players", "4"]),
        ("manhattan", []),
        ("new-york", ["--option", "turn_limit=3", "--option", "actions=on"]),
    ],
)
def test_a_whole_game(fa: Fa, tmp_path: Path, game: str, more: list[str]) -> None:
    seat = Seat(tmp_path, "play", game, "--against", GREEDY, "--seed", "a", "--name", "Ann", *more, NO_COLOR="1")
    shown = seat.wait()
    assert "Ann" in shown
    for said, heard in (("help", "Tab completes"), ("zzz", "No legal action starts with 'zzz'"), ("?", "")):
        assert heard in seat.say(said)
    shown = seat.say("")
    assert "is being played in another terminal" in fa("play", "--resume", "play-1").stderr
    play_out(seat, shown)
    assert seat.status() == 0
    assert [line for line in seat.lines() if len(line) > 80] == []
    assert not re.search(r"\x1b\[[0-9;]*m", seat.raw)
    assert "The end: " in plain(seat.raw)
    your_place = r"^You (win|finish (first|second|third|fourth) of [234].*,) with [0-9]+ points?\.$"
    assert re.search(your_place, plain(seat.raw), re.MULTILINE)
    assert "all good" in fa("replay", "verify", "logs/play-1.log").stdout
    assert [path.name for path in (tmp_path / "logs").iterdir()] == ["play-1.log"]
    record = json.loads(fa("replay", "export", "logs/play-1.log").stdout)
    assert record["players"][record["meta"]["person"]] == "Ann"
    assert record["seed"] == Seed.from_text("a").of_game(0).hex()
    assert record["faults"] == []


def seat_of(fa: Fa, tmp_path: Path, *args: str) -> int:
    """The person's seat in a game that is left immediately."""
    assert fa("play", "manhattan", *args, "-o", "a.log").returncode == 3
    seat = load(tmp_path / "a.unfinished").seat
    (tmp_path / "a.unfinished").unlink()
    return seat


def test_the_seat_is_drawn_from_the_seed(fa: Fa, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MA-8: seat 0 starts, and `fa play` draws the person's seat; `--seat` fixes it."""
    monkeypatch.setattr("sys.stdin", io.StringIO())
    for players, seeds in (("2", 3), ("4", 5)):
        game = (*map(str, AGAINST), "--players", players)
        seats = [seat_of(fa, tmp_path, *game, "--seed", str(seed)) for seed in range(seeds)]
        assert set(seats) == set(range(int(players)))
        assert seats[:2] == [seat_of(fa, tmp_path, *game, "--seed", str(seed)) for seed in range(2)]
    first = seat_of(fa, tmp_path, *game)
    assert any(seat_of(fa, tmp_path, *game) != first for _ in range(20))
    assert [seat_of(fa, tmp_path, *game, "--seed", "1", "--seat", str(seat)) for seat in range(4)] == [0, 1, 2, 3]


def test_the_built_in_opponent_has_a_name(fa: Fa, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    seats = ("house", str(GREEDY), "--players", "4", "--seat", "1", "-o", "a.log")
    assert fa("play", "manhattan", "--against", *seats).returncode == 3
    assert [seat.name for seat in load(tmp_path / "a.unfinished").seats] == ["house#1", "human", "greedy", "house#2"]


def test_the_picture_says_which_seat_is_yours(tmp_path: Path) -> None:
    seat = Seat(tmp_path, "play", "manhattan", *AGAINST, "--players", "3", "--seat", "1", "--name", "Ann")
    assert "Manhattan: #0 greedy#1, #1 Ann (you), #2 greedy#2" in seat.wait()
    seat.say("quit")
    seat.status()


@pytest.mark.parametrize(
    ("ranks", "seat", "sentence"),
    [
        ([1, 2], 0, "You win with 10 points."),
        ([1, 2], 1, "You finish second of 2, with 1 point."),
        ([1, 1, 3], 1, "You finish first of 3, level with a, with 1 point."),
        ([4, 1, 1, 1, 5], 2, "You finish first of 5, level with b and d, with 20 points."),
    ],
)
def test_your_place(ranks: list[int], seat: int, sentence: str) -> None:
    result = GameResult([10, 1, 20, 3, 4][: len(ranks)], ranks, "over")
    record: Any = SimpleNamespace(players=list("abcde")[: len(ranks)], result=result)
    assert final_place(record, seat) == sentence


def test_who_leaves_can_go_on(fa: Fa, tmp_path: Path) -> None:
    """A resumed game is the same as one that was never left."""
    more = (*AGAINST, "--players", "3", "--option", "turn_limit=1", "--seed", "b", "--seat", "1")
    game = ("play", "new-york", *more, "--move-time", "1m")  # a bot that is late on a loaded machine would differ
    whole = Seat(tmp_path, *game, "-o", "whole.log")
    typed = play_out(whole, whole.wait())
    assert whole.status() == 0
    for often, number in enumerate((4, 9)):
        args = ("play", "--resume", "play-1") if often else game
        seat = Seat(tmp_path, *args)
        shown = seat.wait()
        assert ("Since your last action:" in shown) == bool(often)
        for _ in range(number):
            shown = seat.say(menu_of(shown))
        seat.say("quit")
        assert seat.status() == 3
        assert "resume with: fa play --resume play-1" in plain(seat.raw)
    kept = load(tmp_path / "logs/play-1.unfinished")
    assert len(kept.actions) > 0
    seat = Seat(tmp_path, "play", "--resume", "logs/play-1.log")
    play_out(seat, seat.wait())
    assert seat.status() == 0
    records = [json.loads(fa("replay", "export", log).stdout) for log in ("whole.log", "logs/play-1.log")]
    for name in ("actions", "players", "digest"):
        assert records[0][name] == records[1][name]
    assert records[1]["actions"][: len(kept.actions)] == kept.actions
    assert "all good" in fa("replay", "verify", "logs/play-1.log").stdout
    assert len(typed) > 10


@pytest.mark.slow
def test_bots_do_not_know_that_a_person_plays(fa: Fa, tmp_path: Path) -> None:
    """Bots can't tell that a person plays, neither before a resume nor after."""
    heard = tmp_path / "heard"
    spy = bot(tmp_path, "spy", "honest", "--heard", str(heard))
    game = ("play", "manhattan", "--against", spy, "--players", "2", "--name", "Ann", "--seat", "0")
    seat = Seat(tmp_path, *game, "--sandbox", "none", "--anonymous")
    shown = seat.wait()
    assert "without the sandbox bots can look for each other" in shown
    assert "Manhattan: #0 Ann (you), #1 spy" in shown, "the person knows"
    seat.say(menu_of(plain(seat.raw)))
    seat.say("quit")
    assert seat.status() == 3
    seat = Seat(tmp_path, "play", "--resume", "play-1")
    play_out(seat, seat.wait())
    assert seat.status() == 0
    told = [json.loads(line) for line in heard.read_text().splitlines()]
    assert [message["players"] for message in told if message["type"] == "start"] == [["seat-0", "seat-1"]] * 2
    assert "Ann" not in heard.read_text()
    record = json.loads(fa("replay", "export", "logs/play-1.log").stdout)
    assert (record["players"], record["meta"]["anonymous"]) == (["Ann", "spy"], True)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["\x03", "\x04", signal.SIGHUP, signal.SIGTERM, signal.SIGKILL])
def test_however_one_leaves(tmp_path: Path, how: str | signal.Signals) -> None:
    seat = Seat(tmp_path, "play", "manhattan", "--against", GREEDY, "--players", "3", "-o", "a.log")
    seat.wait()
    seat.say("select 1 1 1 1")
    if isinstance(how, str):
        seat.type(how)
    else:
        os.kill(seat.pid, how)
    assert seat.status() == (-signal.SIGKILL if how == signal.SIGKILL else 3)
    assert len(load(tmp_path / "a.unfinished").actions) >= 1


def auction(folder: Path) -> tuple[Unfinished, list[str]]:
    """Saves a game in `folder` in which seat 0 is to bid and holds several cards; returns the cards."""
    game = find_game("fifth-avenue")
    for number in range(100):
        generator, seed = random.Random(number), Seed(bytes([number] * 32))
        state = game.start(game.options(), 3, seed)
        actions: list[str] = []
        while state.actor >= 0:
            legal = [game.actions[each] for each in state.legal()]
            cards = [action for action in legal if action.startswith("bid ")]
            if state.actor == 0 and len(cards) > 2 and state.high < 4:
                seats = [Opponent("human"), Opponent("greedy", str(GREEDY)), Opponent("house")]
                options = msgspec.structs.asdict(game.options())
                kept = Unfinished("fifth-avenue", options, Seed(seed), 0, seats, actions=actions)
                save(folder / "a.unfinished", kept)
                return kept, cards
            chosen = generator.choice([one for one in legal if not one.startswith(("business", "bid"))] or legal)
            actions.append(chosen)
            state.apply(game.action_numbers[chosen])
    raise AssertionError("no such auction")


def test_a_raise_is_undone(tmp_path: Path) -> None:
    before, cards = auction(tmp_path)
    seat = Seat(tmp_path, "play", "--resume", "a.log")
    seat.wait()
    assert "Nothing to undo: your last move has already been revealed." in seat.say("undo")
    raised = seat.say(cards[0])
    assert "Or undo." in raised
    assert "done" in raised
    seat.say(re.findall(r"bid \w+ \d", raised)[-1])
    back = seat.say("undo")
    assert "Your last move is undone." in back
    assert "nothing yet" in back
    assert "Or undo." not in back
    assert "Or undo." in seat.say(cards[-1])
    seat.say("done")
    seat.say("quit")
    assert seat.status() == 3
    played = load(tmp_path / "a.unfinished").actions[len(before.actions) :]
    assert played[:2] == [cards[-1], "done"]


def test_every_list_has_a_way_back(tmp_path: Path) -> None:
    seat = Seat(tmp_path, "play", "fifth-avenue", "--seed", "a", "--seat", "0", NO_COLOR="1")
    seat.wait()
    assert "This is the first list. Type quit to leave" in seat.say("q")
    inside = seat.say("34E")
    assert "Choose one, or type back." in inside
    assert "52W" not in inside
    for way in ("back", "q"):
        assert "52W" in seat.say(way)
        assert "52W" not in seat.say("34E")
    assert "52W" in seat.say("")
    seat.say("quit")
    assert seat.status() == 3


def test_q_closes_a_long_text(tmp_path: Path) -> None:
    seat = Seat(tmp_path, "play", "fifth-avenue", "--seed", "a", "--seat", "0", NO_COLOR="1")
    seat.wait()
    seat.type("rules\n")
    while not plain(seat.raw).endswith(MORE):
        assert PROMPT not in seat.wait(PROMPT, MORE).replace("rules", "")[-len(PROMPT) :]
    before = len(seat.raw)
    assert seat.say("q").endswith(PROMPT)
    assert plain(seat.raw[before:]).count("\n") < 10  # the menu alone
    seat.say("quit")
    assert seat.status() == 3


def test_undo_before_the_first_move(tmp_path: Path) -> None:
    seat = Seat(tmp_path, "play", "fifth-avenue", "--seed", "a", "--seat", "0", NO_COLOR="1")
    seat.wait()
    assert "Nothing to undo: you have not moved yet." in seat.say("undo")
    seat.say("quit")
    assert seat.status() == 3


def test_what_is_undone() -> None:
    held = [("action", "business"), ("bid", "a"), ("bid", "b")]
    assert undone(held) == held[:1]
    assert undone(held[:1]) == []


def test_completion(tmp_path: Path) -> None:
    seat = Seat(tmp_path, "play", "fifth-avenue", *AGAINST, "--seed", "1")
    seat.wait()
    seat.type("pl\t52W.vio\t")
    seat.wait("place 52W.violet ")
    seat.type("\n")
    assert "-> place 52W.violet" in seat.wait()
    seat.type("qu\t")
    seat.wait("quit ")
    seat.type("\n")
    assert seat.status() == 3


def test_a_saved_game_is_resumed_as_it_says(fa: Fa, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    said = fa("play", "manhattan", *AGAINST, "-o", "mine").stderr
    assert said.endswith("fa: the game is saved; resume with: fa play --resume mine.unfinished\n")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    again = fa("play", "--resume", "mine.unfinished")
    assert (again.returncode, again.stderr.splitlines()[-1]) == (3, said.splitlines()[-1])


def test_without_a_terminal(fa: Fa, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1 1 1 1\n1 1 1 2\n"))
    done = fa("play", "manhattan", *AGAINST)
    assert done.returncode == 3
    assert done.stderr.endswith("fa: the game is saved; resume with: fa play --resume play-1\n")
    assert re.search("Select 4 [a-z]+ blocks: you place them in this round.", done.stdout)
    assert "Play a card" in done.stdout
    assert "\x1b" not in done.stdout
    assert min(load(tmp_path / "logs/play-1.unfinished").spent) > 0, "the time of decisions is kept"


@pytest.mark.parametrize("args", [["--no-color"], []])
def test_colours(tmp_path: Path, args: list[str]) -> None:
    seat = Seat(tmp_path, "play", "new-york", *AGAINST, *args)
    seat.wait()
    assert ("\x1b[31m" in seat.raw) == (not args)
    seat.say("quit")
    seat.status()


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        ([], "name a game: fifth-avenue, manhattan, new-york; or resume a saved one: --resume play-7"),
        (["chess"], "no game 'chess'; the games are fifth-avenue, manhattan, new-york"),
        (["manhattan", "--players", "5"], "manhattan is for 2, 3 or 4 players, not 5"),
        (["manhattan", "--seat", "3"], "no seat 3: the seats are 0 to 2"),
        (
            ["manhattan", "--players", "2", "bots/greedy.py", "b.py"],
            "too many players: 2 bots and you, in a game for 2",
        ),
        (["manhattan", "--against", "no.py"], "no.py: no such file or folder"),
        (["manhattan", "--name", "a b"], "--name: invalid name 'a b': logs allow the letters a to z"),
        (["manhattan", "--option", "x=1"], "manhattan has no option 'x'; the options are blocks"),
        (["--resume", "play-8"], "no unfinished game play-8 (logs/play-8.unfinished not found)"),
        (["--resume", "play-7"], "logs/play-7.unfinished is not an unfinished game: "),
        (["--resume", "b.log"], "b.unfinished can't be resumed: ply 0: 'build 1 Sydney 1' is not legal there"),
        (["--resume", "c.log"], r"c.unfinished can't be resumed: no player is called '\x1b[31mhouse'"),
        (["--resume", "d.log"], "d.unfinished is not an unfinished game: Expected `int` >= 1 - at `$.clock.move_ms`"),
        (["manhattan", "--resume", "b.log"], "--resume takes the game as it was saved: remove GAME, BOT,"),
        (["--resume", "b.log", "--seat", "1"], "--resume takes the game as it was saved: remove GAME, BOT,"),
        (["--resume", "b.log", "--seed", "a"], "--resume takes the game as it was saved: remove GAME, BOT,"),
        *(
            (["--resume", "b.log", *words], "--resume takes the game as it was saved: remove GAME, BOT,")
            for words in (["--name", "Bob"], ["--move-time", "1s"], ["--sandbox", "none"])
        ),
        (["--resume", "b.log", "--anonymous"], "--resume takes the game as it was saved: remove GAME, BOT,"),
        (["manhattan", "-o", "b.log"], "b.unfinished: there is an unfinished game, and it is not overwritten"),
        (["manhattan", "-o", f"{'x' * 240}.log"], f"cannot write {'x' * 240}.log: File name too long"),
    ],
)
def test_used_wrongly(fa: Fa, tmp_path: Path, args: list[str], sentence: str) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs/play-7.unfinished").write_text("{}")
    seats = [Opponent("human"), Opponent("house")]
    bad = Unfinished("manhattan", {"blocks": "auto"}, Seed(bytes(32)), 0, seats, actions=["build 1 Sydney 1"])
    save(tmp_path / "b.unfinished", bad)
    bad.actions = []
    save(tmp_path / "d.unfinished", msgspec.structs.replace(bad, clock=Clock(-5)))
    bad.seats[1] = Opponent("\x1b[31mhouse")
    save(tmp_path / "c.unfinished", bad)
    done = fa("play", *args)
    assert_refused(done, sentence)


@pytest.mark.slow
def test_games_at_once_have_logs_of_their_own(tmp_path: Path) -> None:
    seats = [Seat(tmp_path, "play", "manhattan", "--seat", "0", "--players", "2") for _ in range(4)]
    for seat in seats:
        seat.wait()
    for seat in seats:
        seat.say("quit")
        assert seat.status() == 3, seat.raw
    resumed = {plain(seat.raw).rpartition("--resume ")[2].split()[0] for seat in seats}
    assert resumed == {f"play-{number}" for number in range(1, 5)}
    assert {path.stem for path in (tmp_path / "logs").glob("*.unfinished")} == resumed


def test_strange_files_in_place_of_a_games_files(fa: Fa, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe that nobody reads, and links, of which one leads to a precious file."""
    monkeypatch.setattr("sys.stdin", io.StringIO())
    logs = tmp_path / "logs"
    logs.mkdir()
    os.mkfifo(logs / ".play-4.unfinished.lock")
    os.mkfifo(logs / "play-1.log")
    (logs / "play-2.log").symlink_to("nowhere")
    (logs / "play-3.unfinished").symlink_to("nowhere")
    done = fa("play", "manhattan")
    assert (done.returncode, done.stderr) == (3, "fa: the game is saved; resume with: fa play --resume play-4\n")
    (tmp_path / "precious").write_text("kept")
    (logs / ".play-4.unfinished.lock").symlink_to(tmp_path / "precious")
    done = fa("play", "--resume", "play-4")
    assert (done.returncode, (tmp_path / "precious").read_text()) == (2, "kept")
    assert len(done.stderr.splitlines()) == 1
    (logs / "play-4.log").touch()
    done = fa("play", "--resume", "play-4")
    assert_refused(done, "logs/play-4.log: it exists already and is not overwritten\n")


def test_a_bot_that_fails(fa: Fa, tmp_path: Path) -> None:
    """The person is notified, and the record has the fault, also if the game was left in between."""
    gone = bot(tmp_path, "gone", "exit")
    seat = Seat(tmp_path, "play", "manhattan", "--against", gone, "--players", "3", "--sandbox", "none")
    shown = seat.wait()
    while "gone#2 is out of the game" not in shown:
        shown = seat.say(menu_of(shown))
    assert (
        "is out of the game: it exited with status 3 without an answer; its first legal action is played from now"
        in shown.replace("\n    ", " ")
    )
    seat.say("quit")
    assert seat.status() == 3
    kept = load(tmp_path / "logs/play-1.unfinished")
    assert len(kept.faults) == 2
    seat = Seat(tmp_path, "play", "--resume", "play-1")
    play_out(seat, seat.wait())
    assert seat.status() == 0
    record = json.loads(fa("replay", "export", "logs/play-1.log").stdout)
    assert record["faults"] == json.loads(msgspec.json.encode(kept.faults))
    assert [detail["detail"] for detail in record["meta"]["fault_details"]] == [
        "exited with status 3 without an answer"
    ] * 2
    assert "all good" in fa("replay", "verify", "logs/play-1.log").stdout


def test_a_narrow_terminal(tmp_path: Path) -> None:
    seat = Seat(tmp_path, "play", "fifth-avenue", "--against", GREEDY, "--seed", "1", rows=10, columns=50)
    shown = seat.wait()
    for _ in range(12):
        shown = seat.say(menu_of(shown))
    seat.say("quit")
    assert seat.status() == 3
    assert [line for line in seat.lines() if len(line) > 50 and not line.startswith(("fa: ", PROMPT))] == []
