"""The sections of a command's help. A module of its own, because the help of `fa` does not import msgspec."""

from __future__ import annotations

import enum


class OptionGroup(enum.StrEnum):
    """The sections of a command's help, in their order."""

    PLAYERS = "Players and games"
    TIME = "Time"
    SEATS = "Seats and deals"
    STOPPING = "Stopping early"
    LIMITS = "Limits of bots"
    RUNNING = "Running"
    TABLE = "Table"
    OUTPUT = "Output"
    GENERAL = "General"
    """Options that every command has."""
