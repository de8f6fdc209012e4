"""Attributes of classes of the project and of their instances."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from done_lint.analysis.calls import Call
from done_lint.analysis.class_hierarchy import WRAPPED
from done_lint.analysis.context import Analysis, AttributeRule
from done_lint.analysis.env_evidence import Evidence, InheritedMethod
from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.solver import ALL
from done_lint.analysis.transfer.remote_calls import called_remotely
from done_lint.analysis.values import (
    ClassRef,
    Environment,
    EnvMethod,
    FunctionRef,
    Instance,
    Made,
    ReturningSelf,
    Super,
    SuperInit,
    Value,
)
from done_lint.core.findings import Related
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import env_api_lookup, env_apis, object_methods
from done_lint.knowledge.env_apis import Api
from done_lint.knowledge.vector_info_keys import taking_mode

#: The methods of an environment that a base may leave to its subclasses.
_ANSWERING = frozenset({"step", "reset"})
#: The methods of an environment that a class of the project inherits.
_INHERITED = _ANSWERING | {"seed", "render", "step_wait"}
#: The library's classes that step by themselves.
_COMPLETE = frozenset({"SyncVectorEnv", "AsyncVectorEnv"})
#: What begins a step or an episode of a vector environment, whose other half gives what it returns.
_BEGINNING = frozenset({"step_async", "reset_async"})
#: The methods that make and step what is inside of a vector environment.
_DOING = ("__init__", "step", "step_wait", "step_async")
#: Attributes of environment classes that mean more than what is set.
_OF_ENVIRONMENTS = _INHERITED | _BEGINNING | {"np_random", "env", "venv", "unwrapped"}


def attribute_of_instance(at: Analysis, number: int, name: str, target: int, source: int) -> None:
    known, key = at.classes.plain_reads(), (number, name)
    if key not in known:
        known[key] = _plain_read(at, number, name)
    read = known[key]
    if isinstance(read, int):
        at.solver.add(target, read)
    elif read is not None:
        for field in read:
            at.solver.edge(field, target, ALL, "load")
    else:
        _read_of_instance(at, number, name, target, source)


def _plain_read(at: Analysis, number: int, name: str) -> int | list[int] | None:
    """What all reads of an attribute do, if that is plain (see `ClassHierarchy.plain_reads`)."""
    instance = at.solver.get(number, Instance)
    path, index = instance.path, instance.index
    found = at.classes.method_of(path, index, name)
    if found is not None:
        function = at.program.function_at(found)
        if function.kind == "property" or function.abstract:
            return None
        return at.solver.intern(FunctionRef(*found, None if function.kind == "static" else number))
    if name in _OF_ENVIRONMENTS or name in object_methods.RETURNING_SELF or at.classes.delegate(path, index):
        return None
    if not at.classes.is_wrapper(path, index) and at.classes.below(path, index):
        return None
    return at.fields.fields_of(path, index, name)


def _read_of_instance(at: Analysis, number: int, name: str, target: int, source: int) -> None:
    instance = at.solver.get(number, Instance)
    path, index = instance.path, instance.index
    found = at.classes.method_of(path, index, name) or at.classes.part_of(path, index, name)
    if found is not None:
        _own_method(at, number, found, target)
        return
    for field in at.fields.fields_of(path, index, name):
        at.solver.edge(field, target, ALL, "load")
    api, dotted = at.classes.api_of_class(path, index)
    if not at.classes.is_wrapper(path, index) and at.classes.below(path, index):
        _left_to_heirs(at, path, index, name, target, source)
        _set_by_heirs(at, path, index, name, target)
    if api is None:
        _returning_self(at, number, name, target)
        _delegated(at, number, name, target)
        return
    if name == "np_random" and api.five:
        at.envs.inherited_generators.append((target, path, index, by_class(at, api, dotted, path, index)))
    # a complete class of the library's answers for itself; its methods may be called on an heir
    answers = taking_mode(dotted) in _COMPLETE and not at.program.method_with(source)
    if name in _ANSWERING and not answers and _heirs_answer(at, path, index, name, target):
        return
    if name in _INHERITED or (name in _BEGINNING and api in env_apis.VECTORS):
        _inherited_method(at, name, target, ClassId(path, index), by_class(at, api, dotted, path, index))
    elif name in ("env", "venv", "unwrapped") and _promises(at, path, index, dotted):
        # what it wraps is known better where it is made; the base class says so only where that is not visible
        at.envs.insides.append((target, ClassId(path, index), by_class(at, api, dotted, path, index)))
    if name == "unwrapped":
        _unwrap(at, number, target, source)


def _own_method(at: Analysis, number: int, found: FunctionId, target: int) -> None:
    """A method of the class itself, or what a property of it gives; an abstract one is that of the heirs as well."""
    where, method = found
    function = at.program.surveys[where].functions[method]
    if function.kind == "property":
        if function.params:
            (_, own), *_ = function.params
            at.solver.add(at.program.bases[where] + own, number)
        at.solver.edge(at.program.bases[where] + function.result, target, ALL, "return")
    else:
        at.put(target, FunctionRef(where, method, None if function.kind == "static" else number))
        owner = at.solver.get(number, Instance)
        # what a class of a library promises is known
        if function.abstract and at.classes.api_of_class(owner.path, owner.index)[0] is None:
            _heirs_beside(at, owner.path, owner.index, function.name, target)


def _unwrap(at: Analysis, number: int, target: int, source: int) -> None:
    """What `unwrapped` of an environment class of the project gives: of a wrapper, that of what it is put around."""
    owner = at.solver.get(number, Instance)
    if not at.classes.is_wrapper(owner.path, owner.index):
        at.solver.add(target, number)
        return
    if (number, target) in at.envs.unwrapping:
        return
    at.envs.unwrapping.add((number, target))
    for ancestor in at.classes.lineage(owner.path, owner.index):
        if not isinstance(ancestor, str):
            inside = at.objects.field(at.solver.intern(Instance(*ancestor)), WRAPPED)
            at.solver.watch(inside, lambda one: at.attribute(one, "unwrapped", target, source))


def _left_to_heirs(at: Analysis, path: str, index: int, name: str, target: int, source: int) -> None:
    """`self.env` in a base of the project that never sets it, but to None: the environments of its subclasses."""

    def take_from(field: int) -> Callable[[int], None]:
        def take(number: int) -> None:
            value = at.solver.value(number)
            wraps = isinstance(value, Instance) and at.classes.api_of_class(value.path, value.index)[0] is not None
            if wraps or isinstance(value, Environment):
                at.solver.add(target, number, field)

        return take

    method = at.program.method_with(source)
    for field in at.fields.left_to_heirs(path, index, name, method):
        at.solver.watch(field, take_from(field))


def _set_by_heirs(at: Analysis, path: str, index: int, name: str, target: int) -> None:
    """`self.agent_class()` in a base that says None: what its subclasses say, which a tool may construct."""
    for node in at.fields.set_by_heirs(path, index, name):
        at.solver.watch(node, lambda number: at.solver.add(target, number) if _is_class(at, number) else None)


def _is_class(at: Analysis, number: int) -> bool:
    return isinstance(at.solver.value(number), ClassRef)


def _delegated(at: Analysis, number: int, name: str, target: int) -> None:
    """What `__getattr__` gives for a name that the object may lack: that of what it asks, which may be its own kind."""
    owner = at.solver.get(number, Instance)
    path, index = owner.path, owner.index
    inner = at.classes.delegate(path, index)
    if not inner or name in (inner, "__init__") or (number, target) in at.envs.delegating:
        return
    at.envs.delegating.add((number, target))

    def ask(field: int) -> Callable[[int], None]:
        return lambda number: at.attribute(number, name, target, field)

    for field in at.fields.fields_of(path, index, inner):
        at.solver.watch(field, ask(field))


def _returning_self(at: Analysis, number: int, name: str, target: int) -> None:
    """A method that a base from outside the project gives an object, and that returns the object."""
    instance = at.solver.get(number, Instance)
    lineage = at.classes.lineage(instance.path, instance.index)
    if name in object_methods.RETURNING_SELF and any(isinstance(one, str) for one in lineage):
        at.put(target, ReturningSelf(number))


def _heirs_answer(at: Analysis, path: str, index: int, name: str, target: int) -> bool:
    """A base of the project that leaves a method to its subclasses: any of these may stand there."""
    heirs = [] if at.classes.is_wrapper(path, index) else at.classes.heirs_with(path, index, name)
    _put_heirs(at, heirs, target)
    return bool(heirs)


def _heirs_beside(at: Analysis, path: str, index: int, name: str, target: int) -> None:
    """The methods that stand for an abstract one; an environment's only where the program has one such class.

    Classes of tests are no part of the program.
    """
    heirs = [] if at.classes.is_wrapper(path, index) else at.classes.heirs_with(path, index, name)
    heirs = [one for one in heirs if not at.imports.is_test(one[0].path)]
    if len(heirs) == 1 or name not in _ANSWERING:
        _put_heirs(at, heirs, target)


def _put_heirs(at: Analysis, heirs: Iterable[tuple[ClassId, FunctionId]], target: int) -> None:
    for heir, (where, method) in heirs:
        at.put(target, FunctionRef(where, method, at.solver.intern(Instance(*heir))))


def _inherited_method(at: Analysis, name: str, target: int, owner: ClassId, env: int) -> None:
    """A method of the library's: a wrapper hands it to what is inside, which is known once all has arrived."""
    if at.classes.is_wrapper(*owner):
        at.envs.inherited_methods.append(InheritedMethod(target, name, owner, env))
    else:
        at.put(target, EnvMethod(name, env))


