"""Environments: made, wrapped, and what their attributes and methods give; calls of names from outside."""

from __future__ import annotations

from dataclasses import replace

from done_lint.analysis import own_methods, registrations
from done_lint.analysis.calls import Call
from done_lint.analysis.class_hierarchy import WRAPPED
from done_lint.analysis.context import Analysis, AttributeRule, CallRule
from done_lint.analysis.env_evidence import Evidence, IdArgument
from done_lint.analysis.solver import ALL
from done_lint.analysis.transfer import logged_episodes, replay_buffers
from done_lint.analysis.transfer.argparse_options import command_line_call, is_command_line
from done_lint.analysis.transfer.classes import call_of_base, is_method_of_base
from done_lint.analysis.transfer.dm_env import stepped
from done_lint.analysis.transfer.library_functions import knows, library_function
from done_lint.analysis.values import (
    Environment,
    EnvMethod,
    External,
    Generator,
    Instance,
    Made,
    Object,
    OldGenerator,
    ResetResult,
    Shape,
    StepResult,
    Text,
    Value,
)
from done_lint.core.findings import Related, Span
from done_lint.flowgraph import external_names
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import IndexKey
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import (
    array_functions,
    env_api_lookup,
    env_api_rows,
    env_apis,
    env_id_apis,
    env_id_owners,
    vector_info_keys,
    vector_sizes,
)
from done_lint.knowledge.env_apis import Api
from done_lint.knowledge.env_members import SPACES
from done_lint.knowledge.logged_episodes import LOADING
from done_lint.knowledge.replay_buffers import REPLAYS

_CONSTRUCTOR = ".__init__"
_ENVIRONMENT_ATTRIBUTES = frozenset(name for row in env_api_rows.METHODS for name in row.names)


def library_call(at: Analysis, survey: Survey, base: int, op: ops.LibraryCall) -> None:
    """A call of the one name from outside that f holds: nothing has to wait for it."""
    (number,) = at.solver.held[base + op.called]
    if number not in at.constant_results:
        at.constant_results[number] = _constant_result(at, number)
    result = at.constant_results[number]
    if result is None:
        call_external(at, number, Call.read(survey, base, op))
    elif result:
        at.solver.add(base + op.result, result)


def _constant_result(at: Analysis, number: int) -> int | None:
    """What a call of a name from outside gives, whatever the arguments: a value, or 0; None: it depends on them."""
    dotted = at.solver.get(number, External).dotted
    root, _, rest = dotted.partition(".")
    if dotted in array_functions.RETURNING:
        return None
    if dotted in at.user_apis or dotted in env_id_apis.ID_ARGUMENTS or is_command_line(dotted):
        return None
    if dotted.endswith(_CONSTRUCTOR) or is_method_of_base(dotted):
        return None
    if dotted in array_functions.SEEDING or dotted in array_functions.OLD_GENERATORS:
        return None
    if dotted in REPLAYS or dotted in LOADING:
        return None
    if env_api_lookup.wraps(dotted) or env_api_lookup.constructor(dotted) is not None:
        return None
    if root in array_functions.PACKAGES and knows(rest.rpartition(".")[2]):
        return None
    if root in array_functions.PACKAGES and not external_names.is_undefined(dotted):
        return 0
    return at.solver.intern(External(dotted + "()"))


def call_external(at: Analysis, number: int, call: Call) -> None:
    dotted = at.solver.get(number, External).dotted
    root, _, _ = dotted.partition(".")
    name = dotted.rpartition(".")[2]
    _environment_ids(at, dotted, call)
    _hand_over(at, dotted, call)
    if dotted.endswith(_CONSTRUCTOR):
        _initialize(at, dotted, call)
    if is_method_of_base(dotted):
        call_of_base(at, name, call)
        return
    if (place := array_functions.RETURNING.get(dotted)) is not None and len(call.args) > place:
        if (given := call.args[place].node) and place not in call.stars:
            at.solver.edge(given, call.result, ALL)
        return
    if command_line_call(at, dotted, call):
        return
    if _environment_call(at, dotted, name, call) or _generator_call(at, dotted, name, call):
        return
    if replay_buffers.made(at, dotted, call) or logged_episodes.loaded(at, dotted, call):
        return
    if root in array_functions.PACKAGES and (knows(name) or not external_names.is_undefined(dotted)):
        library_function(at, root, name, call)
    elif not dotted.endswith("()"):
        at.put(call.result, External(dotted + "()"))


