"""Whatever a bot does, its game ends properly, the fault is named, the next game goes on and no process is left."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fa_cli.game_result import SUSPENDED, FaultKind
from fa_cli.games.seed import Seed
from fa_cli.isolation.bot_session import BotSession
from fa_cli.isolation.limits import KIB, MIB, Limits
from fa_cli.match.referee import play
from fa_cli.protocol.messages import Clock
from fa_cli.replay.record import Record
from tests.conftest import further

from ..fakes import assert_gone, assert_none_left, fake_bot, processes_of
from ..toy_game import TOY, Options

LIMITS = Limits(start=10.0, end=0.5)
PATIENT = Clock(move_ms=20_000)
HASTY = Clock(move_ms=300)
SEED = Seed(bytes(32))

CASES = {
    # behaviour: the fault, words of its detail
    "exit": (FaultKind.CRASH, "exited with status 3 without an answer"),
    "exit-0": (FaultKind.CRASH, "exited with status 0 without an answer"),
    "half-then-exit": (FaultKind.CRASH, """exited with status 5 after half a line, '{"action": "dr'"""),
    "killed": (FaultKind.CRASH, "was killed by SIGSEGV"),
    "killed-in-real-time": (FaultKind.CRASH, "was killed by signal 40"),
    "raises": (FaultKind.CRASH, "exited with status 1"),
    "pipes-held": (FaultKind.CRASH, "exited with status 4"),
    "closes-output": (FaultKind.CRASH, "closed its output"),
    "garbage": (FaultKind.PROTOCOL, "what?"),
    "blank": (FaultKind.PROTOCOL, "can't be read"),
    "array": (FaultKind.PROTOCOL, "Expected `object`, got `array`"),
    "text": (FaultKind.PROTOCOL, "Expected `object`, got `str`"),
    "no-action": (FaultKind.PROTOCOL, "missing required field `action`"),
    "number-action": (FaultKind.PROTOCOL, "Expected `str`, got `int` - at `$.action`"),
    "named-twice": (FaultKind.PROTOCOL, "gave two fields 'action' in one answer"),
    "id-twice": (FaultKind.PROTOCOL, "gave two fields 'id' in one answer"),
    "gigabyte-line": (FaultKind.PROTOCOL, "a line of more than 65536 bytes"),
    "daemon-then-exit": (FaultKind.CRASH, "exited with status 0"),
    "speaks-in-colours": (
        FaultKind.ILLEGAL,
        "answered '\\x1b[2J<script>alert(1)</script>\\u202e', which is not an action",
    ),
    "two-objects": (FaultKind.PROTOCOL, "trailing characters"),
    "wrong-id": (FaultKind.PROTOCOL, "answered decision 1 when asked for decision 2"),
    "text-id": (FaultKind.PROTOCOL, "Expected `int`, got `str` - at `$.id`"),
    "big-id": (FaultKind.PROTOCOL, "out of range"),
    "nan": (FaultKind.PROTOCOL, "malformed"),
    "nul": (FaultKind.PROTOCOL, "trailing characters"),
    "deep": (FaultKind.PROTOCOL, "nested more than 500 deep"),
    "not-utf8": (FaultKind.PROTOCOL, "not UTF-8"),
    "not-utf8-aside": (FaultKind.PROTOCOL, "not UTF-8"),
    "twice-at-once": (FaultKind.PROTOCOL, "more than one line"),
    "flood": (FaultKind.PROTOCOL, "a line of more than 65536 bytes"),
    "huge-line": (FaultKind.PROTOCOL, "a line of more than 65536 bytes"),
    "illegal": (FaultKind.ILLEGAL, "answered 'share', which is not legal now"),
    "anothers-action": (FaultKind.ILLEGAL, "answered 'build 1 Sydney 1', which is not an action of toy"),
    "unknown-action": (FaultKind.ILLEGAL, "answered 'castle\\x1b[31m kingside', which is not an action of toy"),
}
LATE = {
    "never-reads": "gave no answer within 0.3 seconds",
    "silent": "gave no answer within 0.3 seconds",
    "late": "gave no answer within 0.3 seconds",
    "drip": "gave no answer but half a line",
    "half-then-silent": """half a line, '{"action": ', within 0.3 seconds; does it end its lines with a newline?""",
    "stopped": "gave no answer within 0.3 seconds",
    "ignores-term": "gave no answer within 0.3 seconds",
    "traced": "gave no answer within 0.3 seconds",
}


@pytest.fixture
def pids(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "pids"
    yield path
    assert_gone(path)
    assert_none_left(tmp_path)


def play_two_games(
    bot_flags: tuple[str | Path, ...], behaviour: str, pids: Path, clock: Clock, limits: Limits = LIMITS
) -> Iterator[Record]:
    """Two games of an honest bot in seat 0 and a bot in seat 1, of these limits, that misbehaves in the first."""
    once = ("--once", pids.with_name("once"))
    fake = fake_bot(behaviour, "--pids", pids, *once, *bot_flags)
    sessions = [BotSession(fake_bot("honest", "--pids", pids), LIMITS), BotSession(fake, limits)]
    try:
        for number in range(2):
            begin = time.monotonic()
            record, _ = play(TOY, Options(), sessions, ["honest", "fake"], Seed(bytes([number] * 32)), clock)
            assert time.monotonic() - begin < 30  # however it is ended
            yield record
    finally:
        for session in sessions:
            session.close()


def check_fault(record: Record, kind: FaultKind, words: str, seconds: tuple[float, float], asked: int = 2) -> None:
    """That seat 1 alone failed, in so many seconds of its clock, and the game was played to its end without it."""
    assert [(fault.seat, fault.kind) for fault in record.faults] == [(1, kind)], record.meta
    assert re.search(words, record.meta["fault_details"][0]["detail"])
    assert seconds[0] <= record.meta["time_us"][1] / 1e6 < seconds[1]
    assert record.meta["asked"][1] == asked
    assert record.meta["asked"][0] > 2  # whoever is left is asked to the end
    assert record.result.ranks == [1, 2]
    state = TOY.start(Options(), 2, bytes.fromhex(record.seed))
    for action in record.actions:
        assert TOY.action_numbers[action] in state.legal()
        state.apply(TOY.action_numbers[action])
    assert state.is_over()


def check_next(games: Iterator[Record]) -> None:
    """That the game after the fault is played as if nothing had been."""
    (second,) = games
    assert second.faults == []
    assert min(second.meta["asked"]) > 2


@pytest.mark.parametrize("behaviour", CASES)
def test_a_fault_is_named_and_the_next_game_goes_on(behaviour: str, pids: Path) -> None:
    kind, words = CASES[behaviour]
    games = play_two_games((), behaviour, pids, PATIENT)
    check_fault(next(games), kind, re.escape(words), (0, 10))  # well before its clock runs out
    check_next(games)


# behaviour: the limit that it meets, words of the fault's detail
GREED = {
    "fork-bomb": (Limits(end=0.5, processes=60), "processes and threads, and 60 are allowed"),
    "grows": (Limits(end=0.5, memory=150 * MIB), "MemoryError"),
    "grows-shared": (Limits(end=0.5, memory=150 * MIB), "of memory, and 150 MB are allowed"),
    "fills-disk": (Limits(end=0.5, file_size=MIB), "wrote a file of more than 1 MB|File too large"),
    "opens-all": (Limits(end=0.5, open_files=50), "Too many open files"),
    "gigabyte-stderr": (Limits(end=0.5, output=2 * MIB), "wrote 2 MB to stderr instead of an answer"),
    "huge-line": (Limits(end=0.5, line=128 * KIB), "a line of more than 131072 bytes"),
    "very-deep": (Limits(end=0.5, line=MIB), "nested more than 500 deep"),
}


@pytest.mark.parametrize("behaviour", GREED)
def test_a_limit_is_held(behaviour: str, pids: Path) -> None:
    limits, words = GREED[behaviour]
    games = play_two_games((), behaviour, pids, Clock(20_000), limits)
    kind = FaultKind.PROTOCOL if behaviour in ("huge-line", "very-deep") else FaultKind.RESOURCE
    check_fault(next(games), kind, words, (0, 10))  # well before its clock runs out
    check_next(games)


def test_thinking_on_others_time(pids: Path) -> None:
    """Who uses the processor while the other one thinks loses the game for it, and only who does so."""
    slow = fake_bot("late", "--at", "3", "--seconds", "3", "--pids", pids)
    fake = fake_bot("thinks-on", "--at", "1", "--pids", pids, "--once", pids.with_name("once"))
    sessions = [BotSession(bot, Limits(end=0.5, idle_cpu=0.05)) for bot in (slow, fake)]
    first, second = (
        play(TOY, Options(), sessions, ["slow", "fake"], Seed(bytes([n] * 32)), PATIENT)[0] for n in range(2)
    )
    for session in sessions:
        session.close()
    assert [(fault.seat, fault.kind) for fault in first.faults] == [(1, FaultKind.RESOURCE)]
    detail = first.meta["fault_details"][0]["detail"]
    assert re.fullmatch(
        r"used \d\.\d seconds of processor time while others thought, and 0\.05 are allowed in a game", detail
    )
    assert first.meta["asked"][1] < first.meta["asked"][0]
    assert first.result.ranks == [1, 2]
    assert first.meta["time_us"][1] < 10_000_000
    assert second.faults == []
    assert min(second.meta["asked"]) > 2


def test_processor_time_in_a_game(pids: Path) -> None:
    """All of a bot's processes count, those that have ended too."""
    flags = ("--every", "--at", "1")
    games = play_two_games(flags, "works-hard", pids, Clock(20_000), Limits(end=0.5, cpu=1.0))
    check_fault(next(games), FaultKind.RESOURCE, "^used more than 1 second of processor time in a game$", (1, 40), 3)
    games.close()


