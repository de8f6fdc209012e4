"""Rows of vector environments: what one step of all of them returned, and where it is stored.

Followed by name in the loop that steps, or in the method where that has none: through conversions
(`torch.tensor(reward)`), other names (`obs = next_obs`), attributes, dictionaries and tuples, and single elements in a
loop over the environments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import libcst as cst

from done_lint.knowledge.array_functions import LOCATING, PASSING, PASSING_METHODS, PUTTING
from done_lint.rewrites.context import Context
from done_lint.rewrites.step_tuple.unpacking import Unpacking
from done_lint.syntax.dotted import last_name

Part = Literal["obs", "reward", "flag", "action"]
Parts = frozenset[Part]
_NOTHING: Parts = frozenset()
_SLOTS: tuple[Part | None, ...] = ("obs", "reward", "flag", "flag", None)
#: Functions that keep what all of their arguments are.
_JOINING = frozenset({"logical_or", "logical_and", "logical_not", "maximum", "bitwise_or", "zip", "enumerate"})
#: What takes rows by a mask, or tells where it is true.
_CHOOSING = LOCATING | {"compress", "masked_select", "boolean_mask", "delete", "extract"}
#: A call that takes so many values of a step takes a row, whatever it is called.
_ROW = 3


@dataclass(frozen=True)
class Store:
    """A place where something of a step is kept."""

    node: cst.CSTNode
    parts: Parts
    values: Sequence[cst.BaseExpression]


class StepRows:
    """What becomes of the values of one step."""

    def __init__(self, context: Context, step: Unpacking) -> None:
        """Follow the values by their names."""
        self._tree = context.tree
        self._context = context
        self.step = step
        self.region = self._region()
        self._parts: dict[str, Parts] = {}
        for target, part in zip(step.targets, _SLOTS):
            if part is not None:
                self._add(target, frozenset((part,)))
        self._actions = self._named_in(step.value)
        self._spread()

    @cached_property
    def stores(self) -> Sequence[Store]:
        """The places where values of the step are kept, in the order of the source."""
        found = [store for node in self._nodes if (store := self._store(node)) is not None and store.parts]
        for target, part in zip(self.step.targets, _SLOTS):
            if isinstance(target, cst.Subscript) and part is not None:
                found.append(Store(target, frozenset((part,)), []))  # obs, rewards[t], ... = envs.step(action)
        return [one for one in found if not any(one.node in self._tree.ancestors(other.node) for other in found)]

    @property
    def learnt(self) -> bool:
        """Whether these are the rows of transitions: observation and reward, with the action or the flag."""
        parts = frozenset[Part]().union(*(one.parts for one in self.stores))
        return {"obs", "reward"} <= parts and not parts.isdisjoint({"action", "flag"})

    @property
    def place(self) -> Store:
        """The store of the reward, which every step has only once."""
        return next(one for one in self.stores if "reward" in one.parts)

    @property
    def masked(self) -> bool:
        """Whether the environments that reset are left out somewhere."""
        return self.left_out or self._masked_later

    @property
    def left_out(self) -> bool:
        """Whether the loop that steps leaves them out, or stores beside the rows what says so."""
        flags = [one for store in self.stores for one in store.values if "flag" in self.of(one)]
        before = [one for one in flags if self._mentions(one, self._before)]
        if before and len(before) < len(flags):
            return True
        return any(map(self._chooses_rows, self._nodes))

    # --- names --------------------------------------------------------------------------------------------------------

    def _region(self) -> cst.CSTNode:
        """The innermost loop around the step, or its function."""
        for one in self._tree.ancestors(self.step.statement):
            if isinstance(one, (cst.For, cst.While)):
                return one.body
            if isinstance(one, cst.FunctionDef):
                return one.body
        return self._tree.module

    @cached_property
    def _nodes(self) -> Sequence[cst.CSTNode]:
        return list(self._tree.descend(self.region, into_functions=False))

    def _add(self, target: cst.BaseExpression, parts: Parts) -> bool:
        """Note what a name or attribute holds; whether that is new."""
        if not isinstance(target, (cst.Name, cst.Attribute)) or not parts:
            return False
        text = self._tree.source(target)
        known = self._parts.get(text, _NOTHING)
        self._parts[text] = known | parts
        return not parts <= known

    def _named_in(self, value: cst.BaseExpression) -> frozenset[str]:
        """The names of the actions that the step takes."""
        arguments = value.args if isinstance(value, cst.Call) else ()
        names = (_converted(one.value) for one in arguments)
        return frozenset(one.value for one in names if isinstance(one, cst.Name))

    def _spread(self) -> None:
        changed = True
        while changed:
            changed = False
            for name, value in self._bound:
                if not (isinstance(name, cst.Name) and name.value in self._actions):
                    changed |= self._add(name, self.of(value))

    @cached_property
    def _bound(self) -> Sequence[tuple[cst.BaseExpression, cst.BaseExpression]]:
        """What is bound to what: by assignments, and by loops to one element after the other."""
        found: list[tuple[cst.BaseExpression, cst.BaseExpression]] = []
        for one in self._nodes:
            if isinstance(one, cst.Assign):
                found += (pair for target in one.targets for pair in _pairs(target.target, one.value))
            elif isinstance(one, cst.For):
                found += _elements(one.target, one.iter)
        return found

    @cached_property
    def _before(self) -> frozenset[str]:
        """Names that still hold the flags of the step before where they are read first."""
        first: dict[str, bool] = {}
        for name in (text for text, parts in self._parts.items() if "flag" in parts):
            uses = [one for one in self._nodes if isinstance(one, (cst.Name, cst.Attribute)) and self._is(one, name)]
            uses.sort(key=self._tree.span)
            first[name] = bool(uses) and not self._is_bound(uses[0])
        names = {name for name, read in first.items() if read}
        for target, value in self._bound:
            if self._mentions(value, names) and "flag" in self.of(value):
                names.add(self._tree.source(target))
        direct = {self._tree.source(one) for one in self.step.targets}
        return frozenset(names - direct if self.region is not self._tree.module else ())

    def _is(self, node: cst.CSTNode, text: str) -> bool:
        return self._tree.source(node) == text

    def _is_bound(self, node: cst.CSTNode) -> bool:
        """Whether a statement gives the name a value here; what it reads comes before that."""
        for ancestor in self._tree.ancestors(node):
            if isinstance(ancestor, cst.Assign):
                inside = any(self._tree.within(node, one) for one in ancestor.targets)
                return inside and not self._mentions(ancestor.value, {self._tree.source(node)})
            if isinstance(ancestor, (cst.For, cst.CompFor)):
                return self._tree.within(node, ancestor.target)
            if isinstance(ancestor, (cst.BaseStatement, cst.Subscript)):
                return False
        return False

    def _mentions(self, node: cst.CSTNode, names: Iterable[str]) -> bool:
        wanted = frozenset(names)
        return any(
            isinstance(one, (cst.Name, cst.Attribute)) and self._tree.source(one) in wanted
            for one in (node, *self._tree.descend(node))
        )

    # --- values -------------------------------------------------------------------------------------------------------

    def of(self, value: cst.BaseExpression) -> Parts:
        """Which parts of the step an expression holds, for every environment or for one after the other."""
        if isinstance(value, (cst.Name, cst.Attribute)):
            text = self._tree.source(value)
            if isinstance(value, cst.Name) and text in self._actions:
                return frozenset(("action",))
            return self._parts.get(text, _NOTHING)
        if isinstance(value, cst.Call):
            return self._of_call(value)
        if isinstance(value, cst.Subscript):
            return self.of(value.value) if self._is_whole(value) else _NOTHING
        if isinstance(value, (cst.Tuple, cst.List)):
            return self._all(one.value for one in value.elements)
        if isinstance(value, cst.Dict):
            return self._all(one.value for one in value.elements)
        if isinstance(value, cst.UnaryOperation):
            return self.of(value.expression)
        if isinstance(value, (cst.BinaryOperation, cst.BooleanOperation)):
            return self._all((value.left, value.right))
        return self.of(value.for_in.iter) if isinstance(value, (cst.ListComp, cst.GeneratorExp)) else _NOTHING

    def _all(self, values: Iterable[cst.BaseExpression]) -> Parts:
        return frozenset[Part]().union(*map(self.of, values))

    def _of_call(self, call: cst.Call) -> Parts:
        name, values = last_name(call.func), [one.value for one in call.args]
        if isinstance(call.func, cst.Attribute) and name in PASSING_METHODS and (found := self.of(call.func.value)):
            return found
        if name in PASSING:
            return self._all(values[:1])
        if name in _JOINING:
            return self._all(values)
        # a row has a class of its own, a conversion a function
        if name[:1].isupper() or name == "dict":
            return self._all(values)
        return self._all(values) - {"flag", "action"} if len(values) == 1 else _NOTHING

    def _is_whole(self, value: cst.Subscript) -> bool:
        """Whether nothing is left out: a slice, a number, a key, or one environment after the other."""
        for one in value.slice:
            if not isinstance(one.slice, cst.Index):
                continue
            key = one.slice.value
            if isinstance(key, cst.Name) and key.value not in self._counters and key.value != "None":
                return False
            if not isinstance(key, (cst.Name, cst.SimpleString, cst.Integer, cst.Ellipsis)):
                return False
        return True

    @cached_property
    def _counters(self) -> frozenset[str]:
        """The names that loops inside count with."""
        loops = [one for one in self._nodes if isinstance(one, (cst.For, cst.CompFor))]
        names = (name for one in loops for name in (one.target, *self._tree.descend(one.target)))
        return frozenset(one.value for one in names if isinstance(one, cst.Name))

    # --- stores -------------------------------------------------------------------------------------------------------

    def _store(self, node: cst.CSTNode) -> Store | None:
        if isinstance(node, cst.Assign):
            return self._stored_at_index(node)
        if isinstance(node, cst.AugAssign) and isinstance(node.value, (cst.List, cst.Tuple)):
            return Store(node, self.of(node.value), [one.value for one in node.value.elements])  # rewards += [reward]
        if isinstance(node, cst.Call) and node is not self.step.value:
            return self._stored_by_call(node)
        return None

    def _stored_at_index(self, node: cst.Assign) -> Store | None:
        """`rewards[step] = reward`, but not `next_obs[i] = final`."""
        for target in node.targets:
            place: cst.BaseExpression = target.target
            while isinstance(place, cst.Subscript):
                place = place.value
            if place is target.target or self._tree.source(place) in self._parts:
                continue
            if parts := self.of(node.value):
                return Store(node, parts, [node.value])
        return None

    def _stored_by_call(self, node: cst.Call) -> Store | None:
        """`rewards.append(reward)`, `buffer.add(obs, action, reward, next_obs, terminated)`."""
        values: list[cst.BaseExpression] = []
        for argument in node.args:
            row = argument.value
            values += [one.value for one in row.elements] if isinstance(row, (cst.Tuple, cst.List, cst.Dict)) else [row]
        parts = self._all(values)
        name = last_name(node.func)
        puts = isinstance(node.func, cst.Attribute) and (name in PUTTING or name in ("store", "appendleft"))
        is_row = len([one for one in values if self.of(one)]) >= _ROW and {"obs", "reward"} <= parts
        if not puts and (not is_row or name[:1].isupper() or name in ("dict", "zip", "print")):
            return None
        return Store(node, parts, values) if not self._is_made(node) else None

    def _is_made(self, node: cst.Call) -> bool:
        """Whether the result is a value of its own, as of `np.append(rewards, reward)`."""
        return isinstance(node.func, cst.Attribute) and last_name(node.func.value) in ("np", "numpy", "torch", "jnp")

    # --- masks --------------------------------------------------------------------------------------------------------

    def _chooses_rows(self, node: cst.CSTNode) -> bool:
        """Whether the flags of the step before decide what is stored, or weigh the reward."""
        if not self._before:
            return False
        if isinstance(node, cst.Subscript):
            assigned = isinstance(self._tree.parents[node], cst.AssignTarget)
            return not assigned and any(self._mentions(one, self._before) for one in node.slice)
        if isinstance(node, cst.Call):
            return last_name(node.func) in _CHOOSING and self._mentions(node, self._before)
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Multiply):
            return self._mentions(node, self._before) and "reward" in self.of(node)
        if isinstance(node, cst.If):
            return self._mentions(node.test, self._before) and self._decides(node)
        if isinstance(node, (cst.CompFor, cst.IfExp)):
            tests = [one.test for one in node.ifs] if isinstance(node, cst.CompFor) else [node.test]
            return any(self._mentions(one, self._before) for one in tests)
        return False

    def _decides(self, branch: cst.If) -> bool:
        """Whether a branch holds the store, or goes on to the next round."""
        inside = list(self._tree.descend(branch, into_functions=False))
        return any(isinstance(one, cst.Continue) for one in inside) or any(one.node in inside for one in self.stores)

    @cached_property
    def _masked_later(self) -> bool:
        """Whether flags choose rows anywhere behind the loop: at sampling, or in the loss."""
        inside = set(self._nodes)
        return any(one not in inside and self._takes_by_mask(one) for one in self._tree.of_type(cst.Subscript)) or any(
            one not in inside and self._has_mask(one) and self._finds_or_weighs(one)
            for one in self._tree.of_type(cst.Call)
        )

    def _takes_by_mask(self, node: cst.Subscript) -> bool:
        loaded = not isinstance(self._tree.parents[node], (cst.AssignTarget, cst.AugAssign))
        return loaded and any(map(self._is_mask, _indices(node)))

    def _finds_or_weighs(self, node: cst.Call) -> bool:
        """`np.flatnonzero(mask)`, `/ mask.sum()`."""
        name = last_name(node.func)
        return (name in _CHOOSING and len(node.args) < _ROW) or (name == "sum" and self._divides(node))

    def _is_mask(self, node: cst.BaseExpression) -> bool:
        return self._tree.span(node) in self._context.facts.flags

    def _has_mask(self, node: cst.Call) -> bool:
        values = [one.value for one in node.args]
        values += [node.func.value] if isinstance(node.func, cst.Attribute) else []
        return any(map(self._is_mask, values))

    def _divides(self, node: cst.Call) -> bool:
        """Whether something is divided by the number of rows that a mask keeps."""
        return any(
            isinstance(one, cst.BinaryOperation) and isinstance(one.operator, cst.Divide)
            for one in self._tree.ancestors(node)
        )


def _converted(value: cst.BaseExpression) -> cst.BaseExpression:
    """`action` in `action.cpu().numpy()` and in `np.array(action)`."""
    while isinstance(value, cst.Call):
        if isinstance(value.func, cst.Attribute) and last_name(value.func) in PASSING_METHODS:
            value = value.func.value
        elif last_name(value.func) in PASSING and value.args:
            value = value.args[0].value
        else:
            break
    return value


def _indices(node: cst.Subscript) -> Iterator[cst.BaseExpression]:
    return (one.slice.value for one in node.slice if isinstance(one.slice, cst.Index))


def _pairs(
    target: cst.BaseExpression, value: cst.BaseExpression
) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """What is bound to what: `a, b = b, c` are two pairs."""
    if isinstance(target, (cst.Tuple, cst.List)) and isinstance(value, (cst.Tuple, cst.List)):
        if len(target.elements) == len(value.elements):
            for one, other in zip(target.elements, value.elements):
                yield from _pairs(one.value, other.value)
    else:
        yield target, value


def _elements(
    target: cst.BaseExpression, iterated: cst.BaseExpression
) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """What a loop binds its names to elements of: `for i, (a, b) in enumerate(zip(c, d))`."""
    function = last_name(iterated.func) if isinstance(iterated, cst.Call) else ""
    values = [one.value for one in iterated.args] if isinstance(iterated, cst.Call) else []
    names = [one.value for one in target.elements] if isinstance(target, (cst.Tuple, cst.List)) else []
    if function == "enumerate" and len(names) == 2 and values:
        yield from _elements(names[1], values[0])
    elif function == "zip" and len(names) == len(values):
        for one, value in zip(names, values):
            yield from _elements(one, value)
    else:
        yield target, iterated
