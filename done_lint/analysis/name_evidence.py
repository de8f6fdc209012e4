"""Environments that only a name shows, the weakest evidence: what the program does with them has to agree."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cached_property

from done_lint.analysis.context import Analysis
from done_lint.analysis.env_evidence import Evidence
from done_lint.analysis.gathered_values import gathered, is_gathered
from done_lint.analysis.own_methods import may_be_own
from done_lint.analysis.program import ClassId
from done_lint.analysis.promises import note_makers
from done_lint.analysis.unbound_attributes import is_unbound
from done_lint.analysis.unlimited_programs import nothing_truncates
from done_lint.analysis.values import Environment, External
from done_lint.analysis.weak_evidence import Incomplete, ProjectNames
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.external_names import is_undefined
from done_lint.flowgraph.keys import IndexKey
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import env_apis, env_members, naming_conventions, packages

#: Methods that an environment is asked for by its name.
_ASKED = ("step", "reset", "seed", "render")
#: Arguments that a reset of Gym's or Gymnasium's takes, in some release.
_RESETTING = frozenset({"seed", "options", "return_info"})
#: Where an attribute is read (`self.env`), not a variable of one function.
_ANYWHERE = -2


@dataclass(slots=True)
class _Conduct:
    """What one function does with what it calls an environment; all of a file, with an attribute."""

    #: Its step gives four values, one of them called as a reward, a flag or an info is.
    four: bool = False
    #: Its step gives five values, or its reset a pair with an info.
    five: bool = False
    #: Its infos, flags or rewards are lists: a vector environment of any library's, or one of several agents.
    listed: bool = False
    #: It is called in a way that no environment of Gym's can be.
    foreign: bool = False
    #: Methods are called that no environment of Gym's has.
    own: bool = False

    def shows(self, method: str) -> bool:
        """Whether a second sign, beside the name, says that this is an environment of Gym's.

        One with methods of its own may have its own `seed` and `render`, and its own `reset` where nothing is old.
        """
        if self.foreign or self.listed:
            return False
        if method in ("step", "reset"):
            return self.four or (self.five and not self.own)
        return (self.four or self.five) and not self.own


def by_name(at: Analysis, project: ProjectNames | None) -> None:
    """Receivers of `step`, `reset`, `seed`, `render` of which little is known but an environment's name."""
    others = _OtherApis(at)
    unlimited: bool | None = None
    for path, survey in at.program.surveys.items():
        unknown = _unknown(at, survey)
        if not unknown or path in at.kept.files or others.arrive_in(path):
            continue
        base = at.program.bases[path]
        conducts = others.conducts[path]
        imports_gym = not packages.GYM_ROOTS.isdisjoint(survey.packages)
        adapting = _methods_of_adapters(at, path)
        for place, operation in unknown:
            receiver = base + operation.source
            held = [number for number in at.solver.held[receiver] if not _is_undefined(at, number)]
            if receiver in at.envs.outside or _is_half_wrapped(at, receiver) or is_unbound(at, receiver):
                continue
            if adapting and any(survey.homes.get(call.result) in adapting for call in _calls(survey, operation)):
                continue
            if not conducts[place].shows(operation.name) or may_be_own(at, path, operation.name):
                at.envs.withheld.add((receiver, operation.name))
                continue
            if not imports_gym and (held or others.may_be_all(path, _known(project))):
                continue
            if survey.page and (_is_of_own_protocol(at, receiver, project) or _is_of_unshown_class(at, path, receiver)):
                continue
            origins = {one.dotted.partition(".")[0] for one in at.solver.values(receiver, External)}
            # What comes from a file of the project that cannot be read may be anything.
            if origins & packages.LOOK_ALIKE_ROOTS or (origins and origins & _known(project).folders):
                continue
            note_makers(at, receiver, held)
            at.envs.evidence.setdefault(receiver, Evidence(None, f"called `{survey.names[operation.source]}`"))
            unlimited = nothing_truncates(at) if unlimited is None else unlimited
            at.solver.add(receiver, at.environment(env_apis.GYM, unlimited, "by name", receiver))


def _is_undefined(at: Analysis, number: int) -> bool:
    """Whether a value is what a name gives that nothing defines: an excerpt leaves out what makes it."""
    value = at.solver.value(number)
    return isinstance(value, External) and is_undefined(value.dotted)


