"""Steps in the old form of something that nothing shows: any environment of the program may arrive there.

What a configuration, a pickle, a pipe or a registry of the project hands over cannot be followed. A class that returns
five values from now on breaks such a caller, and nobody would see it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import NamedTuple

from done_lint.analysis.context import Analysis
from done_lint.analysis.unbound_attributes import is_unbound
from done_lint.analysis.values import Environment, EnvMethod, External, ResetResult
from done_lint.core.findings import Span
from done_lint.core.reach import reach
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import naming_conventions
from done_lint.knowledge.env_apis import STEP_WIDTHS

#: What these packages give may be anything of the project.
_HANDING_OVER = sys.stdlib_module_names | {"cloudpickle", "dill", "gin", "hydra", "joblib", "ray"}

_FOUR, _ = STEP_WIDTHS

#: How far back a value is followed to what made it.
_BACK = 200
#: What gives a module by its name.
_LOADED = "importlib.import_module()"


class OpenStep(NamedTuple):
    """A step that is unpacked into four values: the nodes of what is stepped and of its method, and the place."""

    source: int
    method: int
    at: Span
    #: The function that it stands in, `Runner.episode`; empty at the level of the file; and its number.
    owner: str
    home: int
    #: It is the step of the base of the class that it stands in: `base.step(self, action)`.
    inherited: bool
    #: A class that the program loads by its name may have wrapped what is stepped.
    loaded: bool = False


class OpenRow(NamedTuple):
    """Four values that are taken apart like a step's: the place, and the function that it stands in."""

    at: Span
    home: int


def old_steps(survey: Survey) -> Iterator[OpenStep]:
    """The steps of a file, by an object or its class, with one action, whose result is unpacked into four values."""
    for read in survey.telling:
        if read.name != "step" or survey.page:
            continue
        for call in survey.waiting.get(read.target, ()):
            if not isinstance(call, ops.Call) or call.stars or call.keywords:
                continue
            inherited = _is_unbound(survey, call)
            if len(call.args) != 1 and not inherited:
                continue
            for unpack in survey.waiting.get(call.result, ()):
                if isinstance(unpack, ops.Unpack) and unpack.arity == 4 and unpack.star < 0:
                    home = survey.homes.get(call.result, -1)
                    yield OpenStep(read.source, read.target, unpack.at, owner_name(survey, home), home, inherited)


def _is_unbound(survey: Survey, call: ops.Call) -> bool:
    """Whether a method hands itself on with one argument: `base.step(self, action)` in a `step`."""
    home = survey.homes.get(call.result, -1)
    function = survey.functions[home] if home >= 0 else None
    if function is None or function.owner < 0 or function.name != "step" or not function.params:
        return False
    return len(call.args) == 2 and call.args[0][0] == function.params[0][1]


def owner_name(survey: Survey, home: int) -> str:
    """The name of a function, with its class."""
    if home < 0:
        return ""
    function = survey.functions[home]
    names = [survey.classes[function.owner].name] if function.owner >= 0 else []
    return ".".join((*names, function.name))


def open_steps(at: Analysis, path: str) -> list[OpenStep]:
    """The steps of a file in the old form of which nothing shows what is stepped."""
    survey, base = at.program.surveys[path], at.program.bases[path]
    found: list[OpenStep] = []
    for one in old_steps(survey):
        source = base + one.source
        if is_unbound(at, source):
            continue
        loaded = _is_foreign(at, source) and _is_made_by_loaded(at, source)
        if loaded or (is_open(at, source) and is_open(at, base + one.method)):
            found.append(one._replace(loaded=loaded))
    return found


def open_rows(at: Analysis, path: str) -> list[OpenRow]:
    """Where a file takes four values apart by the names of a step's, and nothing shows where these come from."""
    survey, base = at.program.surveys[path], at.program.bases[path]
    unpacked = survey.waits(ops.Unpack) if not survey.page else ()
    return [
        OpenRow(one.at, survey.homes.get(one.targets[0], -1))
        for one in unpacked
        if one.arity == _FOUR and one.star < 0 and _is_named_as_step(survey, one) and _is_unshown(at, base + one.source)
    ]


def _is_named_as_step(survey: Survey, unpack: ops.Unpack) -> bool:
    """`obs, reward, done, info`."""
    _, second, third, last = (survey.names.get(node, "") for node in unpack.targets)
    right = naming_conventions.reward(second) and naming_conventions.done(third)
    return right and (naming_conventions.info(last) or not last.strip("_"))


def _is_unshown(at: Analysis, node: int) -> bool:
    """Whether nothing shows a step whose values a node may hold: what a reset gives is none."""
    held = map(at.solver.value, at.solver.held[node])
    return all(isinstance(one, ResetResult) for one in held) or is_open(at, node)


def is_open(at: Analysis, node: int) -> bool:
    """Whether what a node holds may be anything of the project."""
    return all(_may_be_anything(at, number) for number in at.solver.held[node])


def is_loaded(at: Analysis, node: int) -> bool:
    """Whether a node holds a name of a module that is imported by a text: `getattr(import_module(name), "learn")`."""
    attribute, call = at.program.attribute_at(node), at.program.call_at(node)
    source = attribute[0] if attribute is not None else node
    if call is not None and any(one.dotted == "builtins.getattr" for one in at.solver.values(call[1], External)):
        source = next(iter(at.program.given_at(node)), node)
    return any(one.dotted == _LOADED for one in at.solver.values(source, External))


def _is_foreign(at: Analysis, node: int) -> bool:
    """Whether all that a node is known to hold comes from outside of the project."""
    return all(isinstance(at.solver.value(number), External) for number in at.solver.held[node])


def _is_made_by_loaded(at: Analysis, node: int) -> bool:
    """Whether a call of something that is loaded by its name may have given what a node holds: `wrapper(env)`."""
    if not any("importlib" in survey.packages for survey in at.program.surveys.values()):
        return False

    def before(one: int) -> Iterator[int]:
        return (edge.source for edge in at.solver.predecessors[one])

    made = (at.program.call_at(one) for one in reach([node], before, bound=_BACK))
    called = [call[1] for call in made if call is not None]
    return any(is_loaded(at, one) for one in reach(called, before, bound=_BACK))


def _may_be_anything(at: Analysis, number: int) -> bool:
    value = at.solver.value(number)
    if isinstance(value, External):
        return value.dotted.partition(".")[0] in _HANDING_OVER
    if isinstance(value, EnvMethod):
        return _may_be_anything(at, value.env)
    return isinstance(value, Environment) and value.certainty == "by name"
