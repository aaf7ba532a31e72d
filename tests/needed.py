"""Programs that tests need, and that may not be installed."""

from __future__ import annotations

import shutil
import warnings
from importlib.util import find_spec
from typing import NoReturn

import pytest

from fa_cli.isolation.sandbox.bubblewrap import why_not

needs_sandbox = pytest.mark.skipif(bool(why_not()), reason=f"there is no sandbox here: {why_not()}")


def needs(program: str, untested: str) -> str:
    """The path of a program. Skips the test without it, with a warning that says what is not tested."""
    path = shutil.which(program) or shutil.which(program, path="/usr/sbin")  # servers, on few people's PATH
    return path or skip_with_warning(f"{untested}: {program} is not installed")


def needs_module(name: str) -> None:
    """Skip all tests of a module without this one, which takes too long to import in every worker."""
    if not find_spec(name):
        pytest.skip(f"{name} is not installed", allow_module_level=True)


def skip_with_warning(reason: str) -> NoReturn:
    """Skip the test, with a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.warn(reason, stacklevel=1)
    pytest.skip(reason)
