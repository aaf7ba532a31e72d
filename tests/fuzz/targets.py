"""What reads bytes that anybody may have made: none of it raises anything but our own errors, whatever it is given."""

from __future__ import annotations

import io
import json
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from fa_cli.cli.tournament.file import TournamentFile
from fa_cli.errors import FaError
from fa_cli.games import find_game
from fa_cli.games.seed import Seed, encode_seed
from fa_cli.isolation import build_archive
from fa_cli.isolation.discovery import read_bot
from fa_cli.match.scripted import scripts_of
from fa_cli.match.simulate import choices_of
from fa_cli.play import unfinished
from fa_cli.protocol.answers import read_answer, read_ready
from fa_cli.protocol.messages import Clock
from fa_cli.replay.frames import FIRST_LINE, FIRST_TAG, make_frame
from fa_cli.replay.jsonl import read_records
from fa_cli.replay.log_entry import entry_of
from fa_cli.replay.log_file import Damage, scan_log
from fa_cli.replay.log_writer import LogWriter
from fa_cli.replay.packing.times import rounded
from fa_cli.replay.record import Record, encode_record
from fa_cli.replay.verify import check
from fa_cli.stats.sprt import ErrorRates
from fa_cli.stats.stopping import StoppingRule
from fa_cli.tournament.changes import Change
from fa_cli.tournament.definition import Definition, Setting, load
from fa_cli.tournament.proof.audit import audit
from fa_cli.tournament.schedule import Schedule
from tests.games.policies import varied
from tests.games.records import played_record

FOLDER = Path(tempfile.mkdtemp(prefix="fa-fuzz-"))
_JOBS = 50  # of a definition that are looked at
_SECONDS, _SECONDS_PER_BYTE = 0.1, 100e-6  # ten times what verifying a game takes, and three times a byte of it


class Target(NamedTuple):
    """Something that reads bytes, and good ones to begin with."""

    read: Callable[[bytes], None]
    seeds: Callable[[], list[bytes]]


def read_log_file(data: bytes) -> None:
    """A log, as it lies on disk."""
    path = FOLDER / "fuzz.log"
    path.write_bytes(data)
    with suppress(FaError):
        for found in scan_log(path):
            check(found, found.index)
            if not isinstance(found, Damage):
                with suppress(FaError):
                    encode_record(found.record(legal=True))


def read_frames(data: bytes) -> None:
    """Payloads, chained as they should be: what no change of bytes on disk would reach. An empty line parts them."""
    read_log_file(_chained(data))


def verify_in_time(data: bytes) -> None:
    """Payloads as in `read_frames`; verifying them takes a time in proportion to their bytes."""
    path = FOLDER / "work.log"
    path.write_bytes(_chained(data))
    start = time.process_time()
    for found in scan_log(path):
        check(found)
    assert time.process_time() - start < _SECONDS + _SECONDS_PER_BYTE * len(data)


def _chained(data: bytes) -> bytes:
    parts, tag = [FIRST_LINE], FIRST_TAG
    for payload in data.split(b"\n\n"):
        frame, tag = make_frame(payload, tag)
        parts.append(frame)
    return b"".join(parts)


def import_lines(data: bytes) -> None:
    """JSON lines, into a log and out again."""
    source, path = FOLDER / "fuzz.jsonl", FOLDER / "import.log"
    source.write_bytes(data)
    path.unlink(missing_ok=True)
    records = []
    with suppress(FaError), source.open("rb") as file, LogWriter(path) as log:
        for record in read_records(file, "fuzz"):
            log.append_entry(entry_of(record))
            records.append(encode_record(record))
    for found, expected in zip(scan_log(path), records, strict=False):
        assert not isinstance(found, Damage), found
        assert check(found, 0) is not None or json.loads(encode_record(found.record())) == json.loads(expected)


def read_bot_line(data: bytes) -> None:
    """What a bot answers; what is said of it goes into logs, and is printed."""
    for found in (read_answer(data, 7), read_ready(data, "hello")):
        msgspec.msgpack.encode(found)
        str(found).encode()


def read_bot_file(data: bytes) -> None:
    """A bot.toml."""
    folder = FOLDER / "bot"
    folder.mkdir(exist_ok=True)
    (folder / "bot.toml").write_bytes(data.replace(b"build", b"b"))  # which would be run
    with suppress(FaError):
        read_bot(folder)


def unpack_build(data: bytes) -> None:
    """What a build in the sandbox made."""
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder, suppress(ValueError, OSError):
        build_archive.unpack(io.BytesIO(data), Path(folder), 100_000)


def read_definition(data: bytes) -> None:
    """tournaments/NAME.json, and its first games."""
    path = FOLDER / "fuzz.json"
    path.write_bytes(data)
    with suppress(FaError):
        definition = load(path)
        course = Schedule(definition)
        for _ in range(_JOBS):
            job = course.next_job()
            if job is None:
                break
            course.report_result([1] * len(job.seats), set())
        audit(definition, FOLDER / "none.log", lambda finding: None)


