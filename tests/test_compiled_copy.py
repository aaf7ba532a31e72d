"""A checkout uses its compiled copy only while every source is as it was compiled; tools/compile_copy.py makes it.

The compiled modules here are tiny ones in C: what is tested is which file Python imports.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.c_modules import CAN_COMPILE, compile_library

ROOT = Path(__file__).parent.parent
MODULE = "fa_cli.system"
BUILD = (ROOT / "setup.py", ROOT / "pyproject.toml")
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
EXTENSION = """
#include <Python.h>
static struct PyModuleDef module = {.m_base = PyModuleDef_HEAD_INIT, .m_name = "system", .m_size = -1};
PyMODINIT_FUNC PyInit_system(void) { return PyModule_Create(&module); }
"""
# Each program begins with START: another environment and package. `copying` is the tool, `origin()` gives
# the extension of the file that Python would import as MODULE: `py` or `so`.
START = """
import sys
from importlib.util import find_spec
sys.prefix = {environment!r}
sys.path[:0] = [{checkout!r}, {checkout!r} + "/tools"]
def origin():
    return find_spec({module!r}).origin.rpartition(".")[2]
def append(file):
    with open({checkout!r} + "/fa_cli/" + file, "a") as source:
        source.write("# changed")
"""
TOOL = """
import compile_copy as copying
copying.subprocess.Popen = lambda *command, **options: print("started")
"""

pytestmark = pytest.mark.skipif(not CAN_COMPILE, reason="no C compiler, or no Python.h")


@pytest.fixture(scope="module")
def extension(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A compiled module `system` with nothing in it."""
    folder = tmp_path_factory.mktemp("extension")
    (folder / "system.c").write_text(EXTENSION)
    return compile_library(folder / "system.c", folder).read_bytes()


class Checkout:
    """A checkout of the parts that matter here, with an environment."""

    def __init__(self, folder: Path, extension: bytes) -> None:
        self.root = folder / "checkout"
        self.copy = folder / "environment/fa-compiled"
        self.wheel = folder / "fa.whl"
        for file in (*ROOT.glob("fa_cli/*.py"), *ROOT.glob("fa_cli/games/*.py"), *ROOT.glob("tools/*.py"), *BUILD):
            (self.root / file.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, self.root / file.relative_to(ROOT))
        self.copy.mkdir(parents=True)
        with zipfile.ZipFile(self.wheel, "w") as wheel:
            wheel.writestr(f"{MODULE.replace('.', '/')}{SUFFIX}", extension)

    def begin(self, code: str, stderr: bool = False, **environment: str) -> subprocess.Popen[str]:
        """Start Python code in it, in a process group of its own."""
        start = START.format(environment=str(self.copy.parent), checkout=str(self.root), module=MODULE)
        inherited = {name: value for name, value in os.environ.items() if name not in ("FA_COMPILE", "CC")}
        return subprocess.Popen(
            [sys.executable, "-c", start + code],
            cwd=self.copy.parent,
            env=inherited | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if stderr else None,
            text=True,
            start_new_session=True,
        )

    def run(self, code: str, stderr: bool = False, **environment: str) -> str:
        """Run Python code in it and return what it prints, with `stderr` there too."""
        with self.begin(code, stderr, **environment) as process:
            printed, _ = process.communicate()
        assert process.returncode == 0, printed
        return printed.strip()

    def origin(self, **environment: str) -> str:
        """The extension of the file that Python imports as the module: `py` or `so`."""
        return self.run("print(origin())", **environment)

    def publish(self, meanwhile: str = "") -> None:
        """Publish the wheel as the result of compiling the sources as they are; `meanwhile` runs before."""
        digest = "digest = copying.source_digest(copying.ROOT)"
        self.run("\n".join([TOOL, digest, meanwhile, f"copying.publish(copying.Path({str(self.wheel)!r}), digest)"]))

    def start(self, **environment: str) -> str:
        """Run the tool as `make tournament` does, but compile nothing; `started` if it would have."""
        return self.run(TOOL + "sys.argv = ['']\ncopying.main()", **environment)

    def digest(self) -> str:
        """The digest of the sources as they are."""
        return self.run(TOOL + "print(copying.source_digest(copying.ROOT))")


