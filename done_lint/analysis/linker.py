"""Joins the surveys of files that imports connect into one graph, and solves it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping

from done_lint.analysis import (
    class_tests,
    functions_alike,
    gym_packages,
    inner_steps,
    name_evidence,
    other_protocols,
    promises,
    replaced_makes,
    turned_back,
    unmade_heirs,
    weak_evidence,
)
from done_lint.analysis.class_fields import ClassFields
from done_lint.analysis.class_hierarchy import ClassHierarchy
from done_lint.analysis.context import Analysis
from done_lint.analysis.flag_evidence import Condition, ProductNodes
from done_lint.analysis.import_graph import ImportGraph
from done_lint.analysis.kept_code import kept_code
from done_lint.analysis.objects import Arrays, Objects
from done_lint.analysis.program import Program
from done_lint.analysis.registrations import registering as registering_functions
from done_lint.analysis.solver import Solver
from done_lint.analysis.transfer.classes import given_subclasses
from done_lint.analysis.transfer.decorated import give_instances
from done_lint.analysis.transfer.environments import given_by_method, held_by_classes
from done_lint.analysis.transfer.tables import DISPATCH, LOADS, REACTS
from done_lint.analysis.values import ChoiceMark
from done_lint.analysis.weak_evidence import ProjectNames
from done_lint.flowgraph.operations import Reaction
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import env_api_rows
from done_lint.project.kept_old import KeptOld


def joined(
    surveys: dict[str, Survey],
    imports: ImportGraph,
    apis: Mapping[str, str] | None = None,
    old: KeptOld | None = None,
    moved: frozenset[str] = frozenset(),
) -> Analysis:
    """An analysis with room for the nodes of these files.

    Args:
        surveys: by path.
        imports: which of them an import means.
        apis: the user's own table.
        old: what the project keeps as it was.
        moved: packages that are on Gymnasium, as the user says.
    """
    user_apis = {name: env_api_rows.APIS[api] for name, api in (apis or {}).items() if api in env_api_rows.APIS}
    solver = Solver()
    objects = Objects(solver)
    program = Program(solver, surveys, imports.modules.dotted)
    starts = ((program.bases[path], survey.size) for path, survey in surveys.items() if imports.is_test(path))
    solver.room.of_tests = sorted((start, start + size) for start, size in starts)
    needed = gym_packages.needing(surveys.values(), imports.modules, moved)
    kept = kept_code(surveys, imports, old or KeptOld(), needed, moved)
    classes = ClassHierarchy(solver, objects, program, user_apis, kept)
    fields = ClassFields(solver, objects, program, classes)
    parts = solver, objects, Arrays(solver, objects), program, classes, fields, imports
    at = Analysis(DISPATCH, *parts, user_apis, kept, moved)
    at.envs.needed, at.envs.needed_around = needed, gym_packages.needed_always(needed, imports)
    pinned = (old or KeptOld()).needs
    at.envs.pinned = {path: pinned[path] for path in surveys.keys() & pinned.keys()}
    at.envs.suspected = gym_packages.called_after_gym(surveys.values(), imports.modules, moved)
    return at


def solve(at: Analysis, project: ProjectNames | None) -> None:
    """Load everything and propagate; then what only weaker evidence shows, and again; then freeze.

    Raises:
        Incomplete: the names of the whole project are needed, and not given.
    """
    run = at.solver.run
    reactions = _load_names(at)
    run()
    _read_classes(at)
    run()
    _load(at, reactions)
    run()
    unmade_heirs.note(at)
    weak_evidence.sources_of_own_steps(at)
    promises.of_adapters(at)
    promises.of_vectors(at)
    promises.of_annotations(at)
    promises.of_own_adapters(at)
    run()
    promises.of_base_classes(at)
    weak_evidence.library_generators(at)
    run()
    name_evidence.by_name(at, project)
    run()
    functions_alike.share_arguments(at)
    run()
    inner_steps.note(at)
    run()
    weak_evidence.by_shape(at)
    run()
    promises.of_adapters(at)  # of what was promised since, too
    promises.of_ids(at)
    weak_evidence.compared_resets(at)
    weak_evidence.dispatched_limits(at)
    run()
    weak_evidence.inherited_environments(at)
    name_evidence.contradicted(at)
    replaced_makes.note(at)
    other_protocols.note(at)
    turned_back.note(at)
    class_tests.note(at)
    at.freeze()


class _Reactions:
    """The reactions of surveys, which stay where the surveys have them: most nodes never get a value."""

    def __init__(self, at: Analysis) -> None:
        self._at = at
        self._surveys = list(at.program.surveys.values())
        self._starts = [at.program.bases[survey.path] for survey in self._surveys]
        #: Whether values are loaded, not only what classes are called.
        self.all = False

    def __call__(self, node: int, number: int) -> None:
        """Do those of a node for one value of it."""
        place = bisect_right(self._starts, node) - 1
        survey, base = self._surveys[place], self._starts[place]
        for operation in survey.naming.get(node - base, ()):
            REACTS[type(operation)](self._at, survey, base, number, operation)
        if self.all:
            for operation in survey.waiting.get(node - base, ()):
                REACTS[type(operation)](self._at, survey, base, number, operation)


def _load_names(at: Analysis) -> _Reactions:
    """Load what the names of classes mean: an annotation is to be known when values arrive."""
    at.solver.react = reactions = _Reactions(at)
    for path, survey in at.program.surveys.items():
        base = at.program.bases[path]
        for node in survey.naming:
            at.solver.reacting[base + node] = 1
    for path, survey in at.program.surveys.items():
        base = at.program.bases[path]
        for operation in survey.bindings:
            LOADS[type(operation)](at, survey, base, operation)
    return reactions


def _read_classes(at: Analysis) -> None:
    """Look up the attributes of classes and make the instances, now that all know what they inherit."""
    waiting, at.unclassed = at.unclassed or [], None
    for do in waiting:
        do()


def _load(at: Analysis, reactions: _Reactions) -> None:
    """Load the rest, once the names are known."""
    arrived = _expect(at, reactions)
    for path, survey in at.program.surveys.items():
        base = at.program.bases[path]
        given_by_method(at, survey, base)
        held_by_classes(at, survey, base)
        given_subclasses(at, survey)
        give_instances(at, survey, base)
        for index, product in enumerate(survey.products):
            factors = [base + factor.node for factor in product.factors]
            at.flags.products[path, index] = ProductNodes(base + product.node, factors)
        for op in survey.choices:
            at.flags.conditions[ChoiceMark(path, op.at, op.result)] = Condition(
                base + op.test, base + op.a, op.a_constant, base + op.b, op.b_constant, base + op.result
            )
        for operation in survey.operations:
            LOADS[type(operation)](at, survey, base, operation)
    registering = registering_functions(at)
    # what is registered is to be known when it is made
    arrived.sort(key=lambda one: registering.isdisjoint(one[3]))
    for survey, base, operations, numbers in arrived:
        for reaction in operations:
            for number in numbers:
                REACTS[type(reaction)](at, survey, base, number, reaction)


def _expect(at: Analysis, reactions: _Reactions) -> list[tuple[Survey, int, list[Reaction], tuple[int, ...]]]:
    """Let every reaction wait; the result are those whose node holds something already, and what it holds."""
    arrived = []
    reactions.all = True
    for path, survey in at.program.surveys.items():
        base = at.program.bases[path]
        for local, operations in survey.waiting.items():
            node = base + local
            if held := at.solver.held[node]:
                arrived.append((survey, base, operations, held))
            at.solver.reacting[node] = 1
    return arrived
