"""Which vector environments the program puts a wrapper of single environments around, in whatever file that is.

Up to Gymnasium 0.29 a vector environment was an `Env`, and such wrappers took it. Since 1.0 they raise an error.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.class_hierarchy import WRAPPED
from done_lint.analysis.program import ClassId
from done_lint.analysis.values import ClassRef, Environment, Instance
from done_lint.flowgraph import operations as ops
from done_lint.knowledge.env_apis import VECTORS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: The bases of wrappers of single environments.
_BASES = frozenset({"gymnasium.Wrapper", "gymnasium.core.Wrapper", "gym.Wrapper", "gym.core.Wrapper"})


class SingleWrappers:
    """Looks at what is given to the library's wrappers, and to those of the project."""

    def __init__(self, analysis: Analysis) -> None:
        """Read from a solved graph."""
        self._solver = analysis.solver
        self._envs = analysis.envs
        self._classes = analysis.classes
        self._program = analysis.program

    def are_around(self, env: int) -> bool:
        """Whether that is so of the vector environment that the call at a node makes."""
        return env in self._inside

    def own_around(self, env: int) -> str:
        """A class of the project that is such a wrapper, and is put around it; or empty."""
        return self._inside_own.get(env, "")

    def either_around(self, env: int) -> str:
        """The same of a class that is put around single environments, too: it shows no release."""
        return self._inside_own_call.get(env, "")

    @cached_property
    def _inside_own(self) -> dict[int, str]:
        """By these environments, the class."""
        found: dict[int, str] = {}
        for path, survey in self._program.surveys.items():
            for index, one in enumerate(survey.classes):
                if self._is_single(ClassId(path, index)):
                    nodes = self._classes.inside(path, index)
                    found |= dict.fromkeys((env for node in nodes for env in self._vectors(node)), one.name)
        as_vector = [self._vectors(node) for node in self._envs.given_to_vector]
        return {env: name for env, name in found.items() if not any(env in vectors for vectors in as_vector)}

    @cached_property
    def _inside_own_call(self) -> dict[int, str]:
        """By the environments that the call of such a class is given, the class."""
        found: dict[int, str] = {}
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            for call in survey.waits(ops.Call) if self._envs.modes else ():
                vectors = self._vectors(base + call.args[0].node) if call.args else ()
                for made in self._solver.values(base + call.called, ClassRef) if vectors else ():
                    if self._is_single(owner := ClassId(made.path, made.index)):
                        found |= dict.fromkeys(vectors, self._program.class_at(*owner).name)
        return found

    def _is_single(self, owner: ClassId) -> bool:
        """Whether only the constructor of the base can have put something into `self.env`: it takes no vector."""
        lineage = list(self._classes.lineage(*owner))
        own = [self._program.class_at(*one) for one in lineage if not isinstance(one, str)]
        return not _BASES.isdisjoint(lineage) and all(WRAPPED.name not in one.assigned for one in own)

    @cached_property
    def _inside(self) -> frozenset[int]:
        """These environments; not those of a program that has a vector wrapper for them as well, to take its turn."""
        single = (node for given in self._envs.given_to_single for node in self._vectors(given))
        return frozenset(single).difference(*map(self._vectors, self._envs.given_to_vector))

    def _vectors(self, given: int) -> frozenset[int]:
        """The vector environments that arrive at a node, where nothing else does."""
        found = self._solver.values(given, Environment)
        alone = not self._solver.values(given, Instance) and not self._solver.is_widened(given)
        vectors = {one.node for one in found if one.api in VECTORS and one.certainty == "proven"}
        return frozenset(vectors) if alone and len(vectors) == len(found) else frozenset()
