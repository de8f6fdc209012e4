"""What `make` puts around an environment: by the tables, by what the project registers, and by what is asked for."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from itertools import chain

from done_lint.analysis.calls import Call
from done_lint.analysis.context import Analysis
from done_lint.analysis.env_evidence import MakeCall
from done_lint.analysis.judged_flags import never_alone
from done_lint.analysis.program import ClassId
from done_lint.analysis.values import ClassRef, EnvMethod, External, Template, Text
from done_lint.core.paths import slashed
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import env_id_apis, env_id_owners, made_layers
from done_lint.knowledge.env_apis import Api
from done_lint.knowledge.made_layers import Wrapping
from done_lint.knowledge.packages import GYM_ROOTS

#: The version at the end of an id.
_VERSION = re.compile(r"-v\d*$")


def registering(at: Analysis) -> frozenset[int]:
    """The values of the functions that register an id: their calls come before all of `make`."""
    found = (at.solver.find(External(name)) for name in env_id_apis.REGISTERING)
    return frozenset(number for number in found if number is not None)


def note_registration(at: Analysis, dotted: str, call: Call, env_id: int) -> None:
    """Note what a call of `register`, known as `dotted`, says about the layers around its environment."""
    if dotted.startswith("gym."):
        _note_owner(at, call)
    hidden = len(call.args) > 2 or _spreads(call)
    entry = call.args[1].node if len(call.args) > 1 else call.keyword("entry_point")
    found = _entry_classes(at, call.survey.path, entry)
    # of several classes nobody knows which one an id has
    truncates = may_truncate(at, found[0]) if len(found) == 1 else None
    wrapping = Wrapping(limit=False, ordered=None if hidden else True, truncates=truncates)
    wrapping = made_layers.as_asked(wrapping, _options(call), hidden)
    is_task = not found and _is_task_class(at, entry)
    own_vector = any(one.name == "vector_entry_point" for one in call.named)

    def react(number: int) -> None:
        """Note one of the ids, with `*` for what is not known of it; a function may register what it is given."""
        value = at.solver.value(number)
        if not isinstance(value, (Text, Template)):
            return
        if own_vector:
            at.envs.own_vectors.add(value.text)
        at.envs.registered.setdefault(value.text, []).append(wrapping)
        if found:
            at.envs.entries.setdefault(value.text, []).extend(found)
        else:
            at.envs.unseen_entries.add(value.text)
        if is_task:
            at.envs.tasks.append(value.text)

    at.solver.watch(env_id, react)


def ids(at: Analysis, node: int) -> list[str]:
    """What an id to register can be, with `*` for what is not known of it."""
    texts = [one.text for one in at.solver.values(node, Text)]
    return texts + [one.text for one in at.solver.values(node, Template)]


def registered_as(env_id: str, registered: Iterable[str]) -> list[str]:
    """Which of the registered ids an id can be."""
    return [one for one in registered if one == env_id or ("*" in one and fnmatchcase(env_id, one))]


def _proven_as(env_id: str, registered: Iterable[str]) -> list[str]:
    """Which of the registered ids an id is, where what is seen of them says more than a version."""
    return [one for one in registered_as(env_id, registered) if one == env_id or not _fits_any(one)]


def _fits_any(pattern: str) -> bool:
    """Whether ids of any other package may look like this: `*-v0`, `*/*`."""
    return not any(map(str.isalnum, _VERSION.sub("", pattern)))


def _note_owner(at: Analysis, call: Call) -> None:
    """Note the package that has the class of what is registered."""
    entry = call.args[1].node if len(call.args) > 1 else call.keyword("entry_point")
    for text in at.solver.values(entry, Text) if entry else ():
        module, colon, _ = text.text.partition(":")
        package = module.partition(".")[0]
        if colon and package != "__main__" and package not in sys.stdlib_module_names:
            at.envs.entry_points.setdefault(call.survey.path, set()).add(package)


def note_make(at: Analysis, call: Call) -> None:
    """Note a call of the library's `make`."""
    env_id = call.args[0].node if call.args else call.keyword("id")
    at.envs.make_calls[call.result] = MakeCall(env_id, _options(call), len(call.args) > 1 or _spreads(call))


def wrapping(at: Analysis, made: int) -> Wrapping:
    """What is known of the layers that a call of `make` gives; `made` is the node of its result."""
    call = at.envs.make_calls[made]
    ids = [text.text for text in at.solver.values(call.id, Text)] if call.id else []
    if call.id and _is_specification(at, call.id):
        # it may list wrappers of its own
        found = Wrapping(truncates=True, others=True)
    elif ids:
        found = made_layers.any_of([_of_id(at, one) for one in ids])
    else:
        # it may also be one that the project registers, and is where nothing truncates these
        registered = list(_registered(at))
        endless = bool(registered) and all(one.endless for one in registered)
        found = made_layers.any_of([made_layers.UNKNOWN if endless else made_layers.ANY_ID, *registered])
    return made_layers.as_asked(found, call.options, call.hidden)


