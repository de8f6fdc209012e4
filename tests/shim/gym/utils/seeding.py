"""Random numbers for environments."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.utils import seeding


class RandomNumbers(np.random.Generator):
    """Gymnasium's numbers, under their old names too."""

    def randint(self, low: int, high: int | None = None, size: Any = None) -> Any:
        """Integers below `high`."""
        return self.integers(low, high, size)

    def rand(self, *shape: int) -> Any:
        """Numbers between zero and one."""
        return self.random(shape or None)

    def randn(self, *shape: int) -> Any:
        """Numbers of a normal distribution."""
        return self.standard_normal(shape or None)


def np_random(seed: int | None = None) -> tuple[RandomNumbers, int]:
    """A generator, and the seed that it has."""
    generator, seed = seeding.np_random(seed)
    return RandomNumbers(generator.bit_generator), seed
