"""Workers that lie: no forged answer counts; the worker is named once and benched, and another plays its games."""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest

from fa_cli.cluster.batch_messages import Answer, ArchivePiece, decode_batch, encode, engine_version
from fa_cli.cluster.coordinator import dask_executor
from fa_cli.cluster.coordinator.dask_executor import ClusterExecutor
from fa_cli.cluster.coordinator.scheduler_link import Outcome, SeenWorker
from fa_cli.cluster.plain_client import Unread
from fa_cli.errors import BotError
from fa_cli.game_result import Failure, FaultKind
from fa_cli.games import find_game
from fa_cli.match.player import RandomPlayer
from fa_cli.match.referee import play
from fa_cli.replay.log_entry import entry_of
from fa_cli.replay.record import seat_names
from fa_cli.stats.stopping import StoppingRule
from fa_cli.tournament.definition import Definition
from fa_cli.tournament.running.job_queue import JobQueue, JobResult, Task, WorkerLost
from fa_cli.tournament.running.suspension import Suspension
from fa_cli.tournament.running.workers import WorkerConfig
from fa_cli.tournament.schedule import Schedule
from tests.tournament.helpers import definition, setting

OPTIONS = {"side": "five", "setup": "rio-grande", "turn_limit": 2}
GAMES = 12


class Link:
    """Stands for the connection to a scheduler with workers; keeps what is sent."""

    location = "tcp://127.0.0.1:1"
    lost_since = 0.0
    losses = 0

    def __init__(self, names: str) -> None:
        self.workers = {f"tcp://{name}": SeenWorker(f"tcp://{name}", 1, 1.0) for name in names}
        self.sent: dict[str, tuple[str, bytes]] = {}

    def submit(self, key: str, address: str, batch: bytes) -> None:
        self.sent[key] = address, batch

    def cancel(self, key: str) -> None: ...


class Run:
    """A tournament on two workers, `a` and `b`, without bots: the workers' games are played here by dice."""

    def __init__(self, names: str = "ab", **options: Any) -> None:
        made = definition([setting(3, 2, **OPTIONS)], GAMES)
        self.definition: Definition = msgspec.structs.replace(made, times=True, **options)
        self.warnings: list[str] = []
        self.queue = JobQueue(Schedule(self.definition), Suspension(10), [], self.warnings.append)
        config = WorkerConfig(self.definition, None)
        self.executor = ClusterExecutor(config, self.queue, 0, self.warnings.append, "x", lambda: None)  # type: ignore[arg-type, return-value]
        self.link = Link(names)
        self.executor._link = self.link  # type: ignore[assignment]

    def next_batch(self, name: str) -> tuple[str, list[Task]]:
        """The next batch sent to a worker: its key and tasks; none if there is none for it. The first has no tasks."""
        self.executor.assign_jobs(False)
        for key, (address, batch) in self.link.sent.items():
            if address == f"tcp://{name}" and not self.executor._flights[key].is_given_up:
                del self.link.sent[key]
                self.needed = decode_batch(batch).needed
                return key, decode_batch(batch).tasks
        return "", []

    def batch_of(self, name: str) -> tuple[str, list[Task]]:
        """The next batch of games sent to a worker, which answers the one before honestly."""
        key, tasks = self.next_batch(name)
        if key and not tasks:
            self.answer(key, encode(self.honest([])))
            return self.next_batch(name)
        return key, tasks

    def answer(self, key: str, data: object) -> None:
        """A worker's answer to a batch arrives."""
        self.executor._add_outcome(Outcome(key, data))  # type: ignore[arg-type]

    def honest(self, tasks: list[Task]) -> Answer:
        """What an honest worker answers."""
        results = [JobResult(task.job.index, self.game(task), suspended=task.suspended, seconds=0.01) for task in tasks]
        return Answer(results, ready=self.needed)

    def game(self, task: Task) -> Any:
        made = self.definition
        game = find_game("fifth-avenue")
        record, packed = play(
            game,
            game.make_options(OPTIONS),
            [RandomPlayer() for _ in task.job.seats],
            seat_names([made.bots[bot].name for bot in task.job.seats]),
            made.seed.of_game(task.job.number),
            made.clock,
            meta={"tournament": made.source(), "number": task.job.number},
            reveal_seed=False,
            absent=task.absent_seats(),
        )
        return entry_of(record, packed)

    def play_with(self, name: str) -> None:
        """An honest worker plays until no game is left for it."""
        while True:
            key, tasks = self.batch_of(name)
            if not key:
                return
            self.answer(key, encode(self.honest(tasks)))

    def played(self) -> int:
        """Takes the games in order; returns how many there are."""
        count = 0
        while self.queue.take(count):
            count += 1
        return count