def may_be_endless(at: Analysis, made: int) -> bool:
    """Whether the id that a call of `make` is given has yet to arrive, and may be of what never truncates.

    The project registers such an environment, or names one of the library's. `made` is the node of its result.
    """
    call = at.envs.make_calls[made]
    if not call.id or at.solver.all(call.id, Text):
        return False
    named = (_of_id(at, one) for one in sorted(at.envs.endless_ids))
    return any(made_layers.as_asked(one, call.options, call.hidden).endless for one in chain(named, _registered(at)))


def _registered(at: Analysis) -> Iterator[Wrapping]:
    """The layers of all that the project registers."""
    return (one for name in sorted(at.envs.registered) for one in at.envs.registered[name])


def makes_own_vector(at: Analysis, call: Call) -> bool:
    """Whether `make_vec` asks an entry point of the project, which may set any option, for a vector environment."""
    env_id = call.args[0].node if call.args else call.keyword("id")
    texts = at.solver.values(env_id, Text) if env_id else ()
    return any(registered_as(text.text, at.envs.own_vectors) for text in texts)


def entries(at: Analysis, made: int) -> list[ClassId]:
    """The classes of the project that a call of `make` makes; `made` is the node of its result."""
    known = [name for one in made_ids(at, made) for name in _proven_as(one.rpartition(":")[2], at.envs.entries)]
    return [found for name in known for found in at.envs.entries[name]]


def possible_entries(at: Analysis, made: int) -> list[ClassId]:
    """What a call of `make` may make whose id is not seen, or fits any: the classes that its programs register."""
    owner, named = at.program.owner(made), made_ids(at, made)
    if owner is None or entries(at, made):
        return []
    known = [name for one in named for name in registered_as(one.rpartition(":")[2], at.envs.entries)]
    classes = {one for name in (known if named else at.envs.entries) for one in at.envs.entries[name]}
    return [one for one in sorted(classes) if at.imports.together(owner.path, one.path)]


def checked_classes(at: Analysis) -> set[ClassId]:
    """The classes of the project that a `make` in sight gives inside of its checker."""
    made = [one for one in at.envs.make_calls if wrapping(at, one).checked is not False]
    return {owner for one in made for owner in entries(at, one)}


def made_ids(at: Analysis, made: int) -> list[str]:
    """The ids that a call of `make` is seen to be given; `made` is the node of its result."""
    call = at.envs.make_calls.get(made)
    return [text.text for text in at.solver.values(call.id, Text)] if call is not None and call.id else []


def api_by_id(at: Analysis, env_id: str) -> Api | None:
    """The API that an id stands for by the tables, unless the project has registered it."""
    own = registered_as(env_id.rpartition(":")[2], at.envs.entries)
    return None if own else env_id_apis.by_id(env_id)


def makes_bare(at: Analysis, made: int) -> bool:
    """Whether every id that a call of `make` is given is known to stand for a class that wraps nothing.

    An entry point that is not in sight, or a function, may return a wrapper with attributes of its own.
    """
    found = made_ids(at, made)
    return bool(found) and all(_is_bare(at, one) for one in found)


def is_task(at: Analysis, env_id: str) -> bool:
    """Whether an id is registered by the project, and stands for a class of the library itself."""
    names = registered_as(env_id.rpartition(":")[2], at.envs.registered)
    return bool(names) and all(at.envs.tasks.count(name) == len(at.envs.registered[name]) for name in names)


def _is_task_class(at: Analysis, entry: int) -> bool:
    """Whether an entry point is a class of the library's own environments."""
    texts = [one.text for one in at.solver.values(entry, Text)] if entry else []
    return bool(texts) and all(map(env_id_owners.is_task_class, texts))


def _is_bare(at: Analysis, env_id: str) -> bool:
    names = registered_as(env_id.rpartition(":")[2], at.envs.registered)
    if not names or is_task(at, env_id):
        return bool(names) or env_id_owners.is_known(env_id)
    classes = [found for name in names for found in at.envs.entries.get(name, ())]
    return at.envs.unseen_entries.isdisjoint(names) and not any(at.classes.is_wrapper(*one) for one in classes)


def _is_specification(at: Analysis, node: int) -> bool:
    """`gym.spec(...)`, `EnvSpec(...)`, `env.spec`."""
    names = [one.dotted.partition(".")[0] for one in at.solver.values(node, External)]
    return not GYM_ROOTS.isdisjoint(names) or bool(at.solver.all(node, EnvMethod))


