"""What may be part of a bot, and what its digest covers: folders that strangers packed, read in bounded time."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fa_cli.errors import BotError
from fa_cli.isolation import bot_files
from fa_cli.isolation.bot_process import BotProcess
from fa_cli.isolation.discovery import Bot, read_bot
from fa_cli.isolation.limits import Limits
from fa_cli.tournament.running.bot_integrity import BotIntegrity
from tests.fakes import drop_privileges
from tests.needed import needs_sandbox

SECONDS = 20
"""For each of these on a busy machine; what is refused takes milliseconds."""


@pytest.fixture(autouse=True)
def _bounded() -> Iterator[None]:
    """A test that hangs fails: an alarm ends even a read or an open that waits."""

    def late(number: int, frame: object) -> None:
        raise TimeoutError(f"took more than {SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.toml").write_text('command = "python bot.py"\n')
    (folder / "bot.py").write_text("print(1)\n")
    return folder


def fifo(path: Path) -> None:
    os.mkfifo(path)


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(200 << 30)


def linked(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


def chain(path: Path) -> None:
    (path.parent / "out").symlink_to("/etc")
    path.symlink_to("out/passwd")


HOSTILE = {
    "endless": (linked("/dev/zero"), r"the link data leads out of the bot's folder, to /dev/zero"),
    "endless-by-number": (linked("/proc/self/fd/0"), "the link data leads out of the bot's folder"),
    "kernel-log": (linked("/proc/kmsg"), "the link data leads out"),
    "secret": (linked("/etc/passwd"), "the link data leads out of the bot's folder, to /etc/passwd: copy the file"),
    "above": (linked("../other"), "the link data leads out of the bot's folder, to "),
    "beside": (linked("../mine-too"), "the link data leads out"),
    "chain": (chain, "the link (data|out) leads out of the bot's folder, to /etc"),
    "folder": (linked("/"), "the link data leads out of the bot's folder, to /"),
    "fifo": (fifo, "data is a FIFO: a bot consists of plain files"),
    "socket": (listening, "data is a socket"),
    "sparse": (sparse, "its files are larger than 1,073,741,824 bytes with data"),
}


@pytest.mark.parametrize("sandboxed", [False, True])
@pytest.mark.parametrize("what", HOSTILE)
def test_what_is_no_file_of_a_bot(what: str, sandboxed: bool, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot and the file are named, built or not."""
    make, words = HOSTILE[what]
    monkeypatch.chdir(folder)  # a socket's path has to be short
    make(Path("data").absolute() if what == "chain" else Path("data"))
    for build in ("", 'build = "true"\n'):
        (folder / "bot.toml").write_text(f'command = "python bot.py"\n{build}')
        with pytest.raises(BotError, match=f"{folder}: {words}"):
            read_bot(folder, sandboxed=sandboxed)


