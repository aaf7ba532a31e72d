"""The random generator for sampled states. mypyc can't compile a class that derives from the library's."""

from __future__ import annotations

from random import Random
from typing import Any


class Dice(Random):
    """A random generator with a faster shuffle than the library's."""

    def shuffle(self, items: Any) -> None:
        chance = self.random
        items.sort(key=lambda _: chance())
