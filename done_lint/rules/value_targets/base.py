"""What the rules about value targets share: from a sink to a finding."""

from __future__ import annotations

from collections.abc import Iterator

from done_lint.core.text import one_line
from done_lint.facts.kinds.flags import Sink, SinkKind
from done_lint.rewrites.outcome import Outcome, unfixed
from done_lint.rules.base import Rule

HELP = "cut value targets with `terminated` only: at a truncation the next state still has a value"
#: Of a mask that is *truncated* itself.
_NOT_TERMINATED = "the mask of a value target is 1 where the episode did not terminate: `1 - terminated`"
_NOT_A_MASK = "whether `1 - terminated` was meant, or a bootstrap added at truncations, is for its author to say"


class ValueTargetRule(Rule):
    """A rule about one kind of sink."""

    #: A value target that is cut wrongly is computed the same under both libraries.
    incompatibility = ""

    def sinks(self, kind: SinkKind) -> Iterator[Sink]:
        """The sinks of one kind that the analysis found."""
        return (sink for sink in self.facts.sinks.values() if sink.kind == kind)

    def sink(self, sink: Sink, message: str, *, outcome: Outcome, by_name: str = "", help: str = HELP) -> None:
        """Report a sink; `by_name` is the message where only the flag's name is evidence."""
        self.report(
            sink.span,
            by_name if by_name and sink.certainty == "by name" else message,
            outcome=outcome,
            help=help,
            related=sink.path,
            certainty=sink.certainty,
        )

    def reversed(self, sink: Sink, message: str) -> None:
        """Report a mask that is 1 at truncations alone."""
        self.sink(sink, message, outcome=unfixed(_NOT_A_MASK), help=_NOT_TERMINATED)

    def harm(self, sink: Sink) -> str:
        """What a wrong cut leads to, in one clause."""
        return "what is drawn by it gets wrong weights" if sink.drawn else "the agent learns wrong values"

    def text(self, sink: Sink) -> str:
        """The expression at the sink, on one line, shortened for a message."""
        lines, span = self.tree.lines, sink.span
        start, end = lines.offset(span.row, span.column), lines.offset(span.end_row, span.end_column)
        return one_line(self.tree.text[start:end])
