"""Reads the solved graph: for each file, which expression is what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from done_lint.findings import Span
from done_lint.model import flags
from done_lint.model.facts import Env, Facts, Flag, Info, ResetResult, Sink, StepResult
from done_lint.model.paths import Paths
from done_lint.model.survey import Survey
from done_lint.model.verdicts import Verdicts

if TYPE_CHECKING:
    from done_lint.model.link import Linker


class Reading:
    """Turns tokens in nodes into facts at spans."""

    def __init__(self, linker: Linker) -> None:
        """Read from a solved linker."""
        self.linker = linker
        self.paths = Paths(linker)

    def facts(self) -> dict[str, Facts]:
        """Facts of every file, by path."""
        sinks: dict[str, dict[Span, Sink]] = Verdicts(self.linker, self.paths).sinks()
        return {path: self._file(survey, sinks.get(path, {})) for path, survey in self.linker.surveys.items()}

    def _file(self, survey: Survey, sinks: dict[Span, Sink]) -> Facts:
        base = self.linker.bases[survey.path]
        facts = Facts(survey.path, {}, {}, {}, {}, {}, sinks)
        for span, local in survey.uses:
            node = base + local
            held = self.linker.held[node]
            if not held:
                continue
            if env := self._env(node):
                facts.envs[span] = env  # type: ignore[index]
            if step := self._step(node, survey, span):
                facts.steps[span] = step  # type: ignore[index]
            if reset := self._reset(node, survey, span):
                facts.resets[span] = reset  # type: ignore[index]
            if info := self._info(node):
                facts.infos[span] = info  # type: ignore[index]
            if flag := self._flag(node):
                facts.flags[span] = flag  # type: ignore[index]
        return facts

    def _env_of(self, number: int) -> Env:
        _, api, unlimited, certainty, node, _ = self.linker.value(number)
        return Env(api, certainty, self.paths.evidence(node), unlimited)

    def _env(self, node: int) -> Env | None:
        found = self.linker.all(node, "env")
        found += [
            env
            for number in self.linker.all(node, "inst")
            if (env := self._inherited(number)) is not None
        ]
        return self._agreed(found)

    def _inherited(self, number: int) -> int | None:
        """An instance whose class leaves `seed` to the library answers as the library does."""
        _, path, index = self.linker.value(number)
        api, dotted = self.linker.api_of_class(path, index)
        if api is None or self.linker.method_of(path, index, "seed") is not None:
            return None
        return self.linker.environment(api, False, "proven", self.linker.bases[path], False)

    def _agreed(self, numbers: list[int]) -> Env | None:
        """The environment that all tokens agree on: one way to step, to reset and to seed."""
        if not numbers:
            return None
        envs = [self._env_of(n) for n in sorted(numbers)]
        kinds = {(e.api.step, e.api.reset, e.api.seed) for e in envs}
        if len(kinds) > 1:
            return None
        best = min(envs, key=lambda e: (e.certainty != "proven", e.unlimited))
        vector = next((e for e in envs if e.api.vector), None)
        return vector or best

    def _step(self, node: int, survey: Survey, span: Span) -> StepResult | None:
        found = self.linker.all(node, "step")
        if not found or self._own_tuples(node):
            return None
        env = self._agreed([self.linker.value(n)[1] for n in found])
        if env is None:
            return None
        origin = self.paths.related(self.linker.origin_site(self.linker.value(found[0])[2]), "stepped here")
        return StepResult(env, origin, guarded=span in survey.guarded)

    def _own_tuples(self, node: int) -> bool:
        """The value can also be a tuple that a method of the project builds itself."""
        return any(self.linker.value(n)[2] in ("returned", "tuple") for n in self.linker.all(node, "obj"))

    def _reset(self, node: int, survey: Survey, span: Span) -> ResetResult | None:
        found = self.linker.all(node, "reset")
        if not found or self._own_tuples(node):
            return None
        env = self._agreed([self.linker.value(n)[1] for n in found])
        if env is None:
            return None
        origin = self.paths.related(self.linker.origin_site(self.linker.value(found[0])[2]), "reset here")
        return ResetResult(
            env,
            origin,
            handled=any(n in self.linker.handled for n in found),
            passed_on=span in survey.returned,
            guarded=span in survey.guarded,
        )

    def _info(self, node: int) -> Info | None:
        for number in sorted(self.linker.all(node, "info")):
            _, env, arity, origin = self.linker.value(number)
            place = self.paths.related(self.linker.origin_site(origin), "stepped here")
            return Info(self._env_of(env), arity, place)
        return None

    def _flag(self, node: int) -> Flag | None:
        found = self.linker.flags(node)
        if not found:
            return None
        worst = max(found, key=lambda f: (flags.mixed(f), f))
        array = True if all(f & flags.ARRAY for f in found) else None
        return Flag(flags.meanings(found), array, self.paths.to(node, worst))


