"""Items: `x[key]`, `x[key] = value`, `a, b = x`, `for a in x`."""

from __future__ import annotations

from done_lint.analysis.context import Analysis, ItemRule
from done_lint.analysis.env_evidence import OldRead
from done_lint.analysis.solver import ALL, ELEMENTS, FLAGS
from done_lint.analysis.transfer.calls import special_method
from done_lint.analysis.transfer.dm_env import item_of_time_step
from done_lint.analysis.transfer.sequences import cut_off
from done_lint.analysis.transfer.step_results import TIME_LIMIT, TIME_OUTS, slot, take_reset, time_limit
from done_lint.analysis.values import (
    ChoiceMark,
    ClassRef,
    Environment,
    EnvResult,
    External,
    Flag,
    FunctionRef,
    Info,
    Instance,
    LoggedDataset,
    LoggedEpisode,
    Mark,
    MaskedMark,
    Object,
    OwnStepResult,
    Partial,
    Passage,
    Place,
    ProductMark,
    ResetColumns,
    ResetResult,
    Shape,
    StepColumns,
    StepResult,
    StepValue,
    Text,
    TimeStep,
    Value,
)
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import ANY, AnyKey, IndexKey, Key, SliceKey, TextKey
from done_lint.flowgraph.operations import Placed
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import env_api_lookup, env_apis, env_id_apis, naming_conventions
from done_lint.knowledge.env_apis import STEP_WIDTHS
from done_lint.knowledge.vector_info_keys import FINAL_OBSERVATION, OF_OLD_RELEASES

#: What is read from these at an unknown key may be any field: it yields environments and what may make one, no flags.
_RECORDS = frozenset({Shape.TUPLE, Shape.RETURNED, Shape.DICT, Shape.RECORD, Shape.ZIPPED, Shape.TRANSPOSED})

#: Of these, the ones that hold several environments as often as the fields of a record.
_COLLECTIONS = frozenset({Shape.TUPLE, Shape.DICT})

#: So many keys an array of pairs is asked for the halves of all with.
_OF_PAIRS = 2
#: Where a step has its first flag.
_FLAG = 2
#: How many values the steps give that are taken apart here.
_WIDTHS = (*STEP_WIDTHS, len(env_apis.COSTS))


def load_item(at: Analysis, survey: Survey, base: int, number: int, op: ops.Item) -> None:
    """`x[key]`."""
    at.load_item(number, op.keys, base + op.target, base + op.source)


def _item_of_flag(at: Analysis, number: int, keys: tuple[Key, ...], target: int, source: int) -> None:
    single = len(keys) == 1 and not isinstance(keys[-1], SliceKey)
    at.solver.edge(source, target, ELEMENTS if single else FLAGS)


def _item_of_external(at: Analysis, number: int, keys: tuple[Key, ...], target: int, source: int) -> None:
    """`metaworld.envs.ALL_V2_ENVIRONMENTS[name]`: each item of a table of classes makes what its row says."""
    if env_api_lookup.constructor(at.solver.get(number, External).dotted) is not None:
        at.solver.add(target, number, source, number)


def _item_of_mark(at: Analysis, number: int, keys: tuple[Key, ...], target: int, source: int) -> None:
    at.solver.add(target, number, source, number)


def _item_of_object(at: Analysis, number: int, keys: tuple[Key, ...], target: int, source: int) -> None:
    shape, key = at.solver.get(number, Object).shape, keys[-1]
    rows = len(keys) > 1 and isinstance(keys[0], (AnyKey, SliceKey))
    if rows and isinstance(key, IndexKey) and shape is not Shape.ARRAY:
        # a column of a table of rows
        middle = at.solver.add_node()
        at.load_item(number, (ANY,), middle, source)
        at.solver.watch(middle, lambda inner: at.load_item(inner, keys[1:], target, middle))
        return
    if isinstance(key, SliceKey):
        cut_off(at, number, key.start, target, source)
        return
    if shape is Shape.ARRAY and key == ANY:
        at.solver.add(target, number, source, number)
    if shape is Shape.DICT:
        at.objects.ask(number, key)
    everything = key == ANY and shape not in _RECORDS
    from_end = isinstance(key, IndexKey) and key.position < 0

    def load(known: Key, field: int) -> None:
        if everything or at.objects.is_under(number, known, key) or (from_end and isinstance(known, IndexKey)):
            at.solver.edge(field, target, ALL, "load")
        elif key == ANY and shape in _COLLECTIONS:
            at.solver.watch(field, lambda number: _one_of_several(at, number, target, field))

    at.objects.each_field(number, load)
    at.objects.field(number, ANY)


