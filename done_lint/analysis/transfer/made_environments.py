"""Environments that calls of names from outside make or wrap."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from done_lint.analysis import registrations
from done_lint.analysis.calls import Call
from done_lint.analysis.context import Analysis
from done_lint.analysis.env_evidence import Evidence
from done_lint.analysis.nested_wrappers import several_inside
from done_lint.analysis.program import ClassId
from done_lint.analysis.values import (
    Environment,
    Instance,
    Made,
    Text,
)
from done_lint.core.findings import Related, Span
from done_lint.knowledge import (
    env_api_lookup,
    env_api_rows,
    env_apis,
    env_id_apis,
    env_id_owners,
    packages_for_gym,
    vector_info_keys,
    vector_sizes,
)
from done_lint.knowledge.env_apis import Api


def make_environment(at: Analysis, dotted: str, name: str, call: Call) -> bool:
    """Constructors and wrappers of the tables."""
    if env_api_lookup.wraps(dotted):
        _wrap(at, dotted, name, call)
        return True
    api = at.user_apis.get(dotted) or _chosen(at, dotted, call) or env_api_lookup.constructor(dotted)
    if api is None:
        return False
    if (kept := kept_api(at, api, dotted, call)) == env_apis.KEPT_GYM:
        at.solver.add(call.result, at.environment(kept, False, "proven", call.result))
        return True
    _note_maker(at, dotted, call)
    unlimited = env_api_lookup.unlimited(dotted)
    layers = env_apis.BARE if unlimited or api.vector else ()
    if api in (env_apis.GYM, env_apis.GYMNASIUM) and dotted in env_id_apis.ID_ARGUMENTS:
        registrations.note_make(at, call)
        layers, unlimited = env_apis.MADE_LAYERS, registrations.wrapping(at, call.result).endless
    if any(key in env_apis.COMPATIBILITY_ARGUMENTS for key, _, _ in call.named):
        if call.keyword("apply_api_compatibility"):
            at.envs.old_packages[call.survey.path] = "an environment that `make` has to adapt"
        at.solver.add(call.result, at.environment(env_apis.GYMNASIUM, False, "proven", call.result, layers))
        return True
    ids = ids_given(at, call)
    # what is put together names its package too: `f"procgen:procgen-{game}-v0"`
    named = registrations.ids(at, call.args[0].node) if call.args and call.args[0].node else ids
    special = next((known for one in named if (known := registrations.api_by_id(at, one))), None)
    if api.old_gym:
        at.envs.old_packages[call.survey.path] = api.name
    elif dotted.startswith("gym.") and api.vector and dotted not in env_id_apis.ID_ARGUMENTS:
        _put_vector(at, api, call)
        return True
    elif dotted.startswith("gym."):
        special = _made_for_gym(at, call, ids, special)
    _put_made(at, special or api, call.result, layers, unlimited=unlimited)
    return True


def _put_made(at: Analysis, api: Api, made: int, layers: tuple[str, ...], *, unlimited: bool) -> None:
    """Put what was made; where its id tells whether anything truncates it, and has yet to arrive, after that.

    What `map` makes of each element stands in no survey, and cannot wait.
    """
    waits = made < at.solver.surveyed and made in at.envs.make_calls
    if not waits or not registrations.may_be_endless(at, made):
        at.solver.add(made, at.environment(api, unlimited, "proven", made, layers))
        return

    def put() -> None:
        endless = registrations.wrapping(at, made).endless
        at.solver.add(made, at.environment(api, endless, "proven", made, layers))

    at.solver.postpone(made, put)


def _put_vector(at: Analysis, api: Api, call: Call) -> None:
    """Put a vector environment of Gym's: what is made beside it tells whether it is around one made for Gym.

    That is so once all ids have arrived; an import alone says nothing.
    """
    path, made = call.survey.path, call.result
    package = at.envs.needed.get(path, "") or at.envs.needed_around.get(path, "")

    def put() -> None:
        own = not package or _makes_others(at, path, package)
        at.solver.add(made, at.environment(api if own else env_apis.OLD_GYM, False, "proven", made, env_apis.BARE))
        at.envs.old_packages.setdefault(path, at.envs.suspected.get(path, "") if own else package)

    if package and made < at.solver.surveyed:
        at.solver.postpone(made, put)
    else:
        put()


def _makes_others(at: Analysis, path: str, package: str) -> bool:
    """Whether something is made by its id beside a file, and nothing that may be a package's own."""
    around = at.imports.running_with([path])
    nodes = [one.node for one in at.envs.id_arguments if one.place is not None and one.place.path in around]
    ids = [{text.text for text in at.solver.values(node, Text)} for node in nodes]
    return bool(ids) and all(one and not any(_may_be_of(at, package, name) for name in one) for one in ids)


