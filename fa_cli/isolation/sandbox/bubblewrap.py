"""Starting bots and builds, inside bubblewrap (`bwrap`) or without a sandbox, with a small environment of their own.

bwrap starts a program in new Linux namespaces, where it sees only what the command line built here mounts: programs and
libraries of the system and the bot's own files, all read-only; empty file systems in memory on /tmp and /dev/shm; a
/proc with its own processes, and constants for the rest (machine_files.py). It has no network, no capabilities, and a
filter of system calls (seccomp.py). A launcher hides most files about its own processes from it (landlock.py).

Started by root, bwrap needs no user namespace: setpriv then changes to a random user ID. Started by anybody else, bwrap
creates a user namespace, and prlimit sets limits of processes and signals inside it.
"""

from __future__ import annotations

import errno
import os
import platform
import resource
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
from ...models.model import SOCKET
from ...printing.text import printable, quoted
from ...system import find_program, shebang
from ..bot_files import VERSION_CONTROL, read_start
from ..limits import Limits, Sandbox
from ..spawn import PENDING_SIGNALS, Process, read_now
from ..supervision.addresses import fix_addresses
from ..supervision.supervisor import FIRST_INPUT, UID
from .hidden import SYSTEM_PATH, covers, is_hidden
from .landlock import PATH as LAUNCHER_PATH
from .landlock import launch_words, launcher
from .machine_files import bound_machine_files, constant_files
from .own_python import python_links, python_paths
from .seccomp import seccomp_filter

_ROOT = Path(__file__).parents[3]
_INSTALLED = _ROOT.name in ("site-packages", "dist-packages")
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store")
# what programs look for in /etc; nothing that names users or is secret
_ETC = (
    *("alternatives", "java", "java-*", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "timezone"),
    *("ssl/openssl.cnf", "mono", "php", "perl", "node", "R"),
)
_NOBODY = "65534"
_GATEWAY = "/tmp/model"
"""Where a bot in the sandbox finds the socket to its model."""
# compilers and build tools that builds may use: looked up by our PATH, and mounted if installed outside the system
_TOOLS = (
    "cargo rustc go java javac kotlinc scala mvn gradle node npm tsc esbuild deno bun cc gcc g++ clang clang++ make "
    "cmake ninja zig ghc ocamlfind nim dmd ldc2 dotnet swiftc crystal dart fpc"
)
_PROBE_SECONDS = 10.0


def choose(mode: Sandbox, warn: Callable[[str], None]) -> str:
    """Decide on the sandbox and warn if it is missing or incomplete. Returns why bots run without it, "" if they don't.

    Raises UsageError if it is required and missing, or installed and does not work.
    """
    reason = "--sandbox none" if mode is Sandbox.NONE else why_not()
    if reason and (mode is Sandbox.BWRAP or (mode is Sandbox.AUTO and not why_missing())):
        raise UsageError(f"bots can't be sandboxed here: {reason}; --sandbox none runs them without")
    if reason:
        warn(warning(reason))
    if not reason and not seccomp_filter():
        warn(f"the sandbox has no filter of system calls on {platform.machine()}")
    if not reason and not launcher():
        warn("bots can read counters of the machine in /proc/self: Landlock (Linux 5.19 or later) does not work here")
    return reason


def warning(reason: str) -> str:
    """The warning that bots run without the sandbox, and why."""
    return f"bots are not sandboxed and can do anything your account can ({reason})"


def why_not() -> str:
    """Why the sandbox does not work on this machine; empty if a program was run in it successfully."""
    return why_missing() or _why_it_fails()


def why_missing() -> str:
    """Which of the sandbox's programs this machine lacks; empty if all are installed."""
    if sys.platform != "linux":
        return "bubblewrap is for Linux only"
    if not find_program("bwrap"):
        return "bubblewrap is not installed; Debian: apt-get install bubblewrap"
    tool = "setpriv" if os.getuid() == 0 else "prlimit"
    if not find_program(tool):
        return f"{tool} is not installed; it is in util-linux"
    return ""


