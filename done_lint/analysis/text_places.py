"""Where the strings stand that arrive at a node."""

from __future__ import annotations

from done_lint.analysis.context import Analysis
from done_lint.analysis.values import Place
from done_lint.core.reach import reach


def text_places(at: Analysis, node: int, text: int) -> list[Place]:
    """Where the strings of this value stand that arrive at a node of a solved graph."""

    def before(node: int) -> list[int]:
        reason, _ = at.solver.reason(node, text)
        sources = [*(edge.source for edge in at.solver.predecessors[node]), reason]
        return [source for source in sources if source >= 0 and text in at.solver.held[source]]

    return [site for one in reach([node], before) if (site := at.envs.texts.get(one)) is not None]
