"""The drawing of Fifth Avenue."""

from __future__ import annotations

from typing import Any

from .document import Drawing, Part


def draw(view: dict[str, Any]) -> Drawing:
    """Return a view, drawn."""
    parts = [
        Part(f"points.{seat}", f'<g><text x="20" y="{40 + 40 * seat}">#{seat} {shown["points"]} points</text></g>')
        for seat, shown in enumerate(view["seats"])
    ]
    return Drawing(720, 1200, f"Fifth Avenue, {len(parts)} players", f"Phase {view['phase']}.", tuple(parts))