@cache
def _why_it_fails() -> str:
    """Why bubblewrap, which is installed, does not run a program; empty if it does."""
    try:
        process = start(("/bin/sh", "-c", "exit 37"), "/usr", Limits(sandbox=True))
    except OSError as error:
        return f"bubblewrap does not start: {error.strerror}"
    until = monotonic() + _PROBE_SECONDS
    try:
        while (ending := process.ending()) is None:
            if monotonic() > until:
                return "bubblewrap does not get anywhere"
            sleep(0.001)
        message = (read_now(process.stderr, 1000) or b"").decode(errors="replace").strip()
    finally:
        process.kill()
        process.close()
    return "" if ending[:2] == ["exited", "37"] else f"bubblewrap fails: {printable(message) or ' '.join(ending[:2])}"


def start(
    command: Sequence[str],
    folder: str,
    limits: Limits,
    bot_path: str = "",
    all_cores: bool = False,
    gateway: str = "",
) -> Process:
    """Start a bot in a folder, in the sandbox if `limits` say so. Raises OSError.

    `bot_path`: the file or folder that is the bot; by default `folder`. `all_cores`: see `Process`. `gateway`: the path
    of the socket to its model, if it has one.
    """
    environment = _environment(command)
    if gateway:
        environment[SOCKET] = _GATEWAY if limits.sandbox else gateway
    if not limits.sandbox:
        program = shutil.which(command[0], path=environment["PATH"]) or command[0]
        return Process((program, *command[1:]), folder, environment, limits, all_cores=all_cores)
    bot = Path(bot_path or folder).absolute()
    if os.getuid() == 0:
        _check_readable(bot)
    own = folder if bot.is_dir() else str(bot)
    words, inputs = sandbox_command(command, folder, limits, own, _program_paths(command, environment), gateway=gateway)
    return Process(words, "/", environment, limits, inputs, all_cores)


def start_build(command: Sequence[str], sources: Path, folder: str, limits: Limits) -> Process:
    """Start a program that builds a bot, in a file system in memory mounted on `folder`, which vanishes with it.

    It sees the folder `sources` and the machine's compilers. Raises OSError, also if others can't read the sources.
    """
    if os.getuid() == 0:
        _check_readable(sources)
    toolchains = dict(_toolchains())
    environment = _environment(command)
    folders = [*toolchains, *environment["PATH"].split(":"), str(Path(sys.executable).parent)]
    environment["PATH"] = ":".join(dict.fromkeys(folders))
    programs = (*_program_paths(command, environment), *toolchains.values())
    words, inputs = sandbox_command(command, folder, limits, str(sources.absolute()), programs, build=True)
    return Process(words, "/", environment, limits, inputs, all_cores=True)


def sandbox_command(
    command: Sequence[str],
    folder: str,
    limits: Limits,
    own: str,
    programs: Sequence[str],
    build: bool = False,
    gateway: str = "",
) -> tuple[list[str], list[bytes]]:
    """The command line that runs a command in the sandbox, and its inputs (see `Process`).

    `folder`: its working directory. It sees `own`, the bot, and besides the system `programs`, in which what hidden.py
    has is covered. `build`: `folder` is an empty file system in memory. `gateway`: see `start`.
    """
    by_root = os.getuid() == 0
    seccomp = seccomp_filter(build=build)
    own_launcher = b"" if build else launcher()
    inputs = [content for content in (seccomp, own_launcher) if content]
    machine_files, contents = bound_machine_files(FIRST_INPUT + len(inputs))
    words = [_tool("bwrap"), "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    words += ["--die-with-parent", "--new-session", "--hostname", "sandbox"]
    if by_root:
        words += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]
    else:
        words += ["--unshare-user", "--uid", _NOBODY, "--gid", _NOBODY]
    words += _system_mounts()
    words += ["--proc", "/proc", "--tmpfs", "/proc/1", "--remount-ro", "/proc/1"]  # bwrap's own, and without limits
    words += ["--dev", "/dev", *machine_files]
    words += ["--dev-bind", "/dev/full", "/dev/zero"]  # zeros too, but it can't be mapped: see seccomp.py
    if own_launcher:
        words += ["--perms", "0555", "--ro-bind-data", str(FIRST_INPUT + len(inputs) - 1), LAUNCHER_PATH]
    for path in ("/dev/shm", "/tmp"):
        words += ["--perms", "1777", "--size", str(limits.file_size), "--tmpfs", path]
    system = [folder for folder in _SYSTEM if Path(folder).is_dir() and not Path(folder).is_symlink()]
    covered = covers([*system, *programs], own)
    words += _program_mounts(programs, covered)
    words += [*_parent_folders([own, f"{folder}/"]), "--ro-bind", own, own]
    words += _hide_version_control(Path(folder)) if folder == own else []
    if build:
        words += ["--perms", "1777", "--size", str(limits.file_size), "--tmpfs", folder]
    words += ["--ro-bind", gateway, _GATEWAY] if gateway else []
    for path in ("/dev", "/", *filter(os.path.isdir, covered)):
        words += ["--remount-ro", path]
    words += ["--chdir", folder, *(["--seccomp", str(FIRST_INPUT)] if seccomp else []), "--"]
    words += launch_words([*_top_folders([*programs, own, folder]), *constant_files()]) if own_launcher else []
    if by_root:
        words += [_tool("setpriv"), f"--reuid={UID}", f"--regid={UID}", "--clear-groups"]
        words += ["--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all"]
        words += _setarch()
    else:  # what the kernel counts for each user
        words += [_tool("prlimit"), f"--nproc={_allowed(resource.RLIMIT_NPROC, limits.processes)}"]
        words += [f"--sigpending={_allowed(resource.RLIMIT_SIGPENDING, PENDING_SIGNALS)}"]
    return [*words, *command], [*inputs, *contents]