def test_processor_time_between_games(pids: Path) -> None:
    """Who uses it then has no next game; the one after that goes on."""
    bots = [fake_bot("honest", "--pids", pids), fake_bot("works-after-game", "--pids", pids)]
    sessions = [BotSession(bot, Limits(end=0.5, idle_cpu=0.2)) for bot in bots]
    records = []
    for number in range(3):
        records.append(play(TOY, Options(), sessions, ["honest", "fake"], Seed(bytes([number] * 32)), PATIENT)[0])
        until = time.monotonic() + 30
        while number == 0 and cpu_of(sessions[1]) < 0.5 and time.monotonic() < until:
            time.sleep(0.05)
    for session in sessions:
        session.close()
    assert [len(record.faults) for record in records] == [0, 1, 0]
    check_fault(records[1], FaultKind.START, "used .* seconds of processor time while others thought", (0, 0.001), 0)


def cpu_of(session: BotSession) -> float:
    assert session._process
    return session._process._process.cpu_seconds()


def test_a_process_that_detaches_itself_is_gone_with_its_bot(pids: Path) -> None:
    """It is in another session, its parent is gone, and its bot plays on without a fault."""
    games = play_two_games(("--at", "1"), "daemon", pids, PATIENT)
    for record in games:
        assert record.faults == []
        assert min(record.meta["asked"]) > 2
        assert len(pids.read_text().split()) == 3
        assert len(processes_of(pids)) == 3


