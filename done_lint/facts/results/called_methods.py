"""The methods of the project that a call can mean, and what they say of the objects that are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from done_lint.analysis import values
from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import FunctionRef
from done_lint.core.asked_once import asked_once
from done_lint.flowgraph.keys import AttributeKey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class CalledMethods:
    """Reads from a solved graph whose method a call calls."""

    def __init__(self, analysis: Analysis) -> None:
        """Read from a solved graph."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program
        self._classes = analysis.classes

    @asked_once
    def functions(self, call: int) -> list[FunctionRef]:
        """Functions of the project that a call can mean."""
        made = self._program.call_at(call)
        if made is None:
            return []
        _, called = made
        return self._solver.values(called, FunctionRef)

    def instance(self, function: FunctionRef) -> values.Instance | None:
        """The instance that a method is bound to; of `Base.reset(self)` one of the class that it stands in."""
        if function.bound is None:
            made = self._program.function_at(FunctionId(function.path, function.index))
            return values.Instance(function.path, made.owner) if made.owner >= 0 else None
        value = self._solver.value(function.bound)
        return value if isinstance(value, values.Instance) else None

    def outcomes(self, function: FunctionRef) -> list[int]:
        """The nodes of what each `return` of a function gives."""
        base = self._program.bases[function.path]
        return [
            base + node for _, node, _ in self._program.function_at(FunctionId(function.path, function.index)).outcomes
        ]

    def is_inner(self, call: int) -> bool:
        """What is called is another method behind a `step`, which only changes with that."""
        names = {self._program.function_at(FunctionId(one.path, one.index)).name for one in self.functions(call)}
        return bool(names) and "step" not in names

    def share_an_api(self, call: int) -> bool:
        """No class that speaks another API (a vector environment of another library) can arrive here."""
        for function in self.functions(call):
            instance = self.instance(function)
            if instance is not None:
                api, _ = self._classes.api_of_class(instance.path, instance.index)
                if api is not None and not api.five:
                    return False
        return True

    def asks_a_protocol(self, call: int) -> bool:
        """Whether only objects of the project are called, which are no environments of a library's."""
        made, functions = self._program.call_at(call), self.functions(call)
        direct = made is None or bool(self._solver.all(made[1], values.EnvMethod))
        return bool(functions) and not direct and all(map(self._is_of_a_protocol, functions))

    def _is_of_a_protocol(self, function: FunctionRef) -> bool:
        """Whether it is a method of an object of the project that is no environment of a library's."""
        instance = self.instance(function)
        return instance is not None and self._classes.api_of_class(instance.path, instance.index)[0] is None

    def builds_own(self, method: FunctionId) -> bool:
        """Whether a `reset` of a class of the project that is no environment gives something else than others gave."""
        function = self._program.function_at(method)
        if function.abstract or function.owner < 0 or not function.outcomes:
            return False
        if self._classes.api_of_class(method.path, function.owner)[0] is not None:
            return False
        return not self._solver.all(self._program.bases[method.path] + function.result, values.ResetResult)

    def is_replaced(self, call: int, name: str) -> bool:
        """An object of the project that is called may have another method instead: `self.reset = self.reset_all`."""
        owners = [one for one in map(self.instance, self.functions(call)) if one is not None]
        ancestors = [above for one in owners for above in self._classes.lineage(one.path, one.index)]
        numbers = [self._solver.find(values.Instance(*one)) for one in ancestors if not isinstance(one, str)]
        fields = [self._objects.fields.get((one, AttributeKey(name))) for one in numbers if one is not None]
        return any(
            edge.way == "set" for field in fields if field is not None for edge in self._solver.predecessors[field]
        )
