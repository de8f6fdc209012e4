"""What annotations and tests of a type say of a value."""

from __future__ import annotations

from functools import partial

from done_lint.analysis.context import Analysis
from done_lint.analysis.env_evidence import Evidence, Promise
from done_lint.analysis.program import ClassId
from done_lint.analysis.solver import Pin
from done_lint.analysis.transfer import logged_episodes
from done_lint.analysis.transfer.dm_env import TIME_STEP
from done_lint.analysis.values import (
    ClassRef,
    Environment,
    External,
    Instance,
    TimeStep,
    Value,
)
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import env_api_lookup, env_apis, packages
from done_lint.knowledge.env_apis import Api

#: Packages whose classes are in the tables where they are environments.
_KNOWN_PACKAGES = packages.GYM_ROOTS | frozenset({"", "typing", "typing_extensions"})
#: What an annotation says of a value that is of no class in the project.
_ANNOTATED: dict[str, Value] = {TIME_STEP: TimeStep(), **logged_episodes.ANNOTATED}
#: Bases of classes that only say which methods something has.
_PROTOCOLS = frozenset({"typing.Protocol", "typing_extensions.Protocol"})


def annotated_with(at: Analysis, survey: Survey, base: int, number: int, op: ops.Annotated) -> None:
    if op.instance:
        annotate(at, number, base + op.target, path=survey.path, alone=op.alone)
        if op.chosen and isinstance(value := at.solver.value(number), ClassRef):
            at.solver.chosen[base + op.target] = partial(_may_be, at, ClassId(value.path, value.index))
    elif isinstance(at.solver.value(number), ClassRef):
        at.solver.add(base + op.target, number)


def _may_be(at: Analysis, kind: ClassId, value: Instance) -> bool:
    """Whether an instance may be what an annotation says: it is of no other class with the same base in the project."""
    mine, named = at.classes.lineage(value.path, value.index), at.classes.lineage(*kind)
    if kind in mine or ClassId(value.path, value.index) in named:
        return True
    return not any(one in named for one in mine if not isinstance(one, str))


def annotate(at: Analysis, number: int, target: int, *, make: bool = True, path: str = "", alone: bool = True) -> None:
    """An annotation names a class: the value is an instance of it, and if it stands alone, of no other API."""
    value = at.solver.value(number)
    if isinstance(value, ClassRef):
        if make:
            # whether it may pass a test on its way depends on its bases
            at.once_classed(partial(at.put, target, Instance(value.path, value.index)))
            at.envs.named.add(target)
        if alone:
            at.solver.pinned[target] = Pin(partial(_api_named, at, ClassId(value.path, value.index)), tested=not make)
    elif isinstance(value, External):
        if value.dotted in _ANNOTATED and make:
            at.put(target, _ANNOTATED[value.dotted])
        api = at.user_apis.get(value.dotted) or env_api_lookup.base(value.dotted)
        api = at.kept.api(api, value.dotted, path) if api is not None else None
        if api is not None:
            how = "annotated as" if make else "tested to be"
            at.envs.evidence.setdefault(target, Evidence(None, f"{how} `{value.dotted}`"))
            at.envs.annotated.append(Promise(target, at.environment(api, False, "proven", target)))
        elif _is_foreign_environment(value.dotted):
            api = env_apis.FOREIGN
            if make:
                at.solver.add(target, at.environment(api, False, "proven", target))
        if api is not None and alone:
            at.solver.pinned[target] = Pin(lambda: api, tested=not make)


def _api_named(at: Analysis, kind: ClassId) -> Api | None:
    """The API of a class of the project; None: it says nothing of steps, or its bases are not known yet."""
    api, _ = at.classes.api_of_class(*kind)
    if api is not None or at.classes.method_of(*kind, "step") is None:
        return api
    bases = at.program.class_at(*kind).bases
    if not all(at.solver.held[at.program.bases[kind.path] + one] for one in bases):
        return None
    # a protocol of the project's own; one of `typing` asks for nothing but methods
    return env_apis.FOREIGN if _PROTOCOLS.isdisjoint(at.classes.lineage(*kind)) else None


def _is_foreign_environment(dotted: str) -> bool:
    """`multigrid.MultiGridEnv`: an environment class of a package that is in no table."""
    package, _, name = dotted.rpartition(".")
    return "Env" in name and package.partition(".")[0] not in _KNOWN_PACKAGES


def narrow(at: Analysis, survey: Survey, base: int, number: int, op: ops.Narrow) -> None:
    """What passed `isinstance(a, kind)`: environments of another API do not."""
    value = at.solver.value(number)
    if not op.holds:
        if isinstance(value, External) and value.dotted.startswith(("gym.", "gymnasium.")):
            at.solver.precede(base + op.target, base + op.source, "flow")
            if _is_base(value.dotted):
                at.envs.outside.add(base + op.target)
            at.solver.watch(base + op.source, partial(_pass, at, value.dotted, base + op.source, base + op.target))
        else:
            at.solver.edge(base + op.source, base + op.target)
        return
    if isinstance(value, (ClassRef, External)):
        annotate(at, number, base + op.target, make=False, path=survey.path)
        api = env_api_lookup.base(value.dotted) if isinstance(value, External) else None
        if api is not None:
            at.solver.chosen[base + op.target] = partial(_may_be_of, at, api)
        elif isinstance(value, External):
            # an instance of that class, whatever else may seem to arrive here
            at.put(base + op.target, External(value.dotted + "()"))
        at.solver.edge(base + op.source, base + op.target)


def _may_be_of(at: Analysis, api: Api, value: Instance) -> bool:
    """Whether an instance of a class of the project may answer as an API asks: no single environment is a vector."""
    own, _ = at.classes.api_of_class(value.path, value.index)
    return own is None or own.vector == api.vector


def _is_base(kind: str) -> bool:
    """Whether a class is the base of all environments of its library."""
    return kind.rpartition(".")[2] == env_apis.BASE


def _pass(at: Analysis, kind: str, source: int, target: int, number: int) -> None:
    """What did not pass `isinstance(a, kind)`."""
    if not _is_of(at, kind, at.solver.value(number)):
        at.solver.add(target, number, source, number)


def _is_of(at: Analysis, kind: str, value: Value) -> bool:
    """Whether a value is certainly of a class of Gym's: an environment with a limit around it, or any of the library.

    All that answer as single environments of the library are instances of its `Env`.
    """
    if _is_base(kind):
        api = env_api_lookup.base(kind)
        if isinstance(value, Instance):
            return at.classes.api_of_class(value.path, value.index)[0] == api
        return isinstance(value, Environment) and value.api == api
    return isinstance(value, Environment) and not env_apis.LIMITING.isdisjoint(value.layers[:1])
