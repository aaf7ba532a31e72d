"""A bot that misbehaves on demand: `fake.py BEHAVIOUR`, with the flags at the end of this file.

It answers the first legal action, but at its decision number `--at` (over all games of the process, the first is 1)
it does what BEHAVIOUR says; what is about its start it does there. `--once`: only as long as that file is not there,
and it is made then. `--pids`: a file that takes the number of every process. `--heard`: a file that takes every line
that is read.

It imports little, and the rest where it is used: tests start it a thousand times.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from types import SimpleNamespace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    Message = dict[str, Any]


def say(text: str | bytes) -> None:
    """Write all of it, as it is."""
    data = text.encode() if isinstance(text, str) else text
    while data:
        data = data[os.write(1, data) :]


def answer(decide: Message, **fields: object) -> None:
    """An answer of the right form; `fields` go before what is right."""
    say(json.dumps({"id": decide["id"], "action": decide["legal"][0]} | fields) + "\n")


def action_of(decide: Message) -> str:
    """The first legal action, as JSON."""
    return json.dumps(decide["legal"][0])


def hold_pipes_and_exit(decide: Message) -> NoReturn:
    """Leave a child behind that keeps the pipes open, in the same process group."""
    child = os.fork()
    if child == 0:
        time.sleep(30)
        os._exit(0)
    note_pid(child)
    os._exit(4)


def flood(decide: Message) -> None:
    """As many bytes without a newline as are taken."""
    while True:
        say(b"x" * 4096)


def flood_stderr(decide: Message) -> None:
    """Much more on stderr than any pipe holds, and then a right answer."""
    for _ in range(500):
        os.write(2, b"e" * 4000 + b"\n")
    answer(decide)


def drip(decide: Message) -> None:
    """One byte at a time, too slowly."""
    for byte in b'{"action": ' + b" " * 1000:
        say(bytes([byte]))
        time.sleep(0.1)


def never_read_again(decide: Message) -> None:
    """Answer, and then let the pipe fill."""
    answer(decide)
    time.sleep(60)


def let_the_pipe_fill(decide: Message) -> None:
    """Answer, and leave what comes next in a pipe that is too small for it."""
    import fcntl

    fcntl.fcntl(0, fcntl.F_SETPIPE_SZ, 4096)
    never_read_again(decide)


def close_and_live(descriptor: int) -> Callable[[Message], None]:
    """Close a pipe and live on."""

    def do(decide: Message) -> None:
        os.close(descriptor)
        if descriptor == 0:
            answer(decide)
        time.sleep(60)

    return do


def answer_with(text: Callable[[Message], str | bytes]) -> Callable[[Message], object]:
    return lambda decide: say(text(decide))


def leave_with(status: int, before: bytes = b"") -> Callable[[Message], NoReturn]:
    def do(decide: Message) -> NoReturn:
        say(before)
        os.write(2, b"leaving now\n")
        os._exit(status)

    return do


def after_a_while(decide: Message) -> None:
    time.sleep(ARGUMENTS.seconds)
    answer(decide)


def half_then_silent(decide: Message) -> None:
    say('{"action": ')
    time.sleep(60)


def ignore_term(decide: Message) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(60)


def twice(pause: float) -> Callable[[Message], None]:
    """The same answer in two writes."""

    def do(decide: Message) -> None:
        answer(decide)
        time.sleep(pause)
        answer(decide)

    return do


def flood_lines(decide: Message) -> None:
    while True:
        answer(decide)


def gigabyte_line(decide: Message) -> None:
    """One line of 1 GB, as far as it is read."""
    for _ in range(1024):
        say(b"x" * 1024 * 1024)
    say("\n")


def gigabyte_stderr(decide: Message) -> None:
    for _ in range(1024):
        os.write(2, b"e" * 1024 * 1024)
    answer(decide)


def stopped_by_tracing(decide: Message) -> None:
    """Be traced by the parent, which is how a process stops at its own signals; where that is denied, play on."""
    import ctypes

    if ctypes.CDLL(None).ptrace(0, 0, None, None) == 0:
        os.kill(os.getpid(), signal.SIGUSR1)
    answer(decide)


def fork_bomb(decide: Message) -> None:
    """As many processes as are allowed, 400 at most."""
    for _ in range(400):
        if os.fork() == 0:
            time.sleep(30)
            os._exit(0)
    time.sleep(2)
    answer(decide)


def daemon(then: Callable[[Message], object]) -> Callable[[Message], None]:
    """Leave a process behind that is detached as far as can be, deaf, and keeps the pipes open."""

    def do(decide: Message) -> None:
        noted, note = os.pipe()
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                    signal.signal(number, signal.SIG_IGN)
                note_pid(os.getpid())
                os.write(note, b"!")
                time.sleep(60)
            os._exit(0)
        os.read(noted, 1)
        then(decide)

    return do


def grow(decide: Message) -> None:
    """Take memory, 2 GB at most."""
    taken = []
    for _ in range(200):
        taken.append(bytearray(os.urandom(1024)) * 10240)
    answer(decide)


def grow_shared(decide: Message) -> None:
    """Take memory that no limit of a single process counts, 2 GB at most, and give it time to be seen."""
    import mmap

    taken = mmap.mmap(-1, 2 << 30)
    for _ in range(200):
        taken.write(b"x" * 10_000_000)
        time.sleep(0.01)
    answer(decide)


def fill_disk(decide: Message) -> None:
    """Write a file, 1 GB at most."""
    import tempfile

    with tempfile.TemporaryFile() as file:
        for _ in range(1024):
            file.write(b"x" * 1024 * 1024)
    answer(decide)


def open_all(decide: Message) -> None:
    """Open what can be opened, 100,000 at most."""
    files = [os.open("/dev/null", os.O_RDONLY) for _ in range(100_000)]
    answer(decide, files=len(files))


def think_on(decide: Message) -> None:
    """Keep a processor busy from now on, and answer all the same."""
    import hashlib
    import threading

    def burn() -> None:
        while True:
            hashlib.pbkdf2_hmac("sha256", b"", b"", 100_000)  # without the interpreter's lock: answers stay quick

    threading.Thread(target=burn, daemon=True).start()
    answer(decide)


def spin_after(decide: Message) -> None:
    """Answer, and keep the core busy with six processes for a second."""
    answer(decide)
    for _ in range(6):
        if os.fork() == 0:
            os.setsid()  # the kernel shares a core evenly among sessions
            spin(1.0, time.monotonic)
            os._exit(0)


def work(decide: Message) -> None:
    """Need a quarter of a second of processor time for an answer."""
    spin(0.25, time.process_time)
    answer(decide)


def work_in_child(decide: Message) -> None:
    """The same in a process that has ended by then."""
    child = os.fork()
    if child == 0:
        spin(0.25, time.process_time)
        os._exit(0)
    os.waitpid(child, 0)
    answer(decide)


def work_twice(decide: Message) -> None:
    """The same in two processes at a time."""
    child = os.fork()
    spin(0.25, time.process_time)
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    answer(decide)


def spin(seconds: float, clock: Callable[[], float]) -> None:
    """Use the processor until this clock has gone on by so much."""
    until = clock() + seconds
    while clock() < until:
        pass


def work_hard(decide: Message) -> None:
    """Use 0.3 seconds of processor time in each of two processes, one after the other."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
    spin(0.3, time.process_time)
    if child == 0:
        os._exit(0)
    answer(decide)


