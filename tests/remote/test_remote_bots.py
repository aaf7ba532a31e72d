"""Bots that play over the network: through kills, cut cables and clients that do not behave, to a log that verifies."""

from __future__ import annotations

import asyncio
import json
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.asyncio.server import ServerConnection, serve

from fa_cli.game_result import FaultKind
from fa_cli.isolation.discovery import read_bot
from fa_cli.isolation.transport.remote import connected
from fa_cli.serve.bots.client import Client
from tests.apart import run_apart
from tests.cluster.harness import network
from tests.conftest import Fa, assert_refused, run_fa
from tests.inside import inside as inside
from tests.remote.hosted import WireBot, client_of_the_page, finish, games, hosted, play_here, respond, tournament
from tests.tournament.helpers import dice

GREEDY = Path(__file__).parents[2] / "bots/greedy.py"
MANHATTAN = ("--game", "manhattan", "--players", "2")
SLOW = "time.sleep(0.04)"


@pytest.mark.slow
def test_any_bot_and_any_client_play_with_local_bots(inside: Fa, tmp_path: Path) -> None:
    """A bot of another folder, the two clients of the page, and a local bot: no fault, and each reply counts once."""
    python, javascript = (client_of_the_page(language, tmp_path) for language in ("python", "javascript"))
    names = ["anna", "bert", *(["cleo"] if len(javascript) > 1 else [])]
    with hosted(tmp_path, *names) as host:
        host.connect("anna", GREEDY)
        host.start("bert", [*python, host.address("bert"), host.tokens["bert"]])
        if "cleo" in names:
            host.start("cleo", [*javascript, host.address("cleo"), host.tokens["cleo"]])
        bots = [f"remote:{name}" for name in names]
        printed = play_here(
            inside, tmp_path, *bots, f"local={GREEDY}", options=[*MANHATTAN, "--games", "12", "-j", "2"]
        )
        assert "waiting" not in printed
    played = games(tmp_path)
    assert len(played) == 12
    assert not any(entry.faults for entry in played)
    for entry in played:
        seats = {str(seat) for seat, name in enumerate(entry.players) if name != "local"}
        assert set(entry.meta.get("remote_us", {})) == seats
        assert all(0 <= spent < 1_000_000 for spent in entry.meta.get("remote_us", {}).values())
    assert {name for entry in played for name in entry.players} == {*names, "local"}
    definition = json.loads((tmp_path / "tournaments/t.json").read_text())
    paths = {bot["name"]: bot["path"] for bot in definition["bots"]}
    assert paths["anna"] == "./remote/anna.remote"
    shown = inside("--home", tmp_path, "tournament", "show", "t").stdout
    assert f"remote     {' '.join(names)}; their digests are as they state, unproved" in shown


@pytest.mark.slow
def test_a_killed_host_and_a_killed_client(tmp_path: Path) -> None:
    """The host is killed and started again: games go on. A client that is killed loses its game, and no other."""
    (slow,) = dice(tmp_path, "slow", before=SLOW)
    options = [*MANHATTAN, "--games", "4", "-j", "1", "--move-time", "20s"]
    with hosted(tmp_path, "anna", "bert") as host:
        port = host.server.port
        host.connect("anna", slow)
        bert = host.connect("bert", slow)
        run = tournament(tmp_path, "remote:anna", "remote:bert", options=options)
        await_game(tmp_path)
        host.server.process.kill()
        host.server.process.wait()
        time.sleep(1)
        with hosted(tmp_path, "anna", "bert", port=port) as again:
            assert again.tokens == host.tokens
            for name in ("anna", "bert"):
                again.await_connection(name)
            await_game(tmp_path, 1)
            assert games(tmp_path)[0].faults == []
            bert.kill()
            bert.wait()
            again.connect("bert", slow)
            finish(run)
    played = games(tmp_path)
    assert [fault.kind for entry in played for fault in entry.faults] == [FaultKind.CRASH]
    details = [detail for entry in played for detail in entry.meta.get("fault_details", [])]
    assert [detail["detail"] for detail in details] == ["was restarted in the middle of a game"]


def await_game(home: Path, number: int = 0) -> None:
    """Wait until the game with this index has begun for a while."""
    end = time.monotonic() + 120
    status = home / "logs/t.status"
    while True:
        with suppress(OSError, ValueError):
            playing = json.loads(status.read_text())["playing"]
            if any(game["index"] == number and len(game["actions"] or []) > 2 for game in playing):
                return
        assert time.monotonic() < end, "the game does not begin"
        time.sleep(0.1)


