"""Games of tournaments watched as they are played: one decision late, without hands, through restarts, to the end."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from fa_cli.errors import LogError
from fa_cli.games import GAMES, Seed, find_game
from fa_cli.replay.log_file import entry_at
from fa_cli.serve.contests.live_games import LiveGame, LiveGames
from fa_cli.serve.saved_table import SPECTATOR
from fa_cli.tournament.definition import TournamentPaths
from fa_cli.tournament.live import WatchedGame
from fa_cli.tournament.running.run_status import read_status
from tests.apart import call_apart, run_apart
from tests.serve.served import Page, Served, served
from tests.serve.test_hidden import tell_tale
from tests.tournament.helpers import dice


@contextmanager
def running(home: Path, *options: str, seconds: float = 0.1) -> Iterator[subprocess.Popen[bytes]]:
    """A tournament `slow` of two bots that take their time, played by another process."""
    bots = dice(home, "anna", "bert", before=f"time.sleep({seconds})")
    command = [sys.executable, "-m", "fa_cli", "--home", str(home), "tournament", "run", *map(str, bots)]
    command += ["--name", "slow", "--players", "2", "--games", "2", "--seed", "a", "--duplicate", "off"]
    command += ["-j", "1", "-q", "--sandbox", "none", *options]
    with subprocess.Popen(command) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)


def status(home: Path) -> list[tuple[int, int]]:
    """The index and the number of actions of each game in progress."""
    found = read_status(TournamentPaths(home / "x", home / "logs/slow.log").status)
    return [(game.index, len(game.actions or [])) for game in found.playing] if found else []


def watch(server: Served) -> Page:
    """A page that watches the first game, as soon as that has begun."""
    end = time.monotonic() + 60
    while (0, 0) in (now := status(server.home)) or not now:
        assert time.monotonic() < end, "the game does not begin"
        time.sleep(0.1)
    return server.watch("slow", 1)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["manhattan", "new-york"])
def test_a_game_of_a_run_in_another_terminal(game: str, tmp_path: Path) -> None:
    shorter = ("--option", "turn_limit=20") if game == "new-york" else ()
    with served(tmp_path) as server, running(tmp_path, "--game", game, *shorter, seconds=0.05):
        page = watch(server)
        (playing,) = json.loads(server.get("/api/contests/slow")[1])["playing"]
        assert (playing["game"], playing["can_be_watched"], playing["bots"]) == (
            1,
            True,
            page.until("welcome")["players"],
        )
        assert b'id="contest-link"' in server.get("/contest/slow/playing/1")[1]
        plies = []
        while (message := page.until("position", "ended", "stopped"))["type"] == "position":
            plies.append(message["ply"])
            known = [actions for index, actions in status(tmp_path) if index == 0]
            assert not known or plies[-1] < known[0], "a watcher is a decision behind"
        assert len(plies) > 3
        assert plies == sorted(set(plies))
        page.send(type="send", ply=plies[-1], held=["x"])
        assert page.until("refused")["why"] == "Spectators only watch."
        entry = entry_at(tmp_path / "logs/slow.log", 0)
        assert entry
        assert (message["ranks"], message["scores"]) == (entry.result.ranks, entry.result.scores)
        assert plies[-1] == len(entry.record().actions)
        hands = {slot for slot, key in enumerate(page.last["welcome"]["keys"]) if key.startswith("hand.")}
        assert hands
        for raw in page.received:
            for slot, svg in (json.loads(raw).get("parts") or {}).items():
                assert int(slot) not in hands or "data-card" not in svg or "unknown" in svg
        tell_tale(entry.record(), [(None, page.received)])
        page.close()
        assert b"Watch game 1 of slow" in server.get("/contest/slow/playing/1")[1], "a later visitor gets the replay"


@pytest.mark.slow
def test_a_run_that_is_killed_and_what_can_not_be_watched(tmp_path: Path) -> None:
    from websockets.exceptions import ConnectionClosedError

    with served(tmp_path) as server, running(tmp_path, "--game", "manhattan", seconds=0.3) as run:
        page = watch(server)
        page.until("position")
        for contest, game in (("slow", 99), ("fast", 1)):
            with pytest.raises(ConnectionClosedError, match="this link leads to no game"):
                server.watch(contest, game).next()
        run.send_signal(signal.SIGINT)
        time.sleep(0.5)  # two signals at once are one
        run.send_signal(signal.SIGINT)
        run.wait(60)
        assert page.until("stopped")["why"].startswith("The run has stopped before the end of this game")
        page.close()


class Played:
    """A game to watch, the numbers of its actions, and which of them were decisions."""

    def __init__(self, name: str) -> None:
        game = find_game(name)
        options, seed, choose = game.make_options({}), Seed.from_text("live"), random.Random(name)
        state = game.start(options, 2, seed)
        self.actions: list[int] = []
        self.decisions: list[int] = []
        while state.actor >= 0:
            legal = state.legal()
            if len(legal) > 1:
                self.decisions.append(len(self.actions))
            self.actions.append(choose.choice(legal))
            state.apply(self.actions[-1])
        self.live = LiveGame("test", WatchedGame(game, options, ["ann", "ben"], seed, []))

    def late(self, actions: int) -> int:
        """How many of so many actions may be shown: those before the last decision."""
        return max((ply for ply in self.decisions if ply < actions), default=0)


@pytest.fixture(params=[game.name for game in GAMES])
def played(request: pytest.FixtureRequest) -> Played:
    return Played(request.param)


def test_the_last_decision_is_not_shown(played: Played) -> None:
    shown, told = 0, []
    for known in range(0, len(played.actions) + 1, 3):
        moments = list(played.live.bring(played.actions[:known]))
        assert [moment.ply for moment in moments] == list(range(shown + 1, shown + 1 + len(moments)))
        shown += len(moments)
        assert shown == played.late(known)
        told += [sentence for moment in moments for sentence in moment.told[SPECTATOR]]
    moments = list(played.live.bring(played.actions, is_over=True))
    assert (moments[-1].ply, moments[-1].actor) == (len(played.actions), -1)
    assert not {"hand", "hands"} & set(moments[-1].views[SPECTATOR])
    assert told


def test_old_news_changes_nothing_and_a_game_played_again_begins_again(played: Played) -> None:
    live, actions = played.live, played.actions
    follower = call_apart(lambda: live.join(SPECTATOR))
    list(live.bring(actions[:20]))
    assert list(live.bring(actions[:10])) == list(live.bring([])) == []
    ply = played.decisions[3]
    state = find_game(live.cast.game.name).start(live.cast.game.make_options({}), 2, Seed.from_text("live"))
    for action in actions[:ply]:
        state.apply(action)
    other = next(action for action in state.legal() if action != actions[ply])
    assert [moment.ply for moment in live.bring([*actions[:ply], other])] == list(range(1, ply + 1))
    sent = []
    while not follower.outgoing.empty():
        sent.append(json.loads(follower.outgoing.get_nowait() or b"{}")["type"])
    assert sent == ["welcome", "position", "present", "welcome", "position"]


def test_only_the_owner_watches_a_deal_that_others_play_too() -> None:
    shared = Played("manhattan").live.watched._replace(is_open=False)
    contests: Any = SimpleNamespace(watch=lambda name, number: shared)

    async def joined() -> list[bool]:
        games = LiveGames(contests, print)
        return [await games.join("slow", 1, is_owner) is not None for is_owner in (False, True, False)]

    assert run_apart(joined()) == [False, True, False]


def test_actions_that_are_not_legal_are_no_game(played: Played) -> None:
    with pytest.raises(LogError, match="test: action 99999 is not legal"):
        list(played.live.bring([99999]))
    with pytest.raises(LogError, match="is not legal"):
        list(played.live.bring([*played.actions, 0]))
