"""What the classes of the project inherit: lineages, the API that comes with a base, methods and attributes."""

from __future__ import annotations

from collections.abc import Sequence

from done_lint.analysis.kept_code import KeptCode
from done_lint.analysis.objects import Objects
from done_lint.analysis.program import ClassId, FunctionId, Program
from done_lint.analysis.solver import Solver
from done_lint.analysis.values import ClassRef, External, Instance, Place, Site
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import AttributeKey
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import env_api_lookup, packages
from done_lint.knowledge.env_apis import GYM, ISAAC_GYM, KEPT_GYM, OF_LIBRARIES, VECTORS, Api

#: A class of the project, or the dotted name of one from outside.
Ancestor = ClassId | str
#: What a wrapper keeps the inner environment under.
WRAPPED = AttributeKey("env")
#: The methods by which a class is the environment of others.
_ANSWERING = frozenset({"step", "reset"})
#: What the methods end in that `step` and `reset` of the library's vector environments called up to 0.29.
WAITING = "_wait"
#: The bases that turn what the body of a class assigns into its instances.
_ENUMERATIONS = frozenset(f"enum.{name}" for name in ("Enum", "Flag", "IntEnum", "IntFlag", "StrEnum"))


class ClassHierarchy:
    """Answers as far as the bases of classes are known by now."""

    def __init__(
        self, solver: Solver, objects: Objects, program: Program, user_apis: dict[str, Api], kept: KeptCode
    ) -> None:
        """Watch the bases of all classes; `user_apis` is the user's own table."""
        self._kept = kept
        self._solver = solver
        self._objects = objects
        self._program = program
        self._user_apis = user_apis
        #: Classes whose API is decided by what is inside them, or by the adapter they are handed to, not by their base.
        self.decided: dict[ClassId, Api] = {}
        #: Classes that turn today's answers back into the old form (see `turned_back`).
        self.turned_back: frozenset[ClassId] = frozenset()
        #: Methods `step` that take five values apart and return four.
        self.turning_steps: frozenset[FunctionId] = frozenset()
        #: The state of `Solver.ancestry` that the answers below were found in.
        self._ancestry = 0
        self._lineages: dict[tuple[str, int], list[Ancestor]] = {}
        self._class_apis: dict[tuple[str, int], tuple[Api | None, str]] = {}
        self._methods: dict[tuple[str, int, str, bool], FunctionId | None] = {}
        self._environments_with: dict[str, list[str]] = {}
        self._wrappers: dict[tuple[str, int], bool] = {}
        self._heirs: dict[ClassId, list[ClassId]] | None = None
        #: See `plain_reads`.
        self._plain_reads: dict[tuple[int, str], int | list[int] | None] = {}
        for path, survey in program.surveys.items():
            solver.ancestors.update(program.bases[path] + node for made in survey.classes for node in made.bases)

    def _refresh(self) -> None:
        """Forget all answers if a base has come to be known since."""
        if self._ancestry != self._solver.ancestry:
            self._ancestry = self._solver.ancestry
            found = (self._lineages, self._class_apis, self._methods, self._environments_with)
            for answers in (*found, self._wrappers, self._plain_reads):
                answers.clear()
            self._heirs = None

    def lineage(self, path: str, index: int) -> list[Ancestor]:
        """The class, its bases and theirs: `(path, index)` in the project, dotted names outside it."""
        self._refresh()
        found = self._lineages.get((path, index))
        if found is None:
            found = self._lineages[path, index] = self._lineage(path, index, 0)
        return found

    def _lineage(self, path: str, index: int, depth: int) -> list[Ancestor]:
        found: list[Ancestor] = [ClassId(path, index)]
        if depth > 8:
            return found
        for node in self._program.class_at(path, index).bases:
            found.extend(x for x in self._inherited(path, node, depth) if x not in found)
        return found

    def _inherited(self, path: str, base: int, depth: int = 0) -> list[Ancestor]:
        """What a class has from one of its bases, like `lineage`."""
        found: list[Ancestor] = []
        node = self._program.bases[path] + base
        # of the names of one class, `gym.Env` and `gym.core.Env`, the shortest
        found += sorted(
            (external.dotted for external in self._solver.values(node, External)), key=lambda name: (len(name), name)
        )
        for one in sorted(self._solver.values(node, ClassRef), key=lambda one: (one.path, one.index)):
            found.extend(x for x in self._lineage(one.path, one.index, depth + 1) if x not in found)
        return found

    def api_of_class(self, path: str, index: int) -> tuple[Api | None, str]:
        """The API that a class of the project inherits, and the base that says so."""
        self._refresh()
        found = self._class_apis.get((path, index))
        if found is None:
            found = self._class_apis[path, index] = self._api_of_class(path, index)
        return found

    def _api_of_class(self, path: str, index: int) -> tuple[Api | None, str]:
        own: list[ClassId] = []
        for ancestor in self.lineage(path, index):
            if isinstance(ancestor, ClassId) and ancestor in self.decided:
                return self.decided[ancestor], self.decided[ancestor].name
            dotted = self._dotted_ancestor(ancestor)
            api = self._user_apis.get(dotted) or env_api_lookup.base(dotted)
            if not isinstance(ancestor, str):
                own.append(ancestor)
                if dotted not in self._user_apis and (_is_in_old(dotted) or self._is_named_alone(ancestor, dotted)):
                    continue
            if api is not None:
                foreign = not dotted.startswith("gym.") and self._has_own_protocol(own)
                return (None, "") if foreign else (self._unless_kept(api, dotted, own), dotted)
        return None, ""

    def _is_named_alone(self, owner: ClassId, dotted: str) -> bool:
        """Whether a name that copies of another library have is that of a class made on the library's vectors.

        `class VecEnv(gymnasium.vector.SyncVectorEnv)` says itself what it is.
        """
        above = (env_api_lookup.base(one) for one in self.lineage(*owner) if isinstance(one, str))
        return env_api_lookup.base_by_name(dotted) and any(api in VECTORS for api in above)

    def _has_own_protocol(self, lineage: list[ClassId]) -> bool:
        """Whether a base of the project, before the library's, leaves its subclasses a `step` of another shape.

        `class Bandit(OwnEnv, gymnasium.Env)` is made for the callers of `OwnEnv`, and takes the rest from the library.
        """
        for base in lineage[1:]:
            step = self._program.class_at(*base).methods.get("step")
            function = self._program.surveys[base.path].functions[step] if step is not None else None
            if function is not None and function.abstract and not self.is_of_a_library(base):
                return function.promises != 5 if function.promises else self._steps_otherwise(base)
        return False

    def _steps_otherwise(self, base: ClassId) -> bool:
        """Whether a class that inherits from this one, and from no library's, steps with another number of values."""
        steps = [
            self._program.function_at(step)
            for heir, step in self.heirs_with(*base, "step")
            if not self.is_of_a_library(heir)
        ]
        return any(step.arities and not {0, 5} & set(step.arities) for step in steps)

    def is_of_a_library(self, owner: ClassId) -> bool:
        """Whether some class above this one is in a table."""
        return any(env_api_lookup.base(self._dotted_ancestor(one)) is not None for one in self.lineage(*owner))

    def _unless_kept(self, api: Api, dotted: str, lineage: list[ClassId]) -> Api:
        """The API of a base, unless a class that inherits from it is kept as it is."""
        if any(self._kept.keeps_row(path, self._program.class_at(path, index).row) for path, index in lineage):
            return KEPT_GYM if api in OF_LIBRARIES else api
        if api == GYM and any(map(self._is_simulated, lineage)):
            return ISAAC_GYM
        return self._kept.api(api, dotted, lineage[-1].path)

    def _is_simulated(self, owner: ClassId) -> bool:
        """Whether a class is written on a simulator of many environments at once, which steps and resets in its way."""
        return any(packages.simulates_many(module) for module in self._program.surveys[owner.path].imports)

    def is_wrapper(self, path: str, index: int) -> bool:
        """Whether a class of the project inherits from one that wraps another environment."""
        self._refresh()
        found = self._wrappers.get((path, index))
        if found is None:
            dotted = map(self._dotted_ancestor, self.lineage(path, index))
            found = self._wrappers[path, index] = any(
                "Wrapper" in one.rpartition(".")[2] and env_api_lookup.base(one) is not None for one in dotted
            )
        return found

    def holder(self, path: str, index: int) -> str:
        """The base from a library that says itself what instances of a class hold as `env`; or empty."""
        above = (one for one in self.lineage(path, index) if isinstance(one, str))
        return next((one for one in above if env_api_lookup.held_by(one) is not None), "")

    def is_enumeration(self, path: str, index: int) -> bool:
        """Whether what a class assigns in its body are its instances."""
        return any(isinstance(one, str) and one in _ENUMERATIONS for one in self.lineage(path, index))

    def plain_reads(self) -> dict[tuple[int, str], int | list[int] | None]:
        """By an instance and a name, what each read of that attribute does, as long as no more is known of classes.

        It gives the method of this number, or what arrives at these nodes; None: it does more than that.
        """
        self._refresh()
        return self._plain_reads

    def inside(self, path: str, index: int) -> list[int]:
        """The nodes of what instances of a wrapper class wrap."""
        nodes = []
        for ancestor in self.lineage(path, index):
            if not isinstance(ancestor, str):
                own = self._solver.find(Instance(*ancestor))
                if own is not None and (node := self._objects.fields.get((own, WRAPPED))) is not None:
                    nodes.append(node)
        return nodes

    def decide(self, apis: dict[ClassId, Api]) -> None:
        """Note the APIs of classes, by what is inside them or the adapter that takes them."""
        self.decided.update(apis)
        self._class_apis.clear()
        self._plain_reads.clear()

    def base_site(self, path: str, index: int, dotted: str) -> Site:
        """The place of the base, in the class statement, by which a class inherits from `dotted`."""
        for node in self._program.class_at(path, index).bases:
            span = self._program.surveys[path].places.get(node)
            if span is not None and dotted in map(self._dotted_ancestor, self._inherited(path, node)):
                return Place(path, span)
        return None

    def _dotted_ancestor(self, ancestor: Ancestor) -> str:
        return ancestor if isinstance(ancestor, str) else self.dotted_class(*ancestor)

    def dotted_class(self, path: str, index: int) -> str:
        """Import path of a project's class, for projects that are themselves in the tables."""
        return f"{self._program.dotted.get(path, '')}.{self._program.class_at(path, index).name}"

    def method_of(self, path: str, index: int, name: str, after: bool = False) -> FunctionId | None:
        """The function that a method name means on instances of a class (`after`: past the class itself)."""
        self._refresh()
        key = (path, index, name, after)
        if key not in self._methods:
            self._methods[key] = self._method_of(path, index, name, after)
        return self._methods[key]

    def _method_of(self, path: str, index: int, name: str, after: bool) -> FunctionId | None:
        for ancestor in self.lineage(path, index)[after:]:
            if not isinstance(ancestor, str):
                where, which = ancestor
                method = self._program.class_at(where, which).methods.get(name)
                if method is not None:
                    return FunctionId(where, method)
        return None

    def part_of(self, path: str, index: int, public: str) -> FunctionId | None:
        """The `step_wait` or `reset_wait` that answers for the `step` or `reset` of the library's vector environments.

        A class that defines the public method calls what it likes.
        """
        part = self.method_of(path, index, public + WAITING) if public in _ANSWERING else None
        if part is None or self.method_of(path, index, public) is not None:
            return None
        return part if self.api_of_class(path, index)[0] in VECTORS else None

    def method_behind(self, path: str, index: int, mixin: ClassId, name: str) -> FunctionId | None:
        """The function that a method name means on instances of a class past one of its bases."""
        lineage = self.lineage(path, index)
        behind = lineage[lineage.index(mixin) + 1 :] if mixin in lineage else []
        for ancestor in behind:
            if isinstance(ancestor, str):
                continue
            method = self._program.class_at(*ancestor).methods.get(name)
            if method is not None:
                return FunctionId(ancestor.path, method)
        return None

    def behind_mixin(self, path: str, index: int) -> Sequence[Ancestor]:
        """What stands behind a class without bases in the environment classes that are made with it, if in no others.

        It steps or resets what is behind it with `super()`, which is an environment's in each of them.
        """
        made = self._program.class_at(path, index)
        if made.bases or not self._asks_behind(path, index):
            return []
        lineages = [self.lineage(*one) for one in self.below(path, index)]
        behind = [one[one.index(ClassId(path, index)) + 1 :] for one in lineages]
        apis = {self.api_of_class(*one)[0] for one in self.below(path, index)}
        if len(apis) != 1 or None in apis:
            return []
        return min(behind, key=len)

    def _asks_behind(self, path: str, index: int) -> bool:
        """Whether a class calls `step` or `reset` of `super()`."""
        survey = self._program.surveys[path]
        above = {op.target for op in survey.operations if isinstance(op, ops.Super) and op.index == index}
        return bool(above) and any(read.source in above and read.name in _ANSWERING for read in survey.telling)

    def heirs_with(self, path: str, index: int, method: str) -> list[tuple[ClassId, FunctionId]]:
        """The classes of the project that inherit from a class and define a method themselves, and that method."""
        return [
            (heir, FunctionId(heir.path, self._program.class_at(*heir).methods[method]))
            for heir in self.below(path, index)
            if method in self._program.class_at(*heir).methods
        ]

    def delegate(self, path: str, index: int) -> str:
        """The attribute whose attributes instances of a class give as their own; empty: none."""
        above = (self._program.class_at(*one) for one in self.lineage(path, index) if not isinstance(one, str))
        return next((made.delegate for made in above if made.delegate), "")

    def below(self, path: str, index: int) -> Sequence[ClassId]:
        """The classes of the project that inherit from a class."""
        self._refresh()
        if self._heirs is None:
            self._heirs = self._all_heirs()
        return self._heirs.get(ClassId(path, index), ())

    def _all_heirs(self) -> dict[ClassId, list[ClassId]]:
        found: dict[ClassId, list[ClassId]] = {}
        for path, survey in self._program.surveys.items():
            for index in range(len(survey.classes)):
                for ancestor in self.lineage(path, index)[1:]:
                    if not isinstance(ancestor, str):
                        found.setdefault(ancestor, []).append(ClassId(path, index))
        return found

    def environments_with(self, method: str) -> list[str]:
        """The files with an environment class of Gymnasium's that defines a method, not only to hand it on."""
        self._refresh()
        found = self._environments_with.get(method)
        if found is None:
            found = self._environments_with[method] = [
                path
                for path, survey in self._program.surveys.items()
                if not survey.page
                and any(
                    method in made.methods
                    and self._is_of_today(path, index)
                    and (
                        survey.functions[made.methods[method]].seeds_more
                        or not _forwards(survey, method, made.methods[method])
                    )
                    for index, made in enumerate(survey.classes)
                )
            ]
        return found

    def _is_of_today(self, path: str, index: int) -> bool:
        """Whether a class is an environment of Gymnasium's: those of Gym had a `seed` and a `render(mode)` as well."""
        api, dotted = self.api_of_class(path, index)
        return api is not None and api.five and not api.vector and not dotted.startswith("gym.")

    def written_in(self, owner: ClassId, name: str) -> list[int]:
        """The nodes of what the body of a class itself says of an attribute: a value, or the result of a method."""
        made, base = self._program.class_at(*owner), self._program.bases[owner.path]
        nodes = [made.attrs[name]] if name in made.attrs else []
        if (method := made.methods.get(name)) is not None:
            nodes.append(self._program.surveys[owner.path].functions[method].result)
        return [base + node for node in nodes]


def _forwards(survey: Survey, method: str, function: int) -> bool:
    """Whether a method calls one of the same name, of what it wraps or of its base."""
    calls = (call for one in survey.telling if one.name == method for call in survey.waiting.get(one.target, ()))
    return any(isinstance(call, ops.Call) and survey.homes.get(call.result) == function for call in calls)


def _is_in_old(dotted: str) -> bool:
    """Whether a class of the project stands in a folder that is called as a package for Gym.

    Its own code says what it gives: the name may be chance, and a copy is to be migrated as all other code.
    """
    api = env_api_lookup.base(dotted)
    return api is not None and api.old_gym and not env_api_lookup.base_by_name(dotted)
