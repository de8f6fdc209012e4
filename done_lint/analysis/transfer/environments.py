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
from done_lint.analysis.transfer.made_environments import ids_given, kept_api, make_environment
from done_lint.analysis.values import (
    Environment,
    EnvMethod,
    External,
    Generator,
    Instance,
    Object,
    OldGenerator,
    ResetResult,
    Shape,
    StepResult,
    Value,
)
from done_lint.flowgraph import external_names
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import IndexKey
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import api_converters, array_functions, env_api_lookup, env_api_rows, env_apis, env_id_apis
from done_lint.knowledge.env_members import SPACES
from done_lint.knowledge.logged_episodes import LOADING
from done_lint.knowledge.replay_buffers import REPLAYS

_CONSTRUCTOR = ".__init__"
_ENVIRONMENT_ATTRIBUTES = frozenset(name for row in env_api_rows.METHODS for name in row.names)
#: What gives the results of steps that were sent before, to environments in threads. EnvPool `python/envpool.py`.
_RECEIVING = "recv"


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
    if make_environment(at, dotted, name, call) or _generator_call(at, dotted, name, call):
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
    if kept_api(at, env_apis.GYM, dotted, call) == env_apis.KEPT_GYM:
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
    keyword = api_converters.TAKE_OLD_GYM.get(dotted)
    if keyword is None and dotted in env_id_apis.ID_ARGUMENTS:
        keyword = "env" if any(env_id_apis.by_id(one) == env_apis.SHIMMY for one in ids_given(at, call)) else None
    if keyword is not None:
        first = call.args[0].node if call.args and keyword == "old_env" else 0
        if node := call.keyword(keyword) or first:
            at.envs.handed.append(node)


def _generator_call(at: Analysis, dotted: str, name: str, call: Call) -> bool:
    """`generator, seed = seeding.np_random(seed)`, and numpy's own generator of before."""
    if dotted in array_functions.OLD_GENERATORS:
        at.put(call.result, OldGenerator())
        return True
    if dotted not in array_functions.SEEDING:
        return False
    if kept_api(at, env_apis.GYM, dotted, call) == env_apis.KEPT_GYM:
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
    api = at.solver.get(method.env, Environment).api
    if method.name in ("step", "step_wait") or (method.name == _RECEIVING and api in env_apis.NEXT_STEP_ONLY):
        at.put(call.result, StepResult(method.env, call.result))
    elif method.name == "reset":
        at.put(call.result, ResetResult(method.env, call.result))
    stepped(at, method.name, api, call.result)


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