def _is_of_own_protocol(at: Analysis, receiver: int, project: ProjectNames | None) -> bool:
    """Whether a page makes it from what it does not import, and the project's class of that name is no environment."""
    sources = (receiver, *(one.source for one in at.solver.predecessors[receiver]))
    makers = (call[1] for one in sources if (call := at.program.call_at(one)) is not None)
    names = (one.dotted for maker in makers for one in at.solver.values(maker, External))
    unbound = [name.removeprefix("builtins.") for name in names if name.startswith("builtins.")]
    return bool(unbound) and not _known(project).own_protocols.isdisjoint(unbound)


def _is_of_unshown_class(at: Analysis, path: str, receiver: int) -> bool:
    """`self.env` in a method that a page shows without its class: what the class keeps there is in the project."""
    read = at.program.attribute_at(receiver)
    own = ("self", read[0] - at.program.bases[path]) if read is not None else None
    return any(one.owner < 0 and own in one.params[:1] for one in at.program.surveys[path].functions)


def _is_half_wrapped(at: Analysis, receiver: int) -> bool:
    """Whether what arrives may be in a wrapper of Gymnasium's or bare: what it is called decides nothing then."""
    sources = (one.source for one in at.solver.predecessors[receiver])
    return not at.envs.half_wrapped.isdisjoint((receiver, *sources))


def contradicted(at: Analysis) -> None:
    """What only an annotation, a base class or a name says is an environment of Gym's, and is used as none is.

    The default of a parameter (`env=gym.make(name)`) says little more: what callers give may be anything.
    """
    defaults: set[int] | None = None
    for path, survey in at.program.surveys.items():
        base = at.program.bases[path]
        for read in survey.telling:
            if read.name != "step" or not any(_is_stepped_otherwise(survey, one) for one in _calls(survey, read)):
                continue
            found = {one for one in at.solver.all(base + read.source, Environment) if _is_of_five(at, one)}
            made = {one for one in found if at.solver.get(one, Environment).node in at.envs.makes}
            at.envs.contradicted |= found - made
            if made and any(_is_foreign("step", one) for one in _calls(survey, read)):
                defaults = _defaults(at) if defaults is None else defaults
                at.envs.contradicted |= made & defaults
        if env_members.OF_AGENTS.isdisjoint(survey.names.values()):
            continue
        for one in _attributes(survey):
            for number in at.solver.all(base + one.source, Environment) if one.name in env_members.OF_AGENTS else ():
                env = at.solver.get(number, Environment)
                if env.api in env_apis.OF_LIBRARIES and env.node not in at.envs.makes:
                    at.envs.contradicted.add(number)


def _is_of_five(at: Analysis, number: int) -> bool:
    return at.solver.get(number, Environment).api.five


def _defaults(at: Analysis) -> set[int]:
    """The environments that are the default of a parameter."""
    found: set[int] = set()
    for path, survey in at.program.surveys.items():
        base = at.program.bases[path]
        for _, node in (one for function in survey.functions for one in function.params):
            given = (one.source for one in at.solver.predecessors[base + node] if one.way == "flow")
            found.update(number for source in given for number in at.solver.all(source, Environment))
    return found


def _is_stepped_otherwise(survey: Survey, call: ops.Call) -> bool:
    """A step with other arguments than an action, or whose result is taken apart into other values than Gym's."""
    unpacks = [one for one in survey.waiting.get(call.result, ()) if isinstance(one, ops.Unpack) and one.star < 0]
    named = [[survey.names.get(target, "") for target in one.targets] for one in unpacks]
    others = any(map(naming_conventions.other_values, named))
    return _is_foreign("step", call) or any(len(names) not in (4, 5) for names in named) or others


def _methods_of_adapters(at: Analysis, path: str) -> frozenset[int]:
    """The methods of classes that turn what old Gym returns into five values."""
    indices = [index for where, index in at.envs.adapters if where == path]
    return frozenset(method for index in indices for method in at.program.class_at(path, index).methods.values())


def _known(project: ProjectNames | None) -> ProjectNames:
    """The names of the whole project, if all of it was surveyed."""
    if project is None:
        raise Incomplete
    return project


