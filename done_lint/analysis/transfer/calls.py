"""Calls of what the project defines: arguments reach parameters, and results come back."""

from __future__ import annotations

from collections.abc import Mapping

from done_lint.analysis.calls import Call
from done_lint.analysis.class_hierarchy import WAITING, WRAPPED
from done_lint.analysis.context import Analysis, CallRule
from done_lint.analysis.env_evidence import Evidence
from done_lint.analysis.program import ClassId
from done_lint.analysis.solver import ALL, VALUES
from done_lint.analysis.transfer.classes import by_class
from done_lint.analysis.transfer.container_classes import add_items
from done_lint.analysis.transfer.dm_env import stepped
from done_lint.analysis.transfer.shared_stars import Shared, hands_on_star, share_star
from done_lint.analysis.values import (
    ClassRef,
    FunctionRef,
    Instance,
    Object,
    OwnStepResult,
    Partial,
    RecordClass,
    ResetResult,
    ReturningSelf,
    Shape,
    SuperInit,
    Value,
    Way,
)
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import ANY, AttributeKey, IndexKey, Key, TextKey
from done_lint.flowgraph.operations import Placed
from done_lint.flowgraph.schema import Function, Survey


def call(at: Analysis, survey: Survey, base: int, number: int, op: ops.Call) -> None:
    """`f(x)`, for one value of `f`."""
    if (rule := at.dispatch.calls.get(type(at.solver.value(number)))) is not None:
        rule(at, number, Call.read(survey, base, op))


def call_function(at: Analysis, number: int, call: Call) -> None:
    called = at.solver.get(number, FunctionRef)
    path, own = called.path, called.bound
    function = at.program.surveys[path].functions[called.index]
    if at.user_apis and own is None:
        api = at.user_apis.get(f"{at.program.dotted[path]}.{function.name}")
        if api is not None:
            at.envs.evidence.setdefault(call.result, Evidence(call.site, "made by a function of your `env-apis`"))
            at.solver.add(call.result, at.environment(api, False, "proven", call.result))
            return
    if own is not None and (public := _public(at, function, own)):
        call = _as_several(at, public, own, call)
    if not _fits(function, call, bound=own is not None):
        return
    if function.name in ("step", "reset"):
        _as_environments(at, path, function, own, call)
    if not call.survey.page or call.survey.path == path:
        # a page's examples hand over what they like: of the program that proves nothing
        bind(at, path, function, own, call)
    result = at.program.bases[path] + function.result
    if given := _converted(function, own, call):
        _convert(at, given, result, call)
    elif function.makes and not function.decorated:
        _make(at, path, function, call)
    else:
        at.solver.edge(result, call.result, ALL, "return")


def _converted(function: Function, own: int | None, call: Call) -> int:
    """The argument that a function only converts and returns, or 0; a decorator may do more."""
    place = function.converts - (own is not None)
    if function.converts < 0 or place < 0 or function.decorated or any(star <= place for star in call.stars):
        return 0
    if place < len(call.args):
        return call.args[place].node
    name, _ = function.params[function.converts]
    return call.keyword(name)


def _convert(at: Analysis, given: int, result: int, call: Call) -> None:
    """Each call of a conversion gives what that call was given: what others convert by it has no part in it."""
    at.solver.edge(given, call.result, VALUES)

    def react(number: int) -> None:
        if not at.solver.is_carried(number):
            at.solver.add(call.result, number)

    at.solver.watch(result, react)


def _make(at: Analysis, path: str, function: Function, call: Call) -> None:
    """`return torch.zeros(shape)`: each call gives an array of its own, in which nothing of other calls is put."""
    base = at.program.bases[path]
    result = base + function.result

    def react(number: int) -> None:
        value = at.solver.value(number)
        array = value.node - base if isinstance(value, Object) and value.shape is Shape.ARRAY else -1
        if any(first < array <= last for first, last in function.makes):
            at.put(call.result, Object(call.result, Shape.ARRAY))
        else:
            at.solver.add(call.result, number, result, number)

    at.solver.watch(result, react)