def work_between_games() -> None:
    """Let another process use processor time for as long as this one waits for its next game."""
    if os.fork() == 0:
        while True:
            pass


def speak_in_colours(decide: Message) -> None:
    """What would do something to a terminal or a page that shows it."""
    os.write(2, b"\x1b]0;owned\x07<script>alert(1)</script>\n")
    answer(decide, action="\x1b[2J<script>alert(1)</script>\u202e")


AT_A_DECISION: dict[str, Callable[[Message], object]] = {
    "silent": lambda decide: time.sleep(60),
    "late": after_a_while,
    "drip": drip,
    "stopped": lambda decide: os.kill(os.getpid(), signal.SIGSTOP),
    "half-then-silent": half_then_silent,
    "ignores-term": ignore_term,
    "never-reads": never_read_again,
    "fills-pipe": let_the_pipe_fill,
    "exit": leave_with(3),
    "exit-0": leave_with(0),
    "half-then-exit": leave_with(5, b'{"action": "dr'),
    "killed": lambda decide: os.kill(os.getpid(), signal.SIGSEGV),
    "killed-in-real-time": lambda decide: os.kill(os.getpid(), 40),
    "pipes-held": hold_pipes_and_exit,
    "closes-output": close_and_live(1),
    "closes-input": close_and_live(0),
    "raises": lambda decide: {}["no such key"],
    "garbage": answer_with(lambda decide: "what?\n"),
    "blank": answer_with(lambda decide: "\n"),
    "array": answer_with(lambda decide: f"[{action_of(decide)}]\n"),
    "text": answer_with(lambda decide: f"{action_of(decide)}\n"),
    "no-action": answer_with(lambda decide: '{"move": "draw"}\n'),
    "number-action": answer_with(lambda decide: '{"action": 1}\n'),
    "two-objects": answer_with(lambda decide: f'{{"action": {action_of(decide)}}} {{}}\n'),
    "wrong-id": lambda decide: answer(decide, id=decide["id"] - 1),
    "text-id": lambda decide: answer(decide, id=str(decide["id"])),
    "big-id": answer_with(lambda decide: f'{{"action": {action_of(decide)}, "id": {"9" * 5000}}}\n'),
    "nan": answer_with(lambda decide: f'{{"action": {action_of(decide)}, "value": NaN}}\n'),
    "nul": answer_with(lambda decide: f'{{"action": {action_of(decide)}}}\0\n'),
    "deep": answer_with(lambda decide: f'{{"action": {action_of(decide)}, "x": {"[" * 30000}{"]" * 30000}}}\n'),
    "not-utf8": answer_with(lambda decide: b'{"action": "\xff\xfe"}\n'),
    "not-utf8-aside": answer_with(lambda decide: f'{{"action": {action_of(decide)}, "x": "'.encode() + b'\xff"}\n'),
    "twice": twice(0),
    "twice-at-once": answer_with(lambda decide: f'{{"action": {action_of(decide)}}}\n' * 2),
    "twice-later": twice(0.05),
    "flood": flood,
    "flood-lines": flood_lines,
    "huge-line": answer_with(lambda decide: f'{{"action": {action_of(decide)}, "x": "{"x" * 2_000_000}"}}\n'),
    "illegal": lambda decide: answer(decide, action="share"),
    "anothers-action": lambda decide: answer(decide, action="build 1 Sydney 1"),
    "unknown-action": lambda decide: answer(decide, action="castle\x1b[31m kingside"),
    "stderr": flood_stderr,
    "extra-fields": lambda decide: answer(decide, type="answer", comment="é", value=1.5, deep={"a": [1, None]}),
    "no-id": answer_with(lambda decide: f'{{"action": {action_of(decide)}}}\n'),
    "crlf": answer_with(lambda decide: f'{{"action": {action_of(decide)}}}\r\n'),
    "gigabyte-line": gigabyte_line,
    "gigabyte-stderr": gigabyte_stderr,
    "very-deep": answer_with(
        lambda decide: f'{{"action": {action_of(decide)}, "x": {"[" * 100_000}{"]" * 100_000}}}\n'
    ),
    "named-twice": answer_with(lambda decide: f'{{"action": {action_of(decide)}, "\\u0061ction": "x"}}\n'),
    "id-twice": lambda decide: say(f'{{"id": 1, "id": {decide["id"]}, "action": {action_of(decide)}}}\n'),
    "traced": stopped_by_tracing,
    "fork-bomb": fork_bomb,
    "daemon": daemon(answer),
    "daemon-then-exit": daemon(leave_with(0)),
    "grows": grow,
    "grows-shared": grow_shared,
    "fills-disk": fill_disk,
    "opens-all": open_all,
    "thinks-on": think_on,
    "spins-after": spin_after,
    "works": work,
    "works-in-child": work_in_child,
    "works-twice": work_twice,
    "works-hard": work_hard,
    "speaks-in-colours": speak_in_colours,
    "honest": answer,
}


