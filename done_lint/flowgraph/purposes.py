"""What the values of some names are for, where every use of them is in sight: they are shown, or they weigh a draw.

The names are those of a function, or of a module. What is computed from them, by operators and by functions that are
known to do nothing else, is followed; any other use, such as a result, an attribute, or a call of what is not known,
ends the search: then nothing is said.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping

from done_lint.core.ast_walk import children, walked
from done_lint.flowgraph.ast_text import last_name, unparsed
from done_lint.knowledge import array_functions

#: The answers, beside none.
SHOWN, DRAWN = "shown", "drawn"

#: A value that is read more often in one scope is for many things.
_MOST = 40

Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, ast.Lambda, ast.ClassDef)
#: Syntax that makes a value of others, or is a part of one that does.
_MAKING = (
    *(ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.Starred),
    *(ast.JoinedStr, ast.FormattedValue, ast.Subscript, ast.Slice, ast.keyword),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.comprehension),
)
_BUILTINS = frozenset(
    """len float int bool list tuple zip enumerate reversed sorted max min sum abs round str repr range
    format""".split()
)
#: Functions and methods that give numbers of numbers, and tell of arrays what they are.
_GIVING = (
    array_functions.PASSING
    | array_functions.PASSING_METHODS
    | array_functions.CONDENSING
    | array_functions.ELEMENTWISE
    | frozenset("corrcoef cov isnan isfinite tolist item format join dtype device shape data".split())
)
_ARRAYS = array_functions.ARRAYS - {"builtins"}
#: Modules whose functions only tell of their arguments.
_STATISTICS = ("scipy.stats", "statistics", "math")
#: Modules whose functions only show them, and methods of what shows.
_SHOWING = frozenset({"matplotlib", "seaborn", "logging", "pprint"})
_SHOWING_METHODS = frozenset("info debug warning add_scalar add_scalars add_histogram".split())
#: Where a draw takes how likely each element is.
_WEIGHTS = frozenset({"p", "weights"})
_PUTTING = frozenset({"append", "appendleft", "insert", "extend"})


class Purposes:
    """Follows the names of one scope."""

    def __init__(self, scope: Scope, modules: Mapping[str, str]) -> None:
        """Of a function or a module, in a file that binds these names to what it imports."""
        self._modules = modules
        self._parents: dict[ast.AST, ast.AST] = {}
        self._reads: dict[str, list[ast.Name]] = {}
        #: Names that a function inside reads, or that other scopes share.
        self._seen: set[str] = set()
        #: Answers that are the same for every loop, by the names.
        self._answers: dict[frozenset[str], str] = {}
        #: Whether the question at hand has been asked of its loop.
        self._of_loop = False
        todo: list[ast.AST] = [scope]
        while todo:
            node = todo.pop()
            for one in children(node):
                self._parents[one] = node
                if isinstance(one, _SCOPES):
                    self._seen |= _free(one)
                    continue
                if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load):
                    self._reads.setdefault(one.id, []).append(one)
                elif isinstance(one, (ast.Global, ast.Nonlocal)):
                    self._seen.update(one.names)
                todo.append(one)

    def of(self, names: Iterable[str], loop: ast.AST | None) -> str:
        """What the values of names are for: `DRAWN` comes before `SHOWN`; empty: for something else, or nothing.

        In `loop`, which makes them, one of them may get an element: `returns[t] = running`.
        """
        asked = frozenset(names)
        if asked not in self._answers:
            self._of_loop = False
            answer = self._follow(asked, loop)
            if self._of_loop:
                return answer
            self._answers[asked] = answer
        return self._answers[asked]

    def _follow(self, names: Iterable[str], loop: ast.AST | None) -> str:
        """The same, found anew."""
        following, found = list(names), set[str]()
        known, reads = set(following), 0
        while following:
            name = following.pop()
            reads += len(self._reads.get(name, ()))
            if name in self._seen or reads > _MOST:
                return ""
            for read in self._reads.get(name, ()):
                use = self._use(read, loop)
                if use is None:
                    return ""
                purpose, more = use
                found |= {purpose} - {""}
                following += more - known
                known |= more
        return DRAWN if DRAWN in found else SHOWN if SHOWN in found else ""

    def _use(self, read: ast.AST, loop: ast.AST | None) -> tuple[str, set[str]] | None:
        """What a value is for, and the names that hold what is made of it; None: that is not known."""
        names: set[str] = set()
        node, around = read, self._parents[read]
        if isinstance(around, ast.Subscript) and isinstance(around.ctx, ast.Store) and node is around.value:
            return "", names  # it gets an element
        while isinstance(around, (*_MAKING, ast.Attribute, ast.Call)):
            if isinstance(around, ast.comprehension):
                names |= _names([around.target])
            elif isinstance(around, ast.Attribute) and around.attr not in _GIVING and not self._puts(around):
                return None
            elif isinstance(around, ast.keyword) and around.arg in _WEIGHTS and self._draws(self._parents[around]):
                return DRAWN, names
            elif isinstance(around, ast.Call) and not self._gives(node, around):
                put = self._put(node, around)
                end = ("", put) if put is not None else (SHOWN, names) if self._shows(around) else None
                return end and (end[0], names | end[1])
            node, around = around, self._parents[around]
        held = self._held(node, around, loop)
        return held and (held[0], names | held[1])

    def _held(self, node: ast.AST, statement: ast.AST, loop: ast.AST | None) -> tuple[str, set[str]] | None:
        """The same, of a value that a statement reads."""
        if isinstance(statement, ast.Expr):
            return "", set()
        if isinstance(statement, (ast.For, ast.AsyncFor)) and node is statement.iter:
            return "", _names([statement.target])
        if isinstance(statement, (ast.If, ast.While)):
            done = [*statement.body, *statement.orelse]
            return (SHOWN, set()) if all(map(self._only_shows, done)) else None
        if isinstance(statement, ast.AugAssign):
            return ("", _names([statement.target])) if isinstance(statement.target, ast.Name) else None
        if not isinstance(statement, ast.Assign) or node is not statement.value:
            return None
        names: set[str] = set()
        for target in statement.targets:
            if all(isinstance(one, (ast.Name, ast.Tuple, ast.List, ast.Starred)) for one in walked(target)):
                names |= _names([target])
            elif isinstance(target, ast.Subscript) and self._is_element(target, loop, statement):
                names |= _names([target.value])
            else:
                return None
        return "", names

    def _is_element(self, target: ast.Subscript, loop: ast.AST | None, statement: ast.AST) -> bool:
        """`returns[t]` in the loop that goes over `t`, and an entry under a name: `summary["mean"]`."""
        if not isinstance(target.value, ast.Name):
            return False
        if isinstance(target.slice, ast.Constant):
            return isinstance(target.slice.value, str)
        self._of_loop = True
        if not isinstance(loop, (ast.For, ast.AsyncFor)) or statement not in loop.body:
            return False
        return _names([target.slice]) == _names([loop.target])

    def _only_shows(self, statement: ast.stmt) -> bool:
        if isinstance(statement, ast.If):
            return all(map(self._only_shows, (*statement.body, *statement.orelse)))
        shown = statement.value if isinstance(statement, ast.Expr) else None
        return isinstance(shown, ast.Call) and self._shows(shown)

    # --- calls -------------------------------------------------------------------------------------

    def _dotted(self, called: ast.expr) -> str:
        """What is called, by the name of its module; empty: it is of none."""
        text = unparsed(called) if isinstance(called, (ast.Name, ast.Attribute)) else ""
        root, dot, rest = text.partition(".")
        if root in self._modules:
            return self._modules[root] + dot + rest
        return f"builtins.{text}" if text in _BUILTINS or text == "print" else ""

    def _shows(self, call: ast.Call) -> bool:
        dotted = self._dotted(call.func)
        if dotted:
            return dotted == "builtins.print" or dotted.partition(".")[0] in _SHOWING
        return isinstance(call.func, ast.Attribute) and call.func.attr in _SHOWING_METHODS

    def _gives(self, node: ast.AST, call: ast.Call) -> bool:
        """Whether a call gives numbers, which are known to be of nothing but those that it is given."""
        dotted = self._dotted(call.func)
        root, name = dotted.partition(".")[0], dotted.rpartition(".")[2]
        if not dotted:
            # the argument of a method may be kept by what it is called on; that of a text goes into the text
            text = isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Constant)
            return node is call.func or text
        if dotted.startswith(tuple(f"{one}." for one in _STATISTICS)):
            return True
        return name in _BUILTINS if root == "builtins" else root in _ARRAYS and name in _GIVING

    def _draws(self, call: ast.AST) -> bool:
        """`np.random.choice(n, p=weights)`, `rng.choice(...)`, `random.choices(...)`."""
        return isinstance(call, ast.Call) and last_name(call.func) in array_functions.DRAWING

    def _puts(self, method: ast.Attribute) -> bool:
        return method.attr in _PUTTING and isinstance(method.value, ast.Name)

    def _put(self, node: ast.AST, call: ast.Call) -> set[str] | None:
        """The list that a method puts a value into, or more into; None: it puts it into none."""
        method = call.func
        if not isinstance(method, ast.Attribute) or not self._puts(method):
            return None
        return set() if node is method else _names([method.value])


def _names(nodes: Iterable[ast.AST]) -> set[str]:
    return {one.id for node in nodes for one in walked(node) if isinstance(one, ast.Name)}


def _free(scope: ast.AST) -> set[str]:
    """The names that a scope may have from the one around: all but its parameters, and what a function assigns."""
    names = [one for one in walked(scope) if isinstance(one, ast.Name)]
    if not isinstance(scope, _FUNCTIONS) or any(isinstance(one, (ast.Global, ast.Nonlocal)) for one in walked(scope)):
        return {one.id for one in names}
    given = scope.args
    own = {one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)}
    return {one.id for one in names} - own - {one.id for one in names if isinstance(one.ctx, ast.Store)}


def imported(tree: ast.Module) -> dict[str, str]:
    """The names that a file binds to what it imports, and what that is."""
    found: dict[str, str] = {}
    for one in walked(tree):
        if isinstance(one, ast.Import):
            for name in one.names:
                found[name.asname or name.name.partition(".")[0]] = (
                    name.name if name.asname else name.name.partition(".")[0]
                )
        elif isinstance(one, ast.ImportFrom) and not one.level:
            found.update({name.asname or name.name: f"{one.module}.{name.name}" for name in one.names})
    return found


def scopes(tree: ast.Module) -> Iterator[Scope]:
    """The module, and every function in it."""
    yield tree
    yield from (one for one in walked(tree) if isinstance(one, _FUNCTIONS))


def innermost(found: Collection[Scope], row: int) -> Scope:
    """The scope that a row stands in."""
    around = [one for one in found if not isinstance(one, ast.Module) and one.lineno <= row <= (one.end_lineno or 0)]
    return max(around, key=lambda one: one.lineno, default=next(iter(found)))