def _fits(function: Function, call: Call, *, bound: bool) -> bool:
    """Whether a call gives no argument too many, and none by its place and by its name: else it means another one.

    `bound`: the function has its first argument already.
    """
    if function.vararg >= 0 or function.decorated or call.stars:
        return True
    given = len(call.args) + bound
    taken = {name for name, _ in function.params[:given]}
    return given <= max(function.positional, int(bound)) and taken.isdisjoint(one.name for one in call.named)


def _as_environments(at: Analysis, path: str, function: Function, own: int | None, call: Call) -> None:
    """The method of an object, or of whatever is the first argument: `Base.step(self, action)`.

    Where all arguments are behind a star, a decorator calls what it decorates.
    """
    if own is not None:
        if not _is_protocol_above(at, path, function, own):
            _as_environment(at, function.name, own, call)
    elif function.decorated and function.owner >= 0 and call.stars[:1] == (0,):
        _as_environment(at, function.name, at.solver.intern(Instance(path, function.owner)), call)
    elif function.owner >= 0 and function.kind == "function" and call.args and call.args[0][0]:
        at.solver.watch(call.args[0][0], lambda first: _as_environment(at, function.name, first, call))


def _is_protocol_above(at: Analysis, path: str, function: Function, own: int) -> bool:
    """`super().reset()` of `class Grid(Simulation, gym.Env)`: a base with its own protocol, which is adapted."""
    instance = at.solver.value(own)
    if not isinstance(instance, Instance) or function.owner < 0:
        return False
    answering = at.classes.method_of(instance.path, instance.index, function.name)
    replaced = answering is not None and at.program.function_at(answering) is not function
    return replaced and at.classes.api_of_class(path, function.owner)[0] is None


def _as_environment(at: Analysis, name: str, own: int, call: Call) -> None:
    """The own `step` of a class that inherits from the library's environments has to answer as they do."""
    instance = at.solver.value(own)
    if not isinstance(instance, Instance):
        return
    path, index = instance.path, instance.index
    api, dotted = at.classes.api_of_class(path, index)
    stepped(at, name, api, call.result)
    if api is not None and api.five and not api.vector:
        env = by_class(at, api, dotted, path, index, unlimited=True)
        # the flags of such a step are those of the tuple that it returns
        kind = OwnStepResult if name == "step" else ResetResult
        at.put(call.result, kind(env, call.result))


def _public(at: Analysis, function: Function, own: int) -> str:
    """The `step` or `reset` of the library's vector environments that a `step_wait` answers for; or nothing."""
    public, instance = function.name.removesuffix(WAITING), at.solver.value(own)
    if public == function.name or not isinstance(instance, Instance):
        return ""
    part = at.classes.part_of(instance.path, instance.index, public)
    return public if part is not None and at.program.function_at(part) is function else ""


def _as_several(at: Analysis, public: str, own: int, call: Call) -> Call:
    """Such a method has to answer as the library's; the actions of a step go to another one before."""
    instance = at.solver.get(own, Instance)
    api, dotted = at.classes.api_of_class(instance.path, instance.index)
    if api is not None:
        env = by_class(at, api, dotted, instance.path, instance.index, unlimited=True)
        at.put(call.result, (OwnStepResult if public == "step" else ResetResult)(env, call.result))
    return Call(call.survey, [], (), [], call.result, call.site) if public == "step" else call


def bind(at: Analysis, path: str, function: Function, own: int | None, call: Call) -> None:
    base, params = at.program.bases[path], function.params
    positional = [base + node for _, node in params[: function.positional]]
    if own is not None and params:
        (_, first), *params = params
        at.solver.add(base + first, own)
        positional = positional[1:]
    rest = base + function.vararg if function.vararg >= 0 else -1
    if rest >= 0:
        handed = None if call.stars else [one.node for one in call.args[len(positional) :]]
        at.rests.setdefault(rest, {})[call.result] = handed
    if call.args:
        bind_arguments(at, positional, rest, call)
    if not call.named:
        return
    names = {name: base + node for name, node in params}
    for name, node, span in call.named:
        if name in names and node:
            at.solver.edge(node, names[name], ALL, "argument", call.passage(node, span))
        elif name is not None and node and function.kwarg >= 0:
            mapping = at.put(base + function.kwarg, Object(base + function.kwarg, Shape.DICT))
            at.solver.edge(node, at.objects.field(mapping, TextKey(name)), ALL, "store", call.passage(node, span))
        elif name is None and node:
            rest = base + function.kwarg if function.kwarg >= 0 else -1
            _bind_mapping(at, node, names, rest)


