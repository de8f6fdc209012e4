"""One call of the program, as the transfer functions see it."""

from __future__ import annotations

from done_lint.analysis.values import Passage, Place, Site
from done_lint.core.findings import Span
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.operations import Keyword, Placed
from done_lint.flowgraph.schema import Survey

_tuple = tuple.__new__


class Call:
    """One call: its arguments as nodes with their places, and the node of its result."""

    __slots__ = ("args", "named", "result", "site", "stars", "survey")

    def __init__(
        self,
        survey: Survey,
        args: list[Placed],
        stars: tuple[int, ...],
        named: list[Keyword],
        result: int,
        site: Site,
    ) -> None:
        """Plain data."""
        self.survey, self.args, self.stars, self.named = survey, args, stars, named
        self.result, self.site = result, site

    @property
    def given(self) -> list[int]:
        """The positional arguments that may be anything to a rule."""
        return [one.node for one in self.args if one.node]

    def passage(self, node: int, span: Span | None) -> Passage:
        """How an argument is handed on."""
        return Passage(Place(self.survey.path, span) if span is not None else None, node)

    def keyword(self, name: str) -> int:
        """The node of a keyword argument, or 0."""
        return next((one.node for one in self.named if one.name == name), 0)

    @classmethod
    def read(cls, survey: Survey, base: int, op: ops.Call | ops.LibraryCall) -> Call:
        """A call as a survey has it, whose first node is `base`."""
        # the constructor of a named tuple is a call of its own
        placed = [_tuple(Placed, (base + node if node else 0, span)) for node, span in op.args]
        named = [_tuple(Keyword, (key, base + node if node else 0, span)) for key, node, span in op.keywords]
        return cls(survey, placed, op.stars, named, base + op.result, Place(survey.path, op.at))
