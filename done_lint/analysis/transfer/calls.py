"""Attributes and calls: how classes, functions, environments and containers answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from done_lint.analysis.program import Call, Evidence
from done_lint.analysis.solver import ALL
from done_lint.analysis.transfer.dm_env import TIME_STEP, TimeSteps
from done_lint.analysis.values import (
    ClassRef,
    ContainerMethod,
    Environment,
    EnvMethod,
    External,
    Flag,
    FunctionRef,
    Generator,
    Info,
    Instance,
    IsLast,
    Module,
    Object,
    OwnStepResult,
    Parser,
    ParserMethod,
    Partial,
    Passage,
    RecordClass,
    ResetResult,
    Shape,
    StepColumns,
    StepResult,
    StepType,
    Super,
    SuperInit,
    Text,
    TimeStep,
    Value,
)
from done_lint.core.findings import Certainty
from done_lint.flowgraph import external_names
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import ANY, AttributeKey, IndexKey, Key, TextKey
from done_lint.flowgraph.operations import Placed
from done_lint.flowgraph.schema import Function, Survey
from done_lint.knowledge import array_functions, env_api_lookup, env_apis
from done_lint.knowledge.env_apis import Api

#: What a wrapper keeps the inner environment under.
WRAPPED = AttributeKey("env")
#: The kinds of values that have a method of their own for calls and attributes.
_KINDS: dict[str, type[Value]] = {
    "class": ClassRef,
    "container": ContainerMethod,
    "env": Environment,
    "envmethod": EnvMethod,
    "external": External,
    "flag": Flag,
    "function": FunctionRef,
    "info": Info,
    "inst": Instance,
    "last": IsLast,
    "module": Module,
    "obj": Object,
    "parser": Parser,
    "parsermethod": ParserMethod,
    "partial": Partial,
    "record": RecordClass,
    "steptype": StepType,
    "super": Super,
    "superinit": SuperInit,
    "timestep": TimeStep,
}


class Calls(TimeSteps):
    """The part of the solver that resolves attributes and calls as values arrive."""

    #: What a call of a value does, and an attribute of it, by its kind.
    callers: ClassVar[dict[type[Value], Callable[..., None]]] = {}
    answers: ClassVar[dict[type[Value], Callable[..., None]]] = {}

    def __init_subclass__(cls) -> None:
        """Find the methods of a kind once."""
        names = dir(cls)
        cls.callers = {_KINDS[name[2:]]: getattr(cls, name) for name in names if name.startswith("c_")}
        cls.answers = {_KINDS[name[2:]]: getattr(cls, name) for name in names if name.startswith("a_")}

    def attribute(self, number: int, name: str, target: int, source: int) -> None:
        """`source.name` for one value of the source."""
        react = self.answers.get(type(self.value(number)))
        if react is not None:
            react(self, number, name, target, source)

    def a_flag(self, number: int, name: str, target: int, source: int) -> None:
        if name in ("T", "mT", "data", "values"):
            self.add(target, number, source, number)

    def a_external(self, number: int, name: str, target: int, source: int) -> None:
        dotted = self.get(number, External).dotted
        if dotted.count(".") < external_names.DEPTH and not dotted.endswith("()"):
            self.add(target, self.intern(External(f"{dotted}.{name}")))

    def a_env(self, number: int, name: str, target: int, source: int) -> None:
        env = self.get(number, Environment)
        if name == "unwrapped":
            self.add(target, self.intern(replace(env, unlimited=True, layers=env_apis.BARE)))
        elif name in ("env", "envs", "venv"):
            inner = env.layers if env.layers == env_apis.BARE else env.layers[1:] if name == "env" else ()
            stripped = env_apis.TIME_LIMIT in env.layers and env_apis.TIME_LIMIT not in inner
            self.add(target, self.intern(replace(env, unlimited=env.unlimited or stripped, layers=inner)))
        elif name == "np_random" and env.api.five:
            self.add(target, self.intern(Generator(env.certainty, env.node)))
        else:
            self.add(target, self.intern(EnvMethod(name, number)))

    def environment(
        self, api: Api, unlimited: bool, certainty: Certainty, node: int, layers: tuple[str, ...] = ()
    ) -> int:
        """The number of an environment that was made at `node`; `layers` as in `facts.Env`."""
        return self.intern(Environment(api, unlimited, certainty, node, layers))

    def a_inst(self, number: int, name: str, target: int, source: int) -> None:
        instance = self.get(number, Instance)
        path, index = instance.path, instance.index
        found = self.method_of(path, index, name)
        if found is not None:
            where, method = found
            function = self.surveys[where].functions[method]
            if function.kind == "property":
                if function.params:
                    self.add(self.bases[where] + function.params[0][1], number)
                self.edge(self.bases[where] + function.result, target, ALL, "return")
            else:
                self.add(target, self.intern(FunctionRef(where, method, None if function.kind == "static" else number)))
            return
        for field in self.fields_of(path, index, name):
            self.edge(field, target, ALL, "load")
        api, dotted = self.api_of_class(path, index)
        if api is None:
            return
        if name == "np_random" and api.five:
            self.inherited_generators.append((target, path, index, self._by_class(api, dotted, path, index, target)))
        if name in ("step", "reset", "seed", "render", "step_wait"):
            self.add(target, self.intern(EnvMethod(name, self._by_class(api, dotted, path, index, target))))
        elif name in ("env", "venv", "unwrapped") and self._promises(path, index, dotted):
            # what it wraps is known better where it is made; the base class says so only where that is not visible
            self.insides.append((target, self._by_class(api, dotted, path, index, target)))

    def _promises(self, path: str, index: int, base: str) -> bool:
        """Whether a wrapper's base says what is inside: one of Gymnasium's may adapt environments made for Gym."""
        adapts = base.startswith("gymnasium.") and path in self.needed
        return self.is_wrapper(path, index) and not adapts

    def fields_of(self, path: str, index: int, name: str) -> list[int]:
        """The nodes of an attribute of a class and its bases in the project, on instances and on the classes."""
        found = self._fields_of.get((path, index, name))
        if found is None:
            found = self._fields_of[path, index, name] = []
            for ancestor in self.lineage(path, index):
                if not isinstance(ancestor, str):
                    where, which = ancestor
                    if name in self.set_names:
                        found.append(self.field(self.intern(Instance(where, which)), AttributeKey(name)))
                    value = self.class_at(where, which).attrs.get(name)
                    if value is not None:
                        found.append(self.bases[where] + value)
            if len(found) > 1:
                # one way for all who ask
                joint = self.add_node()
                for field in found:
                    self.edge(field, joint, ALL, "load")
                found[:] = [joint]
        return found

    def _by_class(self, api: Api, dotted: str, path: str, index: int, node: int, unlimited: bool = False) -> int:
        key = self.bases[path] + (self.class_at(path, index).bases or [0])[0]
        if key not in self.evidence:
            self.evidence[key] = Evidence(self.base_site(path, index, dotted), f"a subclass of `{dotted}`")
        return self.environment(api, unlimited, "proven", key)

    def a_class(self, number: int, name: str, target: int, source: int) -> None:
        made = self.get(number, ClassRef)
        path, index = made.path, made.index
        found = self.method_of(path, index, name)
        if found is not None:
            where, method = found
            own = number if self.surveys[where].functions[method].kind == "class" else None
            self.add(target, self.intern(FunctionRef(where, method, own)))
            return
        for ancestor in self.lineage(path, index):
            if not isinstance(ancestor, str):
                value = self.class_at(*ancestor).attrs.get(name)
                if value is not None:
                    self.edge(self.bases[ancestor[0]] + value, target, ALL, "load")

    def a_super(self, number: int, name: str, target: int, source: int) -> None:
        above = self.get(number, Super)
        path, index = above.path, above.index
        found = self.method_of(path, index, name, after=True)
        if found is not None:
            where, method = found
            for instance in self.all(above.node, Instance) or [self.intern(Instance(path, index))]:
                self.add(target, self.intern(FunctionRef(where, method, instance)))
            return
        api, dotted = self.api_of_class(path, index)
        if name == "__init__":
            self.add(target, self.intern(SuperInit(path, index)))
        elif api is not None:
            self.add(target, self.intern(EnvMethod(name, self._by_class(api, dotted, path, index, target))))

    def a_obj(self, number: int, name: str, target: int, source: int) -> None:
        if self.get(number, Object).shape is Shape.RECORD:
            self.edge(self.field(number, TextKey(name)), target, ALL, "load")
            if name == "_fields":
                return
        if name in ("T", "mT", "data"):
            self.add(target, number, source, number)
        if name == "T":
            self.transpose(number, target)
        self.add(target, self.intern(ContainerMethod(number, name)))

    def a_info(self, number: int, name: str, target: int, source: int) -> None:
        self.add(target, self.intern(ContainerMethod(number, name)))

    # --- calls -------------------------------------------------------------------------------------

    def w_call(self, s: Survey, n: int, number: int, op: ops.Call) -> None:
        react = self.callers.get(type(self.value(number)))
        if react is not None:
            react(self, number, Call.read(s, n, op))

    def w_annotated(self, s: Survey, n: int, number: int, op: ops.Annotated) -> None:
        self.annotated(number, n + op.target)

    def annotated(self, number: int, target: int, make: bool = True) -> None:
        """An annotation names a class: the value is an instance of it, and of no other API."""
        value = self.value(number)
        api: Api | None = None
        if isinstance(value, ClassRef):
            if make:
                self.add(target, self.intern(Instance(value.path, value.index)))
            api, _ = self.api_of_class(value.path, value.index)
        elif isinstance(value, External):
            if value.dotted == TIME_STEP and make:
                self.add(target, self.intern(TimeStep()))
            api = self.user_apis.get(value.dotted) or env_api_lookup.base(value.dotted)
            if api is not None and make:
                self.evidence.setdefault(target, Evidence(None, f"annotated as `{value.dotted}`"))
                self.add(target, self.environment(api, False, "proven", target))
        if api is not None:
            self.pinned[target] = api

    def call(self, number: int, call: Call) -> None:
        """A call, for one value of what is called."""
        react = self.callers.get(type(self.value(number)))
        if react is not None:
            react(self, number, call)

    def c_function(self, number: int, call: Call) -> None:
        called = self.get(number, FunctionRef)
        path, own = called.path, called.bound
        function = self.surveys[path].functions[called.index]
        if self.user_apis and own is None:
            api = self.user_apis.get(f"{self.dotted[path]}.{function.name}")
            if api is not None:
                self.evidence.setdefault(call.result, Evidence(call.site, "made by a function of your `env-apis`"))
                self.add(call.result, self.environment(api, False, "proven", call.result))
                return
        if own is not None and function.name in ("step", "reset"):
            self._as_environment(function.name, own, call)
        if not call.survey.page or call.survey.path == path:
            # a page's examples hand over what they like: of the program that proves nothing
            self._bind(path, function, own, call)
        self.edge(self.bases[path] + function.result, call.result, ALL, "return")

    def _as_environment(self, name: str, own: int, call: Call) -> None:
        """The own `step` of a class that inherits from the library's environments has to answer as they do."""
        instance = self.value(own)
        if not isinstance(instance, Instance):
            return
        path, index = instance.path, instance.index
        api, dotted = self.api_of_class(path, index)
        self.stepped(name, api, call.result)
        if api is not None and api.five and not api.vector:
            env = self._by_class(api, dotted, path, index, call.result, unlimited=True)
            # the flags of such a step are those of the tuple that it returns
            kind = OwnStepResult if name == "step" else ResetResult
            self.add(call.result, self.intern(kind(env, call.result)))

    def _bind(self, path: str, function: Function, own: int | None, call: Call) -> None:
        n, first = self.bases[path], 0
        if own is not None and function.params:
            self.add(n + function.params[0][1], own)
            first = 1
        if call.args:
            params = [n + node for _, node in function.params[first:]]
            self.bind_arguments(params, n + function.vararg if function.vararg >= 0 else -1, call)
        if not call.named:
            return
        names = {name: n + node for name, node in function.params[first:]}
        for name, node, span in call.named:
            if name in names and node:
                self.edge(node, names[name], ALL, "argument", call.passage(node, span))
            elif name is not None and node and function.kwarg >= 0:
                rest = self.intern(Object(n + function.kwarg, Shape.DICT))
                self.add(n + function.kwarg, rest)
                self.edge(node, self.field(rest, TextKey(name)), ALL, "store", call.passage(node, span))
            elif name is None and node:
                self._bind_mapping(node, names)

    def bind_arguments(self, params: list[int], rest: int, call: Call) -> None:
        """Positional arguments, starred ones included, to parameters."""
        for position, (node, span) in enumerate(call.args):
            if not node:
                continue
            passage = call.passage(node, span)
            if position in call.stars:
                self._bind_star(node, position, params, passage)
                break
            if position < len(params):
                self.edge(node, params[position], ALL, "argument", passage)
            elif rest >= 0:
                number = self.intern(Object(rest, Shape.TUPLE))
                self.add(rest, number)
                self.edge(node, self.field(number, IndexKey(position - len(params))), ALL, "store", passage)

    def _bind_star(self, node: int, position: int, params: list[int], passage: Passage | None) -> None:
        def react(number: int) -> None:
            if not isinstance(self.value(number), Object):
                return

            def field(key: Key, value: int) -> None:
                if isinstance(key, IndexKey) and 0 <= key.position < len(params) - position:
                    self.edge(value, params[position + key.position], ALL, "argument", passage)
                elif key == ANY:
                    for target in params[position:]:
                        self.edge(value, target, ALL, "argument", passage)

            self.each_field(number, field)

        self.watch(node, react)

    def _bind_mapping(self, node: int, names: dict[str, int]) -> None:
        def react(number: int) -> None:
            if isinstance(self.value(number), Object):
                self.each_field(
                    number,
                    lambda key, value: (
                        self.edge(value, names[key.text], ALL, "load")
                        if isinstance(key, TextKey) and key.text in names
                        else None
                    ),
                )

        self.watch(node, react)

    def c_class(self, number: int, call: Call) -> None:
        called = self.get(number, ClassRef)
        path, index = called.path, called.index
        api = self.user_apis.get(self.dotted_class(path, index)) if self.user_apis else None
        if api is not None:
            self.evidence.setdefault(call.result, Evidence(call.site, "made by a class of your `env-apis`"))
            self.add(call.result, self.environment(api, False, "proven", call.result))
            return
        made = self.class_at(path, index)
        found = self.method_of(path, index, "__init__")
        instance = self.intern(Instance(path, index))
        if found is None and made.fields:
            record = self.intern(Object(call.result, Shape.RECORD))
            self.add(call.result, record)
            self._fill_record(record, made.fields, call)
            for name in made.fields:
                if (default := made.attrs.get(name)) is not None:
                    self.edge(self.bases[path] + default, self.field(record, TextKey(name)))
            return
        self.add(call.result, instance)
        if found is None and call.args and call.args[0].node and self.is_wrapper(path, index):
            self.edge(call.args[0].node, self.field(instance, WRAPPED), ALL, "set")
        if found is not None:
            where, method = found
            self._bind(where, self.surveys[where].functions[method], instance, call)

    def _fill_record(self, record: int, fields: tuple[str, ...], call: Call) -> None:
        params = []
        for position, name in enumerate(fields):
            node = self.field(record, TextKey(name))
            self.edge(node, self.field(record, IndexKey(position)), ALL, "flow")
            params.append(node)
        for position, (node, span) in enumerate(call.args):
            if not node:
                continue
            passage = call.passage(node, span)
            if position in call.stars:
                self._bind_star(node, position, params, None)
                break
            if position < len(params):
                self.edge(node, params[position], ALL, "store", passage)
        names = dict(zip(fields, params))
        for key, node, span in call.named:
            if key in names and node:
                self.edge(node, names[key], ALL, "store", call.passage(node, span))

    def c_record(self, number: int, call: Call) -> None:
        record = self.intern(Object(call.result, Shape.RECORD))
        self.add(call.result, record)
        self._fill_record(record, self.get(number, RecordClass).fields, call)

    def c_inst(self, number: int, call: Call) -> None:
        instance = self.get(number, Instance)
        for name in ("__call__", "forward"):
            found = self.method_of(instance.path, instance.index, name)
            if found is not None:
                self.c_function(self.intern(FunctionRef(*found, number)), call)
                return

    def c_partial(self, number: int, call: Call) -> None:
        """`partial(f, a, k=b)(c)`: the arguments of both calls."""
        partial = self.get(number, Partial)
        bound = self.partials[partial.node]
        args = [*bound.args[1:], *call.args]
        first = len(bound.args) - 1
        stars = (*(at - 1 for at in bound.stars), *(at + first for at in call.stars))
        self.call(partial.inner, Call(call.survey, args, stars, [*bound.named, *call.named], call.result, call.site))

    def c_env(self, number: int, call: Call) -> None:
        """`model.get_env()`: the method stands for what it gives."""
        self.add(call.result, number)

    def c_superinit(self, number: int, call: Call) -> None:
        """`super().__init__(env)` of a wrapper: its `self.env`."""
        above = self.get(number, SuperInit)
        if call.args and call.args[0].node:
            instance = self.intern(Instance(above.path, above.index))
            self.edge(call.args[0].node, self.field(instance, WRAPPED), ALL, "set")

    def c_envmethod(self, number: int, call: Call) -> None:
        method = self.get(number, EnvMethod)
        if method.name in ("step", "step_wait"):
            self.add(call.result, self.intern(StepResult(method.env, call.result)))
        elif method.name == "reset":
            self.add(call.result, self.intern(ResetResult(method.env, call.result)))
        self.stepped(method.name, self.get(method.env, Environment).api, call.result)

    def written_by(self, container: int) -> int:
        """Where a value goes that is put into a container: a pipe's other end, else itself."""
        return self.peers.get(container, container)

    def c_container(self, number: int, call: Call) -> None:
        method = self.get(number, ContainerMethod)
        owner, name = method.owner, method.name
        if isinstance(self.value(owner), Info):
            if name == "get" and call.args:
                for text in self.values(call.args[0].node, Text):
                    self.load_item(owner, (TextKey(text.text),), call.result, call.result)
            return
        if name == "setdefault" and len(call.args) == 2:
            self._set_default(owner, call)
        elif name in array_functions.PUTTING and call.args:
            node, span = call.args[-1]
            owner = self.written_by(owner)
            passage = call.passage(node, span)
            if name.startswith("extend"):
                self._extend(node, owner)
            elif node:
                self.edge(node, self.field(owner, ANY), ALL, "store", passage)
        elif name == "items":
            _, row = self.rows(call)
            self.each_field(owner, lambda key, field: self.edge(field, self.field(row, IndexKey(1)), ALL, "load"))
        elif name in array_functions.TAKING or name == "values":
            self.each_field(owner, lambda key, field: self.edge(field, call.result, ALL, "load"))
        elif name in array_functions.PASSING_METHODS or name in array_functions.DRAWING:
            self.add(call.result, owner)
            if name == "transpose":
                self.transpose(owner, call.result)
        elif name == "_replace" or name == "update":
            for key, node, span in call.named:
                if key and node:
                    self.edge(node, self.field(owner, TextKey(key)), ALL, "store", call.passage(node, span))

    def rows(self, call: Call) -> tuple[int, int]:
        """The call gives a list of rows: the numbers of the list and of a row."""
        rows = self.intern(Object(call.result, Shape.LIST))
        row = self.intern(Object(self.add_node(), Shape.ZIPPED))
        self.add(call.result, rows)
        self.add(self.field(rows, ANY), row)
        return rows, row

    def transpose(self, table: int, target: int) -> None:
        """`np.array(batch).T`: the table itself, which may be no table of rows, and its columns."""
        if isinstance(self.value(table), Object):
            columns = self.intern(Object(target, Shape.TRANSPOSED))
            self.add(target, columns)
            self.columns_into(columns, target)(table)

    def columns_into(self, columns: int, target: int) -> Callable[[int], None]:
        """Reacts to a table of rows: column i, an element of `columns`, holds element i of every row.

        Where the rows are what several environments returned, `target` holds the columns of a step.
        """
        made: dict[IndexKey, int] = {}

        def cell(key: Key, value: int) -> None:
            if isinstance(key, IndexKey) and key.position >= 0:
                column = made.get(key)
                if column is None:
                    column = made[key] = self.intern(Object(self.add_node(), Shape.MANY))
                    self.add(self.field(columns, key), column)
                self.edge(value, self.field(column, ANY), ALL, "load")

        def row(number: int) -> None:
            value = self.value(number)
            if isinstance(value, Object):
                self.each_field(number, cell)
            elif isinstance(value, StepResult):
                self.add(target, self.intern(StepColumns(value.env, value.node)))

        def table(number: int) -> None:
            if isinstance(self.value(number), Object):
                self.each_field(number, lambda _, field: self.watch(field, row))

        return table

    def _set_default(self, owner: int, call: Call) -> None:
        """`rows.setdefault(key, default)` stores the default and returns what stands there."""
        (key, _), (node, span) = call.args
        texts = self.values(key, Text)
        known: Key = TextKey(texts[0].text) if len(texts) == 1 else ANY
        if node:
            field = self.field(owner, known)
            self.edge(node, field, ALL, "store", call.passage(node, span))
        self.load_item(owner, (known,), call.result, call.result)

    def _extend(self, node: int, owner: int) -> None:
        def react(number: int) -> None:
            if isinstance(self.value(number), Object):
                self.each_field(number, lambda key, field: self.edge(field, self.field(owner, ANY), ALL, "load"))

        if node:
            self.watch(node, react)

    def load_item(self, number: int, keys: tuple[Key, ...], target: int, source: int) -> None:
        """`source[keys]` (see `containers`)."""
        raise NotImplementedError

    def special_method(self, number: int, name: str, args: list[Placed], result: int) -> bool:
        """`x[i]` and the like on an instance of a class of the project."""
        instance = self.get(number, Instance)
        found = self.method_of(instance.path, instance.index, name)
        if found is None:
            return False
        call = Call(self.surveys[instance.path], args, (), [], result, None)
        self.c_function(self.intern(FunctionRef(*found, number)), call)
        return True