def bind_arguments(at: Analysis, params: list[int], rest: int, call: Call) -> None:
    """Positional arguments, starred ones included, to parameters."""
    for position, (node, span) in enumerate(call.args):
        if not node:
            continue
        passage = call.passage(node, span)
        if position in call.stars:
            _bind_star(at, position, params, call, rest)
            break
        if position < len(params):
            at.solver.edge(node, params[position], ALL, "argument", passage)
        elif rest >= 0:
            number = at.put(rest, Object(rest, Shape.TUPLE))
            at.solver.edge(node, at.objects.field(number, IndexKey(position - len(params))), ALL, "store", passage)


def _bind_star(
    at: Analysis, position: int, params: list[int], call: Call, rest: int = -1, way: Way = "argument"
) -> None:
    """`f(a, *args)`: what is in `args` goes to the parameters from a position on, and then to the function's own star.

    A function that calls itself with one argument more has each at every place behind: no number of places is enough.
    """
    node, span = call.args[position]
    passage = call.passage(node, span)

    def store(key: Key, value: int) -> None:
        if rest >= 0:
            taken = at.put(rest, Object(rest, Shape.TUPLE))
            at.solver.edge(value, at.objects.field(taken, key), ALL, "store", passage)

    def react(number: int) -> None:
        taken = at.solver.value(number)
        if not isinstance(taken, Object):
            return
        merges = hands_on_star(at, taken.node, params, call)

        def field(key: Key, value: int) -> None:
            if isinstance(key, IndexKey) and 0 <= key.position < len(params) - position:
                target = params[position + key.position]
                shared = Shared(value, target, call.result, taken.node, key.position)
                share_star(at, shared, passage, way, merges=merges)
            elif isinstance(key, IndexKey) and key.position >= 0:
                place = position + key.position - len(params)
                store(IndexKey(place) if place <= key.position else ANY, value)
            elif key == ANY:
                for target in params[position:]:
                    at.solver.edge(value, target, ALL, way, passage)
                store(ANY, value)

        at.objects.each_field(number, field)

    at.solver.watch(node, react)


def _bind_mapping(at: Analysis, node: int, names: Mapping[str, int], rest: int = -1) -> None:
    """`f(**row)`: what stands in `row` goes to the parameters of its keys, and then to the function's own stars."""

    def react(number: int) -> None:
        if not isinstance(at.solver.value(number), Object):
            return

        def field(key: Key, value: int) -> None:
            if isinstance(key, TextKey) and key.text in names:
                at.solver.edge(value, names[key.text], ALL, "load")
            elif rest >= 0 and not isinstance(key, IndexKey):
                taken = at.put(rest, Object(rest, Shape.DICT))
                at.solver.edge(value, at.objects.field(taken, key), ALL, "load")

        at.objects.each_field(number, field)

    at.solver.watch(node, react)


def call_class(at: Analysis, number: int, call: Call) -> None:
    called = at.solver.get(number, ClassRef)
    path, index = called.path, called.index
    api = at.user_apis.get(at.classes.dotted_class(path, index)) if at.user_apis else None
    if api is not None:
        at.envs.evidence.setdefault(call.result, Evidence(call.site, "made by a class of your `env-apis`"))
        at.solver.add(call.result, at.environment(api, False, "proven", call.result))
        return
    made = at.program.class_at(path, index)
    found = at.classes.method_of(path, index, "__init__")
    instance = at.solver.intern(Instance(path, index))
    prepared = at.classes.method_of(path, index, "__post_init__") if found is None and made.fields else None
    does_more = not all(name.startswith("__") for name in made.methods)
    if made.fields and ((prepared is not None and does_more) or (found is None and made.keeps)):
        # it keeps more than it is given, and does something with it
        at.solver.add(call.result, instance)
        _fill(at, {name: at.objects.field(instance, AttributeKey(name)) for name in made.fields}, call, "set")
        if prepared is not None:
            for _, node in at.program.function_at(prepared).params[:1]:
                at.solver.add(at.program.bases[prepared.path] + node, instance)
        return
    if found is None and made.fields:
        record = at.put(call.result, Object(call.result, Shape.RECORD))
        _fill_record(at, record, made.fields, call)
        for name in made.fields:
            if (default := made.attrs.get(name)) is not None:
                at.solver.edge(at.program.bases[path] + default, at.objects.field(record, TextKey(name)))
        return
    at.solver.add(call.result, instance)
    add_items(at, ClassId(path, index), call.result)
    if found is None and call.args and call.args[0].node and at.classes.is_wrapper(path, index):
        at.solver.edge(call.args[0].node, at.objects.field(instance, WRAPPED), ALL, "set")
    if found is not None:
        where, method = found
        bind(at, where, at.program.surveys[where].functions[method], instance, call)