def _promises(at: Analysis, path: str, index: int, base: str) -> bool:
    """Whether a wrapper's base says what is inside: one of Gymnasium's may adapt environments made for Gym."""
    adapts = base.startswith("gymnasium.") and path in at.envs.needed
    return at.classes.is_wrapper(path, index) and not adapts


def by_class(at: Analysis, api: Api, dotted: str, path: str, index: int, unlimited: bool = False) -> int:
    """The environment that an instance of a class is by what the class inherits."""
    key = at.program.bases[path] + next(iter(at.program.class_at(path, index).bases), 0)
    if key not in at.envs.evidence:
        site = at.classes.base_site(path, index, dotted)
        at.envs.evidence[key] = Evidence(site, f"a subclass of `{dotted}`")
        if site is not None and taking_mode(dotted):
            name = at.program.class_at(path, index).name
            own = [one for one in _DOING if at.classes.method_of(path, index, one) is not None]
            at.envs.subclassed[key] = Made(Related(*site, ""), dotted, subclass=name, as_library=not own)
    return at.environment(api, unlimited, "proven", key)


def attribute_of_class(at: Analysis, number: int, name: str, target: int, source: int) -> None:
    made = at.solver.get(number, ClassRef)
    path, index = made.path, made.index
    found = at.classes.method_of(path, index, name)
    if found is not None:
        where, method = found
        own = number if at.program.surveys[where].functions[method].kind == "class" else None
        at.put(target, FunctionRef(where, method, own))
        return
    own = False
    for ancestor in at.classes.lineage(path, index):
        if not isinstance(ancestor, str):
            value = at.program.class_at(*ancestor).attrs.get(name)
            if value is not None:
                own = True
                at.solver.edge(at.program.bases[ancestor[0]] + value, target, ALL, "load")
                if at.classes.is_enumeration(path, index):
                    at.put(target, Instance(path, index))  # a member has the methods of its class
    if not own:
        called_remotely(at, number, name, target)


