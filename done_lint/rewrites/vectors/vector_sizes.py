"""Whether a vector environment is seen to hold one environment, or several."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import takewhile

import libcst as cst

from done_lint.knowledge.naming_conventions import environment_count
from done_lint.knowledge.vector_sizes import (
    COUNTED_AT,
    GIVEN_AS,
    GIVEN_AT,
    INSIDE,
    OF_ALGORITHMS,
    ONE_BY_DEFAULT,
    WRAPPERS,
)
from done_lint.rewrites.context import Context
from done_lint.syntax.arguments import keyword
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import (
    is_larger_than_one,
    is_main_guard,
    is_name,
    is_number,
    method_called,
    string_value,
)

#: The values that were followed on the way.
_Seen = frozenset[cst.CSTNode]


class VectorSizes:
    """Looks for what makes the vector environments of one file."""

    def __init__(self, context: Context) -> None:
        """Look in the file of the context."""
        self._tree = context.tree
        self._envs = context.facts.envs
        self._left_alone = context.facts.left_alone
        self._path = context.facts.path

    @cached_property
    def counts(self) -> frozenset[str]:
        """The names, without what they belong to, of how many environments this file makes: `range(args.workers)`."""
        return frozenset(name for call in self._tree.of_type(cst.Call) for name in self._counted_by(call))

    def _counted_by(self, call: cst.Call) -> Iterator[str]:
        env = self._envs.get(self._tree.span(call))
        inside = _argument(call, 0, INSIDE) if env is not None and env.api.vector else None
        if isinstance(inside, (cst.ListComp, cst.GeneratorExp)) and isinstance(inside.for_in.iter, cst.Call):
            around = inside.for_in.iter
            if is_name(around.func, "range") and len(around.args) == 1:
                yield last_name(around.args[0].value)

    def is_one(self, value: cst.BaseExpression, seen: _Seen = frozenset()) -> bool:
        """Whether an expression is one environment, or a vector environment around one, whatever path leads to it."""
        env = self._envs.get(self._tree.span(value))
        if value in seen or (env is not None and not env.api.vector):
            return True
        if isinstance(value, cst.Call):
            return self._gives_one(value, seen | {value})
        bound = self._bound(value)
        # what is no environment that anybody knows of is no array of them either
        known = [one for one in bound if self._is_env(one)] or bound
        return bool(known) and all(self.is_one(one, seen | {value}) for one in known)

    def _is_env(self, value: cst.BaseExpression) -> bool:
        """Whether an environment is known to stand there."""
        return self._tree.span(value) in self._envs

    def makes_one(self, call: cst.Call, seen: _Seen = frozenset()) -> bool:
        """`make_vec(id, num_envs=1)`, `make_vec(id, 1)`, `SyncVectorEnv([make])`, `VecNormalize(...)` around these.

        A comprehension over `range(1)` is a list of one, too.
        """
        inside = _argument(call, 0, INSIDE)
        if last_name(call.func) in WRAPPERS:
            return inside is not None and self.is_one(inside, seen)
        if isinstance(inside, (cst.List, cst.Tuple)):
            return len(inside.elements) == 1 and isinstance(inside.elements[0], cst.Element)
        if isinstance(inside, (cst.ListComp, cst.GeneratorExp)):
            return inside.for_in.inner_for_in is None and _is_range(inside.for_in.iter, self._counts_one)
        if (count := self._count(call)) is not None:
            return self._counts_one(count)
        return last_name(call.func) in ONE_BY_DEFAULT or any(self._says_one(one.value) for one in call.args)

    def _count(self, call: cst.Call) -> cst.BaseExpression | None:
        """The number of environments that a call is given.

        By position for what a library makes, and for a function of the file by what it calls its parameter: of others
        it is not seen.
        """
        named = next((one.value for one in call.args if environment_count(keyword(one))), None)
        if named is not None:
            return named
        env, here = self._envs.get(self._tree.span(call)), (self._path, self._tree.span(call))
        if env is not None and any((one.place.path, one.place.span) == here for one in env.made):
            return _argument(call, COUNTED_AT.get(last_name(call.func), 1), frozenset())
        functions = [one for one in self._tree.of_type(cst.FunctionDef) if is_name(call.func, one.name.value)]
        if len(functions) != 1 or self._tree.scope(functions[0]) is not self._tree.module:
            return None
        params = [one.name.value for one in functions[0].params.params]
        place = next((at for at, name in enumerate(params) if environment_count(name)), None)
        return None if place is None else _argument(call, place, frozenset())

    def _counts_one(self, count: cst.BaseExpression) -> bool:
        """A 1 that is written out, or an attribute that the file has set to it, whatever was asked for."""
        return is_number(count, "1") or (isinstance(count, cst.Attribute) and count.attr.value in self._set_to_one)

    @cached_property
    def _set_to_one(self) -> frozenset[str]:
        """The attributes that are set to 1 in any case, and to nothing else: `args.num_envs = 1`."""
        ones, others = set[str](), set[str]()
        for target in self._tree.of_type(cst.AssignTarget):
            if isinstance(target.target, cst.Attribute):
                assigned = self._tree.parents[target]
                one = isinstance(assigned, cst.Assign) and is_number(assigned.value, "1")
                (ones if one and not self._is_conditional(target) else others).add(target.target.attr.value)
        return frozenset(ones - others)

    def _says_one(self, given: cst.BaseExpression) -> bool:
        """Whether the file has set the count of what a call is given to 1: `settings.num_envs = 1; build(settings)`."""
        return isinstance(given, (cst.Name, cst.Attribute)) and self._tree.source(given) in self._saying_one

    @cached_property
    def _saying_one(self) -> frozenset[str]:
        targets = (one.target for one in self._tree.of_type(cst.AssignTarget))
        counts = [one for one in targets if isinstance(one, cst.Attribute) and environment_count(one.attr.value)]
        return frozenset(self._tree.source(one.value) for one in counts if one.attr.value in self._set_to_one)

    def _is_conditional(self, node: cst.CSTNode) -> bool:
        scope = self._tree.scope(node)
        around = takewhile(lambda one: one is not scope, self._tree.ancestors(node))
        choices = (one for one in around if isinstance(one, (cst.If, cst.For, cst.While, cst.Try)))
        return not all(map(is_main_guard, choices))

    def is_several(self, value: cst.BaseExpression, seen: _Seen = frozenset()) -> bool:
        """Whether an expression is seen to be a vector environment of several on some path, or what trains on one."""
        if value in seen:
            return False
        seen = seen | {value}
        if not isinstance(value, cst.Call):
            return any(self.is_several(one, seen) for one in self._bound(value))
        if isinstance(value.func, cst.Attribute) and method_called(value) in OF_ALGORITHMS:
            models = [value.func.value] if isinstance(value.func.value, cst.Call) else self._bound(value.func.value)
            trained = [_argument(one, GIVEN_AT, frozenset({GIVEN_AS})) for one in models if isinstance(one, cst.Call)]
            return any(one is not None and self.is_several(one, seen) for one in trained)
        given = [one.value for one in value.args if self._is_env(one.value)]
        return self.makes_several(value, seen) or any(self.is_several(one, seen) for one in given)

    def makes_several(self, call: cst.Call, seen: _Seen = frozenset()) -> bool:
        """`make_vec_env(id, n_envs=4)`, `DummyVecEnv([make] * 2)`, `VecNormalize(...)` around these."""
        inside = _argument(call, 0, INSIDE)
        if last_name(call.func) in WRAPPERS:
            return inside is not None and self.is_several(inside, seen)
        if isinstance(inside, (cst.List, cst.Tuple)):
            return len(inside.elements) > 1
        if isinstance(inside, (cst.ListComp, cst.GeneratorExp)):
            return _is_range(inside.for_in.iter, is_larger_than_one)
        if isinstance(inside, cst.BinaryOperation) and isinstance(inside.operator, cst.Multiply):
            return any(map(is_larger_than_one, (inside.left, inside.right)))
        return is_larger_than_one(self._count(call))

    def _gives_one(self, call: cst.Call, seen: _Seen) -> bool:
        if isinstance(call.func, cst.Attribute) and method_called(call) in OF_ALGORITHMS:
            models = [call.func.value] if isinstance(call.func.value, cst.Call) else self._bound(call.func.value)
            return bool(models) and all(self._trains_on_one(one, seen) for one in models)
        env = self._envs.get(self._tree.span(call))
        if env is not None and self._tree.span(call) in self._left_alone:
            return True
        return env is not None and self.makes_one(call, seen)

    def _trains_on_one(self, model: cst.BaseExpression, seen: _Seen) -> bool:
        """`PPO("MlpPolicy", env)`, `PPO.load(path, env=env)`, `PPO("MlpPolicy", "CartPole-v1")`."""
        given = _argument(model, GIVEN_AT, frozenset({GIVEN_AS})) if isinstance(model, cst.Call) else None
        return given is not None and (bool(string_value(given)) or self.is_one(given, seen))

    def _bound(self, value: cst.BaseExpression) -> Sequence[cst.BaseExpression]:
        """Everything that a name or an attribute is bound to in the file; nothing where some of it is not visible."""
        if isinstance(value, cst.Attribute):
            text = self._tree.source(value)
            targets = [one for one in self._tree.of_type(cst.AssignTarget) if self._tree.source(one.target) == text]
        elif isinstance(value, cst.Name):
            if (just := self._just_bound(value)) is not None:
                return (just,)
            names = self._tree.scopes.bindings(self._tree.scope(value), value.value)
            parents = [self._tree.parents[one] for one in names]
            targets = [one for one in parents if isinstance(one, cst.AssignTarget)]
            if len(targets) < len(parents):
                return ()
        else:
            return ()
        assigned = [self._tree.parents[one] for one in targets]
        return [one.value for one in assigned if isinstance(one, cst.Assign)]

    def _just_bound(self, name: cst.Name) -> cst.BaseExpression | None:
        """What the block around has bound a name to right before, with nothing between that may bind it anew."""
        row = self._tree.row(name)
        rows = self._tree.siblings(row) if row is not None else ()
        bound = {self._tree.row(one) for one in self._tree.scopes.bindings(self._tree.scope(name), name.value)}
        for one in reversed([one for one in rows if self._tree.span(one) < self._tree.span(name) and one is not row]):
            if one in bound and isinstance(one, cst.SimpleStatementLine) and isinstance(one.body[0], cst.Assign):
                assigned = one.body[0]
                plain = len(one.body) == 1 and any(is_name(target.target, name.value) for target in assigned.targets)
                return assigned.value if plain else None
            if any(binding is not None and self._tree.within(binding, one) for binding in bound):
                return None
        return None


def _is_range(iterated: cst.BaseExpression, counts: Callable[[cst.BaseExpression], bool]) -> bool:
    """`range(n)`, for such an n."""
    return (
        isinstance(iterated, cst.Call)
        and is_name(iterated.func, "range")
        and len(iterated.args) == 1
        and counts(iterated.args[0].value)
    )


def _argument(call: cst.Call, position: int, names: frozenset[str]) -> cst.BaseExpression | None:
    """The argument of a call at a position, or of one of the names."""
    plain = call.args[position] if len(call.args) > position else None
    if plain is not None and not keyword(plain) and not any(one.star for one in call.args[: position + 1]):
        return plain.value
    return next((one.value for one in call.args if keyword(one) in names), None)