def _initialize(at: Analysis, dotted: str, call: Call) -> None:
    """`gym.Wrapper.__init__(self, env)` of a wrapper, which names its base class.

    Such old code puts one wrapper around environments of several libraries: beyond vectors, what is inside is the
    project's, of the wrapper's own library, or of a package that nothing is known of, which may need Gym.
    """
    api = env_api_lookup.base(dotted.removesuffix(_CONSTRUCTOR))
    if len(call.args) < 2 or api is None:
        return
    own, inner = call.args[0].node, call.args[1].node

    def react(number: int) -> None:
        if isinstance(value := at.solver.value(number), Instance) and at.classes.is_wrapper(value.path, value.index):
            field = at.objects.field(number, WRAPPED)
            if api.vector:
                at.solver.edge(inner, field, ALL, "set")
            else:
                at.solver.precede(field, inner, "argument")
                at.solver.watch(inner, lambda one: _put_inside(at, field, one))

    if own and inner:
        at.solver.watch(own, react)


def _put_inside(at: Analysis, field: int, number: int) -> None:
    """Put an environment of the project, of the library, or what an unknown package gives, into an attribute."""
    value = at.solver.value(number)
    of_libraries = isinstance(value, Environment) and value.api in env_apis.OF_LIBRARIES
    if isinstance(value, (Instance, External)) or of_libraries:
        at.solver.add(field, number)


def _environment_ids(at: Analysis, dotted: str, call: Call) -> None:
    """Remember which argument names an environment by its id, to be looked up or to be known from now on."""
    keyword = env_id_apis.ID_ARGUMENTS.get(dotted)
    if keyword is None:
        return
    first = call.args[0].node if call.args else call.keyword(keyword)
    if _kept(at, env_apis.GYM, dotted, call) == env_apis.KEPT_GYM:
        at.envs.kept_ids += (first,) if first else ()
        return
    if not first and dotted in env_id_apis.REGISTERING:
        at.envs.registers_unseen = True
    elif not first:
        at.envs.spread_ids.append((dotted, call.site))
    if first:
        at.envs.id_arguments.append(IdArgument(first, dotted, call.site))
        if dotted in env_id_apis.REGISTERING:
            registrations.note_registration(at, dotted, call, first)


def _hand_over(at: Analysis, dotted: str, call: Call) -> None:
    """Remember what an adapter for old Gym takes."""
    keyword = env_api_rows.TAKE_OLD_GYM.get(dotted)
    if keyword is None and dotted in env_id_apis.ID_ARGUMENTS:
        keyword = "env" if any(env_id_apis.by_id(one) == env_apis.SHIMMY for one in _ids(at, call)) else None
    if keyword is not None:
        first = call.args[0].node if call.args and keyword == "old_env" else 0
        if node := call.keyword(keyword) or first:
            at.envs.handed.append(node)


def _ids(at: Analysis, call: Call) -> list[str]:
    """What the first argument can be, as far as it is text."""
    return [text.text for one in call.args[:1] if one.node for text in at.solver.values(one.node, Text)]


