"""The page of a tournament: what it shows of one that was played, and what it refuses."""

from __future__ import annotations

import itertools
import json
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from fa_cli.isolation.shipped_bots import shipped_paths
from fa_cli.replay.log_file import read_log
from fa_cli.replay.log_writer import LogWriter
from fa_cli.serve.contests.overview import Contests
from tests.inside import play_quietly
from tests.serve.served import PERSON, Served, bot, person, served
from tests.serve.test_conversation import closed_with
from tests.tournament.helpers import dice


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    home = tmp_path_factory.mktemp("contests")
    play_quietly(home, "greedy", "random", "--games", "8", "--players", "2", "--name", "spring", "--seed", "x")
    with served(home) as server:
        yield server


def test_a_finished_tournament(server: Served) -> None:
    status, body, _ = server.get("/api/contests/spring")
    contest = json.loads(body)
    assert (status, contest["state"], contest["done"], contest["games"]) == (200, "finished", 8, 8)
    assert contest["headings"][:5] == ["rank", "ranks", "bot", "games", "strength"]
    assert [row[2] for row in contest["rows"]] == ["greedy", "random"]
    assert [game["game"] for game in contest["latest"]] == [8, 7, 6, 5, 4, 3, 2, 1]
    lobby = json.loads(server.get("/api/lobby")[1])
    assert lobby["contests"] == [{"name": "spring", "state": "finished"}]


def test_nobody_wins_where_all_failed(tmp_path: Path) -> None:
    bots = [*dice(tmp_path / "bots", "a", "b", before="sys.exit(1)"), *dice(tmp_path / "bots", "c")]
    for name, pair in (("failed", bots[:2]), ("won", bots[1:])):
        play_quietly(tmp_path, *pair, "--games", "2", "--players", "2", "--game", "manhattan", "--name", name)
    contests = Contests(tmp_path / "tournaments", tmp_path / "logs", str)
    found = {name: [game.nobody_won for game in contests.look(name).latest] for name in contests.names()}
    assert found == {"failed": [True, True], "won": [False, False]}


def test_a_report_is_made_once_for_all_and_not_for_each_game(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    made = itertools.count(1)

    def report(name: str) -> str:
        time.sleep(0.05)
        return str(next(made))

    contests = Contests(server.home / "tournaments", server.home / "logs", report)
    seen = contests.look("spring")
    running = [msgspec.structs.replace(seen, state="running", done=done) for done in (5, 5, 5, 6)]
    looks = iter([*running, seen, seen])
    monkeypatch.setattr(contests, "look", lambda name: next(looks))
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(contests.report, ["spring"] * 3)) == ["1"] * 3
    assert [contests.report("spring") for _ in range(3)] == ["1", "2", "2"]


def test_its_games_and_its_report(server: Served) -> None:
    assert b"Watch game 8 of spring" in server.get("/contest/spring/game/8")[1]
    assert b"<title>" in (report := server.get("/contest/spring/report")[1])
    assert b'<a href="/contest/spring">Tournament</a>' in report
    assert closed_with(server.watch("spring", 8))[0] == 4410, "a page that watched it goes to the replay"


def test_no_hands_of_a_deal_that_others_have_yet_to_play(tmp_path: Path) -> None:
    """Unless all bots are local and in the sandbox, where nobody can tell them of it."""
    for name, duplicate in (("rotations", "rotations"), ("off", "off"), ("sandbox", "rotations")):
        options = ("--duplicate", duplicate, "--name", name)
        play_quietly(tmp_path, "greedy", "random", "--games", "4", "--players", "2", *options)
        definition, log = tmp_path / f"tournaments/{name}.json", tmp_path / f"logs/{name}.log"
        if name == "sandbox":
            saved = json.loads(definition.read_bytes())
            definition.write_text(
                json.dumps(saved | {"limits": saved["limits"] | {"sandbox": True, "unsandboxed": ""}})
            )
        entries = list(read_log(log))[:3]
        log.unlink()
        with LogWriter(log) as writer:
            for entry in entries:
                writer.append_entry(entry)
    with served(tmp_path) as server:
        for contest, shown in (
            ("rotations", [200, 200, 400, 404]),
            ("off", [200, 200, 200, 404]),
            ("sandbox", [200, 200, 200, 404]),
        ):
            for game, status in enumerate(shown, start=1):
                assert server.get(f"/contest/{contest}/game/{game}")[0] == status
                assert server.get(f"/contest/{contest}/playing/{game}/replay")[0] == status
        assert b"others have yet to play the deal of game 3" in server.get("/contest/rotations/game/3")[1]
        table = {"game": "manhattan", "seats": [PERSON, person("ben")], "deal": {"log": "rotations", "game": 3}}
        status, body, _ = server.post("/api/tables", table, authorization="")
        assert (status, b"only the owner of this server may choose the deal of a log" in body) == (400, True)


@pytest.mark.parametrize(
    "path",
    [
        *("/api/contests/summer", "/contest/spring/game/9", "/contest/spring/game/0", "/contest/summer/report"),
        *("/api/contests/..%2Fspring", "/contest/..%2F..%2Fspring/game/1", "/table/99/replay", "/rules/chess", "/foo"),
    ],
)
def test_what_is_not_there(server: Served, path: str) -> None:
    status, body, _ = server.get(path)
    assert status == 404
    assert str(server.home).encode() not in body
    assert "error" in json.loads(body)
    status, body, headers = server.get(path, accept="text/html,*/*")
    assert (status, headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert re.search(rb'<a href="/">Lobby</a>.*<main>\s*<p>[A-Z][^<>]+\.</p>', body, re.DOTALL)


@pytest.mark.slow
def test_damage_is_named_in_the_terminal_and_no_path_on_a_page(tmp_path: Path) -> None:
    play_quietly(tmp_path, "greedy", "random", "--games", "2", "--players", "2", "--name", "spring")
    log, definition = tmp_path / "logs/spring.log", tmp_path / "tournaments/spring.json"
    mine = tmp_path / "mine.py"
    mine.write_text(shipped_paths()["greedy"].read_text())
    with served(tmp_path, str(mine)) as server:
        log.write_bytes(b"no log at all\n")
        answers = [server.get(f"/{path}") for path in ("api/contests/spring", "contest/spring/game/1")]
        definition.write_text("{}")
        answers += [server.get(f"/{path}") for path in ("api/contests/spring", "contest/spring/report")]
        mine.unlink()
        seats = [bot("mine"), bot("greedy")]
        answers.append(server.post("/api/tables", {"game": "manhattan", "seats": seats}))
        lobby = json.loads(server.get("/api/lobby")[1])
    for status, body, _ in answers:
        assert status == 500
        assert json.loads(body) == {"error": "that is not possible now; the terminal of the server says why"}
    assert lobby["contests"] == [{"name": "spring", "state": "unreadable"}]
    said = (tmp_path / "errors.txt").read_text()
    assert str(log) in said
    assert str(mine) in said
