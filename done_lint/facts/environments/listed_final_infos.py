"""Where a file takes `final_info` of what a function is given, and not for the dictionary that it is since 1.1."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import TextKey
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge.vector_info_keys import FINAL_INFO

#: What gives the value under a key, and what only a dictionary has.
_TAKING = ("get", "pop")
_OF_DICTIONARIES = frozenset({*_TAKING, "items", "keys", "values"})


def of_parameters(survey: Survey) -> Iterator[tuple[int, int]]:
    """The reads of a parameter in a function, each with the parameter; a test whether the key is there is none."""
    given = {node for function in survey.functions for _, node in function.params}
    for source, read in _reads(survey):
        if source in given and survey.homes.get(read, -1) >= 0 and not is_no_list(survey, read):
            yield source, read


def is_no_list(survey: Survey, read: int) -> bool:
    """`infos["final_info"]["episode"]`: that is what it is since 1.1. Nor is it taken for one by a test of it."""
    used = survey.waiting.get(read, ())
    items = [one for one in used if isinstance(one, ops.Item) and isinstance(one.keys[-1], TextKey)]
    tested = any(isinstance(one, ops.IsNone) for one in used) or any(test == read for test, _ in survey.tests)
    naming = (one for one in survey.naming.get(read, ()) if isinstance(one, ops.Attribute))
    named = any(one.name in _OF_DICTIONARIES for one in naming)
    return bool(items) or tested or named


def _reads(survey: Survey) -> Iterator[tuple[int, int]]:
    """What `final_info` is read of, and what is read: `infos["final_info"]`, `infos.get("final_info")`."""
    named = {one.target for one in survey.operations if isinstance(one, ops.Text) and one.value == FINAL_INFO}
    for item in survey.waits(ops.Item):
        if item.keys[-1] == TextKey(FINAL_INFO):
            yield item.source, item.target
    reads = chain.from_iterable(survey.naming.values()) if named else ()
    for read in (one for one in reads if isinstance(one, ops.Attribute) and one.name in _TAKING):
        for call in survey.waiting.get(read.target, ()):
            if isinstance(call, ops.Call) and call.args and call.args[0].node in named:
                yield read.source, call.result