def _may_be_of(at: Analysis, package: str, env_id: str) -> bool:
    """Whether an id may be one of a package that needs Gym; those that only step what they get register none."""
    if env_id_apis.is_own(env_id):
        return False
    known = registrations.api_by_id(at, env_id)
    if known is not None and known.old_gym:
        return True
    return not _has_another_owner(at, env_id) and package not in packages_for_gym.RUN_BY_GYM


def _chosen(at: Analysis, dotted: str, call: Call) -> Api | None:
    """The API that an argument chooses."""
    if dotted not in env_api_rows.CHOSEN:
        return None
    name, place, apis = env_api_rows.CHOSEN[dotted]
    argument = call.args[place].node if len(call.args) > place and not call.stars else call.keyword(name)
    texts = {text.text for text in at.solver.values(argument, Text)} if argument else set()
    return apis.get(texts.pop()) if len(texts) == 1 else None


def _wrap(at: Analysis, dotted: str, name: str, call: Call) -> None:
    """A wrapper of the tables: it has what it wraps."""
    first = call.args[0].node if call.args else call.keyword("env")
    at.envs.evidence.setdefault(call.result, Evidence(call.site, f"wrapped by `{name}`"))
    outer = name if dotted.startswith(("gym.wrappers.", "gymnasium.wrappers.")) else dotted
    single = env_apis.GYM if dotted.startswith("gym.") else env_apis.GYMNASIUM
    vector = env_apis.GYMNASIUM_VECTOR if env_api_lookup.base(dotted) == env_apis.GYMNASIUM_VECTOR else None
    own = kept_api(at, vector or single, dotted, call)
    of_any = env_api_lookup.wraps_any(dotted)

    def react(number: int) -> None:
        value = at.solver.value(number)
        if isinstance(value, Environment):
            unlimited = value.unlimited and name != env_apis.TIME_LIMIT
            layers = value.layers and (outer, *(layer for layer in value.layers if layer != outer))
            at.put(call.result, replace(value, unlimited=unlimited, layers=layers))
        elif isinstance(value, Instance):
            # only a bare environment has no limit: a wrapper of the project has what it wraps
            around = at.classes.is_wrapper(value.path, value.index)
            if (api := _api_around(at, dotted, value, own)) is None:
                return
            put = partial(_put_around, at, call, api, name != "TimeLimit" and not around, outer)
            if api == single and around and call.result < at.solver.surveyed:
                inside = partial(several_inside, at, first, ClassId(value.path, value.index))
                at.solver.postpone(call.result, lambda: put(inside()))
            else:
                put(None)

    if first:
        at.solver.watch(first, react)
        at.envs.wrapped.append((first, call.result, env_apis.BY_ARGUMENT if of_any else own))
        if vector is not None:
            at.envs.given_to_vector.append(first)
        elif dotted.startswith("gymnasium.wrappers."):
            at.envs.given_to_single.append(first)
    elif not of_any:
        at.solver.add(call.result, at.environment(own, False, "proven", call.result))


def _api_around(at: Analysis, dotted: str, one: Instance, own: Api) -> Api | None:
    """The API of a wrapper of the tables around an instance of a class of the project; None: that says nothing."""
    inherited, _ = at.classes.api_of_class(one.path, one.index)
    of_any = env_api_lookup.wraps_any(dotted)
    if of_any and inherited is None:
        return None
    if dotted.startswith("gymnasium.") and _steps_otherwise(at, one):
        return env_apis.FOREIGN
    many = inherited is not None and (inherited.vector or inherited.per_agent)
    other = of_any and inherited not in env_apis.OF_LIBRARIES
    return ((many or other) and inherited) or own


