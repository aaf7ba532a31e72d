"""Colours and type of the drawings: a light and a dark palette, and the rules that use them."""

from __future__ import annotations

import re
from collections.abc import Mapping

ROOT = "fa-board"
"""The class of every `<svg>` that holds parts."""

LIGHT = {
    "page": "#f7f5f0",
    "card": "#ffffff",
    "ink": "#1d2530",
    "soft": "#56606c",
    "line": "#7f8894",
}
DARK = {
    "page": "#12161c",
    "card": "#1d242d",
    "ink": "#eef2f6",
    "soft": "#aab4c0",
    "line": "#77828f",
}

RULES = """
ROOT{font-family:system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-size:22px}
ROOT text{fill:var(--ink)}
ROOT .page{fill:var(--page)}
ROOT .soft{fill:var(--soft)}
"""


def _rules(palette: Mapping[str, str] | None) -> str:
    """Return the rules, with the colours of a palette in place of its variables; None keeps the variables."""
    text = "".join(line.replace("ROOT", f".{ROOT}", 1) for line in RULES.splitlines())
    if palette is None:
        return text.replace("var(--", "var(--fa-")
    return re.sub(r"var\(--(\w+)\)", lambda found: palette[found[1]], text)


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
