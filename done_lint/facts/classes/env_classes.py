"""Environment classes of the project: their APIs, what they inherit, who inherits from them."""

from __future__ import annotations

import sys
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import registrations
from done_lint.analysis.class_hierarchy import Ancestor
from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.values import (
    ClassRef,
    External,
    FunctionRef,
    Instance,
    Value,
)
from done_lint.core.findings import Related
from done_lint.facts.classes.named_results import NamedResults
from done_lint.facts.classes.own_apis import OwnApis
from done_lint.facts.classes.own_attributes import OwnAttributes
from done_lint.facts.classes.parts_with_generators import PartsWithGenerators
from done_lint.facts.classes.seed_callers import SeedCallers
from done_lint.facts.kinds.classes import EnvClass, InheritedReset
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Class, Survey
from done_lint.knowledge import env_api_lookup, packages
from done_lint.knowledge.gymnasium_changes import below_root
from done_lint.knowledge.rendering import GYM_RENDER_ARGUMENTS
from done_lint.knowledge.underscore_methods import NAMES, WITHOUT_METHODS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: Methods of an environment, of today and of before.
_PUBLIC = ("step", "reset", "seed", "render", "close", "action", "reverse_action", "observation", "reward")
METHODS = (*_PUBLIC, *(f"_{name}" for name in _PUBLIC))
#: Roots of bases that have no `reset` of their own (`typing.Generic`, `abc.ABC`, `gym.utils.EzPickle`, `object`).
_WITHOUT_RESET = frozenset({"abc", "builtins", "gym", "gymnasium", "object", "typing", "typing_extensions"})
#: Packages of bases that have nothing of an environment, beside the standard library.
_PLAIN = frozenset({"builtins", "typing_extensions"}) | sys.stdlib_module_names
#: How many arguments by position the methods of Gym's environments have to be given, `self` included.
_REQUIRED = {"reset": 1, "step": 2}


