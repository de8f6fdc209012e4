"""What functions of the usual libraries do: containers are made and filled, values passed on, functions called.

Names are compared by their last part, after the package is known to be one of `array_functions.PACKAGES`.
"""

from __future__ import annotations

from collections.abc import Callable

from done_lint.analysis.calls import Call
from done_lint.analysis.context import Analysis
from done_lint.analysis.solver import ALL, ELEMENTS, MARKS, VALUES
from done_lint.analysis.transfer.sequences import (
    columns_into,
    copy_infos,
    elements_into,
    extend,
    make_under,
    rows,
    take_over,
    transpose,
)
from done_lint.analysis.values import (
    EnvMethod,
    External,
    FunctionRef,
    Instance,
    Object,
    OwnStepResult,
    Partial,
    RecordClass,
    ResetColumns,
    Shape,
    StepColumns,
    StepResult,
    Text,
)
from done_lint.flowgraph.keys import ANY, AttributeKey, IndexKey, Key, TextKey
from done_lint.flowgraph.operations import Placed
from done_lint.knowledge import array_functions

#: The packages whose `replace` makes a new row of another one. Python 3.13 `dataclasses`, `copy`.
_REPLACING = frozenset({"dataclasses", "copy"})
#: The packages whose `field` describes an attribute of a class. Python 3.13 `dataclasses`, attrs 25.4.
_DATACLASSES = frozenset({"dataclasses", "attr", "attrs"})


def knows(name: str) -> bool:
    """Whether a function of this name does anything with flags, objects or calls."""
    return name in _FUNCTIONS


def library_function(at: Analysis, root: str, name: str, call: Call) -> None:
    """A call of `root...name`, where `root` is one of `array_functions.PACKAGES`."""
    if (function := _FUNCTIONS.get(name)) is not None:
        function(at, root, name, call)


def _scan(at: Analysis, root: str, name: str, call: Call) -> None:
    """`jax.lax.scan(step, start, rows)` calls `step(start, row)`: arithmetic sees the flags of arrays in the rows.

    What is not read as the body of a loop would be taken for a one-step target.
    """
    rows = call.args[2].node if len(call.args) > 2 else call.keyword("xs")
    if root != "jax" or len(call.args) < 2 or not rows:
        return
    given = [Placed(call.args[1].node), Placed(rows, call.site.span if call.site is not None else None)]
    step = Call(call.survey, given, (), [], call.result, call.site)

    def react(number: int) -> None:
        if _is_scanned(at, number):
            at.call(number, step)

    at.solver.watch(call.args[0].node, react)


def _is_scanned(at: Analysis, number: int) -> bool:
    value = at.solver.value(number)
    if isinstance(value, Partial):
        return _is_scanned(at, value.inner)
    return isinstance(value, FunctionRef) and at.program.surveys[value.path].functions[value.index].scanned


def _container(at: Analysis, root: str, name: str, call: Call) -> None:
    shape = Shape.ARRAY if root in array_functions.ARRAYS - {"builtins"} else Shape.LIST
    shape = Shape.DICT if name in ("dict", "defaultdict", "OrderedDict") else shape
    number = at.put(call.result, Object(call.result, shape))
    for key, node, span in call.named:
        if key and node and name == "dict":
            at.solver.edge(node, at.objects.field(number, TextKey(key)), ALL, "store", call.passage(node, span))
    args = call.given
    if name in ("dict", "OrderedDict") and args:
        take_over(at, args[0], number)
        if not call.named:
            copy_infos(at, args[0], call.result)
    if name == "defaultdict" and args:

        def make(field: int) -> None:
            factory = Call(call.survey, [], (), [], field, call.site)
            at.solver.watch(args[0], lambda t: at.call(t, factory))

        make_under(at, number, make)
    if name in ("deque", "list", "set", "tuple") and args:
        extend(at, args[0], number)
        if name == "list":
            at.solver.watch(args[0], lambda result: _keep_places(at, result, call.result))
        at.solver.edge(args[0], call.result, VALUES)
    elif name in ("full", "full_like") and len(args) >= 2:
        at.solver.edge(args[1], call.result, VALUES)