@pytest.mark.parametrize("behaviour", LATE)
def test_lateness_is_called_in_time(behaviour: str, pids: Path) -> None:
    games = play_two_games((), behaviour, pids, HASTY)
    asked = 3 if behaviour == "never-reads" else 2
    check_fault(next(games), FaultKind.TIMEOUT, re.escape(LATE[behaviour]), (0.3, 0.6), asked)
    check_next(games)


@pytest.mark.parametrize("behaviour", ["twice", "twice-later", "flood-lines"])
def test_a_superfluous_line_is_never_the_next_answer(behaviour: str, pids: Path) -> None:
    """It is a fault at its own decision or, if it comes later than the answer, at the bot's next one."""
    games = play_two_games(("--at", "1"), behaviour, pids, PATIENT)
    first = next(games)
    check_fault(
        first,
        FaultKind.PROTOCOL,
        "more than one line|without being asked|answered decision 1 when",
        (0, 10),
        first.meta["asked"][1],
    )
    assert first.meta["asked"][1] <= 2
    check_next(games)


def test_an_answer_before_the_question(pids: Path) -> None:
    """It is no answer to the first one, in which game ever."""
    games = play_two_games((), "early", pids, PATIENT)
    check_fault(next(games), FaultKind.START, "more than one line", (0, 0.001), asked=0)
    check_next(games)


