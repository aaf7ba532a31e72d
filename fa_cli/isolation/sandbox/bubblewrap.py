"""What a bot's process sees: a small environment that is the same for all; in the sandbox, next to nothing else.

The sandbox is bubblewrap's: a system that can only be read, the bot's own files, a small /tmp of its own; processes,
network, IPC and names of its own. Run by root, it drops to a user number that no other process has; run by anybody
else, it is made in a user namespace.
"""

from __future__ import annotations

import errno
import os
import platform
import shutil
import stat
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from time import monotonic, sleep

from ...errors import UsageError
from ...text import printable, quoted
from ..bot_files import VERSION_CONTROL, read_start
from ..limits import Limits, Sandbox
from ..spawn import Process, read_now
from ..supervision.supervisor import FIRST_INPUT, UID
from .machine_files import bound_machine_files
from .seccomp import seccomp_filter

_ROOT = Path(__file__).parents[3]
_INSTALLED = _ROOT.name in ("site-packages", "dist-packages")
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store")
# what programs look for in /etc: names of no one and no secret
_ETC = (
    *("alternatives", "java", "java-*", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "timezone"),
    *("ssl/openssl.cnf", "mono", "php", "perl", "node", "R"),
)
_NOBODY = "65534"
# what builds are made with: found by our PATH and shown in the sandbox where it is installed outside the system
_TOOLS = (
    *("cargo", "rustc", "go", "java", "javac", "kotlinc", "scala", "mvn", "gradle", "node", "npm", "tsc", "esbuild"),
    *(
        "deno",
        "bun",
        "cc",
        "gcc",
        "g++",
        "clang",
        "clang++",
        "make",
        "cmake",
        "ninja",
        "zig",
        "ghc",
        "ocamlfind",
        "nim",
    ),
    *("dmd", "ldc2", "dotnet", "swiftc", "crystal", "dart", "fpc"),
)
_PROBE_SECONDS = 10.0


def choose(wanted: Sandbox, warn: Callable[[str], None]) -> str:
    """Why bots are to run without the sandbox; empty if they run in it.

    Raises UsageError where it is required and does not work.
    """
    reason = "--sandbox none" if wanted is Sandbox.NONE else why_not()
    if reason and wanted is Sandbox.BWRAP:
        raise UsageError(f"bots can't be sandboxed here: {reason}; --sandbox none runs them without")
    if reason:
        warn(warning(reason))
    elif not seccomp_filter():
        warn(f"the sandbox has no filter of system calls on {platform.machine()}")
    return reason


def warning(reason: str) -> str:
    """What a person should know whose bots run without the sandbox."""
    return f"bots are not sandboxed and can do anything your account can ({reason})"


@cache
def why_not() -> str:
    """What keeps the sandbox from working here; empty if it works: it is tried."""
    if sys.platform != "linux":
        return "bubblewrap is for Linux only"
    if not shutil.which("bwrap"):
        return "bubblewrap is not installed; Debian: apt-get install bubblewrap"
    tool = "setpriv" if os.getuid() == 0 else "prlimit"
    if not shutil.which(tool):
        return f"{tool} is not installed; it is in util-linux"
    try:
        process = start(("/bin/sh", "-c", "exit 37"), "/usr", Limits(sandbox=True))
    except OSError as error:
        return f"bubblewrap does not start: {error.strerror}"
    try:
        return _watch_probe(process)
    finally:
        process.kill()
        process.close()


def _watch_probe(process: Process) -> str:
    until = monotonic() + _PROBE_SECONDS
    while (ending := process.ending()) is None:  # its pipes end a moment before it does
        if monotonic() > until:
            return "bubblewrap does not get anywhere"
        sleep(0.001)
    if ending[:2] == ["exited", "37"]:
        return ""
    said = read_now(process.stderr, 1000) or b""
    return f"bubblewrap fails: {printable(said.decode(errors='replace').strip()) or ' '.join(ending[:2])}"