def _field(at: Analysis, root: str, name: str, call: Call) -> None:
    """`rows: list = field(default_factory=list)`: what is made where the class gets no value for it."""
    if root not in _DATACLASSES:
        return
    made = Call(call.survey, [], (), [], call.result, call.site)
    for key, node, _ in call.named:
        if key in ("default_factory", "factory") and node:
            at.solver.watch(node, lambda factory: at.call(factory, made))
        elif key == "default" and node:
            at.solver.edge(node, call.result)


def _keep_places(at: Analysis, number: int, target: int) -> None:
    """`list(env.step(action))`: every value stays at its place."""
    if isinstance(at.solver.value(number), (StepResult, OwnStepResult, StepColumns, ResetColumns)):
        at.solver.add(target, number)


def _record(at: Analysis, root: str, name: str, call: Call) -> None:
    if fields := _field_names(at, call):
        at.put(call.result, RecordClass(call.result, fields))


def _replace(at: Analysis, root: str, name: str, call: Call) -> None:
    """`dataclasses.replace(row, done=x)`: a row with the fields of another one, but for those that are named."""
    if root not in _REPLACING or not call.given:
        return
    named = {key: Placed(node, span) for key, node, span in call.named if key}

    def react(number: int) -> None:
        value = at.solver.value(number)
        if isinstance(value, Instance):
            at.solver.add(call.result, number)
            _fill(AttributeKey, number)
        elif isinstance(value, Object) and value.shape is Shape.RECORD and value.node != call.result:
            row = at.put(call.result, Object(call.result, Shape.RECORD))
            at.objects.each_field(number, lambda key, field: _keep(row, key, field))
            _fill(TextKey, row)

    def _keep(row: int, key: Key, field: int) -> None:
        if isinstance(key, TextKey) and key.text not in named:
            at.solver.edge(field, at.objects.field(row, key))

    def _fill(kind: Callable[[str], Key], row: int) -> None:
        for name, (node, span) in named.items():
            if node:
                at.solver.edge(node, at.objects.field(row, kind(name)), ALL, "store", call.passage(node, span))

    at.solver.watch(call.given[0], react)


def _field_names(at: Analysis, call: Call) -> tuple[str, ...]:
    source = call.args[1].node if len(call.args) > 1 else call.keyword("field_names")
    if not source:
        return ()
    for number in at.solver.held[source]:
        value = at.solver.value(number)
        if isinstance(value, Text):
            return tuple(value.text.replace(",", " ").split())
        if isinstance(value, Object):
            fields = sorted((k.position, v) for k, v in at.objects.owned.get(number, ()) if isinstance(k, IndexKey))
            names = [next((text.text for text in at.solver.values(v, Text)), "") for _, v in fields]
            if names and all(names):
                return tuple(names)
    return ()


def _push(at: Analysis, root: str, name: str, call: Call) -> None:
    """`heappush(heap, value)`."""
    if len(call.given) == 2:
        _put(at, call.given[0], call.args[1], call)


def _put(at: Analysis, container: int, value: Placed, call: Call) -> None:
    node, span = value
    passage = call.passage(node, span)

    def react(number: int) -> None:
        if isinstance(at.solver.value(number), Object):
            at.solver.edge(node, at.objects.field(number, ANY), ALL, "store", passage)

    at.solver.watch(container, react)


def _pipe(at: Analysis, root: str, name: str, call: Call) -> None:
    ends = at.solver.intern(Object(call.result, Shape.TUPLE))
    one, other = (at.solver.intern(Object(at.solver.add_node(), Shape.PIPE)) for _ in range(2))
    at.objects.peers.update({one: other, other: one})
    at.solver.add(call.result, ends)
    at.solver.add(at.objects.field(ends, IndexKey(0)), one)
    at.solver.add(at.objects.field(ends, IndexKey(1)), other)


