"""`fa bot connect`: plays for a bot on a host elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ...errors import BotError, UsageError, extra
from ...option import Argument, Option
from ..common import say
from ..help import explained
from ..limit_options import say_builds

if TYPE_CHECKING:
    from ...isolation.discovery import Bot


@explained(
    "remote-bots",
    ("Play with your bot on another machine", "fa bot connect wss://play.example.org --token TOKEN -- ./my-bot"),
    (
        "Give it the name that the host knows",
        "fa bot connect wss://play.example.org --token TOKEN --name anna -- bot.py",
    ),
)
def connect(
    host: Annotated[str, Argument("The address of the host, ws://HOST:PORT or wss://HOST.", "HOST")],
    bot: Annotated[list[str], Argument("Your bot, or a command that runs it.", "BOT...")],
    token: Annotated[str, Option("Say TOKEN, which you have from the host.", "TOKEN")],
    name: Annotated[str | None, Option("Play as NAME. [default: the bot's name]", "NAME")] = None,
) -> None:
    """Let a bot on this machine play in tournaments of a host elsewhere.

    The bot stays connected until Ctrl-C. A lost connection is made again, and games go on where they were. Each game
    that is played at the same time has a program of its own.
    """
    import asyncio
    from contextlib import suppress

    if not host.startswith(("ws://", "wss://")):
        raise UsageError(f"the address of a host begins with ws:// or wss://, and not as in {host[:80]!r}")
    with extra("web", "fa bot connect"):
        from ...serve.bots.client import Client
    found = _read_bot(bot)
    address = f"{host.rstrip('/')}/bots/{name or found.name}/connect"
    with suppress(KeyboardInterrupt):
        asyncio.run(Client(address, token, found, say).run())


def _read_bot(words: list[str]) -> Bot:
    """The bot at a path, or one whose command has several words, without a digest. Raises BotError."""
    from ...isolation.discovery import Bot, read_bot
    from ...system import find_program

    if len(words) == 1:
        say_builds()
        return read_bot(words[0])
    program = find_program(words[0])
    if not program:
        raise BotError(f"{words[0]}: no such program")
    return Bot(Path(program).stem, program, (program, *words[1:]), ".")