@pytest.fixture
def checkout(tmp_path: Path, extension: bytes) -> Checkout:
    return Checkout(tmp_path, extension)


def test_a_copy_is_used_unless_it_is_switched_off(checkout: Checkout) -> None:
    assert checkout.origin() == "py"
    checkout.publish()
    assert checkout.origin() == "so"
    assert checkout.origin(FA_COMPILE="0") == "py"
    (file,) = checkout.copy.glob(f"*/{MODULE}{SUFFIX}")
    assert checkout.run("import fa_cli.system\nprint(fa_cli.system.__file__)") == str(file)


def append(path: Path) -> None:
    path.write_text(path.read_text() + "# changed\n")


def keep_size_and_time(path: Path) -> None:
    """Another content with the size and the time of modification that the file had, as `cp -p` or `tar` leave it."""
    before = path.stat()
    content = path.read_bytes()
    path.write_bytes(content.replace(b"the", b"eht", 1))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size
    assert path.read_bytes() != content


def replace(path: Path) -> None:
    """Another file renamed to it, as many editors save."""
    new = path.with_suffix(".new")
    new.write_text(path.read_text() + "# changed\n")
    new.replace(path)


@pytest.mark.parametrize("change", [append, keep_size_and_time, replace, Path.unlink])
@pytest.mark.parametrize("file", ["games/seed.py", "errors.py"])
def test_no_stale_module_is_imported(checkout: Checkout, change: Callable[[Path], None], file: str) -> None:
    checkout.publish()
    change(checkout.root / "fa_cli" / file)
    assert checkout.origin() == "py"


def test_the_edited_module_itself_is_imported(checkout: Checkout) -> None:
    checkout.publish()
    append(checkout.root / "fa_cli/system.py")
    assert checkout.origin() == "py"


def test_a_process_does_not_mix_old_and_new(checkout: Checkout) -> None:
    """An edit after the first compiled module was imported changes nothing for this process."""
    checkout.publish()
    edit = "import fa_cli.system\nappend('errors.py')\ndel sys.modules['fa_cli.system']\n"
    assert checkout.run(edit + "print(origin())") == "so"
    assert checkout.origin() == "py"


def test_an_edit_taken_back_needs_no_compiling(checkout: Checkout) -> None:
    checkout.publish()
    file = checkout.root / "fa_cli/errors.py"
    content = file.read_text()
    append(file)
    assert checkout.start() == "started"
    file.write_text(content)
    assert checkout.origin() == "py"  # nothing has looked at the contents yet
    assert checkout.start() == ""
    assert checkout.origin() == "so"


def test_sources_edited_while_they_are_compiled_are_compiled_again(checkout: Checkout) -> None:
    checkout.publish(meanwhile="append('errors.py')")
    assert checkout.origin() == "py"
    assert checkout.start() == "started"


def test_the_last_copy_stays_for_processes_that_use_it(checkout: Checkout) -> None:
    digests = []
    for _ in range(3):
        append(checkout.root / "fa_cli/errors.py")
        checkout.publish()
        digests.append(checkout.digest())
        assert checkout.origin() == "so"
    assert {path.name for path in checkout.copy.iterdir() if path.is_dir()} == {*digests[1:]}


@pytest.mark.parametrize("stamp", ["", "nowhere\n", "\0", "\xff"])
def test_a_damaged_stamp_is_ignored(checkout: Checkout, stamp: str) -> None:
    checkout.publish()
    (checkout.copy / "stamp").write_text(stamp, encoding="latin-1")
    assert checkout.origin() == "py"


