"""Contrast and type of the drawings, by WCAG 2.2 AA."""

from __future__ import annotations

import re

import pytest

from fa_cli.games import GAMES
from fa_cli.viewer.drawing import STYLE, draw
from fa_cli.viewer.drawing.style import DARK, LIGHT, PIECES, RULES
from tests.playthroughs.regenerate import moments, variants

PLOTS = ("orange", "green", "gray", "brown", "violet", "dashed")
GROUNDS = ("page", "card", "site", "park", *PLOTS)
TEXT = {"ink": (*GROUNDS, "red-back", "blue-back"), "soft": ("page", "card", "site"), "on-black": ("black",)}
"""By colour of text: what it is written on."""
SHAPES = {
    "edge": (*GROUNDS, "red-back", "blue-back"),  # around every piece and card
    "ink": ("card", "site"),
    "line": ("page", "card"),
    "street": ("page",),
    "mark": ("page", "card"),
}
PHONE = 374
"""The width of a drawing on a small phone, in pixels."""


def contrast(one: str, two: str) -> float:
    """The contrast of two colours as WCAG defines it, from 1 to 21."""
    light, dark = sorted((luminance(one), luminance(two)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_the_contrast_of_black_and_white() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_contrast(palette: dict[str, str]) -> None:
    for least, pairs in ((4.5, TEXT), (3.0, SHAPES)):
        for colour, grounds in pairs.items():
            for ground in grounds:
                assert contrast(palette[colour], palette[ground]) >= least, f"{colour} on {ground}"


@pytest.mark.parametrize("colour", PIECES)
def test_signs_are_read_on_their_pieces(colour: str) -> None:
    assert contrast(*PIECES[colour]) >= 4.5


def test_palettes_are_complete() -> None:
    used = set(re.findall(r"var\(--([\w-]+)\)", RULES))
    assert used == LIGHT.keys() == DARK.keys()
    for name in used:
        assert STYLE.count(f"--fa-{name}:") == 3  # light, dark by the reader's scheme, dark by choice


def test_every_class_has_a_rule() -> None:
    ruled = set(re.findall(r"ROOT \.([\w-]+)", RULES))
    used = set()
    for game in GAMES:
        for state, _, _ in moments(game, 2, dict(next(iter(variants(game)))[1])):
            for part in draw(game.name, game.view(state, None)).parts:
                used.update(name for names in re.findall(r'class="([^"]*)"', part.svg) for name in names.split())
    assert used <= ruled


def test_type_is_large_enough_on_a_phone() -> None:
    sizes = [int(size) for size in re.findall(r"(?:font:|font-size:)(\d+)px", RULES)]
    assert sizes
    assert min(sizes) * PHONE / 720 >= 10.9
