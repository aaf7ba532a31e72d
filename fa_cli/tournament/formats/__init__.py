"""The tournament formats: who plays whom. Only this module lists them."""

from __future__ import annotations

from .format import TournamentFormat, name_of
from .gauntlet import Gauntlet
from .knockout import Knockout
from .ladder import Ladder
from .round_robin import RoundRobin
from .swiss import Swiss

FORMATS: dict[str, type[TournamentFormat]] = {
    name_of(each): each for each in (RoundRobin, Gauntlet, Swiss, Knockout, Ladder)
}
"""The formats by name, in the order in which people see them. The first is the default."""
