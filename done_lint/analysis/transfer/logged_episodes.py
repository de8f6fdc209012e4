"""The episodes of a dataset of Minari: what each step returned is in arrays, termination and truncation apart."""

from __future__ import annotations

from done_lint.analysis import flag_lattice
from done_lint.analysis.calls import Call
from done_lint.analysis.context import Analysis, AttributeRule, CallRule, ItemRule
from done_lint.analysis.flag_evidence import FlagSource
from done_lint.analysis.values import DatasetMethod, LoggedDataset, LoggedEpisode, Object, Shape, Value
from done_lint.flowgraph.keys import ANY, Key, SliceKey
from done_lint.knowledge import logged_episodes

_FLAGS = {
    logged_episodes.TERMINATIONS: (flag_lattice.TERMINATED, "terminated"),
    logged_episodes.TRUNCATIONS: (flag_lattice.TRUNCATED, "truncated"),
}
#: What an annotation says of a value.
ANNOTATED: dict[str, Value] = {
    logged_episodes.DATASET: LoggedDataset(),
    logged_episodes.EPISODE: LoggedEpisode(),
}


def loaded(at: Analysis, dotted: str, call: Call) -> bool:
    """`minari.load_dataset(name)`."""
    if dotted not in logged_episodes.LOADING:
        return False
    at.put(call.result, LoggedDataset())
    return True


def _attribute_of_dataset(at: Analysis, number: int, name: str, target: int, source: int) -> None:
    if name in logged_episodes.GIVING_EPISODES | logged_episodes.GIVING_DATASETS:
        at.put(target, DatasetMethod(name))


def _call_method(at: Analysis, number: int, call: Call) -> None:
    if at.solver.get(number, DatasetMethod).name in logged_episodes.GIVING_DATASETS:
        at.put(call.result, LoggedDataset())
    else:
        episodes = at.put(call.result, Object(call.result, Shape.MANY))
        at.put(at.objects.field(episodes, ANY), LoggedEpisode())


def _item_of_dataset(at: Analysis, number: int, keys: tuple[Key, ...], target: int, source: int) -> None:
    """`dataset[3]` is an episode, `dataset[:3]` a dataset."""
    at.put(target, LoggedDataset() if isinstance(keys[-1], SliceKey) else LoggedEpisode())


def _attribute_of_episode(at: Analysis, number: int, name: str, target: int, source: int) -> None:
    if name in _FLAGS:
        cause, word = _FLAGS[name]
        at.solver.add(target, cause)
        at.flags.sources.setdefault(target, FlagSource(at.program.origin_site(target), word))


ATTRIBUTES: dict[type[Value], AttributeRule] = {
    LoggedDataset: _attribute_of_dataset,
    LoggedEpisode: _attribute_of_episode,
}
CALLS: dict[type[Value], CallRule] = {DatasetMethod: _call_method}
ITEMS: dict[type[Value], ItemRule] = {LoggedDataset: _item_of_dataset}
