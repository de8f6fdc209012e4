"""What a program hands to a library, or takes from it, where Gymnasium does otherwise.

- `env.reset(level=2)` of what `make` gave: its wrappers take a seed and options only (1.0, `wrappers/common.py`).
- `gym.utils.play.play(env, callback=f)` calls `f` with both flags, that is with seven values (1.0, `utils/play.py`).
- `train_test_split(x, random_state=self.np_random)`: old Gym's generator was numpy's `RandomState`, that of Gymnasium
  is a `Generator`, which is refused (scikit-learn 1.5, `check_random_state`), or lacks methods.
- `Box(0, 256, shape, np.uint8)` raises an error since Gymnasium 1.0 (`spaces/box.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from done_lint.analysis.open_steps import owner_name
from done_lint.analysis.program import FunctionId
from done_lint.analysis.unwrapped_makes import calls_past_wrappers
from done_lint.analysis.values import Environment, External, FunctionRef, Generator, OldGenerator
from done_lint.core.findings import SINCE_ONE, Span
from done_lint.facts.families import Families
from done_lint.facts.kinds.obstacles import Obstacle
from done_lint.facts.obstacles.program_members import ProgramMembers
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge.env_apis import GYM

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_CALLED = "hands `play` a function of six values, and Gymnasium calls it with seven"
_REFUSED = "hands the random generator to `{}`, which may take only the `RandomState` that old Gym had"
_NOT_HANDED_ON = "gives `reset` the argument `{}`, which the wrappers of Gymnasium's `make` do not hand on"
_ARRAYS = "reads `{}` of stacked frames, which are arrays in Gymnasium"
#: Attributes of `LazyFrames` that no array has. Gym 0.26, `wrappers/frame_stack.py`.
_LAZY = frozenset({"_force", "frame_shape", "lz4_compress"})
#: What makes them. Gym 0.26 and Gymnasium 0.29.1 `wrappers`.
_STACKING = ("FrameStack", "FrameStack()", "LazyFrames", "LazyFrames()")
_BY_NAME = "looks wrappers up by names that nothing shows, some of which have others in Gymnasium 1.0"
_WRAPPERS = frozenset({"gym.wrappers", "gymnasium.wrappers"})
#: What calls a function with the values of each step, and its place for that function.
_PLAYING = {"gym.utils.play.play": 4, "gym.utils.play.PlayPlot": 0}
_CALLBACK = "callback"
_SIX = 6
#: Packages that take either generator: numpy 1.17, scipy 1.4, networkx 2.6, pandas 1.1, and the libraries themselves.
_TAKING_BOTH = frozenset({"builtins", "copy", "gym", "gymnasium", "networkx", "numpy", "pandas", "pickle", "scipy"})


class _Found(NamedTuple):
    at: Span
    #: A node of the function that it stands in.
    home: int
    which: str
    #: Gymnasium itself was otherwise before 1.0.
    since_one: bool = False


def obstacles_of_differences(
    at: Analysis, families: Families, members: ProgramMembers, path: str
) -> Iterator[Obstacle]:
    """Those of a file; `members`: the environments of its programs."""
    survey = at.program.surveys[path]
    if survey.page:
        return
    for one in (
        *_called_back(at, survey),
        *_handed_generators(at, survey),
        *_reset_arguments(at, survey),
        *_lazy_frames(at, survey),
        *_looked_up(at, survey),
        *(_Found(span, -1, what, True) for span, what in survey.narrow_boxes),
    ):
        family = members.near(path)
        if families.has_gym_file(family):
            yield Obstacle(path, one.at, owner_name(survey, survey.homes.get(one.home, -1)), one.which, family)
        elif one.since_one:
            border = frozenset(f"{other}{SINCE_ONE}" for other in at.imports.running_with([path]))
            yield Obstacle(path, one.at, owner_name(survey, survey.homes.get(one.home, -1)), one.which, border)


def _reset_arguments(at: Analysis, survey: Survey) -> Iterator[_Found]:
    """The resets of what `make` gave with arguments that none of its wrappers hands on."""
    base = at.program.bases[survey.path]
    for read, call, argument in calls_past_wrappers(survey, "reset"):
        made = at.solver.values(base + read.source, Environment)
        if any(one.api == GYM and one.node in at.envs.makes for one in made):
            yield _Found(call.at, call.result, _NOT_HANDED_ON.format(argument))


def _lazy_frames(at: Analysis, survey: Survey) -> Iterator[_Found]:
    """What only the lazy frames of Gym's `FrameStack` have, where a program uses that."""
    reads = [one for found in survey.naming.values() for one in found if isinstance(one, ops.Attribute)]
    lazy = [one for one in reads if one.name in _LAZY]
    names = (at.solver.get(one, External).dotted for one in (at.solver.of_kinds(External) if lazy else ()))
    roots = {one.partition(".")[0] for one in names if ".wrappers." in one and one.endswith(_STACKING)}
    if roots & {"gym", "gymnasium"}:
        places = ((one, survey.places.get(one.target)) for one in lazy)
        found = (_Found(at, one.target, _ARRAYS.format(one.name), True) for one, at in places if at is not None)
        yield from found


def _looked_up(at: Analysis, survey: Survey) -> Iterator[_Found]:
    """The wrappers that are looked up by names which nothing shows: `getattr(gym.wrappers, name)`."""
    base = at.program.bases[survey.path]
    for call in survey.calls():
        if not any(one.dotted == "builtins.getattr" for one in at.solver.values(base + call.called, External)):
            continue
        modules = [one.dotted for arg in call.args[:1] for one in at.solver.values(base + arg.node, External)]
        if modules and _WRAPPERS.issuperset(modules) and not at.solver.values(base + call.result, External):
            yield _Found(call.at, call.result, _BY_NAME, True)


def _called_back(at: Analysis, survey: Survey) -> Iterator[_Found]:
    """The functions of six values that `play` is given."""
    base = at.program.bases[survey.path]
    for call in survey.calls():
        names = (one.dotted for one in at.solver.values(base + call.called, External))
        place = next((_PLAYING[one] for one in names if one in _PLAYING), None)
        if place is None:
            continue
        nodes = [one.node for one in call.keywords if one.name == _CALLBACK]
        nodes += [one.node for one in call.args[place : place + 1]]
        if any(_takes_six(at, one) for node in nodes for one in at.solver.values(base + node, FunctionRef)):
            yield _Found(call.at, call.result, _CALLED)


def _takes_six(at: Analysis, function: FunctionRef) -> bool:
    known = at.program.function_at(FunctionId(function.path, function.index))
    return len(known.params) - bool(function.bound) == _SIX and known.vararg < 0


def _handed_generators(at: Analysis, survey: Survey) -> Iterator[_Found]:
    """The generators of environments that are handed to other packages."""
    base = at.program.bases[survey.path]
    for call in survey.calls():
        nodes = [one.node for one in call.args if one.node] + [one.node for one in call.keywords if one.node]
        if not any(
            at.solver.values(base + node, Generator) or at.solver.values(base + node, OldGenerator) for node in nodes
        ):
            continue
        called = (one.dotted for one in at.solver.values(base + call.called, External))
        name = next((one for one in called if one.partition(".")[0] not in _TAKING_BOTH), "")
        if name:
            yield _Found(call.at, call.result, _REFUSED.format(name.removesuffix("()")))