def read_unfinished(data: bytes) -> None:
    """A game that a person has left."""
    path = FOLDER / "fuzz.unfinished"
    path.write_bytes(data)
    with suppress(FaError):
        game = unfinished.load(path)
        scripts_of(*game.deal(), game.actions, game.faults, {"fault_details": game.fault_details})
        assert all(seat.name.isprintable() for seat in game.seats)


def read_tournament_file(data: bytes) -> None:
    """A tournament file."""
    path = FOLDER / "fuzz.toml"
    path.write_bytes(data)
    with suppress(FaError):
        TournamentFile(path)


def _records() -> list[Record]:
    seed = Seed.from_text("fuzz")
    records = []
    for number, (name, players) in enumerate((("fifth-avenue", 2), ("manhattan", 3), ("new-york", 2))):
        game = find_game(name)
        meta = {"tournament": {"name": "fuzz", "seed": seed.hex()}, "number": number}
        names = ["a#1", "a#2", "b"][:players]
        options = game.make_options({"turn_limit": 3} if name != "manhattan" else {})
        dice = choices_of(seed, number)
        record = played_record(game, options, names, seed.of_game(number), varied, dice, meta)
        times = rounded([ply * ply for ply in range(len(record.actions))])
        record.meta |= {"asked": [3] * players, "time_us": [400] * players, "times_us": times}
        records.append(record)
    return records


def _changed_records() -> list[Record]:
    """Records that logs have as JSON: not whole games, with wrong lists, and of an unknown game."""
    unfinished, listed, unknown = _records()
    unfinished.actions[3:4] = ["none", unfinished.actions[0]]
    listed.legal = [["none"]]
    unknown.game = "brooklyn"
    return [unfinished, listed, unknown]


def _log() -> bytes:
    path = FOLDER / "seed.log"
    path.unlink(missing_ok=True)
    with LogWriter(path) as log:
        for record in (*_records(), *_changed_records()):
            log.append(record)
    return path.read_bytes()


def _payloads() -> list[bytes]:
    data, place, payloads = _log(), len(FIRST_LINE), []
    while place < len(data):
        size = int.from_bytes(data[place : place + 3], "little")
        payloads.append(data[place + 4 : place + 4 + size])
        place += 12 + size
    return [*payloads, payloads[0] + b"\n\n" + msgspec.msgpack.encode([2, 1, encode_record(_records()[0])])]


def _definitions() -> list[bytes]:
    folder = FOLDER / "bot"
    folder.mkdir(exist_ok=True)
    (folder / "bot.toml").write_text('command = "true"')
    bot = read_bot(folder)
    setting = Setting("fifth-avenue", {"side": "five"}, 2, [0, 1])
    made = Definition("fuzz", Seed(bytes(32)), "2026-01-01T00:00:00Z", [bot, bot], [setting], 12, Clock())
    plain = msgspec.json.encode(made, enc_hook=encode_seed)
    plans = ("swiss", "knockout", "gauntlet", "ladder")
    changed = msgspec.structs.replace(made, changes=[Change(3, 1, 0)], stopping_rule=StoppingRule(0, 1, ErrorRates()))
    return [
        plain,
        msgspec.json.encode(changed, enc_hook=encode_seed),
        *(plain.replace(b'"round-robin"', f'"{plan}"'.encode()) for plan in plans),
    ]


def _unfinished() -> list[bytes]:
    record = _records()[0]
    game = unfinished.Unfinished(
        record.game, record.options, Seed.from_hex(record.seed), 0, [], actions=record.actions[:40]
    )
    game.seats = [unfinished.Opponent(name) for name in record.players]
    game.faults, game.fault_details = record.faults, record.meta.get("fault_details", [])
    return [msgspec.json.encode(game, enc_hook=encode_seed)]


def _build_archives() -> list[bytes]:
    folder, stream = FOLDER / "packed", io.BytesIO()
    for name in ("bot", "deep/data"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    build_archive.pack(folder, stream)
    return [stream.getvalue()]


TARGETS = {
    "log": Target(read_log_file, lambda: [_log()]),
    "frames": Target(read_frames, _payloads),
    "work": Target(verify_in_time, _payloads),
    "import": Target(import_lines, lambda: [encode_record(record) + b"\n" for record in _records()]),
    "answers": Target(
        read_bot_line,
        lambda: [
            b'{"id":7,"action":"place 34E.orange"}\n',
            b'{"type":"ready","name":"x","games":["new-york"],"wants":["legal"]}\n',
            b'{"action":"\\u00e9\\ud83d\\ude00","x":[{},1e9,null]}',
        ],
    ),
    "bot": Target(read_bot_file, lambda: [b'command = "true --x"\nname = "a"\ngames = ["x"]\nthreads = 2\n']),
    "unfinished": Target(read_unfinished, _unfinished),
    "archive": Target(unpack_build, _build_archives),
    "definition": Target(read_definition, _definitions),
    "tournament": Target(
        read_tournament_file,
        lambda: [b'bots = ["*"]\ngame = "manhattan"\nplayers = 3\nmove-time = "1s"\n[option]\nblocks = "six"\n'],
    ),
}