def _allowed(kind: int, wanted: int) -> int:
    """A limit inside the sandbox: only root may raise what the shell has set (`ulimit -u`, `ulimit -i`)."""
    hard = resource.getrlimit(kind)[1]
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)


@cache
def _setarch() -> tuple[str, ...]:
    """The command that fixes addresses once more: root's bubblewrap and setpriv undo it (supervision/addresses.py)."""
    tool = _tool("setarch")
    return (tool, platform.machine(), "-R") if Path(tool).exists() and fix_addresses(keep=False) else ()


def _hide_version_control(folder: Path) -> list[str]:
    """Options that hide what lies in a bot's folder and its digest does not cover."""
    words = []
    for path in (folder / name for name in VERSION_CONTROL):
        if path.is_dir() and not path.is_symlink():
            words += ["--tmpfs", str(path), "--remount-ro", str(path)]
        elif path.is_file() and not path.is_symlink():
            words += ["--ro-bind", "/dev/null", str(path)]
    return words


def _parent_folders(paths: Sequence[str]) -> list[str]:
    """Options that create the folders above these paths. bwrap would create them readable for root alone.

    A path that ends in a slash is itself created too.
    """
    parents = {str(parent) for path in paths for parent in Path(f"{path}x").parents}
    return [word for parent in sorted(parents - {"/", "/tmp"}) for word in ("--perms", "0755", "--dir", parent)]


def _program_mounts(programs: Sequence[str], covered: Sequence[str]) -> list[str]:
    """Options that show programs and cover what is hidden; what lies in another path comes after it."""
    words: list[str] = []
    links = python_links()
    for path in sorted({*programs, *covered}):
        if path in links:
            words += [*_parent_folders([path]), "--symlink", links[path], path]
        elif path not in covered:
            words += [*_parent_folders([path]), "--ro-bind", path, path]
        elif Path(path).is_dir():
            words += ["--tmpfs", path]
        else:
            words += ["--ro-bind", "/dev/null", path]
    return words


def _system_mounts() -> list[str]:
    folders = list(filter(os.path.lexists, _SYSTEM))
    words: list[str] = _parent_folders(["/etc/", "/etc/ssl/", *folders])
    for folder in folders:
        if Path(folder).is_symlink():
            words += ["--symlink", str(Path(folder).readlink()), folder]
        else:
            words += ["--ro-bind", folder, folder]
    for pattern in _ETC:
        for path in sorted(Path("/etc").glob(pattern)):
            words += ["--ro-bind", str(path), str(path)]
    return words


def _top_folders(paths: Sequence[str]) -> list[str]:
    """The folders in `/` below which a bot reads: all but /proc."""
    return sorted({f"/{Path(path).parts[1]}" for path in (*paths, *_SYSTEM, "/dev", "/etc", "/tmp")})


