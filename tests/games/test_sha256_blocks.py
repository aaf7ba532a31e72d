"""The blocks computed in C against hashlib, which chance.py uses without them."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import sysconfig
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fa_cli.games import chance

SOURCE = Path(__file__).parents[2] / "fa_cli/games/sha256_blocks.c"
MOST_PREFIX = 47

pytestmark = pytest.mark.skipif(
    not (shutil.which("cc") and Path(sysconfig.get_path("include"), "Python.h").exists()),
    reason="no C compiler, or no Python.h",
)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The module, compiled; skips where the processor lacks the instructions."""
    library = tmp_path_factory.mktemp("compiled") / "sha256_blocks.so"
    shared = ("-bundle", "-undefined", "dynamic_lookup") if sys.platform == "darwin" else ("-shared", "-fPIC")
    flags = ("-O2", "-Wall", "-Wextra", "-Werror", f"-I{sysconfig.get_path('include')}")
    subprocess.run(["cc", *shared, *flags, str(SOURCE), "-o", str(library)], check=True)
    loader = ExtensionFileLoader("sha256_blocks", str(library))
    try:
        return module_from_spec(ModuleSpec("sha256_blocks", loader, origin=str(library)))
    except ImportError as error:
        pytest.skip(str(error))


def by_hashlib(prefix: bytes, first: int, count: int) -> bytes:
    """The definition."""
    return b"".join(
        hashlib.sha256(prefix + number.to_bytes(8, "big")).digest() for number in range(first, first + count)
    )


@given(st.binary(max_size=MOST_PREFIX), st.integers(0, 300) | st.integers(0, 2**62), st.integers(0, 20))
def test_the_blocks_are_those_of_hashlib(compiled: Any, prefix: bytes, first: int, count: int) -> None:
    assert compiled.blocks(prefix, first, count) == by_hashlib(prefix, first, count)


@pytest.mark.parametrize("length", range(MOST_PREFIX + 1))
def test_every_length_of_a_prefix(compiled: Any, length: int) -> None:
    prefix = bytes(range(200, 200 + length))
    assert compiled.blocks(prefix, 255, 3) == by_hashlib(prefix, 255, 3)


@pytest.mark.parametrize(
    ("prefix", "first", "count"),
    [(bytes(MOST_PREFIX + 1), 0, 1), (b"", -1, 1), (b"", 0, -1), (b"", 0, sys.maxsize)],
)
def test_what_does_not_fit_is_an_error(compiled: Any, prefix: bytes, first: int, count: int) -> None:
    with pytest.raises(ValueError, match="a prefix has at most 47 bytes"):
        compiled.blocks(prefix, first, count)


@pytest.mark.parametrize("label", ["stock 0", "fourteen bytes", "longer than that"])
def test_a_stream_uses_them_as_far_as_they_go(compiled: Any, label: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bytes] = []

    def blocks(prefix: bytes, first: int, count: int) -> bytes:
        asked.append(prefix)
        found: bytes = compiled.blocks(prefix, first, count)
        return found

    monkeypatch.setattr(chance, "_quick_blocks", None)
    expected = chance.Stream(bytes(32), label)
    want = [expected.below(1000) for _ in range(50)]
    monkeypatch.setattr(chance, "_quick_blocks", blocks)
    stream = chance.Stream(bytes(32), label)
    assert [stream.below(1000) for _ in range(50)] == want
    assert bool(asked) == (len(label) <= 14)