def _put_around(at: Analysis, call: Call, api: Api, unlimited: bool, outer: str, inside: Api | None) -> None:
    """Put such a wrapper; around a wrapper of the project it has what is seen inside of that, once all has arrived."""
    at.solver.add(call.result, at.environment(inside or api, unlimited, "proven", call.result, (outer,)))


def _steps_otherwise(at: Analysis, one: Instance) -> bool:
    """Whether the `step` in sight of a class that is none of the library's environments returns no five values."""
    api, _ = at.classes.api_of_class(one.path, one.index)
    step = at.classes.method_of(one.path, one.index, "step") if api is None else None
    arities = at.program.function_at(step).arities if step is not None else ()
    return bool(arities) and not {0, 5}.intersection(arities)


def kept_api(at: Analysis, api: Api, dotted: str, call: Call) -> Api:
    """The API of what a call makes, unless it is there for old Gym on purpose."""
    return at.kept.api(api, dotted, call.survey.path, call.site.span if call.site is not None else None)


def _note_maker(at: Analysis, dotted: str, call: Call) -> None:
    """Note the call that made an environment."""
    message = f"made by `{dotted}`"
    at.envs.evidence.setdefault(call.result, Evidence(call.site, message))
    if row := vector_info_keys.taking_mode(dotted):
        at.envs.modes[call.result] = _mode_argument(row, call)
    place = vector_sizes.LOADED_AROUND if dotted.endswith(vector_sizes.LOADING) else 0
    given = call.args[place].node if len(call.args) > place else _named(call, vector_sizes.INSIDE)
    at.envs.functions[call.result] = given
    at.envs.makes[call.result] = Made(
        Related(*call.site, message) if call.site else Related("", Span(1, 0, 1, 0), ""),
        dotted,
        frozenset(key for key, _, _ in call.named if key is not None),
        hidden=bool(call.stars)
        or any(key is None for key, _, _ in call.named)
        or registrations.makes_own_vector(at, call),
    )


def _named(call: Call, names: frozenset[str]) -> int:
    """The node of the keyword argument that has one of these names, or 0."""
    return next(filter(None, map(call.keyword, sorted(names))), 0)


def _mode_argument(row: str, call: Call) -> int:
    """The node of the mode that a vector environment is made with; 0: of none."""
    place = vector_info_keys.TAKING_MODE[row]
    if place is None:
        return call.keyword("vector_kwargs")
    return call.args[place].node if len(call.args) > place else call.keyword(vector_info_keys.MODE_ARGUMENT)


def _made_for_gym(at: Analysis, call: Call, ids: list[str], special: Api | None) -> Api | None:
    """The API of what Gym gives, where a package that needs old Gym makes it and not Gymnasium's own."""
    path = call.survey.path
    needed, around = at.envs.needed.get(path, ""), at.envs.needed_around.get(path, "")
    own = bool(ids) and all(map(env_id_apis.is_own, ids))
    if special is not None and special.old_gym:
        at.envs.old_packages[path] = special.name
    elif needed and (needed in packages_for_gym.LEARN_IN_GYM or not own):
        at.envs.old_packages[path] = needed
        return env_apis.OLD_GYM
    elif around and (
        around in packages_for_gym.LEARN_IN_GYM or not (ids and all(_has_another_owner(at, one) for one in ids))
    ):
        at.envs.old_packages[path] = around
        return env_apis.OLD_GYM
    else:
        at.envs.old_packages.setdefault(path, "" if own else at.envs.suspected.get(path, ""))
    return special


def _has_another_owner(at: Analysis, env_id: str) -> bool:
    """Whether an id is known to be no package's that needs Gym: by the tables, or because the project registers it."""
    return env_id_owners.is_known(env_id) or env_id.rpartition(":")[2] in at.envs.registered


def ids_given(at: Analysis, call: Call) -> list[str]:
    """What the first argument can be, as far as it is text."""
    return [text.text for one in call.args[:1] if one.node for text in at.solver.values(one.node, Text)]