def _first(at: Analysis, root: str, name: str, call: Call) -> None:
    """`next(rows)` is the first element, of rows that are gone through any; `heappop(heap)` is any."""
    if not call.given:
        return
    node = call.given[0]

    def take(number: int) -> None:
        if name == "next":
            at.load_item(number, (IndexKey(0),), call.result, node)
        if name != "next" or isinstance(at.solver.value(number), Object):
            at.load_item(number, (ANY,), call.result, node)

    at.solver.watch(node, take)


def _draw(at: Analysis, root: str, name: str, call: Call) -> None:
    if call.given:
        node = call.given[0]
        at.solver.edge(node, call.result, VALUES)
        # with a size, what is drawn is an array of rows, as the rows themselves are
        if name == "choice" and len(call.args) == 1 and not call.keyword("size"):
            at.solver.watch(node, lambda number: at.load_item(number, (ANY,), call.result, node))


def _one_of(at: Analysis, root: str, name: str, call: Call) -> None:
    """`any(flags)`: one value of many."""
    if call.given:
        node = call.given[0]
        at.solver.edge(at.arrays.flat(node), call.result, ELEMENTS)


def _enumerate(at: Analysis, root: str, name: str, call: Call) -> None:
    if call.given:
        node = call.given[0]
        _, row = rows(at, call)
        at.solver.watch(node, elements_into(at, node, at.objects.field(row, IndexKey(1))))


def _zip(at: Analysis, root: str, name: str, call: Call) -> None:
    table, row = rows(at, call)
    for position, (node, _) in enumerate(call.args):
        if not node:
            continue
        if position in call.stars:
            at.solver.watch(node, columns_into(at, table, call.result))
        else:
            target = at.objects.field(row, IndexKey(position))
            at.solver.watch(node, elements_into(at, node, target))


def _map(at: Analysis, root: str, name: str, call: Call) -> None:
    """`map(f, rows)`, `map(f, envs, actions)`, `pool.starmap(f, rows)`."""
    if len(call.given) < 2:
        return
    function, source, *others = call.args
    mapped = at.put(call.result, Object(call.result, Shape.LIST))
    stars = (0,) if name.startswith("starmap") else ()
    more = [Placed(_element_of(at, node), span) for node, span in others if name in ("map", "imap")]

    def each(key: Key, field: int) -> None:
        out = at.objects.field(mapped, key)
        inner = Call(call.survey, [Placed(field, source.span), *more], stars, [], out, call.site)
        at.solver.watch(function.node, lambda number: at.call(number, inner))

    def react(number: int) -> None:
        value = at.solver.value(number)
        if isinstance(value, Object):
            at.objects.each_field(number, each)
        elif isinstance(value, (StepColumns, ResetColumns)):
            at.solver.add(call.result, number)

    def whatever(number: int) -> None:
        """`map(env.step, (0, 1))`: what a step gives does not depend on the action."""
        if _is_method_of_environment(at, number):
            args = [Placed(_element_of(at, source.node), source.span), *more]
            at.call(number, Call(call.survey, args, stars, [], at.objects.field(mapped, ANY), call.site))

    if source.node:
        at.solver.watch(source.node, react)
    if function.node:
        at.solver.watch(function.node, whatever)


def _is_method_of_environment(at: Analysis, number: int) -> bool:
    value = at.solver.value(number)
    if isinstance(value, FunctionRef) and value.bound is not None:
        return at.program.surveys[value.path].functions[value.index].name in ("step", "reset")
    return isinstance(value, EnvMethod)


def _element_of(at: Analysis, node: int) -> int:
    """A node with any element of what another one holds."""
    element = at.solver.add_node()
    if node:
        at.solver.watch(node, elements_into(at, node, element))
    return element


def _pool(at: Analysis, root: str, name: str, call: Call) -> None:
    """`Pool(4)`, `ThreadPoolExecutor()`: its methods are functions of the same package."""
    at.put(call.result, External(f"{root}.pool"))


def _generator(at: Analysis, root: str, name: str, call: Call) -> None:
    """`random.Random(3)`, `np.random.default_rng()`: what draws by its methods as the functions of the module do."""
    at.put(call.result, External(f"{root}.generator"))


