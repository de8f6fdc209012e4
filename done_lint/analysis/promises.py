"""What annotations and base classes promise of environments, where nothing stronger is known.

The order of evidence is: what visibly arrives (a constructor, a class of the project), then an annotation, then the
base class of a wrapper. A wrapper of the project answers as what is inside it does: `class Statistics(gym.Wrapper)`
around an environment that returns four values returns four values, and is right.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from done_lint.analysis import registrations
from done_lint.analysis.class_hierarchy import WRAPPED
from done_lint.analysis.context import Analysis
from done_lint.analysis.gym_needs import NeedingFiles
from done_lint.analysis.inherited_steps import InheritedSteps
from done_lint.analysis.nested_wrappers import nodes_inside, wrappers_inside
from done_lint.analysis.own_environments import OwnEnvironments
from done_lint.analysis.program import ClassId
from done_lint.analysis.transfer.classes import by_class
from done_lint.analysis.values import Environment, EnvMethod, External, FunctionRef, Instance
from done_lint.core.findings import Span
from done_lint.core.reach import reach
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import AttributeKey
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import api_converters, env_apis, packages
from done_lint.knowledge.env_apis import Api


def of_adapters(at: Analysis) -> None:
    """What is handed to an adapter for old Gym is made for it, and so is every wrapper of the project on the way."""
    decided: dict[ClassId, Api] = {}
    for node in reach(at.envs.handed, lambda one: _inside_kept(at, one)):
        for env in at.solver.values(node, Environment):
            if env.api != env_apis.GYM:
                continue
            at.envs.adapted.add(env.node)
            if (place := at.program.owner(env.node)) is not None:
                at.envs.old_packages[place.path] = env_apis.OLD_GYM.name
        for owner in _of_gym(at, node):
            decided[owner] = env_apis.OLD_GYM
            at.envs.old_packages[owner.path] = env_apis.OLD_GYM.name
    at.classes.decide(decided)


def of_ids(at: Analysis) -> None:
    """What Gym's `make` is given only ids of another package for is that package's, wherever these are written."""
    for made, call in at.envs.make_calls.items():
        known = at.envs.makes.get(made)
        if not call.id or known is None or not known.function.startswith("gym."):
            continue
        if all(one.api.old_gym for one in at.solver.values(made, Environment)):
            continue  # known where the call was seen
        apis = [registrations.api_by_id(at, one) for one in registrations.ids(at, call.id)]
        old = [api.name for api in apis if api is not None and api.old_gym]
        if apis and len(old) == len(apis):
            at.envs.adapted.add(made)
            at.envs.old_packages.setdefault(known.place.path, old[0])


def _of_gym(at: Analysis, node: int) -> Iterator[ClassId]:
    """The classes of the objects that arrive at a node, of those that are based on Gym."""
    for one in at.solver.values(node, Instance):
        api, _ = at.classes.api_of_class(one.path, one.index)
        if api == env_apis.GYM:
            yield ClassId(one.path, one.index)


def _inside_kept(at: Analysis, node: int) -> Iterator[int]:
    """The nodes of what is inside the wrappers that arrive at a node."""
    for owner in _of_gym(at, node):
        yield from at.classes.inside(*owner)


def of_vectors(at: Analysis) -> None:
    """`envs: gym.Env`, where nothing but vector environments of the library visibly arrives.

    Up to Gymnasium 0.29 these inherited from `Env`, and the annotation was right. Of a parameter it chooses among what
    arrives; what a function visibly returns it returns, whatever else it may.
    """
    results = {
        at.program.bases[path] + function.result
        for path, survey in at.program.surveys.items()
        for function in survey.functions
    }
    # a name may be annotated twice
    while found := {node: refused for node, _ in at.envs.annotated if (refused := _vectors(at, node, results))}:
        for node, refused in found.items():
            del at.solver.pinned[node]
            del at.solver.refused[node]
            for env in refused:
                at.solver.add(node, env)
        at.solver.run()


def _vectors(at: Analysis, node: int, results: set[int]) -> list[int]:
    """What an annotation of one environment refused, if these are vector environments of the library.

    At a parameter they must be all that arrives.
    """
    refused, pin = at.solver.refused.get(node), at.solver.pinned.get(node)
    if not refused or pin is None or pin.tested or pin.api not in env_apis.SINGLE:
        return []
    if node not in results and not _only_vectors(at, node):
        return []
    apis = {at.solver.get(env, Environment).api for env in refused}
    return sorted(refused) if apis <= env_apis.VECTORS else []


def _only_vectors(at: Analysis, node: int) -> bool:
    """Whether nothing that arrives at a node may be the one environment, which code that cannot be seen may give."""
    others = {at.classes.api_of_class(one.path, one.index)[0] for one in at.solver.values(node, Instance)}
    return _is_unknown(at, node) and not at.solver.all(node, External) and others <= env_apis.VECTORS


def of_annotations(at: Analysis) -> None:
    """`env: gym.Env`, where no environment visibly arrives and the code does not say that old ones do.

    Where something is read of it that one environment class of the project alone has, an instance of that arrives.
    """
    at.envs.adapters = frozenset(_adapters(at))
    inside_adapters = {
        at.program.bases[path] + node
        for path, index in at.envs.adapters
        for method in at.program.class_at(path, index).methods.values()
        for _, node in at.program.surveys[path].functions[method].params
    }
    own, kept = OwnEnvironments(at), NeedingFiles(at)
    for node, env in at.envs.annotated:
        if node not in inside_adapters and node not in at.solver.refused and _is_unknown(at, node):
            api = at.solver.get(env, Environment).api
            if api.five and (owners := own.at(node, several=api.vector)):
                for path, index in owners:
                    at.put(node, Instance(path, index))
                continue
            promised = _as_needed(at, node, env, kept)
            at.envs.promised.add(promised)
            at.solver.add(node, promised)


def _as_needed(at: Analysis, node: int, env: int, kept: NeedingFiles) -> int:
    """What is promised in a file that needs a package made for old Gym: an environment of that."""
    place = at.program.owner(node)
    promised = at.solver.get(env, Environment)
    if place is None or promised.api != env_apis.GYM or not kept.has(place.path):
        return env
    return at.environment(env_apis.OLD_GYM, False, promised.certainty, promised.node)


def _adapters(at: Analysis) -> Iterator[ClassId]:
    """Classes whose own `step` takes four values from what it steps, and returns five."""
    for path, survey in at.program.surveys.items():
        steps = {
            made.methods["step"]: ClassId(path, index)
            for index, made in enumerate(survey.classes)
            if "step" in made.methods and _gives_five(at, path, made.methods["step"])
        }
        for call, arity in _unpacked_steps(survey) if steps else ():
            owner = steps.get(survey.homes.get(call.result, -1))
            if owner is not None and arity == 4:
                yield owner


def _gives_five(at: Analysis, path: str, step: int) -> bool:
    """Whether a `step` returns five values, or what the library makes of four."""
    function = at.program.surveys[path].functions[step]
    if function.arities:
        return function.arities == (5,)
    results = at.solver.values(at.program.bases[path] + function.result, External)
    return any(one.dotted.removesuffix("()") in api_converters.MAKE_FIVE for one in results)


def _unpacked_steps(survey: Survey) -> Iterator[tuple[ops.Call, int]]:
    """The calls of a method `step` whose result is taken apart once, and into how many values."""
    for operation in survey.telling:
        calls = [op for op in survey.waiting.get(operation.target, ()) if isinstance(op, ops.Call)]
        for call in calls if operation.name == "step" else ():
            unpacks = [op.arity for op in survey.waiting.get(call.result, ()) if isinstance(op, ops.Unpack)]
            if len(unpacks) == 1:
                yield call, unpacks[0]


def of_own_adapters(at: Analysis) -> None:
    """Classes of the project that reach Gymnasium through its own adapter alone keep the API that they are written for.

    That is so where all inside the adapter return four values, and none is registered, wrapped by the library, or
    taken apart into five.
    """
    if not at.envs.adapters:
        return
    elsewhere = {owner for owners in at.envs.entries.values() for owner in owners} | taken_as_five(at)
    for inner, _, _ in at.envs.wrapped:
        elsewhere |= {ClassId(one.path, one.index) for one in at.solver.values(inner, Instance)}
    for adapter in sorted(at.envs.adapters):
        within = [one for one in reach([adapter], lambda one: _classes_inside(at, one)) if one != adapter]
        if within and elsewhere.isdisjoint(within) and all(_steps_as_before(at, one) for one in within):
            at.classes.decide(dict.fromkeys(within, env_apis.OLD_GYM))


def _classes_inside(at: Analysis, owner: ClassId) -> Iterator[ClassId]:
    """The classes of the project inside a wrapper class."""
    for node in at.classes.inside(*owner):
        yield from (ClassId(one.path, one.index) for one in at.solver.values(node, Instance))


def _steps_as_before(at: Analysis, owner: ClassId) -> bool:
    """Whether a class based on Gymnasium has a `step` that returns four values."""
    api, dotted = at.classes.api_of_class(*owner)
    step = at.classes.method_of(*owner, "step")
    arities = at.program.function_at(step).arities if step is not None else ()
    return api == env_apis.GYMNASIUM and dotted.startswith("gymnasium.") and set(arities) == {4}


def taken_as_five(at: Analysis) -> set[ClassId]:
    """The classes of the project whose `step` is taken apart into five values somewhere."""
    found: set[ClassId] = set()
    for path, survey in at.program.surveys.items():
        for call, arity in _unpacked_steps(survey):
            for method in at.solver.values(at.program.bases[path] + call.called, FunctionRef) if arity == 5 else ():
                bound = at.solver.value(method.bound) if method.bound is not None else None
                if isinstance(bound, Instance):
                    found.add(ClassId(bound.path, bound.index))
    return found


def of_base_classes(at: Analysis) -> None:
    """Wrappers around something unknown have the API that their base class promises."""
    _decide_wrappers(at)
    while _adapt_library_wrappers(at):
        _decide_wrappers(at)
    promising = [one for one in at.envs.wrapped if one[2] != env_apis.BY_ARGUMENT]
    for inner, result, api in promising:
        if not at.solver.all(inner, Environment) and not at.solver.all(inner, Instance):
            if api == env_apis.GYMNASIUM and (joined := _joined_bare(at, inner, result)):
                at.envs.half_wrapped.update(joined)
            else:
                at.solver.add(result, at.environment(api, False, "proven", result))
    steps = InheritedSteps(at)
    kept = NeedingFiles(at)
    _promise_insides(at, steps, kept)
    unlimited = {one for one in {one.owner for one in at.envs.inherited_methods} if _is_unlimited(at, one)}
    for target, name, owner, promised in at.envs.inherited_methods:
        if turned := steps.of(owner, name):
            for method in turned:
                at.put(target, method)
            continue
        inside = _others_inside(at, owner) if owner in at.classes.decided else []
        if not inside and owner not in at.envs.adapters:
            known = _as_needed(at, target, promised, kept)
            inside = _vectors_inside(at, owner) or [_without_limit(at, known) if owner in unlimited else known]
        for env in inside:
            at.put(target, EnvMethod(name, env))


def _joined_bare(at: Analysis, inner: int, result: int) -> list[int]:
    """The nodes where what a call made that nobody knows arrives both in a wrapper and without it.

    The wrapper is put on at choice, and its base class promises nothing of what arrives bare.
    """
    wrapped, optional = {outer for _, outer, _ in at.envs.wrapped}, _optional_around(at, result)
    return [
        target
        for target in at.solver.successors[result]
        for bare in at.solver.predecessors[target]
        if bare.source not in wrapped
        and (bare.source in at.envs.half_wrapped or at.program.call_at(bare.source) is not None)
        and (bare.source == inner or (bare.way == "set" and optional - _optional_around(at, bare.source)))
    ]


def _optional_around(at: Analysis, node: int) -> set[Span]:
    """What may not be done around a call."""
    place, _ = at.program.call_at(node) or (None, 0)
    return {one for one in at.program.surveys[place.path].optional if place.span.within(one)} if place else set()


def _is_unknown(at: Analysis, node: int) -> bool:
    """No environment arrives at a node, and no object of the project with a `step` of its own, or with part of one."""
    return not at.solver.all(node, Environment) and all(
        method(one.path, one.index, "step") is None
        for one in at.solver.values(node, Instance)
        for method in (at.classes.method_of, at.classes.part_of)
    )


def _adapt_library_wrappers(at: Analysis) -> bool:
    """Note the library's wrappers around objects of the project that rightly return four values; whether any is new."""
    found = {
        result
        for inner, result, _ in at.envs.wrapped
        if (own := at.solver.values(inner, Instance)) and all(_steps_in_four(at, one) for one in own)
    }
    new = not found <= at.envs.adapted
    at.envs.adapted |= found
    return new


