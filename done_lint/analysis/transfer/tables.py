"""Which transfer function each kind of operation has, and which ones each kind of value has."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from done_lint.analysis.context import Analysis, Dispatch
from done_lint.analysis.transfer import (
    argparse_options,
    by_key,
    calls,
    choices,
    classes,
    containers,
    counts,
    dm_env,
    environments,
    items,
    logged_episodes,
    named_types,
    names,
    operators,
    remote_calls,
    replay_buffers,
    sequences,
)
from done_lint.analysis.values import Count, Flag, Mark, Object, StepValue, Value
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.operations import Combination, Operation, Reaction
from done_lint.flowgraph.schema import Survey

#: Does an operation of a survey, whose first node is given, once.
Load = Callable[[Analysis, Survey, int, Operation], None]
#: Does a reaction for one value of the node that it waits for.
React = Callable[[Analysis, Survey, int, int, Reaction], None]

_Operation = TypeVar("_Operation", bound=Operation)
_Reaction = TypeVar("_Reaction", bound=Reaction)
_Combination = TypeVar("_Combination", bound=Combination)

#: Kinds of values that matter to combinations. A choice passes on all kinds.
_COMBINED: tuple[type[Value], ...] = (Flag, Object, Mark, Count, StepValue)


def _once(
    kind: type[_Operation], rule: Callable[[Analysis, Survey, int, _Operation], None]
) -> tuple[type[Operation], Load]:
    return kind, cast("Load", rule)


def _each(
    kind: type[_Reaction], rule: Callable[[Analysis, Survey, int, int, _Reaction], None]
) -> tuple[type[Reaction], React]:
    return kind, cast("React", rule)


def _joined(
    kind: type[_Combination], join: Callable[[Analysis, Survey, int, _Combination], None], every: bool = False
) -> tuple[type[Reaction], React]:
    """A combination is connected with all of its inputs when the first of them gets a value that matters."""

    def react(at: Analysis, survey: Survey, base: int, number: int, op: _Combination) -> None:
        result, connected = base + op.result, at.flags.connected
        if result not in connected and (every or isinstance(at.solver.interned[number], _COMBINED)):
            connected.add(result)
            join(at, survey, base, op)

    return _each(kind, react)


LOADS: dict[type[Operation], Load] = dict(
    [
        _once(ops.Copy, names.copy),
        _once(ops.External, names.bind_external),
        _once(ops.Import, names.bind_import),
        _once(ops.Fixture, names.bind_fixture),
        _once(ops.BindClass, names.bind_class),
        _once(ops.Unset, names.unset),
        _once(ops.Values, names.pass_values),
        _once(ops.Elements, names.pass_elements),
        _once(ops.Scaled, names.pass_scaled),
        _once(ops.BindFunction, names.bind_function),
        _once(ops.BindInstance, names.bind_instance),
        _once(ops.Super, names.bind_super),
        _once(ops.Text, names.bind_text),
        _once(ops.Template, names.bind_template),
        _once(ops.Limit, counts.limit),
        _once(ops.Count, counts.count),
        _once(ops.Decides, counts.decides),
        _once(ops.Allocate, containers.allocate),
        _once(ops.LibraryCall, environments.library_call),
        _once(ops.Remap, containers.remap),
        _once(ops.Masked, choices.mask),
        _once(ops.Filled, choices.fill),
    ]
)
REACTS: dict[type[Reaction], React] = dict(
    [
        _each(ops.Attribute, containers.load_attribute),
        _each(ops.Annotated, named_types.annotated_with),
        _each(ops.Narrow, named_types.narrow),
        _each(ops.SetAttribute, containers.set_attribute),
        _each(ops.Item, items.load_item),
        _each(ops.SetItem, items.set_item),
        _each(ops.Enter, items.enter),
        _each(ops.Begins, names.go_on),
        _each(ops.Fallback, names.fall_back),
        _each(ops.Update, sequences.update),
        _each(ops.Spread, items.spread_step),
        _each(ops.Unpack, items.unpack),
        _each(ops.MadeByKey, by_key.make_by_key),
        _each(ops.AppendByKey, by_key.append_by_key),
        _each(ops.Rebuilt, containers.rebuild),
        _each(ops.Iterate, items.iterate),
        _each(ops.Call, calls.call),
        _each(ops.NoneWhere, choices.none_where),
        _each(ops.IsNone, choices.is_none),
        _each(ops.IsLast, dm_env.is_last),
        _each(ops.Rounded, operators.round_off),
        _joined(ops.Not, operators.negate),
        _joined(ops.Or, operators.unite),
        _joined(ops.And, operators.intersect),
        _joined(ops.Stands, choices.stand),
        _joined(ops.Times, operators.multiply),
        _joined(ops.Choice, choices.choose, every=True),
        _joined(ops.Sum, operators.add_up),
        _joined(ops.Longer, sequences.longer),
    ]
)
DISPATCH = Dispatch(
    {
        **argparse_options.ATTRIBUTES,
        **classes.ATTRIBUTES,
        **containers.ATTRIBUTES,
        **dm_env.ATTRIBUTES,
        **environments.ATTRIBUTES,
        **names.ATTRIBUTES,
        **remote_calls.ATTRIBUTES,
        **logged_episodes.ATTRIBUTES,
        **replay_buffers.ATTRIBUTES,
    },
    {
        **argparse_options.CALLS,
        **calls.CALLS,
        **containers.CALLS,
        **dm_env.CALLS,
        **environments.CALLS,
        **logged_episodes.CALLS,
        **replay_buffers.CALLS,
    },
    {**items.ITEMS, **logged_episodes.ITEMS},
)