def test_an_answer_that_crosses_the_first_question(pids: Path) -> None:
    """Where it comes after the question, it is that answer, and the one that follows is no answer to the second."""
    games = play_two_games((), "early-later", pids, PATIENT)
    record = next(games)
    assert record.faults[0].kind in (FaultKind.PROTOCOL, FaultKind.START)  # as it comes with `ready`, or after it
    words = r"more than one line|wrote without being asked|answered decision \d+ when"
    check_fault(record, record.faults[0].kind, words, (0, 10), record.meta["asked"][1])
    assert record.meta["asked"][1] <= 2
    check_next(games)


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        ("exit-at-start", "exited with status 1 without an answer (asked: hello)"),
        ("exit-after-hello", "exited with status 0 without an answer (asked: start)"),
        ("coloured-name", "plays \\x1b[2J<script> and not toy"),
        ("exit-at-hello", "exited with status 7 without an answer (asked: hello)"),
        ("exit-at-game", "exited with status 7 without an answer (asked: start)"),
        ("bad-hello", "answer to hello that can't be read"),
        ("bad-start", "answer to start that can't be read"),
        ("banner", "Welcome to Bot 1.0!"),
        ("odd-wants", "Invalid enum value 'everything'"),
        ("other-game", "plays chess and not toy"),
        ("many-games", "plays chess-00000, chess-00001, "),
        ("many-games", "chess-00009 and 2,990 more and not toy"),
    ],
)
def test_a_failed_start(behaviour: str, words: str, pids: Path) -> None:
    games = play_two_games((), behaviour, pids, PATIENT)
    record = next(games)
    check_fault(record, FaultKind.START, re.escape(words), (0, 0.001), asked=0)
    assert record.faults[0].ply == 0
    check_next(games)


@pytest.mark.parametrize("behaviour", ["no-start", *further("no-hello")])
def test_a_start_has_a_time(behaviour: str, pids: Path) -> None:
    """And who used it up is started again for the next game."""
    limits = Limits(start=4.0, end=0.5)
    games = play_two_games((), behaviour, pids, PATIENT, limits)
    begin = time.monotonic()
    check_fault(next(games), FaultKind.START, "gave no answer within 4 seconds", (0, 0.001), asked=0)
    assert time.monotonic() - begin >= 4
    assert len(pids.read_text().split()) == 2
    check_next(games)
    assert len(pids.read_text().split()) == 3


@pytest.mark.parametrize(("mode", "words"), [(None, "No such file or directory"), (0o644, "Permission denied")])
def test_what_can_not_be_started(mode: int | None, words: str, pids: Path) -> None:
    program = pids.with_name("bot")
    honest = fake_bot("honest", "--pids", pids)
    if mode:
        program.write_text(f"#!/bin/sh\nexec {shlex.join(honest.command)}\n")
        program.chmod(mode)
    sessions = [BotSession(bot, LIMITS) for bot in (honest, type(honest)("bot", "bot", (str(program),), "/"))]
    begin = time.monotonic()
    record, _ = play(TOY, Options(), sessions, ["honest", "bot"], SEED, PATIENT)
    check_fault(record, FaultKind.START, f"^could not be started: {words}$", (0, 0.001), asked=0)
    assert time.monotonic() - begin < 10
    program.write_text(f"#!/bin/sh\nexec {shlex.join(honest.command)}\n")
    program.chmod(0o755)
    check_next(iter([play(TOY, Options(), sessions, ["honest", "bot"], SEED, PATIENT)[0]]))
    for session in sessions:
        session.close()