def _steps_in_four(at: Analysis, one: Instance) -> bool:
    """Whether the API of a class of the project has four values, today."""
    api, _ = at.classes.api_of_class(one.path, one.index)
    return api is not None and api.step == env_apis.FOUR


def _decide_wrappers(at: Analysis) -> None:
    """Find the wrapper classes inside which only environments of another API than their base's are seen."""
    decided: dict[ClassId, Api] = {}
    for path, survey in at.program.surveys.items():
        for index in range(len(survey.classes)):
            owner = ClassId(path, index)
            if at.classes.is_wrapper(path, index) and (others := _others_inside(at, owner)):
                apis = [at.solver.get(env, Environment).api for env in others]
                decided[owner] = min(apis, key=lambda api: api.name)
                for api in apis:
                    if api.old_gym:
                        at.envs.old_packages[path] = api.name
    at.classes.decide(decided)


def _others_inside(at: Analysis, owner: ClassId) -> list[int]:
    """The environments inside a wrapper class, if not one of them returns five values."""
    nodes = nodes_inside(at, owner)
    arriving = (env for node in nodes for env in (*at.solver.all(node, Environment), *_of_four(at, node)))
    found = sorted({_as_kept(at, env) for env in arriving})
    apis = [at.solver.get(env, Environment).api for env in found]
    return [] if any(api.five for api in apis) else found