class Archives:
    """The files of bots, empty."""

    def __init__(self, bots: object) -> None: ...

    def piece(self, bot: int, offset: int, most: int) -> Any:
        return ArchivePiece(bot, 0, 0, b"")

    def close(self) -> None: ...


@pytest.fixture(autouse=True)
def no_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """There are no bots to send."""
    monkeypatch.setattr(dask_executor, "ArchiveFolder", Archives)


def no_files_left(*arguments: object) -> Any:
    """A bot.toml that can't be opened."""
    try:
        raise OSError(errno.EMFILE, "Too many open files")
    except OSError:
        raise BotError("bot.toml can't be read") from None


@pytest.mark.parametrize(
    ("problem", "sentence"),
    [
        (no_files_left, "bot0 can't be packed .*too many open files"),
        (Mock(side_effect=OSError(errno.ENOSPC, "No space left on device")), "bot0 can't be packed .*No space left"),
    ],
)
def test_what_the_coordinator_lacks_is_no_fault(
    problem: object, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Archives, "piece", problem)
    run = Run()
    with pytest.raises(WorkerLost, match=sentence):
        run.next_batch("a")
    assert not run.queue._absent


def test_a_change_of_a_bot_that_a_test_compares_stops_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Archives, "piece", Mock(side_effect=BotError("bot0 was changed")))
    run = Run(stopping_rule=StoppingRule(0, 1))
    with pytest.raises(WorkerLost, match="bot0 was changed while games were played, and is compared as it was"):
        run.next_batch("a")


def in_builtins(answer: Answer) -> Any:
    """An answer as lists, numbers and texts, to be changed."""
    return msgspec.msgpack.decode(msgspec.msgpack.encode(answer))


def sealed(content: Any) -> bytes:
    """A changed answer as a worker of this version would send it."""
    return msgspec.msgpack.encode([engine_version(), msgspec.msgpack.encode(content)])


RESULTS, STUCK, READY, MISSING, FAILED, PROBLEM = range(6)
INDEX, ENTRY, ERROR, CHANGED, SHORTAGE, SUSPENDED, TIMES, REVOKED, STDERR, LOST, AWAY, FINAL, SECONDS = range(13)
Forge = Callable[[Any], object]


def result(place: int, value: object) -> Forge:
    """Changes a field of the first result."""

    def forge(answer: Any) -> None:
        answer[RESULTS][0][place] = value

    return forge


def entry(**fields: object) -> Forge:
    """Changes fields of the record of the first result."""

    def forge(answer: Any) -> None:
        answer[RESULTS][0][ENTRY].update(fields)

    return forge


def within(field: str, change: Callable[[Any], object]) -> Forge:
    """Changes a field of the first record in place."""

    def forge(answer: Any) -> None:
        record = answer[RESULTS][0][ENTRY]
        record[field] = change(record[field])

    return forge


def part(place: int, value: object) -> Forge:
    """Changes a part of the answer."""

    def forge(answer: Any) -> None:
        answer[place] = value

    return forge


def nested(levels: int) -> Any:
    value: Any = 0
    for _ in range(levels):
        value = [value]
    return value


