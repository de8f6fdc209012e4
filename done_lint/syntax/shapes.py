"""What a node is, asked in one question."""

from __future__ import annotations

import ast

import libcst as cst


def is_name(node: cst.CSTNode | None, *names: str) -> bool:
    """Whether the node is one of these plain names, `True`, `False` and `None` among them."""
    return isinstance(node, cst.Name) and node.value in names


def is_number(node: cst.CSTNode | None, text: str) -> bool:
    """Whether the node is this integer, as it is written."""
    return isinstance(node, cst.Integer) and node.value == text


def is_larger_than_one(node: cst.CSTNode | None) -> bool:
    """Whether the node is an integer above 1, as it is written."""
    return isinstance(node, cst.Integer) and node.evaluated_value > 1


def string_value(node: cst.CSTNode | None) -> str:
    """The text of a plain string; empty for anything else."""
    value = node.evaluated_value if isinstance(node, cst.SimpleString) else ""
    return value if isinstance(value, str) else ""


def is_same(one: cst.BaseExpression, other: cst.BaseExpression) -> bool:
    """Whether two expressions are the same but for their spacing, quotes and parentheses."""
    first, second = (ast.parse(f"({cst.Module([]).code_for_node(node)}\n)", mode="eval") for node in (one, other))
    return ast.dump(first) == ast.dump(second)


def method_called(node: cst.CSTNode | None) -> str:
    """`reset` of `env.reset()`; empty for what is no call of a method."""
    func = node.func if isinstance(node, cst.Call) else None
    return func.attr.value if isinstance(func, cst.Attribute) else ""


def only_target(statement: cst.CSTNode | None) -> cst.BaseExpression | None:
    """The target of an assignment that is not chained."""
    if not isinstance(statement, cst.Assign) or len(statement.targets) != 1:
        return None
    return statement.targets[0].target


def only_index(node: cst.Subscript) -> cst.BaseExpression | None:
    """`i` of `x[i]`; none for slices and several dimensions."""
    index = node.slice[0].slice if len(node.slice) == 1 else None
    return index.value if isinstance(index, cst.Index) else None


def is_place(node: cst.CSTNode | None) -> bool:
    """Whether an expression reads where a value is kept, and may be read twice: `result`, `self.logs["result"]`."""
    if isinstance(node, cst.Attribute):
        return is_place(node.value)
    if isinstance(node, cst.Subscript):
        index = only_index(node)
        return is_place(node.value) and (isinstance(index, (cst.SimpleString, cst.Integer)) or is_place(index))
    return isinstance(node, cst.Name)


def is_main_guard(node: cst.CSTNode | None) -> bool:
    """Whether the node is `if __name__ == "__main__":`."""
    test = node.test if isinstance(node, cst.If) else None
    sides = [test.left, *(one.comparator for one in test.comparisons)] if isinstance(test, cst.Comparison) else []
    return any(is_name(one, "__name__") for one in sides)


def is_negation(node: cst.CSTNode | None) -> bool:
    """Whether the node is `not x`."""
    return isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not)


def is_with_truth(node: cst.Comparison) -> bool:
    """Whether the node is `x == True`, `x != False` or the like: of an array, that is one truth for each element."""
    if len(node.comparisons) != 1:
        return False
    (asked,) = node.comparisons
    return isinstance(asked.operator, (cst.Equal, cst.NotEqual)) and is_name(asked.comparator, "True", "False")