def _multiprocessing(at: Analysis, root: str, name: str, call: Call) -> None:
    """`get_context("spawn")` gives what has the functions of the package."""
    at.put(call.result, External(root))


def _map_later(at: Analysis, root: str, name: str, call: Call) -> None:
    """`pool.map_async(f, rows)`: `get` gives the list."""
    later = at.put(call.result, Object(call.result, Shape.LIST))
    inner = Call(call.survey, call.args, call.stars, call.named, at.objects.field(later, ANY), call.site)
    _map(at, root, name, inner)


def _submit(at: Analysis, root: str, name: str, call: Call) -> None:
    """`pool.submit(f, a, b)`: `result` gives what f returns."""
    if call.args and call.args[0].node and 0 not in call.stars:
        later = at.put(call.result, Object(call.result, Shape.LIST))
        stars = tuple(star - 1 for star in call.stars)
        out = at.objects.field(later, ANY)
        inner = Call(call.survey, call.args[1:], stars, call.named, out, call.site)
        at.solver.watch(call.args[0].node, lambda number: at.call(number, inner))


def _apply(at: Analysis, root: str, name: str, call: Call) -> None:
    """`pool.apply(f, (a, b))`; of `apply_async`, `get` gives what f returns."""
    if not call.args or not call.args[0].node:
        return
    out = call.result
    if name == "apply_async":
        out = at.objects.field(at.put(call.result, Object(call.result, Shape.LIST)), ANY)
    args = [*call.args[1:2], *(Placed(node, span) for key, node, span in call.named if key == "args")]
    inner = Call(call.survey, args, tuple(range(len(args))), [], out, call.site)
    at.solver.watch(call.args[0].node, lambda number: at.call(number, inner))


def _bind_some(at: Analysis, root: str, name: str, call: Call) -> None:
    """`partial(f, a)`."""
    if call.args and call.args[0].node:
        at.partials[call.result] = call
        at.solver.watch(call.args[0].node, lambda inner: _partial(at, inner, call))


def _partial(at: Analysis, inner: int, call: Call, *, gives: bool = True) -> None:
    # `f = partial(f, x)` in a loop would go on for ever
    value = at.solver.value(inner)
    if not isinstance(value, Partial) or not isinstance(at.solver.value(value.inner), Partial):
        at.put(call.result, Partial(call.result, inner, gives))


def _decorate(at: Analysis, root: str, name: str, call: Call) -> None:
    """`jit(f)` is called like f."""
    if call.given:
        node = call.given[0]
        at.solver.edge(node, call.result)


def _differentiate(at: Analysis, root: str, name: str, call: Call) -> None:
    """`jax.grad(f)`, `jax.value_and_grad(f, argnums=1)`: called like f, but what f gives is inside of what it gives.

    JAX 0.8, documentation of `jax.grad` and `jax.value_and_grad`: it returns a function with the same arguments as f.
    """
    node, span = call.args[0] if call.args else Placed(call.keyword("fun"))
    if root == "jax" and node:
        at.partials[call.result] = Call(call.survey, [Placed(node, span)], (), [], call.result, call.site)
        at.solver.watch(node, lambda inner: _partial(at, inner, call, gives=False))


def _start(at: Analysis, root: str, name: str, call: Call) -> None:
    """`Process(target=f, args=(a, b))`, `Thread(target=f)`: a call of f."""
    args = [Placed(node, span) for key, node, span in call.named if key == "args"]
    if all(key != "target" for key, _, _ in call.named):
        return
    inner = Call(call.survey, args, (0,) if args else (), [], at.solver.add_node(), call.site)
    at.solver.watch(call.keyword("target"), lambda number: at.call(number, inner))


def _getattr(at: Analysis, root: str, name: str, call: Call) -> None:
    if len(call.args) < 2 or not call.args[0].node or not call.args[1].node:
        return

    def react(number: int) -> None:
        if isinstance(name := at.solver.value(number), Text):
            _attribute_by_text(at, call.args[0].node, name.text, call.result)

    at.solver.watch(call.args[1].node, react)
    at.solver.watch(call.args[0].node, lambda number: _any_column(at, number, call.result))