@pytest.mark.skipif(os.getuid() != 0, reason="only root makes devices")
def test_a_device(folder: Path) -> None:
    try:
        os.mknod(folder / "data", 0o20666, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("not in this container")
    with pytest.raises(BotError, match="data is a device"):
        read_bot(folder)


@pytest.mark.parametrize("what", ["fifo", "sparse", "endless", "socket", "loop", "gone"])
@pytest.mark.parametrize("name", ["bot.py", "bot", "bot.toml"])
def test_a_bot_that_is_no_plain_file(what: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a single file, and as the bot.toml of a folder."""
    monkeypatch.chdir(tmp_path)
    makes = {**{name: make for name, (make, _) in HOSTILE.items()}, "loop": linked(name), "gone": linked("nowhere")}
    makes[what](Path(name))
    if what == "sparse":
        Path(name).chmod(0o755)
    with pytest.raises(BotError) as raised:
        read_bot(tmp_path if name == "bot.toml" else name)
    assert (str(tmp_path) if name == "bot.toml" else name) in str(raised.value)


def test_a_file_that_the_kernel_makes_up(tmp_path: Path) -> None:
    """Endless, with a size of 0: nothing of it is read."""
    (tmp_path / "bot.py").symlink_to("/proc/self/pagemap")
    assert read_bot(tmp_path / "bot.py").name == "bot"
    (tmp_path / "bot").symlink_to("/proc/self/pagemap")
    with pytest.raises(BotError, match="bot is not a bot"):
        read_bot(tmp_path / "bot")


def test_a_sparse_program(tmp_path: Path) -> None:
    path = tmp_path / "bot"
    path.write_bytes(b"\x7fELF")
    path.chmod(0o755)
    os.truncate(path, 200 << 30)
    with pytest.raises(BotError, match=r"bot is larger than 1,073,741,824 bytes"):
        read_bot(path)


def test_too_many_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_files, "MAX_ENTRIES", 1000)
    for number in range(999):
        (folder / f".{number}").touch()
    with pytest.raises(BotError, match=f"{folder} has more than 1,000 files: remove those that it does not need"):
        read_bot(folder)
    (folder / ".0").unlink()
    read_bot(folder)


def test_a_very_deep_folder(folder: Path) -> None:
    """Deeper than a path can name: nothing there is left out unnoticed, and the message is not long."""
    here = os.open(folder, os.O_RDONLY)
    try:
        for _ in range(40):
            os.mkdir("d" * 200, dir_fd=here)
            inner = os.open("d" * 200, os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = inner
        with pytest.raises(BotError, match="can't be read: File name too long") as raised:
            read_bot(folder)
        assert len(str(raised.value)) < 500
    finally:
        os.close(here)
        shutil.rmtree(folder, ignore_errors=True)
        os.system(f"rm -rf {folder}")  # rmtree can't name what lies so deep


@pytest.mark.skipif(os.getuid() == 0, reason="root reads all")
@pytest.mark.parametrize("mode", [0o000, 0o200])
@pytest.mark.parametrize("is_folder", [False, True])
def test_what_can_not_be_read(is_folder: bool, mode: int, folder: Path) -> None:
    data = folder / "deep" / "data"
    data.parent.mkdir()
    data.mkdir() if is_folder else data.write_text("x")
    data.chmod(mode)
    with pytest.raises(BotError, match=f"{folder}: deep/data/? can't be read: Permission denied"):
        read_bot(folder)
    data.chmod(0o700)


def test_odd_names(folder: Path) -> None:
    """Not UTF-8, with a newline and escapes: digested, and shown as escapes in messages."""
    odd = os.fsencode(folder) + b"/\xff\n\x1b[31m"
    first = read_bot(folder).digest
    with open(odd, "wb"):  # noqa: PTH123 - a name in bytes
        pass
    assert read_bot(folder).digest != first
    os.unlink(odd)  # noqa: PTH108
    os.mkfifo(odd)
    with pytest.raises(BotError) as raised:
        read_bot(folder)
    assert str(raised.value) == rf"{folder}: \udcff\n\x1b[31m is a FIFO: a bot consists of plain files"


def change_hidden(folder: Path) -> None:
    (folder / ".logic").write_text("2")


def change_cache(folder: Path) -> None:
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "bot.cpython-311.pyc").write_bytes(b"2")


def change_hidden_folder(folder: Path) -> None:
    (folder / ".cache" / "deep").mkdir(parents=True)
    (folder / ".cache" / "deep" / "x").write_text("2")


def add_empty_folder(folder: Path) -> None:
    (folder / "aggressive").mkdir()


def add_link(folder: Path) -> None:
    (folder / "mode").symlink_to("bot.py")


def add_broken_link(folder: Path) -> None:
    (folder / "mode").symlink_to("fast-and-loose")


CHANGES = (change_hidden, change_cache, change_hidden_folder, add_empty_folder, add_link, add_broken_link)


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_a_bot_can_read_is_its_identity(change: Callable[[Path], None], folder: Path) -> None:
    bot = read_bot(folder)
    identity = BotIntegrity([bot], sandboxed=False)
    assert identity.check([0]) == {}
    change(folder)
    assert read_bot(folder).digest != bot.digest
    assert identity.check([0])[0].startswith("was changed while games were played")


def test_python_leaves_no_cache_in_the_folder(folder: Path) -> None:
    """Which would be a change of the bot's own making, where it may write there."""
    (folder / "helper.py").write_text("x = 1\n")
    (folder / "bot.py").write_text("import helper, sys\nfor line in sys.stdin:\n    print(helper.x, flush=True)\n")
    before = read_bot(folder)
    channel = BotProcess((sys.executable, "bot.py"), str(folder), None, Limits(sandbox=False))
    assert channel.ask(b"?\n", 20) == b"1\n"
    channel.stop()
    assert read_bot(folder) == before


def test_links_are_told_apart(folder: Path) -> None:
    """By where they lead, and from a file that holds just that."""
    mode = folder / "mode"
    digests = {read_bot(folder).digest}
    for target in ("bot.py", "./bot.py", ".", "gone"):
        mode.symlink_to(target)
        digests.add(read_bot(folder).digest)
        mode.unlink()
    mode.write_text("bot.py")
    digests.add(read_bot(folder).digest)
    mode.unlink()
    mode.mkdir()
    digests.add(read_bot(folder).digest)
    assert len(digests) == 7


@pytest.mark.parametrize("target", ["up/../../secret", "deep/../../secret", "deep/up/../../secret", "../mine/bot.py"])
def test_a_link_out_through_other_links(target: str, folder: Path) -> None:
    """Whose names, taken as they stand, look as if they stayed inside."""
    (folder.parent / "secret").write_text("secret")
    (folder / "deep").mkdir()
    (folder / "up").symlink_to(".")
    (folder / "deep" / "up").symlink_to("..")
    read_bot(folder)
    (folder / "data").symlink_to(target)
    with pytest.raises(BotError, match="the link data leads out of the bot's folder, to "):
        read_bot(folder)


def test_a_link_from_a_folder_inside(folder: Path) -> None:
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "deep" / "er" / "bot").symlink_to("../../bot.py")
    read_bot(folder)
    (folder / "deep" / "er" / "out").symlink_to("../../../mine/bot.py")
    with pytest.raises(BotError, match="the link deep/er/out leads out"):
        read_bot(folder)


def test_a_long_chain_of_links(folder: Path) -> None:
    """Each is looked at by itself; together they would be followed for hours."""
    for number in range(20_000):
        (folder / f"link{number}").symlink_to(f"link{number + 1}")
    assert read_bot(folder).digest


def test_a_loop_of_links(folder: Path) -> None:
    """They are not followed, so they are no harm."""
    (folder / "a").symlink_to("b")
    (folder / "b").symlink_to("a")
    (folder / "up").symlink_to(".")
    read_bot(folder)


def test_the_digest_of_ordinary_files_stays(folder: Path) -> None:
    """Definitions hold it: a version that digests otherwise takes every bot for changed."""
    assert read_bot(folder).digest == "b6da6ce5519288912df632b7f293660d6a41752e8ce2848b99095f98c59dce2e"


def test_version_control_is_no_part_of_a_bot(folder: Path) -> None:
    bot = read_bot(folder)
    (folder / ".git").mkdir()
    (folder / ".git" / "index").write_text("1")
    identity = BotIntegrity([bot], sandboxed=False)
    assert identity.check([0]) == {}
    (folder / ".git" / "index").write_text("2")
    assert identity.check([0]) == {}
    (folder / "part").mkdir()
    (folder / "part" / ".git").write_text("deeper it is")
    assert read_bot(folder).digest != bot.digest


@needs_sandbox
@pytest.mark.parametrize("is_file", [False, True])
def test_version_control_is_hidden_in_the_sandbox(is_file: bool, folder: Path) -> None:
    hidden = folder / ".git"
    if is_file:
        hidden.write_text("logic")
    else:
        hidden.mkdir()
        (hidden / "logic").write_text("logic")
    (folder / "bot.py").write_text(
        "import json, os, sys\n"
        "for line in sys.stdin:\n"
        "    try:\n"
        "        found = os.listdir('.git') if os.path.isdir('.git') else open('.git').read()\n"
        "    except OSError as error:\n"
        "        found = type(error).__name__\n"
        "    try:\n"
        "        can_write = bool(open('.git/x', 'w'))\n"
        "    except OSError:\n"
        "        can_write = False\n"
        "    print(json.dumps([found, can_write]), flush=True)\n"
    )
    channel = BotProcess((sys.executable, "bot.py"), str(folder), None, Limits(sandbox=True))
    answer = channel.ask(b"?\n", 20)
    channel.stop()
    assert isinstance(answer, bytes)
    found, can_write = json.loads(answer)
    assert found in ([], "", "PermissionError")
    assert not can_write


def test_what_a_build_leaves_beside_the_sources(folder: Path) -> None:
    """Whatever lies there: neither read nor counted."""
    (folder / "bot.toml").write_text('command = "./bot"\nbuild = "printf \'#!/bin/sh\\n\' > bot; chmod +x bot"\n')
    first = read_bot(folder)
    (folder / "target" / "debug").mkdir(parents=True)
    os.mkfifo(folder / "target" / "debug" / "lock")
    (folder / "target" / "deps").symlink_to("/")
    sparse(folder / "x.o")
    again = read_bot(folder)
    assert again == first
    assert isinstance(again, Bot)


@needs_sandbox
def test_a_build_sees_only_what_is_digested(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Not by the name of the bot's own folder either."""
    (folder / "x.o").write_text("logic")
    (folder / ".git").mkdir()
    (folder / ".git" / "x").write_text("logic")
    listing = f"find . {folder} -type f | sort > bot 2>&1; chmod +x bot; cat .data >> bot"
    (folder / "bot.toml").write_text(f"command = './bot'\nbuild = {json.dumps(listing)}\n")
    (folder / ".data").write_text("hidden but digested")
    built = Path(read_bot(folder, sandboxed=True).command[0]).read_text()
    assert "logic" not in built
    assert "x.o" not in built
    assert ".git" not in built
    assert built.endswith("hidden but digested")


def test_a_name_that_is_no_text_is_shown_as_escapes(folder: Path) -> None:
    """The words go through a pipe, and to a terminal."""
    identity = BotIntegrity([read_bot(folder)], sandboxed=False)
    assert identity.check([0]) == {}
    Path(os.fsdecode(bytes(folder) + b"/\xff\n\x1b[2J")).touch()
    assert identity.check([0]) == {0: r"was changed while games were played (\udcff\n\x1b[2J)"}


READ_LOCKED = """
import sys
from pathlib import Path
from fa_cli.errors import BotError
from fa_cli.isolation.discovery import find_bots, read_bot
from fa_cli.tournament.running.bot_integrity import BotIntegrity
bot = read_bot(sys.argv[1])
Path(sys.argv[1]).chmod(0)
for read in (read_bot, lambda path: find_bots([path])):
    try:
        read(sys.argv[1])
    except BotError as error:
        print(error)
print(BotIntegrity([bot], False).check([0])[0])
"""


def test_a_folder_without_permissions(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", READ_LOCKED, folder],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: drop_privileges(1, 2),  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
    )
    folder.chmod(0o755)
    why = f"{folder} is not a bot: it can't be read: Permission denied"
    changed = f"was changed while games were played, and is not a bot now: {why}"
    assert (done.stdout.splitlines(), done.stderr) == ([why, why, changed], "")