def _is_gyms_project(project: ProjectNames) -> bool:
    """Some file of the project imports Gym or Gymnasium, or there is no other file that could."""
    return project.alone or project.of_gym


# --- what is known of other APIs -----------------------------------------------------------------------------------


class _OtherApis:
    """Files in which something is known to be no environment of Gym's: where they run, a name proves nothing."""

    def __init__(self, at: Analysis) -> None:
        """Look at every file once."""
        self._at = at
        self._imports = at.imports
        #: What each file does with what it calls an environment.
        self.conducts = {
            path: _conducts(at, survey, _unknown(at, survey)) for path, survey in at.program.surveys.items()
        }
        stepping = _stepping_classes(at)
        self._stepping = {one.path for one in stepping}
        self._not_wrapping = {one.path for one in stepping if not _steps_unknown(at, one)}
        self._abstract = _abstract_classes(at)
        known = {
            owner.path
            for value in at.solver.interned
            if isinstance(value, Environment) and not value.api.five
            if (owner := at.program.owner(value.node)) is not None
        }
        known |= {
            path for path, survey in at.program.surveys.items() if any(map(packages.is_look_alike, survey.imports))
        }
        known |= {path for path, found in self.conducts.items() if any(one.foreign for one in found.values())}
        #: The files that run together with those are imported by one of these.
        self._importers = {importer for path in known for importer in at.imports.importers_of(path)}

    def arrive_in(self, path: str) -> bool:
        """Whether one of them runs together with a file.

        A class that steps and resets without being an environment of the tables is one of them, but in the same file,
        where it wraps what it steps itself: what it has inside is not another one of its own.
        """
        if not self._importers.isdisjoint(self._imports.importers_of(path)):
            return True
        if path in self._not_wrapping:
            return True
        stepping = any(other != path and self._imports.together(other, path) for other in self._stepping)
        return stepping or any(self._imports.together(other, path) for other in self._abstract)

    def may_be_all(self, path: str, project: ProjectNames) -> bool:
        """Whether nothing says that a file which does not import Gym is of a program that has environments of Gym's.

        A file that is loaded by its name may run with one that has others.
        """
        if not _is_gyms_project(project) or self._are_all:
            return True
        return project.loads_any and not self._imports.is_script(path)

    @cached_property
    def _are_all(self) -> bool:
        """Whether a library beside Gym is imported, and no environment of Gym's is made or derived in any file."""
        at = self._at
        imports = (module for survey in at.program.surveys.values() for module in survey.imports)
        if not any(map(packages.is_look_alike, imports)):
            return False
        made = (value for value in at.solver.interned if isinstance(value, Environment))
        if any(one.certainty == "proven" and one.api in env_apis.OF_LIBRARIES for one in made):
            return False
        return not any(
            at.classes.api_of_class(path, index)[0] in env_apis.OF_LIBRARIES
            for path, survey in at.program.surveys.items()
            for index in range(len(survey.classes))
        )


def _abstract_classes(at: Analysis) -> set[str]:
    """The files with a class that is no environment of the tables and only says that it is stepped and reset."""
    return {
        path
        for path, survey in at.program.surveys.items()
        for index, made in enumerate(survey.classes)
        if not survey.page
        and {"step", "reset"} <= made.methods.keys()
        and all(survey.functions[made.methods[name]].abstract for name in ("step", "reset"))
        and len(survey.functions[made.methods["step"]].params) > 1
        and at.classes.api_of_class(path, index)[0] is None
    }


def _stepping_classes(at: Analysis) -> list[ClassId]:
    """Classes of the project's own API: they reset, and step with tuples, or both with a value of another kind."""
    return [
        ClassId(path, index)
        for path, survey in at.program.surveys.items()
        for index, made in enumerate(survey.classes)
        if not survey.page
        and {"step", "reset"} <= made.methods.keys()
        and (
            survey.functions[made.methods["step"]].arities
            or all(survey.functions[made.methods[name]].outcomes for name in ("step", "reset"))
        )
        and at.classes.api_of_class(path, index)[0] is None
    ]


def _steps_unknown(at: Analysis, one: ClassId) -> bool:
    """Whether methods of a class step or reset what only a name shows to be an environment: the class wraps it."""
    survey = at.program.surveys[one.path]
    methods = {*at.program.class_at(*one).methods.values()}
    calls = (call for _, operation in _unknown(at, survey) for call in _calls(survey, operation))
    return any(survey.homes.get(call.result) in methods for call in calls)


