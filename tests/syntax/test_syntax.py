"""What the rules need of LibCST: scopes, and changed nodes as small edits."""

from __future__ import annotations

import gc
import weakref

import libcst as cst
import pytest

from done_lint.core.apply_edits import apply
from done_lint.core.findings import Edit, Fix
from done_lint.syntax.edits import (
    Edits,
    added_after,
    added_before,
    argument_added,
    argument_removed,
    difference,
    removed,
    replaced,
)
from done_lint.syntax.tree import Tree


def edited(tree: Tree, edits: Edits) -> str:
    """The text of a tree with the edits."""
    return apply(tree.text, [Fix("change", edits)])[0]


def statement(tree: Tree, text: str) -> cst.BaseSmallStatement:
    """The small statement that reads like this."""
    found: list[cst.BaseSmallStatement] = [*tree.of_type(cst.Assign), *tree.of_type(cst.Expr)]
    return next(one for one in found if tree.source(one) == text)


def test_a_difference_is_made_of_whole_words() -> None:
    assert difference("a, done = f(x)", "a, ended = f(x)", 10) == (Edit(13, 17, "ended"),)


def test_a_tree_is_freed_at_once() -> None:
    """The command leaves out the collector of cycles: a tree in a cycle would stay in memory."""
    gc.disable()
    try:
        tree = Tree("def play(env):\n    obs = env.reset()\n    return obs\n")
        assert tree.scopes.mentions(tree.of_type(cst.FunctionDef)[0], "obs")
        alive = weakref.ref(tree)
        del tree
        assert alive() is None
    finally:
        gc.enable()


def test_equal_texts_need_no_edit() -> None:
    assert difference("a = 1", "a = 1", 0) == ()


def test_columns_count_characters() -> None:
    tree = Tree('s = "äöü"; t = old\n')
    name = tree.of_type(cst.Name)[-1]
    assert edited(tree, replaced(tree, name, cst.Name("new"))) == 's = "äöü"; t = new\n'


def test_the_parentheses_of_a_replaced_expression_stay() -> None:
    tree = Tree("x = (\n    old  # why\n)\n")
    old = tree.of_type(cst.Name)[-1]
    assert edited(tree, replaced(tree, old, cst.parse_expression("a or b"))) == "x = (\n    a or b  # why\n)\n"


def test_rows_inside_an_indented_expression_keep_their_indentation() -> None:
    text = "if x:\n    f(\n        old,\n        b,\n    )\n"
    tree = Tree(text)
    call = tree.of_type(cst.Call)[0]
    new = call.with_changes(args=[call.args[0].with_changes(value=cst.Name("new")), call.args[1]])
    assert edited(tree, replaced(tree, call, new)) == text.replace("old", "new")


NEW = cst.ensure_type(cst.parse_statement("b = 2"), cst.SimpleStatementLine).body[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = 1\n", "a = 1\nb = 2\n"),
        ("a = 1", "a = 1\nb = 2"),
        ("a = 1  # why\n", "a = 1  # why\nb = 2\n"),
        ("a = 1\r\n", "a = 1\r\nb = 2\r\n"),
        ("if x:\n\ta = 1\n", "if x:\n\ta = 1\n\tb = 2\n"),
        ("if x: a = 1\n", "if x: a = 1; b = 2\n"),
        ("a = 1; c = 3\n", "a = 1; b = 2; c = 3\n"),
    ],
)
def test_a_statement_comes_behind_another_one(text: str, expected: str) -> None:
    tree = Tree(text)
    assert edited(tree, added_after(tree, statement(tree, "a = 1"), NEW)) == expected