def _any_column(at: Analysis, number: int, result: int) -> None:
    """`getattr(self, name)` by a name that is computed: any of the arrays that were set so."""
    if isinstance(owner := at.solver.value(number), Instance):
        at.once_classed(lambda: at.fields.load_columns(owner.path, owner.index, result))


def _attribute_by_text(at: Analysis, node: int, name: str, result: int) -> None:
    at.solver.watch(node, lambda number: at.attribute(number, name, result, node))


def _join(at: Analysis, root: str, name: str, call: Call) -> None:
    for position, (node, span) in enumerate(call.args):
        # `dones = np.append(dones, done)` puts a value into an array, as the method of a list does
        put = position == {"append": 1, "insert": 2}.get(name)
        passage = call.passage(node, span) if put else None
        if node:
            at.solver.edge(node, call.result, VALUES, "store" if put else "flow", passage)


def _pass(at: Analysis, root: str, name: str, call: Call) -> None:
    args = call.given
    if not args:
        return
    first = args[0]
    if 0 in call.stars:  # `Variable = lambda *args: autograd.Variable(*args)`
        first = at.solver.add_node()
        at.solver.watch(args[0], lambda number: at.load_item(number, (IndexKey(0),), first, args[0]))
    at.solver.edge(first, call.result, VALUES)
    if name == array_functions.SHAPING:
        copy_infos(at, first, call.result)
    if name == "transpose":
        at.solver.watch(first, lambda number: transpose(at, number, call.result))
    for node in args[1:]:
        at.solver.edge(node, call.result, MARKS)


def _as_tuple(at: Analysis, root: str, name: str, call: Call) -> None:
    """`tuple(x)`: what is in it, and of a result every value at its place."""
    _pass(at, root, name, call)
    for node in call.given[:1]:
        at.solver.watch(node, lambda result: _keep_places(at, result, call.result))


def _pick(at: Analysis, root: str, name: str, call: Call) -> None:
    """`np.max(q)`: one of the values, which are masked together or not; of flags it is no flag that is known."""
    for node in call.given[:1]:
        at.solver.edge(node, call.result, MARKS)


#: What is done in a call of a function, by its name; where several rows have a name, the last counts.
_FUNCTIONS: dict[str, Callable[[Analysis, str, str, Call], None]] = {
    **dict.fromkeys(array_functions.PASSING, _pass),
    **dict.fromkeys(("any", "all"), _one_of),
    **dict.fromkeys(("max", "amax", "nanmax"), _pick),
    **dict.fromkeys(array_functions.JOINING, _join),
    "tuple": _as_tuple,
    **dict.fromkeys(array_functions.DRAWING, _draw),
    **dict.fromkeys(array_functions.CONTAINERS, _container),
    "getattr": _getattr,
    **dict.fromkeys(("field", "ib", "attrib"), _field),
    **dict.fromkeys(("next", "heappop"), _first),
    "Pipe": _pipe,
    "get_context": _multiprocessing,
    **dict.fromkeys(("Random", "SystemRandom", "default_rng"), _generator),
    **dict.fromkeys(("heappush", "heapreplace"), _push),
    **dict.fromkeys(("Process", "Thread"), _start),
    **dict.fromkeys(("jit", "vmap", "pmap", "remote", "wraps", "staticmethod"), _decorate),
    **dict.fromkeys(("grad", "value_and_grad"), _differentiate),
    "partial": _bind_some,
    "enumerate": _enumerate,
    "scan": _scan,
    **dict.fromkeys(("map", "imap", "imap_unordered", "starmap", "tree_map", "vmap_apply"), _map),
    **dict.fromkeys(("Pool", "ThreadPool", "ThreadPoolExecutor", "ProcessPoolExecutor"), _pool),
    **dict.fromkeys(("map_async", "starmap_async"), _map_later),
    **dict.fromkeys(("apply", "apply_async"), _apply),
    "submit": _submit,
    "zip": _zip,
    "replace": _replace,
    **dict.fromkeys(("namedtuple", "make_dataclass"), _record),
}