@pytest.mark.slow
def test_a_cable_that_is_cut_and_put_back(tmp_path: Path) -> None:
    """Packets vanish in a network namespace for some seconds: nobody loses a game; the clock has counted the time."""
    (slow,) = dice(tmp_path, "slow", before=SLOW)
    with network(1) as net, hosted(tmp_path, "anna", options=["--host", "0.0.0.0", "--yes"]) as host:
        within = ["ip", "netns", "exec", net.namespaces[0]]
        host.connect("anna", slow, within=within, host=net.host)
        options = [*MANHATTAN, "--games", "2", "-j", "1", "--move-time", "60s"]
        run = tournament(tmp_path, "remote:anna", f"local={slow}", options=options)
        await_game(tmp_path)
        net.cut(0)
        time.sleep(5)
        net.restore(0)
        finish(run)
    played = games(tmp_path)
    assert not any(entry.faults for entry in played)
    assert max(max(entry.meta["time_us"]) for entry in played) > 5_000_000


@pytest.mark.slow
def test_a_cable_that_stays_cut_is_a_fault(tmp_path: Path) -> None:
    (slow,) = dice(tmp_path, "slow", before=SLOW)
    with network(1) as net, hosted(tmp_path, "anna", options=["--host", "0.0.0.0", "--yes"]) as host:
        host.connect("anna", slow, within=["ip", "netns", "exec", net.namespaces[0]], host=net.host)
        options = [*MANHATTAN, "--games", "2", "-j", "1", "--move-time", "3s", "--start-time", "2s"]
        run = tournament(tmp_path, "remote:anna", f"local={slow}", options=options)
        await_game(tmp_path)
        net.cut(0)
        finish(run)
        assert games(tmp_path)[0].faults[0].kind is FaultKind.TIMEOUT
        net.restore(0)


@pytest.mark.slow
def test_messages_that_come_twice_late_or_unasked_change_nothing(inside: Fa, tmp_path: Path) -> None:
    """A client repeats each reply, repeats old ones with other actions, and answers questions nobody asked."""
    with hosted(tmp_path, "anna") as host:
        bot = WireBot(host, "anna")
        choose, sent = random.Random(1), list[dict[str, object]]()

        def play() -> None:
            from websockets.exceptions import ConnectionClosed

            with suppress(ConnectionClosed, TimeoutError):
                while True:
                    message = bot.next()
                    if message["type"] == "ping":
                        bot.say(type="pong", number=message["number"])
                    answer = respond(message["line"]) if message["type"] == "line" else None
                    if answer is None:
                        continue
                    reply = {
                        "type": "reply",
                        "session": message["session"],
                        "number": message["number"],
                        "line": answer,
                    }
                    if len(sent) % 25 == 24:
                        bot.say(**choose.choice(sent) | {"line": '{"action":"nonsense"}'})
                        bot.say(**reply | {"number": message["number"] + 1})
                        bot.say(**reply | {"session": "0123456789abcdef"})
                    bot.say(**reply)
                    if len(sent) % 25 == 12:
                        bot.say(**reply)
                    sent.append(reply)

        player = threading.Thread(target=play, daemon=True)
        player.start()
        host.await_connection("anna")
        play_here(inside, tmp_path, "remote:anna", f"local={GREEDY}", options=[*MANHATTAN, "--games", "6"])
        bot.close()
    played = games(tmp_path)
    assert len(played) == 6
    assert not any(entry.faults for entry in played)
    assert len(sent) > 100


@pytest.mark.slow
def test_forged_tokens_and_huge_messages(inside: Fa, tmp_path: Path) -> None:
    from websockets.exceptions import ConnectionClosed

    with hosted(tmp_path, "anna", "bert") as host:
        for name, token in (("anna", host.tokens["bert"]), ("anna", ""), ("carl", host.tokens["anna"])):
            refused = WireBot(host, name, token)
            with pytest.raises(ConnectionClosed, match="4403"):
                refused.next()
        forged = ("--token", "forged", "--name", "anna", "--", GREEDY)
        done = run_fa(tmp_path, "bot", "connect", f"ws://127.0.0.1:{host.server.port}", *forged)
        assert_refused(done, "the host refuses this bot: no bot has this name and this token\n")
        assert host.server.get("/bots", authorization="Bearer forged")[0] == 403
        assert not list((tmp_path / "remote").glob("*.remote"))

        before = memory(host.server.process.pid)
        for _ in range(3):
            bot = WireBot(host, "anna")
            with suppress(ConnectionClosed):
                for _ in range(1000):  # a gigabyte, if the host let it in
                    bot.socket.send("x" * 1_000_000)
        assert memory(host.server.process.pid) - before < 100_000_000
        bot = WireBot(host, "anna")
        with pytest.raises(ConnectionClosed, match="4400"):
            for number in range(1000):
                bot.say(type="pong", number=number + 1000)
                bot.say(type="nonsense")
                time.sleep(0.001)
            bot.next()
        host.connect("bert", GREEDY)
        options = [*MANHATTAN, "--games", "2", "-j", "1"]
        printed = play_here(inside, tmp_path, "remote:bert", f"local={GREEDY}", options=options)
        assert "bert" in printed


