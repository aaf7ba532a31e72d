"""The action table: its order, its size, and both ways between text and number."""

from __future__ import annotations

from itertools import combinations

from fa_cli.games.fifth_avenue import GAME

DISTRICTS = ["34E", "34W", "42E", "42W", "TS", "52E", "52W"]
COLOURS = ["orange", "green", "gray", "brown", "violet"]
PLOTS = [f"{district}.{plot}" for district in DISTRICTS for plot in [*COLOURS, "dashed"]]

TABLE = [
    *["pass", "done", "build 0", "build 1", "build 2", "build 3", "stop", "commissioner", "skyscrapers"],
    *[f"score {district}" for district in DISTRICTS],
    "draw none",
    *[f"draw {colour}" for colour in COLOURS],
    *[f"draw {one} {two}" for one, two in combinations(COLOURS, 2)],
    *[f"move white {place}" for place in ["CityHall", *DISTRICTS, "CentralPark"]],
    *[f"move beige {place}" for place in ["CityHall", *DISTRICTS, "CentralPark"]],
    *[f"bid {suit} {value}" for suit in ["black", *COLOURS] for value in (4, 5, 6)],
    *[f"business {tile} {plot}" for tile in ["boutique", "jeweler", "gallery", "perfumery"] for plot in PLOTS],
    *[f"place {plot}" for plot in PLOTS],
]


def test_the_table() -> None:
    assert list(GAME.actions) == TABLE
    assert len(TABLE) == len(set(TABLE)) == 278
