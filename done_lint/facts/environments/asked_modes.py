"""Which mode of resetting a vector environment is asked for by the call that makes it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import values
from done_lint.analysis.values import Made
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import TextKey
from done_lint.knowledge.vector_info_keys import ASKING_FOR_MODES, MODE_ARGUMENT, MODES, WORKER_ARGUMENT, Mode

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class AskedModes:
    """Looks at the arguments that name a mode."""

    def __init__(self, analysis: Analysis) -> None:
        """Read from a solved graph."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program

    def of(self, made: Made, argument: int) -> Mode:
        """The mode that a vector environment is made with; not visible where a worker of the project's own resets."""
        if WORKER_ARGUMENT in made.keywords:
            return "unknown"
        given = bool(made.keywords & ASKING_FOR_MODES)
        if made.hidden and not given:
            return "unknown" if self.are_asked_for else "probable"
        if not argument:
            return "unknown" if given else "default"
        found: set[Mode] = {self._written(number) for number in self._solver.held[argument]}
        return found.pop() if len(found) == 1 else "unknown"

    def of_subclass(self, made: Made) -> Mode:
        """The mode of a class of the project that is based on the library's: who makes it may ask for one."""
        return "unknown" if self.are_asked_for or self._hands_worker_on(made) else "default"

    def _hands_worker_on(self, made: Made) -> bool:
        """Whether a method of such a class, its constructor, gives its base a worker."""
        survey = self._program.surveys[made.place.path]
        giving = [one for one in survey.calls() if any(key.name == WORKER_ARGUMENT for key in one.keywords)]
        homes = (survey.homes.get(one.result, -1) for one in giving)
        owners = {survey.functions[home].owner for home in homes if home >= 0} - {-1}
        return any(survey.classes[owner].name == made.subclass for owner in owners)

    @cached_property
    def are_asked_for(self) -> bool:
        """Whether something in the program names a mode, which arguments that cannot be seen may bring."""
        for survey in self._program.surveys.values():
            if any(not ASKING_FOR_MODES.isdisjoint(one.name for one in call.keywords) for call in survey.calls()):
                return True
            keys = [key for one in survey.operations if isinstance(one, ops.Allocate) for key in one.keys]
            keys += (key for one in survey.waits(ops.SetItem) for key in one.keys)
            if any(isinstance(key, TextKey) and key.text in ASKING_FOR_MODES for key in keys):
                return True
        return False

    def _written(self, number: int) -> Mode:
        """`AutoresetMode.SAME_STEP`, `"SameStep"`, `{"autoreset_mode": "SameStep"}`."""
        value = self._solver.value(number)
        if isinstance(value, values.Text):
            return MODES.get(value.text, "unknown")
        if isinstance(value, values.External):
            return MODES.get(value.dotted.rpartition(".")[2], "unknown")
        if not isinstance(value, values.Object) or value.shape is not values.Shape.DICT:
            return "unknown"
        fields = dict(self._objects.owned.get(number, ()))
        if not all(isinstance(key, TextKey) for key in fields):
            return "unknown"
        field = fields.get(TextKey(MODE_ARGUMENT))
        if field is None:
            return "default"
        found = {self._written(one) for one in self._solver.held[field]}
        return found.pop() if len(found) == 1 else "unknown"
