"""The commitment to a tournament's seed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..common import say

if TYPE_CHECKING:
    from ...tournament.definition import Definition


def say_commitment(definition: Definition) -> None:
    """Print the commitment, which fixes the seed before the first game without revealing it."""
    say(f"commitment of the seed: {commitment_of(definition)}")


def commitment_of(definition: Definition) -> str:
    """The SHA-256 of the seed: printed before the first game, checked by `verify`."""
    return definition.seed.commitment
