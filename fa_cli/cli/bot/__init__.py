"""`fa bot`: commands for authors of bots."""

from __future__ import annotations

from ..framework.commands import Group
from . import check_bot, connect, new, replay

GROUP = Group(
    "Create a bot, check it, replay a game with it, or let it play elsewhere.",
    {"new": new.new, "check": check_bot.check, "replay": replay.replay, "connect": connect.connect},
)