def _environment_call(at: Analysis, dotted: str, name: str, call: Call) -> bool:
    """Constructors and wrappers of the tables."""
    if env_api_lookup.wraps(dotted):
        _wrap(at, dotted, name, call)
        return True
    api = at.user_apis.get(dotted) or _chosen(at, dotted, call) or env_api_lookup.constructor(dotted)
    if api is None:
        return False
    if (kept := _kept(at, api, dotted, call)) == env_apis.KEPT_GYM:
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
    ids = _ids(at, call)
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
    return not _has_another_owner(at, env_id) and package not in env_api_rows.RUN_BY_GYM


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
    own = _kept(at, vector or single, dotted, call)
    of_any = env_api_lookup.wraps_any(dotted)

    def react(number: int) -> None:
        value = at.solver.value(number)
        if isinstance(value, Environment):
            unlimited = value.unlimited and name != env_apis.TIME_LIMIT
            layers = value.layers and (outer, *(layer for layer in value.layers if layer != outer))
            at.put(call.result, replace(value, unlimited=unlimited, layers=layers))
        elif isinstance(value, Instance):
            # only a bare environment has no limit: a wrapper of the project has what it wraps
            unlimited = name != "TimeLimit" and not at.classes.is_wrapper(value.path, value.index)
            foreign = dotted.startswith("gymnasium.") and _steps_otherwise(at, value)
            inherited, _ = at.classes.api_of_class(value.path, value.index)
            if of_any and inherited is None:
                return
            many = inherited is not None and (inherited.vector or inherited.per_agent)
            other = of_any and inherited not in env_apis.OF_LIBRARIES
            api = env_apis.FOREIGN if foreign else ((many or other) and inherited) or own
            at.solver.add(call.result, at.environment(api, unlimited, "proven", call.result, (outer,)))

    if first:
        at.solver.watch(first, react)
        at.envs.wrapped.append((first, call.result, env_apis.BY_ARGUMENT if of_any else own))
        if vector is not None:
            at.envs.given_to_vector.append(first)
        elif dotted.startswith("gymnasium.wrappers."):
            at.envs.given_to_single.append(first)
    elif not of_any:
        at.solver.add(call.result, at.environment(own, False, "proven", call.result))


def _steps_otherwise(at: Analysis, one: Instance) -> bool:
    """Whether the `step` in sight of a class that is none of the library's environments returns no five values."""
    api, _ = at.classes.api_of_class(one.path, one.index)
    step = at.classes.method_of(one.path, one.index, "step") if api is None else None
    arities = at.program.function_at(step).arities if step is not None else ()
    return bool(arities) and not {0, 5}.intersection(arities)


def _kept(at: Analysis, api: Api, dotted: str, call: Call) -> Api:
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
    elif needed and (needed in env_api_rows.LEARN_IN_GYM or not own):
        at.envs.old_packages[path] = needed
        return env_apis.OLD_GYM
    elif around and (
        around in env_api_rows.LEARN_IN_GYM or not (ids and all(_has_another_owner(at, one) for one in ids))
    ):
        at.envs.old_packages[path] = around
        return env_apis.OLD_GYM
    else:
        at.envs.old_packages.setdefault(path, "" if own else at.envs.suspected.get(path, ""))
    return special


def _has_another_owner(at: Analysis, env_id: str) -> bool:
    """Whether an id is known to be no package's that needs Gym: by the tables, or because the project registers it."""
    return env_id_owners.is_known(env_id) or env_id.rpartition(":")[2] in at.envs.registered


def _generator_call(at: Analysis, dotted: str, name: str, call: Call) -> bool:
    """`generator, seed = seeding.np_random(seed)`, and numpy's own generator of before."""
    if dotted in array_functions.OLD_GENERATORS:
        at.put(call.result, OldGenerator())
        return True
    if dotted not in array_functions.SEEDING:
        return False
    if _kept(at, env_apis.GYM, dotted, call) == env_apis.KEPT_GYM:
        # what stays on Gym has the generator of the Gym that it is written for
        at.put(call.result, OldGenerator())
        return True
    pair = at.put(call.result, Object(call.result, Shape.TUPLE))
    at.envs.evidence.setdefault(call.result, Evidence(call.site, f"made by `seeding.{name}`"))
    at.put(at.objects.field(pair, IndexKey(0)), Generator("proven", call.result))
    return True


def attribute_of_external(at: Analysis, number: int, name: str, target: int, source: int) -> None:
    dotted = at.solver.get(number, External).dotted
    if name == "make" and dotted in env_id_apis.SPECIFICATIONS:
        at.put(target, External(f"{dotted.partition('.')[0]}.envs.registration.EnvSpec.make"))
    elif dotted.count(".") < external_names.DEPTH and not dotted.endswith("()"):
        at.put(target, External(f"{dotted}.{name}"))