FORGED: dict[str, Forge] = {
    "another object": lambda answer: {"results": 3},
    "an unread object": lambda answer: Unread("x"),
    "None": lambda answer: None,
    "a number": lambda answer: 17,
    "text": lambda answer: "results",
    "bytes of a pickle": lambda answer: b"\x80\x04\x8c\x02os\x8c\x06system\x93\x8c\x04true\x85R.",
    "a list in place of an answer": lambda answer: sealed([[[1]]]),
    "results that are a number": part(RESULTS, 5),
    "a result that is None": part(RESULTS, [None]),
    "nested too deep": part(STUCK, nested(900)),
    "another game's index": result(INDEX, 999),
    "a negative index": result(INDEX, -1),
    "an enormous index": result(INDEX, 1 << 62),
    "a game twice": lambda answer: answer[RESULTS].append(answer[RESULTS][0]),
    "neither record nor reason": result(ENTRY, None),
    "the bots have changed": result(CHANGED, {0: "has changed", 1: "has changed"}),
    "other seats suspended": result(SUSPENDED, [0]),
    "given back": result(REVOKED, True),
    "a supervisor was killed": result(LOST, 0),
    "a supervisor of no seat was killed": result(LOST, 99),
    "core times of NaN": result(TIMES, [float("nan"), 0.0]),
    "core times below 0": result(TIMES, [-1.0, 0.0]),
    "a game of NaN seconds": result(SECONDS, float("nan")),
    "a game of infinite seconds": result(SECONDS, float("inf")),
    "a game of negative seconds": result(SECONDS, -3.0),
    "a game longer than its batch": result(SECONDS, 1e6),
    "seconds that are text": result(SECONDS, "soon"),
    "ranks exchanged": within("result", lambda found: {**found, "ranks": [3 - rank for rank in found["ranks"]]}),
    "empty ranks": within("result", lambda found: {**found, "ranks": []}),
    "999 points": within("result", lambda found: {**found, "scores": [999, 0]}),
    "another reason": within("result", lambda found: {**found, "reason": "agreed"}),
    "other players": entry(players=["bot2", "bot1"]),
    "no players": entry(players=[]),
    "another seed": entry(seed="00" * 32),
    "a seed that is none": entry(seed="spring"),
    "another game": entry(game="manhattan"),
    "a game that does not exist": entry(game="chess"),
    "other options": within("options", lambda found: {**found, "turn_limit": 3}),
    "no options": entry(options={}),
    "another number": within("meta", lambda found: {**found, "number": 7}),
    "another tournament": within("meta", lambda found: {**found, "tournament": {"name": "x"}}),
    "more in meta": within("meta", lambda found: {**found, "note": "<script>"}),
    "times below 0": within("meta", lambda found: {**found, "time_us": [-5, 0]}),
    "times of another length": within("meta", lambda found: {**found, "time_us": [1]}),
    "more time than there was": within("meta", lambda found: {**found, "time_us": [1 << 60, 0]}),
    "more decisions than there were": within("meta", lambda found: {**found, "asked": [100_000, 0]}),
    "no times": entry(times=None, meta={}),
    "times that can't be read": entry(times=b"\xff" * 9),
    "actions cut": within("packed", lambda found: found[:-2]),
    "actions changed": within("packed", lambda found: b"\xff" + found[1:]),
    "actions of another length": within("decisions", lambda found: found + 1),
    "decisions without end": entry(decisions=1 << 40),
    "another digest": entry(digest_start="0" * 16),
    "a fault of no seat": entry(faults=[{"seat": 9, "ply": 0, "kind": "crash"}]),
    "a fault after the end": entry(faults=[{"seat": 0, "ply": 1 << 40, "kind": "crash"}]),
    "a fault without details": entry(faults=[{"seat": 0, "ply": 0, "kind": "crash"}]),
    "a fault of no kind": entry(faults=[{"seat": 0, "ply": 0, "kind": "bad luck"}]),
    "details without a fault": within(
        "meta", lambda found: {**found, "fault_details": [{"seat": 0, "ply": 0, "kind": "crash", "detail": "x"}]}
    ),
    "details that are text": within("meta", lambda found: {**found, "fault_details": "x"}),
    "a whole record as JSON": entry(plain=b"{}"),
    "the place in another log": entry(index=5),
    "a seat that does not exist is stuck": part(STUCK, {0: 7}),
    "another game is stuck": part(STUCK, {500: 0}),
    "bots that nobody asked for are ready": part(READY, [77]),
    "bots that nobody asked for are missing": part(MISSING, [-3]),
    "bots that nobody asked for fail": part(FAILED, {9: "no"}),
    "a problem of a megabyte": part(PROBLEM, "x" * 1_000_000),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_answer_does_not_count(name: str) -> None:
    run = Run()
    key, tasks = run.batch_of("a")
    answer = in_builtins(run.honest(tasks))
    forged = FORGED[name](answer)
    run.answer(key, sealed(answer) if forged is None and name != "None" else forged)
    (warning,) = run.warnings
    assert warning.startswith(
        ("worker a is not used: its answer can't be true: ", "worker a is not used: it has another")
    )
    assert len(warning) < 400
    assert run.played() == 0
    run.play_with("b")
    assert run.played() == GAMES
    assert run.batch_of("a") == ("", [])
    assert len(run.warnings) == 1


def test_an_honest_answer_counts() -> None:
    run = Run("a")
    run.play_with("a")
    assert run.played() == GAMES
    assert run.warnings == []


def test_the_cores_of_this_machine_are_not_those_of_a_worker() -> None:
    run = Run("a")
    key, tasks = run.batch_of("a")
    answer = run.honest(tasks)
    answer.results[0] = msgspec.structs.replace(answer.results[0], core_times=(5.0, 15.0))
    run.executor._workers._workers["tcp://a"].slots = 64
    run.answer(key, encode(answer))
    assert run.warnings[0].startswith("worker a: the machine is overloaded")
    assert "--nthreads" in run.warnings[0]


def test_suspended_seats_must_fail_at_once() -> None:
    run = Run()
    key, (task, *_) = run.batch_of("a")
    played = run.game(task)
    failing = msgspec.structs.replace(task, failures={0: Failure(FaultKind.START, "is absent")})
    run.executor._flights[key].tasks[task.job.index] = failing
    run.answer(key, encode(Answer([JobResult(task.job.index, played, seconds=0.01)])))
    assert "seat 0 played, though its bot was not to start" in run.warnings[0]


def batches_until_benched(run: Run, answer: Callable[[], Answer]) -> int:
    """The batches that worker `a` gets if it always answers like this, up to 20."""
    for count in range(20):
        key, _ = run.next_batch("a")
        if not key:
            return count
        run.answer(key, encode(answer()))
    return 20


def test_a_worker_that_answers_nothing_is_not_asked_for_ever() -> None:
    run = Run("a")
    assert batches_until_benched(run, lambda: Answer(ready=run.needed)) <= 4
    assert run.warnings[-1].startswith("worker a is not used: ")


@pytest.mark.parametrize("claim", [{"missing": [0]}, {"failed": {0: "no", 1: "no", 2: "no"}}, {"problem": "no"}])
def test_what_a_worker_lacks_is_not_sent_for_ever(claim: dict[str, Any]) -> None:
    run = Run("a")
    assert batches_until_benched(run, lambda: Answer(**claim)) <= 4
    assert all("can't run" in text or "is not used" in text or "played again" in text for text in run.warnings)
    assert not run.queue._absent, "no bot is out of the tournament"


def test_all_reasons_are_told_where_nobody_can_play() -> None:
    run = Run()
    for name, problem in (("a", "no sandbox"), ("b", "no disk")):
        run.answer(run.next_batch(name)[0], encode(Answer(problem=problem)))
    why = run.executor._why_stalled(run.link)  # type: ignore[arg-type]
    assert why.endswith(" can play the next games (no sandbox; no disk)")


def test_stuck_games_need_two_workers() -> None:
    """One worker alone can't give a bot a fault, however often it reports it."""
    run = Run()
    for _ in range(5):
        key, tasks = run.batch_of("a")
        if not key:
            break
        run.answer(key, encode(Answer(stuck={task.job.index: 0 for task in tasks})))
        key, tasks = run.batch_of("b")
        run.answer(key, encode(run.honest(tasks)))
    run.play_with("b")
    assert run.played() == GAMES
    assert all(not faults for faults in run.queue._stuck_games._failures.values())
    assert run.warnings[-1] == "worker a is not used: it reports games as stuck that others play"


def test_two_workers_agree_that_a_bot_is_stuck() -> None:
    run = Run()
    key, (task, *_) = run.batch_of("a")
    run.answer(key, encode(Answer(stuck={task.job.index: 1})))
    key, tasks = run.batch_of("b")
    while task.job.index not in [each.job.index for each in tasks]:
        run.answer(key, encode(run.honest(tasks)))
        key, tasks = run.batch_of("b")
    run.answer(key, encode(Answer(stuck={task.job.index: 1})))
    assert "bot" in run.warnings[-1] and "fails in it" in run.warnings[-1]
    run.play_with("a")
    run.play_with("b")
    assert run.played() == GAMES


def test_a_worker_alone_is_told_to_need_another_for_a_stuck_game() -> None:
    run = Run("a")
    key, (task, *_) = run.batch_of("a")
    run.answer(key, encode(Answer(stuck={task.job.index: 1})))
    run.play_with("a")
    why = "(game 1 got stuck on worker a, so another one must play it)"
    assert run.executor._why_stalled(run.link).endswith(why)  # type: ignore[arg-type]


def test_few_workers_of_a_host_prepare_at_a_time() -> None:
    """Sixty-four at once start hundreds of processes."""
    run = Run("")
    run.link.workers = {f"tcp://10.0.0.{n % 2}:{n}": SeenWorker(f"w{n}", 1, 1.0) for n in range(16)}
    begun: set[str] = set()
    for expected in (8, 8):
        run.executor.assign_jobs(False)
        run.executor.assign_jobs(False)
        now = {address for address, batch in run.link.sent.values() if not decode_batch(batch).tasks}
        assert len(now) == expected, "four on each host"
        assert sum(address.startswith("tcp://10.0.0.1") for address in now) == expected // 2
        assert begun.isdisjoint(now)
        begun |= now
        for key, (address, batch) in list(run.link.sent.items()):
            if address in now:
                del run.link.sent[key]
                run.answer(key, encode(Answer(ready=decode_batch(batch).needed)))


def test_a_run_that_is_to_stop_waits_no_longer_than_a_few_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run()
    run.batch_of("a")
    assert run.executor.busy
    for _ in range(2):
        run.executor.assign_jobs(True)
    assert run.warnings == ["games that take more than 3 more seconds are dropped; resume plays them again"]
    assert run.executor.busy
    monkeypatch.setattr(dask_executor, "_STOP_SECONDS", 0.0)
    assert run.executor.busy == 0