def note_pid(pid: int) -> None:
    """Tell the test which processes there are."""
    if ARGUMENTS.pids:
        with open(ARGUMENTS.pids, "a") as file:
            file.write(f"{pid}\n")


def begin() -> None:
    """What is done before anything is read."""
    note_pid(os.getpid())
    if ARGUMENTS.behaviour == "exit-at-start" and is_first():
        sys.exit("no licence")
    if ARGUMENTS.behaviour == "banner" and is_first():
        say("Welcome to Bot 1.0!\n")


AT_HELLO = (
    "no-hello",
    "bad-hello",
    "exit-at-hello",
    "odd-wants",
    "other-game",
    "many-games",
    "coloured-name",
    "exit-after-hello",
)
AT_START = ("no-start", "bad-start", "exit-at-game", "early", "early-later")


def ready(message: Message) -> None:
    """The answer to `hello` or `start`."""
    is_hello = message["type"] == "hello"
    behaviour = ARGUMENTS.behaviour
    if behaviour in (AT_HELLO if is_hello else AT_START) and not is_first():
        behaviour = "honest"
    if behaviour == ("no-hello" if is_hello else "no-start"):
        time.sleep(60)
    elif behaviour == ("bad-hello" if is_hello else "bad-start"):
        say('{"type": "steady"}\n')
    elif behaviour == ("exit-at-hello" if is_hello else "exit-at-game"):
        sys.exit(7)
    elif behaviour == "odd-wants" and is_hello:
        say('{"type": "ready", "wants": ["everything"]}\n')
    elif behaviour == "other-game" and is_hello:
        say('{"type": "ready", "games": ["chess"]}\n')
    elif behaviour == "many-games" and is_hello:
        say(json.dumps({"type": "ready", "games": [f"chess-{number:05}" for number in range(3_000)]}) + "\n")
    elif behaviour == "coloured-name" and is_hello:
        say(json.dumps({"type": "ready", "name": "\x1b[31m<script>", "games": ["\x1b[2J<script>"]}) + "\n")
    elif behaviour == "exit-after-hello" and is_hello:
        say('{"type": "ready"}\n')
        sys.exit(0)
    elif ARGUMENTS.wants and is_hello:
        say(json.dumps({"type": "ready", "name": "Fake", "wants": ARGUMENTS.wants.split(",")}) + "\n")
    elif behaviour == "early" and not is_hello:
        say('{"type": "ready"}\n{"action": "draw"}\n')
    else:
        say('{"type": "ready"}\n')
    if behaviour == "early-later" and not is_hello:
        say('{"action": "draw"}\n')