def _vectors_inside(at: Analysis, owner: ClassId) -> list[int]:
    """The vector environments of the library that are seen to arrive inside a wrapper class for them.

    What the class inherits is a method of these, whose call tells how they reset.
    """
    api, _ = at.classes.api_of_class(*owner)
    if api not in env_apis.VECTORS:
        return []
    arriving = {env for node in nodes_inside(at, owner) for env in at.solver.all(node, Environment)}
    return sorted(env for env in arriving if at.solver.get(env, Environment).api is api)


def _promise_insides(at: Analysis, steps: InheritedSteps, kept: NeedingFiles) -> None:
    """What wrappers of the project wrap is what their base class promises, where nothing is known of it."""
    for node, owner, promised in (*at.envs.insides, *_kept_beside(at)):
        if owner not in at.envs.adapters and _is_unknown(at, node) and not steps.arrive_at(node):
            note_makers(at, at.solver.get(promised, Environment).node, at.solver.held[node])
            at.solver.add(node, _as_needed(at, node, promised, kept))


def _kept_beside(at: Analysis) -> Iterator[tuple[int, ClassId, int]]:
    """The attributes in which wrapper classes keep what they hand to their base: `self._env = env`.

    The node of the attribute, the class, and what its base promises.
    """
    for path, survey in at.program.surveys.items():
        for index in range(len(survey.classes)):
            api, dotted = at.classes.api_of_class(path, index)
            instance = at.solver.find(Instance(path, index))
            if api is None or instance is None or not at.classes.is_wrapper(path, index):
                continue
            inside = at.objects.fields.get((instance, WRAPPED))
            given = _set_to(at, inside) if inside is not None else set()
            for key, field in at.objects.owned.get(instance, ()) if given else ():
                is_other = isinstance(key, AttributeKey) and field != inside
                if is_other and (kept := _set_to(at, field)) and kept <= given:
                    yield field, ClassId(path, index), by_class(at, api, dotted, path, index)