def _program_paths(command: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    """Paths outside the system that the bot's interpreter needs.

    Only programs in folders of our PATH count: a bot could name any file as its program, another bot's for instance.
    """
    paths: list[str] = []
    for program in _interpreters(command):
        if program == sys.executable:
            paths += python_paths()
            if "PYTHONPATH" in environment:
                paths += map(str, _ROOT.glob("fa_cli*"))  # compiled parts have libraries beside the package
        elif str(Path(program).parent) in os.get_exec_path():
            paths += _installation(program)
    return [path for path in dict.fromkeys(paths) if not _is_system(path)]


def _installation(program: str) -> Iterator[str]:
    """A program's path, and the folder it was installed in (the one above `bin`, such as ~/.nvm/versions/node/v20).

    In place of that folder the program's file alone, if the folder is a home or a bot, or a hidden one of the home
    directory, such as ~/.local or ~/.cargo: those hold more than programs.
    """
    real = Path(program).resolve()
    prefix = real.parent.parent
    yield program
    holds_more = is_hidden(prefix) or (prefix.parent == Path.home() and prefix.name.startswith("."))
    if real.parent.name == "bin" and prefix not in (Path("/"), Path.home()) and not holds_more:
        yield str(prefix)
    else:
        yield str(real)


def _toolchains() -> Iterator[tuple[str, str]]:
    """For each compiler outside the system: the folder of its program, and the path that has to be visible."""
    for tool in _TOOLS.split():
        program = find_program(tool)
        real = Path(program).resolve() if program else None
        if real and real.name == "rustup":  # a proxy; registry keys lie beside its own folder
            real = _rust_toolchain() / "bin" / tool
        if real and real.exists() and not _is_system(str(real)):
            *_, path = _installation(str(real))
            yield str(real.parent), path


def _rust_toolchain() -> Path:
    """The folder of rustup's default toolchain."""
    home = Path(os.environ.get("RUSTUP_HOME") or Path.home() / ".rustup")
    name = os.environ.get("RUSTUP_TOOLCHAIN", "")
    with suppress(OSError, ValueError):
        name = name or tomllib.loads((home / "settings.toml").read_text()).get("default_toolchain", "")
    return home / "toolchains" / name


def _is_system(path: str) -> bool:
    return any(path == folder or path.startswith(folder + "/") for folder in _SYSTEM)


def _interpreters(command: Sequence[str]) -> list[str]:
    """The program that a command runs and, if that is a script, what its `#!` line names, by full path if found."""
    program = command[0]
    try:
        first_line = read_start(Path(program), 512).partition(b"\n")[0]
    except OSError:
        return [program]
    interpreter, *by_env = shebang(first_line) or [""]
    return [program, *filter(None, (interpreter, *map(find_program, by_env)))]


def _environment(command: Sequence[str]) -> dict[str, str]:
    """The environment variables of a program; none of ours.

    A Python bot run by our own Python imports `fa_cli` also if that is not installed.
    """
    folders = [str(Path(program).parent) for program in _interpreters(command)[1:] if Path(program).is_absolute()]
    system = SYSTEM_PATH.split(":")
    path = [*system, *(folder for folder in folders if folder not in system)]
    environment = {
        "PATH": ":".join(path),
        "LANG": "C.UTF-8",
        "HOME": "/tmp",
        "PYTHONHASHSEED": "0",  # else the order of Python's sets differs from process to process
        "PYTHONDONTWRITEBYTECODE": "1",  # a cache in the bot's folder would change the bot's digest
    }
    if command[0] == sys.executable and not _INSTALLED:
        environment["PYTHONPATH"] = str(_ROOT)
    return environment


def _check_readable(path: Path) -> None:
    """Raises OSError unless everybody may read the file or folder."""
    needed = stat.S_IROTH | (stat.S_IXOTH if path.is_dir() else 0)
    if path.stat().st_mode & needed != needed:
        raise OSError(
            errno.EACCES,
            f"in the sandbox it runs as a user that owns nothing, who can't read it (chmod -R o+rX {quoted(path)})",
        )


def _tool(name: str) -> str:
    """The path of a program of the sandbox itself."""
    return find_program(name) or f"/usr/bin/{name}"