def after_game() -> None:
    """What is done when a game has ended."""
    if ARGUMENTS.behaviour == "exits-after-game":
        sys.exit(0)
    if ARGUMENTS.behaviour == "works-after-game":
        work_between_games()
    if ARGUMENTS.behaviour == "talks-after-game":
        say('{"type": "good game"}\n')


def is_time(count: int) -> bool:
    """Whether to misbehave at this decision."""
    if count != ARGUMENTS.at:
        return ARGUMENTS.every and count > ARGUMENTS.at
    return is_first()


def is_first() -> bool:
    """Whether it has not misbehaved yet, if it shall do so only once."""
    if ARGUMENTS.once:
        try:
            open(ARGUMENTS.once, "x").close()
        except FileExistsError:
            return False
    return True


def main() -> None:
    begin()
    count = 0
    for line in sys.stdin.buffer:
        if ARGUMENTS.heard:
            with open(ARGUMENTS.heard, "ab") as file:
                file.write(line)
        message = json.loads(line)
        if message["type"] in ("hello", "start"):
            ready(message)
        elif message["type"] == "decide":
            count += 1
            act = AT_A_DECISION.get(ARGUMENTS.behaviour, answer) if is_time(count) else answer
            act(message)
        elif message["type"] == "end":
            after_game()
        elif message["type"] == "quit" and ARGUMENTS.behaviour != "does-not-quit":
            return
    if ARGUMENTS.behaviour == "does-not-quit":
        time.sleep(60)


if __name__ == "__main__":
    ARGUMENTS = SimpleNamespace(
        behaviour=sys.argv[1], at=2, every=False, seconds=1.0, wants="", once=None, pids=None, heard=None
    )
    words = iter(sys.argv[2:])
    for word in words:
        name = word.removeprefix("--")
        kind = type(getattr(ARGUMENTS, name))
        setattr(ARGUMENTS, name, True if name == "every" else (kind if kind in (int, float) else str)(next(words)))
    main()
