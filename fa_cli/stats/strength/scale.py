"""The scale of strengths and ratings: that of TrueSkill."""

from __future__ import annotations

MEAN = 25.0
"""The mean strength of a field, and the rating of a bot that has not played."""
PRIOR = MEAN / 3
"""The standard deviation of strengths before any game."""
BETA = PRIOR / 2
"""The standard deviation of a performance: two bots differ by 4.2 where one ranks ahead in 76% of games."""
