"""What names mean: imports, classes, functions and strings; values that are passed on as they are."""

from __future__ import annotations

import re

from done_lint.analysis import flag_lattice
from done_lint.analysis.context import Analysis, AttributeRule
from done_lint.analysis.solver import ELEMENTS, MARKS, VALUES
from done_lint.analysis.values import (
    ClassRef,
    Environment,
    EnvMethod,
    External,
    FunctionRef,
    Instance,
    Module,
    Partial,
    Place,
    Super,
    Template,
    Text,
    Value,
)
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import array_functions, env_api_lookup, made_layers
from done_lint.project.prefilter import SHARED_FIXTURES

#: What `a or b` hands on as it is.
_OBJECTS = (ClassRef, Environment, EnvMethod, FunctionRef, Instance, Partial)


def copy(at: Analysis, survey: Survey, base: int, op: ops.Copy) -> None:
    at.solver.edge(base + op.source, base + op.target)


def fall_back(at: Analysis, survey: Survey, base: int, number: int, op: ops.Fallback) -> None:
    """`env or gym.make(name)`: either object; what flags give together is said elsewhere."""
    if isinstance(at.solver.value(number), _OBJECTS):
        at.solver.add(base + op.target, number, base + op.source, number)


def unset(at: Analysis, survey: Survey, base: int, op: ops.Unset) -> None:
    """All that a name holds but flags."""
    source, target = base + op.source, base + op.target

    def react(number: int) -> None:
        if number >= flag_lattice.END:
            at.solver.add(target, number, source, number)

    at.solver.precede(target, source, "flow")
    at.solver.watch(source, react)


def pass_values(at: Analysis, survey: Survey, base: int, op: ops.Values) -> None:
    at.solver.edge(base + op.source, base + op.target, VALUES)


def pass_elements(at: Analysis, survey: Survey, base: int, op: ops.Elements) -> None:
    at.solver.edge(at.arrays.flat(base + op.source), base + op.target, ELEMENTS)


def pass_scaled(at: Analysis, survey: Survey, base: int, op: ops.Scaled) -> None:
    """What was masked is still; of flags it is no flag that is known."""
    at.solver.edge(base + op.source, base + op.target, MARKS)


def bind_external(at: Analysis, survey: Survey, base: int, op: ops.External) -> None:
    at.put(base + op.target, External(op.dotted))


def bind_import(at: Analysis, survey: Survey, base: int, op: ops.Import) -> None:
    files = at.modules.files_of(survey.path, op.module, op.level)
    for file in files or (None,):
        found = _resolve(at, survey.path, file, op)
        if isinstance(found, int):
            at.solver.edge(found, base + op.target)
        else:
            at.put(base + op.target, found)


def bind_fixture(at: Analysis, survey: Survey, base: int, op: ops.Fixture) -> None:
    places = [survey.path]
    # the nearest wins; that of another folder is found from the one below it
    while (found := at.modules.file_of(places[-1], SHARED_FIXTURES, 0)) is not None and found not in places:
        places.append(found)
    nodes = [node for one in places[1:] if (node := _exported(at, one, op.name, set())) is not None][:1]
    own = _exported(at, survey.path, op.name, set()) if survey.path not in places[1:] else None
    for node in nodes if own is None else (own, *nodes):
        _take_fixture(at, node, base + op.target)


def _take_fixture(at: Analysis, source: int, target: int) -> None:
    """A fixture is a function with a decorator; what else has its name is none."""

    def react(number: int) -> None:
        value = at.solver.value(number)
        if isinstance(value, FunctionRef) and at.program.surveys[value.path].functions[value.index].decorated:
            at.solver.add(target, number, source, number)

    at.solver.precede(target, source, "flow")
    at.solver.watch(source, react)


