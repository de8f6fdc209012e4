"""Where code asks for a class of Gym's what another file has made: `isinstance(space, gym.spaces.Discrete)`.

An object of the one library is none of the other's: the two files move together or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from done_lint.analysis.context import Analysis
from done_lint.analysis.values import Environment, External, Instance, Object, Value
from done_lint.core.reach import reach
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge.env_members import SPACES

_ASKING = "builtins.isinstance"
#: How far an object is followed back; a test that everything arrives at says nothing.
_FAR = 2000
#: How many nodes are followed back to what a space is read of.
_WAYS = 200


def note(at: Analysis) -> None:
    """Note which files share classes of Gym's in a solved graph."""
    for path, survey in at.program.surveys.items():
        if "gym" not in survey.packages or survey.page:
            continue
        makers = {maker for node in _asked(at, survey) for maker in _makers(at, node)} - {path}
        for maker in sorted(makers):
            if "gym" in at.program.surveys[maker].packages:
                at.envs.sharing.setdefault(path, set()).add(maker)
                at.envs.sharing.setdefault(maker, set()).add(path)


def foreign(at: Analysis) -> Iterator[tuple[str, str]]:
    """The files that ask so for what other packages have made, and these packages."""
    for path, survey in at.program.surveys.items():
        for node in _asked(at, survey) if "gym" in survey.packages and not survey.page else ():
            made = (one.dotted for source in _read_of(at, node) for one in at.solver.values(source, External))
            yield from ((path, one.partition(".")[0]) for one in made if one.endswith("()"))


def _read_of(at: Analysis, node: int) -> Iterator[int]:
    """The nodes of what is asked, and of that of which it is the space: `env` of `head(env.action_space)`."""

    def before(one: int) -> Iterator[int]:
        return (edge.source for edge in at.solver.predecessors[one] if edge.way in ("flow", "argument"))

    for one in reach([node], before, bound=_WAYS):
        yield one
        attribute = at.program.attribute_at(one)
        if attribute is not None and attribute[1] in SPACES:
            yield attribute[0]


def _asked(at: Analysis, survey: Survey) -> Iterator[int]:
    """The nodes of what a file asks whether it is of a class of Gym's."""
    base = at.program.bases[survey.path]
    for call in survey.calls():
        if len(call.args) != 2 or not isinstance(call, ops.LibraryCall):
            continue
        called = at.solver.values(base + call.called, External)
        asked, kind = (base + one.node for one in call.args)
        if any(one.dotted == _ASKING for one in called) and _is_of_gym(at, kind) and not at.solver.is_widened(asked):
            yield asked


def _is_of_gym(at: Analysis, kind: int) -> bool:
    """Whether a class of Gym's stands at a node, or in a tuple there."""
    tuples = at.solver.all(kind, Object)
    nodes = [kind, *(field for number in tuples for _, field in at.objects.owned.get(number, ()))]
    return any(one.dotted.startswith("gym.") for node in nodes for one in at.solver.values(node, External))


def _makers(at: Analysis, node: int) -> Iterator[str]:
    """The files where the objects of Gym's are made that arrive at a node."""
    for number in at.solver.held[node]:
        value = at.solver.value(number)
        if isinstance(value, Instance):
            yield value.path
        elif isinstance(value, Environment):
            yield from _file_of(at, value.node)
        elif _is_made(value):
            for one in reach([node], partial(_origins, at, number), bound=_FAR):
                if not _origins(at, number, one):
                    yield from _file_of(at, one)


def _is_made(value: Value) -> bool:
    """Whether a value is what a call of a class of Gym's gives: a space."""
    return isinstance(value, External) and value.dotted.startswith("gym.") and value.dotted.endswith("()")


def _origins(at: Analysis, number: int, node: int) -> list[int]:
    return at.solver.origins(node, number)


def _file_of(at: Analysis, node: int) -> Iterator[str]:
    owner = at.program.owner(node)
    if owner is not None:
        yield owner.path
