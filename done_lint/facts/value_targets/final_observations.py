"""Whether a program asks vector environments for the last observations of episodes, whose values are to be learnt."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import FunctionRef
from done_lint.core.findings import Span
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import TextKey
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge.vector_info_keys import asks_for_final

if TYPE_CHECKING:
    from done_lint.analysis.call_graph import CallGraph
    from done_lint.analysis.context import Analysis


def are_asked_for(analysis: Analysis) -> bool:
    """Whether something asks for final observations, or for final infos for more than an episode's statistics."""
    return asks_for_final({text for survey in analysis.program.surveys.values() for text in _texts(survey)})


def asking_files(analysis: Analysis) -> frozenset[str]:
    """The files that ask for them."""
    surveys = analysis.program.surveys
    return frozenset(path for path, survey in surveys.items() if asks_for_final(_texts(survey)))


def taking_calls(analysis: Analysis, running: CallGraph) -> dict[str, frozenset[Span]]:
    """By file, the calls of functions of the project that ask for final observations themselves."""
    program, texts = analysis.program, defaultdict[FunctionId, set[str]](set)
    for path in asking_files(analysis):
        for node, text in _placed(program.surveys[path]):
            texts[running.home(path, node)].add(text)
    asking = {home for home, found in texts.items() if asks_for_final(found)}
    found: defaultdict[str, set[Span]] = defaultdict(set)
    for _, site, called in program.calls() if asking else ():
        functions = analysis.solver.values(called, FunctionRef)
        if any(FunctionId(one.path, one.index) in asking for one in functions):
            found[site.path].add(site.span)
    return {path: frozenset(spans) for path, spans in found.items()}


def _texts(survey: Survey) -> frozenset[str]:
    """The strings of a file, also those under which something is looked up."""
    return frozenset(text for _, text in _placed(survey))


def _placed(survey: Survey) -> Iterator[tuple[Node, str]]:
    """These strings, each with a node beside it."""
    for item in survey.waits(ops.Item):
        yield from ((item.target, key.text) for key in item.keys if isinstance(key, TextKey))
    yield from ((one.target, one.value) for one in survey.operations if isinstance(one, ops.Text))