def test_a_statement_comes_before_a_loop() -> None:
    tree = Tree("if x:\n    while y:\n        pass\n")
    loop = tree.of_type(cst.While)[0]
    assert edited(tree, added_before(tree, loop, NEW)) == "if x:\n    b = 2\n    while y:\n        pass\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f()\nx\n", "x\n"),
        ("x\nf()", "x\n"),
        ("if x:\n    f()\n", "if x:\n    pass\n"),
        ("if x: f()\n", "if x: pass\n"),
        ("f(); x\n", "x\n"),
        ("x; f()\n", "x\n"),
        ("x; f(); y\n", "x; y\n"),
        ("f()  # why\nx\n", "# why\nx\n"),
    ],
)
def test_a_statement_goes_and_its_comment_stays(text: str, expected: str) -> None:
    tree = Tree(text)
    assert edited(tree, removed(tree, statement(tree, "f()"))) == expected


def test_names_of_inner_functions_do_not_count_where_they_are_bound_anew() -> None:
    tree = Tree("a = 1\n\ndef f(a):\n    return a\n\ndef g():\n    return b\n\nb = 2\n")
    assert not tree.scopes.is_read(tree.module, "a")
    assert tree.scopes.is_read(tree.module, "b")


def test_a_global_is_always_read() -> None:
    tree = Tree("def f():\n    global a\n    a = 1\n")
    assert tree.scopes.is_read(tree.of_type(cst.FunctionDef)[0], "a")


def test_attributes_and_keywords_are_no_variables() -> None:
    tree = Tree("a = b = 1\nx.a\nf(b=3)\n")
    assert not tree.scopes.is_read(tree.module, "a")
    assert not tree.scopes.is_read(tree.module, "b")


def test_a_taken_name_gets_a_suffix_and_its_companions_the_same() -> None:
    tree = Tree("def f(a):\n    a_1 = 2\n")
    assert tree.scopes.fresh(tree.of_type(cst.FunctionDef)[0], "a", "c") == ("a_2", "c_2")


def test_blocks_that_mix_tabs_and_spaces_keep_every_offset() -> None:
    # Python takes this; LibCST by itself does not.
    text = "def f():\n    for x in y:\n\t    a = old(x,\n\t\tx)\n    return a\n"
    tree = Tree(text)
    old = next(name for name in tree.of_type(cst.Name) if name.value == "old")
    assert edited(tree, replaced(tree, old, cst.Name("new"))) == text.replace("old", "new")
    row = tree.of_type(cst.Assign)[0]
    added = edited(tree, added_after(tree, row, cst.parse_statement("b = 1").body[0]))  # type: ignore[union-attr,arg-type]
    assert "\n\t    b = 1\n    return a\n" in added


def test_what_is_no_python_stays_an_error() -> None:
    with pytest.raises(cst.ParserSyntaxError):
        Tree("def f():\n    x\n\ty\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("f(a)\n", "f()\n"),
        ("f(a,)\n", "f()\n"),
        ("f(a, b)\n", "f(b)\n"),
        ("f(b, a)\n", "f(b)\n"),
        ("f(b, a, c)\n", "f(b, c)\n"),
        ("f((b), (a), c)\n", "f((b), c)\n"),
        ("f(\n    b,  # kept\n    a,\n)\n", "f(\n    b,  # kept\n)\n"),
        ("f(\r\n    a,\r\n    b,\r\n)\r\n", "f(\r\n    b,\r\n)\r\n"),
        ("f(\n    a,  # its own\n)\n", "f(\n      # its own\n)\n"),
    ],
)
def test_an_argument_is_removed_with_its_comma_and_its_row(old: str, new: str) -> None:
    tree = Tree(old)
    (call,) = tree.of_type(cst.Call)
    (argument,) = (one for one in call.args if isinstance(one.value, cst.Name) and one.value.value == "a")
    assert edited(tree, argument_removed(tree, call, argument)) == new


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("f()\n", "f(n=1)\n"),
        ("f(a)\n", "f(a, n=1)\n"),
        ("f((a), *b)\n", "f((a), *b, n=1)\n"),
        ("f(\n    a,\n    b=2,\n)\n", "f(\n    a,\n    b=2,\n    n=1,\n)\n"),
    ],
)
def test_an_argument_is_added_behind_the_last(old: str, new: str) -> None:
    tree = Tree(old)
    (call,) = tree.of_type(cst.Call)
    assert edited(tree, argument_added(tree, call, "n=1")) == new
