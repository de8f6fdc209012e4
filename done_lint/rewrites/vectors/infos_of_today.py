"""Which vector environments are asked for infos as Gymnasium 1.x sets them: what a file reads shows its release.

Since 1.0 the statistics of wrappers inside of a vector environment stand in the infos themselves, as arrays. Where the
step that ends an episode resets, they stand under `final_info`, in every release from 0.26 to 1.4. Those of a wrapper
around the whole vector environment stand in the infos themselves in every release and mode.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import libcst as cst

from done_lint.facts.kinds.environments import Made
from done_lint.knowledge.vector_info_keys import FINAL_OBSERVATION, OF_INFOS, STATISTICS
from done_lint.rewrites.context import Context, per_file
from done_lint.rewrites.vectors.vector_infos import whole_infos
from done_lint.syntax.shapes import only_index, string_value

#: Around a vector environment it writes into the infos of all (Gymnasium 0.26 to 1.4).
_KINDS = ("info", "observation", "statistics", "own")
_RECORDER = "RecordEpisodeStatistics"


def statistics_at_top(context: Context, made: Made) -> int | None:
    """The row where a file reads statistics that are in the infos themselves only if the reset comes a step later.

    None where there is no such read, or where `final_info` is read as well, so that both places are known.
    """
    if made in _read(context, "info"):
        return None
    return min(_read(context, "statistics").get(made, ()), default=None)


def own_key_at_top(context: Context, made: Made) -> int | None:
    """The row where a file reads in the infos themselves what a class of the program writes into them; None: nowhere.

    Nor where `final_info` is read as well, so that both places are known.
    """
    return None if made in _read(context, "info") else min(_read(context, "own").get(made, ()), default=None)


def is_read_as_today(context: Context, made: Made) -> bool:
    """Whether a file reads of its infos what no release before 1.0 sets."""
    return made in _read(context, "observation") or statistics_at_top(context, made) is not None


def _read(context: Context, kind: str) -> dict[Made, set[int]]:
    return _reads(context)[kind]


@per_file
def _reads(context: Context) -> dict[str, dict[Made, set[int]]]:
    """The rows of all such reads, by what is read and by the call that made the vector environment."""
    found: dict[str, dict[Made, set[int]]] = {kind: defaultdict(set) for kind in _KINDS}
    for node, container, key in _asked(context):
        kind = _kind(key, tested=isinstance(node, cst.Comparison))
        info = whole_infos(context, container)
        if info is None or (kind == "statistics" and _RECORDER in info.env.layers):
            continue
        for made in info.env.made:
            if not kind and key not in made.written:
                continue
            found[kind or "own"][made].add(context.tree.span(node).row)
    return found


def _kind(key: str, *, tested: bool) -> str:
    if key in OF_INFOS:
        return "info"
    if key.lstrip("_") == FINAL_OBSERVATION:
        return "observation"
    # a test alone does not say where what it waits for is read
    return "statistics" if key.lstrip("_") == STATISTICS and not tested else ""


def _asked(context: Context) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression, str]]:
    """`infos[key]`, `infos.get(key)` and `key in infos`: all of it, the infos and the key."""
    tree = context.tree
    for item in tree.of_type(cst.Subscript):
        yield item, item.value, string_value(only_index(item))
    for call in tree.of_type(cst.Call):
        if isinstance(call.func, cst.Attribute) and call.func.attr.value == "get" and call.args:
            yield call, call.func.value, string_value(call.args[0].value)
    for test in tree.of_type(cst.Comparison):
        if len(test.comparisons) == 1 and isinstance(test.comparisons[0].operator, cst.In):
            yield test, test.comparisons[0].comparator, string_value(test.left)