def test_a_suspended_bot_is_not_started(pids: Path) -> None:
    sessions = [BotSession(fake_bot("honest", "--pids", pids), LIMITS) for _ in range(2)]
    record, _ = play(TOY, Options(), sessions, ["a", "b"], SEED, PATIENT, absent={0: SUSPENDED})
    assert [(fault.seat, fault.ply, fault.kind) for fault in record.faults] == [(0, 0, FaultKind.START)]
    assert record.meta["fault_details"][0]["detail"] == SUSPENDED.detail
    assert record.result.ranks == [2, 1]
    assert len(pids.read_text().split()) == 1
    for session in sessions:
        session.close()


def test_a_suspended_bot_has_no_times_of_the_game_before(pids: Path) -> None:
    sessions = [BotSession(fake_bot("honest", "--pids", pids), LIMITS) for _ in range(2)]
    before, after = (
        play(TOY, Options(), sessions, ["a", "b"], SEED, PATIENT, absent=absent, keep_times=True)[0].meta
        for absent in ({}, {0: SUSPENDED})
    )
    assert before["asked"][0] and before["time_us"][0]
    assert (after["asked"][0], after["time_us"][0]) == (0, 0) and after["asked"][1] and after["time_us"][1]
    for session in sessions:
        session.close()


@pytest.mark.parametrize("behaviour", ["exits-after-game", "talks-after-game"])
def test_between_games_nothing_is_a_fault(behaviour: str, pids: Path) -> None:
    assert [record.faults for record in play_two_games((), behaviour, pids, PATIENT)] == [[], []]
    assert len(pids.read_text().split()) == 3  # the honest bot once, the other one anew for its second game


@pytest.mark.parametrize("behaviour", ["stderr", "extra-fields", "no-id", "crlf"])
def test_what_is_allowed(behaviour: str, pids: Path) -> None:
    assert [record.faults for record in play_two_games(("--every",), behaviour, pids, PATIENT)] == [[], []]
    assert len(pids.read_text().split()) == 2


def test_a_closed_input_is_a_crash_at_the_next_decision(pids: Path) -> None:
    games = play_two_games((), "closes-input", pids, PATIENT)
    check_fault(next(games), FaultKind.CRASH, "closed its input", (0, 10), asked=3)
    check_next(games)


def test_a_bot_that_does_not_quit_is_stopped(pids: Path) -> None:
    begin = time.monotonic()
    assert [record.faults for record in play_two_games((), "does-not-quit", pids, PATIENT)] == [[], []]
    assert time.monotonic() - begin < 10


def test_all_bots_out_of_the_game(pids: Path) -> None:
    sessions = [BotSession(fake_bot("exit", "--pids", pids, "--at", str(at)), LIMITS) for at in (1, 2, 2)]
    record, _ = play(TOY, Options(), sessions, ["a", "b", "c"], SEED, PATIENT)
    assert [fault.seat for fault in record.faults] == [0, 1, 2]
    assert record.result.ranks == [3, 2, 1]
    last = record.faults[-1].ply
    state = TOY.start(Options(), 3, SEED)
    for ply, action in enumerate(record.actions):
        legal = state.legal()
        assert ply <= last or TOY.action_numbers[action] == legal[0]
        state.apply(TOY.action_numbers[action])
    assert state.is_over()
    for session in sessions:
        session.close()


def test_the_fault_report_has_the_end_of_stderr(pids: Path) -> None:
    first, _ = play_two_games((), "raises", pids, PATIENT)
    detail = first.meta["fault_details"][0]
    assert detail["stderr"].rstrip().endswith("KeyError: 'no such key'")
    assert (detail["seat"], detail["ply"], detail["kind"]) == (1, first.faults[0].ply, "crash")