USELESS = {
    "x" * 20_000: "1009.*a message of 20,000 bytes: it may have at most 16,384",
    "hello": "4400.*a message that is not of the protocol: JSON is malformed",
    '{"type":"\u00fc"}': r"4400.*a message that is not of the protocol: Invalid value '.xfc' - at `\$.type`",
}


def test_a_message_that_is_of_no_use_ends_the_connection_with_the_reason(tmp_path: Path) -> None:
    from websockets.exceptions import ConnectionClosed

    with hosted(tmp_path, "anna") as host:
        for message, reason in USELESS.items():
            bot = WireBot(host, "anna")
            host.await_connection("anna")
            bot.socket.send(message)
            with pytest.raises(ConnectionClosed, match=reason):
                while bot.next():
                    pass
            host.await_connection("anna", is_connected=False)
    assert (tmp_path / "errors.txt").read_text().count("anna is disconnected: a message") == len(USELESS)


def test_a_bot_that_does_not_start_is_not_connected(fa: Fa, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("import sys\nsys.exit('no weights')\n")
    connect = ("bot", "connect", "ws://127.0.0.1:1", "--token", "x", "--")
    done = fa(*connect, broken)
    sentence = "fa: the bot does not start: it exited with status 1 (asked: hello)\n"
    assert (done.returncode, done.stderr) == (2, f"no weights\n{sentence}")
    done = fa(*connect, "sh", "-c", "echo hi")
    assert done.returncode == 2
    assert done.stderr.startswith("fa: the bot does not start: it gave an answer to hello that can't be read")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "built").mkdir()
    (tmp_path / "built/bot.toml").write_text("command = 'true'\nbuild = 'true'\n")
    assert fa(*connect, "built").stderr.startswith("building built ...\nfa: the bot does not start")


@pytest.mark.slow
def test_an_address_that_never_works_is_refused(fa: Fa, tmp_path: Path) -> None:
    with hosted(tmp_path, "anna") as host:
        plain, tls = (f"{scheme}://127.0.0.1:{host.server.port}" for scheme in ("ws", "wss"))
        for address, reason in (
            (f"{plain}/foo", f"no fa serve --bots is at {plain}/foo/bots/anna/connect: the answer there is HTTP 403"),
            (tls, f"{tls}/bots/anna/connect: the host speaks no TLS there: begin its address with ws://"),
        ):
            done = fa("bot", "connect", address, "--token", "x", "--name", "anna", "--", GREEDY)
            assert (done.returncode, done.stderr) == (2, f"fa: {reason}\n")


