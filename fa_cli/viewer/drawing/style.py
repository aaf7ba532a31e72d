"""Colours and type of the drawings: a light and a dark palette, and the rules that use them."""

from __future__ import annotations

import re
from collections.abc import Mapping

ROOT = "fa-board"
"""The class of every `<svg>` that holds parts."""

_PALETTES = {
    "page": ("#f6f3ec", "#11151b"),
    "card": ("#ffffff", "#1b222b"),
    "ink": ("#1c2430", "#eef2f6"),
    "soft": ("#55606d", "#aab5c1"),
    "line": ("#7b8490", "#77828f"),
    "mark": ("#b3261e", "#ffb4a8"),  # what is going on: the actor, the lot under the hammer
    "change": ("#7a00b8", "#ffe14d"),  # what has just changed
    "street": ("#8d8473", "#6b7684"),
    "park": ("#cfe3c4", "#234a2c"),
    "orange": ("#f8c48d", "#86501b"),
    "green": ("#a9d7a4", "#2c6334"),
    "gray": ("#ccd2d9", "#505966"),
    "brown": ("#d3b296", "#634531"),
    "violet": ("#cfbcec", "#5b458c"),
    "dashed": ("#ebe5d8", "#2a313b"),
    "site": ("#ece7dc", "#262e39"),
    "dim": ("#c3c8cf", "#4a5563"),
    "back": ("#6a7686", "#55606f"),
    "black": ("#3a414b", "#06080b"),
    "on-black": ("#ffffff", "#eef2f6"),
    "edge": ("#1c2430", "#eef2f6"),
    "red-back": ("#f5c9c4", "#7a2c28"),
    "blue-back": ("#c5d8f5", "#254b85"),
}
"""By name of a colour: how it looks in light, and in dark."""
LIGHT = {name: light for name, (light, _) in _PALETTES.items()}
DARK = {name: dark for name, (_, dark) in _PALETTES.items()}
PIECES = {
    "red": ("#c62f2b", "#ffffff"),
    "blue": ("#1f5fc4", "#ffffff"),
    "yellow": ("#f4bb14", "#1c2430"),
    "green": ("#2b7a4b", "#ffffff"),
    "black": ("#2a2f37", "#ffffff"),
}
"""By colour of a player's pieces: the piece, and what is drawn on it. They are the same in light and dark."""

_FILLS = (
    *("park", "orange", "green", "gray", "brown", "violet", "dashed", "site"),
    *("dim", "back", "black", "on-black", "red-back", "blue-back"),
)
"""Colours that areas are filled with; the class has the colour's name."""
SMALL = 21
"""The smallest type, in user units."""

RULES = (
    f"""
ROOT{{font:{SMALL}px system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}}
ROOT text{{fill:var(--ink)}}
ROOT .page{{fill:var(--page)}}
ROOT .card{{fill:var(--card)}}
ROOT .ink{{fill:var(--ink)}}
ROOT .soft{{fill:var(--soft)}}
ROOT .bold{{font-weight:700}}
ROOT .large{{font-size:26px;font-weight:700}}
ROOT .middle{{text-anchor:middle}}
ROOT .end{{text-anchor:end}}
ROOT .edge{{stroke:var(--edge);stroke-width:1.5;stroke-linejoin:round}}
ROOT .lines{{stroke:var(--ink);stroke-width:2;stroke-linejoin:round;stroke-linecap:round;fill:none}}
ROOT .card-lines{{stroke:var(--card);stroke-width:1.5;fill:none}}
ROOT .frame{{stroke:var(--line);stroke-width:1.5}}
ROOT .dashes{{stroke:var(--line);stroke-width:2;stroke-dasharray:6 5;fill:none}}
ROOT .hollow{{fill:none}}
ROOT .gap{{stroke:var(--page);stroke-width:3;stroke-linejoin:round}}
ROOT .mark{{stroke:var(--mark);stroke-width:4;fill:none}}
ROOT .halo{{stroke:var(--page);stroke-width:8;stroke-linejoin:round;stroke-linecap:round;fill:none}}
ROOT .change{{stroke:var(--change);stroke-width:4;stroke-linejoin:round;stroke-linecap:round;fill:none}}
ROOT .gain{{fill:var(--change);font-weight:700}}
ROOT .ring{{stroke:var(--ink);stroke-width:3.5;fill:none}}
ROOT .marked{{fill:var(--mark)}}
ROOT .street{{stroke:var(--street);stroke-width:12;stroke-linecap:round;fill:none}}
ROOT .white{{fill:#ffffff}}
ROOT .beige{{fill:#d9b98c}}
"""
    + "".join(f"ROOT .{name}{{fill:var(--{name})}}\n" for name in _FILLS)
    + "".join(
        f"ROOT .{name}-piece{{fill:{piece}}}\nROOT .{name}-sign{{fill:{sign}}}\n"
        f"ROOT .{name}-windows{{stroke:{sign};stroke-width:2;fill:none}}\n"
        for name, (piece, sign) in PIECES.items()
    )
    + "ROOT .thin{stroke-width:1}\n"
)


def _rules(palette: Mapping[str, str] | None) -> str:
    """Return the rules, with the colours of a palette in place of its variables; None keeps the variables."""
    text = "".join(line.replace("ROOT", f".{ROOT}", 1) for line in RULES.splitlines())
    if palette is None:
        return text.replace("var(--", "var(--fa-")
    return re.sub(r"var\(--([\w-]+)\)", lambda found: palette[found[1]], text)


def _variables(palette: Mapping[str, str]) -> str:
    return "".join(f"--fa-{name}:{colour};" for name, colour in palette.items())


STYLE = (
    f":root{{{_variables(LIGHT)}color-scheme:light}}"
    f"@media(prefers-color-scheme:dark){{:root:not([data-theme=light]){{{_variables(DARK)}color-scheme:dark}}}}"
    f":root[data-theme=dark]{{{_variables(DARK)}color-scheme:dark}}"
    f"{_rules(None)}"
)
"""The style of a page that shows parts; `data-theme` of its root element overrides the reader's colour scheme."""


def document_style(theme: str) -> str:
    """Return the style of a whole document. It has no variables, since many programs that show SVG don't know them."""
    if theme == "auto":
        return f"{_rules(LIGHT)}@media(prefers-color-scheme:dark){{{_rules(DARK)}}}"
    return _rules(DARK if theme == "dark" else LIGHT)