def _one_of_several(at: Analysis, number: int, target: int, source: int) -> None:
    """`envs[name]`, `ENVS[name]`: what is stepped or called is no field of a record, so it may be any that is there.

    So it is with ids, and with rows of settings (`SETTINGS[task]["id"]`).
    """
    value = at.solver.value(number)
    is_row = isinstance(value, Object) and value.shape is Shape.DICT
    is_id = isinstance(value, Text) and env_id_apis.has_version(value.text)
    is_maker = isinstance(value, External) and env_api_lookup.constructor(value.dotted) is not None
    if is_row or is_id or is_maker or isinstance(value, (Environment, Instance, ClassRef, FunctionRef, Partial)):
        at.solver.add(target, number, source, number)


def _item_of_instance(at: Analysis, number: int, keys: tuple[Key, ...], target: int, source: int) -> None:
    if not special_method(at, number, "__getitem__", [Placed(0)], target):
        owner, key = _as_container(at, number), keys[-1]
        for one in (ANY, key) if isinstance(key, (TextKey, SliceKey)) else (ANY,):
            at.solver.edge(at.objects.field(owner, one), target, ALL, "load")


def _item_of_class(at: Analysis, number: int, keys: tuple[Key, ...], target: int, source: int) -> None:
    """`Kind[name]` is a member of an enumeration."""
    made = at.solver.get(number, ClassRef)
    if at.classes.is_enumeration(made.path, made.index):
        at.put(target, Instance(made.path, made.index))


def _item_of_info(at: Analysis, number: int, keys: tuple[Key, ...], target: int, source: int) -> None:
    if keys[-1] == TIME_LIMIT:
        time_limit(at, at.solver.get(number, Info), target)
        at.solver.edge(at.objects.field(number, TIME_LIMIT), target, ALL, "load")
    elif keys[-1] == TIME_OUTS:
        time_limit(at, at.solver.get(number, Info), target)
    elif not isinstance(keys[-1], TextKey):
        at.solver.add(target, number, source, number)
    else:
        _own_key(at, number, keys[-1], target)


def _own_key(at: Analysis, number: int, key: TextKey, target: int) -> None:
    """A key that a release of the library set, or one that a wrapper of the project sets: `info["timeout"] = flag`."""
    at.solver.edge(at.objects.field(number, key), target, FLAGS, "load")
    if key.text in OF_OLD_RELEASES or key.text == FINAL_OBSERVATION:
        info = at.solver.get(number, Info)
        env = at.solver.get(info.env, Environment).node
        at.envs.old_reads.add(OldRead(env, info.node, target, key.text))


def _item_of_time_step(at: Analysis, number: int, keys: tuple[Key, ...], target: int, source: int) -> None:
    if isinstance(key := keys[-1], IndexKey):
        item_of_time_step(at, key.position, target)


def _item_of_step(at: Analysis, number: int, keys: tuple[Key, ...], target: int, source: int) -> None:
    result = at.solver.get(number, EnvResult)
    if isinstance(key := keys[-1], IndexKey):
        slot(at, result, _width(at, result), key.position, target)
    elif isinstance(key, SliceKey) and isinstance(result, StepResult):
        whole = at.solver.add_node()
        _row_of_step(at, number, whole)
        at.solver.watch(whole, lambda row: cut_off(at, row, key.start, target, whole))


def spread_step(at: Analysis, survey: Survey, base: int, number: int, op: ops.Spread) -> None:
    """`Transition(obs, *env.step(action))`: of today's steps alone, whose values each have a place."""
    if isinstance(at.solver.value(number), StepResult):
        _row_of_step(at, number, base + op.target)


def _row_of_step(at: Analysis, number: int, target: int) -> None:
    """Put the tuple that a step returned into a node, with each of its values in a field."""
    result = at.solver.get(number, StepResult)
    if (width := _width(at, result)) != STEP_WIDTHS[-1]:
        return
    row = at.put(target, Object(target, Shape.TUPLE))
    at.objects.widths[row] = at.objects.lengths[row] = width
    for position in range(width):
        slot(at, result, width, position, at.objects.field(row, IndexKey(position)))


