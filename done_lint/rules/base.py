"""What a rule is: a visitor that finds, a transformer that mends, and the page that explains both."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from typing import ClassVar, Concatenate, ParamSpec, TypeVar, cast

import libcst as cst

from done_lint.core.codes import CODES
from done_lint.core.findings import Certainty, Finding, Fix, Related, Span
from done_lint.core.gymnasium_release import NEWEST, Release
from done_lint.facts.facts import Env, Facts
from done_lint.rewrites.blocking_names import removed_names
from done_lint.rewrites.step_tuple.returns import OldReturn, old_returns
from done_lint.rewrites.step_tuple.unpacking import Unpacking, unpackings
from done_lint.syntax.edits import Edits
from done_lint.syntax.tree import Tree

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


@dataclass
class Context:
    """What the rules share while they look at one file."""

    path: str
    tree: Tree
    facts: Facts
    #: The release of Gymnasium to migrate to.
    target: Release = NEWEST
    #: Fixes that findings of several rules share, by the node that they mend.
    shared: dict[cst.CSTNode, Mend] = field(default_factory=dict)
    #: Answers of functions that look at the whole file (`per_file`).
    kept: dict[Hashable, object] = field(default_factory=dict)

    @cached_property
    def old_returns(self) -> Sequence[OldReturn]:
        """Every tuple of four that an environment class's own `step` returns."""
        return old_returns(self.tree, self.facts)

    @cached_property
    def stays(self) -> bool:
        """Whether the file has to keep the old package, for something that Gymnasium has removed."""
        return next(removed_names(self.tree, self.target), "") != ""

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


@dataclass(frozen=True, slots=True)
class Mend:
    """A fix, or the reason why there is none."""

    fix: Fix | None = None
    unfixed: str = ""
    #: Reads of the time limit key that the fix changes too.
    reads: frozenset[cst.CSTNode] = frozenset()


class Rule(cst.CSTVisitor):
    """One rule: `visit_<node>` methods look at the nodes of that type and report.

    The file is walked once for all rules (`run`), so these methods see nodes in no particular nesting
    and return nothing. Facts come by span, never from names.
    """

    code: ClassVar[str]

    def __init__(self, context: Context) -> None:
        """Start on one file."""
        super().__init__()
        self.context = context
        self.tree = context.tree
        self.facts = context.facts
        self.findings: list[Finding] = []

    @classmethod
    def slug(cls) -> str:
        """The rule's name."""
        return CODES[cls.code]

    def run(self) -> list[Finding]:
        """Look at every node that the rule has a method for."""
        for attribute in vars(type(self)):
            if attribute.startswith("visit_"):
                look: Callable[[cst.CSTNode], object] = getattr(self, attribute)
                for node in self.tree.nodes.get(attribute.removeprefix("visit_"), ()):
                    look(node)
        return self.findings

    def span(self, node: cst.CSTNode) -> Span:
        """The node's span: the key of the model's facts."""
        return self.tree.span(node)

    def source(self, node: cst.CSTNode) -> str:
        """The node as the user wrote it, on one line, shortened for a message."""
        text = " ".join(self.tree.source(node).split())
        return text if len(text) <= 60 else f"{text[:57]}..."

    def report(
        self,
        place: cst.CSTNode | Span,
        message: str,
        *,
        help: str = "",
        fix: Fix | None = None,
        unfixed: str = "",
        related: Sequence[Related] = (),
        env: Env | None = None,
        certainty: Certainty = "proven",
    ) -> None:
        """Say that something is wrong at `place`; `env` is what speaks another API there, and how sure that is."""
        if env is not None:
            certainty = env.certainty
            if env.maker:
                help = f"{help}; leave it, if `{env.maker}` makes the environment and has not moved to Gymnasium"
        if fix is not None and fix.safety == "safe" and (self.facts.kept_by or (env is not None and env.maker)):
            # half a move: what the environments answer, or what the file is made of, stays with Gym
            fix = replace(fix, safety="unsafe")
        self.findings.append(
            Finding(
                code=self.code,
                name=self.slug(),
                message=message,
                path=self.context.path,
                span=self.span(place) if isinstance(place, cst.CSTNode) else place,
                help=help,
                fix=fix,
                unfixed=unfixed,
                related=tuple(related),
                certainty=certainty,
            )
        )

    def elsewhere(self, node: cst.CSTNode, place: Related) -> tuple[Related, ...]:
        """The place, if it tells more than the node itself does."""
        here = self.span(node)
        inside = place.path == self.context.path and here.row <= place.span.row <= here.end_row
        return () if inside or not place.path else (place,)


def fix_of(title: str, *edits: Edits, safe: bool = True, together: tuple[str, ...] = ()) -> Fix:
    """One fix of several groups of edits."""
    merged = sorted({edit for group in edits for edit in group})
    return Fix(title, tuple(merged), "safe" if safe else "unsafe", together)