def attribute_of_super(at: Analysis, number: int, name: str, target: int, source: int) -> None:
    above = at.solver.get(number, Super)
    path, index = above.path, above.index
    if _method_above(at, above, name, target):
        return
    api, dotted = at.classes.api_of_class(path, index)
    if name == "__init__":
        at.put(target, SuperInit(path, index))
    elif api is not None:
        _inherited_method(at, name, target, ClassId(path, index), by_class(at, api, dotted, path, index))
    elif name in _ANSWERING:
        at.solver.watch(above.node, lambda one: _beside_mixin(at, ClassId(path, index), one, name, target))
    if api is None:
        # `def against(base): class Duel(base)`: the bases arrive with the calls of the function around it
        for node in at.program.class_at(path, index).bases:
            at.solver.watch(at.program.bases[path] + node, lambda one: _late_base(at, above, one, name, target))


def _method_above(at: Analysis, above: Super, name: str, target: int) -> bool:
    """Whether a base of the project's has the method that `super()` is asked for, which flows to `target` then."""
    found = at.classes.method_of(above.path, above.index, name, after=True)
    if found is None:
        return False
    for instance in at.solver.all(above.node, Instance) or [at.solver.intern(Instance(above.path, above.index))]:
        at.put(target, FunctionRef(*found, instance))
    return True


