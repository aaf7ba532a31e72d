"""Whole games of a real client, games that are interrupted, and calls that can't be answered."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from fa_cli.errors import UsageError
from fa_cli.isolation.limits import Limits
from fa_cli.mcp_server.results import Results
from fa_cli.mcp_server.seat import NAME, Seat
from fa_cli.mcp_server.tools import KINDS, Tools
from fa_cli.replay.log_file import entry_at
from fa_cli.replay.narrate import Boards, narrate_game
from fa_cli.replay.reconstruct import deal_of
from fa_cli.replay.verify import check
from fa_cli.serve.contests.overview import Contests
from fa_cli.serve.lobby import Lobby, Settings
from fa_cli.serve.saved_table import load_table
from tests.apart import run_apart
from tests.conftest import Fa, further
from tests.mcp_server.client import Assistant, assistant
from tests.mcp_server.raw import Raw
from tests.serve.test_hidden import tell_tale
from tests.tournament.helpers import dice


class Wanted(NamedTuple):
    """A game at a table."""

    game: str
    opponents: list[str]
    seat: int
    options: dict[str, str]


GAMES = [
    [Wanted("fifth-avenue", ["greedy", "random"], 1, {"side": "six"})],
    *further(
        [
            Wanted("manhattan", ["greedy", "random"], 2, {}),
            Wanted("new-york", ["random", "greedy"], 0, {"actions": "on"}),
            Wanted("fifth-avenue", ["planner"], 0, {}),
            Wanted("new-york", ["greedy"] * 4, 4, {"chain": "line"}),
        ]
    ),
]


async def play(
    client: Assistant, seen: dict[str, Any], choose: random.Random, most: int = 10**6
) -> list[dict[str, Any]]:
    """Play at random until the game is over, or for `most` actions; returns what was seen at each of them."""
    positions = []
    while seen["state"] != "over" and len(positions) < most:
        assert seen["state"] == "your turn"
        positions.append(seen)
        legal = choose.choice(seen["legal"])
        action = choose.choice([legal["number"], legal["action"], str(legal["number"])])
        asked = {"table": seen["table"], "action": action, "decision": seen["decision"]}
        seen = (await client.get("act", **asked)).content
    return [*positions, seen]


class Played(NamedTuple):
    """A whole game as the client saw it."""

    seen: list[dict[str, Any]]
    received: list[bytes]
    lines: list[str]
    """Those of its narration."""
    shown: dict[str, Any]


async def play_whole(client: Assistant, wanted: Wanted, log: str) -> Played:
    before = len(client.received)
    first = await client.get("start_table", **wanted._asdict())
    seen = await play(client, first.content, random.Random(wanted.game))
    received = client.received[before:]
    lines, line = list[str](), 1
    while line:
        shown = await client.get("show_game", log=log, line=line)
        lines += shown.content["lines"]
        line = shown.content["next_line"]
        parts = [*shown.content["lines"], *([f"(go on with line {line} of "] if line else [])]
        assert shown.text.startswith("\n".join(parts))
    return Played(seen, received, lines, shown.content)


@pytest.mark.parametrize("games", GAMES, ids=["one", "several"])
def test_whole_games(games: list[Wanted], tmp_path: Path) -> None:
    """Each is an ordinary record, narrated in parts; every position was that of the seat, and nothing hidden was told
    before the end."""
    logs = [f"assistant-{number}" for number, _ in enumerate(games, 1)]

    async def session() -> list[Played]:
        async with assistant(tmp_path) as client:
            return [await play_whole(client, wanted, log) for wanted, log in zip(games, logs, strict=True)]

    for wanted, log, played in zip(games, logs, run_apart(session()), strict=True):
        check_played(wanted, log, played, tmp_path)


def check_played(wanted: Wanted, log: str, played: Played, home: Path) -> None:
    (game, _, seat, options), (seen, received, lines, shown) = wanted, played
    *turns, last = seen
    entry = entry_at(home / f"logs/{log}.log", 0)
    assert entry
    record = entry.record()
    assert check(record) is None
    assert (record.game, record.players[seat]) == (game, "assistant")
    assert record.options.items() >= options.items()
    assert record.meta["people"] == [seat]
    outcome = last["outcome"]
    assert (outcome["points"], outcome["ranks"]) == (record.result.scores, record.result.ranks)
    assert outcome["log"] == log
    assert lines == list(narrate_game(record, Boards.END))
    assert shown["points"] == record.result.scores
    tell_tale(record, [(seat, received)])
    assert not [each for each in received if record.seed.encode() in each]
    rules, state = deal_of(record)
    by_decision = {turn["decision"]: turn for turn in turns}
    assert len(by_decision) == len(turns) > 10
    for ply, action in enumerate(record.actions):
        if turn := by_decision.get(ply):
            assert state.actor == seat
            assert turn["position"] == rules.render(state, seat)
            assert [each["action"] for each in turn["legal"]] == [rules.actions[each] for each in state.legal()]
            assert [each["number"] for each in turn["legal"]] == [*range(1, len(turn["legal"]) + 1)]
        else:
            assert state.actor != seat or len(state.legal()) == 1
        state.apply(rules.action_numbers[action])


def test_right_and_wrong_calls(tmp_path: Path) -> None:
    """Text and content say the same; a wrong call is refused in one sentence, and the game goes on."""

    async def session() -> None:
        async with assistant(tmp_path) as client:
            start = {"game": "manhattan", "opponents": ["greedy"], "move_ms": 2000}
            first = await client.get("start_table", **start)
            assert load_table(tmp_path / "logs/assistant-1.table").game.clock.move_ms == 2000
            seen = first.content
            assert seen["position"] in first.text
            assert all(f"{each['number']}. {each['action']}: {each['words']}" in first.text for each in seen["legal"])
            second = await client.get("act", table=1, action=1)
            assert second.content["happened"][0].startswith("You select")
            assert all(f"- {each}" in second.text for each in second.content["happened"])
            third = await client.get("see_table", table=1)
            assert third.content["happened"] == second.content["happened"]
            seen = third.content
            for tool, arguments, sentence in [
                ("start_table", start | {"game": "chess"}, "no game 'chess'"),
                ("start_table", start | {"opponents": ["nobody"]}, "no bot named 'nobody': choose one of builder"),
                ("start_table", start | {"opponents": ["greedy"] * 4}, "is for 2, 3 or 4 players, not 5"),
                ("start_table", start | {"opponents": []}, "start_table: Expected `array` of length >= 1"),
                ("start_table", start | {"move_ms": 10}, "start_table: Expected `int` >= 100"),
                ("start_table", start | {"seat": 2}, "with 1 opponents your seat is 0 to 1"),
                ("start_table", start | {"options": {"blocks": "nine"}}, "option blocks is auto, four or six"),
                ("start_table", start | {"seed": "known"}, "unknown field `seed`"),
                ("act", {"table": 1, "action": "jump"}, "That is not possible: 'jump' is not legal now."),
                ("act", {"table": 1, "action": "x" * 200}, "is not legal now."),
                ("act", {"table": 1, "action": "build 1 Cairo 1"}, "is not legal now."),
                ("act", {"table": 1, "action": 0}, f"no action 0: choose 1 to {len(seen['legal'])}"),
                ("act", {"table": 1, "action": -1}, "act: Expected `int` >= 0"),
                ("act", {"table": 1, "action": 10**60}, "act: Expected `int` <"),
                ("act", {"table": 1, "action": [1]}, "act: Expected `int | str`"),
                ("act", {"table": 1, "action": 1, "decision": 7}, "It is not your turn, or you have decided already."),
                ("act", {"table": 2, "action": 1}, "no unfinished table 2"),
                ("act", {"action": 1}, "act: Object missing required field `table`"),
                ("see_table", {"table": "../1"}, "see_table: Expected `int`"),
                ("see_table", {"table": 99}, "no unfinished table 99"),
                ("read_rules", {"game": "../../etc/passwd"}, "no game"),
                ("show_game", {"log": "nothing"}, "no log named 'nothing'"),
                ("show_game", {"log": "../logs/table"}, "no log named"),
                ("show_game", {"log": "assistant-1"}, "no log named 'assistant-1'"),
                ("verify_log", {"log": "assistant-1.table"}, "no log named"),
                ("leaderboard", {"tournament": "nothing"}, "no log named 'nothing'"),
                ("leaderboard", {"game": "chess"}, "no game 'chess'"),
                ("leaderboard", {}, "no games in the logs"),
                ("compare_bots", {"first": "a", "second": "a"}, "a is named twice"),
                ("compare_bots", {"first": "a", "second": "b"}, "a has not played in the logs"),
                ("nothing", {}, "no tool named 'nothing'"),
            ]:
                assert sentence in await client.refused(tool, **arguments), (tool, arguments)
            await play(client, seen, random.Random(1))
            assert await client.refused("act", table=1, action=1) == "The game is over."
            assert "none from 100000 on" in await client.refused("show_game", log="assistant-1", line=100_000)
            beyond = await client.refused("show_game", log="assistant-1", game=2)
            assert "assistant-1 has no game 2: it has 1 game" in beyond

    run_apart(session())


@pytest.mark.slow
def test_while_others_think(tmp_path: Path) -> None:
    """An action then is refused; looking waits for the turn."""
    (slow,) = dice(tmp_path / "bots", "slow", before="time.sleep(2)")

    async def session() -> None:
        async with assistant(tmp_path, str(slow)) as client:
            seen = (await client.get("start_table", game="manhattan", opponents=["slow"])).content
            for _ in range(12):
                acting = asyncio.create_task(client.get("act", table=1, action=1))
                done, _ = await asyncio.wait({acting}, timeout=1)
                if not done:
                    break
            sentence = await client.refused("act", table=1, action=1)
            assert sentence == "It is not your turn, or you have decided already."
            assert (await client.get("list_tables")).content["tables"][0]["state"] == "playing"
            looking = (await client.get("see_table", table=1)).content
            seen = (await acting).content
            assert looking["state"] == seen["state"] == "your turn"
            assert looking["decision"] == seen["decision"]

    run_apart(session())


def test_no_call_waits_for_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After that time the table is shown as it is, and what is not done yet is named; asking again waits for it."""
    (slow,) = dice(tmp_path / "bots", "slow", before="time.sleep(1)")
    monkeypatch.setattr("fa_cli.mcp_server.tools.PATIENCE", 0.2)
    limits = Limits(sandbox=False, unsandboxed="tested")

    async def session() -> None:
        settings = Settings(tmp_path / "logs", {"slow": str(slow)}, "", limits, 5, NAME, Seat)
        lobby = Lobby(settings)
        contests = Contests(tmp_path / "tournaments", tmp_path / "logs", str)
        tools = Tools(lobby, Results(contests, tmp_path / "logs"))
        number, states = 1, set()
        monkeypatch.setattr(Lobby, "open", _slow(Lobby.open))
        wanted = {"game": "manhattan", "opponents": ["slow"]}
        with pytest.raises(UsageError, match="call the tool again with the same arguments"):
            await tools.call("start_table", wanted)
        await asyncio.sleep(1)
        assert (await tools.call("start_table", wanted)).content["table"] == 1
        for _ in range(20):
            begun = time.monotonic()
            seen = (await tools.call("see_table", {"table": number})).content
            states.add(seen["state"])
            if seen["state"] == "your turn":
                seen = (await tools.call("act", {"table": number, "action": 1})).content
                states.add(seen["state"])
            assert time.monotonic() - begun < 5
            assert (seen["position"] == "") == (seen["state"] != "your turn")
        assert states == {"your turn", "waiting"}
        await lobby.close()

    run_apart(session())
    assert [path.name for path in (tmp_path / "logs").glob("*.table")] == ["assistant-1.table"]


