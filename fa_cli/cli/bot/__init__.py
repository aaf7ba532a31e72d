"""`fa bot`: commands for authors of bots."""

from __future__ import annotations

from ..framework.commands import Group
from . import check_bot, new, replay

GROUP = Group(
    "Create a bot, check it, or replay a game with it.",
    {"new": new.new, "check": check_bot.check, "replay": replay.replay},
)