def start(command: Sequence[str], folder: str, limits: Limits, own: str = "", spread: bool = False) -> Process:
    """Start a bot. `own`: the file or folder that is the bot, its folder when nothing is said. Raises OSError.

    `spread`: it may use all cores, also where this process keeps to one.
    """
    environment = _environment(command)
    if not limits.sandbox:
        program = shutil.which(command[0], path=environment["PATH"]) or command[0]
        return Process((program, *command[1:]), folder, environment, limits, all_cores=spread)
    named = Path(own or folder).absolute()
    if os.getuid() == 0:
        _check_readable(named)
    places = (*_programs(command, environment), folder if named.is_dir() else str(named))
    words, inputs = confined(command, folder, limits, places)
    return Process(words, "/", environment, limits, inputs, spread)


def start_build(command: Sequence[str], sources: Path, folder: str, limits: Limits) -> Process:
    """Start what builds a bot: in an empty folder of this name that it may fill, bounded as its files are.

    It sees `sources`, a folder, and the machine's compilers. Raises OSError where the sources can't be read in there.
    """
    if os.getuid() == 0:
        _check_readable(sources)
    toolchains = dict(_toolchains())
    environment = _environment(command)
    folders = [*toolchains, *environment["PATH"].split(":"), str(Path(sys.executable).parent)]
    environment["PATH"] = ":".join(dict.fromkeys(folders))
    places = (*_programs(command, environment), *toolchains.values(), str(sources.absolute()))
    words, inputs = confined(command, folder, limits, places, build=True)
    return Process(words, "/", environment, limits, inputs, all_cores=True)


def confined(
    command: Sequence[str], folder: str, limits: Limits, places: Sequence[str], build: bool = False
) -> tuple[list[str], list[bytes]]:
    """The command that runs a command in the sandbox, in this folder, and the inputs that it needs (see `Process`).

    `places`: what it sees besides the system. `build`: its folder is empty and for it to fill.
    """
    by_root = os.getuid() == 0
    seccomp = seccomp_filter(build=build)
    inputs = [seccomp] if seccomp else []
    machine_files, contents = bound_machine_files(FIRST_INPUT + len(inputs))
    words = [_tool("bwrap"), "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    words += ["--die-with-parent", "--hostname", "sandbox"]
    if by_root:
        words += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]
    else:
        words += ["--unshare-user", "--uid", _NOBODY, "--gid", _NOBODY]
    words += _system()
    words += ["--proc", "/proc", "--dev", "/dev", *machine_files]
    for place in ("/dev/shm", "/tmp"):
        words += ["--perms", "1777", "--size", str(limits.file_size), "--tmpfs", place]
    words += _folders([*places, f"{folder}/"])
    for place in places:
        words += ["--ro-bind", place, place]
    words += _hidden(Path(folder)) if folder in places else []
    if build:
        words += ["--perms", "1777", "--size", str(limits.file_size), "--tmpfs", folder]
    for place in ("/dev", "/"):
        words += ["--remount-ro", place]
    words += ["--chdir", folder, *(["--seccomp", str(FIRST_INPUT)] if seccomp else []), "--"]
    if by_root:
        words += [_tool("setpriv"), f"--reuid={UID}", f"--regid={UID}", "--clear-groups"]
        words += ["--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all"]
    words += [_tool("prlimit"), f"--nproc={limits.processes}"] if not by_root else []
    return [*words, *command], [*inputs, *contents]


def _hidden(folder: Path) -> list[str]:
    """Hide what lies in a bot's folder and is not part of it."""
    words = []
    for path in (folder / name for name in VERSION_CONTROL):
        if path.is_dir() and not path.is_symlink():
            words += ["--tmpfs", str(path), "--remount-ro", str(path)]
        elif path.is_file() and not path.is_symlink():
            words += ["--ro-bind", "/dev/null", str(path)]
    return words


def _folders(places: Sequence[str]) -> list[str]:
    """Make what is above these places; bubblewrap itself would make it so that only root could go there."""
    above = {str(folder) for place in places for folder in Path(f"{place}x").parents}
    return [word for folder in sorted(above - {"/", "/tmp"}) for word in ("--perms", "0755", "--dir", folder)]


def _system() -> list[str]:
    places = list(filter(os.path.lexists, _SYSTEM))
    words: list[str] = _folders(["/etc/", "/etc/ssl/", *places])
    for place in places:
        if Path(place).is_symlink():
            words += ["--symlink", str(Path(place).readlink()), place]
        else:
            words += ["--ro-bind", place, place]
    for pattern in _ETC:
        for path in sorted(Path("/etc").glob(pattern)):
            words += ["--ro-bind", str(path), str(path)]
    return words


