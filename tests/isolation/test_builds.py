"""Builds in the sandbox: hostile build commands, hostile archives, and real compilers."""

from __future__ import annotations

import io
import json
import os
import shutil
import socket
import subprocess
import sys
import tarfile
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fa_cli.errors import BotCannotRun
from fa_cli.isolation import build_archive, builds
from fa_cli.isolation.discovery import read_bot
from fa_cli.isolation.limits import MIB
from tests.conftest import further
from tests.needed import needs_sandbox

from ..fakes import assert_none_left


@pytest.fixture(autouse=True)
def _small(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setattr(builds, "BUILD_LIMITS", msgspec.structs.replace(builds.BUILD_LIMITS, file_size=8 * MIB))


def make(folder: Path, build: str, **files: str) -> Path:
    """A bot whose program `bot` is made by this build command."""
    folder.mkdir(parents=True, mode=0o755)
    (folder / "bot.toml").write_text(f"command = './bot'\nbuild = {json.dumps(build)}\n")
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


HOSTILE = r"""
import json, os, socket, sys
marker, port, *secrets = sys.argv[1:]

def tries(what):
    try:
        return what()
    except OSError as error:
        return type(error).__name__

def fill(folder):
    written = 0
    for number in range(200):
        with open(f"{folder}/fill{number}", "wb") as file:
            written += tries(lambda: file.write(b"x" * 1_000_000)) == 1_000_000
    for number in range(200):
        os.unlink(f"{folder}/fill{number}")
    return written

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv("/bin/sh", ["sh", "-c", f"trap '' TERM HUP; sleep 61; : {marker}"])
    os._exit(0)
report = {
    "read": [tries(lambda: open(secret).read()) for secret in secrets],
    "home": os.path.expanduser("~"),
    "loopback": tries(lambda: socket.create_connection(("127.0.0.1", int(port)), 2)),
    "processes": len([name for name in os.listdir("/proc") if name.isdigit()]),
    "written": [tries(lambda: open(f"{folder}/x", "w")) for folder in (os.path.dirname(secrets[0]), "/usr", "/")],
    "environment": sorted(os.environ),
    "megabytes": [fill("."), fill("/tmp")],
    "uid": os.getuid(),
}
with open("bot", "w") as file:
    json.dump(report, file)
os.chmod("bot", 0o755)
"""


@needs_sandbox
def test_a_hostile_build_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is all that it would be as a bot in the sandbox, its folder is as large as its /tmp, and nothing is left."""
    monkeypatch.setenv("FA_TEST_SECRET", "do not tell")
    marker = f"fa-test-{os.getpid()}-{tmp_path.name}"
    home = tmp_path / "home"
    secrets = [home / "bots/hostile/bot.toml", home / "notes.txt", home / "bots/other.py", home / "logs/a.log"]
    with socket.create_server(("127.0.0.1", 0)) as server:
        arguments = [marker, server.getsockname()[1], *secrets, Path.home() / ".ssh", "/etc/passwd", "/etc/shadow"]
        build = f"python hostile.py {' '.join(map(str, arguments))}"
        folder = make(home / "bots/hostile", build, **{"hostile.py": HOSTILE})
        for secret in secrets[1:]:
            secret.parent.mkdir(parents=True, exist_ok=True)
            secret.write_text("secret")
        before = sorted(tmp_path.rglob("*"))
        bot = read_bot(folder, sandboxed=True)
        server.settimeout(0.05)
        with pytest.raises(TimeoutError):
            server.accept()
    assert_none_left(marker)
    assert sorted(tmp_path.rglob("*")) == before
    assert list(Path(bot.folder).parent.iterdir()) == [Path(bot.folder)]  # no half of a build beside it
    report: dict[str, Any] = json.loads(Path(bot.command[0]).read_text())
    assert report["read"] == ["FileNotFoundError"] * 7  # it works on a copy
    assert report["home"] == "/tmp"
    assert report["loopback"] in ("ConnectionRefusedError", "OSError")
    assert report["processes"] < 8
    assert set(report["written"]) <= {"FileNotFoundError", "OSError", "PermissionError"}
    assert "FA_TEST_SECRET" not in report["environment"]
    assert all(0 < megabytes < 10 for megabytes in report["megabytes"])
    assert report["uid"] not in (0, os.getuid())


@pytest.mark.parametrize("sandboxed", [False, pytest.param(True, marks=needs_sandbox)])
def test_a_build_has_a_time_and_leaves_nothing(
    sandboxed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builds, "BUILD_SECONDS", 1.0)
    marker = f"fa-test-{os.getpid()}-{tmp_path.name}"
    folder = make(tmp_path / "slow", f"setsid sh -c 'sleep 61; : {marker}' & sleep 62; : {marker}")
    with pytest.raises(BotCannotRun, match="its build took more than 1 seconds"):
        read_bot(folder, sandboxed=sandboxed)
    assert_none_left(marker)
    (folder / "bot.toml").write_text(f"""
command = "./bot"
build = "(setsid sh -c 'sleep 61; : {marker}' &) ; echo '#!/bin/sh' > bot; chmod +x bot"
""")
    bot = read_bot(folder, sandboxed=sandboxed)
    assert_none_left(marker, 2.0)
    assert list(Path(bot.folder).parent.iterdir()) == [Path(bot.folder)]


@needs_sandbox
def test_a_build_sees_links_and_folders(tmp_path: Path) -> None:
    """Whatever umask we have."""
    folder = make(tmp_path / "linked", "cp data bot; chmod +x bot")
    (folder / "deep").mkdir()
    (folder / "deep" / "x").touch()
    (folder / "real").write_text("#!/bin/sh\n")
    (folder / "data").symlink_to("real")
    before = os.umask(0o077)
    bot = read_bot(folder, sandboxed=True)
    os.umask(before)
    assert Path(bot.command[0]).read_text() == "#!/bin/sh\n"
    assert Path(bot.folder, "deep").stat().st_mode & 0o777 == 0o755


@needs_sandbox
@pytest.mark.parametrize(
    ("build", "words"),
    [
        ("no-such-compiler -o bot", "its build needs what is not on this machine: .*no-such-compiler"),
        ("echo 'bot.c:1: error: no'; echo more; exit 3", "its build failed with status 3: bot.c:1: error: no"),
        ("kill -9 $$", "its build failed with status 137"),
        ("head -c 20000000 /dev/zero > bot", "its build failed with status 1: .*(No space left|File too large)"),
        ("kill -9 $PPID", "its build failed"),
    ],
)
def test_a_failed_build(build: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(BotCannotRun, match=words):
        read_bot(make(tmp_path / "x", build), sandboxed=True)


@needs_sandbox
def test_what_a_compiler_prints_is_shown_with_its_places(tmp_path: Path) -> None:
    build = "echo to stdout; printf 'bot.c:3:1: error: a\\nbot.c:4:1: error: b\\n' >&2; exit 1"
    with pytest.raises(BotCannotRun) as error:
        read_bot(make(tmp_path / "x", build), sandboxed=True)
    assert error.value.details == ["to stdout", "bot.c:3:1: error: a", "bot.c:4:1: error: b"]
    log = Path(str(error.value).partition("(full output: ")[2][:-1])
    assert log.read_text().splitlines() == error.value.details


def member(name: str, content: bytes = b"", **fields: Any) -> bytes:
    """A plain file as it stands in an archive, with other fields of its header where they are given."""
    info = tarfile.TarInfo(name)
    info.size = len(content)
    for field, value in fields.items():
        setattr(info, field, value)
    return info.tobuf(tarfile.PAX_FORMAT) + content + bytes(-len(content) % 512)


def header(kind: bytes, content: bytes) -> bytes:
    """A header that goes in front of another one."""
    return member("x", content, type=kind)


END = bytes(1024)
SPARSE = b"22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n29 GNU.sparse.realsize=999\n"
UNREADABLE = [
    b"",
    END[:-1],
    member("a", b"1"),
    member("a", b"x" * 512) + END[:-1],
    b"x" * 512 + END,
    member("a", b"x" * 2000),
    member("a", b"1") + b"x" * 512 + member("b", b"1") + END,
]
UNWANTED = [
    *(member(name, b"1") for name in ("../a", "/a", "a/../b", "a//b", "a/.", ".", "..", "")),
    member("a") * 2,
    member("a") + member("a/b"),
    member("a", b"x" * 1001),
    member("a", size=1001),
    member("a", size=1 << 62),
    member("a", size=-1000),
    member("a", b"x" * 600) + member("b", b"x" * 600),
    *(member("a", type=kind) for kind in (tarfile.DIRTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE)),
    member("a", type=tarfile.SYMTYPE, linkname="../../etc/passwd"),
    member("a", type=tarfile.LNKTYPE, linkname="../secret"),
    member("a", type=tarfile.GNUTYPE_SPARSE),
    header(tarfile.XHDTYPE, SPARSE) + member("a", b"1\n0\n1\n".ljust(512, b"\0") + b"1"),
    header(tarfile.XGLTYPE, b"14 path=../a\n") + member("a", b"1"),
    header(tarfile.XHDTYPE, b"13 path=../a\n") + member("a", b"1"),
    header(tarfile.XHDTYPE, b"12 path=a\0b\n") + member("a", b"1"),
    header(tarfile.XHDTYPE, b"9" * 50 + b" path=a") + member("a", b"1"),
    header(tarfile.XHDTYPE, b"x" * 5_000) + member("a", b"1"),
    header(tarfile.GNUTYPE_LONGNAME, b"x" * 5_000) + member("a", b"1"),
    header(tarfile.XHDTYPE, b"9 size=-1") * 5000 + member("a", b"1"),
    header(tarfile.XHDTYPE, b"") * 5000 + member("a", b"1"),
]


@pytest.mark.parametrize("data", [*UNREADABLE, *(members + END for members in UNWANTED)])
def test_an_archive_that_is_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    with pytest.raises((ValueError, OSError)):
        build_archive.unpack(io.BytesIO(data), tmp_path / "work", 1000)
    assert list(tmp_path.iterdir()) == [tmp_path / "work"]
    assert not any(path.is_symlink() for path in (tmp_path / "work").rglob("*"))


def test_an_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "from" / "deep").mkdir(parents=True)
    (tmp_path / "from" / "deep" / "é").write_bytes(b"x" * 3_000_000)
    (tmp_path / "from" / "program").touch()
    (tmp_path / "from" / "program").chmod(0o4700)
    (tmp_path / "from" / "link").symlink_to("program")
    (tmp_path / "from" / "hard").hardlink_to(tmp_path / "from" / "program")
    (tmp_path / "from" / "nowhere").symlink_to("gone")
    long = "/".join(["é" * 100] * 5)  # 1,004 bytes
    (tmp_path / "from" / long).parent.mkdir(parents=True)
    (tmp_path / "from" / long).touch()
    (tmp_path / "from" / os.fsdecode(b"\xff")).touch()
    os.mkfifo(tmp_path / "from" / "fifo")
    stream = io.BytesIO()
    build_archive.pack(tmp_path / "from", stream)
    (tmp_path / "to").mkdir()
    build_archive.unpack(stream, tmp_path / "to", 3_000_000)
    made = {str(path.relative_to(tmp_path / "to")): path for path in (tmp_path / "to").rglob("*") if path.is_file()}
    assert set(made) == {"deep/é", "program", "link", "hard", long, "\udcff"}
    assert made["deep/é"].read_bytes() == b"x" * 3_000_000
    modes = {name: path.stat().st_mode & 0o7777 for name, path in made.items()}
    assert {name for name, mode in modes.items() if mode == 0o755} == {"program", "link", "hard"}
    assert {name for name, mode in modes.items() if mode == 0o644} == {"deep/é", long, "\udcff"}
    monkeypatch.setattr(build_archive, "MAX_FILES", 2)
    (tmp_path / "more").mkdir()
    with pytest.raises(ValueError, match="more than 2 files and folders"):
        build_archive.unpack(stream, tmp_path / "more", 3_000_000)


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, *further(tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME)])
def test_a_large_header_takes_little_memory(kind: bytes, tmp_path: Path) -> None:
    assert peak_memory(header(kind, b"60000000 key=" + b"x" * 60_000_000) + member("a"), tmp_path) < 500_000


def test_many_headers_take_little_memory(tmp_path: Path) -> None:
    names = ["/".join(["x" * 200] * 4 + [str(number)]) for number in range(600)]
    data = b"".join(header(tarfile.GNUTYPE_LONGNAME, name.encode()) + member("a") for name in names)
    assert peak_memory(data, tmp_path) < 500_000
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 600


def test_many_folders_are_refused(tmp_path: Path) -> None:
    """460 files in folders of their own, each folder in the last one, would be 101,200 folders."""
    names = [f"{number}/{'d/' * 220}f" for number in range(460)]
    data = b"".join(header(tarfile.GNUTYPE_LONGNAME, name.encode()) + member("a") for name in names) + END
    with pytest.raises(ValueError, match="in more than 100 folders in each other"):
        build_archive.unpack(io.BytesIO(data), tmp_path, 1000)
    assert not list(tmp_path.iterdir())


def test_folders_count_as_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_archive, "MAX_FILES", 500)
    data = b"".join(member(f"{number}/{'d/' * 40}f") for number in range(20)) + END
    with pytest.raises(ValueError, match="more than 500 files and folders"):
        build_archive.unpack(io.BytesIO(data), tmp_path, 1000)


def test_unpacking_ends_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_archive, "UNPACK_SECONDS", 0.0)
    with pytest.raises(ValueError, match="took more than 0 seconds"):
        build_archive.unpack(io.BytesIO(member("a") + END), tmp_path, 1000)


PEAK = """
import io, sys, tracemalloc
from contextlib import suppress
from pathlib import Path
from fa_cli.isolation import build_archive
archive = io.BytesIO(sys.stdin.buffer.read())
tracemalloc.start()
with suppress(ValueError):
    build_archive.unpack(archive, Path(sys.argv[1]), 1000)
print(tracemalloc.get_traced_memory()[1])
"""


def peak_memory(members: bytes, folder: Path) -> int:
    """Bytes that unpacking takes at most beyond the archive itself, in a process without threads of other tests."""
    return int(subprocess.check_output([sys.executable, "-c", PEAK, str(folder)], input=members + END))


def test_headers_take_little_time(tmp_path: Path) -> None:
    """tarfile searches the rest of such a header again for each letter; from Python 3.13 on it refuses it."""
    data = b"".join(header(tarfile.XHDTYPE, b"2 " * 1_000 + b"=") + member(f"a{n}") for n in range(1_000)) + END
    begin = time.process_time()
    with pytest.raises(ValueError, match=r"none that can be taken|damaged headers"):
        build_archive.unpack(io.BytesIO(data), tmp_path, 1000)
    assert time.process_time() - begin < 1.0


COMPILED = {
    "cc": ("cc -O1 -o bot x.c", {"x.c": "int main(void) { return 0; }\n"}),
    "cargo": (
        "cargo build --offline && cp target/debug/x bot",
        {"Cargo.toml": '[package]\nname = "x"\nversion = "0.1.0"\n', "src/main.rs": "fn main() {}\n"},
    ),
    "go": ("go build -o bot x.go", {"x.go": "package main\n\nfunc main() {}\n"}),
    "javac": (
        "javac x.java && printf '#!/bin/sh\\nexec java -cp . x\\n' > bot && chmod +x bot",
        {"x.java": "class x { public static void main(String[] all) {} }\n"},
    ),
}


@needs_sandbox
@pytest.mark.parametrize("compiler", ["cc", *further(*(name for name in COMPILED if name != "cc"))])
def test_compilers_work_in_it(compiler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not on this machine")
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    command, files = COMPILED[compiler]
    folder = make(tmp_path / "x", command)
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    assert os.access(read_bot(folder, sandboxed=True).command[0], os.X_OK)