def test_a_torn_stamp_is_ignored(checkout: Checkout) -> None:
    checkout.publish()
    stamp = checkout.copy / "stamp"
    lines = stamp.read_text()
    for end in (1, 10, len(lines) // 2, len(lines) - len(lines.split("\n")[0]) - 1):
        stamp.write_text(lines[:-end])
        assert checkout.origin() == "py"


def test_nothing_starts_without_a_compiler_or_when_switched_off(checkout: Checkout) -> None:
    assert checkout.start() == "started"
    assert checkout.start(FA_COMPILE="0") == ""
    assert checkout.start(CC="no-such-compiler -pthread") == ""
    no_headers = "copying.sysconfig.get_path = lambda name: '/nowhere'\nprint(copying.can_compile())"
    assert checkout.run(TOOL + no_headers) == "False"


def test_a_failed_attempt_is_not_repeated_at_once(checkout: Checkout) -> None:
    failed = checkout.copy / "failed"
    failed.write_text(checkout.digest())
    assert checkout.start() == ""
    waiting = "sys.argv = ['', '--wait']\ncopying.compile_copy = lambda log: print('compiled')\ncopying.main()"
    assert checkout.run(TOOL + waiting) == "compiled"  # who waits asks for it again
    os.utime(failed, (0, time.time() - 2 * 86_400))
    assert checkout.start() == "started"
    failed.write_text(checkout.digest())
    append(checkout.root / "fa_cli/errors.py")
    assert checkout.start() == "started"


def test_one_compiles_at_a_time(checkout: Checkout) -> None:
    with (checkout.copy / "log").open("a") as log:
        fcntl.flock(log, fcntl.LOCK_EX)
        assert checkout.start() == ""
    assert checkout.start() == "started"


def truncate(module: Path) -> None:
    os.truncate(module, module.stat().st_size // 2)


def overwrite(module: Path) -> None:
    module.write_bytes(bytes(module.stat().st_size))


def other_format(module: Path) -> None:
    """The header of another processor, with the old time of modification."""
    before = module.stat()
    module.write_bytes(module.read_bytes()[:18] + b"\xff\xff" + module.read_bytes()[20:])
    os.utime(module, ns=(before.st_atime_ns, before.st_mtime_ns))


def without_symbol(module: Path) -> None:
    module.write_bytes(module.read_bytes().replace(b"PyInit_system", b"PyInit_sysTem"))


@pytest.mark.slow
@pytest.mark.parametrize("damage", [truncate, overwrite, other_format, without_symbol, Path.unlink])
def test_a_damaged_module_is_not_imported(checkout: Checkout, damage: Callable[[Path], None]) -> None:
    checkout.publish()
    (module,) = checkout.copy.glob(f"*/{MODULE}{SUFFIX}")
    damage(module)
    code = (
        "import subprocess, fa_cli.errors, fa_cli.system\nprint(fa_cli.system.__file__)\n"
        "import os; print(os.environ.get('FA_COMPILE'))"
    )
    source, switch = checkout.run(code, stderr=True).splitlines()[-2:]
    assert source.endswith("fa_cli/system.py")
    if damage is not Path.unlink:  # it is Python's turn then, and other modules would be told
        warning = f"warning: {module} was damaged, so fa runs without compiled parts"
        assert checkout.run(code, stderr=True).count(warning) == 1
        assert switch == "0"
    assert checkout.start() == "started"  # it is compiled again
    assert checkout.origin() == "py"


def test_a_killed_compilation_leaves_nothing_for_long(checkout: Checkout, tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    for file in ("README.md", "LICENSE"):
        shutil.copy(ROOT / file, checkout.root)
    code = "import compile_copy as copying\ncopying.compile_copy()"
    with checkout.begin(code, TMPDIR=str(tmp_path / "tmp")) as process:
        until = time.monotonic() + 60
        while not list(tmp_path.rglob("source/LICENSE")) and process.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)
    assert list(tmp_path.rglob("source/LICENSE"))
    assert list((tmp_path / "tmp").iterdir()) == []
    assert checkout.start() == "started"
    assert {path.name for path in checkout.copy.iterdir()} == {"log"}