def _of_id(at: Analysis, env_id: str) -> Wrapping:
    name = env_id.rpartition(":")[2]
    known = made_layers.by_id(env_id) or made_layers.UNKNOWN
    if own := [one for found in _proven_as(name, at.envs.registered) for one in at.envs.registered[found]]:
        return made_layers.any_of(own)
    possible = [one for found in registered_as(name, at.envs.registered) for one in at.envs.registered[found]]
    found = made_layers.any_of([known, *possible])
    # what may be endless contradicts, and proves nothing
    return replace(found, truncates=None) if possible and all(one.endless for one in possible) else found


def _options(call: Call) -> dict[str, str]:
    return call.survey.options.get(call.site.span, {}) if call.site is not None else {}


def _spreads(call: Call) -> bool:
    """Whether some arguments cannot be seen."""
    return bool(call.stars) or any(key is None for key, _, _ in call.named)


def _entry_classes(at: Analysis, path: str, entry: int) -> list[ClassId]:
    """The classes of the project that an entry point may mean: `"package.module:Class"`, or the class itself."""
    given = at.solver.values(entry, ClassRef) if entry else []
    for text in at.solver.values(entry, Text) if entry and not given else ():
        module, _, name = text.text.partition(":")
        file = _file_of(at, path, module)
        # no import may lead to it, and then it is not solved together with this file
        held = [at.program.bases[where] + node for where, node in _exports(at, file, name)]
        given += [one for node in held for one in at.solver.values(node, ClassRef)][:1]
    return [ClassId(made.path, made.index) for made in given]


def _file_of(at: Analysis, path: str, module: str) -> str | None:
    """The file that the module of an entry point means; it may be the one that registers it."""
    tail = module.replace(".", "/")
    if module == "__main__" or f"/{slashed(path)}".endswith((f"/{tail}.py", f"/{tail}/__init__.py")):
        return path
    return at.modules.file_of(path, module, 0)


def _exports(at: Analysis, file: str | None, name: str) -> Iterator[tuple[str, int]]:
    """Where a module has a name: itself, or a module whose every name it imports."""
    survey = at.program.surveys.get(file) if file is not None else None
    if survey is None or file is None:
        return
    if name in survey.exports:
        yield file, survey.exports[name]
    for module, level in survey.stars:
        other = at.modules.file_of(file, module, level)
        found = at.program.surveys.get(other) if other is not None else None
        if found is not None and other is not None and name in found.exports:
            yield other, found.exports[name]


def may_truncate(at: Analysis, owner: ClassId, *, after: bool = False) -> bool | None:
    """Whether the `step` of a class can say that an episode is truncated and no more; None: that is not visible.

    What it terminates as well is not truncated alone: `return obs, reward, done, done, info`, or the first flag is set
    wherever the second one is, also by a method that gives both.
    `after`: that of the classes which it inherits from, which it may hand on.
    """
    found = at.classes.method_of(owner.path, owner.number, "step", after=after)
    if found is None:
        return None
    step, survey = at.program.function_at(found), at.program.surveys[found.path]
    if not step.arities or not {4, 5}.issuperset(step.arities):
        return None
    returned = ((elements[2].node, elements[3].node) for elements in step.returned)
    flags = {
        truncated for ended, truncated in returned if not _terminates_too(survey, ended, truncated)
    } - survey.falses
    inherited = _inherited_flags(survey, found.number) if flags else frozenset()
    if flags & inherited and may_truncate(at, ClassId(found.path, step.owner), after=True) is False:
        flags -= inherited
    judged = [(elements[2].node, elements[3].node) for elements in step.returned if elements[3].node in flags]
    return any(not never_alone(at.program, survey, *both) for both in judged)


def _terminates_too(survey: Survey, terminated: int, truncated: int) -> bool:
    """`terminated = goal or truncated`, `if truncated: terminated = True`, or one flag for both."""
    joined = (one for one in survey.waiting.get(truncated, ()) if isinstance(one, (ops.Or, ops.Choice)))
    return terminated == truncated or any(
        one.result == terminated and (isinstance(one, ops.Or) or (one.test == truncated and one.a_constant == "one"))
        for one in joined
    )


def _inherited_flags(survey: Survey, function: int) -> frozenset[int]:
    """What a method takes as truncation from `super().step(action)`."""
    bases = {op.target for op in survey.operations if isinstance(op, ops.Super)}
    steps = [read.target for read in survey.telling if read.name == "step" and read.source in bases]
    calls = [op.result for step in steps for op in survey.waiting.get(step, ()) if isinstance(op, ops.Call)]
    unpacks = [op for call in calls for op in survey.waiting.get(call, ()) if isinstance(op, ops.Unpack)]
    five = (op.targets for op in unpacks if op.arity == 5 and op.star < 0)
    return frozenset(targets[3] for targets in five if survey.homes.get(targets[0]) == function)
