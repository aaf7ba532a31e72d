"""Pages and the server: joining, deciding, leaving, and what strangers send."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fa_cli.games import Seed, find_game
from fa_cli.isolation.shipped_bots import shipped_paths
from fa_cli.play.unfinished import Opponent, Unfinished
from fa_cli.replay.log_file import entry_at
from fa_cli.replay.record import names_of_who_played
from fa_cli.serve.messages import Stopped, write
from fa_cli.serve.room import Room
from fa_cli.serve.saved_table import SPECTATOR, SavedTable, load_table, new_token, save_table
from fa_cli.serve.table import Broken
from tests.apart import call_apart
from tests.conftest import Fa, run_fa
from tests.inside import inside as inside
from tests.serve.served import PERSON, Page, Served, bot, person, served
from tests.serve.test_hidden import table_of
from tests.tournament.helpers import dice


def closed_with(page: Page) -> tuple[int, str]:
    """The code and the reason with which the server closes the connection."""
    from websockets.exceptions import ConnectionClosed

    with pytest.raises(ConnectionClosed) as caught:
        while True:
            page.next()
    assert caught.value.rcvd
    return caught.value.rcvd.code, caught.value.rcvd.reason


def test_a_game_is_an_ordinary_record(server: Served) -> None:
    opened = server.open("manhattan", [PERSON, bot(), bot()])
    page = server.page(opened["table"], opened["tokens"]["0"])
    welcome = page.until("welcome")
    assert (welcome["seat"], welcome["players"]) == (0, ["ann", "random#1", "random#2"])
    while asked := page.my_turn():
        page.play(asked)
    log = server.home / f"logs/table-{opened['table']}.log"
    assert run_fa(server.home, "replay", "verify", log).returncode == 0
    entry = entry_at(log, 0)
    assert entry and entry.players == ["ann", "random#1", "random#2"]
    assert entry.meta["people"] == [0]
    assert sum(entry.record().meta["times_us"]) > 0
    status, body, _ = server.get(f"/table/{opened['table']}/replay")
    assert status == 200
    assert b"Watch game 1 of table-" in body
    page.send(type="resign")
    assert page.until("refused")["why"] == "The game is over."


def test_a_reload_finds_the_same_question(server: Served) -> None:
    opened = server.open("fifth-avenue", [PERSON, bot()])
    page = server.page(opened["table"], opened["tokens"]["0"])
    for _ in range(3):
        asked = page.my_turn()
        assert asked
        page.play(asked)
    asked = page.my_turn()
    page.close()
    again = server.page(opened["table"], opened["tokens"]["0"])
    position = again.until("position")
    assert "hand 0: " in position["text"] and "hand 1: " not in position["text"]
    assert len(position["parts"]) == len(again.last["welcome"]["keys"])
    assert len(position["told"]) >= 3
    found = again.my_turn()
    assert found and asked
    assert (found["ply"], found["choices"]) == (asked["ply"], asked["choices"])
    again.close()


def test_late_and_illegal_decisions_are_refused(server: Served) -> None:
    opened = server.open("manhattan", [PERSON, person("ben")])
    ann, ben = (server.page(opened["table"], opened["tokens"][seat]) for seat in "01")
    asked = ann.my_turn()
    assert asked
    ben.until("asked")
    ben.send(type="send", ply=asked["ply"], held=[asked["choices"]["legal"][0][0]])
    assert "not your turn" in ben.until("refused")["why"]
    ann.send(type="send", ply=asked["ply"] + 1, held=["select 1 1 1 1"])
    assert "not your turn" in ann.until("refused")["why"]
    ann.send(type="send", ply=asked["ply"], held=["build 1 Cairo 1"])
    assert ann.until("refused")["why"] == "That is not possible: 'build 1 Cairo 1' is not legal now."
    ann.play(asked)
    ann.send(type="send", ply=asked["ply"], held=[asked["choices"]["legal"][0][0]])
    assert "decided already" in ann.until("refused")["why"]
    watcher = server.page(opened["table"], opened["spectators"])
    watcher.send(type="resign")
    assert watcher.until("refused")["why"] == "Spectators only watch."
    assert watcher.last["present"]["spectators"] == 1
    for page in (ann, ben, watcher):
        page.close()


def test_resigning_and_leaving_the_seat_to_a_bot(server: Served) -> None:
    opened = server.open("manhattan", [PERSON, person("ben"), bot()])
    ann, ben = (server.page(opened["table"], opened["tokens"][seat]) for seat in "01")
    assert ann.my_turn()
    ann.send(type="resign")
    assert ben.my_turn()
    assert any("ann resigned and is out of the game" in line for line in ben.last["position"]["told"])
    ben.send(type="hand-over")
    told = [*ben.until("position")["told"], *ann.until("position")["told"]]
    assert "planner plays on for you" in told
    assert any(re.fullmatch(r"You select blocks .* floors \(blue\) \(played by planner\)", line) for line in told)
    ended = ben.until("ended")
    assert ended["ranks"][0] == 3
    assert ben.last["present"]["bots"] == [1]
    log = server.home / f"logs/table-{opened['table']}.log"
    assert run_fa(server.home, "replay", "verify", log).returncode == 0
    shown = run_fa(server.home, "replay", "show", log).stdout
    assert "! ann is out of the game: resigned\n" in shown
    assert "seat 0: ann\nseat 1: ben, then planner\nseat 2: random\n" in shown
    assert b"ben, then planner" in server.get(f"/table/{opened['table']}/replay")[1]


@pytest.mark.slow
def test_leaving_before_ones_turn_survives_a_kill(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        opened = server.open("manhattan", [PERSON, person("ben"), person("cid")])
        number, tokens = opened["table"], opened["tokens"]
        ann, ben, cid = (server.page(number, tokens[seat]) for seat in "012")
        assert ann.my_turn()
        ben.send(type="resign")
        while ann.until("present")["resigned"] != [1]:
            pass
        ben.send(type="hand-over")
        assert ben.until("refused")["why"] == "You are out of the game."
        cid.send(type="hand-over")
        while ann.until("present")["bots"] != [2]:
            pass
        server.process.kill()
        server.process.wait()
        port = server.port
    with served(tmp_path, port=port) as server:
        ann = server.page(number, tokens["0"])
        while asked := ann.my_turn():
            ann.play(asked)
        assert (ann.last["present"]["resigned"], ann.last["present"]["bots"]) == ([1], [2])
        assert ann.last["ended"]["ranks"][1] == 3
    with served(tmp_path) as server:  # where the link of a game that is over leads to its replay
        assert closed_with(server.page(number, tokens["0"]))[0] == 4410
        assert server.get(f"/table/{number}/replay")[0] == 200


def table_in_a_hurry(home: Path, number: int, stand_in: str) -> SavedTable:
    """A saved table of two people who have a second for a decision."""
    rules = find_game("new-york")
    options = msgspec.structs.asdict(rules.make_options({"turn_limit": 10}))
    game = Unfinished(rules.name, options, Seed.from_text("a"), 0, [Opponent("ann"), Opponent("ben")])
    table = SavedTable(game, {0: new_token(), 1: new_token()}, new_token(), 0, 1, stand_in)
    (home / "logs").mkdir(exist_ok=True)
    save_table(home / f"logs/table-{number}.table", table)
    return table


def test_time_runs_out_when_all_have_come_and_the_stand_in_plays_on(tmp_path: Path) -> None:
    table = table_in_a_hurry(tmp_path, 1, str(shipped_paths()["greedy"]))
    with served(tmp_path) as server:
        ann = server.page(1, table.tokens[0])
        asked = ann.my_turn()
        assert ann.last["welcome"]["person_seconds"] == 1
        time.sleep(1.5)
        present = ann.last.get("present") or ann.until("present")  # who comes may be asked first
        assert asked and present["awaited"] == [1], "nobody's time runs before ben has come"
        ann.play(asked)
        ben = server.page(1, table.tokens[1])
        assert ben.my_turn()
        assert ann.until("position")["spent"] == [0, 0]
        assert ben.last["position"]["spent"][0] == 0
        ben.close()  # his time runs, too, while he is away
        told = ann.until("position")["told"]
        assert told[0] == "greedy plays on for ben: no decision within 1 second"
        ann.until("ended")
    entry = entry_at(tmp_path / "logs/table-1.log", 0)
    assert entry and not entry.faults
    assert entry.meta["stand_ins"] == {"0": "greedy", "1": "greedy"}


def test_who_left_the_seat_takes_it_back_and_the_record_names_the_bot(tmp_path: Path) -> None:
    with served(tmp_path, "--stand-in", "greedy") as server:
        opened = server.open("manhattan", [PERSON, person("ben"), bot()])
        number, tokens = opened["table"], opened["tokens"]
        ann, ben = (server.page(number, tokens[seat]) for seat in "01")
        ann.send(type="return")
        assert ann.until("refused")["why"] == "You have joined already."
        for _ in range(2):
            asked = ann.my_turn()
            ann.send(type="hand-over")
            of_ben = ben.my_turn()
            assert asked and of_ben
            ann.send(type="send", ply=asked["ply"], held=[asked["choices"]["legal"][0][0]])
            assert ann.until("refused")["why"] == "A bot plays for you now."
            ann.send(type="return")
            while ann.until("present")["bots"]:
                pass
            ben.play(of_ben)
            asked = ann.my_turn()
            assert asked
            ann.play(asked)
            of_ben = ben.my_turn()
            assert of_ben
            ben.play(of_ben)
        assert "You are back" in told_to(ann)
        assert told_to(ben).count("greedy plays on for ann") == told_to(ben).count("ann is back") == 2
    with served(tmp_path) as server:
        ann, ben = (server.page(number, tokens[seat]) for seat in "01")
        ben.send(type="hand-over")
        while asked := ann.my_turn():
            ann.play(asked)
        assert ann.last["present"]["bots"] == [1]
    entry = entry_at(tmp_path / f"logs/table-{number}.log", 0)
    assert entry and entry.meta["stand_ins"] == {"0": "greedy", "1": "greedy"}
    assert names_of_who_played(entry.record()) == ["ann (greedy stood in)", "ben, then greedy", "random"]


def test_a_person_whose_stand_in_fails_is_out_of_the_game(tmp_path: Path) -> None:
    (broken,) = dice(tmp_path, "broken", before="sys.exit(1)")
    with served(tmp_path, str(broken), "--stand-in", "broken") as server:
        opened = server.open("manhattan", [PERSON, person("ben")])
        ann, ben = (server.page(opened["table"], opened["tokens"][seat]) for seat in "01")
        assert ann.my_turn()
        ann.send(type="hand-over")
        while ann.until("present")["resigned"] != [0]:
            pass
        assert ann.last["present"]["bots"] == []
        ann.send(type="return")
        assert ann.until("refused")["why"] == "You are out of the game."
        while asked := ben.my_turn():
            saved = load_table(tmp_path / f"logs/table-{opened['table']}.table")
            assert (saved.handed_over, saved.resigned) == ([], [0])
            ben.play(asked)
    entry = entry_at(tmp_path / f"logs/table-{opened['table']}.log", 0)
    assert entry and entry.meta["stand_ins"] == {"0": "broken"}
    assert names_of_who_played(entry.record()) == ["ann, then broken", "ben"]


def test_a_stand_in_that_can_not_start_changes_nothing_that_was_played(tmp_path: Path) -> None:
    (mine,) = dice(tmp_path, "mine")
    with served(tmp_path, str(mine), "--stand-in", "mine") as server:
        opened = server.open("manhattan", [PERSON, person("ben"), person("cid")])
        pages = [server.page(opened["table"], opened["tokens"][seat]) for seat in "012"]
        for _ in range(2):
            for page in pages:
                asked = page.my_turn()
                assert asked
                page.play(asked, at=1)
        mine.write_text("import sys; sys.exit(1)")
        pages[0].send(type="hand-over")
        while pages[2].until("present")["resigned"] != [0]:
            pass
        pages[2].send(type="hand-over")
        while pages[1].until("present")["bots"] != [2]:
            pass
    before = load_table(tmp_path / "logs/table-1.table").game.actions
    with served(tmp_path) as server:
        ben = server.page(1, opened["tokens"]["1"])
        while asked := ben.my_turn():
            ben.play(asked)
        assert ben.last["present"]["resigned"] == [0, 2]
    entry = entry_at(tmp_path / "logs/table-1.log", 0)
    assert entry and entry.record().actions[: len(before)] == before
    assert sorted(fault.seat for fault in entry.faults) == [0, 2]


def test_what_a_new_table_keeps(tmp_path: Path) -> None:
    (mine,) = dice(tmp_path, "mine")
    with served(tmp_path, str(mine), "--stand-in", "mine") as server:
        people = [PERSON, person("ben")]
        for seed, reveals in (("known", False), ("", True)):
            number = server.open("manhattan", people, seed=seed)["table"]
            assert load_table(tmp_path / f"logs/table-{number}.table").reveals_seed is reveals
        mine.unlink()
        assert server.post("/api/tables", {"game": "manhattan", "seats": people})[0] == 500
        assert not (tmp_path / "logs/table-3.table").exists(), "no later server tries to play it"
        for number in (1, 2):
            server.post(f"/api/tables/{number}/close", {})


@pytest.mark.slow
def test_who_runs_out_of_time_without_a_stand_in_is_out_of_the_game(tmp_path: Path) -> None:
    table = table_in_a_hurry(tmp_path, 1, "")
    with served(tmp_path) as server:
        _, ben = (server.page(1, token) for token in table.tokens.values())
        while asked := ben.my_turn():
            ben.play(asked)
        assert ben.last["ended"]["ranks"] == [2, 1]
        assert ben.last["present"]["resigned"] == [0], "not as if ann were in the game"
        assert any("ann did not decide within 1 second and is out of the game" in line for line in told_to(ben))


def test_the_owner_lets_the_stand_in_play_on_for_who_is_away(server: Served) -> None:
    opened = server.open("manhattan", [PERSON, person("ben"), person("cid")])
    table, ann = opened["table"], server.page(opened["table"], opened["tokens"]["0"])
    asked = ann.my_turn()
    assert asked
    cid = server.page(table, opened["tokens"]["2"])
    cid.until("welcome")
    address = f"/api/tables/{table}/hand-over/"
    for path, headers, status, why in (
        (address + "1", {"authorization": f"Bearer {opened['tokens']['0']}"}, 400, "only the owner"),
        (address + "2", {}, 400, "only for a person who is away"),
        (address + "3", {}, 400, "only for a person who is away"),
        ("/api/tables/999/hand-over/1", {}, 404, "no table 999"),
    ):
        found, body, _ = server.post(path, {}, **headers)
        assert (found, why in json.loads(body)["error"]) == (status, True), body
    assert server.post(address + "1", {})[0] == 200
    ann.play(asked)
    assert cid.my_turn()
    assert "planner plays on for ben: the owner of this server asked for it" in told_to(cid)
    for page in (ann, cid):
        page.send(type="hand-over")
    ann.until("ended")
    entry = entry_at(server.home / f"logs/table-{table}.log", 0)
    assert entry and entry.meta["stand_ins"] == {"0": "planner", "1": "planner", "2": "planner"}


def told_to(page: Page) -> list[str]:
    """All that this page was told of the game."""
    return [line for raw in page.received for line in json.loads(raw).get("told", ())]


def test_the_deal_of_a_recorded_game(server: Served) -> None:
    first = server.open("manhattan", [bot(), bot()], options={"blocks": "six"}, seed="known")
    watcher = server.page(first["table"], first["spectators"])
    watcher.until("ended")
    deal = {"log": f"table-{first['table']}", "game": 1}
    again = server.open("fifth-avenue", [PERSON, bot()], deal=deal)
    page = server.page(again["table"], again["tokens"]["0"])
    welcome = page.until("welcome")
    assert welcome["game"] == "manhattan"
    asked = page.my_turn()
    assert asked and len(asked["choices"]["legal"][0][2]) == 6
    for wrong, why in (
        ({"log": "nothing", "game": 1}, "no log named"),
        ({"log": "../logs/table-1", "game": 1}, "no log named"),
        ({**deal, "game": 7}, "has no game 7"),
    ):
        status, body, _ = server.post("/api/tables", {"game": "manhattan", "seats": [PERSON, bot()], "deal": wrong})
        assert status == 400
        assert why in json.loads(body)["error"]
    page.close()


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ({}, "missing required field `game`"),
        ({"game": "chess", "seats": [PERSON, bot()]}, "no game 'chess'"),
        ({"game": "manhattan", "seats": [PERSON]}, "manhattan is for"),
        ({"game": "manhattan", "seats": [PERSON, bot("/bin/sh")]}, "invalid name '/bin/sh'"),
        ({"game": "manhattan", "seats": [PERSON, bot("sh")]}, "no bot named 'sh'"),
        ({"game": "manhattan", "seats": [PERSON, {"kind": "person", "name": "<b>"}]}, "invalid name"),
        ({"game": "manhattan", "seats": [PERSON, bot()], "options": {"blocks": "five"}}, "blocks"),
        ({"game": "manhattan", "seats": [PERSON, bot()], "path": "/etc"}, "unknown field `path`"),
        ({"game": "manhattan", "seats": [PERSON, bot()], "pace_ms": -1}, "pace_ms"),
    ],
)
def test_a_wrong_table_gets_one_sentence(server: Served, wanted: object, why: str) -> None:
    status, body, _ = server.post("/api/tables", wanted)
    assert status == 400
    assert why in json.loads(body)["error"]
    assert str(server.home) not in body.decode()


def test_only_the_owner_seats_bots_and_closes_tables(server: Served) -> None:
    wanted = {"game": "manhattan", "seats": [PERSON, bot()]}
    status, body, _ = server.post("/api/tables", wanted, authorization="Bearer wrong")
    assert status == 400
    assert "only the owner" in json.loads(body)["error"]
    people = {"game": "manhattan", "seats": [PERSON, person("ben")]}
    status, body, _ = server.post("/api/tables", people, authorization="")
    assert status == 200
    lobby = json.loads(server.get("/api/lobby")[1])
    assert lobby["owner"] is False
    assert lobby["bots"] == lobby["logs"] == []
    assert not any(row["spectators"] for row in lobby["tables"])
    own = json.loads(server.get("/api/lobby", authorization=f"Bearer {server.owner}")[1])
    assert {"name": "random", "description": "plays random legal actions, all equally likely"} in own["bots"]
    assert all(row["spectators"] for row in own["tables"])
    # nor does anybody else close tables
    table = json.loads(body)["table"]
    status, body, _ = server.post(f"/api/tables/{table}/close", {}, authorization="Bearer wrong")
    assert (status, "only the owner" in json.loads(body)["error"]) == (400, True)
    assert server.post(f"/api/tables/{table}/close", {})[0] == 200
    status, body, _ = server.post(f"/api/tables/{table}/close", {})
    assert (status, json.loads(body)["error"]) == (404, f"no unfinished table {table}")


def test_a_game_that_can_not_go_on_takes_no_table(tmp_path: Path) -> None:
    with served(tmp_path, "--tables", "1") as server:
        opened = server.open("manhattan", [PERSON, PERSON])
        other = {"game": "manhattan", "seats": [PERSON, PERSON]}
        status, body, _ = server.post("/api/tables", other)
        assert (status, json.loads(body)) == (400, {"error": "no table is free, of 1: finish a game first"})
        page = server.page(opened["table"], opened["tokens"]["0"])
        asked = page.my_turn()
        assert asked
        file = tmp_path / f"logs/table-{opened['table']}.table"
        file.unlink()
        file.mkdir()  # so the game can't be saved
        page.play(asked)
        assert page.until("stopped")["why"] == "The game can't go on; the terminal of the server says why."
        assert server.post("/api/tables", other)[0] == 200


def test_a_page_that_comes_late_is_told_why_there_is_no_position(tmp_path: Path) -> None:
    room = Room(table_of(find_game("manhattan"), 2, {}, tmp_path / "table-1.table", [0]))
    room.hear(Broken("the deal could not be saved"))
    follower = call_apart(lambda: room.join(SPECTATOR))
    assert follower.outgoing.get_nowait() == write.encode(Stopped(room.stopped))


def test_the_owner_alone_is_told_the_links_of_the_owners_tables(tmp_path: Path) -> None:
    def lobby(server: Served, secret: str) -> tuple[bytes, list[Any]]:
        _, body, _ = server.get("/api/lobby", authorization=f"Bearer {secret}")
        return body, json.loads(body)["tables"]

    with served(tmp_path) as server:
        opened = server.open("manhattan", [person("ann"), person("ben"), bot()], mine=1)
        people = {"game": "manhattan", "seats": [PERSON, person("cid")], "mine": 0}
        guests = json.loads(server.post("/api/tables", people, authorization="")[1])
        links = [*opened["tokens"].values(), opened["spectators"]]
        for secret in ["", "wrong", *links, *guests["tokens"].values()]:
            body, _ = lobby(server, secret)
            assert not any(link.encode() in body for link in links), secret
        page = server.page(opened["table"], opened["tokens"]["0"])
        page.my_turn()
        watcher = server.page(opened["table"], opened["spectators"])
        watcher.until("asked")
        received = b"".join(page.received + watcher.received)
        assert not any(link.encode() in received for link in links)
    with served(tmp_path) as again:
        body, (of_guests, of_owner) = lobby(again, server.owner)
    assert (of_owner["tokens"], of_owner["mine"]) == (opened["tokens"], 1)
    assert (of_guests["tokens"], of_guests["mine"]) == (None, None)
    assert not any(token.encode() in body for token in guests["tokens"].values())


def test_finished_tables_are_listed_after_a_restart(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        opened = server.open("manhattan", [bot(), bot("greedy")])
        server.page(opened["table"], opened["spectators"]).until("ended")
        before = json.loads(server.get("/api/lobby")[1])["tables"]
    assert [row["state"] for row in before] == ["over"]
    (tmp_path / "logs/table-2.log").write_text("damaged")
    other = ("match", "random", "random", "--game", "manhattan", "-o", tmp_path / "logs/table-3.log")
    assert run_fa(tmp_path, *other).returncode == 0
    with served(tmp_path) as server:
        assert json.loads(server.get("/api/lobby")[1])["tables"] == before


def test_an_empty_file_makes_nobody_the_owner(fa: Fa, tmp_path: Path) -> None:
    with served(tmp_path):
        file = tmp_path / "logs/owner.secret"
        assert file.stat().st_mode & 0o777 == 0o600
    file.write_text("\n")
    ran = fa("serve", "--no-open", "--port", "0", "--sandbox", "none")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "fa: logs/owner.secret holds no secret: remove it for a new one" in ran.stderr


EARLY_CTRL_C = """
import asyncio.base_events as events, signal, sys
from fa_cli.__main__ import main