def _resolve(at: Analysis, path: str, found: str | None, op: ops.Import) -> External | Module | int:
    """What an import binds where its module is one of the project's files, or none."""
    module, name = op.module, op.name
    if name is None:
        return Module(found) if found is not None else External(module)
    submodule = at.modules.submodule(path, module, name, op.level)
    if found is not None and found != path:
        node = _exported(at, found, name, set())
        if node is not None:
            return node
    if submodule is not None:
        return Module(submodule)
    return External(f"{module}.{name}" if module else name)


def _exported(at: Analysis, path: str, name: str, seen: set[str]) -> int | None:
    """The node of a module-level name, through `from x import *` as well."""
    seen.add(path)
    survey = at.program.surveys[path]
    node = survey.exports.get(name)
    if node is not None:
        return at.program.bases[path] + node
    for module, level in survey.stars:
        starred = at.modules.file_of(path, module, level)
        if starred is not None and starred not in seen:
            node = _exported(at, starred, name, seen)
            if node is not None:
                return node
    return None


def attribute_of_module(at: Analysis, number: int, name: str, target: int, source: int) -> None:
    path = at.solver.get(number, Module).path
    dotted = f"{at.program.dotted[path]}.{name}"
    if dotted in array_functions.SEEDING:
        # old Gym's own sources: what the function makes is what it is to make
        at.put(target, External(dotted))
        return
    node = _exported(at, path, name, set())
    if node is not None:
        at.solver.edge(node, target)
    submodule = at.modules.inside(path, name)
    if submodule in at.program.surveys:
        at.put(target, Module(submodule))
    listed = env_api_lookup.constructor(dotted) is not None or env_api_lookup.base(dotted) is not None
    if listed and at.modules.is_packaged(path):
        # a project that is itself in the tables (Gymnasium's own sources); a single `gym.py` is a module of the project
        at.put(target, External(dotted))


def bind_function(at: Analysis, survey: Survey, base: int, op: ops.BindFunction) -> None:
    at.put(base + op.target, FunctionRef(survey.path, op.index))


def bind_class(at: Analysis, survey: Survey, base: int, op: ops.BindClass) -> None:
    at.put(base + op.target, ClassRef(survey.path, op.index))


def bind_instance(at: Analysis, survey: Survey, base: int, op: ops.BindInstance) -> None:
    at.put(base + op.target, Instance(survey.path, op.index))


def bind_super(at: Analysis, survey: Survey, base: int, op: ops.Super) -> None:
    at.put(base + op.target, Super(survey.path, op.index, base + op.own))


def bind_text(at: Analysis, survey: Survey, base: int, op: ops.Text) -> None:
    at.put(base + op.target, Text(op.value))
    if made_layers.is_endless(op.value):
        at.envs.endless_ids.add(op.value)
    if op.target in survey.places:
        at.envs.texts[base + op.target] = Place.of(survey.path, survey.places[op.target])


def bind_template(at: Analysis, survey: Survey, base: int, op: ops.Template) -> None:
    at.put(base + op.target, Template(op.value))


#: The package that has an id, before the id: `mazes:`, `mazes.small:Tall-`.
_BEHIND_PACKAGE = re.compile(r"[A-Za-z_][\w.]*:[^\s:]*")
#: No id is longer.
_LONGEST_ID = 80


def go_on(at: Analysis, survey: Survey, base: int, number: int, op: ops.Begins) -> None:
    """`PACKAGE + task`: of an id that cannot be read whole, the package that has it."""
    value = at.solver.value(number)
    if isinstance(value, (Text, Template)):
        known, hidden, _ = (value.text + op.rest).partition("*")
        if _BEHIND_PACKAGE.fullmatch(known) and len(known) < _LONGEST_ID:
            made = at.solver.intern(Template(known + hidden))
            at.solver.add(base + op.target, made, base + op.source, number)


def attribute_of_text(at: Analysis, number: int, name: str, target: int, source: int) -> None:
    """`Task.MAZE.value`: a member of an enumeration stands for what it is made of; a string has no such attribute."""
    if name == "value":
        at.solver.add(target, number, source, number)


ATTRIBUTES: dict[type[Value], AttributeRule] = {Module: attribute_of_module, Text: attribute_of_text}