def attribute_of_environment(at: Analysis, number: int, name: str, target: int, source: int) -> None:
    env = at.solver.get(number, Environment)
    if name == "unwrapped":
        at.put(target, replace(env, unlimited=True, layers=env_apis.BARE))
    elif name == "envs" and env.api in env_apis.VECTORS:
        # a list of single environments, any of which this value stands for
        single = env_apis.GYM if env.api == env_apis.GYM_VECTOR else env_apis.GYMNASIUM
        at.put(target, Environment(single, False, env.certainty, target, ()))
    elif name in ("env", "envs", "venv"):
        inner = env.layers if env.layers == env_apis.BARE else env.layers[1:] if name == "env" else ()
        stripped = not env_apis.LIMITING.isdisjoint(env.layers) and env_apis.LIMITING.isdisjoint(inner)
        at.put(target, replace(env, unlimited=env.unlimited or stripped, layers=inner))
    elif name == "np_random" and env.api.five:
        at.put(target, Generator(env.certainty, env.node))
    elif (env.node, name) not in at.envs.withheld and not _may_be_own(at, number, name, source):
        at.put(target, EnvMethod(name, number))


def attribute_of_member(at: Analysis, number: int, name: str, target: int, source: int) -> None:
    """`env.action_space.np_random`: a space draws from a generator of its own."""
    member = at.solver.get(number, EnvMethod)
    env = at.solver.get(member.env, Environment)
    if name == "np_random" and member.name in SPACES and env.api.five:
        at.put(target, Generator(env.certainty, env.node, of_space=True))


def _may_be_own(at: Analysis, number: int, name: str, source: int) -> bool:
    """Whether only an annotation says what arrives, and a class of the project may have that method itself."""
    if number not in at.envs.promised or name not in own_methods.METHODS:
        return False
    owner = at.program.owner(source)
    return owner is not None and own_methods.may_be_own(at, owner.path, name)


def call_environment(at: Analysis, number: int, call: Call) -> None:
    """`model.get_env()`: the method stands for what it gives."""
    at.solver.add(call.result, number)


def call_env_method(at: Analysis, number: int, call: Call) -> None:
    method = at.solver.get(number, EnvMethod)
    if method.name in ("step", "step_wait"):
        at.put(call.result, StepResult(method.env, call.result))
    elif method.name == "reset":
        at.put(call.result, ResetResult(method.env, call.result))
    stepped(at, method.name, at.solver.get(method.env, Environment).api, call.result)


def given_by_method(at: Analysis, survey: Survey, base: int) -> None:
    """Environments that an attribute gives by its name alone, in files that import its package."""
    for one in survey.telling:
        name, b = one.name, one.target
        if name in _ENVIRONMENT_ATTRIBUTES and (api := env_api_lookup.method(name, survey.packages)) is not None:
            at.envs.evidence.setdefault(base + b, Evidence(None, f"given by `{name}`"))
            at.solver.add(base + b, at.environment(api, False, "proven", base + b))


def held_by_classes(at: Analysis, survey: Survey, base: int) -> None:
    """`self.env` of classes of the project that inherit from an algorithm, and what that hands to their methods.

    Where the class sets the attribute itself, that says what it is.
    """
    for index, made in enumerate(survey.classes):
        holder = at.classes.holder(survey.path, index)
        api = env_api_lookup.held_by(holder) if holder else None
        if api is None or WRAPPED.name in made.assigned:
            continue
        nodes = [at.objects.field(at.solver.intern(Instance(survey.path, index)), WRAPPED)]
        for name, place in env_api_rows.GIVEN_HELD.items():
            params = survey.functions[made.methods[name]].params if name in made.methods else ()
            nodes += [base + node for _, node in params[place : place + 1]]
        for node in nodes:
            at.envs.evidence.setdefault(node, Evidence(None, f"held by a subclass of `{holder}`"))
            at.solver.add(node, at.environment(api, False, "proven", node))


ATTRIBUTES: dict[type[Value], AttributeRule] = {
    External: attribute_of_external,
    Environment: attribute_of_environment,
    EnvMethod: attribute_of_member,
}
CALLS: dict[type[Value], CallRule] = {
    External: call_external,
    Environment: call_environment,
    EnvMethod: call_env_method,
}
