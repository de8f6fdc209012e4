"""Environment classes of the project: what they inherit, and which of their results still look like old Gym."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.findings import Related, Span
from done_lint.model import api_lookup
from done_lint.model.facts import EnvClass, InheritedReset, OwnLimit, OwnResult
from done_lint.model.solve import ALL, BLOB

if TYPE_CHECKING:
    from done_lint.model.link import Linker

#: Methods of an environment, of today and of before.
_PUBLIC = ("step", "reset", "seed", "render", "close", "action", "reverse_action", "observation", "reward")
METHODS = (*_PUBLIC, *(f"_{name}" for name in _PUBLIC))
Method = tuple[str, int]
#: Roots of bases that have no `reset` of their own (`typing.Generic`, `abc.ABC`, `gym.utils.EzPickle`, `object`).
_WITHOUT_RESET = frozenset({"abc", "builtins", "gym", "gymnasium", "object", "typing", "typing_extensions"})
#: Packages of bases that have nothing of an environment.
_PLAIN = frozenset({"builtins", "abc", "typing", "typing_extensions", "collections", "enum"})


class EnvClasses:
    """Reads classes from a solved linker."""

    def __init__(self, linker: Linker) -> None:
        """Look at every class of the project once."""
        self.linker = linker
        #: By path, then row of the class.
        self.classes: dict[str, dict[int, EnvClass]] = {}
        #: By path, then place (see `facts.Facts.results`).
        self.results: dict[str, dict[Span, OwnResult]] = {}
        #: By path, then place of the comparison.
        self.limits: dict[str, dict[Span, OwnLimit]] = {}
        #: Tokens of tuples of four that a `step` returns and that are to become five.
        self.fours: set[int] = set()
        #: `reset` methods that return the observation alone.
        self.bare: set[Method] = set()
        #: `step` methods that give four of five values on purpose, and `reset` methods of an API of their own.
        self.aside: set[Method] = set()
        self._heirs = self._inheritance()
        self._known_sources: dict[str, dict[int, list[int]]] = {}
        for path, survey in linker.surveys.items():
            for index, made in enumerate(survey.classes):
                if (found := self._class(path, index)) is not None:
                    self.classes.setdefault(path, {})[made.row] = found
        for path, classes in self.classes.items():
            for made in linker.surveys[path].classes:
                if (found := classes.get(made.row)) is not None:
                    self._steps(path, made.methods.get("step"), found)
                    self._resets(path, made.methods, found)
                    self._limits(path, made.methods.get("step"), found)
        self._indexed_observations()

    def _inheritance(self) -> dict[tuple[str, int], list[tuple[str, int]]]:
        """The classes that inherit from each class of the project."""
        heirs: dict[tuple[str, int], list[tuple[str, int]]] = {}
        for path, survey in self.linker.surveys.items():
            for index in range(len(survey.classes)):
                for ancestor in self.linker.lineage(path, index)[1:]:
                    if not isinstance(ancestor, str):
                        heirs.setdefault(ancestor, []).append((path, index))
        return heirs

    def _class(self, path: str, index: int) -> EnvClass | None:
        api, base = self.linker.api_of_class(path, index)
        made = self.linker.class_at(path, index)
        if api is None or not api.five or api.vector or not made.bases:
            return None
        lineage = self.linker.lineage(path, index)
        parents = [ancestor for ancestor in lineage[1:] if not isinstance(ancestor, str)]
        methods: dict[str, Method] = {}
        for name in METHODS:
            if (method := self.linker.method_of(path, index, name)) is not None:
                methods[name] = (method[0], self.linker.surveys[method[0]].functions[method[1]].row)
        heirs = [(where, self.linker.class_at(where, which)) for where, which in self._heirs.get((path, index), ())]
        site = self.linker.base_site(path, index, base)
        seed = made.methods.get("seed")
        return EnvClass(
            path,
            made.name,
            made.row,
            api,
            base,
            self.linker.is_wrapper(path, index),
            (Related(*site, f"`{made.name}` is a `{base}`"),) if site is not None else (),
            tuple((where, self.linker.class_at(where, which).row) for where, which in parents),
            methods=methods,
            inherited=self._inherited_reset(lineage[1:]),
            private=self._is_private(path, index),
            seed_heirs=self._seed_heirs((path, seed)) if seed is not None else (),
            children=tuple((where, heir.row) for where, heir in heirs),
            overridden=frozenset(name for name in METHODS for _, heir in heirs if name in heir.methods),
            foreign=self._is_foreign(path, index),
            double=_of_tests(self.linker.root, self.linker.dotted.get(path, "")),
        )

    def _inherited_reset(self, ancestors: list[Method | str]) -> InheritedReset | None:
        """The first `reset` behind the class itself."""
        for ancestor in ancestors:
            dotted = ancestor if isinstance(ancestor, str) else self.linker.dotted_class(*ancestor)
            if api_lookup.base(dotted) is not None:
                return InheritedReset(dotted)
            if not isinstance(ancestor, str):
                path, which = ancestor
                made = self.linker.class_at(path, which)
                if (method := made.methods.get("reset")) is not None:
                    function = self.linker.surveys[path].functions[method]
                    takes = None if function.kwarg >= 0 else frozenset(name for name, _ in function.params)
                    return InheritedReset(made.name, takes, project=True)
            elif ancestor.partition(".")[0] not in _WITHOUT_RESET:
                return None
        return None

    def _seed_heirs(self, method: Method) -> tuple[Related, ...]:
        """Calls of this `seed` that would be left without it (see `facts.EnvClass.seed_heirs`)."""
        found: list[Related] = []
        for call, function, home in self._seed_calls:
            targets = {self.linker.value(number)[1:3] for number in self.linker.all(function, "function")}
            if method not in targets or home == method:
                continue
            above = self.linker.surveys[home[0]].functions[home[1]].name == "seed"
            if (above or home[0] != method[0]) and (site := self.linker.origin_site(call)) is not None:
                found.append(Related(*site, "called here"))
        return tuple(found)

    @cached_property
    def _seed_calls(self) -> list[tuple[int, int, Method]]:
        """Calls of a method `seed` by another one, or with a seed on a method's own `self`."""
        found: list[tuple[int, int, Method]] = []
        for path, survey in self.linker.surveys.items():
            base = self.linker.bases[path]
            for operation in survey.operations:
                called = self.linker.attributes.get(base + operation[1]) if operation[0] == "call" else None
                home = survey.homes.get(operation[5], -1) if called is not None and called[1] == "seed" else -1
                if called is None or home < 0 or survey.functions[home].owner < 0:
                    continue
                caller = survey.functions[home]
                own = bool(caller.params) and called[0] == base + caller.params[0][1]
                seeded = any(operation[2:5])
                if caller.name == "seed" or (own and seeded):
                    found.append((base + operation[5], base + operation[1], (path, home)))
        return found

    def _is_foreign(self, path: str, index: int) -> bool:
        """Some base is not in the project, and in no table."""
        bases = [(path, index), *(one for one in self.linker.lineage(path, index)[1:] if not isinstance(one, str))]
        for where, which in bases:
            for base in self.linker.class_at(where, which).bases:
                held = self.linker.held[self.linker.bases[where] + base]
                known = [self.linker.kind(number) == "class" or self._is_known(number) for number in held]
                if not known or not all(known):
                    return True
        return False

    def _is_known(self, number: int) -> bool:
        """A name from outside that defines no method of an environment unseen."""
        if self.linker.kind(number) != "external":
            return False
        dotted = self.linker.value(number)[1]
        return dotted.partition(".")[0] in _PLAIN or api_lookup.base(dotted) is not None

    def _steps(self, path: str, method: int | None, owner: EnvClass) -> None:
        """Literal tuples of four that arrive where `step` returns."""
        if method is None:
            return
        result = self.linker.bases[path] + self.linker.surveys[path].functions[method].result
        if self.linker.objects[result] >= BLOB:
            return
        fours = [number for number in self.linker.all(result, "obj") if self.linker.widths.get(number) == 4]
        if fours and self._adapts(path, method):
            self.aside.add((path, method))
            return
        for number in fours:
            home = self.linker.owner(node := self.linker.value(number)[1])
            if home is None or self.linker.is_guarded(node):
                continue
            where, local = home
            survey = self.linker.surveys[where]
            if local in survey.fours:
                self.fours.add(number)
                mine = OwnResult(self._writer(where, local) or owner, "step")
                self.results.setdefault(where, {}).setdefault(survey.fours[local], mine)

    def _writer(self, path: str, local: int) -> EnvClass | None:
        """The environment class in whose method a tuple is written; others may hand it on."""
        survey = self.linker.surveys[path]
        function = survey.homes.get(local, -1)
        index = survey.functions[function].owner if function >= 0 else -1
        return self.classes.get(path, {}).get(survey.classes[index].row) if index >= 0 else None

    def _adapts(self, path: str, method: int) -> bool:
        """It takes five values from what it wraps and gives four on purpose, or gives either as it is told."""
        survey, base = self.linker.surveys[path], self.linker.bases[path]
        if 5 in survey.functions[method].arities:
            return True
        arities = {
            operation[2]
            for operation in survey.operations
            if operation[0] == "unpack"
            and operation[4]
            and survey.homes.get(operation[4][0]) == method
            and self._is_step(base + operation[1])
        }
        return 5 in arities and 4 not in arities

    def _resets(self, path: str, methods: Mapping[str, int], owner: EnvClass) -> None:
        """Returned expressions of `reset` that can be no pair of observation and info."""
        method = methods.get("reset")
        if method is None:
            return
        if owner.private:
            self.aside.add((path, method))
            return
        survey, base = self.linker.surveys[path], self.linker.bases[path]
        outcomes = survey.functions[method].outcomes
        pairs = [local for _, local, _ in outcomes if self._is_pair(base + local)]
        observed = bool(pairs) and self._observes_pairs(path, methods.get("step"))
        observed = observed and all(self._is_observed(base + local) for local in pairs)
        written = 2 in survey.functions[method].arities and not observed
        if written or any(guarded for _, _, guarded in outcomes):
            return  # it asks which API it wraps, or is told which to speak, and answers accordingly
        for span, local, _ in outcomes:
            if (local in pairs and not observed) or self._is_passed_on(path, local):
                continue
            self.bare.add((path, method))
            self.results.setdefault(path, {})[span] = OwnResult(owner, "reset", indexed=observed)

    def _observes_pairs(self, path: str, step: int | None) -> bool:
        """The observation that the class's own `step` returns is itself a tuple of two."""
        if step is None:
            return False
        result = self.linker.bases[path] + self.linker.surveys[path].functions[step].result
        tuples = [one for one in self.linker.all(result, "obj") if self.linker.widths.get(one) in (4, 5)]
        observations = [self.linker.fields.get((one, 0)) for one in tuples]
        return any(one is not None and self._is_pair(one) for one in observations)

    def _is_observed(self, node: int) -> bool:
        """A pair of two plain values: neither holds another pair, and the second is nothing like an info."""
        pairs = [number for number in self.linker.all(node, "obj") if self.linker.widths.get(number) == 2]
        halves = [self.linker.fields.get((number, place)) for number in pairs for place in (0, 1)]
        return bool(pairs) and not any(half is not None and self.linker.all(half, "obj") for half in halves)

    def _limits(self, path: str, method: int | None, owner: EnvClass) -> None:
        """Comparisons of a step count that arrive where `step` returns termination."""
        if method is None:
            return
        result = self.linker.bases[path] + self.linker.surveys[path].functions[method].result
        for number in self.linker.all(result, "obj"):
            arity = self.linker.widths.get(number, 0)
            if arity not in ((5,) if (path, method) in self.aside else (4, 5)) or (number, 2) not in self.linker.fields:
                continue
            for count in self.linker.all(self.linker.fields[number, 2], "count"):
                _, where, at, name, index, reached = self.linker.value(count)
                if reached and self._counts(name, (where, index), (path, self._index(owner))):
                    asked = self.classes.get(where, {}).get(self.linker.class_at(where, index).row, owner)
                    self.limits.setdefault(where, {}).setdefault(at, OwnLimit(asked, name, arity))

    def _counts(self, name: str, one: tuple[str, int], other: tuple[str, int]) -> bool:
        """The attribute counts the steps of an object that belongs to both classes, and starts anew with it."""
        lineages = [self.linker.lineage(*place) for place in (one, other)]
        if one not in lineages[1] and other not in lineages[0]:
            return False
        made = [self.linker.class_at(*place) for line in lineages for place in line if not isinstance(place, str)]
        return any(name in each.counted for each in made) and any(name in each.restarted for each in made)

    def _indexed_observations(self) -> None:
        """Mark what a caller takes the first element of: from a pair that would be the whole observation."""
        indexed = {
            self.linker.bases[path] + operation[1]
            for path, survey in self.linker.surveys.items()
            for operation in survey.operations
            if operation[0] == "item" and operation[2][:1] == (0,)
        }
        for reset, uses in self.linker.taken.items():
            origin = self.linker.value(reset)[2]
            # Elsewhere it is an observation that travelled: the call itself is reported, and mended, then.
            if not any(source in indexed and home == self.linker.home(origin) for home, source in uses):
                continue
            call = self.linker.calls.get(origin)
            for number in self.linker.all(call[1], "function") if call is not None else ():
                path, index = self.linker.value(number)[1:3]
                for span, _, _ in self.linker.surveys[path].functions[index].outcomes:
                    results = self.results.get(path, {})
                    if (path, index) in self.bare and span in results:
                        results[span] = replace(results[span], indexed=True)

    def _index(self, owner: EnvClass) -> int:
        classes = self.linker.surveys[owner.path].classes
        return next(index for index, made in enumerate(classes) if made.row == owner.row)

    def _is_private(self, path: str, index: int) -> bool:
        """Its own `step` returns neither four values nor five: an API of its own, whatever it inherits."""
        method = self.linker.method_of(path, index, "step")
        if method is None:
            return False
        result = self.linker.bases[method[0]] + self.linker.surveys[method[0]].functions[method[1]].result
        widths = {self.linker.widths.get(number) for number in self.linker.all(result, "obj")}
        outcomes = self.linker.surveys[method[0]].functions[method[1]].outcomes
        return bool(outcomes) and not widths & {4, 5} and not self._is_step(result)

    def _is_step(self, node: int) -> bool:
        return bool(self.linker.all(node, "step") or self.linker.all(node, "own step"))

    def _is_pair(self, node: int) -> bool:
        pairs = [number for number in self.linker.all(node, "obj") if self.linker.widths.get(number) == 2]
        return any(self._arrives_whole(number, node) for number in pairs)

    def _arrives_whole(self, number: int, node: int) -> bool:
        """Whether the tuple itself arrives, not what a library's function made of it (`np.concatenate((a, b))`)."""
        waiting, seen = [node], {node}
        while waiting:
            target = waiting.pop()
            sources = [
                source for source, _, _ in self.linker.predecessors[target] if number in self.linker.held[source]
            ]
            whole = [source for source in sources if self.linker.successors[source].get(target) == ALL]
            if not whole and (not sources or target not in self.linker.calls):
                return True
            waiting += [source for source in whole if source not in seen]
            seen.update(whole)
        return False

    def _is_passed_on(self, path: str, local: int) -> bool:
        """What another environment's `reset` gave, untouched: right as soon as that one is."""
        base = self.linker.bases[path]
        waiting, leaves = [local], set()
        sources = self._sources(path)
        while waiting:
            node = waiting.pop()
            if node in leaves:
                continue
            leaves.add(node)
            waiting += sources.get(node, ())
        calls = [self.linker.calls.get(base + node) for node in leaves - sources.keys()]
        called = [self.linker.attributes.get(call[1]) if call is not None else None for call in calls]
        return all(one is not None and one[1] == "reset" for one in called)

    def _sources(self, path: str) -> dict[int, list[int]]:
        """Where versions of a variable come from, by assignments and joins of branches alone."""
        if path not in self._known_sources:
            found = self._known_sources.setdefault(path, {})
            for operation in self.linker.surveys[path].operations:
                if operation[0] == "copy":
                    found.setdefault(operation[2], []).append(operation[1])
                elif operation[0] == "cond":
                    found.setdefault(operation[6], []).extend((operation[2], operation[4]))
        return self._known_sources[path]


def _of_tests(root: str, module: str) -> bool:
    """A module of the tests, by its place in the project, or where the project is the folder of the tests itself."""
    *packages, name = module.split(".")
    packages.append(root.rpartition("/")[2])
    return name.startswith("test_") or name.endswith("_test") or not {"test", "tests"}.isdisjoint(packages)