def _programs(command: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    """What is to be seen of the machine outside the system for the bot's programs to run.

    Only our PATH says what those may be: a bot could name any file as its program, and another bot's too.
    """
    places: list[str] = []
    for program in _interpreters(command):
        if program == sys.executable:
            places += [sys.base_prefix, sys.prefix]
            if "PYTHONPATH" in environment:
                places.append(str(_ROOT / "fa_cli"))
        elif str(Path(program).parent) in os.get_exec_path():
            places += _installation(program)
    return [place for place in dict.fromkeys(places) if not _is_system(place)]


def _installation(program: str) -> Iterator[str]:
    """The folder above `bin` that a program was installed in, such as ~/.nvm/versions/node/v20; else its file alone.

    A hidden folder of the home directory, such as ~/.local or ~/.cargo, has more in it than programs.
    """
    real = Path(program).resolve()
    prefix = real.parent.parent
    yield program
    hidden = prefix.parent == Path.home() and prefix.name.startswith(".")
    if real.parent.name == "bin" and prefix not in (Path("/"), Path.home()) and not hidden:
        yield str(prefix)
    else:
        yield str(real)


def _toolchains() -> Iterator[tuple[str, str]]:
    """Of each compiler outside the system the folder that its program is in, and what is to be seen for it to run."""
    for tool in _TOOLS:
        found = shutil.which(tool)
        real = Path(found).resolve() if found else None
        if real and real.name == "rustup":  # a stand-in; its own folder has the keys to a registry beside it
            real = _rust() / "bin" / tool
        if real and real.exists() and not _is_system(str(real)):
            *_, place = _installation(str(real))
            yield str(real.parent), place


def _rust() -> Path:
    """The folder of rustup's default toolchain."""
    home = Path(os.environ.get("RUSTUP_HOME") or Path.home() / ".rustup")
    name = os.environ.get("RUSTUP_TOOLCHAIN", "")
    with suppress(OSError, ValueError):
        name = name or tomllib.loads((home / "settings.toml").read_text()).get("default_toolchain", "")
    return home / "toolchains" / name


def _is_system(place: str) -> bool:
    return any(place == folder or place.startswith(folder + "/") for folder in _SYSTEM)


def _interpreters(command: Sequence[str]) -> list[str]:
    """The program that a command runs and, if that is a script, what runs it."""
    programs = [command[0]]
    try:
        first = read_start(Path(command[0]), 512).partition(b"\n")[0]
    except OSError:
        return programs
    if first.startswith(b"#!"):
        words = first[2:].decode("utf-8", "replace").split()
        programs += words[:1]
        if words and Path(words[0]).name == "env":
            named = [word for word in words[1:] if not word.startswith("-") and "=" not in word][:1]
            programs += [found for word in named if (found := shutil.which(word))]
    return programs


def _environment(command: Sequence[str]) -> dict[str, str]:
    """Small, and none of ours. A Python bot run by our own Python also finds `fa_cli` where it is not installed."""
    folders = [str(Path(program).parent) for program in _interpreters(command)[1:] if Path(program).is_absolute()]
    path = [*_PATH.split(":"), *(folder for folder in folders if folder not in _PATH.split(":"))]
    environment = {
        "PATH": ":".join(path),
        "LANG": "C.UTF-8",
        "HOME": "/tmp",
        "PYTHONHASHSEED": "0",  # else the order of Python's sets is another one in each process
        "PYTHONDONTWRITEBYTECODE": "1",  # its cache in the bot's folder would be a change of the bot
    }
    if command[0] == sys.executable and not _INSTALLED:
        environment["PYTHONPATH"] = str(_ROOT)
    return environment


def _check_readable(own: Path) -> None:
    """Raises OSError unless a user who owns nothing may read the file or folder."""
    needed = stat.S_IROTH | (stat.S_IXOTH if own.is_dir() else 0)
    if own.stat().st_mode & needed != needed:
        raise OSError(
            errno.EACCES,
            f"in the sandbox it runs as a user that owns nothing, who can't read it (chmod -R o+rX {quoted(own)})",
        )


def _tool(name: str) -> str:
    return shutil.which(name) or name
