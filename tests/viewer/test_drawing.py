"""The drawn boards of all games, over whole games: the golden playthroughs, decision by decision."""

from __future__ import annotations

import doctest
import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest

from fa_cli.games import GAMES
from fa_cli.games.game import Game
from fa_cli.viewer import drawing
from fa_cli.viewer.drawing import Drawing, closed, draw, svg
from fa_cli.viewer.drawing.fifth_avenue_districts import ring
from fa_cli.viewer.drawing.new_york import longest_chains
from tests.conftest import thinned
from tests.playthroughs.regenerate import moments, path_of, variants

ALL = [(game, players, options) for game in GAMES for players, options in variants(game)]
View = dict[str, Any]

each_game = pytest.mark.parametrize(
    ("game", "players", "options"), thinned(ALL, 7), ids=[path_of(*each).stem for each in ALL]
)


def views(game: Game, players: int, options: dict[str, Any]) -> Iterator[View]:
    """The view of everything, before each decision of the golden playthrough and at its end."""
    return (game.view(state, None) for state, _, _ in moments(game, players, options))


@cache
def data(part: str) -> list[tuple[str, str, int]]:
    """The `data-*` attributes in a part: name, value, and how many pieces the element stands for."""
    return [
        (name.removeprefix("data-"), value, int(shape.get("data-count") or shape.get("data-skyscrapers") or 1))
        for shape in ElementTree.fromstring(part).iter()
        for name, value in shape.attrib.items()
        if name.startswith("data-")
    ]


def drawn_pieces(drawn: Drawing, name: str) -> Counter[str]:
    """By value of `data-NAME`: how many pieces are drawn."""
    found: Counter[str] = Counter()
    for part in drawn.parts:
        for shown, value, count in data(part.svg):
            if shown == name:
                found[value] += count
    return found


@each_game
def test_every_moment(game: Game, players: int, options: dict[str, Any]) -> None:
    """Every part is one element without references, and all drawings of a game have the same keys, size and title.

    A decision changes few parts, so that a page that keeps only what changes stays small.
    """
    seen: set[str] = set()
    frames, drawings = set(), []
    for view in views(game, players, options):
        whole = draw(game.name, view)
        drawings.append(whole.parts)
        for shown in (whole, draw(game.name, closed(view))):
            frames.add((shown.width, shown.height, shown.title, tuple(part.key for part in shown.parts)))
            seen.update(part.svg for part in shown.parts)
            assert shown.description
    changed = [sum(old != new for old, new in zip(before, after, strict=True)) for before, after in pairwise(drawings)]
    assert 1 <= sum(changed) / len(changed) <= 16
    assert min(changed) >= 1
    assert len(frames) == 1
    keys = next(iter(frames))[-1]
    assert len(set(keys)) == len(keys)
    for part in seen:
        element = ElementTree.fromstring(part)
        assert element.tag == "g"
        for shape in element.iter():
            assert shape.tag in {"g", "title", "text", "rect", "circle", "path"}
            assert not {"id", "style", "href", "src"} & shape.attrib.keys()
        assert not re.search(r"url\(|://|nan|inf\b", part)


@each_game
def test_views_differ_in_hands_only(game: Game, players: int, options: dict[str, Any]) -> None:
    """A seat's drawing is the open drawing where its own hand is, and the closed one elsewhere."""
    for number, (state, _, _) in enumerate(moments(game, players, options)):
        if number % 7:
            continue
        everything = game.view(state, None)
        pairs = list(zip(draw(game.name, everything).parts, draw(game.name, closed(everything)).parts, strict=True))
        for seat in range(players):
            own = re.compile(rf"hand\.{seat}(\.|$)")
            expected = [open_ if own.match(open_.key) else shut for open_, shut in pairs]
            assert list(draw(game.name, game.view(state, seat)).parts) == expected
        for open_, shut in pairs:
            assert open_ == shut or open_.key.startswith("hand.")


@each_game
def test_a_seat_is_shown_nothing_hidden(game: Game, players: int, options: dict[str, Any]) -> None:
    """With other cards wherever the seat can't know them, its drawing is the same."""
    generator = random.Random(1)
    changed = 0
    for number, (state, _, _) in enumerate(moments(game, players, options)):
        if number % 17 == 5 and state.actor >= 0:
            seat = number % players
            other = game.resample_from_infostate(state, seat, generator)
            assert draw(game.name, game.view(other, seat)) == draw(game.name, game.view(state, seat))
            changed += draw(game.name, game.view(other, None)) != draw(game.name, game.view(state, None))
    assert changed


@each_game
def test_pieces_are_those_of_the_view(game: Game, players: int, options: dict[str, Any]) -> None:
    expected = {"fifth-avenue": _fifth_avenue, "manhattan": _manhattan, "new-york": _new_york}[game.name]
    for number, view in enumerate(views(game, players, options)):
        if number % 5 == 0 or view["actor"] < 0:
            drawn = draw(game.name, view)
            for name, counts in expected(view).items():
                assert drawn_pieces(drawn, name) == counts, name