# --- what a file does with an environment --------------------------------------------------------------------------

#: A function, or `_ANYWHERE`, and a name in it.
_PlaceOfName = tuple[int, str]


def _unknown(at: Analysis, survey: Survey) -> list[tuple[_PlaceOfName, ops.Attribute]]:
    """Methods that are read of what is called an environment, and may be anything."""
    held, base = at.solver.held, at.program.bases[survey.path]
    found = [
        operation
        for operation in survey.telling
        if operation.name in _ASKED
        and naming_conventions.environment(survey.names.get(operation.source, ""))
        and all(isinstance(at.solver.value(number), External) for number in held[base + operation.source])
    ]
    read = {one.target for one in _attributes(survey)} if found else set()
    return [(_place(survey, one, read), one) for one in found]


def _attributes(survey: Survey) -> Iterator[ops.Attribute]:
    for waiting in (survey.waiting, survey.naming):
        for operations in waiting.values():
            yield from (one for one in operations if isinstance(one, ops.Attribute))


def _place(survey: Survey, method: ops.Attribute, read: Container[Node]) -> _PlaceOfName:
    """Where what a method is read of has its name: a variable in one function, an attribute (`self.env`) in all."""
    name = survey.names.get(method.source, "")
    if method.source in read:
        return _ANYWHERE, name
    return next((survey.homes.get(call.result, -1) for call in _calls(survey, method)), -1), name


def _calls(survey: Survey, method: ops.Attribute) -> Iterator[ops.Call]:
    return (one for one in survey.waiting.get(method.target, ()) if isinstance(one, ops.Call))


def _conducts(
    at: Analysis, survey: Survey, unknown: list[tuple[_PlaceOfName, ops.Attribute]]
) -> dict[_PlaceOfName, _Conduct]:
    """What the functions of a file do with what they call an environment."""
    if not unknown:
        return {}
    found = {place: _Conduct() for place, _ in unknown}
    read = {one.target for one in _attributes(survey)}
    lists = gathered(at, survey)
    for one in _attributes(survey):
        conduct = found.get(_place(survey, one, read))
        if conduct is not None:
            for call in _calls(survey, one):
                _note(survey, conduct, one.name, call)
                if one.name == "step" and is_gathered(at, survey, call, lists):
                    conduct.listed = True
    return found


def _note(survey: Survey, conduct: _Conduct, method: str, call: ops.Call) -> None:
    """Note one call of a method."""
    if method not in env_members.METHODS and not method.startswith("_"):
        conduct.own = True
    conduct.foreign |= _is_foreign(method, call)
    for unpack in survey.waiting.get(call.result, ()):
        if not isinstance(unpack, ops.Unpack) or unpack.star >= 0:
            continue
        names = [survey.names.get(target, "") for target in unpack.targets]
        if method == "reset":
            conduct.five |= len(names) == 2 and naming_conventions.info(names[1])
        elif method == "step":
            conduct.foreign |= len(names) not in (4, 5)
            conduct.foreign |= naming_conventions.other_values(names)
            conduct.four |= len(names) == 4 and naming_conventions.step_values(names)
            conduct.five |= len(names) == 5
            conduct.listed |= len(names) == 4 and any(_is_list(survey, one) for one in unpack.targets[1:])


def _is_foreign(method: str, call: ops.Call) -> bool:
    """Whether a call has arguments that no environment of Gym's takes."""
    if call.stars or any(keyword.name is None for keyword in call.keywords):
        return False
    count = len(call.args) + len(call.keywords)
    if method == "step":
        return count != 1
    if method == "reset":
        return bool(call.args) or any(keyword.name not in _RESETTING for keyword in call.keywords)
    if method == "render":
        return count > 1 or any(keyword.name not in ("mode", "close") for keyword in call.keywords)
    return method == "seed" and count > 1


def _is_list(survey: Survey, value: Node) -> bool:
    """Whether a reward, a flag or an info is read by a number."""
    items = [one for one in survey.waiting.get(value, ()) if isinstance(one, ops.Item) and one.keys]
    return any(isinstance(one.keys[0], IndexKey) for one in items)