def _item_of_reset(at: Analysis, number: int, keys: tuple[Key, ...], target: int, source: int) -> None:
    # `pairs[:, 0]` takes it out of many pairs; what has more dimensions is a picture
    if keys[-1] == IndexKey(0) and len(keys) <= _OF_PAIRS:
        take_reset(at, number, target, source)


def _item_of_environment(at: Analysis, number: int, keys: tuple[Key, ...], target: int, source: int) -> None:
    if isinstance(keys[-1], (AnyKey, IndexKey)):
        at.solver.add(target, number, source, number)


def _as_container(at: Analysis, number: int) -> int:
    """`class Memory(dict)`: what an instance has from outside the project keeps its items, for all its classes."""
    value = at.solver.get(number, Instance)
    *_, root = (one for one in at.classes.lineage(value.path, value.index) if not isinstance(one, str))
    return at.solver.intern(Instance(*root))


def set_item(at: Analysis, survey: Survey, base: int, number: int, op: ops.SetItem) -> None:
    value, key = at.solver.value(number), op.keys[-1]
    passage = Passage(Place.of(survey.path, op.at), base + op.value)
    if isinstance(value, Object):
        known: Key = key if isinstance(key, TextKey) else ANY
        if len(op.keys) > 1 and isinstance(key, IndexKey):
            known = key
        at.solver.edge(base + op.value, at.objects.field(number, known), ALL, "store", passage)
    elif isinstance(value, Instance):
        if not special_method(
            at, number, "__setitem__", [Placed(0), Placed(base + op.value, op.at)], at.solver.add_node()
        ):
            known = key if isinstance(key, (TextKey, SliceKey)) else ANY
            at.solver.edge(base + op.value, at.objects.field(_as_container(at, number), known), ALL, "store", passage)
    elif isinstance(value, Info) and isinstance(key, TextKey):
        mode = ALL if key == TIME_LIMIT else FLAGS
        at.solver.edge(base + op.value, at.objects.field(number, key), mode, "set", passage)


def unpack(at: Analysis, survey: Survey, base: int, number: int, op: ops.Unpack) -> None:
    """`a, *b = x`."""
    value, source = at.solver.value(number), base + op.source
    targets = [base + target for target in op.targets]
    if isinstance(value, (StepResult, StepColumns)):
        if not _has_two_observations(survey, op):
            _unpack_step(at, value, op, targets)
    elif isinstance(value, OwnStepResult):
        # the rest comes out of the tuple that it returns
        at.flags.rewards.update(targets[1:2] if op.star < 0 and op.arity in STEP_WIDTHS else ())
    elif isinstance(value, TimeStep):
        for position, target in enumerate(targets) if op.star < 0 and op.arity == 4 else ():
            item_of_time_step(at, position, target)
    elif isinstance(value, (ResetResult, ResetColumns)):
        _unpack_reset(at, value, op, source, targets)
    elif isinstance(value, Object):
        _unpack_object(at, number, op, targets)
    elif isinstance(value, (Flag, StepValue)):
        for target in targets:
            at.solver.add(target, number, source, number)


def _has_two_observations(survey: Survey, op: ops.Unpack) -> bool:
    """Whether the names of five values say that they are those of a step of the project's own."""
    names = [survey.names.get(target, "") for target in op.targets]
    return len(names) == len(env_apis.FIVE) and naming_conventions.two_observations(names)


def _unpack_step(at: Analysis, result: StepResult | StepColumns, op: ops.Unpack, targets: list[int]) -> None:
    """`obs, reward, done, info = out`; beside a star each target takes what the environment gives in its place."""
    width = op.arity if op.star < 0 else _width(at, result)
    for position in range(width) if width in _WIDTHS else ():
        target = _target_of(position, op, width)
        if position == _FLAG and op.superseded and at.solver.get(result.env, Environment).api.five:
            continue
        if target is not None and target < len(targets) and target != op.star:
            slot(at, result, width, position, targets[target])
    if op.star >= 0 and width == STEP_WIDTHS[-1]:
        rest = _rest(at, targets[op.star], count := width - (op.arity - 1))
        for position in range(count):
            slot(at, result, width, op.star + position, at.objects.field(rest, IndexKey(position)))


def _rest(at: Analysis, target: int, count: int) -> int:
    """The list that a star takes, of so many elements."""
    rest = at.put(target, Object(target, Shape.LIST))
    at.objects.lengths[rest] = count
    return rest


