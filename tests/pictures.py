"""The pictures of the games in README.md and docs/, drawn from recorded games that lie beside them.

`python -m tests.pictures` draws them again.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from fa_cli.replay.log_file import read_log
from fa_cli.viewer.picture import picture

FOLDER = Path(__file__).parent.parent / "docs/assets/boards"
LOG = FOLDER / "games.log"
PLIES = {"fifth-avenue": 230, "manhattan": 80, "new-york": 150}
"""By game, in the order of the log: the decision after which it is drawn."""


@cache
def pictures() -> dict[Path, str]:
    """By file: the picture, light or dark as its reader's system."""
    records = {entry.game: entry.record() for entry in read_log(LOG)}
    return {FOLDER / f"{game}.svg": picture(records[game], ply, None, "auto") for game, ply in PLIES.items()}


if __name__ == "__main__":
    for path, content in pictures().items():
        path.write_text(content, encoding="utf-8")
