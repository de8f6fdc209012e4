"""What a rule is: a visitor that reports findings, each with the outcome of a rewrite."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import ClassVar

import libcst as cst

from done_lint.core.codes import CODES
from done_lint.core.findings import Certainty, Finding, Related, Span
from done_lint.core.text import one_line
from done_lint.facts.kinds.environments import Env
from done_lint.rewrites.compatibility_code import is_refused
from done_lint.rewrites.context import Context
from done_lint.rewrites.outcome import Outcome
from done_lint.rules.families import family_of, owner_of
from done_lint.syntax.dotted import dotted


class Rule(cst.CSTVisitor):
    """One rule: `visit_<node>` methods look at the nodes of that type and report.

    The file is walked once for all rules (`run`), so these methods see nodes in no particular nesting
    and return nothing. Facts come by span, never from names.
    """

    code: ClassVar[str]
    #: What the reported code does that fails under Gymnasium, or computes something else: "unpacks four values"; empty:
    #: the program runs the same while the finding stays. What changes together with such code waits for it.
    incompatibility: ClassVar[str]
    #: A fix on request is enough: the program stops there, and says what to write instead.
    stops_with_advice: ClassVar[bool] = False
    #: The same without a fix: what the program stops at says nothing about the code that it runs with.
    stops_alone: ClassVar[bool] = False

    def __init__(self, context: Context) -> None:
        """Start on one file."""
        super().__init__()
        self.context = context
        self.tree = context.tree
        self.facts = context.facts
        self.findings: list[Finding] = []

    def run(self) -> list[Finding]:
        """Look at every node that the rule has a method for."""
        for attribute in vars(type(self)):
            if attribute.startswith("visit_"):
                look: Callable[[cst.CSTNode], object] = getattr(self, attribute)
                for node in self.tree.nodes.get(attribute.removeprefix("visit_"), ()):
                    look(node)
        return self.findings

    def span(self, node: cst.CSTNode) -> Span:
        """The node's span: the key of the facts."""
        return self.tree.span(node)

    def source(self, node: cst.CSTNode) -> str:
        """The node as the user wrote it, on one line, shortened for a message."""
        return one_line(self.tree.source(node))

    def report(
        self,
        place: cst.CSTNode | Span,
        message: str,
        *,
        outcome: Outcome,
        help: str = "",
        related: Sequence[Related] = (),
        env: Env | None = None,
        certainty: Certainty = "proven",
        stops_with_advice: bool | None = None,
        stops_alone: bool = False,
        incompatibility: str | None = None,
    ) -> None:
        """Report a place.

        Args:
            place: where it is.
            message: what is wrong.
            outcome: the fix, or why there is none.
            help: what to write instead.
            related: further places.
            env: the environment whose API the code contradicts, with the certainty of that.
            certainty: the certainty, where there is no environment.
            stops_with_advice: what the rule says of itself, where it does not hold for this place.
            stops_alone: whether only a request leads to the place, so that it holds nothing else back.
            incompatibility: the same.
        """
        span = self.span(place) if isinstance(place, cst.CSTNode) else place
        if any(span.within(kept) for kept in self.facts.kept) or self._is_kept_import(place):
            return
        if self.code in _OF_CLASSES and isinstance(place, cst.CSTNode) and is_refused(self.tree, place):
            return
        if env is not None:
            certainty = env.certainty
            if env.maker:
                help = f"{help}; ignore this if `{env.maker}` makes the environment and has not moved to Gymnasium"
        fix, reason, held_back = outcome.fix, outcome.unfixed, False
        if self.facts.keeper is not None and (test := self.facts.keeper.test) is not None and fix is not None:
            fix, reason, held_back = None, _asked_at(test), True
        doubtful = certainty == "by name" and not (env is not None and env.unused)
        if fix is not None and fix.safety == "safe" and (doubtful or self._is_half(env)):
            held_back = not reason and self.facts.keeper is not None
            fix, reason = replace(fix, safety="unsafe"), reason or self._kept_by()
        advice = self.stops_with_advice if stops_with_advice is None else stops_with_advice
        self.findings.append(
            Finding(
                code=self.code,
                name=CODES[self.code],
                message=message,
                path=self.context.path,
                span=span,
                help=help,
                fix=fix,
                unfixed=reason,
                held_back=held_back,
                related=tuple(related),
                certainty=certainty,
                family=family_of(self.context, self.code, place),
                owner=owner_of(self.tree, place),
                incompatibility=self.incompatibility if incompatibility is None else incompatibility,
                stops_with_advice=self.stops_alone or stops_alone or (advice and outcome.fix is not None),
            )
        )

    def _is_kept_import(self, place: cst.CSTNode | Span) -> bool:
        """An import from Gym in a file that uses it as Gym."""
        if not self.facts.keeps_gym or not isinstance(place, (cst.Import, cst.ImportFrom)):
            return False
        names = [alias.name for alias in place.names] if isinstance(place, cst.Import) else [place.module]
        return any(name is not None and dotted(name).partition(".")[0] == "gym" for name in names)

    def _is_half(self, env: Env | None) -> bool:
        """Whether only half of the file could move: its environments, or other names that it uses, belong to Gym."""
        return bool(self.facts.kept_by) or (env is not None and bool(env.maker))

    def _kept_by(self) -> str:
        """Why the program stays with Gym, in one clause; empty where only this file does."""
        if (keeper := self.facts.keeper) is None:
            return ""
        where = "" if keeper.path == self.context.path else f" ({_named(keeper.path)})"
        if keeper.pinned:
            return f"`{keeper.package}`{where} keeps the program on Gym: it is a release from before Gymnasium"
        return f"`{keeper.package}`{where} keeps the program on Gym, unless `moved-packages` names it"

    def elsewhere(self, node: cst.CSTNode, place: Related) -> tuple[Related, ...]:
        """The place, unless it is the node itself."""
        here = self.span(node)
        inside = place.path == self.context.path and here.row <= place.span.row <= here.end_row
        return () if inside or not place.path else (place,)


#: The rules about the project's own environments.
_OF_CLASSES = frozenset(code for code in CODES if code.startswith("GYM3"))
#: Why nothing moves where the version of Gym is asked for, by what is wrong with Gymnasium's there.
_ASKED: Mapping[str, str] = {
    "stops": "the test of Gym's version ({}) lets no newer release pass: remove it first, then the rest can move",
    "other": "the test of Gym's version ({}) gives Gymnasium's another answer than that of Gym 0.26: change it first",
    "unknown": "how the version of Gym is tested ({}) cannot be followed: see first whether Gymnasium's does as well",
    "installed": "the version of the installed package `gym` is asked for ({}): change that first",
}


def _asked_at(test: Related) -> str:
    """Why nothing moves beside a test of Gym's version."""
    return _ASKED[test.message].format(f"{PurePath(test.path).name}:{test.span.row}")


def placed(place: Related) -> str:
    """What stands at a place, with the name of the file and the row: `TensorWrapper.step` (tensor.py:37)."""
    return f"{place.message} ({PurePath(place.path).name}:{place.span.row})"


def _named(path: str) -> str:
    """The name of a file; with that of its folder, where many are called the same."""
    return "/".join(PurePath(path).parts[-2:]) if path.endswith("__init__.py") else PurePath(path).name