def _width(at: Analysis, result: EnvResult) -> int:
    """How many values a step gives today."""
    return 5 if at.solver.get(result.env, Environment).api.five else 4


def _unpack_reset(
    at: Analysis, reset: ResetResult | ResetColumns, op: ops.Unpack, source: int, targets: list[int]
) -> None:
    """A pair, or the two columns of several pairs: each reset is taken apart."""
    if (op.arity == 2 or op.star >= 0) and targets:
        take_reset(at, at.solver.intern(ResetResult(reset.env, reset.node)), targets[0], source)
    if op.arity == 2 and op.star < 0 and isinstance(reset, ResetResult):
        at.put(targets[1], Info(reset.env, 5, reset.node))


def _unpack_object(at: Analysis, number: int, op: ops.Unpack, targets: list[int]) -> None:
    if op.star < 0 and at.objects.widths.get(number, op.arity) != op.arity:
        return  # it would raise at run time: this tuple does not arrive here
    if 0 <= op.star < len(targets):
        rest = at.put(targets[op.star], Object(targets[op.star], Shape.LIST))
        targets = [*targets[: op.star], at.objects.field(rest, ANY), *targets[op.star + 1 :]]
    if at.solver.get(number, Object).shape in (Shape.MANY, Shape.ARRAY):
        for target in targets:
            at.solver.edge(at.objects.field(number, ANY), target, ALL, "load")

    def react(key: Key, field: int) -> None:
        if key == ANY:
            for target in targets:
                at.solver.edge(field, target, ALL, "load")
        elif isinstance(key, IndexKey) and key.position >= 0:
            position = _target_of(key.position, op, at.objects.widths.get(number))
            if position is not None and position < len(targets):
                at.solver.edge(field, targets[position], ALL, "load")

    at.objects.each_field(number, react)


def _target_of(position: int, op: ops.Unpack, width: int | None) -> int | None:
    """The position of the target that takes an element of a row of `width`, unless it is the starred one."""
    if op.star < 0 or position < op.star:
        return position
    if width is None or position < width - (op.arity - 1 - op.star):
        return None
    return position + op.arity - width


def enter(at: Analysis, survey: Survey, base: int, number: int, op: ops.Enter) -> None:
    """`with source as target`: what `__enter__` returns, or what a generator function yields; else the source."""
    value = at.solver.value(number)
    if isinstance(value, Object) and value.shape is Shape.MANY:
        at.load_fields(number, base + op.target)
    elif not isinstance(value, Instance) or not special_method(at, number, "__enter__", [], base + op.target):
        at.solver.add(base + op.target, number, base + op.source, number)


def iterate(at: Analysis, survey: Survey, base: int, number: int, op: ops.Iterate) -> None:
    value = at.solver.value(number)
    if isinstance(value, Object):
        if value.shape is Shape.ARRAY:
            at.solver.add(base + op.target, number, base + op.source, number)
        at.load_fields(number, base + op.target)
    elif isinstance(value, Flag):
        at.solver.edge(base + op.source, base + op.target, ELEMENTS)
    elif isinstance(value, (Mark, Info, Environment, StepValue)):
        at.solver.add(base + op.target, number, base + op.source, number)
    elif isinstance(value, LoggedDataset):
        at.put(base + op.target, LoggedEpisode())
    elif isinstance(value, External) and value.dotted in env_id_apis.REGISTRIES:
        at.put(base + op.target, External(f"{value.dotted.partition('.')[0]}.spec()"))
    elif isinstance(value, Instance) and not special_method(at, number, "__iter__", [], base + op.target):
        special_method(at, number, "__getitem__", [Placed(0)], base + op.target)


ITEMS: dict[type[Value], ItemRule] = {
    External: _item_of_external,
    Flag: _item_of_flag,
    ProductMark: _item_of_mark,
    ChoiceMark: _item_of_mark,
    MaskedMark: _item_of_mark,
    StepValue: _item_of_mark,
    Object: _item_of_object,
    Instance: _item_of_instance,
    ClassRef: _item_of_class,
    Info: _item_of_info,
    TimeStep: _item_of_time_step,
    StepResult: _item_of_step,
    StepColumns: _item_of_step,
    ResetResult: _item_of_reset,
    Environment: _item_of_environment,
}
