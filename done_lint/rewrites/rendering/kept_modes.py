"""What lets a class take the mode that it is made with, keep it, and list it in its metadata."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from done_lint.core.findings import Edit
from done_lint.facts.kinds.classes import EnvClass
from done_lint.knowledge.rendering import METADATA_KEYS, MODES
from done_lint.rewrites.context import Context
from done_lint.rewrites.env_methods import is_of_own, is_own, method, own_name
from done_lint.syntax.docstrings import docstring
from done_lint.syntax.edits import Edits, added_after, added_before, indentation, newline
from done_lint.syntax.shapes import is_name, string_value
from done_lint.syntax.tree import Tree

_MODE_KEYS = frozenset({"render.modes", METADATA_KEYS["render.modes"]})


class KeptModes:
    """Writes `render_mode` into the classes of a file."""

    def __init__(self, context: Context) -> None:
        """Look at nothing yet."""
        self._context = context
        self._tree = context.tree
        self._facts = context.facts

    def edits(
        self, owner: cst.ClassDef, known: EnvClass, default: cst.BaseExpression | None, used: Sequence[cst.Name]
    ) -> Edits | str:
        """What lets the class take and keep the mode; a string says why that cannot be."""
        if known.wrapper or self._keeps_mode(owner):
            return self._other_mode(owner, default, used)
        if known.parents or known.base.rpartition(".")[2] != "Env":
            return "its base class may store the mode itself"
        stored = self._stored(owner, self._tree.source(default) if default is not None else "None")
        listed = self._listed(owner, default, used) if default is not None else ()
        if isinstance(stored, str) or isinstance(listed, str):
            return stored if isinstance(stored, str) else listed
        return (*listed, *stored)

    def _other_mode(
        self, owner: cst.ClassDef, default: cst.BaseExpression | None, used: Sequence[cst.Name]
    ) -> Edits | str:
        """Nothing to add where the class keeps its mode; a string says that this is no mode of `render`."""
        begin = method(owner, "__init__")
        params = (*begin.params.params, *begin.params.kwonly_params) if begin is not None else ()
        own = next((one.default for one in params if one.name.value == "render_mode"), None)
        mode = string_value(own) if own is not None else ""
        compared = {text for read in used for text in self._compared(read)}
        asked = {*compared, string_value(default) if default is not None else ""}
        if not mode or not compared or mode in asked or mode.removesuffix("_list") in MODES:
            return ()
        if any(modes is not None and mode in modes for modes in self._listings(owner)):
            return ()
        return f"`self.render_mode` is `{mode}` by default, which `render` does not know as a mode"

    def _listed(self, owner: cst.ClassDef, default: cst.BaseExpression, used: Sequence[cst.Name]) -> Edits | str:
        """The modes in `metadata`, without which `render` raises; a string says why they cannot be listed."""
        mode = string_value(default)
        if is_name(default, "None"):
            return ()
        if listings := self._listings(owner):
            missing = mode and any(modes is not None and mode not in modes for modes in listings)
            return f"its metadata does not list the mode `{mode}`, which it draws in by default" if missing else ()
        if not mode:
            return "the class lists no modes, and the one that it draws in by default is not visible"
        if len(owner.bases) > 1 and self._tree.span(owner.bases[0].value) not in self._facts.names:
            return "the class lists no modes, and another base may do so"
        compared = [one for read in used for one in self._compared(read)]
        return self._metadata(owner, list(dict.fromkeys([mode, *compared])))

    def _listings(self, owner: cst.ClassDef) -> list[frozenset[str] | None]:
        """The modes that each metadata of the class lists; None where that is not visible, or nothing is checked."""
        found: list[tuple[cst.Assign | cst.AnnAssign, list[cst.BaseAssignTargetExpression]]]
        found = [(one, [target.target for target in one.targets]) for one in self._tree.of_type(cst.Assign)]
        found += [(one, [one.target]) for one in self._tree.of_type(cst.AnnAssign)]
        of_class = [one for one, targets in found if any(self._is_metadata_of(owner, target) for target in targets)]
        if not of_class and self._tree.scopes.bindings(owner, "metadata"):
            return [None]
        return [_modes(one.value) for one in of_class]

    def _is_metadata_of(self, owner: cst.ClassDef, target: cst.BaseExpression) -> bool:
        """Whether `metadata = ...` or `self.metadata = ...` stands in the class, or `Walk.metadata = ...` anywhere."""
        if isinstance(target, cst.Attribute) and target.attr.value == "metadata":
            inside = owner in self._tree.ancestors(target) and is_of_own(self._context, target.value)
            return inside or is_name(target.value, owner.name.value)
        return is_name(target, "metadata") and self._tree.scope(target) is owner

    def _compared(self, read: cst.Name) -> list[str]:
        """The texts that a comparison compares the mode with."""
        above = self._tree.parents[read]
        comparison = above if isinstance(above, cst.Comparison) else self._tree.parents[above]
        if not isinstance(comparison, cst.Comparison):
            return []
        texts = [one for one in self._tree.descend(comparison) if isinstance(one, cst.SimpleString)]
        return [string_value(one) for one in sorted(texts, key=self._tree.span) if string_value(one)]

    def _metadata(self, owner: cst.ClassDef, modes: Sequence[str]) -> Edits:
        """`metadata = {"render_modes": [...]}` as the first statement of the class."""
        first = owner.body.body[int(docstring(owner) is not None)]
        decorators = first.decorators if isinstance(first, (cst.FunctionDef, cst.ClassDef)) else ()
        row = self._tree.span(decorators[0] if decorators else first).row
        while self._tree.lines.row(row - 1).lstrip().startswith("#"):
            row -= 1
        start, line = self._tree.lines.offset(row, 0), newline(self._tree)
        listed = ", ".join(f'"{mode}"' for mode in modes)
        gap = "" if isinstance(first, cst.SimpleStatementLine) else line
        text = f'{indentation(self._tree, first)}metadata = {{"render_modes": [{listed}]}}{line}{gap}'
        return (Edit(start, start, text),)

    def _stored(self, owner: cst.ClassDef, default: str) -> Edits | str:
        """What lets `__init__` take and keep the mode; a string says why that cannot be."""
        begin = method(owner, "__init__")
        if begin is None or not isinstance(begin.body, cst.IndentedBlock) or not own_name(begin):
            return "the class has no `__init__` that could take the mode"
        if begin.params.kwonly_params or isinstance(begin.params.star_arg, cst.Param) or begin.params.posonly_params:
            return "the parameter list of `__init__` is not supported"
        rest = begin.params.star_kwarg
        if rest is not None and self._tree.scopes.reads(begin, rest.name.value):
            return "`__init__` hands on what it does not name, and `render_mode` may be among it"
        if self._tree.scopes.mentions(begin, "render_mode"):
            return "`__init__` uses the name `render_mode` already"
        return (*self._parameter(begin, default), *self._assignment(begin))

    def _keeps_mode(self, owner: cst.ClassDef) -> bool:
        """Somewhere the class sets `render_mode`."""
        return bool(self._tree.scopes.bindings(owner, "render_mode")) or any(
            isinstance(target, cst.AssignTarget)
            and isinstance(target.target, cst.Attribute)
            and target.target.attr.value == "render_mode"
            and is_own(self._context, target.target.value)
            for target in self._tree.descend(owner)
        )

    def _parameter(self, begin: cst.FunctionDef, default: str) -> Edits:
        """`render_mode=...` behind the other parameters, on a line of its own where they have theirs."""
        last = begin.params.params[-1]
        end = end_of_parameter(self._tree, last)
        row = self._tree.lines.row(self._tree.span(last).row)
        alone = not row[: self._tree.span(last).column].strip()
        gap = f"\n{indentation(self._tree, last)}" if alone else " "
        newline = "\r\n" if "\r\n" in self._tree.text else "\n"
        return (Edit(end, end, f",{gap}render_mode={default}".replace("\n", newline)),)

    def _assignment(self, begin: cst.FunctionDef) -> Edits:
        own = own_name(begin)
        target = cst.AssignTarget(cst.Attribute(cst.Name(own), cst.Name("render_mode")))
        statement = cst.Assign([target], cst.Name("render_mode"))
        body = begin.body.body
        documented = docstring(begin) is not None
        if documented and len(body) == 1 and isinstance(body[0], cst.SimpleStatementLine):
            return added_after(self._tree, body[0].body[-1], statement)
        return added_before(self._tree, body[int(documented)], statement)


def end_of_parameter(tree: Tree, param: cst.Param) -> int:
    """Where a parameter ends, its annotation and default included."""
    last = param.default or (param.annotation.annotation if param.annotation is not None else param.name)
    closing = "".join(tree.module.code_for_node(one) for one in last.rpar)
    return tree.offsets(last)[1] + len(closing)


def _modes(metadata: cst.BaseExpression | None) -> frozenset[str] | None:
    """The modes that a literal lists; None where it lists none, or they are not all visible."""
    for one in metadata.elements if isinstance(metadata, cst.Dict) else ():
        if isinstance(one, cst.DictElement) and string_value(one.key) in _MODE_KEYS:
            texts = one.value.elements if isinstance(one.value, (cst.List, cst.Tuple)) else ()
            modes = frozenset(string_value(text.value) for text in texts)
            return modes if isinstance(one.value, (cst.List, cst.Tuple)) and "" not in modes else None
    return None
