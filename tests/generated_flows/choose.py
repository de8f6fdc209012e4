"""All choices of a generated project go through one function, so that hypothesis can draw and shrink them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


class Choose:
    """Takes one of several parts."""

    def __init__(self, pick: Callable[[int], int]) -> None:
        """`pick(n)` answers with a number below n."""
        self.pick = pick

    def __call__(self, parts: Sequence[T]) -> T:
        return parts[self.pick(len(parts))]
