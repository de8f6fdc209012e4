"""Compatibility code: where a program chooses between packages, versions and what an object has."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from done_lint.knowledge.env_members import METHODS
from done_lint.knowledge.packages import knows_gym_alone
from done_lint.knowledge.wrapper_attributes import ALWAYS
from done_lint.rewrites.early_guards import is_past_guard
from done_lint.rewrites.imports import module_name
from done_lint.rewrites.optional_modules import is_given_or_none
from done_lint.syntax.arguments import keyword
from done_lint.syntax.dotted import dotted
from done_lint.syntax.shapes import is_name, is_same, only_target, string_value
from done_lint.syntax.tree import Tree

#: What a `try` that expects an attribute to be missing catches.
_MISSING = frozenset({"AttributeError", "Exception", "BaseException"})
#: What a `try` catches that expects an older method, which does not take a keyword of today.
_REFUSED = frozenset({"TypeError", "Exception", "BaseException"})
#: What ends the program.
_EXITS = frozenset({"exit", "quit", "sys.exit", "os._exit"})
#: A `try` around more statements than these is not there for one of them.
_FEW = 3
#: Functions that look for a module without importing it.
_FINDERS = frozenset({"find_spec", "find_loader", "find_module"})
_IMPORT_ERRORS = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})


def chooses_import(tree: Tree, node: cst.CSTNode) -> bool:
    """Whether an import stands where a program chooses between packages or versions, or imports both."""
    if _imports(node, "gym") and _old_names(tree):
        return True
    for ancestor in tree.ancestors(node):
        if isinstance(ancestor, (cst.Try, cst.TryStar)) and (
            _catches_import_error(ancestor)
            or (_catches_import_error(ancestor, given_up=True) and is_given_or_none(tree, ancestor))
        ):
            return not (knows_gym_alone(tree.text) and _is_optional(tree, ancestor))
        if isinstance(ancestor, cst.If) and (_is_choice(tree, ancestor) or _takes_either(tree, ancestor)):
            return True
        if isinstance(ancestor, cst.FunctionDef):
            return _looks_for_gym(tree, ancestor)
        if isinstance(ancestor, cst.ClassDef):
            return False
    return False


def _looks_for_gym(tree: Tree, function: cst.FunctionDef) -> bool:
    """Whether a function asks whether Gym is installed: `if find_spec("gym") is None: return`."""
    calls = (one for one in tree.descend(function.body) if isinstance(one, cst.Call) and one.args)
    found = (one.args[0].value for one in calls if dotted(one.func).rpartition(".")[2] in _FINDERS)
    return any(isinstance(one, cst.SimpleString) and string_value(one) == "gym" for one in found)


def _is_optional(tree: Tree, block: cst.Try | cst.TryStar) -> bool:
    """Whether the library as a whole may be missing, no handler imports from another place of it, and it is used.

    What nothing uses is no more than a question whether Gym is installed, which something else may need.
    """
    imports = [one for one in tree.descend(block.body) if _imports(one, "gym")]
    whole = any(isinstance(one, cst.Import) for one in imports)
    handled = (one for handler in block.handlers for one in tree.descend(handler))
    return whole and any(_is_used(tree, one) for one in imports) and not any(_imports(one, "gym") for one in handled)


def _is_used(tree: Tree, statement: cst.CSTNode) -> bool:
    """Whether something reads a name that an import binds; `*` may bind any."""
    if not isinstance(statement, (cst.Import, cst.ImportFrom)) or isinstance(statement.names, cst.ImportStar):
        return True
    names = ((alias.evaluated_alias or dotted(alias.name)).partition(".")[0] for alias in statement.names)
    return any(tree.scopes.is_read(tree.scope(statement), name) for name in names)


def is_last_resort(tree: Tree, node: cst.CSTNode) -> bool:
    """Whether an import stands in the handler of a choice that never tries Gymnasium: it is between releases of Gym."""
    handler = next((one for one in tree.ancestors(node) if isinstance(one, cst.ExceptHandler)), None)
    block = tree.parents[handler] if handler is not None else None
    if not isinstance(block, (cst.Try, cst.TryStar)) or not _catches_import_error(block):
        return False
    return all(one.value != "gymnasium" for one in tree.descend(block) if isinstance(one, cst.Name))


def asks_first(tree: Tree, node: cst.CSTNode) -> bool:
    """Whether an attribute is used behind `hasattr`, or where it is expected to be missing: a `try`, a test.

    A test above that leaves where it is missing is one as well.

    So is what the old library is asked for where the program keeps both.
    """
    if _first_name(node) in _old_names(tree) or is_past_guard(tree, node, _receiver(node), _last_name(node)):
        return True
    below = node
    for ancestor in tree.ancestors(node):
        if isinstance(ancestor, (cst.If, cst.IfExp)) and _is_asked(tree, ancestor.test, node):
            return True
        if isinstance(ancestor, cst.BooleanOperation) and _is_asked(tree, ancestor.left, node):
            return True
        if isinstance(ancestor, cst.With) and any(_expects_error(one.item) for one in ancestor.items):
            return True
        if isinstance(ancestor, cst.Try) and (
            _expects_missing(tree, ancestor, below, node) or _is_after_seeded_reset(tree, below, node)
        ):
            return True
        if isinstance(ancestor, cst.FunctionDef):
            return False
        below = ancestor
    return False


def is_asked_for(tree: Tree, place: tuple[int, int]) -> bool:
    """Whether the program asks first whether the attribute at a place, a row and a column, is there."""
    return any(asks_first(tree, one) for one in tree.of_type(cst.Attribute) if tree.span(one)[:2] == place)


def _is_asked(tree: Tree, test: cst.BaseExpression, node: cst.CSTNode) -> bool:
    """Whether a test asks for what a node uses: `hasattr(env, "seed")`, `getattr(env, "seed", None)`, in `dir(env)`."""
    parts = list(tree.descend(test))
    return any(_asks_for(tree, one, node) for one in parts if isinstance(one, cst.Call)) or any(
        _is_listed(one, _last_name(node)) for one in parts if isinstance(one, cst.Comparison)
    )


def _is_listed(test: cst.Comparison, name: str) -> bool:
    """`"seed" in dir(env)`."""
    if len(test.comparisons) != 1 or string_value(test.left) != name:
        return False
    operator, listed = test.comparisons[0].operator, test.comparisons[0].comparator
    return isinstance(operator, cst.In) and isinstance(listed, cst.Call) and is_name(listed.func, "dir", "vars")


def _asks_for(tree: Tree, call: cst.Call, node: cst.CSTNode) -> bool:
    """Whether a call asks for an attribute by the name that a node uses, or what kind of object or library this is."""
    if not is_name(call.func, "hasattr", "getattr") or len(call.args) != (2 if is_name(call.func, "hasattr") else 3):
        return False
    asked, name = call.args[0].value, string_value(call.args[1].value)
    if name == _last_name(node) or dotted(asked).partition(".")[0] in _libraries(tree):
        return True
    receiver = _receiver(node)
    same = receiver is not None and f"{tree.source(receiver)}.".startswith(f"{tree.source(asked)}.")
    # what an object is has no bearing on what it holds, and what every environment has tells none from another
    return same and not _is_own(tree, asked, node) and name not in ALWAYS | METHODS


def _receiver(node: cst.CSTNode) -> cst.BaseExpression | None:
    """`env` of `env.seed(0)` and of `env.seed`."""
    function = node.func if isinstance(node, cst.Call) else node
    return function.value if isinstance(function, cst.Attribute) else None


def _is_own(tree: Tree, asked: cst.BaseExpression, node: cst.CSTNode) -> bool:
    """Whether an object is the first parameter of the method that a node stands in: `self`."""
    method = tree.scope(node)
    _, around, *_ = [*tree.ancestors(method), None, None]
    if not isinstance(method, cst.FunctionDef) or not isinstance(around, cst.ClassDef):
        return False
    return any(is_name(asked, one.name.value) for one in method.params.params[:1])


def _libraries(tree: Tree) -> set[str]:
    """The names that the file has for the two libraries."""
    return {name for one in ("gym", "gymnasium") if (name := module_name(tree, one))}


def _expects_missing(tree: Tree, block: cst.Try, part: cst.CSTNode, node: cst.CSTNode) -> bool:
    """Whether a `try` is there because what a part of it uses may be missing, and the program goes on without.

    A `try` around much more may be there for any error; one whose handler raises again or leaves is no other way, nor
    is one that calls the same again with other arguments.
    """
    name = _last_name(node)
    handlers = [one for one in block.handlers if _catches(tree, one, _MISSING)]
    if not handlers or part is block.finalbody:
        return False
    short = _statements(tree, block.body) <= _FEW
    if part in block.handlers:
        return short and not _calls_too(tree, block.body, node)
    return any(
        not _gives_up(one.body) and (short or _mentions(tree, one.body, name)) and not _calls_too(tree, one.body, node)
        for one in handlers
    )


def _calls_too(tree: Tree, body: cst.CSTNode, node: cst.CSTNode) -> bool:
    """Whether a block calls what a node calls: `gym.vector.make` in the `try`, and in its handler."""
    function = node.func if isinstance(node, cst.Call) else node
    if not isinstance(function, (cst.Attribute, cst.Name)):
        return False
    return any(is_same(one.func, function) for one in tree.inside(cst.Call, body))


def _catches(tree: Tree, handler: cst.ExceptHandler, kinds: frozenset[str]) -> bool:
    """Whether a handler is there for one of these errors, or for any."""
    return handler.type is None or bool(kinds.intersection(re.findall(r"\w+", tree.source(handler.type))))


def _is_after_seeded_reset(tree: Tree, part: cst.CSTNode, node: cst.CSTNode) -> bool:
    """Whether a part of a `try` runs where `reset(seed=...)` of the same object was refused: that object is an old one.

    Gymnasium's own `reset` takes a seed, so what runs behind the error is only there for what does not.
    """
    receiver, block = _receiver(node), tree.parents[part]
    if receiver is None or not isinstance(part, cst.ExceptHandler) or not _catches(tree, part, _REFUSED):
        return False
    if not isinstance(block, cst.Try):
        return False
    calls = [one for one in tree.descend(block.body) if isinstance(one, cst.Call) and _last_name(one) == "reset"]
    seeded = [_receiver(one) for one in calls if any(keyword(argument) == "seed" for argument in one.args)]
    return any(one is not None and is_same(one, receiver) for one in seeded)


def _statements(tree: Tree, body: cst.CSTNode) -> int:
    """How many statements a block has, with those inside them."""
    return sum(isinstance(one, (cst.BaseSmallStatement, cst.BaseCompoundStatement)) for one in tree.descend(body))


def _gives_up(body: cst.BaseSuite) -> bool:
    """Whether a handler ends by raising, leaving the function or the loop, or ending the program."""
    last = _last(body)
    if isinstance(last, cst.Return):
        return _returns_none(body)
    if isinstance(last, cst.Expr) and isinstance(last.value, cst.Call):
        return dotted(last.value.func) in _EXITS
    return isinstance(last, (cst.Raise, cst.Break))


def _returns_none(body: cst.BaseSuite) -> bool:
    """`return`, `return None`."""
    last = _last(body)
    return isinstance(last, cst.Return) and (last.value is None or is_name(last.value, "None"))


def _last(body: cst.BaseSuite) -> cst.CSTNode:
    """The last statement of a block."""
    last = body.body[-1]
    return last.body[-1] if isinstance(last, cst.SimpleStatementLine) else last


def _mentions(tree: Tree, body: cst.CSTNode, name: str) -> bool:
    """Whether a block uses an attribute of this name: it does in another way what was tried."""
    return any(isinstance(one, cst.Attribute) and one.attr.value == name for one in tree.descend(body))


def _last_name(node: cst.CSTNode) -> str:
    """`seed` of `env.seed(0)` and of `env.seed`."""
    function = node.func if isinstance(node, cst.Call) else node
    return function.attr.value if isinstance(function, cst.Attribute) else ""


def _old_names(tree: Tree) -> frozenset[str]:
    """Names of the old library in a file that imports the new one too: `import gym as old_gym`, `import gymnasium`."""
    imports = tree.of_type(cst.Import)
    if not any(_imports(node, "gymnasium") for node in imports):
        return frozenset()
    aliases = [alias for node in imports for alias in node.names if dotted(alias.name) == "gym"]
    names = [alias.asname.name for alias in aliases if alias.asname is not None]
    return frozenset(name.value for name in names if isinstance(name, cst.Name) and name.value != "gym")


def _imports(node: cst.CSTNode, package: str) -> bool:
    """Whether a statement imports a package, or from it."""
    modules: list[cst.Attribute | cst.Name] = []
    if isinstance(node, cst.Import):
        modules = [alias.name for alias in node.names]
    elif isinstance(node, cst.ImportFrom) and node.module is not None and not node.relative:
        modules = [node.module]
    return any(dotted(module).split(".")[0] == package for module in modules)


def _first_name(node: cst.CSTNode) -> str:
    """`gym` of `gym.wrappers.FrameStack(env)`."""
    while isinstance(node, (cst.Attribute, cst.Call)):
        node = node.func if isinstance(node, cst.Call) else node.value
    return node.value if isinstance(node, cst.Name) else ""


def expects(tree: Tree, node: cst.CSTNode, error: str) -> bool:
    """Whether a test says that what happens here raises this error: `with pytest.raises(ValueError)`."""
    return any(call.args and is_name(call.args[0].value, error) for call in _expectations(tree, node))


def may_be_refused(tree: Tree, node: cst.CSTNode) -> bool:
    """Whether a call stands in a `try` that goes on where it raises `TypeError`."""
    below = node
    for ancestor in tree.ancestors(node):
        if isinstance(ancestor, cst.Try) and below is ancestor.body:
            handlers = [one for one in ancestor.handlers if _catches(tree, one, _REFUSED)]
            if any(not _gives_up(one.body) for one in handlers):
                return True
        if isinstance(ancestor, cst.FunctionDef):
            return False
        below = ancestor
    return False


def is_expected_to_fail(tree: Tree, node: cst.CSTNode) -> bool:
    """Whether a test says that what happens here raises: `with pytest.raises(...)`."""
    return any(True for _ in _expectations(tree, node))


def is_refused(tree: Tree, node: cst.CSTNode) -> bool:
    """Whether a class is there only to be refused: all that uses it stands where a test says that it raises."""
    owner = next((one for one in (node, *tree.ancestors(node)) if isinstance(one, cst.ClassDef)), None)
    if owner is None:
        return False
    reads = tree.scopes.reads(tree.scope(owner), owner.name.value)
    return bool(reads) and all(is_expected_to_fail(tree, one) or _is_refused_later(tree, one) for one in reads)


def _is_refused_later(tree: Tree, read: cst.Name) -> bool:
    """`env = Old()`, and then `with pytest.raises(ValueError): check(env)`."""
    call = tree.parents[read]
    target = only_target(tree.parents[call]) if isinstance(call, cst.Call) and call.func is read else None
    if not isinstance(target, cst.Name):
        return False
    uses = tree.scopes.reads(tree.scope(call), target.value)
    return bool(uses) and all(is_expected_to_fail(tree, one) for one in uses)


def _expectations(tree: Tree, node: cst.CSTNode) -> Iterator[cst.Call]:
    """The calls around a node that say that it raises."""
    items = (item.item for one in tree.ancestors(node) if isinstance(one, cst.With) for item in one.items)
    return (one for one in items if isinstance(one, cst.Call) and _expects_error(one))


def _expects_error(item: cst.BaseExpression) -> bool:
    """`pytest.raises(...)`, `self.assertRaises(...)`."""
    called = dotted(item.func).rpartition(".")[2] if isinstance(item, cst.Call) else ""
    return called == "raises" or called.startswith("assertRaises")


def _is_choice(tree: Tree, branch: cst.If) -> bool:
    """A test for the type checker, a version, or an installed package."""
    words = {node.value.lower() for node in tree.descend(branch.test) if isinstance(node, cst.Name)}
    return any(
        word == "type_checking" or "version" in word or word in ("find_spec", "is_gymnasium", "parse_version")
        for word in words
    )


def _takes_either(tree: Tree, branch: cst.If) -> bool:
    """Whether one library is imported in a branch, and the other one beside it: `if old_task: import gym`."""
    here = tree.descend(branch)
    return any(_imports(one, "gym") for one in here) and any(_imports(one, "gymnasium") for one in _all_imports(tree))


def _all_imports(tree: Tree) -> list[cst.CSTNode]:
    return [*tree.of_type(cst.Import), *tree.of_type(cst.ImportFrom)]


def _catches_import_error(block: cst.Try | cst.TryStar, *, given_up: bool = False) -> bool:
    """`except ImportError`, `except ModuleNotFoundError`, and handlers of everything; not those that raise again.

    With `given_up` it is about those that end by returning nothing.
    """
    for handler in block.handlers:
        if _gives_up(handler.body) and not (given_up and _returns_none(handler.body)):
            continue
        kind = handler.type
        kinds = [element.value for element in kind.elements] if isinstance(kind, cst.Tuple) else [kind]
        for one in kinds:
            if one is None or (isinstance(one, cst.Name) and one.value in _IMPORT_ERRORS):
                return True
    return False
