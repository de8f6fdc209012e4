"""Where the infos of vector environments are asked for what only releases before 1.0 set by themselves."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.crowds import reads_of_crowded
from done_lint.analysis.program import ClassId
from done_lint.analysis.values import External, Info, Instance
from done_lint.core.findings import Related
from done_lint.facts.environments import listed_final_infos
from done_lint.facts.environments.own_info_keys import own_info_keys
from done_lint.facts.provenance import Provenance
from done_lint.flowgraph import operations as ops
from done_lint.knowledge.vector_info_keys import FINAL_INFO, FINAL_OBSERVATION

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class OldInfos:
    """What such reads say of an environment, by the node of the call that makes it, or of its base class."""

    def __init__(self, analysis: Analysis, provenance: Provenance) -> None:
        """Read from a solved graph."""
        self._analysis = analysis
        self._provenance = provenance
        found = analysis.envs.old_reads | reads_of_crowded(analysis)
        own = _own_keys(analysis) if found else {}
        self._reads = sorted(one for one in found if one.key not in {FINAL_OBSERVATION, *own.get(one.step, ())})
        self._of_today = {one.env for one in found if one.key == FINAL_OBSERVATION}

    def of(self, env: int) -> bool:
        """Whether there are any, and none of a name that is new with 1.x: beside that, they are tried second."""
        return env in self._envs and env not in self._of_today

    def handed_on(self, env: int) -> tuple[Related, ...]:
        """Reads of a list of final infos that no rule can judge or rewrite: the infos were handed to a function."""
        return self._handed_on.get(env, self._of_nobody)

    def beside(self, env: int) -> str:
        """A class of the project whose instances take turns with the environment where it is asked; or empty."""
        own = (name for one in self._reads if one.env == env for name in self._stepped_alike(one.step))
        if (found := next(own, None)) is not None:
            return found
        reads = {one.read for one in self._reads if one.env == env}
        subclassed = self._analysis.envs.subclassed
        others = (one.env for one in self._reads if one.read in reads and one.env != env and one.env in subclassed)
        return next((subclassed[other].subclass for other in others), "")

    def _stepped_alike(self, step: int) -> list[str]:
        """The classes of the project, none of them the library's, whose instances a step may be asked of."""
        program, classes = self._analysis.program, self._analysis.classes
        called = program.call_at(step)
        read = program.attribute_at(called[1]) if called is not None else None
        instances = self._analysis.solver.values(read[0], Instance) if read is not None else []
        own = {
            ClassId(one.path, one.index) for one in instances if classes.api_of_class(one.path, one.index)[0] is None
        }
        return sorted(program.class_at(*one).name for one in own if classes.method_of(*one, "step") is not None)

    @cached_property
    def _envs(self) -> frozenset[int]:
        return frozenset(one.env for one in self._reads)

    @cached_property
    def _handed_on(self) -> dict[int, tuple[Related, ...]]:
        program, found = self._analysis.program, defaultdict[int, set[Related]](lambda: set(self._of_nobody))
        for env, step, read, key in self._reads:
            home = program.home(read)
            # a test whether the key is there takes nothing for a list, and has no home
            tested = key != FINAL_INFO or home is None or home.number < -1
            judged = home == program.home(step) and self._is_gone_over(read)
            if not tested and not judged and not self._is_no_list(read):
                found[env].add(self._provenance.related(self._provenance.place(read), "read here"))
        return {env: tuple(sorted(places, key=lambda one: (one.path, one.span))) for env, places in found.items()}

    @cached_property
    def _of_nobody(self) -> tuple[Related, ...]:
        """The same in functions that nobody in sight hands anything: whose infos they are does not show."""
        program, solver, found = self._analysis.program, self._analysis.solver, set[Related]()
        for path, survey in program.surveys.items():
            for source, read in listed_final_infos.of_parameters(survey):
                if not solver.held[program.bases[path] + source]:
                    place = self._provenance.place(program.bases[path] + read)
                    found.add(self._provenance.related(place, "read here"))
        return tuple(sorted(found, key=lambda one: (one.path, one.span)))

    def _is_gone_over(self, read: int) -> bool:
        """Whether a loop goes over `infos["final_info"]`, itself or with its numbers: a rule looks at that."""
        owner = self._analysis.program.owner(read)
        if owner is None:
            return False
        survey, base = self._analysis.program.surveys[owner.path], self._analysis.program.bases[owner.path]
        calls = (one for one in survey.calls() if owner.node in ops.given(one))
        numbered = {one.result for one in calls if self._numbers(base, one)}
        looked_up = any(one.target == owner.node for one in survey.waits(ops.Item))
        return looked_up and any(one.source in {owner.node, *numbered} for one in survey.waits(ops.Iterate))

    def _numbers(self, base: int, call: ops.Call | ops.LibraryCall) -> bool:
        """`enumerate(infos["final_info"])`, or `zip` of it."""
        called = self._analysis.solver.values(base + call.called, External)
        return any(one.dotted in ("builtins.enumerate", "builtins.zip") for one in called)

    def _is_no_list(self, read: int) -> bool:
        """Whether what is read is taken for a dictionary, or only tested."""
        owner = self._analysis.program.owner(read)
        if owner is None:
            return False
        return listed_final_infos.is_no_list(self._analysis.program.surveys[owner.path], owner.node)


def _own_keys(analysis: Analysis) -> dict[int, frozenset[str]]:
    """The keys that the program sets by itself in the infos of a step, by the node of the step."""
    found = defaultdict[int, frozenset[str]](frozenset)
    for number, value in enumerate(analysis.solver.interned):
        if isinstance(value, Info):
            found[value.node] |= own_info_keys(analysis, number)
    return found
