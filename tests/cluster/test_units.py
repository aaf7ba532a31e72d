"""The parts of the cluster that need no Dask: archives, messages, sizes of batches, slow workers."""

from __future__ import annotations

import io
import os
import random
import tarfile
from collections import Counter
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from fa_cli.cluster import batch_messages
from fa_cli.cluster.batch_messages import (
    Answer,
    Batch,
    OtherVersion,
    decode_answer,
    encode,
    pack_definition,
    unpack_definition,
)
from fa_cli.cluster.bot_archives import ArchiveFolder, BotStore, unpack
from fa_cli.cluster.coordinator.batches import BatchSize
from fa_cli.cluster.coordinator.watches import SpeedWatch
from fa_cli.cluster.worker_supervisor import BatchPlayer
from fa_cli.errors import BotError
from fa_cli.game_result import GameResult
from fa_cli.isolation.discovery import Bot, read_bot
from fa_cli.match.referee import STDERR_KEPT
from fa_cli.replay.log_entry import LogEntry
from fa_cli.tournament.running.job_queue import JobResult
from tests.tournament.helpers import definition, dice, setting


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BotStore:
    """An empty store."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return BotStore()


def send(bot: Bot, store: BotStore, size: int = 1 << 20) -> None:
    """Send a bot to a store in pieces of `size` bytes."""
    with closing(ArchiveFolder([bot])) as archives:
        offset = 0
        while True:
            piece = archives.piece(0, offset, size)
            store.add(bot, piece)
            offset += len(piece.data)
            if offset == piece.size:
                return


def folder_bot(folder: Path) -> Bot:
    """A bot with a program, data, a link, an empty folder and a name that is not UTF-8."""
    (folder / "data/empty").mkdir(parents=True)
    dice(folder, "main")
    (folder / "data/weights").write_bytes(random.Random(1).randbytes(5000))
    (folder / "data/latest").symlink_to("weights")
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff")).write_text("x")
    (folder / "run.sh").write_text("#!/bin/sh\nexec python3 main.py\n")
    (folder / "run.sh").chmod(0o755)
    (folder / "bot.toml").write_text('command = "./run.sh"\n')
    return read_bot(folder)


def test_a_bot_arrives_whole_in_pieces(tmp_path: Path, store: BotStore) -> None:
    bot = folder_bot(tmp_path / "mine")
    assert store.find(bot, False) is None
    send(bot, store, size=1000)
    found = store.find(bot, False)
    assert found
    assert (found.digest, found.name) == (bot.digest, bot.name)
    assert Path(found.path) != Path(bot.path)
    assert os.access(Path(found.path, "run.sh"), os.X_OK)
    assert Path(found.path, "data/latest").resolve().name == "weights"
    assert not list((tmp_path / "cache/fa/cluster").glob("*.part"))
    send(bot, store)  # again: nothing changes


def test_a_single_file_keeps_its_name(tmp_path: Path, store: BotStore) -> None:
    bot = read_bot(dice(tmp_path, "solo")[0], "other")
    send(bot, store)
    found = store.find(bot, False)
    assert found
    assert (Path(found.path).name, found.name, found.digest) == ("solo.py", "other", bot.digest)


def test_a_bot_that_was_changed_here_is_not_sent(tmp_path: Path, store: BotStore) -> None:
    path = dice(tmp_path, "solo")[0]
    bot = read_bot(path)
    path.write_text(path.read_text() + "#")
    with pytest.raises(BotError, match="was changed"):
        send(bot, store)


def test_a_bot_that_was_changed_there_is_missing(tmp_path: Path, store: BotStore) -> None:
    bot = read_bot(dice(tmp_path, "solo")[0])
    send(bot, store)
    found = store.find(bot, False)
    assert found
    Path(found.path).write_text("changed")
    assert store.find(bot, False) is None
    send(bot, store)
    assert store.find(bot, False) == found


def test_a_damaged_archive_is_refused(tmp_path: Path, store: BotStore) -> None:
    bot = read_bot(dice(tmp_path, "solo")[0])
    with closing(ArchiveFolder([bot])) as archives:
        piece = archives.piece(0, 0, 1 << 20)
    for position in range(0, len(piece.data), 7):
        damaged = bytearray(piece.data)
        damaged[position] ^= 0x55
        try:
            store.add(bot, msgspec.structs.replace(piece, data=bytes(damaged)))
        except (BotError, OSError):
            assert store.find(bot, False) is None
        else:  # a byte that gzip ignores
            assert (found := store.find(bot, False))
            assert found.digest == bot.digest
            store.forget(bot)


def test_a_piece_out_of_order_is_refused(tmp_path: Path, store: BotStore) -> None:
    bot = read_bot(dice(tmp_path, "solo")[0])
    with closing(ArchiveFolder([bot])) as archives:
        first, third = archives.piece(0, 0, 100), archives.piece(0, 200, 100)
    store.add(bot, first)
    with pytest.raises(BotError, match="wrong order"):
        store.add(bot, third)
    send(bot, store, 100)  # from the start again
    assert store.find(bot, False)


@pytest.mark.parametrize("name", ["../out", "/etc/out", "a//b", "a/./b"])
def test_an_archive_can_not_write_elsewhere(tmp_path: Path, name: str) -> None:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz") as tar:
        tar.addfile(tarfile.TarInfo(name), io.BytesIO())
    archive.seek(0)
    (tmp_path / "in").mkdir()
    with pytest.raises(BotError, match="can't be taken"):
        unpack(archive, tmp_path / "in")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["in"]


def test_links_are_made_last(tmp_path: Path) -> None:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz") as tar:
        link = tarfile.TarInfo("bot/link")
        link.type, link.linkname = tarfile.SYMTYPE, str(tmp_path)
        tar.addfile(link)
        tar.addfile(tarfile.TarInfo("bot/link/file"), io.BytesIO())
    archive.seek(0)
    (tmp_path / "in").mkdir()
    with pytest.raises(OSError, match="exists"):
        unpack(archive, tmp_path / "in")
    assert not (tmp_path / "file").exists()


def test_a_message_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = encode(Answer(problem="none"))
    assert decode_answer(data).problem == "none"
    monkeypatch.setattr(batch_messages, "engine_version", lambda: "another")
    with pytest.raises(OtherVersion):
        decode_answer(data)
    for strange in (b"", b"\xc1", msgspec.msgpack.encode({"a": 1})):
        with pytest.raises(OtherVersion):
            decode_answer(strange)


def test_stderr_with_longer_paths_of_the_sender_keeps_its_length(tmp_path: Path) -> None:
    here = read_bot(dice(tmp_path, "solo")[0])
    sent = msgspec.structs.replace(here, path=f"/{'long/' * 100}solo.py")
    player = BatchPlayer(None)
    player._ready = {0: here}
    stderr = f"{here.path}: line 1\n".rjust(STDERR_KEPT, "x")
    meta = {"fault_details": [{"seat": 0, "ply": 1, "kind": "crash", "detail": "x", "stderr": stderr}]}
    game = LogEntry(0, "toy", {}, ["a"], "", 0, [], GameResult([0], [1], "rounds"), "", meta)
    answered = player._as_sent(Batch(b"", False, {0: sent}, [0], [], []), JobResult(0, game))
    assert answered.entry
    (details,) = answered.entry.meta["fault_details"]
    assert details["stderr"].endswith(f"{sent.path}: line 1\n")
    assert len(details["stderr"]) == STDERR_KEPT


def test_a_packed_definition_has_no_bots() -> None:
    whole = definition([setting(40, 4)], 200)
    packed = pack_definition(whole)
    assert len(packed) < 1000
    assert unpack_definition(packed).seed == whole.seed
    assert unpack_definition(packed).bots == []


def test_batches_grow_to_two_seconds_and_shrink_at_the_end() -> None:
    size = BatchSize()
    assert size.games(1000, 4) == 1
    sizes = []
    for _ in range(5):
        size.add(0.05)
        size.grow()
        sizes.append(size.games(1000, 4))
    assert sizes == [4, 16, 40, 40, 40]
    assert size.games(8, 4) == 2
    assert size.games(1, 4) == 1
    for _ in range(100):
        size.add(30.0)
    size.grow()
    assert size.games(1000, 4) == 1


@pytest.mark.parametrize(("slowness", "found"), [(1.0, None), (1.25, None), (2.0, "w2"), (4.0, "w2")])
def test_a_slow_worker_is_named(slowness: float, found: str | None) -> None:
    """Bots take from 10 ms to 3 s a game; the times of one game vary by a half."""
    dice = random.Random(5)
    watch, named = SpeedWatch(), None
    for _ in range(400):
        worker = f"w{dice.randrange(4)}"
        seats = dice.sample(range(8), 3)
        seconds = sum(0.01 * 2.3**bot for bot in seats) * dice.lognormvariate(0, 0.5)
        watch.add(worker, 0, seats, seconds * (slowness if worker == "w2" else 1.0))
        slow = watch.slow_worker()
        if slow:
            assert named is None, "named twice"
            named = slow[0]
    assert named == found


def test_one_worker_alone_is_not_slow() -> None:
    watch = SpeedWatch()
    for number in range(200):
        watch.add("alone", 0, [0, 1], 0.1 + number)
        assert watch.slow_worker() is None


@pytest.mark.slow
@pytest.mark.parametrize("batch", [1, 100, 1000])
@pytest.mark.parametrize(("slowness", "least", "most"), [(1.0, 0, 0), (2.0, 50, 50)])
def test_speed_is_judged_rightly_over_many_seeds(slowness: float, least: int, most: int, batch: int) -> None:
    """Instant bots beside slow ones, whole batches of one worker after another, clocks of 0, outliers of an hour.

    Wrong 5 times in 100, the watch would be noticed in 92 of 100 such tests.
    """
    named = Counter[str]()
    for seed in range(50):
        dice, watch = random.Random(seed), SpeedWatch()
        for number in range(max(4, 300 // batch)):
            worker = "w1" if number % 2 else "w2"
            for _ in range(min(batch, 300)):
                seats = dice.sample(range(6), 2)
                seconds = sum(0.0002 * 5.0**bot for bot in seats) * dice.lognormvariate(0, 0.3)
                seconds = dice.choice([0.0, 3600.0]) if dice.random() < 0.02 else seconds
                watch.add(worker, 0, seats, seconds * (slowness if worker == "w2" else 1.0))
            if slow := watch.slow_worker():
                named[slow[0]] += 1
    assert named["w1"] == 0
    assert least <= named["w2"] <= most


def test_speed_of_two_equal_workers_with_instant_bots_stays_within_bounds() -> None:
    """Batches of 500 games of 0.1 ms, as of bots in C: an estimate that learnt from each game diverged after 3,000."""
    dice, watch = random.Random(3), SpeedWatch()
    for number in range(40):
        for _ in range(500):
            watch.add(f"w{number % 2}", 0, [0, 1], 0.0001 * dice.lognormvariate(0, 1.0))
        assert watch.slow_worker() is None
