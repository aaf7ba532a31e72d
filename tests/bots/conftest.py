"""The bots in bots/ as they are after a clone."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from fa_cli.errors import BotCannotRun
from fa_cli.isolation.discovery import Bot, read_bot

FOLDER = Path(__file__).parent.parent.parent / "bots"


@pytest.fixture(scope="session")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Bot]]:
    """`shipped("greedy.py")` is that bot, built if need be; the test is skipped where it can't run.

    The searcher thinks as briefly as it can.
    """
    cache = str(tmp_path_factory.mktemp("cache"))

    def read(path: str) -> Bot:
        try:
            bot = read_bot(FOLDER / path)
        except BotCannotRun as error:
            pytest.skip(str(error))
        if path == "searcher":
            return msgspec.structs.replace(bot, command=(*bot.command, "--iterations", "3"))
        return bot

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "XDG_CACHE_HOME", cache)
        yield read


@pytest.fixture(scope="module")
def searcher() -> Iterator[ModuleType]:
    """Return the searcher's main module, imported with the search path that it has when it runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER / "searcher"))
        yield importlib.import_module("searcher")
    for path in (FOLDER / "searcher").glob("*.py"):
        sys.modules.pop(path.stem, None)
