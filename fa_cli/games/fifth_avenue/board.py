"""The board and the pieces of Fifth Avenue as data, and tables derived from them.

Places on the board are numbers: 0 City Hall, 1-7 the districts in order, 8 Central Park. District d (0-6) has the plots
6d to 6d + 5: one per colour, then the dashed one. Suits are 0 black and 1-5 the colours. Card c has the suit c // 3 and
the value 4 + c % 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

DISTRICTS: Final = ("34E", "34W", "42E", "42W", "TS", "52E", "52W")
PLACES: Final = ("CityHall", *DISTRICTS, "CentralPark")
COMMISSIONERS: Final = ("white", "beige")
COLOURS: Final = ("orange", "green", "gray", "brown", "violet")
SUITS: Final = ("black", *COLOURS)
PLOT_NAMES: Final = (*COLOURS, "dashed")
BUSINESSES: Final = ("boutique", "jeweler", "gallery", "perfumery")

CITY_HALL: Final = 0
CENTRAL_PARK: Final = 8
LOTS: Final = (*DISTRICTS, "CentralPark")
PARK_LOT: Final = 7  # the other lots are the districts 0-6
DASHED: Final = 5  # the sixth plot of a district
PLOTS: Final = 42
CARDS: Final = 18  # kinds of bidding cards

PLOTS_TEXT: Final = tuple(f"{district}.{plot}" for district in DISTRICTS for plot in PLOT_NAMES)
CARDS_TEXT: Final = tuple(f"{suit} {value}" for suit in SUITS for value in (4, 5, 6))
SUIT: Final = [card // 3 for card in range(CARDS)]
WORTH: Final = [4 + card % 3 for card in range(CARDS)]
LIMIT: Final = [3 - card % 3 for card in range(CARDS)]  # the number of skyscrapers shown on the card

# Cards with the values 4, 5 and 6 in the deck of each colour, and in the black deck.
COLOUR_DECK: Final = (5, 4, 3)
BLACK_DECK: Final = (20, 16, 14)
TILES_PER_BUSINESS: Final = 9
PIECES: Final = 18  # skyscrapers of one player

NO_DASHED: Final = -1
DASHED_AFTER: Final = ((NO_DASHED,) * len(DISTRICTS), (0, 1, 2, 3, 4, 0, 2))
"""The colour that the dashed plot follows in the ring (FA-2), by side (0 five, 1 six), by district."""


def ring(dashed_after: int) -> tuple[int, ...]:
    """Return the ring of plots around a district's centre as indices in `PLOT_NAMES`, colours in their order (FA-1)."""
    colours = tuple(range(len(COLOURS)))
    if dashed_after == NO_DASHED:
        return colours
    return (*colours[: dashed_after + 1], DASHED, *colours[dashed_after + 1 :])


RINGS: Final = [[ring(after) for after in districts] for districts in DASHED_AFTER]
"""The rings of plots, by side and district."""

_ROUTE: Final = {
    "CityHall": ("34E", "34W"),
    "34E": ("42E", "TS"),
    "34W": ("42W", "TS"),
    "42E": ("52E",),
    "42W": ("52W",),
    "TS": ("52E", "52W"),
    "52E": ("CentralPark",),
    "52W": ("CentralPark",),
    "CentralPark": ("CityHall",),
}


def neighbours(rings: Sequence[tuple[int, ...]]) -> list[tuple[int, int]]:
    """Return by plot of these districts its two neighbours in the ring; a plot outside the ring neighbours itself."""
    pairs = [(plot, plot) for plot in range(6 * len(rings))]
    for district, plots in enumerate(rings):
        for at, plot in enumerate(plots):
            pairs[6 * district + plot] = (6 * district + plots[at - 1], 6 * district + plots[(at + 1) % len(plots)])
    return pairs


NEIGHBOURS: Final = [neighbours(rings) for rings in RINGS]
"""The two neighbours of each plot, by side (0 five, 1 six) (FA-1, FA-2)."""


def successors(place: int, stopped: int) -> list[int]:
    """Return the places to which a commissioner may move from `place`, rising (FA-12).

    A stopped district is skipped: its own successors take its place. `stopped` is a bit mask over the districts.
    """
    reachable: set[int] = set()
    for name in _ROUTE[PLACES[place]]:
        following = PLACES.index(name)
        if 1 <= following <= 7 and stopped >> (following - 1) & 1:
            reachable.update(successors(following, stopped))
        else:
            reachable.add(following)
    return sorted(reachable)


# The businesses on a plot are one number, its content: a + 5b, where a and b are 1 + the types of the first and the
# second business, or 0 for none.
TYPES_ON: Final = [(1 << a >> 1 if a else 0) | (1 << b >> 1 if b else 0) for b in range(5) for a in range(5)]
"""The types of business on a plot as a bit mask, by its content."""


def businesses_on(content: int) -> list[str]:
    """Return the businesses that a plot's content stands for, the first one first."""
    return [BUSINESSES[tile - 1] for tile in (content % 5, content // 5) if tile]


TYPE_COUNT: Final = [bin(mask).count("1") for mask in range(16)]
POINTS_BY_TYPES: Final = (1, 2, 3, 5, 8)
POINTS_BY_MASK: Final = [POINTS_BY_TYPES[count] for count in TYPE_COUNT]
"""The points of a skyscraper, by mask of the business types next to it."""

SET_SIZES: Final = (3, 2, 3, 2, 3, 2, 3, 2)
ROW: Final = sum(SET_SIZES)
SPECIAL_SCORING: Final = {3: (3, 4), 6: (4, 6), 9: (5, 8)}
"""(districts with a skyscraper required, points), by number of placed businesses."""
LAST_BUSINESS: Final = 12
LAST_STOP: Final = 2

BY_BUSINESSES: Final = 1  # why a game ended
BY_STOPS: Final = 2
BY_TURN_LIMIT: Final = 3
REASONS: Final = ("", "businesses", "stops", "turn-limit")

# What the points of a POINTS entry are for, as an index in POINTS_FOR: 0 to 6 the scoring of that district, then these.
FOR_STOP: Final = 7
FOR_SPECIAL: Final = 8
FOR_PARK: Final = 9
POINTS_FOR: Final = (*DISTRICTS, "stop", "special", "CentralPark")

DISTRICT_COUNT: Final = [bin(mask).count("1") for mask in range(128)]
"""The number of districts in each bit mask over them."""
