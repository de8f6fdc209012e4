"""Calls of names from outside: environments are made and wrapped; the other functions see `library_functions`."""

from __future__ import annotations

from dataclasses import replace

from done_lint.analysis.program import Call, Evidence, IdArgument
from done_lint.analysis.transfer.library_functions import LibraryFunctions
from done_lint.analysis.values import (
    Environment,
    External,
    Generator,
    Instance,
    Made,
    Object,
    OldGenerator,
    Shape,
    Text,
)
from done_lint.core.findings import Related, Span
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import IndexKey
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import array_functions, env_api_lookup, env_apis, env_id_apis
from done_lint.knowledge.env_apis import Api


class LibraryCalls(LibraryFunctions):
    """The part of the solver that knows the tables of environments, and whom a name from outside concerns."""

    def o_library(self, s: Survey, n: int, op: ops.LibraryCall) -> None:
        """A call of the one name from outside that f holds: nothing has to wait for it."""
        (number,) = self.held[n + op.called]
        if number not in self._heeded:
            self._heeded[number] = self._heeds(number)
        heeded = self._heeded[number]
        if heeded is None:
            self.c_external(number, Call.read(s, n, op))
        elif heeded:
            self.add(n + op.result, heeded)

    def _heeds(self, number: int) -> int | None:
        """What a call of a name from outside gives, whatever the arguments: a value, or 0; None: it depends on them."""
        dotted = self.get(number, External).dotted
        root, _, rest = dotted.partition(".")
        if dotted in self.user_apis or dotted in env_id_apis.ID_ARGUMENTS or self.is_command_line(dotted):
            return None
        if dotted in array_functions.SEEDING or dotted in array_functions.OLD_GENERATORS:
            return None
        if env_api_lookup.wraps(dotted) or env_api_lookup.constructor(dotted) is not None:
            return None
        if root in array_functions.PACKAGES:
            return None if self.knows(rest.rpartition(".")[2]) else 0
        return self.intern(External(dotted + "()"))

    def c_external(self, number: int, call: Call) -> None:
        dotted = self.get(number, External).dotted
        root, _, _ = dotted.partition(".")
        name = dotted.rpartition(".")[2]
        self._environment_ids(dotted, call)
        if self.command_line_call(dotted, call):
            return
        if self._environment_call(dotted, name, call) or self._generator_call(dotted, name, call):
            return
        if root in array_functions.PACKAGES:
            self.library_function(root, name, call)
        elif not dotted.endswith("()"):
            self.add(call.result, self.intern(External(dotted + "()")))

    def _environment_ids(self, dotted: str, call: Call) -> None:
        """Remember which argument names an environment by its id, to be looked up or to be known from now on."""
        keyword = env_id_apis.ID_ARGUMENTS.get(dotted)
        if keyword is None:
            return
        first = call.args[0].node if call.args else call.keyword(keyword)
        if first:
            self.id_arguments.append(IdArgument(first, dotted, call.site))

    def _environment_call(self, dotted: str, name: str, call: Call) -> bool:
        """Constructors and wrappers of the tables."""
        if env_api_lookup.wraps(dotted):
            first = call.args[0].node if call.args else call.keyword("env")
            self.evidence.setdefault(call.result, Evidence(call.site, f"wrapped by `{name}`"))
            library = dotted.startswith(("gym.wrappers.", "gymnasium.wrappers."))
            outer = name if library else dotted
            own = env_apis.GYM if dotted.startswith("gym.") else env_apis.GYMNASIUM

            def react(number: int) -> None:
                value = self.value(number)
                if isinstance(value, Environment):
                    unlimited = value.unlimited and name != env_apis.TIME_LIMIT
                    layers = value.layers and (outer, *(layer for layer in value.layers if layer != outer))
                    self.add(call.result, self.intern(replace(value, unlimited=unlimited, layers=layers)))
                elif isinstance(value, Instance):
                    # only a bare environment has no limit: a wrapper of the project has what it wraps
                    bare = not self.is_wrapper(value.path, value.index)
                    unlimited = bare and name != "TimeLimit"
                    self.add(call.result, self.environment(own, unlimited, "proven", call.result, (outer,)))

            if first:
                self.watch(first, react)
                self.wrapped.append((first, call.result, own))
            else:
                self.add(call.result, self.environment(own, False, "proven", call.result))
            return True
        api = self.user_apis.get(dotted) or env_api_lookup.constructor(dotted)
        if api is None:
            return False
        self.evidence.setdefault(call.result, Evidence(call.site, f"made by `{dotted}`"))
        self.makes[call.result] = Made(
            Related(*call.site, f"made by `{dotted}`") if call.site else Related("", Span(1, 0, 1, 0), ""),
            dotted,
            frozenset(key for key, _, _ in call.named if key is not None),
            hidden=bool(call.stars) or any(key is None for key, _, _ in call.named),
        )
        made = name == "make"
        unlimited = env_api_lookup.unlimited(dotted)
        layers = env_apis.MADE_LAYERS if made else env_apis.BARE if unlimited or api.vector else ()
        if any(k in env_apis.COMPATIBILITY_ARGUMENTS for k, _, _ in call.named):
            self.add(call.result, self.environment(env_apis.GYMNASIUM, False, "proven", call.result, layers))
            return True
        ids: list[str] = []
        if call.args and call.args[0].node:
            ids = [text.text for text in self.values(call.args[0].node, Text)]
        special = next((a for i in ids if (a := env_id_apis.by_id(i))), None)
        if dotted.startswith("gym."):
            self._make_for_gym(call, ids, special)
        if made and ids and all(env_id_apis.never_truncates(i) for i in ids):
            unlimited = True
        self.add(call.result, self.environment(special or api, unlimited, "proven", call.result, layers))
        return True

    def _make_for_gym(self, call: Call, ids: list[str], special: Api | None) -> None:
        """Note who makes what Gym gives, where it may be none of Gymnasium's own environments."""
        path = call.survey.path
        if special is not None and special.old_gym:
            self.old_packages[path] = special.name
        elif path in self.needed and not (ids and all(map(env_id_apis.is_own, ids))):
            self.old_packages[path] = self.makers[call.result] = self.needed[path]
        else:
            self.old_packages.setdefault(path, "")

    def _generator_call(self, dotted: str, name: str, call: Call) -> bool:
        """`generator, seed = seeding.np_random(seed)`, and numpy's own generator of before."""
        if dotted in array_functions.OLD_GENERATORS:
            self.add(call.result, self.intern(OldGenerator()))
            return True
        if dotted not in array_functions.SEEDING:
            return False
        pair = self.intern(Object(call.result, Shape.TUPLE))
        self.add(call.result, pair)
        self.evidence.setdefault(call.result, Evidence(call.site, f"made by `seeding.{name}`"))
        self.add(self.field(pair, IndexKey(0)), self.intern(Generator("proven", call.result)))
        return True
