"""The modules of the bot that training uses too; a bot's folder is no package."""

from __future__ import annotations

import sys
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "bots" / "student"
sys.path.insert(0, str(FOLDER))

from features_manhattan import SIZE, positions  # noqa: E402
from network import NAMES, Network, softmax  # noqa: E402
from policy_manhattan import kind, outcomes, shares_after  # noqa: E402

__all__ = ["FOLDER", "NAMES", "SIZE", "Network", "kind", "outcomes", "positions", "shares_after", "softmax"]
