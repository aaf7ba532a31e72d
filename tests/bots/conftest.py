"""The bots that ship in bots/."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from fa_cli.errors import BotCannotRun
from fa_cli.isolation.discovery import Bot, read_bot

FOLDER = Path(__file__).parent.parent.parent / "bots"


@pytest.fixture(scope="session")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Bot]]:
    """`shipped("greedy.py")` returns that bot, built if necessary; it skips the test if the bot can't run here.

    Those that search get three iterations per decision.
    """
    cache = str(tmp_path_factory.mktemp("cache"))

    def read(path: str) -> Bot:
        try:
            bot = read_bot(FOLDER / path)
        except BotCannotRun as error:
            pytest.skip(str(error))
        if path in ("searcher", "student"):
            return msgspec.structs.replace(bot, command=(*bot.command, "--iterations", "3"))
        return bot

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "XDG_CACHE_HOME", cache)
        yield read
