"""Texts, numbers and shapes that the drawings of all games share, as SVG."""

from __future__ import annotations

from ...text import printable

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


def escaped(text: str) -> str:
    """Return foreign text for XML, with control characters and direction marks made visible."""
    return printable(text).translate(_ESCAPES)


def short(number: float) -> str:
    """Return a coordinate with at most one digit after the point: `12`, `12.5`."""
    return f"{number:.1f}".removesuffix(".0")
