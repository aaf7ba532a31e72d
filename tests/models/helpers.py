"""Bots with a model, and games that they play."""

from __future__ import annotations

import re
import shutil
from functools import cache
from pathlib import Path
from typing import Any

from fa_cli.cli.games.whole_schema import whole_schema
from fa_cli.games import find_game
from fa_cli.games.seed import Seed
from fa_cli.isolation.bot_session import BotSession
from fa_cli.isolation.discovery import Bot, read_bot
from fa_cli.isolation.limits import Limits
from fa_cli.isolation.sandbox.bubblewrap import why_not
from fa_cli.kits.kit import write_kit
from fa_cli.kits.languages import KITS
from fa_cli.match.player import RandomPlayer
from fa_cli.match.referee import play
from fa_cli.models.exchanges import add_totals
from fa_cli.models.model import ModelRun
from fa_cli.protocol.messages import Clock
from fa_cli.replay.record import Record
from tests.needed import needs_module

from .server import KEY, MODEL, Provider

needs_module("openai")  # an extra, which the kit needs
KEY_ENV = "LOOPBACK_KEY"
SANDBOXED = not why_not()
_schema = cache(whole_schema)
_PLAIN = Path(__file__).with_name("plain_bot.py")


def model_bot(folder: Path, server: Provider, plain: bool = False, **values: Any) -> Path:
    """The kit of a bot with a language model, for this server; `values` are set in its table `[model]`.

    A `plain` one asks in the same way without the kit's imports, which take a second of processor time in each process.
    """
    write_kit(folder, "llm", KITS["llm"], _schema())
    if plain:
        shutil.copy(_PLAIN, folder / "bot.py")
    values = {"base_url": server.url, "model": MODEL, "key_env": KEY_ENV, "timeout": 1.0} | values
    text = (folder / "bot.toml").read_text()
    for name, value in values.items():
        shown = f'"{value}"' if isinstance(value, str) else value
        text, count = re.subn(rf"(?m)^{name} = .*$", f"{name} = {shown}", text)
        assert count == 1, name
    (folder / "bot.toml").write_text(text)
    return folder


def play_one(bot: Path, run: ModelRun, move_ms: int = 20_000, seed: int = 1) -> Record:
    """A game of Manhattan of this bot, in the sandbox if there is one, against dice."""
    game = find_game("manhattan")
    limits = Limits(start=60, idle_cpu=60, sandbox=SANDBOXED)
    session = BotSession(read_bot(bot, sandboxed=SANDBOXED), limits, models=run)
    try:
        record, _ = play(
            game,
            game.make_options({}),
            [session, RandomPlayer()],
            ["model", "dice"],
            Seed(bytes([seed]) * 32),
            Clock(move_ms),
        )
        add_totals(record.meta, [session.model_totals(), None])
        return record
    finally:
        session.close()


__all__ = ["KEY", "KEY_ENV", "SANDBOXED", "Bot", "model_bot", "play_one"]