class EnvClasses:
    """Reads classes from a solved graph."""

    def __init__(self, analysis: Analysis, attributes: OwnAttributes) -> None:
        """Look at every class of the project once."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program
        self._classes = analysis.classes
        self._root = analysis.modules.root
        self._attributes = attributes
        self._parts = PartsWithGenerators(analysis)
        self.named = NamedResults(analysis)
        self._seeding = SeedCallers(analysis)
        #: By path, then row of the class.
        self.classes: dict[str, dict[int, EnvClass]] = {}
        self._heirs = self._inheritance()
        # who makes what is registered by an id is often elsewhere
        registered = (one for owners in analysis.envs.entries.values() for one in owners)
        self._checked = registrations.checked_classes(analysis).union(registered)
        self._own_apis = OwnApis(analysis, self.named, self._heirs, self._checked)
        for path, survey in analysis.program.surveys.items():
            for index, made in enumerate(survey.classes):
                if (found := self._class(path, index)) is not None:
                    self.classes.setdefault(path, {})[made.row] = found

    def _inheritance(self) -> dict[ClassId, list[ClassId]]:
        """The classes that inherit from each class of the project."""
        heirs: dict[ClassId, list[ClassId]] = {}
        for path, survey in self._program.surveys.items():
            for index in range(len(survey.classes)):
                for ancestor in self._classes.lineage(path, index)[1:]:
                    if not isinstance(ancestor, str):
                        heirs.setdefault(ancestor, []).append(ClassId(path, index))
        return heirs

    def _class(self, path: str, index: int) -> EnvClass | None:
        api, base = self._classes.api_of_class(path, index)
        made = self._program.class_at(path, index)
        behind = self._classes.behind_mixin(path, index) if api is None else []
        if behind:
            api, base = self._classes.api_of_class(*self._heirs[ClassId(path, index)][0])
        if api is None or not api.five or api.vector or not (made.bases or behind):
            return None
        lineage = [ClassId(path, index), *behind] if behind else self._classes.lineage(path, index)
        parents = [ancestor for ancestor in lineage[1:] if not isinstance(ancestor, str)]
        methods: dict[str, tuple[str, int]] = {}
        for name in METHODS:
            if (method := self._classes.method_of(path, index, name)) is not None:
                methods[name] = (method.path, self._program.function_at(method).row)
        below = self._heirs.get(ClassId(path, index), ())
        heirs = [(one.path, self._program.class_at(*one)) for one in below]
        site = self._classes.base_site(path, index, base)
        seed, render = made.methods.get("seed"), made.methods.get("render")
        foreign = self._is_foreign(path, index)
        own_seed = FunctionId(path, seed) if seed is not None else None
        return EnvClass(
            path,
            made.name,
            made.row,
            api,
            base,
            self._classes.is_wrapper(path, index),
            (Related(*site, f"`{made.name}` is a `{base}`"),) if site is not None else (),
            tuple((where, self._program.class_at(where, which).row) for where, which in parents),
            methods=methods,
            inherited=self._inherited_reset(lineage[1:]),
            old_reads=self._read_elsewhere(path, made),
            private=self._own_apis.has(path, index, foreign=foreign),
            seed_heirs=self._seed_heirs(FunctionId(path, seed)) if seed is not None else (),
            seed_called=own_seed is not None and base.startswith("gymnasium.") and self._seeding.is_called(own_seed),
            seed_caller=self._seeding.called.get(own_seed) if own_seed is not None else None,
            seed_past_wrappers=self._seeding.past_wrappers(own_seed) if own_seed is not None else None,
            seed_asked=own_seed is not None and self._seeding.is_asked(own_seed),
            seed_maybe_called=self._seeding.unknown if seed is not None else None,
            render_caller=self._render_callers.get(FunctionId(path, render)) if render is not None else None,
            own_render=render is not None and FunctionId(path, render) in self._own_renders,
            rendered=self._rendered.get(FunctionId(path, render)) if render is not None else None,
            children=tuple((where, heir.row) for where, heir in heirs),
            overridden=frozenset(name for name in METHODS for _, heir in heirs if name in heir.methods),
            foreign=foreign,
            attributes=self._attributes.of_all([ClassId(path, index), *below]),
            assigned=frozenset(made.assigned).union(*(self._program.class_at(*one).assigned for one in parents)),
            old_signs=frozenset(made.old_signs),
            drawing_parts=self._parts.of(one for one in lineage if not isinstance(one, str)),
            double=of_tests(self._root, self._program.dotted.get(path, "")),
            adapter=self._is_adapter(path, index),
            unmade=self._has_both
            and self._classes.is_wrapper(path, index)
            and self._called.isdisjoint((ClassId(path, index), *below)),
            checked=not self._checked.isdisjoint((ClassId(path, index), *below)),
            order=self._program.function_at(FunctionId(path, made.methods["step"])).order
            if "step" in made.methods
            else (),
        )

    @cached_property
    def _has_both(self) -> bool:
        """Whether other code of the program is on Gymnasium: what is old throughout is to be migrated."""
        return any("gymnasium" in survey.packages for survey in self._program.surveys.values())

    @cached_property
    def _called(self) -> frozenset[ClassId]:
        """The classes that are called, and those that are registered: a call of `make` makes one."""
        called = (
            ClassId(made.path, made.index)
            for path, survey in self._program.surveys.items()
            for call in survey.calls()
            for made in self._solver.values(self._program.bases[path] + call.called, ClassRef)
        )
        return frozenset(self._checked).union(called)

    def _read_elsewhere(self, path: str, made: Class) -> tuple[Related, ...]:
        """Where other files read a method of a class under an old name, or one of that name of what is unknown."""
        mine = {name: FunctionId(path, method) for name, method in made.methods.items() if name in NAMES}
        reads = self._old_reads if mine else ()
        return tuple(
            at for name, methods, at in reads if at.path != path and mine.get(name) in (methods or mine.values())
        )

    @cached_property
    def _old_reads(self) -> list[tuple[str, frozenset[FunctionId], Related]]:
        """The name, the methods that it can mean (none: what has it is unknown), and the place."""
        found: list[tuple[str, frozenset[FunctionId], Related]] = []
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            reads = (one for reads in survey.naming.values() for one in reads if isinstance(one, ops.Attribute))
            for read in reads:
                if read.name not in NAMES or (span := survey.places.get(read.target)) is None:
                    continue
                functions = self._solver.values(base + read.target, FunctionRef)
                if functions or not self._solver.held[base + read.source]:
                    methods = frozenset(FunctionId(one.path, one.index) for one in functions)
                    found.append((read.name, methods, Related(path, span, f"`{read.name}`")))
        return found

    def _inherited_reset(self, ancestors: list[Ancestor]) -> InheritedReset | None:
        """The first `reset` behind the class itself."""
        for place, ancestor in enumerate(ancestors, 1):
            dotted = ancestor if isinstance(ancestor, str) else self._classes.dotted_class(*ancestor)
            if env_api_lookup.base(dotted) is not None:
                return InheritedReset(dotted)
            if not isinstance(ancestor, str):
                path, which = ancestor
                made = self._program.class_at(path, which)
                if (method := made.methods.get("reset")) is not None:
                    function = self._program.surveys[path].functions[method]
                    takes = None if function.kwarg >= 0 else frozenset(name for name, _ in function.params)
                    above = self._inherited_reset(ancestors[place:])
                    seeds = above is not None and above.only_seeds
                    return InheritedReset(made.name, takes, project=True, below_seeding=seeds)
            elif ancestor.partition(".")[0] not in _WITHOUT_RESET:
                return None
        return None

    def _seed_heirs(self, method: FunctionId) -> tuple[Related, ...]:
        """Calls of this `seed` that would be left without it (see `facts.EnvClass.seed_heirs`)."""
        found: list[Related] = []
        for call, function, home in self._seed_calls:
            targets = {(one.path, one.index) for one in self._solver.values(function, FunctionRef)}
            if method not in targets or home == method:
                continue
            above = self._program.function_at(home).name == "seed"
            if (above or home.path != method.path) and (site := self._program.origin_site(call)) is not None:
                found.append(Related(*site, "called here"))
        return tuple(found)

    @cached_property
    def _render_callers(self) -> dict[FunctionId, Related]:
        """Calls of methods `render` with arguments, but for those that their class makes, and what overrides them."""
        found: dict[FunctionId, Related] = {}
        for survey, call, called in self._mode_calls:
            if called.path != survey.path or not self._is_by_family(survey, call, called):
                found.setdefault(called, Related(survey.path, call.at, "called with a mode here"))
        return found

    @cached_property
    def _rendered(self) -> dict[FunctionId, Related]:
        """Calls of methods `render`, but for those that environment classes make."""
        found: dict[FunctionId, Related] = {}
        for survey, call, called in self._render_calls:
            if not self._is_by_family(survey, call, called):
                found.setdefault(called, Related(survey.path, call.at, "rendered here"))
        return found

    @cached_property
    def _own_renders(self) -> frozenset[FunctionId]:
        """The methods `render` that the program gives arguments which no release of Gym had, and what they override."""
        given = {called for _, call, called in self._mode_calls if self._gives_more(call, called)}
        return frozenset(given.union(*map(self._overridden, given)))

    def _overridden(self, method: FunctionId) -> set[FunctionId]:
        """The methods of the same name in the bases of a method's class."""
        function = self._program.function_at(method)
        bases = self._classes.lineage(method.path, function.owner)[1:] if function.owner >= 0 else ()
        found = (self._classes.method_of(*one, function.name) for one in bases if isinstance(one, ClassId))
        return {one for one in found if one is not None}

    def _gives_more(self, call: ops.Call, called: FunctionId) -> bool:
        names = [name for name, _ in self._program.function_at(called).params]
        given = [*names[1 : len(call.args) + 1], *(key for key, *_ in call.keywords if key is not None)]
        return not GYM_RENDER_ARGUMENTS.issuperset(given)

    @cached_property
    def _mode_calls(self) -> list[tuple[Survey, ops.Call, FunctionId]]:
        """Calls of methods `render` of the project with arguments."""
        return [one for one in self._render_calls if one[1].args or one[1].keywords]

    @cached_property
    def _render_calls(self) -> list[tuple[Survey, ops.Call, FunctionId]]:
        """Calls of methods `render` of the project, documents aside."""
        found: list[tuple[Survey, ops.Call, FunctionId]] = []
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            for read in survey.telling if not survey.page else ():
                for call in survey.waiting.get(read.target, ()) if read.name == "render" else ():
                    if isinstance(call, ops.Call):
                        called = self._solver.values(base + read.target, FunctionRef)
                        found += [(survey, call, FunctionId(one.path, one.index)) for one in called]
        return found

    def _is_by_family(self, survey: Survey, call: ops.Call, called: FunctionId) -> bool:
        """Whether a call stands in the class of the method, or in a `render` of an environment class, for its base."""
        home = survey.homes.get(call.result, -1)
        owner = survey.functions[home].owner if home >= 0 else -1
        if owner < 0 or self._classes.api_of_class(survey.path, owner)[0] is None:
            return False
        return owner == self._program.function_at(called).owner or survey.functions[home].name == "render"

    @cached_property
    def _seed_calls(self) -> list[tuple[int, int, FunctionId]]:
        """Calls of a method `seed` by another one, or with a seed on a method's own `self`."""
        found: list[tuple[int, int, FunctionId]] = []
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            seeds = [(seed, call) for seed in survey.telling for call in survey.waiting.get(seed.target, ())]
            for seed, operation in seeds:
                if not isinstance(operation, ops.Call) or seed.name != "seed":
                    continue
                home = survey.homes.get(operation.result, -1)
                if home < 0 or survey.functions[home].owner < 0:
                    continue
                caller = survey.functions[home]
                _, first = caller.params[0] if caller.params else ("", -1)
                seeded = bool(operation.args or operation.stars or operation.keywords)
                if caller.name == "seed" or (seed.source == first and seeded):
                    found.append((base + operation.result, base + operation.called, FunctionId(path, home)))
        return found

    def is_plain(self, owner: ClassId) -> bool:
        """Whether a class is seen to inherit from no library's class of environments."""
        return not self._is_foreign(*owner) and not any(
            self._classes.is_of_a_library(one) if isinstance(one, ClassId) else env_api_lookup.base(one) is not None
            for one in self._classes.lineage(*owner)
        )

    def _is_foreign(self, path: str, index: int) -> bool:
        """Some base is not in the project, and in no table."""
        bases = [
            (path, index),
            *(one for one in self._classes.lineage(path, index)[1:] if not isinstance(one, str)),
        ]
        for where, which in bases:
            for base in self._program.class_at(where, which).bases:
                held = self._solver.held[self._program.bases[where] + base]
                known = [self._is_known(self._solver.value(number)) for number in held]
                if not known or not all(known):
                    return True
        return False

    def _is_adapter(self, path: str, index: int) -> bool:
        """Whether only environments of other APIs are seen inside a wrapper, of look-alikes or the project's own."""
        if not self._classes.is_wrapper(path, index):
            return False
        inside = [number for node in self._classes.inside(path, index) for number in self._solver.held[node]]
        return bool(inside) and all(self._is_other(self._solver.value(number)) for number in inside)

    def _is_other(self, value: Value) -> bool:
        """A look-alike of another library, or an object of the project that is called as none of Gym's is."""
        if isinstance(value, External):
            return packages.is_look_alike(value.dotted.removesuffix("()"))
        if not isinstance(value, Instance) or self._classes.api_of_class(value.path, value.index)[0] is not None:
            return False
        found = ((self._classes.method_of(value.path, value.index, name), most) for name, most in _REQUIRED.items())
        return any(method is not None and self._program.function_at(method).required > most for method, most in found)

    def _is_known(self, base: Value) -> bool:
        """A class of the project, or a name from outside that defines no method of an environment unseen."""
        if not isinstance(base, External):
            return isinstance(base, ClassRef)
        if base.dotted.partition(".")[0] in _PLAIN or below_root(base.dotted) in WITHOUT_METHODS:
            return True
        return env_api_lookup.base(base.dotted) is not None

    def of(self, path: str, index: int) -> EnvClass | None:
        """Class `index` of a file, if it is an environment."""
        return self.classes.get(path, {}).get(self._program.class_at(path, index).row)


def of_tests(root: str, module: str) -> bool:
    """Whether a module is of the tests, by its place, or because the project is the folder of the tests itself."""
    *packages, name = module.split(".")
    packages.append(root.rpartition("/")[2])
    return name.startswith("test_") or name.endswith("_test") or not {"test", "tests"}.isdisjoint(packages)
