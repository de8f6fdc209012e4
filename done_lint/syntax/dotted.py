"""Dotted names, `a.b.c`, as text and as nodes."""

from __future__ import annotations

import libcst as cst


def dotted(name: cst.BaseExpression) -> str:
    """`a.b.c` of a name or of attributes of a name; empty for anything else."""
    if isinstance(name, cst.Attribute):
        inner = dotted(name.value)
        return f"{inner}.{name.attr.value}" if inner else ""
    return name.value if isinstance(name, cst.Name) else ""


def last_name(name: cst.BaseExpression) -> str:
    """`c` of `a.b.c` and of `f().c`; empty for anything without a name."""
    last = name.attr if isinstance(name, cst.Attribute) else name
    return last.value if isinstance(last, cst.Name) else ""


def base(name: cst.BaseExpression) -> cst.BaseExpression:
    """`a` of `a.b.c`."""
    while isinstance(name, cst.Attribute):
        name = name.value
    return name


def attribute(value: cst.BaseExpression, text: str) -> cst.BaseExpression:
    """`value.b.c` for the text `b.c`."""
    for part in text.split(".") if text else ():
        value = cst.Attribute(value, cst.Name(part))
    return value


def name_node(text: str) -> cst.Attribute | cst.Name:
    """The nodes of a dotted name."""
    first, _, rest = text.partition(".")
    node = attribute(cst.Name(first), rest)
    assert isinstance(node, (cst.Attribute, cst.Name))
    return node
