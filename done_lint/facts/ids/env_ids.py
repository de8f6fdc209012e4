"""The ids of environments: those that a program looks up, and those that it registers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from done_lint.analysis import registrations
from done_lint.analysis.values import Text
from done_lint.core.findings import Span
from done_lint.facts.ids.missing_registrations import MissingRegistrations
from done_lint.facts.ids.own_makes import OwnMakes
from done_lint.facts.ids.unregistered_packages import unregistered_packages
from done_lint.facts.kinds.ids import EnvId, UnseenId
from done_lint.knowledge import env_id_apis

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.facts.provenance import Provenance


class EnvIds:
    """Reads from a solved graph which strings are ids of environments."""

    def __init__(self, analysis: Analysis, provenance: Provenance) -> None:
        """Read from a solved graph."""
        self._provenance = provenance
        self._solver = analysis.solver
        self._envs = analysis.envs
        self._imports = analysis.imports
        self._analysis = analysis
        arguments = [one for one in analysis.envs.id_arguments if one.function in env_id_apis.REGISTERING]
        known = [registrations.ids(analysis, one.node) for one in arguments]
        #: The ids that the files register environments under.
        self.registered = {env_id for ids in known for env_id in ids}
        #: Whether some cannot be seen.
        self.registers_unseen = analysis.envs.registers_unseen or not all(known)
        #: By file, a package whose environments it may make, and that nothing registers (see `unregistered_packages`).
        self.unregistered = unregistered_packages(analysis, self.registered)

    def looked_up(self) -> dict[str, dict[Span, EnvId]]:
        """The strings of each file that environments are looked up by, but for those that a Gym that stays makes."""
        found: dict[str, dict[Span, EnvId]] = {}
        kept = {place for node in self._envs.kept_ids for place in self._strings(node)}
        missing = MissingRegistrations(self._analysis)
        makes = OwnMakes(self._provenance)
        for node, dotted, site in self._envs.id_arguments:
            if dotted in env_id_apis.REGISTERING:
                continue
            used = self._provenance.related(site, "made here")
            for text in self._solver.all(node, Text):
                value = self._solver.get(text, Text).text
                for path, span in makes.texts(node, text):
                    if (path, span) not in kept:
                        lacks = missing.of(value, dotted, site)
                        found.setdefault(path, {}).setdefault(span, EnvId(value, dotted, used, lacks=lacks))
        said = self._said(found)
        return {
            path: {span: replace(one, elsewhere=bool(said[one.value] - {path})) for span, one in ids.items()}
            for path, ids in found.items()
        }

    def unseen(self) -> dict[str, tuple[UnseenId, ...]]:
        """The calls in each file that look an environment up by an id which no code gives."""
        takers = [(dotted, site) for node, dotted, site in self._envs.id_arguments if not self._is_seen(node)]
        found: dict[str, dict[Span, str]] = {}
        for dotted, site in (*takers, *self._envs.spread_ids):
            if site is not None and dotted not in env_id_apis.REGISTERING:
                found.setdefault(site.path, {})[site.span] = dotted
        running = {path: self._imports.running_with([path]) for path in found}
        return {
            path: tuple(UnseenId(span, dotted, running[path]) for span, dotted in sorted(calls.items()))
            for path, calls in found.items()
        }

    def _is_seen(self, node: int) -> bool:
        """Whether something is known of an id."""
        return bool(registrations.ids(self._analysis, node))

    def _said(self, ids: Mapping[str, Mapping[Span, EnvId]]) -> dict[str, set[str]]:
        """The files that have ids in strings which no environment is looked up by."""
        found: dict[str, set[str]] = {one.value: set() for places in ids.values() for one in places.values()}
        for node, place in self._envs.texts.items() if found else ():
            for text in self._solver.values(node, Text):
                if place is not None and text.text in found and place.span not in ids.get(place.path, {}):
                    found[text.text].add(place.path)
        return found

    def _strings(self, node: int) -> Iterator[tuple[str, Span]]:
        """Where the strings stand that arrive at a node."""
        for text in self._solver.all(node, Text):
            yield from self._provenance.texts(node, text)
