"""Which vector environments the program puts a wrapper of single environments around, in whatever file that is.

Up to Gymnasium 0.29 a vector environment was an `Env`, and such wrappers took it. Since 1.0 they raise an error.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.values import Environment, Instance
from done_lint.knowledge.env_apis import GYMNASIUM_VECTOR

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class SingleWrappers:
    """Looks at what is given to the library's wrappers."""

    def __init__(self, analysis: Analysis) -> None:
        """Read from a solved graph."""
        self._solver = analysis.solver
        self._envs = analysis.envs

    def are_around(self, env: int) -> bool:
        """Whether that is so of the vector environment that the call at a node makes."""
        return env in self._inside

    @cached_property
    def _inside(self) -> frozenset[int]:
        """These environments; not those of a program that has a vector wrapper for them as well, to take its turn."""
        single = (node for given in self._envs.given_to_single for node in self._vectors(given))
        return frozenset(single).difference(*map(self._vectors, self._envs.given_to_vector))

    def _vectors(self, given: int) -> frozenset[int]:
        """The vector environments that arrive at a node, where nothing else does."""
        found = self._solver.values(given, Environment)
        alone = not self._solver.values(given, Instance) and not self._solver.is_widened(given)
        vectors = {one.node for one in found if one.api == GYMNASIUM_VECTOR and one.certainty == "proven"}
        return frozenset(vectors) if alone and len(vectors) == len(found) else frozenset()