def _set_to(at: Analysis, field: int) -> set[int]:
    """What an attribute is set to."""
    return {edge.source for edge in at.solver.predecessors[field]}


def never_truncates(at: Analysis, node: int) -> bool:
    """Whether only objects of the project arrive at a node, and nothing ever truncates an episode of any of them."""
    if at.solver.all(node, Environment) or at.solver.all(node, External):
        return False
    owners = [ClassId(one.path, one.index) for one in at.solver.values(node, Instance)]
    return bool(owners) and all(
        registrations.may_truncate(at, one) is False
        if at.classes.method_of(*one, "step") is not None
        else at.classes.is_wrapper(*one) and _is_unlimited(at, one)
        for one in owners
    )


def _is_unlimited(at: Analysis, owner: ClassId) -> bool:
    """Whether environments are seen to arrive inside a wrapper class, and nothing ever truncates one of them."""
    within = set(reach([owner], lambda one: wrappers_inside(at, one)))
    nodes = [node for one in within for node in at.classes.inside(*one)]
    arriving = [one for node in nodes for one in at.solver.values(node, Environment)]
    own = {ClassId(one.path, one.index) for node in nodes for one in at.solver.values(node, Instance)} - within
    if not arriving and not own:
        return False
    if not all(one.unlimited for one in arriving):
        return False
    # what a class answers that is not seen is no sign of a limit beside one that never truncates
    truncating = {registrations.may_truncate(at, one) for one in own}
    return True not in truncating and (not own or False in truncating)


def _without_limit(at: Analysis, env: int) -> int:
    return at.solver.intern(replace(at.solver.get(env, Environment), unlimited=True))


def _of_four(at: Analysis, node: int) -> Iterator[int]:
    """What arrives of the project's classes of environments that rightly return four values, as environments."""
    for one in filter(partial(_steps_in_four, at), at.solver.values(node, Instance)):
        api, dotted = at.classes.api_of_class(one.path, one.index)
        if api is not None:
            yield by_class(at, api, dotted, one.path, one.index)


def _as_kept(at: Analysis, env: int) -> int:
    """An environment, by what it is handed to."""
    made = at.solver.get(env, Environment)
    if made.node not in at.envs.adapted:
        return env
    return at.environment(env_apis.OLD_GYM, made.unlimited, made.certainty, made.node, made.layers)


def note_makers(at: Analysis, node: int, held: Iterable[int]) -> None:
    """Note what package visibly made the environments that a node is held to stand for, if it is none we know."""
    origins = (one.dotted for number in held if isinstance(one := at.solver.value(number), External))
    makers = {name.partition(".")[0] for name in origins} - packages.GYM_ROOTS - sys.stdlib_module_names
    if makers:
        at.envs.makers.setdefault(node, min(makers))