def _slow(method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    async def slowly(*arguments: Any, **named: Any) -> Any:
        await asyncio.sleep(0.7)
        return await method(*arguments, **named)

    return slowly


@pytest.mark.slow
def test_a_game_that_is_interrupted(tmp_path: Path) -> None:
    """Whatever ends the server: the next one plays on, and only one at a time has the table."""

    async def begin() -> dict[str, Any]:
        async with assistant(tmp_path) as client:
            seen = (await client.get("start_table", game="fifth-avenue", opponents=["greedy", "random"])).content
            *_, seen = await play(client, seen, random.Random(1), most=12)
            async with assistant(tmp_path) as other:
                assert "it is being played in another terminal" in await other.refused("see_table", table=1)
                second = (await other.get("start_table", game="manhattan", opponents=["random"])).content
                assert second["table"] == 2
            return seen

    async def finish(before: dict[str, Any]) -> None:
        async with assistant(tmp_path) as client:
            answer = await client.get("list_tables")
            assert answer.text.startswith("table 1, not over: play on with see_table or act\ntable 2, ")
            tables = answer.content["tables"]
            assert tables == [{"table": 1, "state": "saved"}, {"table": 2, "state": "saved"}]
            after = (await client.get("see_table", table=1)).content
            same = ("decision", "position", "legal", "players", "state")
            assert {name: after[name] for name in same} == {name: before[name] for name in same}
            assert after["happened"][-len(before["happened"]) :] == before["happened"]
            await play(client, after, random.Random(2))
            second = (await client.get("act", table=2, action=1)).content
            await play(client, second, random.Random(2))
            verified = (await client.get("verify_log", log="assistant-1")).text
            assert verified.startswith("assistant-1: 1 game, ")
            listed = (await client.get("list_tables")).content["tables"]
            assert {row["table"]: row["log"] for row in listed} == {1: "assistant-1", 2: "assistant-2"}
            assert verified.endswith(" plies: all good")

    run_apart(finish(run_apart(begin())))
    assert not list(tmp_path.glob("logs/*.table"))
    assert entry_at(tmp_path / "logs/assistant-2.log", 0)


@pytest.mark.slow
def test_killed(tmp_path: Path) -> None:
    """A signal loses nothing, and leaves no bot behind."""
    (marked,) = dice(tmp_path / "bots", "marked", before=f"note('{tmp_path}/pids', os.getpid())")

    for number, signal in ((1, 15), (2, 9), (3, 2)):
        with Raw(tmp_path, str(marked)) as server:
            if number == 1:
                server.call("start_table", game="manhattan", opponents=["marked"])
            seen = server.call("see_table", table=1)["structuredContent"]
            while seen["decision"] < 12 * number:
                seen = server.call("act", table=1, action=1)["structuredContent"]
            server.process.send_signal(signal)
            assert server.process.wait(20) == -signal
    pids = {int(line) for line in (tmp_path / "pids").read_text().split()}
    assert pids
    deadline = time.monotonic() + 20
    while left := [pid for pid in pids if _runs(pid, "marked")]:
        assert time.monotonic() < deadline, left
        time.sleep(0.1)


def _runs(pid: int, name: str) -> bool:
    try:
        return name.encode() in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


SPEAKS = {
    "illegal": 'print(\'{"action":"SECRET of mine"}\', flush=True)',
    "leaves": 'sys.exit("SECRET of mine")',
    "garbled": 'print("SECRET of mine", flush=True)',
}


@pytest.mark.slow
def test_what_a_bot_says_is_not_told(tmp_path: Path) -> None:
    """A bot that fails may name the cards that it holds."""
    bots = [path for kind, before in SPEAKS.items() for path in dice(tmp_path / "bots", kind, before=before)]

    async def session() -> None:
        async with assistant(tmp_path, *map(str, bots)) as client:
            seen = (await client.get("start_table", game="manhattan", opponents=[*SPEAKS])).content
            seen = await play(client, seen, random.Random(1))
            told = [sentence for each in seen for sentence in each["happened"] if "is out of the game" in sentence]
            assert sorted(sentence.split()[0] for sentence in told) == sorted(SPEAKS)
            assert b"SECRET" not in b"".join(client.received)

    run_apart(session())
    entry = entry_at(tmp_path / "logs/assistant-1.log", 0)
    assert entry and len(entry.faults) == len(SPEAKS)


def unlikely(choose: random.Random) -> tuple[str, dict[str, Any]]:
    """A call that no assistant should make."""
    values = [0, 1, -1, 1 << 70, 1e300, True, None, "", "1", "pass", "x" * 300, "\x1b[2J\u202e\0", "../..", "é" * 100]
    values += [[], [[]] * 50, {}, {"a": {"b": [None]}}, ["greedy"], ["greedy"] * 9, "manhattan", "assistant-1"]
    fields = [
        *("table", "action", "decision", "game", "opponents", "seat", "options", "log", "line", "boards", "first")
    ]
    fields += ["second", "tournament", "type", "_meta", ""]
    return choose.choice([*KINDS, "x"]), {
        field: choose.choice(values) for field in choose.sample(fields, choose.randrange(5))
    }


@pytest.mark.slow
def test_calls_that_nobody_would_make(tmp_path: Path) -> None:
    """Each is answered or refused in one sentence; a game goes on."""
    choose = random.Random(5)
    with Raw(tmp_path) as server:
        seen = server.call("start_table", game="manhattan", opponents=["random"])["structuredContent"]
        for _ in range(2000):
            tool, arguments = unlikely(choose)
            answer = server.call(tool, **arguments)
            (part,) = answer["content"]
            assert not answer["isError"] or "\n" not in part["text"], part
            assert "log of fa mcp" not in part["text"], (tool, arguments)
        seen = server.call("see_table", table=seen["table"])["structuredContent"]
        while seen["state"] != "over":
            assert seen["state"] == "your turn"
            seen = server.call("act", table=seen["table"], action=1)["structuredContent"]
        assert server.end() == 0
    errors = (tmp_path / "errors.txt").read_text()
    assert "Traceback" not in errors
    assert "fa mcp:" not in errors


@pytest.mark.slow
def test_nobody_is_there(fa: Fa) -> None:
    """Without an assistant the server ends at once; it prints nothing on stdout."""
    done = fa("mcp", "--sandbox", "none")
    assert (done.returncode, done.stdout) == (0, "")
    assert "Traceback" not in done.stderr
