"""What rules and rewrites share while they look at one file."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Concatenate, ParamSpec, TypeVar, cast

import libcst as cst

from done_lint.core.findings import Family, Span
from done_lint.core.gymnasium_release import Release, Supported, shown
from done_lint.facts.facts import Facts
from done_lint.knowledge.gymnasium_changes import below_root
from done_lint.rewrites.blocking_names import needed, removed_names
from done_lint.rewrites.outcome import Outcome
from done_lint.rewrites.step_tuple.returns import OldReturn, old_returns
from done_lint.rewrites.step_tuple.unpacking import Unpacking, unpackings
from done_lint.syntax.bound_names import Names
from done_lint.syntax.name_flow import names_of
from done_lint.syntax.tree import Tree

Arguments = ParamSpec("Arguments")


Answer = TypeVar("Answer")
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


@dataclass
class Context:
    """What the rules share while they look at one file."""

    path: str
    tree: Tree
    facts: Facts
    #: The releases of Gymnasium that the file has to run with.
    releases: Supported = field(default_factory=Supported)
    #: Outcomes that findings of several rules share, by the node that they change.
    shared: dict[cst.CSTNode, Outcome] = field(default_factory=dict)
    #: Answers of functions that look at the whole file (`per_file`).
    kept: dict[Hashable, object] = field(default_factory=dict)

    @property
    def target(self) -> Release:
        """The newest release that the file has to run with: what a finding is about."""
        return self.releases.newest

    def lacking(self, since: Release) -> str:
        """Why there is no fix with something that is there since a release; empty where all releases have it."""
        if self.releases.lowest >= since:
            return ""
        return f"the project also runs with Gymnasium {shown(self.releases.lowest)}, which does not have it"

    @cached_property
    def families_by_row(self) -> dict[int, list[tuple[Span, Family]]]:
        """The families of environments (see `Facts.families`), by the row where the expression begins."""
        found: dict[int, list[tuple[Span, Family]]] = {}
        for span, family in self.facts.families.items():
            found.setdefault(span.row, []).append((span, family))
        return found

    @cached_property
    def old_returns(self) -> Sequence[OldReturn]:
        """Every tuple of four that an environment class's own `step` returns."""
        return old_returns(self.tree, self.facts)

    @cached_property
    def stays_in_part(self) -> str:
        """Why the file cannot move as a whole, in one clause: it needs a name that Gymnasium has removed; or empty."""
        name = next(removed_names(self.tree, self.target), "")
        return needed(below_root(name), self.target) if name else ""

    @cached_property
    def bound_names(self) -> Names | None:
        """Which bindings arrive where a name is read; None where the file is no Python."""
        return names_of(self.tree.text)

    @cached_property
    def assignments(self) -> dict[int, cst.CSTNode]:
        """The assignments of the file, by where they begin."""
        found: Iterator[cst.CSTNode] = (one for kind in (cst.Assign, cst.AnnAssign) for one in self.tree.of_type(kind))
        return {self.tree.offsets(one)[0]: one for one in found}

    def is_binding_read(self, target: cst.Name, statement: cst.CSTNode) -> bool:
        """Whether anything in the file may read the value that a statement binds to a name."""
        names = self.bound_names
        if names is None or self.tree.scopes.is_declared(target.value):
            return True
        return (target.value, self.tree.offsets(statement)[0]) in names.by_binding

    @cached_property
    def unpackings(self) -> Sequence[Unpacking]:
        """Every place where a step's result is taken apart."""
        return unpackings(self.tree, self.facts)


def per_file(
    look: Callable[Concatenate[Context, Arguments], Answer],
) -> Callable[Concatenate[Context, Arguments], Answer]:
    """Keep what a function finds in a file: what is asked for at each finding must not walk the file each time."""

    @wraps(look)
    def kept(context: Context, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Answer:
        key = (look, args, tuple(kwargs.items()))
        if key not in context.kept:
            context.kept[key] = look(context, *args, **kwargs)
        return cast("Answer", context.kept[key])

    return kept


def grouped(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, list[Value]]:
    """The values of each key, in their order."""
    found: dict[Key, list[Value]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found
