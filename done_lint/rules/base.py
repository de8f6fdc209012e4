"""What a rule is: a visitor that reports findings, each with the outcome of a rewrite."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath
from typing import ClassVar

import libcst as cst

from done_lint.core.codes import CODES
from done_lint.core.findings import Certainty, Finding, Related, Span
from done_lint.core.text import one_line
from done_lint.facts.kinds.environments import Env
from done_lint.knowledge.package_requirements import FIRST_ON_GYMNASIUM, IMPORTED_AS
from done_lint.rewrites.compatibility_code import is_refused
from done_lint.rewrites.context import Context
from done_lint.rewrites.outcome import Outcome, unfixed
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

    #: What it reports of Gymnasium runs with releases before 1.0.
    since_one: ClassVar[bool] = False

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
        since_one: bool | None = None,
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
            since_one: the same.
        """
        span = self.span(place) if isinstance(place, cst.CSTNode) else place
        if any(span.within(kept) for kept in self.facts.kept) or self._is_kept_import(place):
            return
        if self.code in _OF_CLASSES and isinstance(place, cst.CSTNode) and is_refused(self.tree, place):
            return
        if self.code.startswith(_OF_ENVIRONMENTS) and self._is_for_old(place):
            return
        if env is not None:
            certainty = env.certainty
            if env.maker:
                help = f"{help}; ignore this if `{env.maker}` makes the environment and has not moved to Gymnasium"
        kept = self._kept(outcome)
        by_name = certainty == "by name" and not (env is not None and env.unused)
        offered = kept.doubted(self._unknown_maker(env)).doubted(_BY_NAME if by_name else "")
        advice = self.stops_with_advice if stops_with_advice is None else stops_with_advice
        self.findings.append(
            Finding(
                code=self.code,
                name=CODES[self.code],
                message=message,
                path=self.context.path,
                span=span,
                help=help,
                fix=offered.fix,
                unfixed=offered.unfixed,
                held_back=kept is not outcome,
                related=tuple(related),
                certainty=certainty,
                family=family_of(self.context, self.code, place),
                owner=owner_of(self.tree, place),
                incompatibility=self.incompatibility if incompatibility is None else incompatibility,
                since_one=self.since_one if since_one is None else since_one,
                stops_with_advice=self.stops_alone or stops_alone or (advice and outcome.fix is not None),
            )
        )

    def _is_kept_import(self, place: cst.CSTNode | Span) -> bool:
        """An import from Gym in a file that uses it as Gym."""
        if not self.facts.keeps_gym or not isinstance(place, (cst.Import, cst.ImportFrom)):
            return False
        names = [alias.name for alias in place.names] if isinstance(place, cst.Import) else [place.module]
        return any(name is not None and dotted(name).partition(".")[0] == "gym" for name in names)

    def _is_for_old(self, place: cst.CSTNode | Span) -> bool:
        """Whether a place is in a wrapper that nothing makes, in a program that has both libraries.

        Around what the program has Gym for it is right as it is, and around which one it would be is not shown.
        """
        if (keeper := self.facts.keeper) is None or not keeper.certain:
            return False
        node = self.tree.expressions.get(place) if isinstance(place, Span) else place
        around = () if node is None else (node, *self.tree.ancestors(node))
        classes = (self.facts.classes.get(self.span(one).row) for one in around if isinstance(one, cst.ClassDef))
        return any(one is not None and one.unmade for one in classes)

    def _kept(self, outcome: Outcome) -> Outcome:
        """The outcome where the program, or this file, has to stay with Gym; the same one where nothing keeps it."""
        if (keeper := self.facts.keeper) is not None and keeper.test is not None and outcome.fix is not None:
            return unfixed(_asked_at(keeper.test))
        return outcome.doubted(self._kept_by())

    def _kept_by(self) -> str:
        """What keeps the program on Gym, or this file, so that only half of it could move, in one clause; or empty."""
        if (keeper := self.facts.keeper) is None:
            return _NEEDS_GYM.format(_quoted(self.facts.kept_by)) if self.facts.kept_by else ""
        where = "" if keeper.path == self.context.path else f" ({_named(keeper.path)})"
        if keeper.pinned:
            return f"`{keeper.package}`{where} keeps the program on Gym: it is a release from before Gymnasium"
        first = FIRST_ON_GYMNASIUM.get(IMPORTED_AS.get(keeper.package, ""))
        before = f" before its release {first[0]}.{first[1]}" if first is not None else ""
        return f"`{keeper.package}`{where} keeps the program on Gym{before}, unless `moved-packages` names it"

    def _unknown_maker(self, env: Env | None) -> str:
        """Why the environment may be one that belongs to Gym, in one clause; or empty."""
        return _MAKER.format(env.maker) if env is not None and env.maker else ""

    def elsewhere(self, node: cst.CSTNode, place: Related) -> tuple[Related, ...]:
        """The place, unless it is the node itself."""
        here = self.span(node)
        inside = place.path == self.context.path and here.row <= place.span.row <= here.end_row
        return () if inside or not place.path else (place,)


_NEEDS_GYM = "{} in the same file needs Gym"
_MAKER = "`{}` may make the environment, and may not have moved to Gymnasium"
_BY_NAME = "only a name shows that the environment is one of Gymnasium or Gym"
#: The rules about the project's own environments.
_OF_CLASSES = frozenset(code for code in CODES if code.startswith("GYM3"))
#: The rules about what environments answer, and how they are used.
_OF_ENVIRONMENTS = ("GYM1", "GYM3")
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


def _quoted(name: str) -> str:
    """What is made for Gym, as code where it is a name: `PyBullet Gym`."""
    return name if "`" in name else f"`{name}`"


def _named(path: str) -> str:
    """The name of a file; with that of its folder, where many are called the same."""
    return "/".join(PurePath(path).parts[-2:]) if path.endswith("__init__.py") else PurePath(path).name
