"""Attributes and calls: how classes, functions, environments and containers answer."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from typing import Any

from done_lint.findings import Span
from done_lint.model import env_apis, flags, libraries
from done_lint.model.env_apis import Api
from done_lint.model.solve import ALL, MARKS, VALUES, Solver
from done_lint.model.survey import Class, Function, Survey

Site = tuple[str, Span] | None
#: How deep a dotted name from outside may grow (`a.b.c.d.e`).
DEPTH = 6


class Calls(Solver):
    """The part of the solver that resolves attributes and calls as tokens arrive."""

    def __init__(self, surveys: dict[str, Survey], dotted: dict[str, str], apis: Mapping[str, str]) -> None:
        """A solver of these surveys; `dotted` names the module that each path is, `apis` the user's own table."""
        super().__init__()
        self.user_apis = {name: env_apis.APIS[api] for name, api in apis.items() if api in env_apis.APIS}
        self.surveys = surveys
        self.dotted = dotted
        self.bases = {path: self.add_nodes(survey.size) for path, survey in surveys.items()}
        self._starts = sorted((base, path) for path, base in self.bases.items())
        self.attributes: dict[int, tuple[int, str]] = {}
        self.items: dict[int, tuple[int, tuple[Any, ...]]] = {}
        #: Where reset results are taken apart: the function (None: behind a test of what they are), the node.
        self.taken: dict[int, list[tuple[tuple[str, int] | None, int]]] = {}
        self.births: dict[int, tuple[Site, str]] = {}
        self.negations: dict[int, tuple[int, Site]] = {}
        self.combinations: dict[int, tuple[list[int], Site]] = {}
        self.products: dict[tuple[str, int], tuple[int, list[int]]] = {}
        self.conditions: dict[tuple[str, Any], tuple[Any, ...]] = {}
        self.masked: dict[tuple[str, Span], int] = {}
        self.calls: dict[int, tuple[Site, int]] = {}
        #: Environment tokens by the node they were made at, to explain them.
        self.evidence: dict[int, tuple[Site, str]] = {}
        #: The other end of a pipe.
        self.peers: dict[int, int] = {}
        #: How many elements a literal tuple has.
        self.widths: dict[int, int] = {}
        #: Wrapper calls: inner node, result, the API that holds when nothing is known of the inside.
        self.wrapped: list[tuple[int, int, Api]] = []

    def resolve_import(self, path: str, module: str, name: str | None, level: int) -> Any:
        """What an import binds: a dotted name from outside, or `("node", n)` or `("module", path)`."""
        raise NotImplementedError

    def home(self, node: int) -> tuple[str, int] | None:
        """The function that a call or a use of its value stands in."""
        owner = self.owner(node)
        if owner is None:
            return None
        return owner[0], self.surveys[owner[0]].homes.get(owner[1], -2)

    def is_guarded(self, node: int) -> bool:
        """Whether a node was made behind a test of length or version."""
        home = self.home(node)
        if home is None:
            return False
        survey = self.surveys[home[0]]
        return node - self.bases[home[0]] in survey.tested or (home[1] >= 0 and home[1] in survey.testing)

    def owner(self, node: int) -> tuple[str, int] | None:
        """The file that a node belongs to, and its number there."""
        at = bisect_right(self._starts, (node, "\U0010ffff")) - 1
        if at < 0:
            return None
        base, path = self._starts[at]
        return (path, node - base) if node - base < self.surveys[path].size else None

    def origin_site(self, node: int) -> Site:
        """The place of the call that a step or reset token came from."""
        return self.calls[node][0] if node in self.calls else None

    # --- classes -----------------------------------------------------------------------------------

    def class_at(self, path: str, index: int) -> Class:
        """A class of the project."""
        return self.surveys[path].classes[index]

    def lineage(self, path: str, index: int, depth: int = 0) -> list[Any]:
        """The class, its bases and theirs: `(path, index)` in the project, dotted names outside it."""
        found: list[Any] = [(path, index)]
        if depth > 8:
            return found
        for node in self.class_at(path, index).bases:
            for number in sorted(self.held[self.bases[path] + node]):
                kind = self.kind(number)
                if kind == "class":
                    _, where, which = self.value(number)
                    found.extend(x for x in self.lineage(where, which, depth + 1) if x not in found)
                elif kind == "external":
                    found.append(self.value(number)[1])
        return found

    def api_of_class(self, path: str, index: int) -> tuple[Api | None, str]:
        """The API that a class of the project inherits, and the base that says so."""
        for ancestor in self.lineage(path, index):
            dotted = ancestor if isinstance(ancestor, str) else self.dotted_class(*ancestor)
            api = self.user_apis.get(dotted) or env_apis.base(dotted)
            if api is not None:
                return api, dotted
        return None, ""

    def dotted_class(self, path: str, index: int) -> str:
        """Import path of a project's class, for projects that are themselves in the tables."""
        return f"{self.dotted.get(path, '')}.{self.class_at(path, index).name}"

    def method_of(self, path: str, index: int, name: str, after: bool = False) -> tuple[str, int] | None:
        """The function that a method name means on instances of a class (`after`: past the class itself)."""
        for ancestor in self.lineage(path, index)[after:]:
            if not isinstance(ancestor, str):
                where, which = ancestor
                method = self.class_at(where, which).methods.get(name)
                if method is not None:
                    return where, method
        return None

    # --- attributes --------------------------------------------------------------------------------

    def attribute(self, number: int, name: str, target: int, source: int) -> None:
        """`source.name` for one token of the source."""
        kind = self.kind(number)
        react = getattr(self, "a_" + kind, None)
        if react is not None:
            react(number, name, target, source)

    def a_flag(self, number: int, name: str, target: int, source: int) -> None:
        if name in ("T", "mT", "data", "values"):
            self.add(target, number, source, number)

    def a_external(self, number: int, name: str, target: int, source: int) -> None:
        dotted = self.value(number)[1]
        if dotted.count(".") < DEPTH and not dotted.endswith("()"):
            self.add(target, self.token("external", f"{dotted}.{name}"))

    def a_module(self, number: int, name: str, target: int, source: int) -> None:
        path = self.value(number)[1]
        node = self.surveys[path].exports.get(name)
        if node is not None:
            self.edge(self.bases[path] + node, target)

    def a_env(self, number: int, name: str, target: int, source: int) -> None:
        _, api, unlimited, certainty, node, made = self.value(number)
        if name == "unwrapped":
            self.add(target, self.environment(api, True, certainty, node, False))
        elif name in ("env", "envs", "venv"):
            self.add(target, self.environment(api, unlimited or made, certainty, node, False))
        else:
            self.add(target, self.token("envmethod", name, number))

    def environment(self, api: Api, unlimited: bool, certainty: str, node: int, made: bool) -> int:
        """The token of an environment; `made` by `make`, so that its outermost wrapper is the time limit."""
        return self.token("env", api, unlimited, certainty, node, made)

    def a_inst(self, number: int, name: str, target: int, source: int) -> None:
        _, path, index = self.value(number)
        found = self.method_of(path, index, name)
        if found is not None:
            where, method = found
            function = self.surveys[where].functions[method]
            if function.kind == "property":
                self._enter(where, method, number)
                self.edge(self.bases[where] + function.result, target, ALL, "return")
            else:
                self.add(target, self.token("function", where, method, -1 if function.kind == "static" else number))
            return
        for ancestor in self.lineage(path, index):
            if isinstance(ancestor, str):
                continue
            where, which = ancestor
            self.edge(self.field(self.token("inst", where, which), name), target, ALL, "load")
            value = self.class_at(where, which).attrs.get(name)
            if value is not None:
                self.edge(self.bases[where] + value, target, ALL, "load")
        api, dotted = self.api_of_class(path, index)
        if api is None:
            return
        if name in ("step", "reset", "seed", "render", "step_wait"):
            self.add(target, self.token("envmethod", name, self._by_class(api, dotted, path, index, target)))
        elif name in ("env", "venv", "unwrapped") and "Wrapper" in dotted.rpartition(".")[2]:
            self.add(target, self._by_class(api, dotted, path, index, target))

    def _by_class(self, api: Api, dotted: str, path: str, index: int, node: int) -> int:
        self.evidence.setdefault(
            key := self.bases[path] + (self.class_at(path, index).bases or [0])[0], (None, f"a subclass of `{dotted}`")
        )
        return self.environment(api, False, "proven", key, False)

    def a_class(self, number: int, name: str, target: int, source: int) -> None:
        _, path, index = self.value(number)
        found = self.method_of(path, index, name)
        if found is not None:
            where, method = found
            own = number if self.surveys[where].functions[method].kind == "class" else -1
            self.add(target, self.token("function", where, method, own))
            return
        for ancestor in self.lineage(path, index):
            if not isinstance(ancestor, str):
                value = self.class_at(*ancestor).attrs.get(name)
                if value is not None:
                    self.edge(self.bases[ancestor[0]] + value, target, ALL, "load")

    def a_super(self, number: int, name: str, target: int, source: int) -> None:
        _, path, index, own = self.value(number)
        found = self.method_of(path, index, name, after=True)
        if found is not None:
            where, method = found
            for instance in self.all(own, "inst") or [self.token("inst", path, index)]:
                self.add(target, self.token("function", where, method, instance))
            return
        api, dotted = self.api_of_class(path, index)
        if name == "__init__":
            self.add(target, self.token("superinit", path, index))
        elif api is not None:
            self.add(target, self.token("envmethod", name, self._by_class(api, dotted, path, index, target)))

    def a_obj(self, number: int, name: str, target: int, source: int) -> None:
        if self.value(number)[2] == "record":
            self.edge(self.field(number, "'" + name), target, ALL, "load")
            if name == "_fields":
                return
        if name in ("T", "mT", "data"):
            self.add(target, number, source, number)
        self.add(target, self.token("container", number, name))

    def a_info(self, number: int, name: str, target: int, source: int) -> None:
        self.add(target, self.token("container", number, name))

    # --- calls -------------------------------------------------------------------------------------

    def o_call(
        self,
        s: Survey,
        n: int,
        f: int,
        args: tuple[Any, ...],
        stars: tuple[int, ...],
        keywords: tuple[Any, ...],
        b: int,
        at: Span | None,
    ) -> None:
        placed = [(n + a if a else 0, span) for a, span in args]
        named = [(k, n + a if a else 0, span) for k, a, span in keywords]
        call = Call(s, placed, stars, named, n + b, (s.path, at) if at is not None else None)
        if named and named[0][0] == "*annotation":
            self.watch(n + f, lambda number: self.annotated(number, n + b))
            return
        self.calls.setdefault(n + b, (call.site, n + f))
        if n + f in self.attributes:
            receiver, name = self.attributes[n + f]
            if name in libraries.PASSING_METHODS:
                self.edge(receiver, n + b, VALUES)
        self.watch(n + f, lambda number: self.call(number, call))

    def annotated(self, number: int, target: int, make: bool = True) -> None:
        """An annotation names a class: the value is an instance of it, and of no other API."""
        kind = self.kind(number)
        api: Api | None = None
        if kind == "class":
            _, path, index = self.value(number)
            if make:
                self.add(target, self.token("inst", path, index))
            api, _ = self.api_of_class(path, index)
        elif kind == "external":
            api = self.user_apis.get(self.value(number)[1]) or env_apis.base(self.value(number)[1])
            if api is not None and make:
                self.evidence.setdefault(target, (None, f"annotated as `{self.value(number)[1]}`"))
                self.add(target, self.environment(api, False, "proven", target, False))
        if api is not None:
            self.pinned[target] = api

    def call(self, number: int, call: Call) -> None:
        """A call, for one token of what is called."""
        react = getattr(self, "c_" + self.kind(number), None)
        if react is not None:
            react(number, call)

    def c_function(self, number: int, call: Call) -> None:
        _, path, index, own = self.value(number)
        if self.user_apis and own < 0:
            api = self.user_apis.get(f"{self.dotted[path]}.{self.surveys[path].functions[index].name}")
            if api is not None:
                self.evidence.setdefault(call.result, (call.site, "made by a function of your `env-apis`"))
                self.add(call.result, self.environment(api, False, "proven", call.result, False))
                return
        function = self.surveys[path].functions[index]
        self._bind(path, function, own, call)
        self.edge(self.bases[path] + function.result, call.result, ALL, "return")

    def _enter(self, path: str, index: int, own: int) -> None:
        function = self.surveys[path].functions[index]
        if own >= 0 and function.params:
            self.add(self.bases[path] + function.params[0][1], own)

    def _bind(self, path: str, function: Function, own: int, call: Call) -> None:
        n = self.bases[path]
        params = [(name, n + node) for name, node in function.params]
        if own >= 0 and params:
            self.add(params[0][1], own)
            params = params[1:]
        self.bind_arguments(params, n + function.vararg if function.vararg >= 0 else -1, call)
        names = dict(params)
        for name, node, span in call.named:
            if name in names and node:
                self.edge(node, names[name], ALL, "argument", ((call.survey.path, span), node))
            elif name is None and node:
                self._bind_mapping(node, names)

    def bind_arguments(self, params: list[tuple[str, int]], rest: int, call: Call) -> None:
        """Positional arguments, starred ones included, to parameters."""
        for position, (node, span) in enumerate(call.args):
            if not node:
                continue
            site = ((call.survey.path, span), node)
            if position in call.stars:
                self._bind_star(node, position, params, site)
                break
            if position < len(params):
                self.edge(node, params[position][1], ALL, "argument", site)
            elif rest >= 0:
                number = self.token("obj", rest, "tuple")
                self.add(rest, number)
                self.edge(node, self.field(number, position - len(params)), ALL, "argument", site)

    def _bind_star(self, node: int, position: int, params: list[tuple[str, int]], site: Any) -> None:
        def react(number: int) -> None:
            if self.kind(number) != "obj":
                return

            def field(key: object, value: int) -> None:
                if isinstance(key, int) and 0 <= key and position + key < len(params):
                    self.edge(value, params[position + key][1], ALL, "argument", site)
                elif key == "*":
                    for _, target in params[position:]:
                        self.edge(value, target, ALL, "argument", site)

            self.each_field(number, field)

        self.watch(node, react)

    def _bind_mapping(self, node: int, names: dict[str, int]) -> None:
        def react(number: int) -> None:
            if self.kind(number) == "obj":
                self.each_field(
                    number,
                    lambda key, value: self.edge(value, names[key[1:]], ALL, "load")
                    if isinstance(key, str) and key[1:] in names
                    else None,
                )

        self.watch(node, react)

    def c_class(self, number: int, call: Call) -> None:
        _, path, index = self.value(number)
        api = self.user_apis.get(self.dotted_class(path, index)) if self.user_apis else None
        if api is not None:
            self.evidence.setdefault(call.result, (call.site, "made by a class of your `env-apis`"))
            self.add(call.result, self.environment(api, False, "proven", call.result, False))
            return
        made = self.class_at(path, index)
        found = self.method_of(path, index, "__init__")
        instance = self.token("inst", path, index)
        if found is None and made.fields:
            record = self.token("obj", call.result, "record")
            self.add(call.result, record)
            self._fill_record(record, made.fields, call)
            return
        self.add(call.result, instance)
        if found is not None:
            where, method = found
            self._bind(where, self.surveys[where].functions[method], instance, call)

    def _fill_record(self, record: int, fields: tuple[str, ...], call: Call) -> None:
        params = []
        for position, name in enumerate(fields):
            node = self.field(record, "'" + name)
            self.edge(node, self.field(record, position), ALL, "flow")
            params.append((name, node))
        for position, (node, span) in enumerate(call.args):
            if not node:
                continue
            site = ((call.survey.path, span), node)
            if position in call.stars:
                self._bind_star(node, position, params, None)
                break
            if position < len(params):
                self.edge(node, params[position][1], ALL, "store", site)
        names = dict(params)
        for key, node, span in call.named:
            if key in names and node:
                self.edge(node, names[key], ALL, "store", ((call.survey.path, span), node))

    def c_record(self, number: int, call: Call) -> None:
        record = self.token("obj", call.result, "record")
        self.add(call.result, record)
        self._fill_record(record, self.value(number)[2], call)

    def c_inst(self, number: int, call: Call) -> None:
        _, path, index = self.value(number)
        for name in ("__call__", "forward"):
            found = self.method_of(path, index, name)
            if found is not None:
                self.c_function(self.token("function", *found, number), call)
                return

    def c_env(self, number: int, call: Call) -> None:
        """`model.get_env()`: the method stands for what it gives."""
        self.add(call.result, number)

    def c_superinit(self, number: int, call: Call) -> None:
        """`super().__init__(env)` of a wrapper: its `self.env`."""
        _, path, index = self.value(number)
        if call.args and call.args[0][0]:
            self.edge(call.args[0][0], self.field(self.token("inst", path, index), "env"), ALL, "set")

    def c_envmethod(self, number: int, call: Call) -> None:
        _, name, env = self.value(number)
        if name in ("step", "step_wait"):
            self.add(call.result, self.token("step", env, call.result))
        elif name == "reset":
            self.add(call.result, self.token("reset", env, call.result))

    def c_container(self, number: int, call: Call) -> None:
        _, owner, name = self.value(number)
        if self.kind(owner) == "info":
            if name == "get" and call.args:
                for text in self.all(call.args[0][0], "text"):
                    self.load_item(owner, ("'" + self.value(text)[1],), call.result, call.result)
            return
        if name in libraries.PUTTING and call.args:
            node, span = call.args[-1]
            owner = self.peers.get(owner, owner)
            site = ((call.survey.path, span), node)
            if name.startswith("extend"):
                self._extend(node, owner)
            elif node:
                self.edge(node, self.field(owner, "*"), ALL, "store", site)
        elif name in libraries.TAKING or name in ("items", "values"):
            self.each_field(owner, lambda key, field: self.edge(field, call.result, ALL, "load"))
        elif name in libraries.PASSING_METHODS or name in libraries.DRAWING:
            self.add(call.result, owner)
        elif name == "_replace" or name == "update":
            for key, node, span in call.named:
                if key and node:
                    self.edge(node, self.field(owner, "'" + key), ALL, "store", ((call.survey.path, span), node))

    def _extend(self, node: int, owner: int) -> None:
        def react(number: int) -> None:
            if self.kind(number) == "obj":
                self.each_field(number, lambda key, field: self.edge(field, self.field(owner, "*"), ALL, "load"))

        if node:
            self.watch(node, react)

    def load_item(self, number: int, keys: tuple[Any, ...], target: int, source: int) -> None:
        """`source[keys]` (see `semantics`)."""
        raise NotImplementedError

    # --- names from outside ------------------------------------------------------------------------

    def c_external(self, number: int, call: Call) -> None:
        dotted = self.value(number)[1]
        root, _, _ = dotted.partition(".")
        name = dotted.rpartition(".")[2]
        if self._environment_call(dotted, name, call):
            return
        if root in libraries.ARRAYS or root in ("collections", "random", "itertools", "queue", "copy", "multiprocessing",
                                                "heapq", "typing", "threading", "functools", "dataclasses", "asyncio"):
            self._library_call(root, name, call)
        elif not dotted.endswith("()"):
            self.add(call.result, self.token("external", dotted + "()"))

    def special_method(self, number: int, name: str, args: list[tuple[int, Any]], result: int) -> bool:
        """`x[i]` and the like on an instance of a class of the project."""
        _, path, index = self.value(number)
        found = self.method_of(path, index, name)
        if found is None:
            return False
        call = Call(self.surveys[path], args, (), [], result, None)
        self.c_function(self.token("function", *found, number), call)
        return True

    def _environment_call(self, dotted: str, name: str, call: Call) -> bool:
        """Constructors and wrappers of the tables."""
        if env_apis.wraps(dotted):
            first = call.args[0][0] if call.args else next((node for k, node, _ in call.named if k == "env"), 0)
            self.evidence.setdefault(call.result, (call.site, f"wrapped by `{name}`"))
            api = env_apis.GYM if dotted.startswith("gym.") else env_apis.GYMNASIUM

            def react(number: int) -> None:
                if self.kind(number) == "env":
                    _, inner, unlimited, certainty, node, _ = self.value(number)
                    limited = name == "TimeLimit"
                    self.add(call.result, self.environment(inner, unlimited and not limited, certainty, node, False))
                elif self.kind(number) == "inst":
                    self.add(call.result, self.environment(api, name != "TimeLimit", "proven", call.result, False))

            if first:
                self.watch(first, react)
                self.wrapped.append((first, call.result, api))
            else:
                self.add(call.result, self.environment(api, False, "proven", call.result, False))
            return True
        api = self.user_apis.get(dotted) or env_apis.constructor(dotted)
        if api is None:
            return False
        self.evidence.setdefault(call.result, (call.site, f"made by `{dotted}`"))
        made = name == "make"
        unlimited = env_apis.unlimited(dotted)
        if any(k in env_apis.COMPATIBILITY_ARGUMENTS for k, _, _ in call.named):
            self.add(call.result, self.environment(env_apis.GYMNASIUM, False, "proven", call.result, made))
            return True
        ids: list[str] = []
        if call.args and call.args[0][0]:
            ids = [self.value(t)[1] for t in self.all(call.args[0][0], "text")]
        special = next((a for i in ids if (a := env_apis.by_id(i))), None)
        if made and ids and all(env_apis.never_truncates(i) for i in ids):
            unlimited = True
        self.add(call.result, self.environment(special or api, unlimited, "proven", call.result, made))
        return True

    def _library_call(self, root: str, name: str, call: Call) -> None:
        args = [node for node, _ in call.args if node]
        if name == "namedtuple" or name == "make_dataclass":
            fields = self._field_names(call)
            if fields:
                self.add(call.result, self.token("record", call.result, fields))
            return
        if name == "zip":
            self._zip(call)
        elif name in ("map", "imap", "starmap", "tree_map", "vmap_apply") and len(args) >= 2:
            self._map(call)
        elif name == "enumerate" and args:
            self._enumerate(args[0], call)
        elif name in ("partial", "jit", "vmap", "pmap", "remote", "wraps") and args:
            self.edge(args[0], call.result)
        elif name in ("Process", "Thread"):
            self._start(call)
        elif name in ("heappush", "heapreplace") and len(args) == 2:
            self._put(args[0], call.args[1], call)
        elif name == "Pipe":
            ends = self.token("obj", call.result, "tuple")
            one, other = (self.token("obj", self.add_nodes(1), "pipe") for _ in range(2))
            self.peers.update({one: other, other: one})
            self.add(call.result, ends)
            self.add(self.field(ends, 0), one)
            self.add(self.field(ends, 1), other)
        elif name == "heappop" and args:
            self.watch(args[0], lambda t: self.load_item(t, (None,), call.result, args[0]))
        elif name == "getattr" and len(call.args) >= 2:
            for text in self.all(call.args[1][0], "text"):
                word = self.value(text)[1]
                self.watch(args[0], lambda t: self.attribute(t, word, call.result, args[0]))
        elif name in libraries.CONTAINERS:
            kind = "array" if root in libraries.ARRAYS - {"builtins"} else "list"
            kind = "dict" if name in ("dict", "defaultdict", "OrderedDict") else kind
            number = self.token("obj", call.result, kind)
            self.add(call.result, number)
            for key, node, span in call.named:
                if key and node and name == "dict":
                    self.edge(node, self.field(number, "'" + key), ALL, "store", ((call.survey.path, span), node))
            if name in ("deque", "list", "set", "tuple") and args:
                self._extend(args[0], number)
                self.edge(args[0], call.result, VALUES)
            elif name in ("full", "full_like") and len(args) >= 2:
                self.edge(args[1], call.result, VALUES)
        elif name in libraries.DRAWING and args:
            self.edge(args[0], call.result, VALUES)
            self.watch(args[0], lambda t: self._draw(t, name, call.result, args[0]))
        elif name in libraries.JOINING and args:
            for node in args:
                self.edge(node, call.result, VALUES)
        elif name in libraries.PASSING and args:
            self.edge(args[0], call.result, VALUES)
            for node in args[1:]:
                self.edge(node, call.result, MARKS)

    def _draw(self, number: int, name: str, target: int, source: int) -> None:
        if name == "choice":
            self.load_item(number, (None,), target, source)

    def _field_names(self, call: Call) -> tuple[str, ...]:
        source = call.args[1][0] if len(call.args) > 1 else next((v for k, v, _ in call.named if k == "field_names"), 0)
        if not source:
            return ()
        for number in self.held[source]:
            if self.kind(number) == "text":
                return tuple(self.value(number)[1].replace(",", " ").split())
            if self.kind(number) == "obj":
                fields = sorted((k, v) for k, v in self.owned.get(number, ()) if isinstance(k, int))
                names = [next((self.value(t)[1] for t in self.all(v, "text")), "") for _, v in fields]
                if names and all(names):
                    return tuple(names)
        return ()

    def _put(self, container: int, value: tuple[int, Any], call: Call) -> None:
        node, span = value
        site = ((call.survey.path, span), node)

        def react(number: int) -> None:
            if self.kind(number) == "obj":
                self.edge(node, self.field(number, "*"), ALL, "store", site)

        self.watch(container, react)

    def _zip(self, call: Call) -> None:
        rows = self.token("obj", call.result, "list")
        row = self.token("obj", self.add_nodes(1), "zipped")
        self.add(call.result, rows)
        self.add(self.field(rows, "*"), row)
        for position, (node, _) in enumerate(call.args):
            if not node:
                continue
            if position in call.stars:
                self._transpose(node, rows, call)
            else:
                target = self.field(row, position)
                self.watch(node, self._elements_into(node, target))

    def _elements_into(self, node: int, target: int) -> Callable[[int], None]:
        def react(number: int) -> None:
            kind = self.kind(number)
            if kind == "obj":
                if self.value(number)[2] == "array":
                    self.add(target, number, node, number)
                self.each_field(number, lambda key, field: self.edge(field, target, ALL, "load"))
            elif kind == "flag":
                self.add(target, number & ~flags.ARRAY, node, number)
            elif kind in ("mark", "info", "env"):
                self.add(target, number, node, number)

        return react

    def _transpose(self, node: int, rows: int, call: Call) -> None:
        """`zip(*batch)`: column i holds field i of every row."""
        columns: dict[int, int] = {}

        def row(number: int) -> None:
            if self.kind(number) != "obj":
                return

            def field(key: object, value: int) -> None:
                if isinstance(key, int) and key >= 0:
                    column = columns.get(key)
                    if column is None:
                        column = columns[key] = self.token("obj", self.add_nodes(1), "many")
                        self.add(self.field(rows, key), column)
                    self.edge(value, self.field(column, "*"), ALL, "load")

            self.each_field(number, field)

        def batch(number: int) -> None:
            if self.kind(number) == "obj":
                self.each_field(number, lambda key, field: self.watch(field, row))

        self.watch(node, batch)

    def _map(self, call: Call) -> None:
        function, source = call.args[0], call.args[1]
        mapped = self.token("obj", call.result, "list")
        self.add(call.result, mapped)

        def each(key: object, field: int) -> None:
            out = self.field(mapped, key)
            inner = Call(call.survey, [(field, source[1])], (), [], out, call.site)
            self.watch(function[0], lambda number: self.call(number, inner))

        def react(number: int) -> None:
            if self.kind(number) == "obj":
                self.each_field(number, each)

        if source[0]:
            self.watch(source[0], react)

    def _enumerate(self, node: int, call: Call) -> None:
        rows = self.token("obj", call.result, "list")
        row = self.token("obj", self.add_nodes(1), "zipped")
        self.add(call.result, rows)
        self.add(self.field(rows, "*"), row)
        self.watch(node, self._elements_into(node, self.field(row, 1)))

    def _start(self, call: Call) -> None:
        """`Process(target=f, args=(a, b))`: a call of f."""
        named = {k: (node, span) for k, node, span in call.named}
        if "target" not in named or "args" not in named:
            return
        inner = Call(call.survey, [named["args"]], (0,), [], self.add_nodes(1), call.site)
        self.watch(named["target"][0], lambda number: self.call(number, inner))


class Call:
    """One call: its arguments as nodes with their places, and the node of its result."""

    __slots__ = ("args", "named", "result", "site", "stars", "survey")

    def __init__(
        self,
        survey: Survey,
        args: list[tuple[int, Any]],
        stars: tuple[int, ...],
        named: list[tuple[str | None, int, Any]],
        result: int,
        site: Site,
    ) -> None:
        """Plain data."""
        self.survey, self.args, self.stars, self.named = survey, args, stars, named
        self.result, self.site = result, site