def _fifth_avenue(view: View) -> dict[str, Counter[str]]:
    plots = [(f"{district}.{name}", plot) for district, row in view["board"].items() for name, plot in row.items()]
    colours = ["red", "blue", "yellow", "green"]
    colours[len(view["seats"]) :] = ["black"]  # Alea's, with two players
    owners = Counter[str]()
    for _, plot in plots:
        if "skyscrapers" in plot:
            owners[colours[plot["owner"]]] += plot["skyscrapers"]
    bids = view["auction"]["bids"] if view["auction"] else []
    alea = view["auction"]["alea"] if view["auction"] else []
    return {
        "plot": Counter({name: plot.get("skyscrapers", 1) for name, plot in plots if len(plot) > 1}),
        "owner": owners,
        "businesses": Counter(" ".join(plot["businesses"]) for _, plot in plots if "businesses" in plot),
        "park": Counter(
            {str(at): seat["central_park"] for at, seat in enumerate(view["seats"]) if seat["central_park"]}
        ),
        "commissioner": Counter(f"{who} {shown['at']}" for who, shown in view["commissioners"].items()),
        "marker": Counter(f"{who} {at}" for who, shown in view["commissioners"].items() for at in shown["marked"]),
        "tile": Counter(view["park_tiles"]),
        "card": Counter(
            {
                f"{suit} {value}": count
                for suit in view["stacks"].keys() | {"black"}
                for at, value in enumerate((4, 5, 6))
                if (count := sum(hand[suit][at] for hand in view["hands"]))
            }
        ),
        "laid": Counter(card for bid in bids for card in bid["cards"]) + Counter(alea),
        "stack": Counter({name: stack["count"] for name, stack in view["stacks"].items()})
        + Counter(black=view["black"]["face_down"]),
        "placed": Counter([str(view["placed"])]),
        "stopped": Counter({"34E", "34W", "42E", "42W", "TS", "52E", "52W"} - view["board"].keys()),
    }


def _manhattan(view: View) -> dict[str, Counter[str]]:
    towers = {
        f"{city} {site}": tower for city, row in view["cities"].items() for site, tower in enumerate(row, 1) if tower
    }

    def blocks(kind: str) -> Counter[str]:
        stocks = view["stocks"].items()
        return +Counter({f"{name} {at}": n for name, stock in stocks for at, n in enumerate(stock[kind], 1)})

    return {
        "site": Counter(towers.keys()),
        "owner": Counter(tower["owner"] for tower in towers.values()),
        "floors": Counter(str(tower["height"]) for tower in towers.values()),
        "chosen": blocks("chosen"),
        "supply": blocks("supply"),
        "card": Counter(str(card) for hand in view["hands"] for card in hand),
    }


def _new_york(view: View) -> dict[str, Counter[str]]:
    cards = Counter(card for hand in view["hands"] for card in hand)
    chains = longest_chains(view["board"], view["options"]["chain"])
    return {
        "stone": Counter(colour for row in view["board"] for colour in row if colour),
        "card": cards,
        "discarded": Counter([str(len(view["discard"])), *view["discard"][-2:]]),
        "chain": Counter(f"a{avenue + 1}s{street + 1}" for avenue, street in chains)
        + Counter(str(seat["chain"]) for seat in view["seats"]),
        "units": Counter(str(seat["units"]) for seat in view["seats"]),
    }


@pytest.mark.parametrize(("game", "players", "options"), [each for each in ALL if each[0].name == "new-york"])
def test_longest_chains_are_those_that_score(game: Game, players: int, options: dict[str, Any]) -> None:
    for view in views(game, players, options):
        found = longest_chains(view["board"], view["options"]["chain"])
        for seat in view["seats"]:
            of_colours = [sum(view["board"][a][s] == colour for a, s in found) for colour in seat["colours"]]
            longest = max(of_colours, default=0)
            assert (longest >= seat["chain"] > 1) or longest == seat["chain"] == 0


@pytest.mark.parametrize("side", ["five", "six"])
def test_rings_are_those_of_the_board(side: str) -> None:
    game = next(game for game in GAMES if game.name == "fifth-avenue")
    rings: Any = game.board(game.make_options({"side": side}))
    assert {name: list(ring(side, name)) for name in rings.rings} == rings.rings


HOSTILE = ['</g><script>alert("1")</script>', "\u202egnp.exe\x1b[31m", "名" * 40, "&amp;" * 9, ""]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_names_are_escaped(game: Game) -> None:
    players = max(game.players)
    view = next(views(game, players, dict(next(iter(variants(game)))[1]))) | {"names": HOSTILE[:players]}
    document = svg(draw(game.name, view))
    assert "<script" not in document
    assert "\u202e" not in document
    assert "\x1b" not in document
    shown = [shape.text for shape in ElementTree.fromstring(document).iter() if shape.text and shape.text[:2] == "#2"]
    assert shown
    assert all(len(text) <= 16 for text in shown)  # wide letters count twice
    ElementTree.fromstring(document)


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_documents(game: Game, theme: Any) -> None:
    """A document has a name for screen readers, no variables (not every program knows them) and refers to nothing."""
    drawn = draw(game.name, next(views(game, 2, dict(next(iter(variants(game)))[1]))))
    document = svg(drawn, theme)
    root = ElementTree.fromstring(document)
    names = {child.tag.split("}")[1]: child.text for child in root}
    assert root.get("role") == "img"
    assert (names["title"], names["desc"]) == (drawn.title, drawn.description)
    assert "var(" not in document
    assert ("prefers-color-scheme" in document) == (theme == "auto")
    assert "//" not in document.replace("http://www.w3.org/2000/svg", "")


def test_states_are_drawn_in_notebooks() -> None:
    for game in GAMES:
        state = next(moments(game, game.players[0], dict(next(iter(variants(game)))[1])))[0]
        picture: Any = state
        assert ElementTree.fromstring(picture._repr_svg_()).tag.endswith("svg")


def test_the_examples() -> None:
    result = doctest.testmod(drawing)
    assert result.failed == 0
    assert result.attempted > 4