begin = events.BaseEventLoop.__init__
events.BaseEventLoop.__init__ = lambda loop: signal.raise_signal(signal.SIGINT) or begin(loop)
sys.argv = ["fa", "serve", "--no-open", "--port", "0", "--sandbox", "none"]
main()
"""


def test_ctrl_c_while_the_server_starts(tmp_path: Path) -> None:
    """The link is printed, so people may be quick; it comes where Python leaves half a loop."""
    command = [sys.executable, "-c", EARLY_CTRL_C]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert ran.stdout.startswith("http://127.0.0.1:")
    assert "Traceback" not in ran.stderr
    assert "never awaited" not in ran.stderr
    assert ran.returncode == 0


def test_forged_tokens_and_foreign_pages(server: Served) -> None:
    from websockets.exceptions import InvalidStatus

    opened = server.open("manhattan", [PERSON, person("ben")])
    good = opened["tokens"]["0"]
    forged = [(opened["table"], token) for token in ("", "wrong", good[:-1], "é" * 22, good + "A")]
    for table, token in [*forged, (999, good)]:
        assert closed_with(server.page(table, token)) == (4404, "this link leads to no game that is being played")
    assert server.get(f"/table/{'9' * 5000}/replay")[0] == 404
    for origin in ("http://evil.example", "null", server.url.replace("http", "https") + "0"):
        with pytest.raises(InvalidStatus):
            server.page(opened["table"], opened["tokens"]["0"], origin=origin)
    for headers in ({"host": "evil.example"}, {"host": "127.0.0.1.evil.example:80"}, {"host": "["}, {"host": ""}):
        assert server.get("/api/lobby", **headers)[0] in (400, 403)
    assert server.post("/api/tables", {}, origin="http://evil.example")[0] == 403


def test_others_reach_it_by_its_address_and_name(server: Served, tmp_path: Path) -> None:
    def answers(server: Served, host: str) -> int:
        return server.get("/", host=host)[0]

    def address(server: Served) -> str:
        told: str = json.loads(server.get("/api/lobby", authorization=f"Bearer {server.owner}")[1])["address"]
        return told

    own, local = socket.gethostname(), f"{socket.gethostname().partition('.')[0]}.local"
    assert (address(server), answers(server, own), answers(server, local)) == ("", 403, 403)
    with served(tmp_path, "--host", "0.0.0.0", "--yes") as public:
        assert f"\nothers reach it at {address(public)}" in (tmp_path / "errors.txt").read_text()
        assert [answers(public, host) for host in (address(public)[7:], own, local)] == [200, 200, 200]
        for host in ("evil.example", f"{own}.evil.example", f"evil.{local}"):
            assert answers(public, host) == 403, host
        assert json.loads(public.get("/api/lobby")[1])["address"] == ""


def test_answers_have_a_strict_policy(server: Served) -> None:
    opened = server.open("manhattan", [PERSON, bot()])
    for path in (
        "/",
        f"/table/{opened['table']}",
        "/rules/manhattan",
        "/contest/x",
        "/assets/table.js",
        "/api/lobby",
        "/no",
    ):
        _, body, headers = server.get(path)
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy, path
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers
        assert str(server.home).encode() not in body and b"/root" not in body and b"<script>" not in body


def test_too_long_and_too_many_messages(server: Served) -> None:
    opened = server.open("manhattan", [PERSON, bot()])
    page = server.page(opened["table"], opened["tokens"]["0"])
    page.my_turn()
    page.socket.send("x" * 20_000)
    assert closed_with(page)[0] == 1009
    page = server.page(opened["table"], opened["tokens"]["0"])
    asked = page.my_turn()
    assert asked
    for _ in range(200):
        try:
            page.send(type="try", ply=asked["ply"], held=[])
        except Exception:
            break
    assert closed_with(page) == (4429, "too many messages")
    status, body, _ = server.post("/api/tables", b" " * 50_000)
    assert status == 400
    assert "longer than 16384 bytes" in json.loads(body)["error"]


def fuzzed(choose: random.Random, asked: dict[str, object]) -> bytes | str:
    """What no page would send: messages cut, mixed up, or of another kind."""
    good = {"type": choose.choice(["try", "send", "join", "resign ", "x"]), "ply": asked["ply"], "held": ["pass"]}
    match choose.randrange(8):
        case 0:
            return choose.randbytes(choose.randrange(200))
        case 1:
            return json.dumps(good)[: choose.randrange(40)]
        case 2:
            return json.dumps({**good, "held": choose.choice([None, 1, [1], [[]] * 50, ["x" * 200], {}, "bid"])})
        case 3:
            return json.dumps({**good, "ply": choose.choice([-1, 1e300, "0", None, 1 << 70, True])})
        case 4:
            return "[" * choose.randrange(5000)
        case 5:
            return json.dumps({**good, "extra": "\u0000\ud83d"})
        case 6:
            return json.dumps(choose.choice([None, [], 3, "join", {"type": "join", "token": "x" * 5000}]))
    text = bytearray(json.dumps(good).encode())
    text[choose.randrange(len(text))] = choose.randrange(256)
    return bytes(text)


@pytest.mark.parametrize("count", [300, pytest.param(3_000, marks=pytest.mark.slow)])
def test_messages_that_nobody_would_write(tmp_path: Path, count: int) -> None:
    """Each is refused or closes its connection; the game goes on, and the server prints no traceback."""
    from websockets.exceptions import ConnectionClosed

    choose = random.Random(count)
    with served(tmp_path) as server:
        opened = server.open("fifth-avenue", [PERSON, bot()])
        sent = 0
        while sent < count:
            page = server.page(opened["table"], opened["tokens"]["0"])
            asked = page.my_turn()
            assert asked
            for _ in range(15):
                try:
                    page.socket.send(fuzzed(choose, asked))
                except ConnectionClosed:
                    break
                sent += 1
            page.close()
        page = server.page(opened["table"], opened["tokens"]["0"])
        while asked := page.my_turn():
            page.play(asked)


@pytest.mark.slow
def test_killed_and_started_again(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        opened = server.open("fifth-avenue", [PERSON, bot("greedy"), person("cid")])
        number, tokens = opened["table"], opened["tokens"]
        ann, cid = server.page(number, tokens["0"]), server.page(number, tokens["2"])
        for _ in range(4):
            page = ann if ann.until("asked")["seat"] == 0 else cid
            page.play(page.last["asked"] if page is ann else cid.my_turn())
        ann.until("asked")
        while cid.until("asked")["ply"] < ann.last["asked"]["ply"]:
            pass
        seat = ann.last["asked"]["seat"]
        before = (ann if seat == 0 else cid).last["asked"]
        server.process.kill()
        server.process.wait()
        port = server.port
    with served(tmp_path, port=port) as server:
        ann, cid = server.page(number, tokens["0"]), server.page(number, tokens["2"])
        assert len(ann.until("position")["told"]) >= 4
        after = (ann if seat == 0 else cid).my_turn()
        assert after
        assert (after["ply"], after["choices"]) == (before["ply"], before["choices"])
        cid.send(type="hand-over")
        if seat == 0:
            ann.play(after)
        assert ann.my_turn()
    with served(tmp_path) as server:  # the bot still plays for cid
        ann = server.page(number, tokens["0"])
        while asked := ann.my_turn():
            ann.play(asked)
        assert ann.last["present"]["bots"] == [2]
    assert not list(tmp_path.glob("logs/*.table"))
    assert run_fa(tmp_path, "replay", "verify", f"logs/table-{number}.log").returncode == 0


def test_the_time_before_a_restart_counts(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        opened = server.open("manhattan", [PERSON, bot()])
        page = server.page(opened["table"], opened["tokens"]["0"])
        asked = page.my_turn()
        assert asked
        time.sleep(0.5)
        page.play(asked)
        assert page.my_turn()
        spent = page.last["position"]["spent"]
    with served(tmp_path) as server:
        page = server.page(opened["table"], opened["tokens"]["0"])
        asked = page.my_turn()
        assert page.last["position"]["spent"] == spent
        while asked:
            page.play(asked)
            asked = page.my_turn()
    entry = entry_at(tmp_path / f"logs/table-{opened['table']}.log", 0)
    assert entry and entry.meta["time_us"][0] > 500_000
    assert entry.meta["time_us"][1] > spent[1] * 1e6


@pytest.mark.slow
def test_a_table_is_played_by_one_server(tmp_path: Path) -> None:
    with served(tmp_path) as first:
        opened = first.open("manhattan", [PERSON, bot()])
        page = first.page(opened["table"], opened["tokens"]["0"])
        with served(tmp_path) as second:
            assert json.loads(second.get("/api/lobby")[1])["tables"] == []
            assert second.open("manhattan", [PERSON, bot()])["table"] == 2
        while asked := page.my_turn():
            page.play(asked)
    assert "table-1.table: it is being played in another terminal" in (tmp_path / "errors.txt").read_text()
    assert [path.name for path in (tmp_path / "logs").glob("*.table")] == ["table-2.table"]


@pytest.mark.slow
def test_a_damaged_table_is_named_and_others_go_on(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        opened = server.open("manhattan", [PERSON, bot()])
    (tmp_path / "logs/table-9.table").write_text("{}")
    (tmp_path / "logs/table-8.table").write_text("{}")
    (tmp_path / "logs/.table-8.table.lock").mkdir()  # for all that the system refuses: it is read-only, or full
    with served(tmp_path) as server:
        page = server.page(opened["table"], opened["tokens"]["0"])
        assert page.my_turn()
        page.close()
    errors = (tmp_path / "errors.txt").read_text()
    assert "table-9.table is not a table" in errors
    assert ".table-8.table.lock: Is a directory\n" in errors and "Errno" not in errors


@pytest.mark.slow
def test_a_bot_that_has_changed_since_a_table_was_saved(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(shipped_paths()["greedy"].read_text())
    with served(tmp_path, str(mine)) as server:
        opened = server.open("manhattan", [PERSON, bot("mine"), bot("greedy")])
        server.page(opened["table"], opened["tokens"]["0"]).my_turn()
    warning = f"table {opened['table']}: mine has changed since the game was saved ({mine})\n"
    with served(tmp_path, str(mine)) as server:
        pass
    assert "has changed" not in (tmp_path / "errors.txt").read_text()
    mine.write_text(mine.read_text() + "# changed\n")
    with served(tmp_path, str(mine)) as server:
        page = server.page(opened["table"], opened["tokens"]["0"])
        while asked := page.my_turn():
            page.play(asked)
    assert warning in (tmp_path / "errors.txt").read_text()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--port", "0", "--host", "0.0.0.0"], "say --yes if you want that"),
        (["--port", "0", "--host", ""], "say --yes if you want that"),
        (["--port", "0", "--host", "0"], "say --yes if you want that"),
        (["--port", "0", "--host", "::0"], "say --yes if you want that"),
        (["--host", "203.0.113.7"], "can't listen on 203.0.113.7 port 8080"),
        (["--port", "0", "--host", "[::]"], "choose another with --host"),
        (["--allow-host", "https://play.example.org/"], "expected a name alone, such as play.example.org"),
        (["--allow-host", "play.example.org:8080"], "expected a name alone, such as play.example.org"),
        (["--allow-host", "["], "--allow-host [: expected a name alone, such as play.example.org"),
        (["--port", "0", "--stand-in", "nobody"], "--stand-in: no bot named 'nobody'"),
        (["--port", "0", "nothing.py"], "no such file or folder"),
    ],
)
def test_wrong_options(inside: Fa, options: list[str], sentence: str) -> None:
    ran = inside("serve", "--no-open", "--sandbox", "none", *options)
    assert ran.returncode == 2
    assert sentence in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.slow
def test_a_taken_port(fa: Fa) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ran = fa("serve", "--no-open", "--sandbox", "none", "--port", port)
    assert ran.returncode == 2
    assert f"can't listen on 127.0.0.1 port {port}: Address already in use; choose another with --port" in ran.stderr


@pytest.fixture
def no_bubblewrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine without it, with the programs beside it."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("setpriv", "prlimit"):
        (tools / name).symlink_to(shutil.which(name) or "/bin/true")
    monkeypatch.setenv("PATH", str(tools))


@pytest.mark.slow
@pytest.mark.usefixtures("no_bubblewrap")
def test_without_bubblewrap_bots_play_after_the_warning_of_a_match(fa: Fa, tmp_path: Path) -> None:
    with served(tmp_path, "--sandbox", "auto") as server:
        opened = server.open("manhattan", [bot(), bot()])
        server.page(opened["table"], opened["spectators"]).until("ended")
    match = fa("match", "random", "random", "--game", "manhattan", "--sandbox", "auto", PATH=os.environ["PATH"])
    (warning,) = (line for line in match.stderr.splitlines() if "sandbox" in line)
    assert "is not installed" in warning
    assert warning in (tmp_path / "errors.txt").read_text().splitlines()


@pytest.mark.slow
@pytest.mark.usefixtures("no_bubblewrap")
def test_without_the_bubblewrap_that_is_demanded(fa: Fa) -> None:
    done = fa("serve", "--no-open", "--port", "0", "--sandbox", "bwrap", PATH=os.environ["PATH"])
    why = "bubblewrap is not installed; Debian: apt-get install bubblewrap"
    sentence = f"fa: bots can't be sandboxed here: {why}; --sandbox none runs them without\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", sentence)


@pytest.mark.slow
def test_without_the_extra(tmp_path: Path) -> None:
    program = "import sys; sys.modules['uvicorn'] = None; from fa_cli.cli import app; sys.exit(app.run(['serve']))"
    ran = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "fa serve needs uvicorn: pip install 'fa-cli[web]'" in ran.stderr