@pytest.mark.slow
def test_the_author_is_told_how_each_game_ended(inside: Fa, tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    (moody,) = dice(tmp_path, "moody", before=f"os.path.exists({str(flag)!r}) and sys.exit('no more')")
    with hosted(tmp_path, "anna") as host:
        host.connect("anna", moody)
        play_here(inside, tmp_path, "remote:anna", f"local={GREEDY}", options=[*MANHATTAN, "--games", "2", "-j", "2"])
        flag.touch()
        assert inside("tournament", "resume", "t", "--more", "2", "-q", "-j", "2").returncode == 0
        told = (tmp_path / "anna.txt").read_text()
    ends = [
        f"manhattan between {' and '.join(game.players)}, seat {seat}: rank {game.result.ranks[seat]} of 2, "
        f"scores {', '.join(map(str, game.result.scores))}"
        for game in games(tmp_path)[:2]
        for seat in [game.players.index("anna")]
    ]
    assert sorted(re.findall("^manh.*rank.*$", told, re.M)) == sorted(ends)
    fault = r"^manhattan between (?:anna and local, seat 0|local and anna, seat 1): lost by a fault: it exited.*1$"
    lines = re.findall(rf"^no more$|{fault}", told, re.M)  # the two games may end at the same time
    assert (lines.count("no more"), len(lines), lines[0]) == (2, 4, "no more")


def memory(process: int) -> int:
    """The bytes of memory that a process has had at most."""
    status = Path(f"/proc/{process}/status").read_text()
    return 1024 * int(re.findall(r"VmHWM:\s+(\d+)", status)[0])


def test_referees_find_a_host_that_listens_on_one_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1/")
    command = [sys.executable, "-m", "fa_cli", "--home", str(tmp_path), "serve", "--no-open", "--port", "0"]
    command += ["--host", "127.0.0.2", "--bots", "anna", "--sandbox", "none"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout
        assert process.stdout.readline().startswith("http://127.0.0.2:")
        end = time.monotonic() + 20
        while not (known := connected(tmp_path / "remote")) and time.monotonic() < end:
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
    assert list(known) == ["anna"]


@pytest.mark.slow
def test_one_host_at_a_time(fa: Fa, tmp_path: Path) -> None:
    with hosted(tmp_path, "anna"):
        before = (tmp_path / "remote/host.json").read_bytes()
        done = fa("serve", "--no-open", "--port", "0", "--sandbox", "none", "--bots", "carl")
        assert done.returncode == 2
        assert done.stderr.endswith("fa: another fa serve --bots of this folder is running, for anna: end it first\n")
        assert (tmp_path / "remote/host.json").read_bytes() == before


@pytest.mark.slow
def test_a_check_of_a_remote_bot_does_not_wait_for_its_end(inside: Fa, tmp_path: Path) -> None:
    with hosted(tmp_path, "anna") as host:
        host.connect("anna", GREEDY)
        done = inside("bot", "check", "remote:anna", "--games", "1")
    assert done.returncode == 0, done.stdout
    assert "passed: 10 checks" in done.stdout


@pytest.mark.parametrize("name", ["", "..", "a/b"])
def test_a_remote_bot_has_a_name(name: str, inside: Fa) -> None:
    reason = f"'remote:{name}' names no bot: write remote:NAME, as for fa serve --bots NAME\n"
    assert_refused(inside("tournament", "run", f"remote:{name}", GREEDY), reason)


def test_who_can_not_come_is_not_awaited(inside: Fa, tmp_path: Path) -> None:
    run = ("tournament", "run", "remote:carl", GREEDY, "planner", *MANHATTAN)
    reason = "fa: no bot carl has ever connected: fa serve --bots carl says how\n"
    waiting = "waiting for carl to connect, at most 0.5 s; no fa serve --bots of this folder is running\n"
    assert inside(*run, "--wait", "500ms").stderr == f"{waiting}{reason}"
    with hosted(tmp_path, "anna"):
        assert inside(*run, "--wait", "10m").stderr == reason


@pytest.mark.slow
def test_absent_bots(inside: Fa, tmp_path: Path) -> None:
    with hosted(tmp_path, "anna", "bert", "carl") as host:
        options = [*MANHATTAN, "--games", "6", "-j", "1"]
        printed = play_here(inside, tmp_path, "remote:anna", GREEDY, options=[*options, "--wait", "1s"], code=2)
        assert "fa: no bot anna has ever connected: fa serve --bots anna says how" in printed
        assert "lost by a fault" not in printed
        anna = host.connect("anna", GREEDY)
        host.connect("bert", GREEDY)
        anna.send_signal(signal.SIGINT)
        anna.wait(20)
        host.await_connection("anna", is_connected=False)
        few = [*options, "--wait", "1s", "--start-time", "1s"]
        printed = play_here(inside, tmp_path, "remote:anna", GREEDY, options=few, code=2)
        reason = "anna does not start: it is not connected; only 1 other bot is left, too few to skip it"
        assert printed.endswith(f"\nfa: {reason}\n")
        assert "lost by a fault" not in printed
        few = [*options, "--wait", "1s", "--max-faults", "2"]
        printed = play_here(inside, tmp_path, "remote:anna", "remote:bert", GREEDY, options=few)
        assert "suspended" not in printed
        absent = "warning: anna is not connected; its games are lost by a fault until the tournament is resumed with it"
        assert absent in printed
        host.connect("anna", GREEDY)
        done = inside("tournament", "resume", "t", "--more", "6", "-j", "1")
        assert "suspended" not in done.stderr
    played = games(tmp_path)
    assert not any(entry.faults for entry in played[6:])
    faulty = {entry.players[fault.seat] for entry in played for fault in entry.faults}
    assert faulty == {"anna"}
    assert played[0].meta["fault_details"][0]["detail"] == "did not start when the run began"


@pytest.mark.slow
def test_the_run_says_once_that_a_bot_is_away(tmp_path: Path) -> None:
    (slow,) = dice(tmp_path, "slow", before=SLOW)
    with hosted(tmp_path, "anna") as host:
        anna = host.connect("anna", slow)
        options = [*MANHATTAN, "--games", "4", "-j", "1", "--move-time", "2s", "--start-time", "1s"]
        run = tournament(tmp_path, "remote:anna", f"local={slow}", options=options)
        await_game(tmp_path)
        anna.kill()
        printed = finish(run)
    assert (
        printed.count("warning: anna is no longer connected; it loses games by a fault until it connects again\n") == 1
    )


@pytest.mark.slow
def test_what_changes_between_runs_and_where_remote_bots_can_not_play(inside: Fa, tmp_path: Path) -> None:
    """Another digest is another bot, as for files; a cluster has no remote bots."""
    other = tmp_path / "other.py"
    other.write_text(GREEDY.read_text() + "\n# changed\n")
    with hosted(tmp_path, "anna") as host:
        anna = host.connect("anna", GREEDY)
        options = [*MANHATTAN, "--games", "2", "-j", "1"]
        play_here(inside, tmp_path, "remote:anna", f"local={GREEDY}", options=options)
        anna.send_signal(signal.SIGINT)
        anna.wait(20)
        host.connect("anna", other)
        done = inside("tournament", "resume", "t", "--more", "2")
        assert done.returncode == 2
        assert "anna.remote has changed since t began" in done.stderr
    done = run_fa(tmp_path, "bot", "connect", "https://play.example.org", "--token", "x", "--", "y")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "begins with ws:// or wss://" in done.stderr


@pytest.mark.slow
def test_a_hundred_bots_at_once(inside: Fa, tmp_path: Path) -> None:
    names = [f"bot-{number}" for number in range(100)]
    with hosted(tmp_path, *names) as host:
        end = threading.Event()

        async def be(name: str) -> None:
            from websockets.asyncio.client import connect

            async with connect(host.address(name), max_size=None) as socket:
                await socket.send(json.dumps({"type": "join", "token": host.tokens[name]}))
                async for raw in socket:
                    message = json.loads(raw)
                    if message["type"] == "ping":
                        await socket.send(json.dumps({"type": "pong", "number": message["number"]}))
                    elif message["type"] == "line" and (answer := respond(message["line"])):
                        reply = {"session": message["session"], "number": message["number"], "line": answer}
                        await socket.send(json.dumps({"type": "reply", **reply}))

        async def be_all() -> None:
            tasks = [asyncio.create_task(be(name)) for name in names]
            while not end.is_set():
                await asyncio.sleep(0.1)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)  # else the loop cancels the closing, too

        thread = threading.Thread(target=lambda: asyncio.run(be_all()), daemon=True)
        thread.start()
        for name in names:
            host.await_connection(name)
        options = ["--game", "manhattan", "--players", "4", "--schedule", "swiss", "--rounds", "1", "-j", "8"]
        play_here(inside, tmp_path, *(f"remote:{name}" for name in names), options=[*options, "--move-time", "20s"])
        end.set()
        thread.join(20)
    played = games(tmp_path)
    assert {name for entry in played for name in entry.players} == set(names)
    assert not any(entry.faults for entry in played)


def test_after_a_cut_connection_it_comes_back_at_once() -> None:
    """However long it had to wait for its first connection."""
    said: list[str] = []

    async def cut(connection: ServerConnection) -> None:
        await connection.send('{"type":"ping","number":1}')
        await connection.recv()
        connection.transport.abort()

    async def play() -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        client = asyncio.create_task(Client(f"ws://127.0.0.1:{port}", "", read_bot(GREEDY), said.append).run())
        while len(said) < 2:  # nobody is there
            await asyncio.sleep(0.01)
        async with serve(cut, "127.0.0.1", port):
            while said[-1] == "connected" or "connected" not in said:
                await asyncio.sleep(0.01)
        client.cancel()
        await asyncio.gather(client, return_exceptions=True)

    run_apart(asyncio.wait_for(play(), 60))
    ends = [line.rpartition("; ")[2] for line in said]
    assert ends[:2] == ["trying again in 0.25 s", "trying again in 0.5 s"]
    assert ends[ends.index("connected") + 1] == "trying again in 0.25 s"