def _late_base(at: Analysis, above: Super, number: int, name: str, target: int) -> None:
    """A base that is known only after `super()` was asked: what it has of this name."""
    if isinstance(at.solver.value(number), ClassRef):
        _method_above(at, above, name, target)


def _beside_mixin(at: Analysis, mixin: ClassId, number: int, name: str, target: int) -> None:
    """`super().step(action)` in a class without bases: what stands behind it in the class of the instance."""
    value = at.solver.value(number)
    if not isinstance(value, Instance) or (value.path, value.index) == mixin:
        return
    found = at.classes.method_behind(value.path, value.index, mixin, name)
    if found is not None:
        at.put(target, FunctionRef(*found, number))
        return
    api, dotted = at.classes.api_of_class(value.path, value.index)
    if api is not None:
        env = by_class(at, api, dotted, value.path, value.index)
        _inherited_method(at, name, target, ClassId(value.path, value.index), env)


def is_method_of_base(dotted: str) -> bool:
    """`gym.Wrapper.step`: a method of a class of environments."""
    base, _, name = dotted.rpartition(".")
    return name in _ANSWERING and env_api_lookup.base(base) is not None


def call_of_base(at: Analysis, name: str, call: Call) -> None:
    """`gym.Wrapper.step(self, action)`: what `super().step(action)` gives in the class of the instance."""
    if not call.args or not call.args[0].node or 0 in call.stars:
        return
    stars = tuple(star - 1 for star in call.stars)
    inner = Call(call.survey, call.args[1:], stars, call.named, call.result, call.site)

    def react(number: int) -> None:
        value = at.solver.value(number)
        api, dotted = at.classes.api_of_class(value.path, value.index) if isinstance(value, Instance) else (None, "")
        if api is not None and isinstance(value, Instance):
            method = at.solver.add_node()
            at.solver.watch(method, lambda one: at.call(one, inner))
            env = by_class(at, api, dotted, value.path, value.index)
            _inherited_method(at, name, method, ClassId(value.path, value.index), env)

    at.solver.watch(call.args[0].node, react)


def given_subclasses(at: Analysis, survey: Survey) -> None:
    """`__init_subclass__` of a base, which is called with each class that inherits from it."""
    for index in range(len(survey.classes)):
        method = at.classes.method_of(survey.path, index, "__init_subclass__", after=True)
        function = at.program.function_at(method) if method is not None else None
        if method is not None and function is not None and function.params:
            _, own = function.params[0]
            at.put(at.program.bases[method.path] + own, ClassRef(survey.path, index))


ATTRIBUTES: dict[type[Value], AttributeRule] = {
    Instance: attribute_of_instance,
    ClassRef: attribute_of_class,
    Super: attribute_of_super,
}