def _fill_record(at: Analysis, record: int, fields: tuple[str, ...], call: Call) -> None:
    nodes = {name: at.objects.field(record, TextKey(name)) for name in fields}
    for position, node in enumerate(nodes.values()):
        at.solver.edge(node, at.objects.field(record, IndexKey(position)), ALL, "flow")
    _fill(at, nodes, call, "store")


def _fill(at: Analysis, fields: Mapping[str, int], call: Call, way: Way) -> None:
    """The arguments of a call to the nodes of fields, by position and by name."""
    nodes = list(fields.values())
    for position, (node, span) in enumerate(call.args):
        if not node:
            continue
        passage = call.passage(node, span)
        if position in call.stars:
            _bind_star(at, position, nodes, call, way=way)
            break
        if position < len(nodes):
            at.solver.edge(node, nodes[position], ALL, way, passage)
    for key, node, span in call.named:
        if key is not None and key in fields and node:
            at.solver.edge(node, fields[key], ALL, way, call.passage(node, span))
        elif key is None and node:
            _bind_mapping(at, node, fields)


def call_record(at: Analysis, number: int, call: Call) -> None:
    record = at.put(call.result, Object(call.result, Shape.RECORD))
    _fill_record(at, record, at.solver.get(number, RecordClass).fields, call)


def call_instance(at: Analysis, number: int, call: Call) -> None:
    instance = at.solver.get(number, Instance)
    for name in ("__call__", "forward"):
        found = at.classes.method_of(instance.path, instance.index, name)
        if found is not None:
            call_function(at, at.solver.intern(FunctionRef(*found, number)), call)
            return


def call_partial(at: Analysis, number: int, call: Call) -> None:
    """`partial(f, a, k=b)(c)`: the arguments of both calls."""
    partial = at.solver.get(number, Partial)
    bound = at.partials[partial.node]
    args = [*bound.args[1:], *call.args]
    first = len(bound.args) - 1
    stars = (*(star - 1 for star in bound.stars), *(star + first for star in call.stars))
    result = call.result if partial.gives else at.solver.add_node()
    at.call(partial.inner, Call(call.survey, args, stars, [*bound.named, *call.named], result, call.site))


def call_super_init(at: Analysis, number: int, call: Call) -> None:
    """`super().__init__(env)` of a wrapper: its `self.env`, unless a library's base holds what it says itself."""
    above = at.solver.get(number, SuperInit)
    if at.classes.holder(above.path, above.index):
        return
    if call.args and call.args[0].node:
        instance = at.solver.intern(Instance(above.path, above.index))
        at.solver.edge(call.args[0].node, at.objects.field(instance, WRAPPED), ALL, "set")


def call_returning_self(at: Analysis, number: int, call: Call) -> None:
    """`Agent().to(device)` is the agent."""
    at.solver.add(call.result, at.solver.get(number, ReturningSelf).instance)


def special_method(at: Analysis, number: int, name: str, args: list[Placed], result: int) -> bool:
    """`x[i]` and the like on an instance of a class of the project."""
    instance = at.solver.get(number, Instance)
    found = at.classes.method_of(instance.path, instance.index, name)
    if found is None:
        return False
    call = Call(at.program.surveys[instance.path], args, (), [], result, None)
    call_function(at, at.solver.intern(FunctionRef(*found, number)), call)
    return True


CALLS: dict[type[Value], CallRule] = {
    FunctionRef: call_function,
    ClassRef: call_class,
    RecordClass: call_record,
    Instance: call_instance,
    Partial: call_partial,
    SuperInit: call_super_init,
    ReturningSelf: call_returning_self,
}
